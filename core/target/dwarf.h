/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * libdw ends the process when it runs out of memory, unless it has a handler for that; with this
 * one, it returns an error.
 */
#ifndef PROF_TARGET_DWARF_H
#define PROF_TARGET_DWARF_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/*
 * Calls FUNCTION with CONTEXT, which asks libdw for what DWARF has.  False: memory is too short to
 * begin with, as its tables of abbreviations cannot do without; or libdw ran out of memory, and
 * FUNCTION was left where it was.  DWARF may then be used no more, not even for dwarf_end():
 * libdw's own lists may be gone.  Its memory is lost.
 */
bool prof_dwarf_call(Dwarf *dwarf, void (*function)(void *context), void *context);

#endif
