#include "experiment/sample_row.h"

#include <assert.h>

enum {
	STATE = 0x07,
	SAME_THREAD = 0x08,
	SAME_PATH = 0x10,
	SAME_CPU = 0x20,
	HEAD = STATE | SAME_THREAD | SAME_PATH | SAME_CPU,
	MORE = 0x80, /* another byte of the number follows */
	DIGITS = 0x7f,
	DIGIT_BITS = 7,
	LAST_SHIFT = 63, /* of the tenth byte, which has but one bit */
};

_Static_assert(PROF_STATES <= STATE + 1, "states fit the head");
_Static_assert(PROF_QUANTITIES < 32, "quantities fit the mask");

static unsigned char *put(unsigned char *at, uint64_t number)
{
	for (; number > DIGITS; number >>= DIGIT_BITS)
		*at++ = (unsigned char)(number | MORE);
	*at++ = (unsigned char)number;
	return at;
}

/* Small numbers for small differences, negative ones too. */
static uint64_t fold(uint64_t difference)
{
	return difference << 1 ^ (difference >> LAST_SHIFT ? UINT64_MAX : 0);
}

static uint64_t unfold(uint64_t number)
{
	return number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
}

static unsigned char *put_value(unsigned char *at, prof_value value)
{
	assert(value > 0 && value <= PROF_VALUE_MOST);
	/* Most are small enough for a division that is fast. */
	bool small = value <= INT64_MAX;
	uint64_t units =
		small ? (uint64_t)value / PROF_VALUE_ONE : (uint64_t)(value / PROF_VALUE_ONE);
	uint64_t millionths = (uint64_t)(value - (prof_value)units * PROF_VALUE_ONE);

	at = put(at, units << 1 | (millionths != 0));
	return millionths ? put(at, millionths) : at;
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
	at = put(at, fold((uint64_t)sample->time - (uint64_t)before->time));
	if (sample->thread != before->thread)
		at = put(at, sample->thread);
	if (sample->path != before->path)
		at = put(at, sample->path);
	if (sample->cpu != before->cpu)
		at = put(at, sample->cpu);
	at = put(at, row->has);
	for (uint32_t left = row->has; left; left &= left - 1)
		at = put_value(at, row->values[__builtin_ctz(left)]);
	return (size_t)(at - bytes);
}

/* Bytes that are read; BAD, once there was too little or what can't be. */
struct input {
	const unsigned char *at, *end;
	bool bad;
};

/* A number of more than one byte, or none. */
static uint64_t take_long(struct input *input)
{
	uint64_t number = 0;

	for (unsigned shift = 0; shift <= LAST_SHIFT && input->at < input->end;
		shift += DIGIT_BITS) {
		unsigned char byte = *input->at++;
		number |= (uint64_t)(byte & DIGITS) << shift;
		if (byte & MORE)
			continue;
		input->bad |= shift == LAST_SHIFT && byte > 1;
		return number;
	}
	input->bad = true;
	return 0;
}

static inline uint64_t take(struct input *input, uint64_t most)
{
	uint64_t number =
		input->at < input->end && !(*input->at & MORE) ? *input->at++ : take_long(input);

	input->bad |= number > most;
	return number;
}

static prof_value take_value(struct input *input)
{
	uint64_t units = take(input, UINT64_MAX);
	prof_value value = (prof_value)(units >> 1) * PROF_VALUE_ONE;

	if (units & 1)
		value += (prof_value)take(input, PROF_VALUE_ONE - 1);
	input->bad |= !value;
	return value;
}

bool prof_sample_row_unpack(
	const unsigned char **at, const unsigned char *end, struct prof_sample_row *row)
{
	struct input input = {*at, end, false};
	struct prof_sample *sample = &row->sample;
	unsigned head = (unsigned)take(&input, HEAD);

	sample->state = head & STATE;
	sample->time = (int64_t)((uint64_t)sample->time + unfold(take(&input, UINT64_MAX)));
	if (!(head & SAME_THREAD))
		sample->thread = (uint32_t)take(&input, UINT32_MAX);
	if (!(head & SAME_PATH))
		sample->path = (uint32_t)take(&input, UINT32_MAX);
	if (!(head & SAME_CPU))
		sample->cpu = (uint16_t)take(&input, UINT16_MAX);
	for (uint32_t left = row->has; left; left &= left - 1)
		row->values[__builtin_ctz(left)] = 0;
	row->has = (uint32_t)take(&input, (1U << PROF_QUANTITIES) - 1);
	/* Too large a mask would lead behind the values. */
	if (input.bad)
		row->has = 0;
	for (uint32_t left = row->has; left; left &= left - 1)
		row->values[__builtin_ctz(left)] = take_value(&input);
	*at = input.at;
	return !input.bad && sample->state < PROF_STATES && sample->time >= -PROF_TIME_MOST &&
		sample->time <= PROF_TIME_MOST;
}
