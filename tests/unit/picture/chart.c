/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts: boxes over time. */
#include "picture/chart.h"

#include "metric_program.h"
#include "view_calls.h"

#include <inttypes.h>

/* What is asked of a chart in a test. */
struct wanted {
	const char *metric;
	struct prof_filter filter;
	struct prof_chart_request request;
};

static const struct wanted all = {.metric = "samples", .request.max_depth = UINT64_MAX};

static void lay_out(
	struct prof_experiment *experiment, const struct wanted *wanted, struct prof_chart *chart)
{
	struct prof_sheet sheet;

	const struct prof_sheet_request request = {wanted->metric, &wanted->filter,
		PROF_KIND_FUNCTIONS, true, PROF_WANT_NOTHING, 0, NULL};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	ck_assert_ok(prof_chart_init(chart, &sheet, &wanted->request));
	prof_sheet_deinit(&sheet);
}

/* CHART of &wanted as text: its width, then "ROW NAME BEGIN+LENGTH VALUE" of each box. */
static char *describe(const struct prof_experiment *experiment, const struct wanted *wanted,
	const struct prof_chart *chart)
{
	struct prof_text text = {0};
	char value[PROF_VALUE_TEXT];
	double unit = chart->timed ? PROGRAM_SECOND : 1;
	int64_t units = strcmp(wanted->metric, "wall") ? 1 : PROGRAM_SECOND;

	prof_text_print(&text, "%.4g+%.4g %s\n", chart->begin / unit, chart->span / unit,
		chart->timed ? "s" : "units");
	for (size_t i = 0; i < chart->boxes.items.count; i++) {
		const struct prof_box *box = &chart->boxes.items.items[i];
		prof_text_print(&text, "%" PRIu32 "%s %s %.4g+%.4g %s\n", box->row,
			box->top ? "^" : "",
			box->function == PROF_NONE
				? "-"
				: prof_experiment_function_name(experiment, box->function),
			box->begin * chart->span / unit, box->width * chart->span / unit,
			prof_value_print(*prof_boxes_values(&chart->boxes, i), units, value));
	}
	for (size_t i = 0; i < chart->lanes.count; i++)
		prof_text_print(&text, "lane %" PRIu32 " of %" PRId64 "\n",
			chart->lanes.items[i].row,
			prof_experiment_thread_row(experiment, chart->lanes.items[i].thread).id);
	return text.bytes;
}

/* The chart of EXPERIMENT, which is destroyed, is EXPECTED. */
static void check(
	struct prof_experiment *experiment, const struct wanted *wanted, const char *expected)
{
	struct prof_chart chart;

	lay_out(experiment, wanted, &chart);
	check_text(describe(experiment, wanted, &chart), expected);
	prof_chart_deinit(&chart);
	prof_experiment_destroy(experiment);
}

START_TEST(calls_are_boxes_when_they_were)
{
	const struct wanted wall = {.metric = "wall", .request.max_depth = UINT64_MAX};

	check(experiment_of_calls(NESTED_CALLS), &wall,
		"0+16 s\n0 - 0+16 16\n2^ f 0+16 16\n3 g 1+9 9\n4 h 3+3 3\nlane 1 of 0\n");
}
END_TEST

START_TEST(calls_without_times_follow_each_other)
{
	check(experiment_of_calls(REPEATED_CALLS), &all,
		"0+60 units\n0 - 0+60 60\n2^ f 0+60 60\n3 g 0+10 10\n3 h 10+10 10\n3 g 20+15 15\n"
		"lane 1 of 0\n");
}
END_TEST

START_TEST(threads_have_lanes)
{
	check(experiment_of_calls("thread 7\ncall a 0 0\ncall b 1 1\nthread 9\ncall c 5 2\n"
				  "thread 7\nret 2 2\nret 3 3\ncall a 3 3\nret 4 4\nthread 9\n"
				  "ret 9 6\n"),
		&all,
		"0+6 s\n0 - 0+6 8\n2^ a 0+3 3\n3 b 1+1 1\n2^ a 3+1 1\n5^ c 2+4 4\nlane 1 of 7\n"
		"lane 4 of 9\n");
}
END_TEST

