/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Folded stacks, as formats/folded.h reads them. */
#ifndef PROF_EXPORT_FOLDED_H
#define PROF_EXPORT_FOLDED_H

#include "base/text.h"

struct prof_profile;

/*
 * Prints a line `root;...;leaf WEIGHT` for each stack that has a value of its own, in the order of
 * first encounter.  WEIGHT is exact, in the metric's own unit: ns where the metric is a time, since
 * many tools read whole numbers only.
 *
 * In names, `;` becomes `:`, which is what other tools do too; what prof_text_name() does not leave
 * as it is stays escaped; a `#` at the beginning of a line becomes `\x23`, or the line would be a
 * comment; a space at the beginning of a name, or in front of a number at its end, becomes `\x20`,
 * or it would be lost, or the number taken for a weight; and an empty name becomes `?`.
 */
struct prof_error *prof_folded_print(
	const struct prof_profile *profile, struct prof_text *text) PROF_MUST_CHECK;

/* Adds NAME as such a line has it, except that a `#` at its beginning stays. */
void prof_folded_name(const char *name, struct prof_text *text);

/* Begins a line with LENGTH bytes of STACK, names as prof_folded_name() adds them. */
void prof_folded_begin(const char *stack, size_t length, struct prof_text *text);

#endif
