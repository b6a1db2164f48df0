/* The format json: all that an experiment holds. */
#include "view_whole.h"

START_TEST(everything_is_there_in_tables)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = whole_create();

	check_golden(whole_print(experiment, "json", "samples", true), "dump.json");
}
END_TEST

START_TEST(calls_without_stacks_are_there)
{
	struct prof_text costs = {0};

	prof_text_print(&costs,
		"events: samples cpu\nfl=a.c\nfn=<Total>\ncfn=f\ncalls=2 3\n0 5 9\nfn=f\n3 5 9\n");
	AUTO_EXPERIMENT struct prof_experiment *experiment = trip_read(&costs);
	prof_text_deinit(&costs);
	AUTO_FREE char *text = whole_print(experiment, "json", "samples", true);
	ck_assert_ptr_nonnull(strstr(text,
		"\"calls\":[\n{\"caller\":null,\"callee\":0,\"calls\":2,\"samples\":5,\"user\":9}"
		"]"));
}
END_TEST

START_TEST(what_caused_an_event_is_there)
{
	const struct prof_event event = {.unit = PROF_COUNTER_EVENTS, .interval = 1};
	const struct prof_data data[] = {
		{.sample = 0,
			.trigger = PROF_TRIGGER_FOUND,
			.access = PROF_ACCESS_LOAD,
			.skid = 2,
			.addressed = true,
			.address = 0x5008},
		{.sample = 1, .trigger = PROF_TRIGGER_UNRESOLVABLE},
	};
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {0};
	uint32_t number;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_counter(experiment, "dcrm", &event, &number));
	values[PROF_QUANTITY_EVENT] = prof_value_of(1);
	for (size_t i = 0; i < PROF_COUNT(data); i++) {
		add_stack(experiment, "main", ';', values);
		ck_assert_ok(prof_experiment_data(experiment, &data[i]));
	}
	AUTO_FREE char *text = whole_print(experiment, "json", "dcrm", true);
	ck_assert_ptr_nonnull(strstr(text,
		"\"event\":0,\"event_count\":1,\"trigger\":\"found\",\"access\":\"load\",\"skid\":"
		"2,"
		"\"address\":\"0x5008\"}"));
	ck_assert_ptr_nonnull(strstr(text, "\"event_count\":1,\"trigger\":\"Unresolvable\"}"));
}
END_TEST

RUN_TESTS("dump", what_caused_an_event_is_there, everything_is_there_in_tables,
	calls_without_stacks_are_there)
