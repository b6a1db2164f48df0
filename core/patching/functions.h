/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an ELF file shows of its functions, and of the addresses that its data holds. */
#ifndef PROF_PATCHING_FUNCTIONS_H
#define PROF_PATCHING_FUNCTIONS_H

#include "patching/entries.h"
#include "target/elf.h"

/* All zeroes is empty.  Addresses are the file's own. */
struct prof_entry_functions {
	PROF_ARRAY(struct prof_entry_function) items; /* as prof_entries_find() wants them */
	PROF_ARRAY(uint64_t) words;
};

/* Frees what FUNCTIONS holds, and leaves it empty. */
void prof_entry_functions_deinit(struct prof_entry_functions *functions);

/*
 * Fills FUNCTIONS, which is empty, from MODULE: functions are what the call frame information
 * describes, except for the linker's stubs.  A function begins where a call has just pushed the
 * return address; what begins otherwise is a part of one.  NULL, or that there is no memory.
 */
struct prof_error *prof_entry_functions_read(struct prof_entry_functions *functions,
	struct prof_elf *module, const struct prof_arch *arch) PROF_MUST_CHECK;

#endif
