/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Branches: where the code of a function leads to, tables of its switches included. */
#ifndef PROF_PATCHING_BRANCHES_H
#define PROF_PATCHING_BRANCHES_H

#include "patching/entries.h"

/*
 * Decodes BYTES, the code of FUNCTION, and calls FOUND with the target of each jump and conditional
 * jump, and of each table that an indirect jump may go by.  False: there are bytes that are no
 * instruction.
 */
bool prof_branches_find(const struct prof_entry_code *code, const struct prof_entry *function,
	const unsigned char *bytes, void (*found)(void *context, uint64_t target), void *context);

/* How many of the LENGTH bytes at BYTES are padding: instructions that do nothing, or traps. */
size_t prof_branches_padding(const unsigned char *bytes, size_t length);

#endif
