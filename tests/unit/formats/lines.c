/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/lines.h"

#include "experiment_support.h"
#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>

/* Lines are longer and shorter than what is read at once. */
static const size_t lengths[] = {
	1, 70000, 262143, 1, 262144, 262145, 524287, 3, 1000000, 1, 40, 262142, 1};

struct taking {
	struct prof_lines lines;
	size_t count;
};

static struct prof_error *take(void *context)
{
	struct taking *taking = context;
	const struct prof_part *line = &taking->lines.line;
	char letter = (char)('a' + taking->count);

	ck_assert_uint_lt(taking->count, PROF_COUNT(lengths));
	ck_assert_uint_eq(line->length, lengths[taking->count]);
	/* Each line stands behind an empty one. */
	ck_assert_uint_eq(taking->lines.number, 2 * taking->count + 2);
	for (size_t i = 0; i < line->length; i++)
		ck_assert_int_eq(line->text[i], letter);
	taking->count++;
	return NULL;
}

/* Reads the file "x" of the lines, the last one with an END. */
static void read_all(const char *end)
{
	struct taking taking = {.count = 0};
	FILE *file = fopen("x", "w");

	for (size_t i = 0; i < PROF_COUNT(lengths); i++) {
		fputc('\n', file);
		for (size_t j = 0; j < lengths[i]; j++)
			fputc((int)('a' + i), file);
		fputs(i + 1 < PROF_COUNT(lengths) ? "\n" : end, file);
	}
	fclose(file);
	ck_assert_ok(prof_lines_open(&taking.lines, "x"));
	ck_assert_ok(prof_lines_read(&taking.lines, NULL, take, &taking));
	ck_assert_uint_eq(taking.count, PROF_COUNT(lengths));
	prof_lines_close(&taking.lines);
}

START_TEST(lines_of_all_lengths_are_whole)
{
	enter_scratch();
	read_all("\n");
	read_all("");
	read_all(" \t\r\n\n#");
}
END_TEST

RUN_TESTS("lines", lines_of_all_lengths_are_whole)
