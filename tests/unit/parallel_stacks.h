/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments of stacks that tests write as "main;GOMP_parallel;main._omp_fn.0;burn". */
#ifndef PROF_TESTS_PARALLEL_STACKS_H
#define PROF_TESTS_PARALLEL_STACKS_H

#include "model/experiment.h"
#include "suite.h"

#include <string.h>

/*
 * The path of NAMES, root first, with ';' between two.  A name "[FILE]NAME" is that of a function
 * of FILE; a name "NAME@LINE" is at that line of "main.c".
 */
static inline uint32_t path_of_names(struct prof_experiment *experiment, const char *names)
{
	uint32_t path = 0;

	while (*names) {
		char name[64] = "", module[32] = "";
		uint32_t line = 0, object = 0, file = 0, function, frame;
		size_t length = strcspn(names, ";");
		ck_assert_uint_lt(length, sizeof name);
		memcpy(name, names, length);
		if (*name == '[') {
			size_t end = strcspn(name, "]");
			memcpy(module, name + 1, end - 1);
			memmove(name, name + end + 1, strlen(name + end + 1) + 1);
			ck_assert_ok(prof_experiment_module(experiment, module, "", &object));
		}
		if (strchr(name, '@')) {
			line = (uint32_t)atoi(strchr(name, '@') + 1);
			*strchr(name, '@') = '\0';
		}
		ck_assert_ok(prof_experiment_string(experiment, line ? "main.c" : "", &file));
		ck_assert_ok(prof_experiment_function(
			experiment, name, strlen(name), object, &function));
		ck_assert_ok(prof_experiment_frame_at(experiment, function, file, line, &frame));
		ck_assert_ok(prof_experiment_path(experiment, path, frame, &path));
		names += length + (names[length] == ';');
	}
	return path;
}

/* Adds a sample of THREAD at the path of NAMES: NS in STATE, up to TIME. */
static inline void add_timed(struct prof_experiment *experiment, uint32_t thread, int64_t time,
	int64_t ns, enum prof_state state, const char *names)
{
	struct prof_sample sample = {.time = time,
		.thread = thread,
		.state = (uint8_t)state,
		.path = path_of_names(experiment, names)};
	prof_value values[PROF_QUANTITIES] = {
		[PROF_QUANTITY_SAMPLES] = prof_value_of(!prof_state_sleeps(state)),
	};
	uint32_t added;

	values[PROF_QUANTITY_SPENT + (int)state] = prof_value_of(ns);
	while (experiment->threads.count <= thread)
		ck_assert_ok(prof_experiment_thread(
			experiment, (int64_t)experiment->threads.count + 1, "", &added));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
}

#endif
