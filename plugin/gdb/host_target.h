/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GDB knows of the target, whatever it is: threads, code and load objects.  See host.h. */
#ifndef PROF_PLUGIN_GDB_HOST_TARGET_H
#define PROF_PLUGIN_GDB_HOST_TARGET_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * How the selected inferior is reached: "native", "core", "remote" and so on; "" if it is not.  The
 * caller frees it.
 */
struct prof_error *host_connection(char **ret) PROF_MUST_CHECK;

/* Adds what GDB calls the architecture of the selected inferior to TEXT: "i386:x86-64", "armv7". */
void host_architecture(struct prof_text *text);

struct host_thread {
	int64_t process, id; /* the target's own */
	const char *name;    /* "" if it has none */
	bool is_running;
};

/* Does each thread stop by itself for the user, who has set that? */
bool host_stops_single(void);

/* Does each thread stop by itself, whether or not the user sees it? */
bool host_is_nonstop(void);

/*
 * Does PROCESS, if it is the selected inferior's, stand still, whatever the user has seen?  Else a
 * remote stub does not listen.
 */
bool host_stands_still(pid_t process);

/*
 * Selects each thread of the selected inferior, all of which stand still, and calls VISIT for it;
 * at last the thread that was selected before is so again.
 */
struct prof_error *host_each_thread(void (*visit)(void *context, const struct host_thread *thread),
	void *context) PROF_MUST_CHECK;

/* Calls VISIT for the selected thread. */
struct prof_error *host_selected_thread(
	void (*visit)(void *context, const struct host_thread *thread),
	void *context) PROF_MUST_CHECK;

/* Calls VISIT for each thread of PROCESS, whether it stands still or not; none is selected. */
void host_list_threads(pid_t process,
	void (*visit)(void *context, const struct host_thread *thread), void *context);

/*
 * Has the selected thread, stopped at PC, come to a system call, or is it in one?  The code before
 * and at PC shows it.  False too where this is not known for the architecture.
 */
bool host_in_system_call(uint64_t pc);

/*
 * Writes the text that argument NUMBER of the probe at which the selected thread has stopped points
 * to, as much of it as fits and can be read, into BUFFER of SIZE bytes.
 */
void host_probe_text(int number, char *buffer, size_t size);

/* Copies SIZE bytes at ADDRESS of the selected inferior to BYTES, without GDB's breakpoints. */
bool host_read(uint64_t address, void *bytes, size_t size);

/* A part of a load object that holds code; the texts are "" if not known. */
struct host_section {
	uint64_t low, high; /* first byte, and the byte after the last */
	uint64_t offset;    /* of LOW in the file */
	const char *file, *build_id;
};

/* Calls VISIT for each. */
struct prof_error *host_each_section(
	void (*visit)(void *context, const struct host_section *section),
	void *context) PROF_MUST_CHECK;

/* Is CONNECTION that of a process of this machine, or none yet? */
bool host_is_native(const char *connection);

#endif
