/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lists of leaks and of allocations have in common. */
#include "traced_program.h"

START_TEST(without_tracing_it_is_said)
{
	struct prof_experiment *experiment = experiment_of("a 1\n", false);

	check_text(show("leaks", experiment, &(struct prof_choice){0}),
		"No allocations: prof-start --heap records them.\n");
	check_text(show("heap", experiment, &(struct prof_choice){0}),
		"No allocations: prof-start --heap records them.\n");
	check_text(show("locks", experiment, &(struct prof_choice){0}),
		"No waits for other threads: prof-start --sync records them.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

/* Views of what was sampled show nothing of what was traced, and the other way round. */
START_TEST(tracing_and_sampling_are_apart)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = traced_create();
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(3)};

	add_stack(experiment, "busy", ';', values);
	choice.format = PROF_FORMAT_CSV;
	check_text(show("functions", experiment, &choice),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,3,3,100,100\nbusy,3,3,100,100\n");
	choice.metrics = "e.leaked:i.allocs";
	check_text(show("functions", experiment, &choice),
		"name,leaked_exclusive,allocs_inclusive\n"
		"<Total>,10096,11\nmalloc,10096,11\n<Unknown>,0,1\ngrab,0,10\nmain,0,1\n"
		"printf,0,1\nworker,0,10\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(java_is_told_of)
{
	static const char sentence[] =
		"Java is not supported: the trace does not include its own objects and locks";
	struct prof_experiment *experiment = traced_create();
	uint32_t module;

	char *text = show("locks", experiment, &(struct prof_choice){0});
	ck_assert_ptr_null(strstr(text, sentence));
	free(text);
	ck_assert_ok(prof_experiment_module(
		experiment, "/usr/lib/jvm/lib/server/libjvm.so", "", &module));
	text = show("locks", experiment, &(struct prof_choice){0});
	ck_assert_ptr_nonnull(strstr(text, sentence));
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("blocks", java_is_told_of, without_tracing_it_is_said, tracing_and_sampling_are_apart)
