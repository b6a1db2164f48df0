/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program as tests of its structure want it: a library that calls back, code that was inlined,
 * without lines, and unknown; two threads; stacks in several states.
 *
 *	 at 1 s  main qsort compare:9 qsort compare:10	thread 11  user    10 samples, 10 s
 *	 at 2 s  main work (inl inlined)			thread 12  system   5 samples,  5 s
 *	 at 3 s  main ?					thread 11  lock     0 samples,  7 s
 *	 at 4 s  -						thread 12  user     1 sample,   1 s
 */
#ifndef PROF_TESTS_METRIC_PROGRAM_H
#define PROF_TESTS_METRIC_PROGRAM_H

#include "metric/profile.h"
#include "model/experiment.h"
#include "sample_at.h"
#include "suite.h"

enum { PROGRAM_SECOND = 1000000000 };

static inline uint32_t program_string(struct prof_experiment *experiment, const char *text)
{
	uint32_t string;

	ck_assert_ok(prof_experiment_string(experiment, text, &string));
	return string;
}

static inline uint32_t program_function(
	struct prof_experiment *experiment, const char *name, uint32_t module)
{
	uint32_t function;

	ck_assert_ok(prof_experiment_function(experiment, name, strlen(name), module, &function));
	return function;
}

/* The frame at ADDRESS of MODULE, which is NAME at LINE of FILE, in WITHIN if that is not NULL. */
static inline uint32_t program_frame(struct prof_experiment *experiment, uint32_t module,
	uint64_t address, const char *name, const char *file, uint32_t line, const char *within)
{
	struct prof_location locations[2] = {0};
	/* Functions of prog begin at a multiple of 16. */
	int64_t offset = module == 1 ? (int64_t)(address % 16) : PROF_OFFSET_UNKNOWN;
	uint32_t frame;

	ck_assert_ok(prof_experiment_frame(experiment, module, address, &frame));
	if (!name)
		return frame;
	locations[0] = (struct prof_location){program_function(experiment, name, module),
		program_string(experiment, file), line, offset};
	if (within)
		locations[1] = (struct prof_location){program_function(experiment, within, module),
			program_string(experiment, "work.c"), 17, offset};
	ck_assert_ok(prof_experiment_resolve(experiment, frame, locations, within ? 2 : 1));
	return frame;
}

/* Adds a sample of DEPTH FRAMES, root first, at SECOND, of SECONDS in STATE. */
static inline void program_sample(struct prof_experiment *experiment, const uint32_t *frames,
	size_t depth, uint32_t thread, enum prof_state state, int second, int samples, int seconds)
{
	struct prof_sample sample = {.time = second * (int64_t)PROGRAM_SECOND,
		.thread = thread,
		.state = (uint8_t)state};
	prof_value values[PROF_QUANTITIES] = {0};

	for (size_t i = 0; i < depth; i++)
		ck_assert_ok(
			prof_experiment_path(experiment, sample.path, frames[i], &sample.path));
	values[PROF_QUANTITY_SAMPLES] = prof_value_of(samples);
	values[PROF_QUANTITY_SPENT + state] = prof_value_of(seconds * (int64_t)PROGRAM_SECOND);
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
}

static inline struct prof_experiment *program_create(void)
{
	struct prof_experiment *experiment;
	uint32_t program, library, first, second;

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.rate_asked = 1;
	ck_assert_ok(prof_experiment_module(experiment, "/bin/prog", "", &program));
	ck_assert_ok(prof_experiment_module(experiment, "/lib/libq.so", "", &library));
	ck_assert_ok(prof_experiment_thread(experiment, 11, "main", &first));
	ck_assert_ok(prof_experiment_thread(experiment, 12, "worker", &second));
	uint32_t start = program_frame(experiment, program, 0x10, "main", "main.c", 5, NULL);
	uint32_t work = program_frame(experiment, program, 0x20, "inl", "inl.h", 3, "work");
	uint32_t sort = program_frame(experiment, library, 0x100, "qsort", "", 0, NULL);
	uint32_t nine = program_frame(experiment, program, 0x30, "compare", "main.c", 9, NULL);
	uint32_t ten = program_frame(experiment, program, 0x34, "compare", "main.c", 10, NULL);
	uint32_t raw = program_frame(experiment, program, 0x40, NULL, NULL, 0, NULL);
	program_sample(experiment, (uint32_t[]){start, sort, nine, sort, ten}, 5, first,
		PROF_STATE_USER, 1, 10, 10);
	program_sample(
		experiment, (uint32_t[]){start, work}, 2, second, PROF_STATE_SYSTEM, 2, 5, 5);
	program_sample(experiment, (uint32_t[]){start, raw}, 2, first, PROF_STATE_LOCK, 3, 0, 7);
	program_sample(experiment, NULL, 0, second, PROF_STATE_USER, 4, 1, 1);
	prof_experiment_check(experiment);
	return experiment;
}

#endif
