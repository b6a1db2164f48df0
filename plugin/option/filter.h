/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filter of views: options that all of them have, and the setting `prof filter`. */
#ifndef PROF_PLUGIN_OPTION_FILTER_H
#define PROF_PLUGIN_OPTION_FILTER_H

#include "metric/filter.h"
#include "parallel/user_stacks.h"
#include "plugin/option/option.h"

/* The filter in force: the options that were given, and the setting for all others. */
struct filter {
	struct prof_filter filter;

	/* Private part: hold the texts. */
	struct option_values setting, given;
};

/* The filter of the options in VALUES, which must outlive it. */
struct prof_error *filter_read(
	const struct option_values *values, struct filter *ret) PROF_MUST_CHECK;

/*
 * The filter of TEXT, options as they would stand behind a view's name, which may have --stacks:
 * *STACKS are those that it asks for.
 */
struct prof_error *filter_parse(
	const char *text, struct filter *ret, enum prof_stacks *stacks) PROF_MUST_CHECK;

/*
 * ERROR, which it takes, with the setting's filter behind it, if there is one: an error has no
 * heading that shows the filter.  NULL is fine.
 */
struct prof_error *filter_explain(struct prof_error *error) PROF_MUST_CHECK;

/* Frees what FILTER holds; all zeroes is fine. */
void filter_deinit(struct filter *filter);

/* Can TEXT, options as they would stand behind a view's name, be the setting's value? */
struct prof_error *filter_check(const char *text) PROF_MUST_CHECK;

#endif
