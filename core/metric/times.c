/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/times.h"

#include "base/time_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Reads a time at *TEXT, and advances behind it; OTHERWISE if there is none.  False: it is not a
 * time.
 */
static bool read_time(const char **text, int64_t otherwise, int64_t *ret)
{
	char *end;
	double number;

	*ret = otherwise;
	if (!strchr("0123456789.", **text) || !**text)
		return true;
	/* No sign, no hexadecimal, no exponent. */
	size_t digits = strspn(*text, "0123456789.");
	number = strtod(*text, &end);
	if (end != *text + digits)
		return false;
	size_t length = strspn(end, "smuh");
	const char *unit = length ? end : "s";
	int64_t ns = prof_time_unit_find(unit, length ? length : 1, PROF_TIME_US, PROF_TIME_H);
	end += length;
	number *= (double)ns;
	if (end == *text || !ns || !(number >= 0 && number < (double)(INT64_MAX / 2)))
		return false;
	*ret = (int64_t)llround(number);
	*text = end;
	return true;
}

bool prof_times_read_one(const char *text, int64_t *ret)
{
	int64_t time;

	if (!*text || !read_time(&text, 0, &time) || *text)
		return false;
	*ret = time;
	return true;
}

/* Reads one range at *TEXT, and advances behind it. */
static bool read_range(const char **text, struct prof_time_range *ret)
{
	const char *begin = *text;

	if (!read_time(text, 0, &ret->begin) || **text != '-')
		return false;
	(*text)++;
	if (!read_time(text, INT64_MAX, &ret->end))
		return false;
	/* A minus alone is not a range. */
	return *text - begin > 1 && (!**text || **text == ',');
}

struct prof_error *prof_times_read(struct prof_times *times, const char *text)
{
	const char *at = text;

	do {
		struct prof_time_range *range = prof_array_push(&times->list);
		if (!range)
			return prof_error_nomem();
		at += at > text;
		if (!read_range(&at, range))
			return prof_error_create(PROF_ERROR_USAGE,
				"Times are written as in 1.5s-3s or 800ms-,7s-8s; \"%s\" is not.",
				text);
		if (range->begin >= range->end)
			return prof_error_create(PROF_ERROR_USAGE,
				"A range in \"%s\" holds no time: give the earlier end first.",
				text);
	} while (*at);
	return NULL;
}

void prof_times_deinit(struct prof_times *times)
{
	free(times->list.items);
	*times = (struct prof_times){0};
}

bool prof_times_meet(const struct prof_times *times, int64_t first, int64_t last)
{
	for (size_t i = 0; i < times->list.count; i++) {
		if (last >= times->list.items[i].begin && first < times->list.items[i].end)
			return true;
	}
	return false;
}

bool prof_times_have(const struct prof_times *times, int64_t time)
{
	return prof_times_meet(times, time, time);
}
