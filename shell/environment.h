/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The environment of a GDB that records a program, from which the program gets its own back. */
#ifndef PROF_SHELL_ENVIRONMENT_H
#define PROF_SHELL_ENVIRONMENT_H

#include "base/error.h"

/*
 * Sets what GDB and its script (gdbscripts/record.py) need: OPTIONS of prof-start in
 * GDBPROF_RECORD, a SHELL that GDB knows, and copies of what GDB and that shell change.
 */
struct prof_error *environment_set(const char *options) PROF_MUST_CHECK;

#endif
