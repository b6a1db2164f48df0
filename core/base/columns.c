/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/columns.h"

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct range {
	uint32_t first, last;
};

/* Characters that take two columns: those of Unicode's East Asian Width W and F. */
static const struct range wide[] = {{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a},
	{0x23e9, 0x23ec}, {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x26aa, 0x26ab},
	{0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2753, 0x2755},
	{0x2795, 0x2797}, {0x2e80, 0x303e}, {0x3041, 0x4dbf}, {0x4e00, 0xa4cf}, {0xa960, 0xa97c},
	{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6f}, {0xff01, 0xff60},
	{0xffe0, 0xffe6}, {0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff}, {0x1f18e, 0x1f19a},
	{0x1f200, 0x1f320}, {0x1f32d, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb},
	{0x1f90c, 0x1faff}, {0x20000, 0x3fffd}};

/* Characters that take none: they change the one before, or nobody sees them. */
static const struct range none[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},
	{0x0610, 0x061a}, {0x064b, 0x065f}, {0x0900, 0x0902}, {0x093a, 0x093a}, {0x093c, 0x093c},
	{0x0941, 0x0948}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff},
	{0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20f0}, {0x302a, 0x302d}, {0x3099, 0x309a},
	{0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};

static bool is_in(const struct range *ranges, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	}
	return false;
}

/* The length of the escape sequence at TEXT, or 0. */
static size_t escape_length(const char *text)
{
	size_t length = 2;

	if (text[0] != '\033' || text[1] != '[')
		return 0;
	while (text[length] && (text[length] < '@' || text[length] > '~'))
		length++;
	return text[length] ? length + 1 : 0;
}

/*
 * The length of the character at TEXT, which is not empty, or of the escape sequence there; sets
 * *COLUMNS, which it takes.
 */
static size_t next(const char *text, size_t *columns)
{
	const unsigned char *bytes = (const unsigned char *)text;
	uint32_t code = bytes[0];
	size_t length = escape_length(text);

	*columns = 0;
	if (length)
		return length;
	length = code < 0xc0 ? 1 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : 4;
	code &= length > 1 ? 0x7fU >> length : 0xffU;
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80) {
			*columns = 1;
			return i;
		}
		code = code << 6 | (bytes[i] & 0x3f);
	}
	if (code >= 0x20 && !is_in(none, PROF_COUNT(none), code))
		*columns = is_in(wide, PROF_COUNT(wide), code) ? 2 : 1;
	return length;
}

size_t prof_columns_of(const char *text, size_t length)
{
	size_t sum = 0, columns;

	for (size_t at = 0; at < length;) {
		at += next(text + at, &columns);
		sum += columns;
	}
	return sum;
}

size_t prof_columns_skip(const char *text, size_t columns)
{
	size_t at = 0, taken;

	while (text[at]) {
		size_t length = next(text + at, &taken);
		if (taken > columns)
			break;
		columns -= taken;
		at += length;
	}
	return at;
}

size_t prof_columns_skip_to(const char *text, size_t columns)
{
	size_t at = 0, taken;

	while (text[at] && columns) {
		at += next(text + at, &taken);
		columns -= taken < columns ? taken : columns;
	}
	/* What belongs to the character before. */
	while (text[at]) {
		size_t length = next(text + at, &taken);
		if (taken)
			break;
		at += length;
	}
	return at;
}
