/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The archive: its texts, packed and not, and files that are not to be trusted. */
#include "experiment_hostile.h"
#include "same_experiment.h"
#include "model/archive.h"
#include "model/merge.h"

START_TEST(instructions_have_the_file_of_the_line_before)
{
	const char *text = "0 4 0 0 nop\n@a.c\n-8 16 -1 4294967295 ret <x>\n@\n@b\n4 1 2 3 ";
	struct prof_archived_instruction at = {0};

	ck_assert(prof_archive_next(&text, &at));
	ck_assert(!at.file_length && at.delta == 0 && at.length == 4 && !at.line);
	ck_assert(prof_archive_next(&text, &at));
	ck_assert(at.delta == -8 && at.length == 16 && at.offset == -1 && at.line == UINT32_MAX);
	ck_assert(at.file_length == 3 && !memcmp(at.file, "a.c", 3));
	ck_assert(at.text_length == 7 && !memcmp(at.text, "ret <x>", 7));
	ck_assert(prof_archive_next(&text, &at));
	ck_assert(at.file_length == 1 && !at.text_length);
	ck_assert(!prof_archive_next(&text, &at) && !*text);
}
END_TEST

START_TEST(damaged_lines_are_seen)
{
	static const char *const damaged[] = {"nop\n", "0 0 0 0 nop\n", "0 257 0 0 nop\n",
		"0 1 0 -1 nop\n", "0 1 0 4294967296 nop\n", "0 1 0", "0x1 1 0 0 nop\n",
		"99999999999999999999 1 0 0 nop\n", " 0 1 0 0 nop\n", "-\n", "0 1 0 0\n"};

	ck_assert(prof_archive_is_block("") && prof_archive_is_block("@") &&
		prof_archive_is_block("@a\n"));
	for (size_t i = 0; i < PROF_COUNT(damaged); i++)
		ck_assert_msg(!prof_archive_is_block(damaged[i]), "%s", damaged[i]);
	ck_assert(prof_archive_is_source("") && prof_archive_is_source("+a\n \n+"));
	ck_assert(!prof_archive_is_source("a\n") && !prof_archive_is_source("+a\n\n"));
}
END_TEST

START_TEST(what_is_packed_is_unpacked)
{
	AUTO_FREE char *blank = calloc(100001, 1);
	const char *texts[] = {"", "+x\n", "  the same the same the same the same the same", blank};
	bool bad;

	memset(blank, ' ', 100000);
	for (size_t i = 0; i < PROF_COUNT(texts); i++) {
		size_t length, size = strlen(texts[i]);
		AUTO_FREE char *packed = prof_archive_pack(texts[i], &length);
		AUTO_FREE char *text = prof_archive_unpack(packed, length, size, &bad);
		ck_assert(packed && text && !bad);
		ck_assert_str_eq(text, texts[i]);
		/* What would unpack to very much is not packed. */
		ck_assert_int_eq(length < size, i == 2);
		ck_assert_ptr_null(prof_archive_unpack(packed, length, size + 1, &bad));
		ck_assert(bad);
	}
	ck_assert_ptr_null(prof_archive_unpack("a\0b", 3, 3, &bad));
	ck_assert(bad);
}
END_TEST

START_TEST(texts_have_so_many_lines_at_the_most)
{
	static const char *const lines[] = {"+\n", "0 1 0 0 \n"};
	bool (*const check[])(const char *) = {prof_archive_is_source, prof_archive_is_block};

	for (size_t i = 0; i < PROF_COUNT(lines); i++) {
		size_t length = strlen(lines[i]);
		AUTO_FREE char *text = calloc(PROF_ARCHIVE_LINES_MOST + 2, length);
		for (size_t j = 0; j < PROF_ARCHIVE_LINES_MOST; j++)
			memcpy(text + j * length, lines[i], length);
		ck_assert(check[i](text));
		memcpy(text + PROF_ARCHIVE_LINES_MOST * length, lines[i], length);
		ck_assert(!check[i](text));
	}
}
END_TEST

