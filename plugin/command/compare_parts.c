/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/compare_parts.h"

#include "plugin/option/option.h"

struct prof_error *compare_parts_read(const struct option_values *values,
	const struct prof_filter *filter, struct compare_parts *ret)
{
	struct prof_filter own[PROF_COMPARISON_SIDES] = {{{0}}};
	struct prof_error *error = NULL;

	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		ret->filters[i] = *filter;
	for (int i = 0; i < PROF_CONDITIONS; i++) {
		const struct prof_option_pair *pair =
			prof_option_values_pair(&values->given, prof_condition_names[i]);
		if (!pair)
			continue;
		ret->any = true;
		own[0].values[i] = ret->filters[0].values[i] = pair->first;
		own[1].values[i] = ret->filters[1].values[i] = pair->last;
	}
	for (int i = 0; !error && i < PROF_COMPARISON_SIDES; i++) {
		prof_filter_print(&own[i], &ret->names[i]);
		error = prof_text_error(&ret->names[i]);
	}
	return error;
}

void compare_parts_deinit(struct compare_parts *parts)
{
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		prof_text_deinit(&parts->names[i]);
}

struct prof_error *compare_parts_missing(const char *command)
{
	return prof_error_create(PROF_ERROR_USAGE,
		"%s needs two files, or a filter that is given twice, as in --interval=2 --interval=5.",
		command);
}
