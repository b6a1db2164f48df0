/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two experiments as profiles of the same functions. */
#include "metric/comparison.h"

#include "metric/functions.h"
#include "metric_program.h"
#include "view_support.h"

enum { A, B };

/* Compares the two by samples; they are destroyed. */
static struct prof_comparison *compare(
	struct prof_experiment *a, struct prof_experiment *b, const struct prof_filter *filter)
{
	static const struct prof_filter none;
	const struct prof_comparison_request request = {
		.experiments = {a, b},
		.metrics = {prof_metrics, prof_metrics},
		.filters = {filter ? filter : &none, filter ? filter : &none},
		.inlined = true,
	};
	struct prof_comparison *comparison;

	ck_assert_ok(prof_comparison_create(&request, NULL, &comparison));
	prof_comparison_check(comparison);
	prof_experiment_destroy(a);
	prof_experiment_destroy(b);
	return comparison;
}

static struct prof_comparison *compare_lines(const char *a, const char *b)
{
	return compare(experiment_of(a, false), experiment_of(b, false), NULL);
}

/* What there is, "main 0/3 0/4; ..." for the exclusive and inclusive samples of A and B. */
static char *describe(const struct prof_comparison *comparison)
{
	struct prof_functions *of[PROF_COMPARISON_SIDES];
	char *text = calloc(1, 4096);
	char *at = text;

	for (int i = 0; i < PROF_COMPARISON_SIDES; i++) {
		ck_assert_ok(prof_functions_create(&comparison->profiles[i], &of[i]));
		prof_functions_check(of[i]);
	}
	for (uint32_t i = 0; i < of[A]->count; i++)
		at += sprintf(at, "%s%s %.0f/%.0f %.0f/%.0f", i ? "; " : "",
			prof_items_name(&comparison->items, i),
			prof_value_double(of[A]->exclusive[i]),
			prof_value_double(of[B]->exclusive[i]),
			prof_value_double(of[A]->inclusive[i]),
			prof_value_double(of[B]->inclusive[i]));
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		prof_functions_destroy(of[i]);
	return text;
}

#define expect(comparison, expected)                       \
	do {                                               \
		struct prof_comparison *c_ = (comparison); \
		char *found_ = describe(c_);               \
		ck_assert_str_eq(found_, expected);        \
		free(found_);                              \
		prof_comparison_destroy(c_);               \
	} while (0)

START_TEST(has_the_functions_of_both)
{
	expect(compare_lines("m;a 1\nm;b 2\n", "m;b 4\nm;c 8\n"),
		"m 0/0 3/12; a 1/0 1/0; b 2/4 2/4; c 0/8 0/8");
}
END_TEST

START_TEST(counts_recursion_once)
{
	expect(compare_lines("m;r;r;r 5\nm;r 1\n", "m;r;r 2\n"), "m 0/0 6/2; r 6/2 6/2");
}
END_TEST

START_TEST(has_one_tree)
{
	struct prof_comparison *comparison = compare_lines("m;a 1\nm;b;a 2\n", "m;b;a 4\nm;c 8\n");
	const struct prof_calltree *tree = &comparison->profiles[A].tree;

	/* m, m;a, m;b, m;b;a, m;c */
	ck_assert_uint_eq(tree->nodes.count, 6);
	ck_assert(comparison->profiles[A].self[4] == prof_value_of(2));
	ck_assert(comparison->profiles[B].self[4] == prof_value_of(4));
	ck_assert(!comparison->profiles[A].self[5]);
	ck_assert_uint_eq(comparison->samples[A], 2);
	ck_assert_uint_eq(comparison->chosen[B], 2);
	prof_comparison_destroy(comparison);
}
END_TEST

START_TEST(compares_with_nothing)
{
	expect(compare_lines("", "m 4\n"), "m 0/4 0/4");
	expect(compare_lines("", ""), "");
}
END_TEST

