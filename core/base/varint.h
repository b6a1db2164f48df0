/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers in as few bytes as they need: seven bits in each, the lowest first. */
#ifndef PROF_BASE_VARINT_H
#define PROF_BASE_VARINT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PROF_VARINT_MORE = 0x80, /* another byte of the number follows */
	PROF_VARINT_DIGITS = 0x7f,
	PROF_VARINT_BITS = 7,
	PROF_VARINT_LAST = 63, /* the shift of the tenth byte, which has but one bit */
	PROF_VARINT_MOST = 10, /* bytes */
};

/* Puts NUMBER to AT, and returns where it ends. */
static inline unsigned char *prof_varint_put(unsigned char *at, uint64_t number)
{
	for (; number > PROF_VARINT_DIGITS; number >>= PROF_VARINT_BITS)
		*at++ = (unsigned char)(number | PROF_VARINT_MORE);
	*at++ = (unsigned char)number;
	return at;
}

/* A small number for a small DIFFERENCE, a negative one too; and that difference again. */
static inline uint64_t prof_varint_fold(uint64_t difference)
{
	return difference << 1 ^ (difference >> PROF_VARINT_LAST ? UINT64_MAX : 0);
}

static inline uint64_t prof_varint_unfold(uint64_t number)
{
	return number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
}

/* Bytes to read from.  BAD: they have ended too early, or a number is not valid. */
struct prof_varint_input {
	const unsigned char *at, *end;
	bool bad;
};

/* Takes a number that is MOST at the most. */
static inline uint64_t prof_varint_take(struct prof_varint_input *input, uint64_t most)
{
	uint64_t number = 0;

	for (unsigned shift = 0; shift <= PROF_VARINT_LAST && input->at < input->end;
		shift += PROF_VARINT_BITS) {
		unsigned char byte = *input->at++;
		number |= (uint64_t)(byte & PROF_VARINT_DIGITS) << shift;
		if (byte & PROF_VARINT_MORE)
			continue;
		input->bad |= (shift == PROF_VARINT_LAST && byte > 1) || number > most;
		return number;
	}
	input->bad = true;
	return 0;
}

#endif
