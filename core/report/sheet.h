/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A sheet: what a view is printed from. */
#ifndef PROF_REPORT_SHEET_H
#define PROF_REPORT_SHEET_H

#include "metric/items.h"
#include "report/shown.h"

struct prof_experiment;
struct prof_filter;
struct prof_profile;
struct prof_selection;

/* The name of the whole program in lists of functions. */
#define PROF_SHEET_TOTAL "<Total>"

/* Which profiles a view wants. */
enum prof_want {
	PROF_WANT_ONE,     /* one, of the only metric that it can show */
	PROF_WANT_ALL,     /* one of each metric */
	PROF_WANT_NOTHING, /* none: it has other sources */
};

struct prof_sheet {
	const struct prof_experiment *experiment; /* borrowed */
	struct prof_selection *selection; /* the samples that the filter lets pass; NULL: all */
	struct prof_shown_list shown;     /* at least one */
	/* The samples, if these were taken and are so few that shares are rough; else 0. */
	uint32_t few;
	const struct prof_progress *progress;
	struct prof_items items; /* of all profiles, with names */
	/* By what is shown, as far as they are wanted. */
	struct prof_profile *profiles[PROF_COUNT(((struct prof_shown_list *)NULL)->items)];
};

/* What a sheet is made of. */
struct prof_sheet_request {
	const char *metrics; /* see prof_shown_read(); all is borrowed for the call */
	const struct prof_filter *filter;
	enum prof_kind kind;
	bool inlined; /* inlined functions are functions of their own */
	enum prof_want want;
	unsigned needs;  /* bits of enum prof_has: it needs one of these */
	const char *who; /* needs them: see prof_needs_check(); NULL where NEEDS is 0 */
};

/*
 * A sheet of EXPERIMENT, which is borrowed.  Where that has nothing of what REQUEST needs, it is an
 * error; of a gmon.out a sheet has no profiles.
 */
struct prof_error *prof_sheet_init(struct prof_sheet *sheet,
	const struct prof_experiment *experiment, const struct prof_sheet_request *request,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what SHEET holds; all zeroes is fine. */
void prof_sheet_deinit(struct prof_sheet *sheet);
#define AUTO_SHEET PROF_AUTO(prof_sheet_deinit)

#endif
