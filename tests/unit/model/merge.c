/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One experiment added to another. */
#include "model/merge.h"

#include "experiment_support.h"
#include "random_experiment.h"
#include "metric_program.h"

#include <math.h>

enum { SECOND = PROGRAM_SECOND };

/* Adds FROM to INTO, and destroys it. */
static void merge(struct prof_experiment *into, struct prof_experiment *from)
{
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	prof_experiment_destroy(from);
	prof_experiment_check(into);
}

static struct prof_experiment *create(void)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	return experiment;
}

START_TEST(knows_what_is_the_same)
{
	struct prof_experiment *sum = program_create();
	size_t functions = sum->functions.count, frames = sum->frames.count;
	size_t paths = sum->paths.count, locations = sum->locations.count;
	size_t modules = sum->modules.count;

	merge(sum, program_create());
	ck_assert_uint_eq(sum->modules.count, modules);
	ck_assert_uint_eq(sum->functions.count, functions);
	ck_assert_uint_eq(sum->frames.count, frames);
	ck_assert_uint_eq(sum->locations.count, locations);
	ck_assert_uint_eq(sum->paths.count, paths);
	/* The threads are others, though their ids are the same. */
	ck_assert_uint_eq(sum->threads.count, 4);
	ck_assert_uint_eq(sum->samples.count, 8);
	for (size_t i = 0; i < 4; i++) {
		const struct prof_sample one_at = sample_at(sum, i), *one = &one_at;
		const struct prof_sample other_at = sample_at(sum, i + 4), *other = &other_at;
		ck_assert_uint_eq(one->path, other->path);
		ck_assert_uint_eq(one->state, other->state);
		ck_assert_uint_eq(one->thread + 2, other->thread);
		for (int j = 0; j < PROF_QUANTITIES; j++)
			ck_assert(value_at(sum, j, i) == value_at(sum, j, i + 4));
		/* The first ends at 4 s. */
		ck_assert_int_eq(one->time + 4 * (int64_t)SECOND, other->time);
	}
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(takes_what_is_new)
{
	struct prof_experiment *sum = create();

	merge(sum, program_create());
	struct prof_experiment *program = program_create();
	ck_assert_uint_eq(sum->functions.count, program->functions.count);
	ck_assert_uint_eq(sum->modules.count, program->modules.count);
	ck_assert_uint_eq(sum->recording.experiments, 2);
	ck_assert(sum->recording.rate_asked == 1);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(sample_at(sum, i).time, sample_at(program, i).time);
	prof_experiment_destroy(program);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(adds_up_random_experiments)
{
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct prof_experiment *sum = random_experiment(seed, 30);
		struct prof_experiment *more = random_experiment(seed + 100, 30);
		prof_value totals[PROF_QUANTITIES] = {0};
		for (size_t i = 0; i < sum->samples.count; i++)
			for (int j = 0; j < PROF_QUANTITIES; j++)
				totals[j] += value_at(sum, j, i);
		for (size_t i = 0; i < more->samples.count; i++)
			for (int j = 0; j < PROF_QUANTITIES; j++)
				totals[j] += value_at(more, j, i);
		merge(sum, more);
		for (size_t i = 0; i < sum->samples.count; i++)
			for (int j = 0; j < PROF_QUANTITIES; j++)
				totals[j] -= value_at(sum, j, i);
		for (int j = 0; j < PROF_QUANTITIES; j++)
			ck_assert(!totals[j]);
		prof_experiment_destroy(sum);
	}
}
END_TEST

/* An experiment of one sample at ADDRESS, NAME there, in /bin/prog mapped at LOW. */
static struct prof_experiment *place(
	const char *build_id, uint64_t low, uint64_t address, const char *name)
{
	struct prof_experiment *experiment = create();
	struct prof_range range = {low, low + 0x1000, 0x2000};
	uint32_t module, thread;

	ck_assert_ok(prof_experiment_module(experiment, "/bin/prog", build_id, &module));
	ck_assert_ok(prof_experiment_range(experiment, module, &range));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	uint32_t frame = program_frame(experiment, module, address, name, "a.c", 7, NULL);
	program_sample(experiment, &frame, 1, thread, PROF_STATE_USER, 1, 1, 1);
	return experiment;
}

START_TEST(finds_code_that_was_mapped_elsewhere)
{
	struct prof_experiment *sum = place("aa", 0x10000, 0x10100, "main");

	merge(sum, place("aa", 0x50000, 0x50100, "main"));
	ck_assert_uint_eq(sum->frames.count, 1);
	ck_assert_uint_eq(sum->frames.items[0].address, 0x10100);
	/* Where the one has been, the other has something else. */
	merge(sum, place("aa", 0x10000 - 0x80, 0x10100 - 0x80, "main"));
	merge(sum, place("aa", 0x10000 - 0x80, 0x10100, "other"));
	ck_assert_uint_eq(sum->frames.count, 2);
	ck_assert_uint_eq(sum->frames.items[1].address, 0x10180);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(keeps_builds_apart)
{
	struct prof_experiment *sum = place("aa", 0x10000, 0x10100, "main");

	merge(sum, place("bb", 0x10000, 0x10100, "other"));
	ck_assert_uint_eq(sum->modules.count, 3);
	ck_assert_uint_eq(sum->frames.count, 2);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(keeps_builds_apart_that_do_not_differ)
{
	struct prof_experiment *sum = place("", 0x10000, 0x10100, "main");

	merge(sum, place("", 0x10000, 0x10100, "other"));
	merge(sum, place("", 0x10000, 0x10100, "third"));
	ck_assert_uint_eq(sum->frames.count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		static const char *const names[] = {"main", "other", "third"};
		const struct prof_frame *frame = &sum->frames.items[i];
		uint32_t function = sum->locations.items[frame->first_location].function;
		ck_assert_str_eq(prof_experiment_function_name(sum, function), names[i]);
		/* The functions are of one object. */
		ck_assert_uint_eq(sum->functions.items[function].module, 1);
	}
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(resolves_what_only_one_has_resolved)
{
	struct prof_experiment *sum = place("", 0x10000, 0x10100, NULL);

	merge(sum, place("", 0x10000, 0x10100, "main"));
	ck_assert_uint_eq(sum->frames.count, 1);
	ck_assert_uint_eq(sum->frames.items[0].locations, 1);
	merge(sum, place("", 0x10000, 0x10100, NULL));
	ck_assert_uint_eq(sum->frames.count, 1);
	prof_experiment_destroy(sum);
}
END_TEST

static void add_mark(struct prof_experiment *experiment, int64_t time, const char *label,
	int64_t user, int64_t threads)
{
	struct prof_mark mark = {.time = time, .kind = PROF_MARK_ASKED};

	prof_usage_clear(&mark.usage);
	mark.usage.figures[PROF_USAGE_USER] = user;
	mark.usage.figures[PROF_USAGE_THREADS] = threads;
	ck_assert_ok(prof_experiment_mark(experiment, &mark, label));
}

START_TEST(lets_marks_follow_each_other)
{
	struct prof_experiment *sum = create(), *more = create();

	add_mark(sum, 0, "start", 0, 1);
	add_mark(sum, 50, "middle", 30, 2);
	add_mark(sum, 100, "end", PROF_USAGE_UNKNOWN, PROF_USAGE_UNKNOWN);
	add_mark(more, -5, "start", 1, 5);
	add_mark(more, 20, "end", 4, PROF_USAGE_UNKNOWN);
	merge(sum, more);
	static const struct {
		int64_t time, user, threads;
	} rows[] = {{0, 0, 1}, {50, 30, 2}, {100, -1, -1}, {100, 31, 5}, {125, 34, -1}};
	ck_assert_uint_eq(sum->marks.count, PROF_COUNT(rows));
	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		const struct prof_mark *mark = &sum->marks.items[i];
		ck_assert_int_eq(mark->time, rows[i].time);
		ck_assert_int_eq(mark->usage.figures[PROF_USAGE_USER], rows[i].user);
		ck_assert_int_eq(mark->usage.figures[PROF_USAGE_THREADS], rows[i].threads);
		ck_assert_int_eq(mark->usage.figures[PROF_USAGE_MINOR], PROF_USAGE_UNKNOWN);
	}
	ck_assert_str_eq(prof_strings_get(&sum->strings, sum->marks.items[4].label), "end");
	prof_experiment_destroy(sum);
}
END_TEST

static void add_counted(struct prof_experiment *experiment, const char *callee, uint64_t calls,
	enum prof_arc_kind kind)
{
	uint32_t function, frame;

	ck_assert_ok(prof_experiment_function(experiment, callee, strlen(callee), 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	struct prof_arc counted = {7, frame, frame, calls, (uint8_t)kind};
	ck_assert_ok(prof_experiment_arc(experiment, &counted));
}

/* What all rows of KIND of the function NAME add up to, and in *ROWS how many they are. */
static uint64_t sum_of_counted(const struct prof_experiment *experiment, const char *name,
	enum prof_arc_kind kind, int *rows)
{
	uint64_t calls = 0;

	*rows = 0;
	for (size_t i = 0; i < experiment->arcs.count; i++) {
		const struct prof_arc *counted = &experiment->arcs.items[i];
		uint32_t location = experiment->frames.items[counted->callee].first_location;
		uint32_t function = experiment->locations.items[location].function;
		if (counted->kind != kind ||
			strcmp(prof_experiment_function_name(experiment, function), name) != 0)
			continue;
		calls += counted->calls;
		++*rows;
	}
	return calls;
}

START_TEST(adds_counted_calls_up_and_tells_those_that_are_not_all)
{
	struct prof_experiment *sum = create(), *more = create();
	int rows;

	add_counted(sum, "both", 3, PROF_ARC_CALLS);
	add_counted(sum, "first", 0, PROF_ARC_BEGIN);
	add_counted(more, "second", 1, PROF_ARC_CALLS);
	add_counted(more, "both", 4, PROF_ARC_CALLS);
	sum->recording.counting = more->recording.counting = 5;
	merge(sum, more);
	ck_assert_uint_eq(sum_of_counted(sum, "both", PROF_ARC_CALLS, &rows), 7);
	ck_assert_uint_eq(sum_of_counted(sum, "second", PROF_ARC_CALLS, &rows), 1);
	sum_of_counted(sum, "both", PROF_ARC_PART, &rows);
	ck_assert_int_eq(rows, 0);
	sum_of_counted(sum, "first", PROF_ARC_PART, &rows);
	ck_assert_int_eq(rows, 1);
	sum_of_counted(sum, "second", PROF_ARC_PART, &rows);
	ck_assert_int_eq(rows, 1);
	ck_assert_int_eq(sum->recording.counting, 10);
	ck_assert_int_eq(sum->arcs.items[3].time, 14);
	prof_experiment_destroy(sum);
}
END_TEST

/* Adds COUNT calls of CALLEE, which was traced. */
static void add_traced(struct prof_experiment *experiment, const char *callee, int64_t count)
{
	struct prof_traced_row traced = {
		.object = PROF_NONE, .holder = PROF_NONE, .values = {[PROF_TRACED_CALLS] = count}};
	uint32_t function, frame, thread;

	ck_assert_ok(prof_experiment_thread(experiment, 21, "one", &thread));
	ck_assert_ok(prof_experiment_function(experiment, callee, strlen(callee), 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	program_sample(experiment, &frame, 1, thread, PROF_STATE_USER, 1, 0, 0);
	traced.sample = (uint32_t)experiment->samples.count - 1;
	ck_assert_ok(prof_experiment_traced(experiment, &traced));
}

START_TEST(tells_of_traced_functions_those_that_were_not_traced_in_all)
{
	static const char *const incomplete[] = {"first", "second", "counted"};
	struct prof_experiment *sum = create(), *more = create();
	int rows;

	add_traced(sum, "both", 3);
	add_traced(sum, "first", 2);
	add_traced(sum, "counted", 2);
	add_traced(more, "second", 1);
	add_traced(more, "both", 4);
	add_counted(more, "counted", 2, PROF_ARC_CALLS);
	merge(sum, more);
	for (size_t i = 0; i < PROF_COUNT(incomplete); i++) {
		sum_of_counted(sum, incomplete[i], PROF_ARC_PART, &rows);
		ck_assert_int_gt(rows, 0);
	}
	sum_of_counted(sum, "both", PROF_ARC_PART, &rows);
	ck_assert_int_eq(rows, 0);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(refuses_times_that_are_too_long)
{
	struct prof_experiment *sum = create(), *more = create();

	add_mark(sum, PROF_TIME_MOST, "late", 0, 0);
	add_mark(more, 1, "later", 0, 0);
	ck_assert_error(prof_experiment_merge(sum, more, NULL), "too long");
	ck_assert_uint_eq(sum->marks.count, 1);
	/* The other way around they are as long. */
	ck_assert_error(prof_experiment_merge(more, sum, NULL), "too long");
	prof_experiment_destroy(more);
	prof_experiment_destroy(sum);
}
END_TEST

START_TEST(adds_up_what_is_known_of_recordings)
{
	struct prof_experiment *sum = create(), *more = create();
	struct prof_recording *one = &sum->recording, *other = &more->recording;

	free(one->program);
	free(other->program);
	one->program = strdup("/bin/ab");
	other->program = strdup("/bin/a");
	free(one->engine);
	free(other->engine);
	one->engine = strdup("stop");
	other->engine = strdup("stop");
	one->date = 2000;
	other->date = 1000;
	one->duration = 3 * (int64_t)SECOND;
	other->duration = SECOND;
	one->rate_asked = one->rate_lowest = 100;
	other->rate_asked = 500;
	other->rate_lowest = 300;
	one->rounds = 300;
	other->rounds = 450;
	one->ticks = UINT64_MAX;
	other->ticks = 7;
	one->stride = 2;
	one->stopped = other->stopped = 5;
	one->extra_ends = other->open_calls = 3;
	ck_assert_ok(prof_experiment_merge(sum, more, NULL));
	ck_assert_ok(prof_experiment_merge(sum, more, NULL));
	ck_assert_str_eq(one->program, "/bin/ab, /bin/a");
	ck_assert_str_eq(one->engine, "stop");
	ck_assert_int_eq(one->date, 1000);
	ck_assert_int_eq(one->duration, 5 * (int64_t)SECOND);
	ck_assert(fabs(one->rate_asked - 260) < 1e-9 && fabs(one->rate_lowest - 180) < 1e-9);
	ck_assert_uint_eq(one->rounds, 1200);
	ck_assert_uint_eq(one->ticks, UINT64_MAX);
	ck_assert_uint_eq(one->stride, 2);
	ck_assert_int_eq(one->stopped, 15);
	ck_assert_uint_eq(one->extra_ends, 3);
	ck_assert_uint_eq(one->open_calls, 6);
	ck_assert_uint_eq(one->experiments, 3);
	/* Sums are sums of all that they hold. */
	struct prof_experiment *all = create();
	ck_assert_ok(prof_experiment_merge(all, sum, NULL));
	ck_assert_uint_eq(all->recording.experiments, 4);
	prof_experiment_destroy(all);
	prof_experiment_destroy(more);
	prof_experiment_destroy(sum);
}
END_TEST

/* A profile of the functions f<NUMBER> in f<NUMBER>.c and shared in shared.c. */
static struct prof_experiment *create_rank(int number)
{
	struct prof_experiment *experiment = create();
	const char *shared = "shared";

	for (int i = 0; i < 2; i++) {
		char name[16];
		uint32_t module, function, file, frame;
		snprintf(name, sizeof name, "%s%.0d", i ? shared : "f", i ? 0 : number);
		ck_assert_ok(prof_experiment_module(experiment, "/bin/rank", "", &module));
		ck_assert_ok(prof_experiment_function(
			experiment, name, strlen(name), module, &function));
		strcat(name, ".c");
		ck_assert_ok(prof_experiment_string(experiment, name, &file));
		ck_assert_ok(prof_experiment_frame_at(experiment, function, file, 1, &frame));
	}
	return experiment;
}

START_TEST(numbers_strings_alike_in_all_groups)
{
	struct prof_experiment *one_by_one = create_rank(1), *by_halves = create_rank(1);
	struct prof_experiment *half = create_rank(3);

	for (int i = 2; i <= 4; i++)
		merge(one_by_one, create_rank(i));
	merge(by_halves, create_rank(2));
	merge(half, create_rank(4));
	merge(by_halves, half);
	ck_assert_uint_eq(one_by_one->strings.texts.count, by_halves->strings.texts.count);
	for (uint32_t i = 0; i < one_by_one->strings.texts.count; i++)
		ck_assert_str_eq(prof_strings_get(&one_by_one->strings, i),
			prof_strings_get(&by_halves->strings, i));
	prof_experiment_destroy(one_by_one);
	prof_experiment_destroy(by_halves);
}
END_TEST

static void set_clock(struct prof_experiment *experiment, const char *clock)
{
	free(experiment->recording.clock);
	experiment->recording.clock = strdup(clock);
}

START_TEST(refuses_samples_of_different_clocks)
{
	struct prof_experiment *sum = program_create(), *more = program_create();

	set_clock(sum, "cpu");
	set_clock(more, "wall");
	ck_assert_error(prof_experiment_merge(sum, more, NULL),
		"Experiments of the clocks \"cpu\" and \"wall\" cannot be added up, because their samples "
		"do not count the same.");
	ck_assert_uint_eq(sum->samples.count, 4);
	ck_assert_uint_eq(sum->recording.experiments, 0);
	/* Weights that were imported count what their user knows. */
	set_clock(more, "");
	merge(sum, more);
	ck_assert_str_eq(sum->recording.clock, "cpu");
	prof_experiment_destroy(sum);
}
END_TEST

static bool give_up(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

START_TEST(can_be_given_up)
{
	struct prof_experiment *sum = program_create(), *more = program_create();
	const struct prof_progress progress = {give_up, NULL};
	struct prof_error *error = prof_experiment_merge(sum, more, &progress);

	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	prof_error_destroy(error);
	prof_experiment_destroy(more);
	prof_experiment_destroy(sum);
}
END_TEST

RUN_TESTS("merge", knows_what_is_the_same, takes_what_is_new, adds_up_random_experiments,
	finds_code_that_was_mapped_elsewhere, keeps_builds_apart,
	keeps_builds_apart_that_do_not_differ, resolves_what_only_one_has_resolved,
	lets_marks_follow_each_other, adds_counted_calls_up_and_tells_those_that_are_not_all,
	tells_of_traced_functions_those_that_were_not_traced_in_all,
	numbers_strings_alike_in_all_groups, refuses_times_that_are_too_long,
	adds_up_what_is_known_of_recordings, refuses_samples_of_different_clocks, can_be_given_up)
