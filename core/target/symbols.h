/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The functions that an ELF object's symbol table names. */
#ifndef PROF_TARGET_SYMBOLS_H
#define PROF_TARGET_SYMBOLS_H

#include "base/memory.h"

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_symbol {
	uint64_t low, high; /* the object's own addresses */
	const char *name;   /* borrowed from the object; not to be trusted */
};

/* All zeroes is the empty table. */
struct prof_symbols {
	PROF_ARRAY(struct prof_symbol) items;
};

/* Frees what TABLE holds, and leaves it empty. */
void prof_symbols_deinit(struct prof_symbols *table);

/*
 * Fills TABLE with the functions of ELF: of its full symbol table, or else of the one for dynamic
 * linking.  Entries that are damaged are left out.  False: out of memory.
 */
bool prof_symbols_read(struct prof_symbols *table, Elf *elf);

/* The function that holds ADDRESS, borrowed, or NULL. */
const struct prof_symbol *prof_symbols_find(const struct prof_symbols *table, uint64_t address);

#endif
