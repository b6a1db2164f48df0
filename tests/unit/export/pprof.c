/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of pprof that are written, and read again. */
#include "view_trip.h"

#include "formats/pprof.pb-c.h"
#include "metric_program.h"

#include <zlib.h>

/* Everything that pprof has room for: stacks, threads, lines, objects, states and times. */
static void assert_kept(bool inlined)
{
	static const char *const metrics[] = {"samples", "cpu", "user", "system", "lock", "wall"};
	AUTO_EXPERIMENT struct prof_experiment *before = program_create();
	AUTO_EXPERIMENT struct prof_experiment *after =
		trip(before, "pprof", "samples,wall", inlined);

	for (size_t i = 0; i < PROF_COUNT(metrics); i++) {
		trip_same(before, after, "folded", metrics[i], inlined);
		before->recording.rate_asked = 0;
		/* Where a function is says its own lines, inlined or not. */
		if (inlined)
			trip_same(before, after, "speedscope", metrics[i], true);
		before->recording.rate_asked = 1;
	}
	ck_assert_uint_eq(sample_at(after, 1).state, PROF_STATE_SYSTEM);
	ck_assert_uint_eq(sample_at(after, 2).state, PROF_STATE_LOCK);
}

START_TEST(nothing_that_pprof_holds_is_lost)
{
	assert_kept(true);
	assert_kept(false);
}
END_TEST

START_TEST(addresses_and_mappings_are_kept)
{
	AUTO_EXPERIMENT struct prof_experiment *before = program_create();
	const struct prof_range ranges[] = {{0x10, 0x30, 0x1000}, {0x30, 0x50, 0x3000}};

	ck_assert_ok(prof_experiment_range(before, 1, &ranges[0]));
	ck_assert_ok(prof_experiment_range(before, 1, &ranges[1]));
	before->recording.date = 1700000000;
	before->recording.duration = 12345;
	AUTO_EXPERIMENT struct prof_experiment *after = trip(before, "pprof", "samples", true);
	ck_assert_str_eq(
		prof_strings_get(&after->strings, after->modules.items[1].path), "/bin/prog");
	ck_assert_uint_eq(after->modules.items[1].ranges.count, 2);
	ck_assert_mem_eq(after->modules.items[1].ranges.items, ranges, sizeof ranges);
	ck_assert_int_eq(after->recording.date, 1700000000);
	ck_assert_int_eq(after->recording.duration, 12345);
	for (size_t i = 0; i < after->frames.count; i++)
		ck_assert(after->frames.items[i].address >= 0x10 || i + 1 == after->frames.count);
}
END_TEST

START_TEST(samples_alike_are_one_and_fractions_are_rounded)
{
	AUTO_EXPERIMENT struct prof_experiment *before =
		experiment_of("a;b 1.25\na 3\na;b 1.5\nb 0\n", false);
	AUTO_EXPERIMENT struct prof_experiment *after = trip(before, "pprof", "samples", true);
	AUTO_TEXT struct prof_text text = {0};

	ck_assert_uint_eq(after->samples.count, 2);
	trip_print(after, "folded", "samples", true, &text);
	ck_assert_str_eq(prof_text_get(&text), "a 3\na;b 3\n");
}
END_TEST

START_TEST(names_are_kept_unless_they_are_no_text)
{
	AUTO_EXPERIMENT struct prof_experiment *before;
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	ck_assert_ok(prof_experiment_create(&before));
	add_stack(before, "a b;c|\033[2J|\xff|\xc3\xa9", '|', values);
	AUTO_EXPERIMENT struct prof_experiment *after = trip(before, "pprof", "samples", true);
	const char *const expected[] = {"\xc3\xa9", "\\xff", "\033[2J", "a b;c"};
	for (uint32_t i = 0; i < PROF_COUNT(expected); i++)
		ck_assert_str_eq(prof_experiment_function_name(after, i), expected[i]);
}
END_TEST

START_TEST(more_than_pprof_can_hold_is_told)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = PROF_VALUE_MOST};
	const struct prof_filter filter = {0};
	const struct prof_export *format;
	AUTO_TEXT struct prof_text text = {0};
	AUTO_SHEET struct prof_sheet sheet;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_stack(experiment, "a", '|', values);
	add_stack(experiment, "a", '|', values);
	ck_assert_ok(prof_export_find("pprof", &format));
	const struct prof_sheet_request request = {
		NULL, &filter, format->kind, true, format->want, format->needs, "It"};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	ck_assert_error(format->print(&sheet, &text),
		"A stack has more of the metric \"samples\" than pprof can hold: leave out the metric.");
}
END_TEST

/* What EXPERIMENT is in pprof's own words, of METRICS. */
static Pprof__Profile *unpack(struct prof_experiment *experiment, const char *metrics)
{
	static unsigned char bytes[1 << 16];
	AUTO_TEXT struct prof_text text = {0};

	trip_print(experiment, "pprof", metrics, true, &text);
	z_stream stream = {.next_in = (unsigned char *)(uintptr_t)prof_text_get(&text),
		.avail_in = (unsigned)text.length,
		.next_out = bytes,
		.avail_out = sizeof bytes};
	ck_assert_int_eq(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	Pprof__Profile *profile = pprof__profile__unpack(NULL, stream.total_out, bytes);
	inflateEnd(&stream);
	ck_assert_ptr_nonnull(profile);
	return profile;
}

static void check_period(
	struct prof_experiment *experiment, const char *metrics, const char *type, int64_t period)
{
	Pprof__Profile *profile = unpack(experiment, metrics);

	ck_assert_int_eq(profile->period, period);
	ck_assert_int_eq(!profile->period_type, !type);
	if (type)
		ck_assert_str_eq(profile->string_table[profile->period_type->type], type);
	pprof__profile__free_unpacked(profile, NULL);
}

START_TEST(period_is_that_of_the_clock_or_of_the_only_counter)
{
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_EVENT] = prof_value_of(1009)};
	const struct prof_event event = {.unit = PROF_COUNTER_EVENTS, .interval = 1009};
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	uint32_t number;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_counter(experiment, "page-faults", &event, &number));
	add_stack(experiment, "a", '|', values);
	check_period(experiment, "page-faults", "page-faults", 1009);
	experiment->recording.rate_asked = 1000;
	check_period(experiment, "page-faults", "cpu", 1000000);
	experiment->recording.rate_asked = 0;
	ck_assert_ok(prof_experiment_counter(experiment, "context-switches", &event, &number));
	check_period(experiment, "page-faults", NULL, 0);
}
END_TEST

RUN_TESTS("pprof", nothing_that_pprof_holds_is_lost, addresses_and_mappings_are_kept,
	samples_alike_are_one_and_fractions_are_rounded, names_are_kept_unless_they_are_no_text,
	more_than_pprof_can_hold_is_told, period_is_that_of_the_clock_or_of_the_only_counter)
