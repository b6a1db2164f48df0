/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the heading says of a recording, by the clock or by counters, and how its metrics are shown.
 */
#include "report/recording.h"

#include "base/time_unit.h"
#include "export/export.h"
#include "picture/chart.h"
#include "tracing/ring.h"
#include "view/compare.h"
#include "view/summary.h"
#include "view_support.h"

static const struct prof_event faults = {
	.unit = PROF_COUNTER_EVENTS, .interval = 1, .overflows = 3012};
static const struct prof_event cycles = {.unit = PROF_COUNTER_CYCLES,
	.clock = INT64_C(2000000000),
	.interval = 9999991,
	.overflows = 812,
	.lost = 12};

static uint32_t add_counter(
	struct prof_experiment *experiment, const char *name, const struct prof_event *event)
{
	uint32_t number;

	ck_assert_ok(prof_experiment_counter(experiment, name, event, &number));
	return number;
}

static void add_events(
	struct prof_experiment *experiment, const char *stack, uint32_t counter, int64_t events)
{
	prof_value values[PROF_QUANTITIES] = {0};

	values[PROF_QUANTITY_EVENT + counter] = prof_value_of(events);
	add_stack(experiment, stack, ';', values);
}

/* Nothing but counters: page faults of f and g, and 3 s of cycles, 1 s of which in g. */
static struct prof_experiment *create(void)
{
	struct prof_experiment *experiment = experiment_of("", false);
	uint32_t fault = add_counter(experiment, "page-faults", &faults);
	uint32_t cycle = add_counter(experiment, "cycles", &cycles);

	add_events(experiment, "main;f", fault, 3);
	add_events(experiment, "main;g", fault, 1);
	add_events(experiment, "main;f", cycle, INT64_C(4000000000));
	add_events(experiment, "main;g", cycle, INT64_C(2000000000));
	for (size_t i = 0; i < experiment->samples.count; i++) {
		struct prof_sample_row row = row_at(experiment, i);
		row.sample.state = i % 2 ? PROF_STATE_SYSTEM : PROF_STATE_USER;
		set_row(experiment, i, &row);
	}
	prof_experiment_check(experiment);
	return experiment;
}

/* What HEADING the text of a view of EXPERIMENT begins with. */
static void check_heading(struct prof_experiment *experiment, const char *heading)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_view_heading(experiment, &text);
	ck_assert_str_eq(prof_text_get(&text), heading);
}

START_TEST(each_counter_has_a_line)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_event other = faults;
	uint32_t imported;

	check_heading(experiment,
		"Counter page-faults: a sample each event; 3012 overflows.\n"
		"Counter cycles: a sample each 9999991 cycles; 812 overflows, 12 of which the "
		"kernel did not sample: they are in <No-stack>.\n");
	other.interval = 2;
	other.lost = 1;
	add_counter(experiment, "page-faults", &other);
	other.overflows = 1;
	add_counter(experiment, "\033[2J", &other);
	ck_assert_ok(prof_experiment_event(experiment, "imported", &imported));
	check_heading(experiment,
		"Counter page-faults: samples at intervals that differ; 6024 overflows, 1 of which "
		"the kernel did not sample: it is in <No-stack>.\n"
		"Counter cycles: a sample each 9999991 cycles; 812 overflows, 12 of which the "
		"kernel did not sample: they are in <No-stack>.\n"
		"Counter \\x1b[2J: a sample each 2 events; 1 overflow, 1 of which the kernel did "
		"not sample: it is in <No-stack>.\n");
}
END_TEST

START_TEST(counters_stand_in_the_head_of_json)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const struct prof_choice choice = {.format = PROF_FORMAT_JSON};
	char *json = show("functions", experiment, &choice);

	ck_assert_ptr_nonnull(strstr(json,
		"\"metric\": \"page-faults\", \"unit\": \"events\", \"total\": 4, \"counters\": "
		"[{\"name\": \"page-faults\", \"unit\": \"events\", \"interval\": 1, "
		"\"overflows\": 3012, \"lost\": 0}, {\"name\": \"cycles\", \"unit\": \"cycles\", "
		"\"interval\": 9999991, \"overflows\": 812, \"lost\": 12}], \"rows\""));
	free(json);
}
END_TEST

/* The view NAME of METRICS, as CSV. */
static char *csv_of(const char *name, const char *metrics, const char *state)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .metrics = metrics};

	choice.filter.values[PROF_CONDITION_STATE] = state;
	return show(name, experiment, &choice);
}

