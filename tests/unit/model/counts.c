#include "model/counts.h"
#include "model/merge.h"

#include "counts_support.h"
#include "experiment_support.h"

static const struct call calls[] = {{'m', 'a', 2}, {'a', 'b', 3}, {0, 0, 0}};
static const unsigned ticks[] = {1, 2, 3};

/* Counts whose program is not known, as they are when files are read. */
static struct prof_experiment *make(void)
{
	struct prof_experiment *experiment = make_counts("mab", ticks, calls);

	forget_program(experiment);
	free(experiment->recording.source);
	experiment->recording.source = strdup("x");
	return experiment;
}

START_TEST(sums_have_all_of_both)
{
	AUTO_EXPERIMENT struct prof_experiment *into = make();
	AUTO_EXPERIMENT struct prof_experiment *from = make();

	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	prof_experiment_check(into);
	ck_assert_uint_eq(into->counts.arcs.count, 4);
	ck_assert_uint_eq(into->counts.arcs.items[3].calls, 3);
	ck_assert_uint_eq(into->counts.histograms.count, 1);
	ck_assert_uint_eq(into->counts.bins.count, 3);
	ck_assert_uint_eq(ticks_in(&into->counts, 0, 0), 2);
	ck_assert_uint_eq(from->counts.arcs.count, 2);
}
END_TEST

START_TEST(bins_of_one_part_are_added_up)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	struct prof_counts *counts = &experiment->counts;

	ck_assert_ok(prof_counts_tick(counts, 0, 0, 0));
	ck_assert_uint_eq(counts->bins.count, 3);
	ck_assert_ok(prof_counts_tick(counts, 0, 0, UINT32_MAX - 1));
	ck_assert(prof_counts_add_up(counts));
	ck_assert_uint_eq(counts->bins.count, 3);
	ck_assert_uint_eq(ticks_in(counts, 0, 0), UINT32_MAX);
	ck_assert_ok(prof_counts_tick(counts, 0, 0, 1));
	ck_assert(!prof_counts_add_up(counts));
}
END_TEST

START_TEST(calls_alone_take_over_what_is_counted)
{
	AUTO_EXPERIMENT struct prof_experiment *from = make();
	AUTO_EXPERIMENT struct prof_experiment *into = NULL;

	ck_assert_ok(prof_experiment_create(&into));
	into->counts.word = 8;
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	ck_assert_uint_eq(into->counts.rate, 100);
	ck_assert_str_eq(into->counts.dimension, "seconds");
	ck_assert_str_eq(into->counts.unit, "s");
	ck_assert_double_eq(prof_counts_scale(&into->counts), 2);
}
END_TEST

static void assert_not_added(const struct prof_experiment *from, const char *part)
{
	AUTO_EXPERIMENT struct prof_experiment *into = make();

	ck_assert_error(prof_experiment_merge(into, from, NULL), part);
	ck_assert_uint_eq(into->counts.arcs.count, 2);
}

START_TEST(what_counts_something_else_is_not_added)
{
	AUTO_EXPERIMENT struct prof_experiment *from = make();

	from->counts.word = 4;
	assert_not_added(from, "they are of another kind of machine.");
	from->counts.word = 8;
	*from->counts.unit = 'm';
	assert_not_added(from, "their histogram counts something else.");
	*from->counts.unit = 's';
	from->counts.histograms.items[0].low += 16;
	assert_not_added(from,
		"The counts of \"x\" cannot be added to those before them: "
		"their histogram overlaps another histogram.");
	from->counts.histograms.items[0].low -= 16;
	from->counts.bins.items[0].ticks = UINT32_MAX;
	assert_not_added(from, "together they have too many ticks.");
}
END_TEST

START_TEST(there_is_a_limit_on_histograms)
{
	struct prof_counts counts = {.word = 8};
	const char *wrong = NULL;
	uint32_t number;

	for (uint64_t i = 0; i <= PROF_COUNTS_HISTOGRAMS; i++) {
		ck_assert_ptr_null(wrong);
		ck_assert_ok(
			prof_counts_histogram(&counts, 16 * i, 16 * i + 16, 4, &number, &wrong));
	}
	ck_assert_ptr_nonnull(strstr(wrong, "4096"));
	ck_assert_ok(prof_counts_histogram(&counts, 16, 32, 4, &number, &wrong));
	ck_assert_ptr_null(wrong);
	ck_assert_uint_eq(number, 1);
	prof_counts_deinit(&counts);
}
END_TEST

START_TEST(counts_are_added_to_counts_only)
{
	AUTO_EXPERIMENT struct prof_experiment *counts = make();
	AUTO_EXPERIMENT struct prof_experiment *stacks = NULL;

	ck_assert_ok(prof_experiment_create(&stacks));
	ck_assert_error(prof_experiment_merge(counts, stacks, NULL), "because it has no stacks");
	ck_assert_error(prof_experiment_merge(stacks, counts, NULL), "because it has no stacks");
}
END_TEST

RUN_TESTS("counts", sums_have_all_of_both, bins_of_one_part_are_added_up,
	calls_alone_take_over_what_is_counted, what_counts_something_else_is_not_added,
	there_is_a_limit_on_histograms, counts_are_added_to_counts_only)
