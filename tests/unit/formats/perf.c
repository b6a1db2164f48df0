/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/perf.h"

#include "base/text.h"
#include "import_support.h"

#define SAMPLES                                                        \
	"# a header\n"                                                 \
	"my prog 3 1234/1235 [002] 100.500000: 250000 cpu-clock:u: \n" \
	"\t    55d0c8a4f1a9 unit+0x19 (inlined)\n"                     \
	"\t    55d0c8a4f1a9 work(int) (.part.0)+0x19 (/bin/a b)\n"     \
	"\t    55d0c8a4f0a9 [unknown] (/lib/c.so (deleted))\n"         \
	"\tffffffffffffffff [unknown] ([unknown])\n"                   \
	"\n"                                                           \
	"  prog  1236   100.250000:   7 cycles: \n"                    \
	"\t 10 main+0xf (/bin/a b)\n"                                  \
	"\n"                                                           \
	"prog 1236 101.25: cycles:u:  20 leaf (/bin/a b)\n"            \
	"prog 1236 101.25: cycles:u:\n"

/* The function, as OBJECT:NAME, LEVEL steps out from the leaf of SAMPLE; "": there is none. */
static const char *frame_at(
	const struct prof_experiment *experiment, size_t sample, int level, char buffer[256])
{
	uint32_t path = sample_at(experiment, sample).path;

	*buffer = '\0';
	while (path && level-- > 0)
		path = experiment->paths.items[path].parent;
	if (!path)
		return buffer;
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[path].frame];
	const struct prof_function *function =
		&experiment->functions
			 .items[experiment->locations.items[frame->first_location].function];
	snprintf(buffer, 256, "%s:%s",
		prof_strings_get(
			&experiment->strings, experiment->modules.items[function->module].path),
		prof_strings_get(&experiment->strings, function->name));
	return buffer;
}

START_TEST(stacks_have_objects_and_inlined_functions_those_of_their_callers)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(SAMPLES);
	char name[256];

	ck_assert_uint_eq(experiment->samples.count, 4);
	ck_assert_str_eq(frame_at(experiment, 0, 0, name), "/bin/a b:unit");
	ck_assert_str_eq(frame_at(experiment, 0, 1, name), "/bin/a b:work(int) (.part.0)");
	ck_assert_str_eq(frame_at(experiment, 0, 2, name), "/lib/c.so (deleted):<Unknown>");
	ck_assert_str_eq(frame_at(experiment, 0, 3, name), "<Unknown>:<Unknown>");
	ck_assert_str_eq(frame_at(experiment, 0, 4, name), "");
	ck_assert_str_eq(frame_at(experiment, 1, 0, name), "/bin/a b:main");
	ck_assert_str_eq(frame_at(experiment, 2, 0, name), "/bin/a b:leaf");
	ck_assert_str_eq(frame_at(experiment, 2, 1, name), "");
	ck_assert_str_eq(frame_at(experiment, 3, 0, name), "");
}
END_TEST

/* A line that was read before stands for the same, but for what its own sample decides. */
START_TEST(lines_that_come_again_have_the_caller_and_the_state_of_their_sample)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		import_text("p 1 1.0: cycles:\n\t10 unit (inlined)\n\t10 f (/bin/a)\n\n"
			    "p 1 1.1: cycles:\n\t10 unit (inlined)\n\t20 g (/bin/b)\n\n"
			    "p 1 1.2: cycles:\n\tffffffff80000010 h ([k])\n\t10 f (/bin/a)\n\n"
			    "p 1 1.3: cycles:\n\t10 f (/bin/a)\n\tffffffff80000010 h ([k])\n\n"
			    "p 1 1.4: cycles:\n\t10 unit (inlined)\n\t10 f (/bin/a)\n\n");
	static const char *const leaves[] = {
		"/bin/a:unit", "/bin/b:unit", "[k]:h", "/bin/a:f", "/bin/a:unit"};
	char name[256];

	ck_assert_uint_eq(experiment->samples.count, PROF_COUNT(leaves));
	for (size_t i = 0; i < PROF_COUNT(leaves); i++) {
		ck_assert_str_eq(frame_at(experiment, i, 0, name), leaves[i]);
		ck_assert_int_eq(sample_at(experiment, i).state,
			i == 2 ? PROF_STATE_SYSTEM : PROF_STATE_USER);
	}
	ck_assert_uint_eq(sample_at(experiment, 0).path, sample_at(experiment, 4).path);
	ck_assert_uint_eq(experiment->frames.count, 5);
}
END_TEST

