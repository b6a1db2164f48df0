/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The stacks of each thread in time, as the Firefox Profiler reads them: see
 * docs-developer/processed-profile-format.md in its repository, firefox-devtools/profiler.
 */
#ifndef PROF_EXPORT_FIREFOX_H
#define PROF_EXPORT_FIREFOX_H

#include "base/text.h"

struct prof_sheet;

/*
 * Prints one object, and nothing but ASCII: a profile in the Profiler's processed format, in which
 * each thread that has something of the one metric of SHEET is a thread with tables of its own. The
 * weights of samples are exact; times, those of the metric too, are in ms.  Where no time is known
 * samples are 1 ms apart.  Marks are markers of the first thread.  What would be too large for the
 * tool is refused.
 */
struct prof_error *prof_firefox_print(
	const struct prof_sheet *sheet, struct prof_text *text) PROF_MUST_CHECK;

#endif
