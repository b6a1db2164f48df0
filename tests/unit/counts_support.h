/* Counts of programs that tests make up. */
#ifndef PROF_TESTS_COUNTS_SUPPORT_H
#define PROF_TESTS_COUNTS_SUPPORT_H

#include "model/experiment.h"
#include "suite.h"

/* Functions are letters, 16 bytes of code each; four bins each tell their time in ticks. */
enum { BASE = 0x1000, SIZE = 16, BINS = 4 };

struct call {
	char caller, callee;
	unsigned calls;
};

/* The program of EXPERIMENT's counts has the functions NAMES, which are its too. */
static inline void add_symbols(struct prof_experiment *experiment, const char *names)
{
	for (size_t i = 0; names[i]; i++) {
		struct prof_image_symbol *place = prof_array_push(&experiment->counts.functions);
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

/* Functions NAMES with their TICKS, and CALLS, which end with one without a callee. */
static inline struct prof_experiment *make_counts(
	const char *names, const unsigned *ticks, const struct call *calls)
{
	struct prof_experiment *experiment;
	size_t count = strlen(names);
	uint32_t histogram;
	const char *wrong;

	ck_assert_ok(prof_experiment_create(&experiment));
	struct prof_counts *counts = &experiment->counts;
	counts->word = 8;
	counts->rate = 100;
	strcpy(counts->dimension, "seconds");
	strcpy(counts->unit, "s");
	add_symbols(experiment, names);
	ck_assert_ok(prof_counts_histogram(
		counts, BASE, BASE + SIZE * count, (uint32_t)(BINS * count), &histogram, &wrong));
	ck_assert_ptr_null(wrong);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_ok(prof_counts_tick(counts, histogram, BINS * i + i % BINS, ticks[i]));
	ck_assert(prof_counts_add_up(counts));
	for (; calls->callee; calls++) {
		struct prof_counts_arc *arc = prof_array_push(&counts->arcs);
		*arc = (struct prof_counts_arc){
			BASE + SIZE * (uint64_t)(strchr(names, calls->caller) - names) + 3,
			BASE + SIZE * (uint64_t)(strchr(names, calls->callee) - names),
			calls->calls};
	}
	return experiment;
}

/* The program of EXPERIMENT's counts is not known any more. */
static inline void forget_program(struct prof_experiment *experiment)
{
	experiment->counts.functions.count = experiment->counts.lines.count = 0;
}

/* The ticks in the PART of the histogram with that NUMBER. */
static inline uint32_t ticks_in(const struct prof_counts *counts, uint32_t number, uint32_t part)
{
	for (size_t i = 0; i < counts->bins.count; i++) {
		const struct prof_bin *bin = &counts->bins.items[i];
		if (bin->histogram == number && bin->part == part)
			return bin->ticks;
	}
	return 0;
}

#endif
