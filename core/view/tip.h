/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a program did since its last stop, in one line. */
#ifndef PROF_VIEW_TIP_H
#define PROF_VIEW_TIP_H

#include "base/error.h"
#include "base/progress.h"
#include "base/text.h"

#include <stdint.h>

struct prof_experiment;

/*
 * Adds to TEXT a line on the time from the stop before to the last stop of EXPERIMENT, whose frames
 * are resolved; nothing if it has no such time.  *STOP is the time of the last stop, in ns since
 * the start, as far as there is a line.  If it already was that, nothing is added: that line was
 * printed.
 */
struct prof_error *prof_tip_print(const struct prof_experiment *experiment,
	const struct prof_progress *progress, int64_t *stop,
	struct prof_text *text) PROF_MUST_CHECK;

#endif
