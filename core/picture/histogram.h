/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The SVG of a histogram of durations: how many calls took how long. */
#ifndef PROF_PICTURE_HISTOGRAM_H
#define PROF_PICTURE_HISTOGRAM_H

#include "base/text.h"

struct prof_durations;
struct prof_duration_bins;

/* What is drawn; all of it is borrowed. */
struct prof_histogram_picture {
	const struct prof_durations *durations; /* sorted */
	const struct prof_duration_bins *bins;  /* their histogram */
	const char *title, *subtitle;           /* a line each; names in them are not trusted */
	const char *notes;                      /* lines below the histogram */
};

/*
 * Prints into TEXT a bar for each bin, as high as the calls in it: those of one call can be seen,
 * too.  Bins are equally wide.  Lines are drawn at the 50th, 90th and 99th percentile and at the
 * longest duration.
 */
struct prof_error *prof_histogram_print(
	const struct prof_histogram_picture *picture, struct prof_text *text) PROF_MUST_CHECK;

#endif
