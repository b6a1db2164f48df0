/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Gates: places where functions are entered, or left, with a breakpoint of GDB's that nobody sees
 * stop.
 */
#ifndef PROF_PLUGIN_COLLECT_GATE_H
#define PROF_PLUGIN_COLLECT_GATE_H

#include "plugin/gdb/python.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes of code: more than a breakpoint takes.  GDB before 12 cannot read fewer of a program that
 * runs. */
enum { GATE_CODE = 8 };

struct gate {
	PyObject *breakpoint;
	uint64_t address;
	unsigned char code[GATE_CODE]; /* at ADDRESS, without breakpoints, if KNOWN */
	bool known;                    /* with GDB before 12 */
	char *name, *object;           /* the function's; its load object's file */
	PyObject *space;               /* gdb.Progspace */
	unsigned long calls;
	bool refused; /* it is called too often */
	size_t trace; /* whose calls are traced here (visits.h); SIZE_MAX: they are counted */
	bool exit;    /* the function is left here */
	/* The function returns the one whose calls are counted (target/indirect.h). */
	bool resolver;
	pid_t awaited; /* at such an exit: the thread that is to leave it here; 0: none */
};

/*
 * Sets one at ADDRESS, in the function NAME, of the current program space: an internal breakpoint
 * of TYPE.  False: it can't be.
 */
bool gate_init(struct gate *gate, PyObject *type, uint64_t address, const char *name);
void gate_deinit(struct gate *gate);

/* Is there code at ADDRESS, in the selected inferior?  A program may not be where it will be yet.
 */
bool gate_has_code(uint64_t address);

/* Is GATE in no program of a process but PROCESS, a pid_t, which is gone? */
bool gate_is_unused(const struct gate *gate, const void *process);

/* Is GATE in the load object of the file OBJECT, a string? */
bool gate_is_of_object(const struct gate *gate, const void *object);

#endif
