/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The stops of a recording, which its marks show: where the program stood while its user looked at
 * it.  The recording begins at the first.
 */
#ifndef PROF_METRIC_STOPS_H
#define PROF_METRIC_STOPS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;
struct prof_mark;

/* What the program did from one stop to the next. */
struct prof_stop_span {
	const struct prof_mark *begin; /* of the experiment */
	const struct prof_mark *end;   /* the last mark that ends the stretch */
};

/*
 * Has the program of EXPERIMENT run since its last stop, as far as the marks show?  False if there
 * are no stops.
 */
bool prof_stops_ran(const struct prof_experiment *experiment);

/*
 * What EXPERIMENT has since the stop that was NUMBER stops ago.  1 is the last time that the
 * program ran: if it stands at a stop, this time began at the stop before.  0 is the last stop in
 * any case.
 */
struct prof_error *prof_stops_since(const struct prof_experiment *experiment, uint64_t number,
	struct prof_stop_span *ret) PROF_MUST_CHECK;

#endif
