/* Counts of programs that tests make up. */
#ifndef PROF_TESTS_COUNTS_SUPPORT_H
#define PROF_TESTS_COUNTS_SUPPORT_H

#include "model/counts.h"
#include "suite.h"
#include "target/image.h"

/* Functions are letters, 16 bytes of code each; four bins each tell their time in ticks. */
enum { BASE = 0x1000, SIZE = 16, BINS = 4 };

struct call {
	char caller, callee;
	unsigned calls;
};

static inline void add_functions(struct prof_image *image, const char *names)
{
	for (size_t i = 0; names[i]; i++) {
		struct prof_image_symbol *place = prof_array_push(&image->functions);
		ck_assert_ptr_nonnull(place);
		*place = (struct prof_image_symbol){.low = BASE + SIZE * i,
			.high = BASE + SIZE * (i + 1),
			.file = PROF_NONE,
			.function = true};
		ck_assert_ok(prof_strings_add(&image->strings, &names[i], 1, &place->name));
	}
	image->text_low = BASE;
	image->text_high = BASE + SIZE * strlen(names);
}

/* Functions NAMES with their TICKS, and CALLS, which end with one without a callee. */
static inline struct prof_counts *make_counts(
	const char *names, const unsigned *ticks, const struct call *calls)
{
	struct prof_counts *counts = calloc(1, sizeof *counts);
	struct prof_histogram *histogram;
	size_t count = strlen(names);
	const char *wrong;

	counts->image = calloc(1, sizeof *counts->image);
	counts->release = prof_image_destroy;
	counts->rate = 100;
	add_functions(counts->image, names);
	ck_assert_ok(prof_counts_histogram(
		counts, BASE, BASE + SIZE * count, BINS * count, &histogram, &wrong));
	ck_assert_ptr_null(wrong);
	for (size_t i = 0; i < count; i++)
		histogram->bins.items[BINS * i + i % BINS] = ticks[i];
	for (; calls->callee; calls++) {
		struct prof_counts_arc *arc = prof_array_push(&counts->arcs);
		*arc = (struct prof_counts_arc){
			BASE + SIZE * (uint64_t)(strchr(names, calls->caller) - names) + 3,
			BASE + SIZE * (uint64_t)(strchr(names, calls->callee) - names),
			calls->calls};
	}
	return counts;
}

/* The program of COUNTS is not known any more. */
static inline void forget_program(struct prof_counts *counts)
{
	prof_image_destroy(counts->image);
	counts->image = NULL;
}

#endif