/* Samples share the boxes of what they have in common, as long as there is no gap. */
START_TEST(samples_are_joined)
{
	struct prof_experiment *experiment = experiment_of("m;b 1\nm;a 2\nm;a 3\nn;a 4\n", true);

	for (int i = 0; i < 4; i++)
		set_time(experiment, i, (const int64_t[]){1, 3, 6, 20}[i] * 1000000);
	make_sampled(experiment);
	experiment->recording.rate_asked = 1000;
	check(experiment, &all,
		"0+0.02 s\n0 - 0+0.02 4\n2^ m 0+0.006 3\n3 b 0+0.001 1\n"
		"3 a 0.001+0.005 2\n2^ n 0.016+0.004 1\n"
		"3 a 0.016+0.004 1\nlane 1 of 1\n");
}
END_TEST

START_TEST(all_kinds_of_stacks_are_drawn)
{
	struct prof_experiment *experiment = program_create();
	const struct wanted wall = {.metric = "wall", .request.max_depth = UINT64_MAX};

	experiment->recording.rate_asked = 1;
	check(experiment, &wall,
		"0+4 s\n0 - 0+4 23\n2^ main 0+3 17\n3 qsort 0+1 10\n4 compare 0+1 10\n"
		"5 qsort 0+1 10\n6 compare 0+1 10\n3 <Unknown> 1+2 7\n8^ main 0+2 5\n9 work 0+2 5\n"
		"10 inl 0+2 5\n8^ <Unknown> 3+1 1\nlane 1 of 11\nlane 7 of 12\n");
}
END_TEST

START_TEST(filters_leave_gaps_and_narrow_the_width)
{
	struct wanted wanted = {.metric = "wall", .request.max_depth = UINT64_MAX};
	struct prof_experiment *experiment = program_create();

	experiment->recording.rate_asked = 1;
	wanted.filter.values[PROF_CONDITION_TIME] = "3s-";
	check(experiment, &wanted,
		"1+3 s\n0 - 0+3 8\n2^ main 0+2 7\n3 <Unknown> 0+2 7\n5^ <Unknown> 2+1 1\n"
		"lane 1 of 11\nlane 4 of 12\n");
	wanted.filter = (struct prof_filter){.values = {[PROF_CONDITION_LEAF] = "h"}};
	check(experiment_of_calls(NESTED_CALLS), &wanted,
		"0+16 s\n0 - 0+16 3\n2^ f 0+16 3\n3 g 1+9 3\n4 h 3+3 3\nlane 1 of 0\n");
	wanted.filter = (struct prof_filter){.values = {[PROF_CONDITION_LEAF] = "f"}};
	check(experiment_of_calls(NESTED_CALLS), &wanted,
		"0+16 s\n0 - 0+16 7\n2^ f 0+16 7\nlane 1 of 0\n");
}
END_TEST

START_TEST(what_is_cut_is_counted)
{
	struct wanted wanted = all;
	struct prof_experiment *experiment = experiment_of_calls(NESTED_CALLS);
	struct prof_chart chart;

	wanted.request.max_depth = 0;
	lay_out(experiment, &wanted, &chart);
	check_text(describe(experiment, &wanted, &chart),
		"0+16 s\n0 - 0+16 160\n2^ f 0+16 160\nlane 1 of 0\n");
	ck_assert_uint_eq(chart.boxes.deep.boxes, 1);
	ck_assert_double_eq_tol(chart.boxes.deep.share, 9. / 16, 1e-9);
	ck_assert_uint_eq(chart.boxes.rows, 3);
	prof_chart_deinit(&chart);
	wanted = all;
	wanted.request.narrowest = .3;
	lay_out(experiment, &wanted, &chart);
	check_text(describe(experiment, &wanted, &chart),
		"0+16 s\n0 - 0+16 160\n2^ f 0+16 160\n3 g 1+9 90\nlane 1 of 0\n");
	ck_assert_uint_eq(chart.boxes.narrow.boxes, 1);
	ck_assert_double_eq_tol(chart.boxes.narrow.share, 3. / 16, 1e-9);
	prof_chart_deinit(&chart);
	/* What is in a box that is cut does not count again. */
	wanted.request.narrowest = .6;
	lay_out(experiment, &wanted, &chart);
	ck_assert_uint_eq(chart.boxes.narrow.boxes, 1);
	ck_assert_double_eq_tol(chart.boxes.narrow.share, 9. / 16, 1e-9);
	prof_chart_deinit(&chart);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(states_are_layers)
{
	struct wanted wanted = {
		.metric = "wall", .request = {.color = PROF_COLOR_STATE, .max_depth = UINT64_MAX}};
	struct prof_experiment *experiment = program_create();
	struct prof_chart chart;

	lay_out(experiment, &wanted, &chart);
	const prof_value *values = prof_boxes_values(&chart.boxes, 0);
	const int expected[PROF_STATES] = {11, 5, 0, 7, 0, 0, 0};
	for (int i = 0; i < PROF_STATES; i++)
		ck_assert(values[i] == prof_value_of(expected[i] * (int64_t)PROGRAM_SECOND));
	prof_chart_deinit(&chart);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(nothing_is_an_empty_chart)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	check(experiment, &all, "0+1 units\n0 - 0+1 0\n");
	check(experiment_of("m 0\n", false), &all, "0+1 units\n0 - 0+1 0\n");
}
END_TEST

/* A number below LIMIT, the same ones for the same *SEED. */
static uint32_t random_below(uint64_t *seed, uint32_t limit)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % limit;
}

