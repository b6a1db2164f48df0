/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/filter.h"

#include "base/number_range.h"

#define NAME_OF(id, name, value, describe) [PROF_CONDITION_##id] = name,
const char *const prof_condition_names[PROF_CONDITIONS] = {PROF_CONDITION_TABLE(NAME_OF)};

bool prof_filter_is_set(const struct prof_filter *filter)
{
	for (int i = 0; i < PROF_CONDITIONS; i++) {
		if (filter->values[i])
			return true;
	}
	return false;
}

bool prof_filter_has_rank(const struct prof_filter *filter, int64_t rank)
{
	const char *list = filter->values[PROF_CONDITION_RANK];
	struct prof_number_range range;
	bool found = !list;

	while (!found && list && prof_number_range_read(&list, &range))
		found = prof_number_range_has(&range, (uint64_t)rank);
	return found;
}

void prof_filter_print(const struct prof_filter *filter, struct prof_text *text)
{
	const char *space = "";

	for (int i = 0; i < PROF_CONDITIONS; i++) {
		if (!filter->values[i])
			continue;
		prof_text_print(text, "%s--%s=", space, prof_condition_names[i]);
		prof_text_name(text, filter->values[i]);
		space = " ";
	}
}
