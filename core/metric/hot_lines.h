/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The hot path of a profile of lines, and the lines of its functions that matter: those that call
 * the next one, and those of the last one that have most by themselves.  Recursion is collapsed
 * where no function is lost from the path.
 */
#ifndef PROF_METRIC_HOT_LINES_H
#define PROF_METRIC_HOT_LINES_H

#include "base/error.h"
#include "base/memory.h"
#include "base/value.h"

#include <stdint.h>

struct prof_profile;

struct prof_hot_line {
	uint32_t step; /* of the path, from 0: the outermost */
	uint32_t item; /* of the profile: a line */
	prof_value value;
};

struct prof_hot_step {
	uint32_t function;
	prof_value in_or_under, in_only;
	size_t first, lines; /* of its lines, the largest value first */
};

struct prof_hot_lines {
	PROF_ARRAY(struct prof_hot_step) steps; /* the outermost function first */
	PROF_ARRAY(struct prof_hot_line) lines;
	prof_value next; /* the most that a callee of the last function has; 0: it has none */
};

/* Fills LINES, all zeroes, with the hot path of PROFILE. */
struct prof_error *prof_hot_lines_find(
	struct prof_hot_lines *lines, const struct prof_profile *profile) PROF_MUST_CHECK;

/* Frees what LINES holds; all zeroes is fine. */
void prof_hot_lines_deinit(struct prof_hot_lines *lines);
#define AUTO_HOT_LINES PROF_AUTO(prof_hot_lines_deinit)

#endif
