/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data was accessed. */
#include "view_support.h"

/* Of which an event is known. */
struct access {
	uint32_t counter;
	int64_t value;
	struct prof_data data;
};

enum { FAULTS, MISSES, CYCLES };

#define EXACT(what, place)                                                          \
	{                                                                           \
		.trigger = PROF_TRIGGER_EXACT, .access = (what), .addressed = true, \
		.address = (place)                                                  \
	}

static const struct access accesses[] = {
	{MISSES, 100,
		{.trigger = PROF_TRIGGER_FOUND,
			.access = PROF_ACCESS_LOAD,
			.skid = 2,
			.addressed = true,
			.address = 0x5048}},
	{MISSES, 100,
		{.trigger = PROF_TRIGGER_FOUND,
			.access = PROF_ACCESS_STORE,
			.skid = 1,
			.addressed = true,
			.address = 0x5070}},
	{MISSES, 100,
		{.trigger = PROF_TRIGGER_FOUND,
			.access = PROF_ACCESS_LOAD,
			.skid = 1,
			.addressed = true,
			.address = 0x5080}},
	{MISSES, 100, EXACT(PROF_ACCESS_LOAD, UINT64_C(0xffffffffff600008))},
	{MISSES, 100, {.trigger = PROF_TRIGGER_FOUND, .access = PROF_ACCESS_LOAD, .skid = 3}},
	{MISSES, 200, {.trigger = PROF_TRIGGER_UNRESOLVABLE}},
	{MISSES, 300, {.trigger = PROF_TRIGGER_UNVERIFIABLE}},
	{MISSES, 400, {.trigger = PROF_TRIGGER_UNSPECIFIED}},
	/* What was not searched for. */
	{MISSES, 500, {0}},
	{CYCLES, 1000, {0}},
	{FAULTS, 1, EXACT(PROF_ACCESS_FETCH, 0x5000)},
	{FAULTS, 1, {.trigger = PROF_TRIGGER_CALL, .addressed = true, .address = 0x5fff}},
};

static struct prof_experiment *create(void)
{
	static const char *const names[] = {"page-faults", "dcrm", "cycles"};
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		const struct prof_event event = {
			.unit = PROF_COUNTER_EVENTS, .interval = 1, .overflows = 9};
		uint32_t number;
		ck_assert_ok(prof_experiment_counter(experiment, names[i], &event, &number));
		ck_assert_uint_eq(number, i);
	}
	for (size_t i = 0; i < PROF_COUNT(accesses); i++) {
		const struct access *access = &accesses[i];
		prof_value values[PROF_QUANTITIES] = {0};
		struct prof_data data = access->data;
		values[PROF_QUANTITY_EVENT + access->counter] = prof_value_of(access->value);
		add_stack(experiment, i % 2 ? "main;odd" : "main;even", ';', values);
		data.sample = (uint32_t)i;
		if (data.trigger)
			ck_assert_ok(prof_experiment_data(experiment, &data));
	}
	prof_experiment_check(experiment);
	return experiment;
}

static char *show_data(const struct prof_choice *choice)
{
	struct prof_experiment *experiment = create();
	char *text = show("data", experiment, choice);

	prof_experiment_destroy(experiment);
	return text;
}

/* The list begins with TOTAL events, and ends in ROWS. */
static void check_csv(const struct prof_choice *choice, int total, const char *rows)
{
	AUTO_FREE char *text = show_data(choice);
	char begin[60];
	size_t length = strlen(text);

	snprintf(begin, sizeof begin, "access,address,%s\n,<Total>,%d\n", choice->metrics + 1,
		total);
	ck_assert_msg(!strncmp(text, begin, strlen(begin)), "%s", text);
	ck_assert_msg(
		length > strlen(rows) && !strcmp(text + length - strlen(rows), rows), "%s", text);
}

