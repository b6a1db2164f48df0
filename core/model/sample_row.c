/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/sample_row.h"

#include "base/varint.h"

#include <assert.h>

enum {
	STATE = 0x07,
	SAME_THREAD = 0x08,
	SAME_PATH = 0x10,
	SAME_CPU = 0x20,
	HEAD = STATE | SAME_THREAD | SAME_PATH | SAME_CPU,
};

_Static_assert(PROF_STATES <= STATE + 1, "states fit the head");
_Static_assert(PROF_QUANTITIES < 64, "quantities fit the mask");

static unsigned char *put_value(unsigned char *at, prof_value value)
{
	assert(value > 0 && value <= PROF_VALUE_MOST);
	/* Most numbers are small, and 64-bit division is faster. */
	bool small = value <= INT64_MAX;
	uint64_t units =
		small ? (uint64_t)value / PROF_VALUE_ONE : (uint64_t)(value / PROF_VALUE_ONE);
	uint64_t millionths = (uint64_t)(value - (prof_value)units * PROF_VALUE_ONE);

	at = prof_varint_put(at, units << 1 | (millionths != 0));
	return millionths ? prof_varint_put(at, millionths) : at;
}

size_t prof_sample_row_pack(const struct prof_sample_row *row, const struct prof_sample *before,
	unsigned char bytes[PROF_SAMPLE_ROW_MOST])
{
	const struct prof_sample *sample = &row->sample;
	unsigned char *at = bytes;

	*at++ = (unsigned char)(sample->state |
		(sample->thread == before->thread ? SAME_THREAD : 0) |
		(sample->path == before->path ? SAME_PATH : 0) |
		(sample->cpu == before->cpu ? SAME_CPU : 0));
	at = prof_varint_put(at, prof_varint_fold((uint64_t)sample->time - (uint64_t)before->time));
	if (sample->thread != before->thread)
		at = prof_varint_put(at, sample->thread);
	if (sample->path != before->path)
		at = prof_varint_put(at, sample->path);
	if (sample->cpu != before->cpu)
		at = prof_varint_put(at, sample->cpu);
	at = prof_varint_put(at, row->has);
	for (prof_quantities left = row->has; left; left &= left - 1)
		at = put_value(at, row->values[__builtin_ctzll(left)]);
	return (size_t)(at - bytes);
}

static prof_value take_value(struct prof_varint_input *input)
{
	uint64_t units = prof_varint_take(input, UINT64_MAX);
	prof_value value = (prof_value)(units >> 1) * PROF_VALUE_ONE;

	if (units & 1)
		value += (prof_value)prof_varint_take(input, PROF_VALUE_ONE - 1);
	input->bad |= !value;
	return value;
}

bool prof_sample_row_unpack(
	const unsigned char **at, const unsigned char *end, struct prof_sample_row *row)
{
	struct prof_varint_input input = {*at, end, false};
	struct prof_sample *sample = &row->sample;
	unsigned head = (unsigned)prof_varint_take(&input, HEAD);

	sample->state = head & STATE;
	sample->time = (int64_t)((uint64_t)sample->time +
		prof_varint_unfold(prof_varint_take(&input, UINT64_MAX)));
	if (!(head & SAME_THREAD))
		sample->thread = (uint32_t)prof_varint_take(&input, UINT32_MAX);
	if (!(head & SAME_PATH))
		sample->path = (uint32_t)prof_varint_take(&input, UINT32_MAX);
	if (!(head & SAME_CPU))
		sample->cpu = (uint16_t)prof_varint_take(&input, UINT16_MAX);
	for (prof_quantities left = row->has; left; left &= left - 1)
		row->values[__builtin_ctzll(left)] = 0;
	row->has = prof_varint_take(&input, PROF_QUANTITY_BIT(PROF_QUANTITIES) - 1);
	/* A mask that is too large would lead beyond the values. */
	if (input.bad)
		row->has = 0;
	for (prof_quantities left = row->has; left; left &= left - 1)
		row->values[__builtin_ctzll(left)] = take_value(&input);
	*at = input.at;
	return !input.bad && sample->state < PROF_STATES && sample->time >= -PROF_TIME_MOST &&
		sample->time <= PROF_TIME_MOST;
}
