#include "model/counts.h"
#include "model/merge.h"

#include "counts_support.h"
#include "experiment_support.h"

static const struct call calls[] = {{'m', 'a', 2}, {'a', 'b', 3}, {0, 0, 0}};
static const unsigned ticks[] = {1, 2, 3};

/* Counts whose program is not known, as they are when files are read. */
static struct prof_counts *make(void)
{
	struct prof_counts *counts = make_counts("mab", ticks, calls);

	forget_program(counts);
	strcpy(counts->dimension, "seconds");
	counts->unit = 's';
	counts->word = 8;
	return counts;
}

START_TEST(sums_have_all_of_both)
{
	struct prof_counts *into = make();
	struct prof_counts *from = make();

	ck_assert_ok(prof_counts_add(into, from, "x"));
	ck_assert_uint_eq(into->arcs.count, 4);
	ck_assert_uint_eq(into->arcs.items[3].calls, 3);
	ck_assert_uint_eq(into->histograms.count, 1);
	ck_assert_uint_eq(into->histograms.items[0].bins.items[0], 2);
	ck_assert_uint_eq(from->arcs.count, 2);
	prof_counts_destroy(into);
	prof_counts_destroy(from);
}
END_TEST

START_TEST(calls_alone_take_over_what_is_counted)
{
	struct prof_counts *from = make();
	struct prof_counts *into = calloc(1, sizeof *into);

	into->word = 8;
	ck_assert_ok(prof_counts_add(into, from, "x"));
	ck_assert_uint_eq(into->rate, 100);
	ck_assert_str_eq(into->dimension, "seconds");
	ck_assert_double_eq(prof_counts_scale(into), 2);
	prof_counts_destroy(into);
	prof_counts_destroy(from);
}
END_TEST

START_TEST(other_programs_are_not_added)
{
	struct prof_counts *into = make();
	struct prof_counts *from = make();

	from->word = 4;
	ck_assert_error(prof_counts_add(into, from, "x"), "another kind of machine");
	from->word = 8;
	from->unit = 'm';
	ck_assert_error(prof_counts_add(into, from, "x"), "counts something else");
	from->unit = 's';
	from->histograms.items[0].low += 16;
	ck_assert_error(prof_counts_add(into, from, "x"),
		"The file \"x\" cannot be added to the files before it: "
		"its histogram overlaps another histogram.");
	ck_assert_uint_eq(into->arcs.count, 2);
	prof_counts_destroy(into);
	prof_counts_destroy(from);
}
END_TEST

static struct prof_experiment *experiment_of(struct prof_counts *counts)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->counts = counts;
	return experiment;
}

START_TEST(counts_are_added_to_counts_only)
{
	AUTO_EXPERIMENT struct prof_experiment *counts = experiment_of(make());
	AUTO_EXPERIMENT struct prof_experiment *more = experiment_of(make());
	AUTO_EXPERIMENT struct prof_experiment *stacks = experiment_of(NULL);

	ck_assert_error(prof_experiment_merge(counts, stacks, NULL), "because it has no stacks");
	ck_assert_error(prof_experiment_merge(stacks, counts, NULL), "because it has no stacks");
	ck_assert_ok(prof_experiment_merge(counts, more, NULL));
	ck_assert_uint_eq(counts->counts->arcs.count, 4);
}
END_TEST

RUN_TESTS("counts", sums_have_all_of_both, calls_alone_take_over_what_is_counted,
	other_programs_are_not_added, counts_are_added_to_counts_only)
