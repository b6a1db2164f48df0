/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files image*.c share (private to them). */
#ifndef PROF_TARGET_IMAGE_PRIVATE_H
#define PROF_TARGET_IMAGE_PRIVATE_H

#include "target/image.h"
#include "target/source.h"

/*
 * Sorts SYMBOLS, keeps the best of those at one address, and sets the end of each whose `high` is
 * 0: where the next one begins.
 */
struct prof_error *prof_image_settle(
	const struct prof_image *image, struct prof_image_symbols *symbols) PROF_MUST_CHECK;

/* Fills IMAGE's lines, and the functions among them. */
struct prof_error *prof_image_add_lines(
	struct prof_image *image, const struct prof_source *source) PROF_MUST_CHECK;

#endif
