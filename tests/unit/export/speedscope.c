/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of speedscope that are written, and read again. */
#include "view_trip.h"

#include "metric_program.h"

START_TEST(nothing_that_speedscope_holds_is_lost)
{
	static const char *const metrics[] = {"samples", "cpu", "wall"};

	for (size_t i = 0; i < PROF_COUNT(metrics); i++) {
		AUTO_EXPERIMENT struct prof_experiment *before = program_create();
		AUTO_EXPERIMENT struct prof_experiment *after =
			trip(before, "speedscope", metrics[i], true);
		trip_same(before, after, "speedscope", metrics[i], true);
		AUTO_EXPERIMENT struct prof_experiment *again =
			trip(after, "speedscope", i ? "cpu" : "samples", true);
		trip_same(after, again, "speedscope", metrics[i], true);
	}
}
END_TEST

START_TEST(imported_stacks_keep_their_order_and_their_fractions)
{
	AUTO_EXPERIMENT struct prof_experiment *before =
		experiment_of("a;b 1.250001\na 3\na;b 1.5\nb 9000000000000.000001\n", false);
	AUTO_EXPERIMENT struct prof_experiment *after = trip(before, "speedscope", "samples", true);

	ck_assert_uint_eq(after->samples.count, 4);
	for (size_t i = 0; i < 3; i++)
		ck_assert(value_at(after, PROF_QUANTITY_SAMPLES, i) ==
			value_at(before, PROF_QUANTITY_SAMPLES, i));
	trip_same(before, after, "folded", "cpu", true);
}
END_TEST

RUN_TESTS("speedscope", nothing_that_speedscope_holds_is_lost,
	imported_stacks_keep_their_order_and_their_fractions)
