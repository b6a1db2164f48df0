/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads what a process has used, and uses now, as the kernel accounts for it. */
#ifndef PROF_SAMPLING_USAGE_H
#define PROF_SAMPLING_USAGE_H

#include "model/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A thread's context switches. */
struct prof_usage_switches {
	int64_t voluntary, involuntary; /* or PROF_USAGE_UNKNOWN */
};

/* The switches of THREAD, which may have ended and not be waited for.  False: it is gone. */
bool prof_usage_switches(pid_t process, pid_t thread, struct prof_usage_switches *ret);

/*
 * The figures of PROCESS that are those of all its threads, ended ones included: all but the
 * context switches, and what the marker knows, which are left unknown.  False: it is gone.  One
 * that has ended and was not waited for has no memory and no threads any more; its peak is unknown
 * then.
 */
bool prof_usage_read(pid_t process, struct prof_usage *ret);

/* Reads a file of /proc, of this machine or another, as prof_procfs_read() does. */
typedef bool prof_usage_reader(
	void *context, pid_t process, pid_t thread, const char *file, char *buffer, size_t size);

/* The same two where READ reads. */
bool prof_usage_switches_by(prof_usage_reader *read, void *context, pid_t process, pid_t thread,
	struct prof_usage_switches *ret);
bool prof_usage_read_by(
	prof_usage_reader *read, void *context, pid_t process, struct prof_usage *ret);

/* Fills in what STATUS, the text of a /proc/PID/status, has: memory and threads. */
void prof_usage_parse_status(const char *status, struct prof_usage *usage);

#endif
