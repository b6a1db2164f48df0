/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/single_calls.h"

#include "model/experiment.h"
#include "model/sample_row.h"

#include <assert.h>

/* The columns of the rows. */
enum { SAMPLE, DURATION, END };

/* A number in the file has the end in its lowest bits. */
enum { END_BITS = 2, END_MASK = (1 << END_BITS) - 1 };

_Static_assert(PROF_CALL_ENDS <= END_MASK + 1, "ends fit their bits");

const char *const prof_call_end_names[PROF_CALL_ENDS] = {
	[PROF_CALL_END_RETURNED] = "returned",
	[PROF_CALL_END_LEFT] = "left",
	[PROF_CALL_END_OPEN] = "open",
};

bool prof_single_call_is_valid(const struct prof_single_call *call)
{
	return call->duration >= 0 && call->duration <= PROF_TIME_MOST &&
		call->end < PROF_CALL_ENDS;
}

struct prof_error *prof_single_call_add(
	struct prof_experiment *experiment, const struct prof_single_call *call)
{
	struct prof_packed_rows *calls = &experiment->calls;
	const int64_t values[PROF_PACKED_COLUMNS] = {
		[SAMPLE] = call->sample, [DURATION] = call->duration, [END] = call->end};

	assert(prof_single_call_is_valid(call) && call->sample < experiment->samples.count);
	assert(!calls->count ||
		call->sample > prof_packed_rows_get(calls, calls->count - 1, SAMPLE));
	return prof_packed_rows_add(calls, values) ? NULL : prof_error_nomem();
}

struct prof_single_call prof_single_calls_get(const struct prof_packed_rows *calls, size_t number)
{
	return (struct prof_single_call){
		.sample = (uint32_t)prof_packed_rows_get(calls, number, SAMPLE),
		.duration = prof_packed_rows_get(calls, number, DURATION),
		.end = (uint8_t)prof_packed_rows_get(calls, number, END),
	};
}

struct prof_error *prof_single_calls_merge(
	struct prof_experiment *into, const struct prof_experiment *from, size_t samples)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < from->calls.count && !error; i++) {
		struct prof_single_call call = prof_single_calls_get(&from->calls, i);
		call.sample += (uint32_t)samples;
		error = prof_single_call_add(into, &call);
	}
	return error;
}

size_t prof_single_calls_pack(const struct prof_packed_rows *calls, size_t number,
	unsigned char bytes[PROF_SINGLE_CALLS_ROOM], size_t *count)
{
	size_t first = number * PROF_SINGLE_CALLS_BLOCK;
	size_t left = first < calls->count ? calls->count - first : 0;
	unsigned char *at = bytes;
	uint32_t expected = 0;

	*count = left < PROF_SINGLE_CALLS_BLOCK ? left : PROF_SINGLE_CALLS_BLOCK;
	for (size_t i = 0; i < *count; i++) {
		const struct prof_single_call call = prof_single_calls_get(calls, first + i);
		at = prof_varint_put(at, call.sample - expected);
		at = prof_varint_put(at, (uint64_t)call.duration << END_BITS | call.end);
		expected = call.sample + 1;
	}
	return (size_t)(at - bytes);
}

bool prof_single_calls_take(struct prof_varint_input *input, struct prof_single_call *call)
{
	uint32_t expected = call->sample + 1;
	uint64_t sample = expected + prof_varint_take(input, UINT32_MAX);
	uint64_t rest = prof_varint_take(input, UINT64_MAX);

	*call = (struct prof_single_call){
		.sample = (uint32_t)sample,
		.end = (uint8_t)(rest & END_MASK),
		.duration = (int64_t)(rest >> END_BITS),
	};
	return !input->bad && sample < UINT32_MAX && prof_single_call_is_valid(call);
}
