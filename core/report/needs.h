/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a view needs, compared with what an experiment has. */
#ifndef PROF_REPORT_NEEDS_H
#define PROF_REPORT_NEEDS_H

#include "base/error.h"

struct prof_experiment;

/*
 * An error unless EXPERIMENT has one of NEEDS, bits of enum prof_has; 0 needs nothing.  WHO, the
 * subject of the sentence, needs them: "prof-tree".
 */
struct prof_error *prof_needs_check(
	const struct prof_experiment *experiment, unsigned needs, const char *who) PROF_MUST_CHECK;

#endif