START_TEST(samples_have_threads_times_and_periods)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(SAMPLES);
	const enum prof_quantity spent = PROF_QUANTITY_SPENT + PROF_STATE_USER;

	ck_assert_uint_eq(experiment->threads.count, 2);
	ck_assert_int_eq(prof_experiment_thread_row(experiment, 0).id, 1235);
	ck_assert_str_eq(prof_strings_get(&experiment->strings,
				 prof_experiment_thread_row(experiment, 0).name),
		"my prog 3");
	ck_assert_int_eq(sample_at(experiment, 0).time, 250000000);
	ck_assert_int_eq(sample_at(experiment, 1).time, 0);
	ck_assert_int_eq(sample_at(experiment, 2).time, 1000000000);
	ck_assert_int_eq(experiment->recording.duration, 1000000000);
	ck_assert_uint_eq(sample_at(experiment, 0).cpu, 3);
	ck_assert_uint_eq(sample_at(experiment, 1).cpu, 0);
	ck_assert(value_at(experiment, spent, 0) == prof_value_of(250000));
	ck_assert(value_at(experiment, spent, 1) == 0);
}
END_TEST

/* Cycles and jiffies add up to nothing. */
START_TEST(events_have_a_metric_each)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(SAMPLES);
	const char *const names[] = {"cpu-clock:u", "cycles", "cycles:u"};
	const size_t event_of[] = {0, 1, 2, 2};

	ck_assert_uint_eq(experiment->events.count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_str_eq(
			prof_strings_get(&experiment->strings, experiment->events.items[i].name),
			names[i]);
	for (size_t i = 0; i < 4; i++) {
		ck_assert(value_at(experiment, PROF_QUANTITY_SAMPLES, i) == prof_value_of(i == 0));
		for (size_t j = 0; j < PROF_EVENTS; j++)
			ck_assert(
				value_at(experiment, (enum prof_quantity)(PROF_QUANTITY_EVENT + j),
					i) == prof_value_of(event_of[i] == j));
	}
}
END_TEST

START_TEST(samples_of_one_event_are_just_samples)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(
		"a 1 1.5: 7 cycles:\n 5f main (/a)\n\na 1 1.5: 9 cycles:\n 5f main (/a)\n");

	ck_assert_uint_eq(experiment->events.count, 0);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(value_at(experiment, PROF_QUANTITY_SAMPLES, i) == prof_value_of(1));
		ck_assert(!value_at(experiment, PROF_QUANTITY_EVENT, i));
	}
}
END_TEST

START_TEST(events_that_are_too_many_are_one)
{
	AUTO_TEXT struct prof_text text = {0};

	for (int i = 0; i < 12; i++)
		prof_text_print(&text, "a 1 1.5: event%d:\n 5f main (/a)\n\n", i);
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(prof_text_get(&text));
	ck_assert_uint_eq(experiment->events.count, PROF_EVENTS);
	ck_assert_str_eq(prof_strings_get(&experiment->strings,
				 experiment->events.items[PROF_EVENTS - 1].name),
		PROF_OTHER_EVENTS);
	for (size_t i = 0; i < 12; i++)
		ck_assert(value_at(experiment,
				  (enum prof_quantity)(PROF_QUANTITY_EVENT + PROF_EVENTS - 1),
				  i) == prof_value_of(i >= PROF_EVENTS - 1));
}
END_TEST