START_TEST(default_metric_is_the_first_counter)
{
	check_text(csv_of("functions", NULL, NULL),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,4,4,100,100\nf,3,3,75,75\ng,1,1,25,25\nmain,0,4,0,100\n");
	check_text(csv_of("threads", NULL, NULL),
		"thread,name,page-faults,page-faults_percent\n,<Total>,4,100\n1,main,4,100\n");
	char *phases = csv_of("phases", NULL, NULL);
	ck_assert_ptr_nonnull(strstr(phases, "phase,thread,name,page-faults"));
	free(phases);
}
END_TEST

START_TEST(cycles_are_shown_as_time_or_as_counts)
{
	check_text(csv_of("functions", "e.cycles:.cycles/count", NULL),
		"name,cycles_exclusive,cycles/count_exclusive,cycles/count_inclusive\n"
		"<Total>,3,6000000000,6000000000\nf,2,4000000000,4000000000\n"
		"g,1,2000000000,2000000000\nmain,0,0,6000000000\n");
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	struct prof_choice choice = {.metrics = "e.cycles"};
	char *text = show("functions", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(text, "cycles"));
	ck_assert_ptr_nonnull(strstr(text, "sec."));
	ck_assert_ptr_nonnull(strstr(text, "2.000"));
	free(text);
}
END_TEST

START_TEST(states_of_overflows_are_filtered)
{
	check_text(csv_of("functions", ".page-faults,e.cycles", "system"),
		"name,page-faults_exclusive,page-faults_inclusive,cycles_exclusive\n"
		"<Total>,1,1,1\ng,1,1,1\nmain,0,1,0\n");
	check_text(csv_of("functions", "e.page-faults", "user"),
		"name,exclusive\n<Total>,3\nf,3\nmain,0\n");
}
END_TEST

START_TEST(every_view_shows_counters)
{
	for (size_t i = 0; prof_views[i]; i++) {
		const struct prof_view *view = prof_views[i];
		AUTO_EXPERIMENT struct prof_experiment *experiment = create();
		AUTO_TEXT struct prof_text text = {0};
		const struct prof_choice choice = {0};
		make_single_calls(experiment);
		AUTO_ERROR struct prof_error *error =
			prof_view_print(view, experiment, &choice, NULL, &text);
		ck_assert_msg(!error, "%s: %s", view->name, prof_error_message(error));
		ck_assert_msg(!strstr(prof_text_get(&text), "Rate:"), "%s", view->name);
	}
}
END_TEST

START_TEST(metrics_of_counters_are_listed)
{
	char *text = csv_of("metrics", NULL, NULL);

	ck_assert_ptr_nonnull(strstr(text,
		"page-faults,page-faults,events,4\ncycles,cycles,sec.,3\n"
		"cycles/count,cycles,cycles,6000000000\n"));
	ck_assert_ptr_null(strstr(text, "event-"));
	free(text);
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	text = show("metrics", experiment, &(struct prof_choice){0});
	AUTO_FREE char *squeezed = squeeze(text);
	ck_assert_ptr_nonnull(strstr(squeezed, "\ncycles 3.000 sec. cycles\n"));
	free(text);
}
END_TEST

START_TEST(why_there_is_nothing_is_said_of_counters)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of("", false);
	struct prof_event none = {.unit = PROF_COUNTER_EVENTS, .interval = 1};
	struct prof_choice choice = {0};

	add_counter(experiment, "page-faults", &none);
	none.unit = PROF_COUNTER_CYCLES;
	none.interval = 9999991;
	add_counter(experiment, "cycles", &none);
	check_text(show("functions", experiment, &choice),
		"Counter page-faults: a sample each event; 0 overflows.\n"
		"Counter cycles: a sample each 9999991 cycles; 0 overflows.\n\n"
		"Counter page-faults did not overflow.\n");
	choice.metrics = "cycles";
	char *text = show("tree", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(text,
		"\n\nCounter cycles did not overflow: a sample needs 9999991 cycles of one "
		"thread.\n"));
	free(text);
	/* Those that did were all of threads that are left out. */
	prof_experiment_overflow(experiment, 0, 1, 0);
	add_events(experiment, "main", 1, 1);
	choice.metrics = "page-faults";
	text = show("tree", experiment, &choice);
	ck_assert_ptr_nonnull(strstr(text, "All values of the metric \"page-faults\" are 0.\n"));
	free(text);
}
END_TEST

START_TEST(summary_counts_overflows_where_there_is_no_clock)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	AUTO_TEXT struct prof_text text = {0};

	prof_summary_print(experiment, &text);
	ck_assert_ptr_nonnull(
		strstr(prof_text_get(&text), "3824 overflows; 1 thread, 0 marks.\nCounter page-"));
}
END_TEST

/* What FORMAT makes of METRICS, as a new string. */
static char *export(const char *name, const char *metrics)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const struct prof_filter filter = {0};
	const struct prof_export *format;
	AUTO_TEXT struct prof_text text = {0};
	AUTO_SHEET struct prof_sheet sheet = {0};

	ck_assert_ok(prof_export_find(name, &format));
	const struct prof_sheet_request request = {
		metrics, &filter, format->kind, true, format->want, format->needs, "It"};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	ck_assert_ok(format->print(&sheet, &text));
	return strdup(prof_text_get(&text));
}

