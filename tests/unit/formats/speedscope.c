/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/speedscope.h"

#include "import_support.h"
#include "same_experiment.h"

#define FRAMES                                                                                  \
	"\"shared\":{\"frames\":[{\"name\":\"main\",\"file\":\"main.c\",\"line\":3,\"col\":1}," \
	"{\"name\":\"work\"},{\"name\":\"work\",\"file\":\"w.c\",\"line\":7}]}"

#define FILE_OF(profiles)                                                             \
	"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"," FRAMES \
	",\"profiles\":[" profiles "],\"activeProfileIndex\":0}"

#define SAMPLED(unit, samples, weights)                                         \
	"{\"type\":\"sampled\",\"name\":\"worker (12)\",\"unit\":\"" unit "\"," \
	"\"startValue\":1,\"endValue\":9,\"samples\":[" samples "],\"weights\":[" weights "]}"

#define EVENTED(unit, events)                                            \
	"{\"type\":\"evented\",\"name\":\"rest\",\"unit\":\"" unit "\"," \
	"\"startValue\":0,\"endValue\":20,\"events\":[" events "]}"

#define OPEN(frame, at) "{\"type\":\"O\",\"frame\":" #frame ",\"at\":" #at "}"
#define CLOSE(frame, at) "{\"type\":\"C\",\"frame\":" #frame ",\"at\":" #at "}"

static void assert_damaged(const char *text, const char *part)
{
	struct prof_experiment *experiment;

	write_text("x", text, strlen(text));
	assert_error(prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, part);
}

/* The stack of SAMPLE, the root first: "main:main.c:3 work". */
static const char *stack_of(
	const struct prof_experiment *experiment, size_t sample, char buffer[256])
{
	uint32_t path = sample_at(experiment, sample).path;
	char rest[256] = "";

	*buffer = '\0';
	for (; path; path = experiment->paths.items[path].parent) {
		const struct prof_frame *frame =
			&experiment->frames.items[experiment->paths.items[path].frame];
		const struct prof_location *location =
			&experiment->locations.items[frame->first_location];
		strcpy(rest, buffer);
		int length = snprintf(buffer, 256, "%s:%s:%u%s%s",
			prof_experiment_function_name(experiment, location->function),
			prof_strings_get(&experiment->strings, location->file), location->line,
			*rest ? " " : "", rest);
		ck_assert_int_lt(length, 256);
	}
	return buffer;
}

static void assert_sample(const struct prof_experiment *experiment, size_t sample,
	const char *stack, int64_t millionths, int64_t user, int64_t time)
{
	char buffer[256];

	ck_assert_str_eq(stack_of(experiment, sample, buffer), stack);
	ck_assert_int_eq((int64_t)value_at(experiment, PROF_QUANTITY_SAMPLES, sample), millionths);
	ck_assert(value_at(experiment, PROF_QUANTITY_SPENT + PROF_STATE_USER, sample) ==
		prof_value_of(user));
	ck_assert_int_eq(sample_at(experiment, sample).time, time);
}

START_TEST(sampled_stacks_have_weights_and_lines)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		import_text(FILE_OF(SAMPLED("none", "[0,1],[0,2],[]", "2,0.25,1")));

	ck_assert_uint_eq(experiment->samples.count, 3);
	assert_sample(experiment, 0, "main:main.c:3 work::0", 2000000, 0, 0);
	assert_sample(experiment, 1, "main:main.c:3 work:w.c:7", 250000, 0, 0);
	assert_sample(experiment, 2, "", 1000000, 0, 0);
	ck_assert_uint_eq(experiment->functions.count, 2);
	ck_assert_int_eq(prof_experiment_thread_row(experiment, 0).id, 12);
	ck_assert_str_eq(prof_strings_get(&experiment->strings,
				 prof_experiment_thread_row(experiment, 0).name),
		"worker");
}
END_TEST

START_TEST(weights_that_are_times_are_times_too)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		import_text(FILE_OF(SAMPLED("milliseconds", "[0],[0,1]", "0.000002,2.5")));

	assert_sample(experiment, 0, "main:main.c:3", 2, 2, 0);
	assert_sample(experiment, 1, "main:main.c:3 work::0", 2500000, 2500000, 2);
	ck_assert_int_eq(experiment->recording.duration, 2500002);
}
END_TEST

