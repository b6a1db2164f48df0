/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was allocated and not freed yet, at any mark. */
#ifndef PROF_METRIC_LIVE_H
#define PROF_METRIC_LIVE_H

#include "base/error.h"
#include "base/value.h"

struct prof_experiment;
struct prof_selection;

/* By path; the owner frees both. */
struct prof_live {
	prof_value *blocks, *bytes; /* their number, and how many bytes */
};

/*
 * What EXPERIMENT's samples, those of SELECTION unless it is NULL, held at TIME, that of a mark, in
 * ns since the start.
 */
struct prof_error *prof_live_at(const struct prof_experiment *experiment,
	const struct prof_selection *selection, int64_t time,
	struct prof_live *ret) PROF_MUST_CHECK;

void prof_live_deinit(struct prof_live *live);
#define AUTO_LIVE PROF_AUTO(prof_live_deinit)

/*
 * The time of the mark TEXT: a label, the last mark of that; or a number, the mark that ends the
 * interval of that number.
 */
struct prof_error *prof_live_mark(
	const struct prof_experiment *experiment, const char *text, int64_t *ret) PROF_MUST_CHECK;

#endif
