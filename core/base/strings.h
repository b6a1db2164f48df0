/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interned strings: each string once, under a small number. */
#ifndef PROF_BASE_STRINGS_H
#define PROF_BASE_STRINGS_H

#include "base/error.h"
#include "base/map.h"

#include <stdint.h>

/* All zeroes is the empty table.  Ids count from 0 in the order of adding. */
struct prof_strings {
	struct prof_map index;
	PROF_ARRAY(char *) texts;
};

/* Frees what STRINGS holds, and leaves it empty. */
void prof_strings_deinit(struct prof_strings *strings);

/* The id of TEXT, LENGTH bytes (a NUL among them ends it), added if it is new. */
struct prof_error *prof_strings_add(struct prof_strings *strings, const char *text, size_t length,
	uint32_t *ret) PROF_MUST_CHECK;

/* The id of TEXT, or PROF_NONE if it was never added. */
uint32_t prof_strings_find(const struct prof_strings *strings, const char *text);

/* The text of ID, borrowed, valid as long as STRINGS; ID is one that was added. */
const char *prof_strings_get(const struct prof_strings *strings, uint32_t id);

#endif
