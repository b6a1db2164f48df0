/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gmon_support.h"
#include "experiment_support.h"
#include "formats/gmon.h"
#include "formats/import.h"
#include "gmon_bytes.h"

#define AUTO_COUNTS PROF_AUTO(prof_gmon_deinit)

static const unsigned bins[] = {0, 7, 65535, 1};

/* A file with each kind of record. */
static void put_all(struct gmon_bytes *file, unsigned word, bool big_endian)
{
	put_header(file, word, big_endian);
	put_histogram(file, 0x1000, 0x1010, 4, bins);
	put_arc(file, 0x1004, 0x1008, 12);
	put(file, 1, 2);
	put(file, 4, 2);
	for (unsigned i = 0; i < 4; i++)
		put(file, word, 0x1000 + i);
	put_arc(file, 0x100c, 0x1000, 0xffffffff);
}

static struct prof_error *parse(const struct gmon_bytes *file, struct prof_gmon *ret)
{
	/* Memory of its own: who reads behind its end is found out. */
	char *bytes = malloc(file->length ? file->length : 1);
	memcpy(bytes, file->bytes, file->length);
	struct prof_error *error = prof_gmon_parse(bytes, file->length, "x", ret);
	free(bytes);
	return error;
}

static void assert_refused(const struct gmon_bytes *file, const char *part)
{
	struct prof_gmon gmon = {0};

	assert_error(parse(file, &gmon), PROF_ERROR_DAMAGED, part);
	ck_assert_uint_eq(gmon.word, 0);
}

START_TEST(every_word_size_and_byte_order_is_found_out)
{
	for (int i = 0; i < 4; i++) {
		unsigned word = i & 1 ? 4 : 8;
		struct gmon_bytes file;
		AUTO_COUNTS struct prof_gmon gmon = {0};
		put_all(&file, word, i & 2);
		ck_assert(prof_gmon_probe(file.bytes, file.length));
		ck_assert_ok(parse(&file, &gmon));
		ck_assert_uint_eq(gmon.word, word);
		ck_assert_int_eq(gmon.big_endian, (i & 2) != 0);
		ck_assert_uint_eq(gmon.rate, 100);
		ck_assert_str_eq(gmon.dimension, "seconds");
		ck_assert_str_eq(gmon.unit, "s");
		ck_assert_uint_eq(gmon.histograms.count, 1);
		ck_assert_uint_eq(gmon.histograms.items[0].low, 0x1000);
		ck_assert_uint_eq(gmon.histograms.items[0].high, 0x1010);
		ck_assert_uint_eq(gmon.histograms.items[0].parts, 4);
		for (uint32_t j = 0; j < 4; j++)
			ck_assert_uint_eq(ticks_in(&gmon, 0, j), bins[j]);
		ck_assert_uint_eq(gmon.arcs.count, 2);
		ck_assert_uint_eq(gmon.arcs.items[0].from, 0x1004);
		ck_assert_uint_eq(gmon.arcs.items[1].to, 0x1000);
		ck_assert_uint_eq(gmon.arcs.items[1].calls, 0xffffffff);
		ck_assert_double_eq(prof_gmon_scale(&gmon), 2);
	}
}
END_TEST

START_TEST(calls_alone_tell_the_word_size_too)
{
	for (unsigned word = 4; word <= 8; word += 4) {
		struct gmon_bytes file;
		AUTO_COUNTS struct prof_gmon gmon = {0};
		put_header(&file, word, false);
		for (unsigned i = 0; i < 50; i++)
			put_arc(&file, 0x401000 + i, 0x402000 + i, i);
		ck_assert_ok(parse(&file, &gmon));
		ck_assert_uint_eq(gmon.word, word);
		ck_assert_uint_eq(gmon.arcs.count, 50);
	}
}
END_TEST

START_TEST(histograms_of_the_same_addresses_are_added_up)
{
	struct gmon_bytes file;
	AUTO_COUNTS struct prof_gmon gmon = {0};

	put_header(&file, 8, false);
	put_histogram(&file, 0x1000, 0x1010, 4, bins);
	put_histogram(&file, 0x2000, 0x2010, 4, bins);
	put_histogram(&file, 0x1000, 0x1010, 4, bins);
	ck_assert_ok(parse(&file, &gmon));
	ck_assert_uint_eq(gmon.histograms.count, 2);
	ck_assert_uint_eq(ticks_in(&gmon, 0, 2), 131070);
	ck_assert_uint_eq(ticks_in(&gmon, 1, 2), 65535);
}
END_TEST

