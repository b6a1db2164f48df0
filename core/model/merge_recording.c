/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adds up how two experiments were recorded. */
#include "model/merge.h"

#include "base/text.h"
#include "model/experiment.h"
#include "model/recording_fields.h"
#include "model/sample_row.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Is PART an item of LIST, "one, other"? */
static bool has_part(const char *list, const char *part)
{
	size_t length = strlen(part);

	for (const char *at = list; (at = strstr(at, part)); at++) {
		bool begins = at == list || at[-1] == ' ';
		if (begins && (!at[length] || at[length] == ','))
			return true;
	}
	return false;
}

/* Makes *TO a list of the items of both, "one, other". */
static struct prof_error *join(char **to, const char *from)
{
	AUTO_TEXT struct prof_text text = {0};

	if (!*from || has_part(*to, from))
		return NULL;
	prof_text_print(&text, "%s%s%s", *to, **to ? ", " : "", from);
	struct prof_error *error = prof_text_error(&text);
	if (error)
		return error;
	free(*to);
	*to = text.bytes;
	text = (struct prof_text){0};
	return NULL;
}

/* A + B, at most MOST. */
static uint64_t add(uint64_t a, uint64_t b, uint64_t most)
{
	return a > most - b ? most : a + b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return b && (!a || b < a) ? b : a;
}

/* The mean of two rates, weighted by the times that they were in force; 0 does not count. */
static double mean(double a, double b, double time, double other_time)
{
	double whole = time + other_time;

	if (!a || !b || a == b)
		return a ? a : b;
	if (whole <= 0)
		return (a + b) / 2;
	return a * (time / whole) + b * (other_time / whole);
}

/* A time or a number of the sum, none of which is above MOST. */
static uint64_t merge_number(enum prof_field_sum sum, uint64_t to, uint64_t from, uint64_t most)
{
	switch (sum) {
	case PROF_SUM_TOTAL:
		return add(to, from, most);
	case PROF_SUM_EXPERIMENTS:
		return add(larger(to, 1), larger(from, 1), most);
	case PROF_SUM_LARGEST:
		return larger(to, from);
	case PROF_SUM_EARLIEST:
		return earlier(to, from);
	case PROF_SUM_KNOWN:
		return to ? to : from;
	case PROF_SUM_FIRST:
		return to;
	case PROF_SUM_BITS:
		return to | from;
	case PROF_SUM_LIST:
	case PROF_SUM_MEAN:
		break;
	}
	assert(!"a rule for numbers");
	return to;
}

/* Merges FIELD; TIME is the duration of TO before the merge. */
static struct prof_error *merge_field(const struct prof_recording_field *field,
	struct prof_recording *to, const struct prof_recording *from, int64_t time)
{
	void *at = prof_recording_at(to, field);
	const void *other = prof_recording_get(from, field);

	switch (field->type) {
	case PROF_FIELD_TEXT:
		return join(at, *(char *const *)other);
	case PROF_FIELD_TIME:
		*(int64_t *)at = (int64_t)merge_number(field->sum, (uint64_t) * (int64_t *)at,
			(uint64_t) * (const int64_t *)other, PROF_TIME_MOST);
		return NULL;
	case PROF_FIELD_NUMBER:
		*(uint64_t *)at = merge_number(
			field->sum, *(uint64_t *)at, *(const uint64_t *)other, UINT64_MAX);
		return NULL;
	case PROF_FIELD_RATE:
		*(double *)at = mean(*(double *)at, *(const double *)other, (double)time,
			(double)from->duration);
		return NULL;
	}
	assert(!"an enum prof_field_type");
	return NULL;
}

struct prof_error *prof_merge_recording(
	struct prof_recording *to, const struct prof_recording *from)
{
	int64_t time = to->duration;
	struct prof_error *error = NULL;

	for (size_t i = 0; i < prof_recording_field_count && !error; i++)
		error = merge_field(&prof_recording_fields[i], to, from, time);
	return error;
}

uint64_t prof_merge_count(const struct prof_recording *recording)
{
	return larger(recording->experiments, 1);
}

struct prof_error *prof_merge_check(
	const struct prof_recording *to, const struct prof_recording *from)
{
	if (!*to->clock || !*from->clock || !strcmp(to->clock, from->clock))
		return NULL;
	return prof_error_create(PROF_ERROR_MISMATCH,
		"Experiments of the clocks \"%s\" and \"%s\" cannot be added up, because their samples do not count the same.",
		to->clock, from->clock);
}
