/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A program's file as GNU gprof sees it: the functions of its symbol table and, where it has
 * debugging information, the lines of source, each the addresses up to where the next one begins.
 *
 * It is of any machine: both word sizes and byte orders.
 */
#ifndef PROF_TARGET_IMAGE_H
#define PROF_TARGET_IMAGE_H

#include "base/progress.h"
#include "base/strings.h"
#include "model/image_symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_image {
	char *path;
	unsigned word; /* bytes of an address: 4 or 8 */
	bool big_endian;
	uint64_t text_low, text_high; /* of the section .text: its first address, and the end */
	struct prof_strings strings;
	struct prof_image_symbols functions, lines; /* LINES: the functions are among them too */
};

/* Does a file that begins with these LENGTH bytes look like one? */
bool prof_image_probe(const char *bytes, size_t length);

/* Reads the file PATH.  It has .text and functions; else it is an error that names it. */
struct prof_error *prof_image_read(const char *path, const struct prof_progress *progress,
	struct prof_image **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_image_destroy(struct prof_image *image);

/* The text of STRING, borrowed, not to be trusted. */
static inline const char *prof_image_text(const struct prof_image *image, uint32_t string)
{
	return prof_strings_get(&image->strings, string);
}

#endif
