/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The stacks of each thread in the order of time, as JSON that speedscope reads: see
 * src/lib/file-format-spec.ts in its repository, jlfwong/speedscope.
 */
#ifndef PROF_EXPORT_SPEEDSCOPE_H
#define PROF_EXPORT_SPEEDSCOPE_H

#include "base/text.h"

struct prof_sheet;

/*
 * Prints one object, and nothing but ASCII: a profile of the type "sampled" for each thread that
 * has something of the metric of SHEET, which needs no profiles.  Frames are functions, with the
 * file that their code comes from, and the lowest line of it that is in any stack, where these are
 * known. Weights are exact, and in seconds where the metric is a time.
 *
 * In a recording, neighbours that are equal are added up; what was imported has a stack for each
 * sample.  What would be too large for the tool is refused.
 */
struct prof_error *prof_speedscope_print(
	const struct prof_sheet *sheet, struct prof_text *text) PROF_MUST_CHECK;

#endif
