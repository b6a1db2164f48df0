/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of programs that tests make up. */
#ifndef PROF_TESTS_GMON_SUPPORT_H
#define PROF_TESTS_GMON_SUPPORT_H

#include "model/experiment.h"
#include "suite.h"

/* Functions are letters, 16 bytes of code each; four bins each have their samples. */
enum { BASE = 0x1000, SIZE = 16, BINS = 4 };

struct call {
	char caller, callee;
	unsigned calls;
};

/* The program of EXPERIMENT's counts has the functions NAMES, which are its too. */
static inline void add_symbols(struct prof_experiment *experiment, const char *names)
{
	for (size_t i = 0; names[i]; i++) {
		struct prof_image_symbol *place = prof_array_push(&experiment->gmon.functions);
		const char name[] = {names[i], '\0'};
		ck_assert_ptr_nonnull(place);
		*place = (struct prof_image_symbol){.low = BASE + SIZE * i,
			.high = BASE + SIZE * (i + 1),
			.file = PROF_NONE,
			.marked = true};
		ck_assert_ok(prof_experiment_string(experiment, name, &place->name));
		ck_assert_ok(prof_experiment_function(experiment, name, 1, 0, &place->function));
	}
}

/* Functions NAMES with their SAMPLES, and CALLS, which end with one without a callee. */
static inline struct prof_experiment *make_gmon(
	const char *names, const unsigned *samples, const struct call *calls)
{
	struct prof_experiment *experiment;
	size_t count = strlen(names);
	uint32_t histogram;
	const char *wrong;

	ck_assert_ok(prof_experiment_create(&experiment));
	struct prof_gmon *gmon = &experiment->gmon;
	gmon->word = 8;
	gmon->rate = 100;
	strcpy(gmon->dimension, "seconds");
	strcpy(gmon->unit, "s");
	add_symbols(experiment, names);
	ck_assert_ok(prof_gmon_histogram(
		gmon, BASE, BASE + SIZE * count, (uint32_t)(BINS * count), &histogram, &wrong));
	ck_assert_ptr_null(wrong);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_ok(prof_gmon_sample(gmon, histogram, BINS * i + i % BINS, samples[i]));
	ck_assert(prof_gmon_add_up(gmon));
	for (; calls->callee; calls++) {
		struct prof_gmon_arc *arc = prof_array_push(&gmon->arcs);
		*arc = (struct prof_gmon_arc){
			BASE + SIZE * (uint64_t)(strchr(names, calls->caller) - names) + 3,
			BASE + SIZE * (uint64_t)(strchr(names, calls->callee) - names),
			calls->calls};
	}
	return experiment;
}

/* The program of EXPERIMENT's counts is not known any more. */
static inline void forget_program(struct prof_experiment *experiment)
{
	experiment->gmon.functions.count = experiment->gmon.lines.count = 0;
}

/* The samples in the PART of the histogram with that NUMBER. */
static inline uint32_t ticks_in(const struct prof_gmon *gmon, uint32_t number, uint32_t part)
{
	for (size_t i = 0; i < gmon->bins.count; i++) {
		const struct prof_bin *bin = &gmon->bins.items[i];
		if (bin->histogram == number && bin->part == part)
			return bin->samples;
	}
	return 0;
}

#endif
