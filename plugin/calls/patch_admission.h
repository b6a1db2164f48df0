/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a process of GDB's can be patched. */
#ifndef PROF_PLUGIN_CALLS_PATCH_ADMISSION_H
#define PROF_PLUGIN_CALLS_PATCH_ADMISSION_H

#include "patching/patched.h"

/*
 * Why the program of the selected inferior's PROCESS, whose stubs are to have their control area at
 * CONTROL, cannot be patched at all; NULL: it can.  Borrowed.
 */
const char *patch_admission_obstacle(pid_t process, uint64_t control);

/* Admits all threads of PROCESS to PATCHED.  NULL, or why one is not, likewise. */
const char *patch_admission_admit(pid_t process, struct prof_patched *patched);

#endif
