/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The symbols of a program's file: functions and lines, each the addresses up to the next one. */
#ifndef PROF_MODEL_IMAGE_SYMBOLS_H
#define PROF_MODEL_IMAGE_SYMBOLS_H

#include "base/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of strings are those of the table that the owner has. */
struct prof_image_symbol {
	/* Its first address, and that of the next symbol, see base/ranges.h; of a function among
	   lines, that of the next function. */
	uint64_t low, high;
	uint32_t name;     /* string, mangled; of a line, that of its function */
	uint32_t file;     /* string, path of the source; PROF_NONE: not known */
	uint32_t line;     /* in FILE; 0: not known */
	uint32_t function; /* of the experiment; PROF_NONE: it is not in one, or is among lines */
	bool local;        /* a static function */
	bool marked;       /* as a function; lines, and labels of assembler, are not */
};

/* A PROF_ARRAY(), sorted by address: no two begin at the same one. */
struct prof_image_symbols {
	struct prof_image_symbol *items;
	size_t count, capacity;
};

/*
 * Are SYMBOLS, whose texts are in STRINGS, and OTHERS those of one program?  What functions they
 * are in experiments does not matter.
 */
bool prof_image_symbols_are_same(const struct prof_image_symbols *symbols,
	const struct prof_strings *strings, const struct prof_image_symbols *others,
	const struct prof_strings *others_strings);

/* The number of the one of SYMBOLS that has ADDRESS; PROF_NONE: none has. */
uint32_t prof_image_symbols_find(const struct prof_image_symbols *symbols, uint64_t address);

#endif