/* An experiment of one sample in NAME of the object PATH. */
static struct prof_experiment *object(const char *path, const char *build_id, const char *name)
{
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};
	struct prof_experiment *experiment = experiment_of("m 1\n", false);
	struct prof_sample sample = {0};
	uint32_t module, function, frame;

	ck_assert_ok(prof_experiment_module(experiment, path, build_id, &module));
	ck_assert_ok(prof_experiment_function(experiment, name, strlen(name), module, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	ck_assert_ok(prof_experiment_path(experiment, 0, frame, &sample.path));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	return experiment;
}

START_TEST(knows_functions_by_name_and_base_name)
{
	expect(compare(object("/old/lib.so", "aa", "f"), object("/new/lib.so", "bb", "f"), NULL),
		"m 1/1 1/1; f 1/1 1/1");
	expect(compare(object("/old/lib.so", "aa", "f"), object("/old/lib2.so", "aa", "f"), NULL),
		"m 1/1 1/1; f 1/0 1/0; f 0/1 0/1");
	expect(compare(object("lib.so", "", "f"), object("/x/", "", "f"), NULL),
		"m 1/1 1/1; f 1/0 1/0; f 0/1 0/1");
}
END_TEST

START_TEST(filters_both)
{
	struct prof_filter filter = {.values = {[PROF_CONDITION_FUNCTION] = "b"}};

	expect(compare(experiment_of("m;a 1\nm;b 2\n", false), experiment_of("m;b 4\n", false),
		       &filter),
		"m 0/0 2/4; b 2/4 2/4");
	/* What only one has, the other has nothing of. */
	filter.values[PROF_CONDITION_FUNCTION] = "a";
	struct prof_comparison *comparison = compare(
		experiment_of("m;a 1\nm;b 2\n", false), experiment_of("m;b 4\n", false), &filter);
	ck_assert_uint_eq(comparison->chosen[A], 1);
	ck_assert_uint_eq(comparison->samples[A], 2);
	ck_assert_uint_eq(comparison->chosen[B], 0);
	expect(comparison, "m 0/0 1/0; a 1/0 1/0");
	/* All of the other is without it. */
	filter = (struct prof_filter){.values = {[PROF_CONDITION_NOT_FUNCTION] = "a"}};
	expect(compare(experiment_of("m;a 1\nm;b 2\n", false), experiment_of("m;b 4\n", false),
		       &filter),
		"m 0/0 2/4; b 2/4 2/4");
	filter.values[PROF_CONDITION_LEAF] = "b";
	expect(compare(experiment_of("m;b 4\nm;c 1\n", false),
		       experiment_of("m;a 1\nm;b 2\n", false), &filter),
		"m 0/0 4/2; b 4/2 4/2");
}
END_TEST

START_TEST(says_what_neither_has)
{
	struct prof_experiment *a = experiment_of("m;a 1\n", false);
	struct prof_experiment *b = experiment_of("m;b 1\n", false);
	struct prof_filter filter = {.values = {[PROF_CONDITION_FUNCTION] = "zz"}};
	const struct prof_comparison_request request = {.experiments = {a, b},
		.metrics = {prof_metrics, prof_metrics},
		.filters = {&filter, &filter}};
	struct prof_comparison *comparison;

	ck_assert_error(prof_comparison_create(&request, NULL, &comparison),
		"The experiment has no function \"zz\"; see prof-functions.");
	filter = (struct prof_filter){.values = {[PROF_CONDITION_NOT_FUNCTION] = "zz"}};
	ck_assert_error(prof_comparison_create(&request, NULL, &comparison),
		"The experiment has no function \"zz\"; see prof-functions.");
	filter = (struct prof_filter){.values = {[PROF_CONDITION_TIME] = "soon"}};
	ck_assert_error(prof_comparison_create(&request, NULL, &comparison), "soon");
	prof_experiment_destroy(a);
	prof_experiment_destroy(b);
}
END_TEST

START_TEST(folds_inlined_functions)
{
	static const struct prof_filter none;
	struct prof_experiment *a = program_create(), *b = program_create();
	struct prof_comparison_request request = {.experiments = {a, b},
		.metrics = {prof_metrics, prof_metrics},
		.filters = {&none, &none},
		.inlined = false};
	struct prof_comparison *comparison;

	ck_assert_ok(prof_comparison_create(&request, NULL, &comparison));
	expect(comparison,
		"main 0/0 15/15; qsort 0/0 10/10; compare 10/10 10/10; "
		"work 5/5 5/5; <Unknown> 1/1 1/1");
	request.inlined = true;
	ck_assert_ok(prof_comparison_create(&request, NULL, &comparison));
	expect(comparison,
		"main 0/0 15/15; qsort 0/0 10/10; compare 10/10 10/10; "
		"work 0/0 5/5; inl 5/5 5/5; <Unknown> 1/1 1/1");
	prof_experiment_destroy(a);
	prof_experiment_destroy(b);
}
END_TEST

RUN_TESTS("comparison", has_the_functions_of_both, counts_recursion_once, has_one_tree,
	compares_with_nothing, knows_functions_by_name_and_base_name, filters_both,
	says_what_neither_has, folds_inlined_functions)
