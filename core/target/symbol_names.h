/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Many names of functions, looked for in ELF files all at once: a debugger takes long to say what
 * each of them stands for.
 *
 * The answer is certain only for a name that is all of the name of one function, and no part of any
 * other symbol's: "f" is a part of "_ZN1a1fEv", "a.f", "f.cold", "a__f", "f_" and "f@VERSION",
 * which a debugger, knowing the language, may take for "f", too.
 */
#ifndef PROF_TARGET_SYMBOL_NAMES_H
#define PROF_TARGET_SYMBOL_NAMES_H

#include "base/map.h"
#include "base/memory.h"

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

/* Names, numbered from 0 on in the order in which they were added.  All zeroes is none. */
struct prof_symbol_names {
	PROF_ARRAY(const char *) items; /* borrowed */
	struct prof_map index;
};

void prof_symbol_names_deinit(struct prof_symbol_names *names);

/*
 * Adds NAME, which is borrowed.  One that is no plain identifier is found nowhere.  False: no
 * memory.
 */
bool prof_symbol_names_add(struct prof_symbol_names *names, const char *name);

/* What one symbol has to do with a name. */
enum prof_symbol_use {
	PROF_SYMBOL_FUNCTION, /* it is the function of that name */
	PROF_SYMBOL_EXPORTED, /* it is a function that is exported by that name */
	PROF_SYMBOL_PART,     /* it may be meant, too */
};

struct prof_symbol_hit {
	uint64_t address; /* the file's own; of PROF_SYMBOL_PART 0 */
	uint32_t name;
	uint8_t use; /* enum prof_symbol_use */
};

/* All zeroes is none. */
struct prof_symbol_hits {
	PROF_ARRAY(struct prof_symbol_hit) items;
};

void prof_symbol_hits_deinit(struct prof_symbol_hits *hits);

/*
 * Adds to HITS what the symbols of ELF have to do with NAMES.  False: a debugger may know other
 * functions of this file than its symbols, or there is no memory.
 */
bool prof_symbol_names_look(
	const struct prof_symbol_names *names, Elf *elf, struct prof_symbol_hits *hits);

/* What a name stands for in all files.  All zeroes, before the first one, is nothing. */
struct prof_symbol_meaning {
	uint64_t function, exported;
	bool unclear;
};

/* Adds HITS, of a file that is BIAS bytes behind its own addresses, to MEANINGS, one of each name.
 */
void prof_symbol_hits_add(
	const struct prof_symbol_hits *hits, uint64_t bias, struct prof_symbol_meaning *meanings);

/* The address of the one function that MEANING is; 0: it is none, or that is not certain. */
uint64_t prof_symbol_meaning_function(const struct prof_symbol_meaning *meaning);

#endif