START_TEST(leaf_in_the_kernel_is_system_time)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(
		"a 1 1.5: 7 cpu-clock:\n ffffffff81000010 sys+0x10 ([kernel.kallsyms])\n"
		" 5f main (/a)\n\na 1 1.5: 9 task-clock:u:\n 5f main (/a)\n");
	const int spent = PROF_QUANTITY_SPENT;

	ck_assert_int_eq(sample_at(experiment, 0).state, PROF_STATE_SYSTEM);
	ck_assert(value_at(experiment, (enum prof_quantity)(spent + PROF_STATE_SYSTEM), 0) ==
		prof_value_of(7));
	ck_assert_int_eq(sample_at(experiment, 1).state, PROF_STATE_USER);
	ck_assert(value_at(experiment, (enum prof_quantity)(spent + PROF_STATE_USER), 1) ==
		prof_value_of(9));
}
END_TEST

static void assert_refused(const char *text, const char *part)
{
	struct prof_experiment *experiment = NULL;

	write_text("x", text, strlen(text));
	assert_error(prof_perf_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, part);
	ck_assert_ptr_null(experiment);
}

START_TEST(wrong_lines_are_named)
{
	enter_scratch();
	assert_refused("", "\"x\" has no samples");
	assert_refused("a 1 1.5: 1 cycles:\n 5f ma", "line 2 is not a frame");
	assert_refused("a 1 1.5: 1 cycles:\n xyz main (/a)\n", "line 2 is not a frame");
	assert_refused("a 1 1.5: 1 cycles:\n 5f main)\n", "line 2 is not a frame");
	assert_refused("a 1 1.5: 1 cycles:\n 5f (/a)\n", "line 2 is not a frame");
	assert_refused("a 1 1.5: 1 cycles:\n 5f\n", "line 2 is not a frame");
	assert_refused("a 1 1.5: 1 cycles:\n\n 5f main (/a)\n", "line 3 is not a sample's first");
	assert_refused("a 1 1.5: 1 cycles:\n\na 1 1.5", "line 3 is not a sample's first");
	assert_refused("a 1 99999999999.5: 1 cycles:\n", "line 1 is not a sample's first");
	assert_refused("a 99999999999 1.5: 1 cycles:\n", "line 1 is not a sample's first");
	assert_refused("a 1 1.5: 99999999999999999999 cycles\n", "line 1 is not a sample's first");
}
END_TEST

/* What ends anywhere is read as far as it goes, or refused with the line. */
START_TEST(file_may_be_cut_anywhere)
{
	enter_scratch();
	for (size_t length = 0; length < strlen(SAMPLES); length++) {
		struct prof_experiment *experiment = NULL;
		write_text("x", SAMPLES, length);
		struct prof_error *error = prof_perf_read("x", NULL, &experiment);
		if (error)
			ck_assert_int_eq(prof_error_code(error), PROF_ERROR_DAMAGED);
		else
			prof_experiment_check(experiment);
		prof_error_destroy(error);
		prof_experiment_destroy(experiment);
	}
}
END_TEST

static bool probe(const char *text)
{
	return prof_perf_probe(text, strlen(text));
}

START_TEST(probe_knows_a_sample_by_its_first_line)
{
	ck_assert(probe(SAMPLES));
	ck_assert(probe("\n  prog 12 [000] 1.5: 1 cycles:u:\n"));
	ck_assert(!probe("main;prog 12\n"));
	ck_assert(!probe("call prog 12 1.5\n"));
	ck_assert(!probe(""));
	ck_assert(!prof_perf_probe("a\0b 1 1.5: 1 cycles:\n", 21));
}
END_TEST

RUN_TESTS("perf", stacks_have_objects_and_inlined_functions_those_of_their_callers,
	lines_that_come_again_have_the_caller_and_the_state_of_their_sample,
	samples_have_threads_times_and_periods, events_have_a_metric_each,
	samples_of_one_event_are_just_samples, events_that_are_too_many_are_one,
	leaf_in_the_kernel_is_system_time, wrong_lines_are_named, file_may_be_cut_anywhere,
	probe_knows_a_sample_by_its_first_line)
