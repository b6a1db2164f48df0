/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The line table (DWARF 5, section 6.2) of a program's file, or of the file with its debugging
 * information, asked about single addresses.
 *
 * An address can have several rows.  The compiler numbers them as views: places of the source that
 * are reached there one after the other, all but the last without an instruction.  The instruction
 * belongs to the last row, be that marked as the begin of a statement or not.
 */
#ifndef PROF_TARGET_LINETABLE_H
#define PROF_TARGET_LINETABLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_linetable;

/* What is known of an address; strings are borrowed from the table, and not to be trusted. */
struct prof_linetable_place {
	const char *file;      /* path, absolute or below DIRECTORY */
	const char *directory; /* where the compiler ran; NULL: not known */
	uint32_t line;         /* > 0 */
};

/* Opens the file PATH, whose build id must be BUILD_ID, in hex. */
struct prof_error *prof_linetable_open(
	const char *path, const char *build_id, struct prof_linetable **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_linetable_close(struct prof_linetable *table);

/* Bytes of its file. */
uint64_t prof_linetable_size(const struct prof_linetable *table);

/* What has the instruction at ADDRESS, one of the file's own.  False: nothing is known. */
bool prof_linetable_find(
	struct prof_linetable *table, uint64_t address, struct prof_linetable_place *ret);

#endif