/* TEXT, which is freed, has PART. */
static void check_part(char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no \"%s\" in:\n%s", part, text);
	free(text);
}

START_TEST(exports_have_counters)
{
	check_text(export("folded", NULL), "main;f 3\nmain;g 1\n");
	check_text(export("folded", "cycles"), "main;f 2000000000\nmain;g 1000000000\n");
	check_text(export("folded", "cycles/count"), "main;f 4000000000\nmain;g 2000000000\n");
	check_part(export("speedscope", "cycles"), "\"weights\":[2,1]");
	check_part(export("speedscope", NULL), "\"weights\":[3,1]");
	check_part(export("callgrind", "cycles,page-faults"), "events: cycles page-faults\n");
	check_part(export("callgrind", "cycles,page-faults"), "totals: 3000000000 4\n");
	check_part(export("firefox", "cycles"), "\"weightType\":\"tracing-ms\"");
	check_part(export("gprofng-text", "page-faults"),
		"Functions sorted by metric: Exclusive page-faults\n");
	free(export("pprof", "cycles,page-faults"));
	char *json = export("json", NULL);
	ck_assert_ptr_nonnull(strstr(json,
		"\"events\":[\n{\"name\":\"page-faults\",\"unit\":\"events\",\"clock\":0,"
		"\"interval\":1,\"overflows\":3012,\"lost\":0},\n{\"name\":\"cycles\",\"unit\":"
		"\"cycles\",\"clock\":2000000000,\"interval\":9999991,\"overflows\":812,\"lost\":12"
		"}]"));
	check_part(json, "\"event\":1,\"event_count\":4000000000}");
}
END_TEST

/* A compares with B, of which the counters have other numbers, and cycles are shorter. */
START_TEST(counters_are_compared_by_name)
{
	AUTO_EXPERIMENT struct prof_experiment *a = create();
	AUTO_EXPERIMENT struct prof_experiment *b = experiment_of("", false);
	struct prof_event fast = cycles;
	struct prof_choice choice = {.metrics = "cycles", .format = PROF_FORMAT_CSV};
	AUTO_TEXT struct prof_text text = {0};

	fast.clock *= 2;
	add_events(b, "main;g", add_counter(b, "cycles", &fast), INT64_C(4000000000));
	add_events(b, "main;f", add_counter(b, "page-faults", &faults), 2);
	const struct prof_compare_request request = {
		.experiments = {a, b}, .files = {"a", "b"}, .choice = &choice};
	ck_assert_ok(prof_compare_print(&request, NULL, &text));
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), "\nf,2,0,-2,"));
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), "\ng,1,1,0,"));
	text.length = 0;
	choice.metrics = NULL;
	choice.format = PROF_FORMAT_TEXT;
	/* The first counters are not the same. */
	ck_assert_ok(prof_compare_print(&request, NULL, &text));
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text),
		"All values of the metric \"samples\" are 0, on both sides."));
	choice.metrics = "page-faults,cycles";
	ck_assert_error(prof_compare_print(&request, NULL, &text), "one metric at a time");
	choice.metrics = "x";
	ck_assert_error(prof_compare_print(&request, NULL, &text), "There is no metric \"x\"");
	b->events.items[0].clock = 0;
	choice.metrics = "cycles";
	ck_assert_error(prof_compare_print(&request, NULL, &text),
		"The metric \"cycles\" cannot be compared: A has it in sec., and B in cycles.  Give another to --metric.");
}
END_TEST

/* Of a chart of the clock's samples overflows are no part, and of a counter's nothing else is. */
START_TEST(charts_have_overflows_of_their_counter)
{
	static const char *const metrics[] = {"page-faults", "cycles", "samples"};
	static const char *const boxes[] = {"main f g ", "main f g ", "clock "};
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = PROF_VALUE_ONE,
		[PROF_QUANTITY_SPENT] = prof_value_of(10)};

	experiment->recording.rate_asked = 100;
	add_stack(experiment, "clock", ';', values);
	for (size_t i = 0; i < experiment->samples.count; i++)
		set_time(experiment, i, 10 * (int64_t)(i + 1));
	for (size_t i = 0; i < PROF_COUNT(metrics); i++) {
		const struct prof_filter filter = {0};
		const struct prof_chart_request wanted = {.max_depth = UINT64_MAX};
		const struct prof_sheet_request request = {
			metrics[i], &filter, PROF_KIND_FUNCTIONS, true, PROF_WANT_NOTHING, 0, NULL};
		AUTO_SHEET struct prof_sheet sheet = {0};
		struct prof_chart chart;
		ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
		ck_assert_ok(prof_chart_init(&chart, &sheet, &wanted));
		AUTO_TEXT struct prof_text names = {0};
		for (size_t j = 0; j < chart.boxes.items.count; j++) {
			const struct prof_box *box = &chart.boxes.items.items[j];
			if (box->function != PROF_NONE && box->width > 0)
				prof_text_print(&names, "%s ",
					prof_experiment_function_name(experiment, box->function));
		}
		ck_assert_str_eq(prof_text_get(&names), boxes[i]);
		prof_chart_deinit(&chart);
	}
}
END_TEST