/* An experiment with an archive, in the file "x": one frame, and one of each of all. */
static struct prof_experiment *write_archive(void)
{
	struct prof_location location = {.line = 3};
	struct prof_archived_source source = {0};
	struct prof_archived_extent extent = {.first = 3, .last = 4};
	struct prof_experiment *experiment;
	uint32_t frame;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_frame(experiment, 0, 0x1000, &frame));
	ck_assert_ok(prof_experiment_function(experiment, "f", 1, 0, &location.function));
	ck_assert_ok(prof_experiment_string(experiment, "f.c", &location.file));
	ck_assert_ok(prof_experiment_resolve(experiment, frame, &location, 1));
	extent.function = location.function;
	source.file = source.path = extent.file = location.file;
	ck_assert_ok(
		prof_archive_add_source(experiment, &source, "+one one one one one one one\n"));
	ck_assert_ok(prof_archive_add_extent(experiment, &extent));
	ck_assert_ok(prof_archive_add_block(experiment, frame, "@f.c\n0 4 0 3 nop nop nop nop\n"));
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	return experiment;
}

START_TEST(archive_is_kept_by_sums)
{
	enter_scratch();
	AUTO_EXPERIMENT struct prof_experiment *one = write_archive();
	AUTO_EXPERIMENT struct prof_experiment *other, *sum;
	ck_assert_ok(prof_store_load("x", NULL, &other));
	assert_same(one, other);
	ck_assert_ok(prof_experiment_create(&sum));
	ck_assert_ok(prof_experiment_merge(sum, one, NULL));
	ck_assert_ok(prof_experiment_merge(sum, other, NULL));
	prof_experiment_check(sum);
	ck_assert_uint_eq(sum->archived_sources.count, 1);
	ck_assert_uint_eq(sum->archived_extents.count, 1);
	ck_assert_uint_eq(sum->archived_blocks.count, 1);
	ck_assert_str_eq(prof_archive_block(sum, 0)->text, one->archived_blocks.items[0].text);
}
END_TEST

START_TEST(damaged_archives_are_refused)
{
	static const char *const changes[] = {
		"UPDATE archived_source SET file = 99",
		"UPDATE archived_source SET newer = 4",
		"UPDATE archived_source SET size = size + 1",
		"UPDATE archived_source SET size = 2000000000",
		"UPDATE archived_source SET size = -1",
		"UPDATE archived_source SET text = x'2b610a', size = 4",
		"UPDATE archived_source SET text = x'610a', size = 2",
		"UPDATE archived_source SET text = x'2b000a', size = 3",
		"INSERT INTO archived_source SELECT 1, file, path, newer, size, text"
		" FROM archived_source",
		"UPDATE archived_extent SET first_line = 0",
		"UPDATE archived_extent SET first_line = 5",
		"INSERT INTO archived_extent SELECT 1, function, file, 1, 2 FROM archived_extent",
		"UPDATE archived_block SET frame = 1",
		"UPDATE archived_block SET text = x'30203420300a', size = 6",
		"INSERT INTO archived_block SELECT 1, frame, size, text FROM archived_block",
		"DELETE FROM location",
	};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		prof_experiment_destroy(write_archive());
		tamper("x", changes[i]);
		assert_refused("x", PROF_ERROR_DAMAGED, "\"x\" is damaged");
	}
	/* As it is, without packing, it is fine. */
	prof_experiment_destroy(write_archive());
	tamper("x", "UPDATE archived_source SET text = x'2b610a', size = 3");
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
}
END_TEST

RUN_TESTS("archive", instructions_have_the_file_of_the_line_before, damaged_lines_are_seen,
	what_is_packed_is_unpacked, texts_have_so_many_lines_at_the_most, archive_is_kept_by_sums,
	damaged_archives_are_refused)
