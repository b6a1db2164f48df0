/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of memory, by the stacks that have allocated them. */
#ifndef PROF_VIEW_BLOCKS_H
#define PROF_VIEW_BLOCKS_H

#include "base/option.h"

struct prof_choice;
struct prof_sheet;

/* What is listed: the words for it, and its metrics. */
struct prof_blocks_kind {
	const char *view, *one, *many, *bytes;
	const char *count_metric, *bytes_metric;
};

/* Prints the stacks that have allocated blocks of KIND, those with the most bytes first. */
struct prof_error *prof_blocks_print(const struct prof_sheet *sheet,
	const struct prof_blocks_kind *kind, const struct prof_choice *choice,
	struct prof_text *text) PROF_MUST_CHECK;

/* The options of these views. */
extern const struct prof_options prof_blocks_options;

#endif
