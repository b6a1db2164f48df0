/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Load objects that the program is loading (dlopen()).  GDB learns of them before the dynamic
 * linker fills their slots.  A trap in the dynamic linker shows when they are filled, and no code
 * of theirs has been executed yet.
 */
#ifndef PROF_PLUGIN_TRACING_LOADING_H
#define PROF_PLUGIN_TRACING_LOADING_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Has REPORT called, in an event of GDB, whenever the selected process calls the function at
 * ADDRESS with a first argument of 0, until REPORT returns true; LAST: it is not called again.  GDB
 * before 12 never has it called.
 */
struct prof_error *loading_await(uint64_t address, bool (*report)(bool last)) PROF_MUST_CHECK;

/* Nothing is awaited any more. */
void loading_end(void);

#endif