/* An experiment of random samples: of two threads, some at one time, some of no length. */
static struct prof_experiment *random_experiment(uint64_t seed)
{
	struct prof_experiment *experiment = program_create();
	uint32_t count = 1 + random_below(&seed, 60);
	int64_t time = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct prof_sample sample = {.thread = random_below(&seed, 2),
			.path = random_below(&seed, (uint32_t)experiment->paths.count),
			.time = time,
			.state = (uint8_t)random_below(&seed, PROF_STATES)};
		prof_value values[PROF_QUANTITIES] = {
			[PROF_QUANTITY_SAMPLES] = prof_value_of(random_below(&seed, 3))};
		values[PROF_QUANTITY_SPENT + sample.state] =
			prof_value_of(random_below(&seed, 3) * INT64_C(700000000));
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
		time += random_below(&seed, 3) * INT64_C(500000000);
	}
	experiment->recording.rate_asked = random_below(&seed, 2);
	return experiment;
}

/* Whatever the samples are, boxes lie within those above them, and are not narrower than asked. */
START_TEST(boxes_lie_within_those_above_them)
{
	for (uint64_t seed = 1; seed < 300; seed++) {
		struct prof_experiment *experiment = random_experiment(seed);
		const struct wanted wanted = {.metric = seed % 3 ? "wall" : "samples",
			.request = {.color = seed % 2 ? PROF_COLOR_STATE : PROF_COLOR_OBJECT,
				.max_depth = seed % 5 ? UINT64_MAX : 2,
				.narrowest = .02}};
		struct prof_chart chart;
		lay_out(experiment, &wanted, &chart);
		const struct prof_box *items = chart.boxes.items.items;
		for (size_t i = 1; i < chart.boxes.items.count; i++) {
			size_t above = i - 1;
			while (items[above].row >= items[i].row ||
				(items[i].top && items[above].row))
				above--;
			ck_assert_double_ge(items[i].begin, items[above].begin - 1e-9);
			ck_assert_double_le(items[i].begin + items[i].width,
				items[above].begin + items[above].width + 1e-9);
			ck_assert_double_ge(items[i].width, .02);
			ck_assert_uint_lt(items[i].row, chart.boxes.rows);
			for (size_t j = 0; j < chart.boxes.layers; j++)
				ck_assert(prof_boxes_values(&chart.boxes, i)[j] <=
					prof_boxes_values(&chart.boxes, above)[j]);
		}
		prof_chart_deinit(&chart);
		prof_experiment_destroy(experiment);
	}
}
END_TEST

RUN_TESTS("chart", calls_are_boxes_when_they_were, calls_without_times_follow_each_other,
	threads_have_lanes, samples_are_joined, all_kinds_of_stacks_are_drawn,
	filters_leave_gaps_and_narrow_the_width, what_is_cut_is_counted, states_are_layers,
	nothing_is_an_empty_chart, boxes_lie_within_those_above_them)
