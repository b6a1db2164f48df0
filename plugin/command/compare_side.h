/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One of the two experiments of a comparison, read from a file. */
#ifndef PROF_PLUGIN_COMMAND_COMPARE_SIDE_H
#define PROF_PLUGIN_COMMAND_COMPARE_SIDE_H

#include "base/progress.h"
#include "parallel/user_stacks.h"

struct option_values;
struct prof_experiment;

/* All zeroes is none. */
struct compare_side {
	struct prof_experiment *experiment;
	char *file;
};

/*
 * Reads the file that argument NUMBER of VALUES names, and finds its symbols, into RET: with
 * the stacks that STACKS says.
 */
struct prof_error *compare_side_read(const struct option_values *values, size_t number,
	enum prof_stacks stacks, const struct prof_progress *progress,
	struct compare_side *ret) PROF_MUST_CHECK;

/* Frees what SIDE holds. */
void compare_side_deinit(struct compare_side *side);

#endif