START_TEST(histograms_that_do_not_fit_are_refused)
{
	struct gmon_bytes file;

	put_header(&file, 8, false);
	put_histogram(&file, 0x1000, 0x1010, 4, bins);
	size_t length = file.length;
	put_histogram(&file, 0x1008, 0x1018, 4, bins);
	assert_refused(&file, "the record at byte 69 overlaps another histogram");
	file.length = length;
	put_histogram(&file, 0x1000, 0x1010, 2, bins);
	assert_refused(&file, "has other parts");
	file.length = length;
	put_histogram(&file, 0x2000, 0x2010, 2, bins);
	assert_refused(&file, "of another size");
	file.length = length;
	put_histogram(&file, 0x2000, 0x2010, 4, bins);
	memcpy(file.bytes + length + 25, "minutes", 7);
	assert_refused(&file, "counts something else");
}
END_TEST

START_TEST(records_without_sense_are_refused)
{
	struct gmon_bytes file;

	put_header(&file, 8, false);
	put_histogram(&file, 0x1010, 0x1010, 4, bins);
	assert_refused(&file, "the record at byte 20 has an empty range of addresses");
	put_header(&file, 8, false);
	put_histogram(&file, 0x1000, 0x1010, 0, bins);
	assert_refused(&file, "an empty range of addresses");
	put_header(&file, 8, false);
	put(&file, 1, 3);
	assert_refused(&file, "the record at byte 20 is of an unknown kind");
	put_header(&file, 8, false);
	put(&file, 1, 2);
	put(&file, 4, 0xffffffff);
	assert_refused(&file, "is cut off");
	put_header(&file, 8, false);
	put_histogram(&file, 0x1000, 0x1010, 4, bins);
	put_text(&file, 8, "trailing");
	assert_refused(&file, "at byte 69");
}
END_TEST

START_TEST(every_truncated_file_is_refused_or_shorter)
{
	struct gmon_bytes file;

	put_all(&file, 8, true);
	for (size_t length = file.length; length-- > 0;) {
		AUTO_COUNTS struct prof_gmon gmon = {0};
		file.length = length;
		AUTO_ERROR struct prof_error *error = parse(&file, &gmon);
		ck_assert(!error == (gmon.word != 0));
		if (!error)
			ck_assert_uint_lt(gmon.arcs.count, 2);
	}
}
END_TEST

START_TEST(no_byte_can_do_harm)
{
	struct gmon_bytes file;

	put_all(&file, 4, false);
	for (size_t i = 0; i < file.length; i++) {
		char byte = file.bytes[i];
		for (int bit = 0; bit < 8; bit++) {
			AUTO_COUNTS struct prof_gmon gmon = {0};
			file.bytes[i] = (char)(byte ^ 1 << bit);
			AUTO_ERROR struct prof_error *error = parse(&file, &gmon);
			ck_assert(!error == (gmon.word != 0));
		}
		file.bytes[i] = byte;
	}
}
END_TEST

START_TEST(other_files_are_none)
{
	struct gmon_bytes file;
	struct prof_gmon gmon = {0};

	ck_assert(!prof_gmon_probe("gmon", 4));
	ck_assert(!prof_gmon_probe("gmon;is;text;in;a;file 5\n", 25));
	put_header(&file, 8, false);
	file.bytes[4] = 2;
	assert_error(parse(&file, &gmon), PROF_ERROR_UNSUPPORTED,
		"an unknown version: gdbprof reads version 1");
	file.bytes[0] = 'G';
	assert_refused(&file, "is not a gmon.out");
}
END_TEST

START_TEST(the_content_tells_what_a_file_is)
{
	struct prof_experiment *experiment;
	struct gmon_bytes file;
	bool program = true;

	enter_scratch();
	put_all(&file, 8, false);
	write_text("x", file.bytes, file.length);
	ck_assert_ok(prof_import_read("x", NULL, &experiment));
	prof_experiment_check(experiment);
	ck_assert_uint_eq(experiment->gmon.arcs.count, 2);
	ck_assert_str_eq(experiment->recording.source, "x");
	prof_experiment_destroy(experiment);
	ck_assert_ok(prof_import_is_program("x", &program));
	ck_assert(!program);
	ck_assert_ok(prof_import_is_program("/proc/self/exe", &program));
	ck_assert(program);
}
END_TEST

RUN_TESTS("gmon", every_word_size_and_byte_order_is_found_out, calls_alone_tell_the_word_size_too,
	histograms_of_the_same_addresses_are_added_up, histograms_that_do_not_fit_are_refused,
	records_without_sense_are_refused, every_truncated_file_is_refused_or_shorter,
	no_byte_can_do_harm, other_files_are_none, the_content_tells_what_a_file_is)