START_TEST(pages_are_listed_by_their_events)
{
	struct prof_choice choice = {.metrics = "+dcrm"};
	AUTO_FREE char *text = show_data(&choice);
	const char *heading =
		"Counter page-faults: a sample each event; 9 overflows.\n"
		"  Instructions: 1 named by the CPU or the kernel, 0 found by a search, 0 unknown, "
		"1 in system calls.  Data addresses: 2 of 2.\n"
		"Counter dcrm: a sample each event; 9 overflows.\n"
		"  Instructions: 2 named by the CPU or the kernel, 4 found by a search, 2 unknown."
		"  Data addresses: 4 of 8.\n"
		"  What was found is likely, not certain: it is the last such access before the "
		"sample.\n"
		"Counter cycles: a sample each event; 9 overflows.\n\n";

	ck_assert_msg(!strncmp(text, heading, strlen(heading)), "%s", text);
	/* What another counter has seen there is not said. */
	ck_assert_str_eq(text + strlen(heading),
		"  dcrm\n"
		"events  Access      Page\n"
		"  1900              <Total>\n"
		"  1500              <Unknown>\n"
		"   500               (Unascertainable)\n"
		"   300               (Unverifiable)\n"
		"   200               (Unresolvable)\n"
		"   400               (Unspecified)\n"
		"   100               (Undetermined)\n"
		"   300  load-store  0x5000\n"
		"   100  load        0xffffffffff600000\n");
}
END_TEST

START_TEST(counters_with_data_are_shown_unasked)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	check_text(show_data(&choice),
		"access,address,page-faults,dcrm,page-faults_percent,dcrm_percent\n"
		",<Total>,2,1900,100,100\n"
		",<Unknown>,0,1500,0,78.94736842105263\n"
		",(Unascertainable),0,500,0,26.31578947368421\n"
		",(Unverifiable),0,300,0,15.789473684210526\n"
		",(Unresolvable),0,200,0,10.526315789473685\n"
		",(Unspecified),0,400,0,21.05263157894737\n"
		",(Undetermined),0,100,0,5.2631578947368425\n"
		"\"load-store, fetch, system call\",0x5000,2,300,100,15.789473684210526\n"
		"load,0xffffffffff600000,0,100,0,5.2631578947368425\n");
}
END_TEST

START_TEST(lines_and_addresses_are_smaller)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .metrics = "+dcrm"};

	choice.own = choose("data", "unit=line");
	check_csv(&choice, 1900,
		"load-store,0x5040,200\nload,0x5080,100\nload,0xffffffffff600000,100\n");
	choice.own = choose("data", "unit=address");
	check_csv(&choice, 1900,
		"load,0x5048,100\nstore,0x5070,100\nload,0x5080,100\n"
		"load,0xffffffffff600008,100\n");
}
END_TEST

START_TEST(filters_and_limits_hold)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .metrics = "+dcrm"};

	choice.filter.values[PROF_CONDITION_FUNCTION] = "odd";
	check_csv(&choice, 800, "store,0x5000,100\nload,0xffffffffff600000,100\n");
	choice.own = choose("data", "limit=2");
	check_csv(&choice, 800, "store,0x5000,100\n");
	choice.filter.values[PROF_CONDITION_FUNCTION] = NULL;
	choice.own = choose("data", "limit=0 sort=name");
	check_csv(&choice, 1900, "load-store,0x5000,300\nload,0xffffffffff600000,100\n");
	choice.own = choose("data", "sort=first unit=address");
	check_csv(&choice, 1900,
		"load,0x5048,100\nstore,0x5070,100\nload,0x5080,100\n"
		"load,0xffffffffff600008,100\n");
	choice.own = choose("data", "sort=first unit=page");
	choice.metrics = "+page-faults";
	check_csv(&choice, 2, "\"fetch, system call\",0x5000,2\n");
}
END_TEST

START_TEST(what_was_not_looked_for_is_said)
{
	struct prof_choice choice = {.format = PROF_FORMAT_TEXT};
	AUTO_FREE char *text = show_lines("data", "main 3\n", false, &choice);

	ck_assert_str_eq(text,
		"No data addresses: prof-start --counter=+NAME looks for those of a counter of "
		"loads or stores.\n");
	choice.format = PROF_FORMAT_CSV;
	check_text(show_lines("data", "main 3\n", false, &choice),
		"access,address,samples,samples_percent\n,<Total>,3,100\n,<Unknown>,3,100\n"
		",(Unascertainable),3,100\n");
}
END_TEST

RUN_TESTS("data", pages_are_listed_by_their_events, counters_with_data_are_shown_unasked,
	lines_and_addresses_are_smaller, filters_and_limits_hold, what_was_not_looked_for_is_said)
