/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Functions of the program that GDB calls for us, and what is the user's and must stay as it is
 * meanwhile.
 */
#ifndef PROF_PLUGIN_GDB_HOST_CALL_H
#define PROF_PLUGIN_GDB_HOST_CALL_H

#include "plugin/gdb/python_object.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What the user has selected. */
struct host_selection {
	PyObject *thread, *frame; /* gdb.InferiorThread, gdb.Frame, or NULL */
};

/* Keeps it; selects it again, as far as it is still there, and forgets it. */
void host_selection_keep(struct host_selection *selection);
void host_selection_restore(struct host_selection *selection);

/* Selects THREAD, by the kernel's id, of the selected inferior.  False: there is none. */
bool host_select(pid_t thread);

/* The user's breakpoints. */
struct host_breakpoints {
	PROF_ARRAY(uint64_t) places; /* addresses of those that are enabled */
	bool others;                 /* watchpoints and catchpoints that are enabled */
	PyObject *disabled;          /* list of those that host_breakpoints_disable() has */
};

/* Finds the user's breakpoints. */
struct prof_error *host_breakpoints_read(struct host_breakpoints *breakpoints) PROF_MUST_CHECK;

/* Keeps them from stopping threads, and undoes that. */
void host_breakpoints_disable(struct host_breakpoints *breakpoints);
void host_breakpoints_enable(struct host_breakpoints *breakpoints);

void host_breakpoints_deinit(struct host_breakpoints *breakpoints);

/*
 * What the function at ADDRESS returns, called with two arguments by the selected thread, all
 * others of which stand still.
 */
struct prof_error *host_call(
	uint64_t address, uint64_t first, uint64_t second, uint64_t *ret) PROF_MUST_CHECK;

/* Has GDB read all registers anew: a thread has run behind its back. */
void host_flush_registers(void);

#endif
