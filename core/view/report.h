/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The report: an experiment as a page for web browsers. */
#ifndef PROF_VIEW_REPORT_H
#define PROF_VIEW_REPORT_H

#include "base/option.h"
#include "view/view.h"

/* What prof-report has users choose. */
struct prof_report_choice {
	bool sources; /* the page has the text of source files */
};

/* The options of prof-report, which fill struct prof_report_choice. */
extern const struct prof_options prof_report_options;

/*
 * Prints EXPERIMENT into TEXT as a page, as CHOICE has it, whose `own' is a struct
 * prof_report_choice.  Source files that cannot be read are left out.
 */
struct prof_error *prof_report_print(const struct prof_experiment *experiment,
	const struct prof_choice *choice, const struct prof_progress *progress,
	struct prof_text *text) PROF_MUST_CHECK;

#endif