/* 10 s at 100 Hz of threads that ran for 4 s, and DELAYED s long waited for a CPU. */
static struct prof_experiment *clocked(double delayed)
{
	struct prof_experiment *experiment = experiment_of("main;f 400\n", false);
	struct prof_recording *recording = &experiment->recording;

	recording->rate_asked = recording->rate_lowest = 100;
	recording->duration = INT64_C(10) * PROF_NS_PER_SECOND;
	recording->rounds = 1000;
	recording->ticks = 400;
	recording->ticks_lost = 40;
	recording->running = INT64_C(4) * PROF_NS_PER_SECOND;
	recording->delayed = (int64_t)(delayed * PROF_NS_PER_SECOND);
	return experiment;
}

START_TEST(heading_says_that_there_are_more_threads_than_cpus)
{
	AUTO_EXPERIMENT struct prof_experiment *quiet = clocked(0.4);
	AUTO_EXPERIMENT struct prof_experiment *crowded = clocked(12);

	check_heading(quiet,
		"Rate: 100 Hz asked for, 90 Hz reached; 40 of 400 ticks lost (10.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n");
	check_heading(crowded,
		"Rate: 100 Hz asked for, 90 Hz reached; 40 of 400 ticks lost (10.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n"
		"Its busy threads waited for a CPU for 75.0 % of their time: there were more busy threads than CPUs.\n");
}
END_TEST

START_TEST(heading_says_that_the_rate_was_lowered)
{
	AUTO_EXPERIMENT struct prof_experiment *lowered = clocked(0);
	AUTO_EXPERIMENT struct prof_experiment *nearly = clocked(0);

	lowered->recording.rate_lowest = 25;
	nearly->recording.rate_lowest = 99.51;
	check_heading(lowered,
		"Rate: 100 Hz asked for, 90 Hz reached; 40 of 400 ticks lost (10.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n"
		"At times the rate was lowered to 25 Hz, as set prof max-stopped demands.\n");
	check_heading(nearly,
		"Rate: 100 Hz asked for, 90 Hz reached; 40 of 400 ticks lost (10.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n");
}
END_TEST

/* Of less CPU time than one period there is hardly a sample, whose share could be off. */
START_TEST(heading_says_that_work_is_short)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = clocked(0);
	struct prof_recording *recording = &experiment->recording;

	recording->bursts = recording->running / 2;
	check_heading(experiment,
		"Rate: 100 Hz asked for, 90 Hz reached; 40 of 400 ticks lost (10.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n"
		"For 50.0 % of the CPU time, threads ran for less than 100 us at a time: the shares of "
		"such short work, and of the waits around it, may be off by 10 percentage points or more.\n");
	recording->running = recording->bursts = PROF_NS_PER_SECOND / 200;
	check_heading(experiment,
		"Rate: 100 Hz asked for, 90 Hz reached; 40 of 400 ticks lost (10.00 %).\n"
		"The program was kept from running for 0.00 % of its time.\n");
}
END_TEST

START_TEST(heading_says_that_operations_are_missing)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of("main;f 400\n", false);

	experiment->recording.families = PROF_FAMILY_MPI;
	experiment->recording.events = 7;
	experiment->recording.operations_lost = 1;
	check_heading(experiment,
		"Traced: MPI; 7 events.\n"
		"The MPI trace is incomplete: 1 operation was not kept: some messages\n"
		"may not be matched, and some waits not found.\n");
}
END_TEST

RUN_TESTS("recording", heading_says_that_operations_are_missing,
	heading_says_that_there_are_more_threads_than_cpus, heading_says_that_the_rate_was_lowered,
	heading_says_that_work_is_short, each_counter_has_a_line,
	counters_stand_in_the_head_of_json, default_metric_is_the_first_counter,
	cycles_are_shown_as_time_or_as_counts, states_of_overflows_are_filtered,
	every_view_shows_counters, metrics_of_counters_are_listed,
	why_there_is_nothing_is_said_of_counters, summary_counts_overflows_where_there_is_no_clock,
	exports_have_counters, counters_are_compared_by_name,
	charts_have_overflows_of_their_counter)
