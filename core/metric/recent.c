/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/recent.h"

#include "base/number_range.h"
#include "base/strings.h"
#include "base/time_unit.h"
#include "metric/filter.h"
#include "metric/stops.h"
#include "metric/times.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/samples.h"

#include <string.h>
#include <time.h>

/* The last known time of EXPERIMENT, ns since its start. */
static int64_t end_of(const struct prof_experiment *experiment)
{
	int64_t end = experiment->samples.last;

	for (size_t i = 0; i < experiment->marks.count; i++) {
		int64_t time = experiment->marks.items[i].time;
		end = time > end ? time : end;
	}
	return end;
}

/* Reads two digits at *TEXT, a number below LIMIT, and advances behind them. */
static bool read_digits(const char **text, int limit, int *ret)
{
	const char *at = *text;

	if (strspn(at, "0123456789") < 2)
		return false;
	*ret = (at[0] - '0') * 10 + at[1] - '0';
	*text = at + 2;
	return *ret < limit;
}

/* Reads the time of day TEXT, "14:30" or "14:30:05", into the fields of DAY. */
static bool read_clock(const char *text, struct tm *day)
{
	bool good = read_digits(&text, 24, &day->tm_hour) && *text++ == ':' &&
		read_digits(&text, 60, &day->tm_min);

	day->tm_sec = 0;
	if (good && *text == ':') {
		text++;
		good = read_digits(&text, 60, &day->tm_sec);
	}
	return good && !*text;
}

/* The last time in EXPERIMENT with the local time of day TEXT; it may be before the start. */
static struct prof_error *find_clock(
	const struct prof_experiment *experiment, const char *text, int64_t *ret)
{
	int64_t date = experiment->recording.date;
	time_t end = (time_t)(date + end_of(experiment) / PROF_NS_PER_SECOND);
	struct tm day;

	if (!date)
		return prof_error_create(PROF_ERROR_MISSING,
			"The experiment has no date: give --since a time since its start, as in --since=90s.");
	bool read = localtime_r(&end, &day) && read_clock(text, &day);
	day.tm_isdst = -1;
	time_t time = read ? mktime(&day) : -1;
	if (time > end) {
		day.tm_mday--;
		day.tm_isdst = -1;
		time = mktime(&day);
	}
	if (time == -1)
		return prof_error_create(PROF_ERROR_USAGE,
			"A time of day is written as in 14:30 or 14:30:05; \"%s\" is not.", text);
	*ret = (time - date) * PROF_NS_PER_SECOND;
	return NULL;
}

static struct prof_error *read_length(const char *text, int64_t *ret)
{
	if (prof_times_read_one(text, ret))
		return NULL;
	return prof_error_create(
		PROF_ERROR_USAGE, "A time is written as in 90s, 10m or 2h; \"%s\" is not.", text);
}

/* Reads TEXT, "stop" or "stop:NUMBER". */
static bool read_stop(const char *text, uint64_t *ret)
{
	static const char word[] = "stop";
	struct prof_number_range range;

	if (strncmp(text, word, strlen(word)) != 0)
		return false;
	text += strlen(word);
	if (!*text) {
		*ret = 1;
		return true;
	}
	const char *at = text + 1;
	if (*text != ':' || !prof_number_range_read(&at, &range) || at || range.first != range.last)
		return false;
	*ret = range.first;
	return true;
}

/* The last mark of EXPERIMENT that has the label TEXT, or NULL. */
static const struct prof_mark *find_label(
	const struct prof_experiment *experiment, const char *text)
{
	const struct prof_mark *found = NULL;

	for (size_t i = 0; i < experiment->marks.count; i++) {
		const struct prof_mark *mark = &experiment->marks.items[i];
		if (!strcmp(prof_strings_get(&experiment->strings, mark->label), text) &&
			(!found || mark->time >= found->time))
			found = mark;
	}
	return found;
}

/* A sample at the time of a mark belongs to what is before the mark. */
static int64_t behind(const struct prof_mark *mark)
{
	return mark->time + 1;
}

static struct prof_error *find_since(
	const struct prof_experiment *experiment, const char *text, int64_t *ret)
{
	struct prof_stop_span stretch;
	uint64_t number;

	if (prof_times_read_one(text, ret))
		return NULL;
	if (read_stop(text, &number)) {
		struct prof_error *error = prof_stops_since(experiment, number, &stretch);
		if (!error)
			*ret = behind(stretch.begin);
		return error;
	}
	const struct prof_mark *mark = find_label(experiment, text);
	if (mark) {
		*ret = behind(mark);
		return NULL;
	}
	if (*text && strchr("0123456789:", *text) && strchr(text, ':'))
		return find_clock(experiment, text, ret);
	return prof_error_create(PROF_ERROR_MISSING,
		"No mark is labelled \"%s\": give a label, a time such as 90s, or a stop such as stop:2; see prof-intervals.",
		text);
}

struct prof_error *prof_recent_begin(
	const struct prof_experiment *experiment, const struct prof_filter *filter, int64_t *ret)
{
	const char *last = filter->values[PROF_CONDITION_LAST];
	const char *since = filter->values[PROF_CONDITION_SINCE];
	int64_t begin = INT64_MIN, length;
	struct prof_error *error = NULL;

	if (since)
		error = find_since(experiment, since, &begin);
	if (!error && last)
		error = read_length(last, &length);
	if (error)
		return error;
	if (last && end_of(experiment) - length > begin)
		begin = end_of(experiment) - length;
	*ret = begin;
	return NULL;
}
