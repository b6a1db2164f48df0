/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/value.h"

#include <inttypes.h>
#include <stdio.h>

enum { DIGITS = 18 }; /* before the point */

__extension__ typedef unsigned __int128 unsigned_value;

double prof_value_double(prof_value value)
{
	/*
	 * Convert whole units and the rest separately: the quotient of two rounded doubles would be
	 * less exact.
	 */
	return (double)(value / PROF_VALUE_ONE) + (double)(value % PROF_VALUE_ONE) / PROF_VALUE_ONE;
}

double prof_value_percent(prof_value part, prof_value whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/*
 * PART * NUMERATOR / DENOMINATOR, rounded, where the product does not fit into 128 bits: long
 * multiplication, one bit of PART at a time, which keeps quotient and remainder apart.  NUMERATOR
 * is smaller than DENOMINATOR, and neither is negative.
 */
static prof_value scale_large(prof_value part, prof_value numerator, prof_value denominator)
{
	unsigned_value most = part < 0 ? -(unsigned_value)part : (unsigned_value)part;
	unsigned_value below = (unsigned_value)denominator;
	unsigned_value quotient = 0, rest = 0;

	for (int i = 127; i >= 0; i--) {
		quotient *= 2;
		rest *= 2;
		for (int step = 0; step < 2; step++) {
			if (rest >= below) {
				rest -= below;
				quotient++;
			}
			if (!step && most >> i & 1)
				rest += (unsigned_value)numerator;
		}
	}
	quotient += rest >= below - rest;
	return part < 0 ? -(prof_value)quotient : (prof_value)quotient;
}

prof_value prof_value_scale(prof_value part, prof_value numerator, prof_value denominator)
{
	/* Whole multiples first, so that a remainder smaller than DENOMINATOR is left to multiply.
	 */
	prof_value whole = numerator / denominator * part;
	prof_value rest = numerator % denominator;
	prof_value product;

	if (!__builtin_mul_overflow(part, rest, &product)) {
		prof_value half = product < 0 ? -denominator / 2 : denominator / 2;
		return whole + (product + half) / denominator;
	}
	prof_value large = scale_large(part, rest < 0 ? -rest : rest, denominator);
	return whole + (rest < 0 ? -large : large);
}

const char *prof_value_print(prof_value value, int64_t units, char *buffer)
{
	char digits[PROF_VALUE_TEXT];
	char *at = buffer;
	prof_value one = (prof_value)units * PROF_VALUE_ONE;
	prof_value magnitude = value < 0 ? -value : value;
	prof_value whole = magnitude / one;
	prof_value rest = magnitude % one;
	int count = 0;

	if (value < 0)
		*at++ = '-';
	do
		digits[count++] = (char)('0' + (int)(whole % 10));
	while ((whole /= 10) != 0);
	while (count > 0)
		*at++ = digits[--count];
	if (rest) {
		*at++ = '.';
		/* ONE is a power of ten, so this ends when the last digit is out. */
		while (rest) {
			rest *= 10;
			*at++ = (char)('0' + (int)(rest / one));
			rest %= one;
		}
	}
	*at = '\0';
	return buffer;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool prof_value_parse(const char *text, size_t length, prof_value *ret)
{
	prof_value value = 0;
	size_t at = 0;
	size_t digits = 0;

	for (; at < length && is_digit(text[at]); at++, digits++) {
		if (digits == DIGITS)
			return false;
		value = value * 10 + (text[at] - '0');
	}
	value *= PROF_VALUE_ONE;
	if (at < length && text[at] == '.') {
		prof_value place = PROF_VALUE_ONE / 10;
		bool rounded = false;
		for (at++; at < length && is_digit(text[at]); at++, digits++) {
			if (!place && !rounded)
				value += text[at] >= '5';
			rounded = !place;
			value += place * (text[at] - '0');
			place /= 10;
		}
	}
	if (at != length || !digits)
		return false;
	*ret = value;
	return true;
}
