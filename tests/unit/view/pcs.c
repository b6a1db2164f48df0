/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of addresses. */
#include "metric_program.h"
#include "view_support.h"

START_TEST(names_addresses_by_their_distance_in_the_function)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("pcs", "limit=3")};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "e.samples:i.samples";
	check_text(show("pcs", experiment, &choice),
		"name,samples_exclusive,samples_inclusive\n<Total>,16,16\n"
		"compare + 0x4,10,10\n\"inl, inlined in work + 0x0\",5,5\n");
	choice.folded = true;
	check_text(show("pcs", experiment, &choice),
		"name,samples_exclusive,samples_inclusive\n<Total>,16,16\n"
		"compare + 0x4,10,10\nwork + 0x0,5,5\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("pcs", names_addresses_by_their_distance_in_the_function)