START_TEST(events_are_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(FILE_OF(EVENTED("none",
		OPEN(0, 1) "," OPEN(1, 3) "," CLOSE(1, 3.5) "," OPEN(2, 4) "," CLOSE(
			2, 6) "," CLOSE(0, 10) "," CLOSE(0, 11) "," OPEN(1, 12))));

	ck_assert_uint_eq(experiment->samples.count, 4);
	assert_sample(experiment, 0, "main:main.c:3", 6500000, 0, 0);
	assert_sample(experiment, 1, "main:main.c:3 work::0", 500000, 0, 0);
	assert_sample(experiment, 2, "main:main.c:3 work:w.c:7", 2000000, 0, 0);
	assert_sample(experiment, 3, "work::0", 8000000, 0, 0);
	ck_assert_uint_eq(experiment->recording.open_calls, 1);
	ck_assert_uint_eq(experiment->recording.extra_ends, 1);
	ck_assert_int_eq(prof_experiment_thread_row(experiment, 0).id, 1);
	expect_calls(experiment, "");
}
END_TEST

START_TEST(events_in_time_are_single_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(FILE_OF(EVENTED(
		"microseconds", OPEN(0, 5) "," OPEN(1, 7) "," CLOSE(1, 9) "," OPEN(1, 10))));

	expect_calls(experiment, "0 15000 open\n1 2000 returned\n2 10000 open\n");
}
END_TEST

START_TEST(events_in_time_take_time)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(FILE_OF(EVENTED(
		"microseconds", OPEN(0, 5) "," OPEN(1, 7) "," CLOSE(1, 9) "," CLOSE(0, 10))));

	assert_sample(experiment, 0, "main:main.c:3", 3000000, 3000, 0);
	assert_sample(experiment, 1, "main:main.c:3 work::0", 2000000, 2000, 2000);
	ck_assert_int_eq(experiment->recording.duration, 15000);
}
END_TEST

START_TEST(damage_is_told_with_its_place)
{
	enter_scratch();
	assert_damaged(
		"{\"$schema\":1,\n\"x\"", "\"x\" is damaged: line 2 is not JSON at column 3");
	assert_damaged("{\"a\":{}}", "\"x\" is not a profile of speedscope: it has no frames");
	assert_damaged("{" FRAMES "}", "it has no profiles");
	assert_damaged("{\"shared\":{\"frames\":[{\"name\":7}]}}", "frame 0 has no name");
	assert_damaged(FILE_OF(""), "\"x\" has no samples");
	assert_damaged(FILE_OF("{\"type\":\"sampled\"}"), "profile 1 has no unit");
	assert_damaged(FILE_OF("{\"type\":\"x\",\"unit\":\"none\"}"), "profile 1 has no type");
	assert_damaged(FILE_OF(SAMPLED("none", "[0]", "1,2")), "profile 1 has not as many weights");
	assert_damaged(FILE_OF(SAMPLED("none", "[0],[3]", "1,2")),
		"profile 1, sample 2 has no frame of the 3");
	assert_damaged(FILE_OF(SAMPLED("none", "[0],7", "1,2")), "sample 2 is not a stack");
	assert_damaged(FILE_OF(SAMPLED("none", "[0]", "-1")), "the negative number -1");
	assert_damaged(FILE_OF(SAMPLED("none", "[0]", "\"1\"")), "something else where a number");
	assert_damaged(FILE_OF(SAMPLED("seconds", "[0]", "1e30")), "a number that is too large");
	assert_damaged(FILE_OF(SAMPLED("seconds", "[0],[0],[0]", "4e9,4e9,4e9")),
		"sample 2 is at a time that is too large");
	assert_damaged(FILE_OF(EVENTED("none", OPEN(0, 2) "," OPEN(0, 1))),
		"profile 1, event 2 is at less than the one before");
	assert_damaged(FILE_OF(EVENTED("none", OPEN(0, 2) "," CLOSE(1, 3))),
		"event 2 closes another frame than opened last");
	assert_damaged(FILE_OF(EVENTED("none", "{\"type\":\"X\"}")), "event 1 has no type");
	assert_damaged(FILE_OF(EVENTED("none", "{\"type\":\"O\",\"frame\":1}")),
		"event 1 does not say at what");
}
END_TEST

START_TEST(deep_nesting_breaks_nothing)
{
	enum { DEPTH = 1000000 };
	struct prof_experiment *experiment;
	AUTO_FREE char *text = malloc(DEPTH);

	enter_scratch();
	memset(text, '[', DEPTH);
	memcpy(text, "{\"a\":", 5);
	write_text("x", text, DEPTH);
	assert_error(prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, "is not JSON");
}
END_TEST

START_TEST(folded_stacks_with_braces_are_none)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text("{closure};f 3\n");

	ck_assert_uint_eq(experiment->samples.count, 1);
}
END_TEST

RUN_TESTS("speedscope", sampled_stacks_have_weights_and_lines, weights_that_are_times_are_times_too,
	events_are_calls, events_in_time_take_time, events_in_time_are_single_calls,
	damage_is_told_with_its_place, deep_nesting_breaks_nothing,
	folded_stacks_with_braces_are_none)
