/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was traced of a program of two workers, each of which allocates five times, frees on even
 * rounds, and waits for a lock; and of main, which has a buffer.  A second has a mark at its end.
 */
#ifndef PROF_TESTS_TRACED_PROGRAM_H
#define PROF_TESTS_TRACED_PROGRAM_H

#include "metric_program.h"
#include "view_support.h"

/* Adds a total of DEPTH FRAMES, root first, at SECOND; its number among those is returned. */
static inline uint32_t traced_total(struct prof_experiment *experiment, const uint32_t *frames,
	size_t depth, uint32_t thread, int second, const int64_t values[PROF_TRACED_VALUES])
{
	struct prof_traced_row traced = {.object = PROF_NONE, .holder = PROF_NONE};

	program_sample(experiment, frames, depth, thread, PROF_STATE_USER, second, 0, 0);
	traced.sample = (uint32_t)experiment->samples.count - 1;
	ck_assert_ok(prof_experiment_traced(experiment, &traced));
	uint32_t number = (uint32_t)experiment->traced.count - 1;
	prof_experiment_traced_values(experiment, number, values, 0);
	return number;
}

/* Adds EVENTS waits of WAIT ms in sum for the object at ADDRESS, called NAME. */
static inline void traced_wait(struct prof_experiment *experiment, const uint32_t *frames,
	size_t depth, uint32_t thread, uint32_t holder, uint64_t address, const char *name,
	int64_t events, int64_t wait)
{
	const int64_t values[PROF_TRACED_VALUES] = {
		[PROF_TRACED_DELAYS] = events, [PROF_TRACED_WAITED] = wait * 1000000};
	struct prof_traced_row traced = {.holder = holder};

	program_sample(experiment, frames, depth, thread, PROF_STATE_LOCK, 1, 0, 0);
	traced.sample = (uint32_t)experiment->samples.count - 1;
	ck_assert_ok(prof_experiment_object(experiment, address, &traced.object));
	if (*name)
		ck_assert_ok(prof_experiment_name_object(experiment, traced.object, name));
	ck_assert_ok(prof_experiment_traced(experiment, &traced));
	prof_experiment_traced_values(experiment, (uint32_t)experiment->traced.count - 1, values,
		wait * 1000000 / events);
}

static inline void traced_held(struct prof_experiment *experiment, int second, uint32_t number,
	int64_t blocks, int64_t bytes)
{
	const struct prof_held held = {second * (int64_t)PROGRAM_SECOND, number, blocks, bytes};

	ck_assert_ok(prof_experiment_held(experiment, &held));
}

static inline struct prof_experiment *traced_create(void)
{
	struct prof_experiment *experiment;
	uint32_t program, library, first, one, two, heap_number = PROF_NONE;
	const int64_t small[PROF_TRACED_VALUES] = {5, 5000, 2, 2000, 2000, 3};
	const int64_t large[PROF_TRACED_VALUES] = {5, 10000, 2, 4000, 4000, 0};
	const int64_t buffer[PROF_TRACED_VALUES] = {1, 4096, 1, 4096, 0, 0};
	struct prof_heap heap = {.peak = 6000,
		.peak_time = 1500000000,
		.smallest = 1000,
		.largest = 4096,
		.leak_smallest = 1000,
		.leak_largest = 4096,
		.allocations = {5, 6},
		.leaks = {2, 3}};

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.rate_asked = 100;
	experiment->recording.families = 3;
	experiment->recording.events = 17;
	experiment->recording.threshold = 2000;
	ck_assert_ok(prof_experiment_module(experiment, "/bin/mt", "", &program));
	ck_assert_ok(prof_experiment_module(experiment, "/lib/libc.so", "", &library));
	ck_assert_ok(prof_experiment_thread(experiment, 20, "mt", &first));
	ck_assert_ok(prof_experiment_thread(experiment, 21, "one", &one));
	ck_assert_ok(prof_experiment_thread(experiment, 22, "two\033", &two));
	uint32_t start = program_frame(experiment, program, 0x108, "main", "mt.c", 54, NULL);
	uint32_t work = program_frame(experiment, program, 0x218, "grab", "mt.c", 21, "worker");
	uint32_t malloc_frame = program_frame(experiment, program, 0x300, "malloc", "", 0, NULL);
	uint32_t print = program_frame(experiment, library, 0x400, "printf", "", 0, NULL);
	uint32_t raw = program_frame(experiment, program, 0x40, NULL, NULL, 0, NULL);
	uint32_t totals[] = {
		traced_total(experiment, (uint32_t[]){work, malloc_frame}, 2, one, 1, small),
		traced_total(experiment, (uint32_t[]){work, malloc_frame}, 2, two, 1, large),
		traced_total(experiment, (uint32_t[]){raw, start, print, malloc_frame}, 4, first, 2,
			buffer),
	};
	traced_held(experiment, 1, totals[0], 3, 3000);
	traced_held(experiment, 1, totals[1], 1, 2000);
	traced_held(experiment, 2, totals[0], 2, 2000);
	traced_held(experiment, 2, totals[2], 1, 4096);
	traced_wait(experiment, (uint32_t[]){work}, 1, one, two, 0x5000, "lock", 4, 2000);
	traced_wait(experiment, (uint32_t[]){work}, 1, two, one, 0x5000, "lock", 5, 3000);
	traced_wait(experiment, (uint32_t[]){work}, 1, two, one, 0x5000, "lock", 1, 500);
	traced_wait(experiment, (uint32_t[]){start}, 1, first, PROF_NONE, 0x6000, "", 1, 7000);
	ck_assert_ok(prof_experiment_heap(experiment, 4711, &heap, &heap_number));
	add_mark(experiment, 0, "begin");
	add_mark(experiment, PROGRAM_SECOND, "half");
	add_mark(experiment, 2 * (int64_t)PROGRAM_SECOND, "end");
	prof_experiment_check(experiment);
	return experiment;
}

/* The view NAME of that without its heading, as a new string. */
static inline char *traced_show(const char *name, const struct prof_choice *choice)
{
	struct prof_experiment *experiment = traced_create();

	experiment->recording.rate_asked = 0;
	experiment->recording.families = experiment->recording.events = 0;
	char *shown = show(name, experiment, choice);
	prof_experiment_destroy(experiment);
	return shown;
}

#endif
