/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/recording_fields.h"

#include "base/error.h"
#include "model/experiment.h"
#include "model/sample_row.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(field, version) FIELD(field, TEXT, LIST, version)
#define TIME(field, sum, version) FIELD(field, TIME, sum, version)
#define NUMBER(field, sum, version) FIELD(field, NUMBER, sum, version)
#define RATE(field, version) FIELD(field, RATE, MEAN, version)
#define FIELD(field, type, sum, version)                                                           \
	{                                                                                          \
#field, PROF_FIELD_##type, offsetof(struct prof_recording, field), PROF_SUM_##sum, \
			version                                                                    \
	}

/* Files have the fields in this order: add new ones at the end. */
const struct prof_recording_field prof_recording_fields[] = {
	TEXT(program, 3),
	TEXT(source, 3),
	TEXT(engine, 3),
	TEXT(unwinder, 3),
	TEXT(clock, 3),
	TIME(date, EARLIEST, 3),
	TIME(start, FIRST, 3),
	TIME(duration, TOTAL, 3),
	RATE(rate_asked, 3),
	RATE(rate_lowest, 3),
	NUMBER(ticks, TOTAL, 3),
	NUMBER(ticks_lost, TOTAL, 3),
	NUMBER(rounds, TOTAL, 3),
	TIME(stopped, TOTAL, 3),
	TIME(running, TOTAL, 3),
	TIME(blocked, TOTAL, 3),
	TIME(looking, TOTAL, 3),
	NUMBER(stride, LARGEST, 3),
	NUMBER(experiments, EXPERIMENTS, 3),
	NUMBER(extra_ends, TOTAL, 4),
	NUMBER(open_calls, TOTAL, 4),
	TIME(counting, TOTAL, 5),
	NUMBER(families, BITS, 6),
	NUMBER(events, TOTAL, 6),
	NUMBER(events_lost, TOTAL, 6),
	NUMBER(event_bytes, TOTAL, 6),
	TIME(threshold, LARGEST, 6),
	TIME(uncontended, KNOWN, 6),
	NUMBER(unread, TOTAL, 7),
	TIME(delayed, TOTAL, 7),
	TIME(kept, TOTAL, 7),
	TIME(bursts, TOTAL, 11),
	NUMBER(events_dropped, TOTAL, 14),
	NUMBER(operations_lost, TOTAL, 16),
	TIME(clock_correction, LARGEST, 17),
};
const size_t prof_recording_field_count = PROF_COUNT(prof_recording_fields);

bool prof_recording_has(
	const struct prof_recording *recording, const struct prof_recording_field *field)
{
	const void *at = prof_recording_get(recording, field);

	switch (field->type) {
	case PROF_FIELD_TEXT:
		return **(char *const *)at;
	case PROF_FIELD_TIME:
		return *(const int64_t *)at != 0;
	case PROF_FIELD_NUMBER:
		return *(const uint64_t *)at != 0;
	case PROF_FIELD_RATE:
		return *(const double *)at != 0;
	}
	assert(!"an enum prof_field_type");
	return false;
}

bool prof_recording_init(struct prof_recording *recording)
{
	bool done = true;

	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		if (field->type != PROF_FIELD_TEXT)
			continue;
		char *empty = strdup("");
		*(char **)prof_recording_at(recording, field) = empty;
		done = done && empty;
	}
	return done;
}

void prof_recording_deinit(struct prof_recording *recording)
{
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		if (prof_recording_fields[i].type == PROF_FIELD_TEXT)
			free(*(char **)prof_recording_at(recording, &prof_recording_fields[i]));
	}
}

static bool is_time(int64_t time)
{
	return time >= 0 && time <= PROF_TIME_MOST;
}

static bool is_rate(double rate)
{
	return isfinite(rate) && rate >= 0;
}

void prof_recording_check(const struct prof_recording *recording)
{
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		const void *at = prof_recording_get(recording, field);
		assert(field->type != PROF_FIELD_TEXT || *(char *const *)at);
		assert(field->type != PROF_FIELD_TIME || is_time(*(const int64_t *)at));
		assert(field->type != PROF_FIELD_RATE || is_rate(*(const double *)at));
	}
}
