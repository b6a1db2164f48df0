/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Folded stacks, as flame graph tools use them: a line a stack, `root;...;leaf WEIGHT`.
 *
 * Blank lines, and lines that begin with '#', are skipped.  A WEIGHT is a decimal (base/value.h);
 * what stands before it, spaces included, is the stack.
 */
#ifndef PROF_FORMATS_FOLDED_H
#define PROF_FORMATS_FOLDED_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/* Rows of prof_imports[], see there. */
bool prof_folded_probe(const char *bytes, size_t length);
struct prof_error *prof_folded_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
