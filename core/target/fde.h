/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which stretches of code the FDEs (DWARF 5, section 6.4.1) of an object are about. */
#ifndef PROF_TARGET_FDE_H
#define PROF_TARGET_FDE_H

#include "base/error.h"

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_fde {
	uint64_t low, high; /* the object's own addresses */
};

/* All zeroes is the empty table. */
struct prof_fdes {
	PROF_ARRAY(struct prof_fde) items;
};

/* Frees what TABLE holds, and leaves it empty. */
void prof_fdes_deinit(struct prof_fdes *table);

/*
 * A section of call frame information: .eh_frame, which has addresses relative to where it lies
 * itself, or .debug_frame.
 */
struct prof_fde_section {
	const unsigned char *ident; /* e_ident of the ELF file */
	Elf_Data *data;
	uint64_t address; /* of the section */
	bool eh_frame;
};

/* Adds what is found in SECTION.  Entries that are damaged are left out.  False: out of memory. */
bool prof_fdes_add(struct prof_fdes *table, const struct prof_fde_section *section);

/* To be called after the last prof_fdes_add(), before the first prof_fdes_find(). */
void prof_fdes_sort(struct prof_fdes *table);

/* The entry that holds ADDRESS, borrowed, or NULL. */
const struct prof_fde *prof_fdes_find(const struct prof_fdes *table, uint64_t address);

#endif
