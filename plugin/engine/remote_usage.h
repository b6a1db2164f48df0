/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What processes of a remote target have used.  A stub that transfers files, as gdbserver does,
 * gives their /proc; gdbprof asks it while they stand still.
 */
#ifndef PROF_PLUGIN_ENGINE_REMOTE_USAGE_H
#define PROF_PLUGIN_ENGINE_REMOTE_USAGE_H

#include <stdbool.h>
#include <sys/types.h>

struct prof_marker;

/* Asks the target for the figures of PROCESS, which MARKER has as not readable. */
void remote_usage_add(struct prof_marker *marker, pid_t process);

/* Reports to the marker, for the mark that follows, what the process has used, if there is one. */
void remote_usage_report(void);

/*
 * Reads the file PATH of the current target's machine into BUFFER, a string of at most SIZE - 1
 * bytes.  False: there is none, or it cannot be read.
 */
bool remote_usage_read(const char *path, char *buffer, size_t size);

/* PROCESS is gone, or let go. */
void remote_usage_remove(pid_t process);

#endif
