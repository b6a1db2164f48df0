/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/page_pack.h"

#include "page_support.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that do not become fewer. */
static char *noise(size_t length)
{
	char *bytes = malloc(length + 1);
	unsigned state = 1;

	for (size_t i = 0; i < length; i++) {
		state = state * 1103515245 + 12345;
		bytes[i] = (char)(state >> 16 | 1);
	}
	bytes[length] = '\0';
	return bytes;
}

START_TEST(bytes_come_back_whatever_their_number)
{
	static const size_t lengths[] = {0, 1, 2, 3, 4, 56, 57, 58, 1000, 29184, 100000, 300001};

	for (size_t i = 0; i < PROF_COUNT(lengths); i++) {
		AUTO_TEXT struct prof_text packed = {0}, plain = {0};
		char *bytes = noise(lengths[i]);
		ck_assert_ok(prof_page_pack(bytes, lengths[i], &packed));
		unpack(prof_text_get(&packed), &plain);
		ck_assert_uint_eq(plain.length, lengths[i]);
		ck_assert(!memcmp(prof_text_get(&plain), bytes, lengths[i]));
		free(bytes);
	}
}
END_TEST

START_TEST(lines_fit_and_hold_nothing_but_digits)
{
	AUTO_TEXT struct prof_text packed = {0};
	char *bytes = noise(100000);

	ck_assert_ok(prof_page_pack(bytes, 100000, &packed));
	for (const char *line = prof_text_get(&packed); *line;) {
		size_t length = strcspn(line, "\n");
		ck_assert_uint_le(length, 76);
		ck_assert_uint_gt(length, 0);
		ck_assert_uint_eq(strspn(line,
					  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					  "0123456789+/="),
			length);
		line += length + 1;
	}
	ck_assert_uint_le(packed.length, 100000 * 14 / 10);
	free(bytes);
}
END_TEST

RUN_TESTS("page_pack", bytes_come_back_whatever_their_number, lines_fit_and_hold_nothing_but_digits)
