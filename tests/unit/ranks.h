/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tests of ranks share: experiments of ranks, each with two threads and marks. */
#ifndef PROF_TESTS_RANKS_H
#define PROF_TESTS_RANKS_H

#include "metric_program.h"

#include "model/merge.h"
#include "model/rank.h"

enum { RANKS_SECOND = PROGRAM_SECOND };

/* A mark at SECONDS, with so many seconds of user time. */
static inline void add_rank_mark(
	struct prof_experiment *experiment, double seconds, const char *label, int user)
{
	struct prof_mark mark = {.time = (int64_t)(seconds * RANKS_SECOND)};

	prof_usage_clear(&mark.usage);
	mark.usage.figures[PROF_USAGE_USER] = user * (int64_t)RANKS_SECOND;
	ck_assert_ok(prof_experiment_mark(experiment, &mark, label));
}

/*
 * program_create(), of 16 samples, as the rank that REQUEST tells of: marks at its start and 4 s
 * later, when it has used 3 s.
 */
static inline struct prof_experiment *create_rank(const struct prof_rank_request *request)
{
	struct prof_experiment *experiment = program_create();

	ck_assert_ok(prof_rank_add(experiment, request));
	/* As it is added before there is any thread. */
	experiment->ranks.items[0].first_thread = 0;
	experiment->ranks.items[0].first_mark = 0;
	add_rank_mark(experiment, 0, "start", 0);
	add_rank_mark(experiment, 4, "end", 3);
	prof_experiment_check(experiment);
	return experiment;
}

/* The rank NUMBER of the job "7" on HOST, whose kernel is KERNEL, and that began at SECONDS of both
 * clocks. */
static inline struct prof_experiment *create_rank_on(
	int number, const char *host, const char *kernel, double seconds)
{
	const struct prof_rank_request request = {
		.rank = number,
		.size = 4,
		.launcher = "Open MPI",
		.job = "7",
		.host = host,
		.kernel = kernel,
		.monotonic = (int64_t)(seconds * RANKS_SECOND),
		.realtime = (int64_t)((seconds + 1000000) * RANKS_SECOND),
	};

	return create_rank(&request);
}

/* Adds FROM to INTO, and destroys it. */
static inline void merge_rank(struct prof_experiment *into, struct prof_experiment *from)
{
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	prof_experiment_destroy(from);
	prof_experiment_check(into);
}

#endif
