/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The agent's library, and what programs and machines it is for. */
#ifndef PROF_PLUGIN_INTERPOSE_LIBRARY_H
#define PROF_PLUGIN_INTERPOSE_LIBRARY_H

#include "base/error.h"

#include <stdbool.h>

struct prof_watchdog;

/* Its file, beside the plugin's own, in a new string; an error if it is not there. */
struct prof_error *library_find(char **ret) PROF_MUST_CHECK;

/* A new watchdog, whose program is there too. */
struct prof_error *library_watchdog(struct prof_watchdog **ret) PROF_MUST_CHECK;

/* Can PROGRAM, a file, load it?  What cannot be read may. */
struct prof_error *library_check_program(const char *program) PROF_MUST_CHECK;

/* Whether INTERPRETER, the linker that a program asks for, is one that it is linked for. */
struct prof_error *library_check_interpreter(const char *interpreter) PROF_MUST_CHECK;

/* Does PROGRAM, a file, ask for a library that refuses to be loaded behind another? */
bool library_is_preceded(const char *program);

/*
 * Is the MPI library linked into PROGRAM, a file?  Then no table leads to its functions.  False,
 * too, if the file has no symbols.
 */
bool library_has_mpi(const char *program);

/* Does this machine's time stamp counter run evenly, and alike on all CPUs? */
bool library_has_counter(void);

#endif
