/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flame graphs as pictures: what stands in their SVG. */
#include "view/flame.h"

#include "metric_program.h"
#include "view/compare.h"
#include "view_support.h"

#include <inttypes.h>

/* The picture of EXPERIMENT that REQUEST asks for, as a new string. */
static char *draw(struct prof_experiment *experiment, const struct prof_picture_request *request)
{
	const struct prof_filter filter = {0};
	struct prof_text text = {0};
	struct prof_sheet sheet;

	const struct prof_sheet_request wanted = {
		NULL, &filter, PROF_KIND_FUNCTIONS, true, PROF_WANT_ONE, 0, NULL};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &wanted, NULL));
	ck_assert_ok(prof_picture_print(&sheet, request, &text));
	prof_sheet_deinit(&sheet);
	return text.bytes;
}

static const struct prof_picture_request plain = {.max_depth = UINT64_MAX, .notes = ""};

/* The picture TEXT, which is freed, has each of the PARTS, up to NULL. */
static void check_parts(char *text, const char *const *parts)
{
	for (; *parts; parts++)
		ck_assert_msg(strstr(text, *parts) != NULL, "%s is not in %.3000s", *parts,
			strstr(text, "</style>"));
	free(text);
}

/* How often PART is in TEXT. */
static int count(const char *text, const char *part)
{
	int found = 0;

	for (; (text = strstr(text, part)); text++)
		found++;
	return found;
}

START_TEST(boxes_have_names_figures_and_places)
{
	struct prof_experiment *experiment = experiment_of("main;work 3\nmain 1\n", false);

	check_parts(draw(experiment, &plain),
		(const char *[]){"<g><title>&lt;Total&gt;\n4 samples, 100.00 %</title>"
				 "<rect class=\"c0 s2\" x=\"10\" y=\"76\" width=\"1180\" "
				 "height=\"17\"/>",
			"<g><title>main\n4 samples, 100.00 %; itself 1 sample\n&lt;Unknown&gt;"
			"</title><rect class=\"c1 s1\" x=\"10\" y=\"94\" width=\"1180\" "
			"height=\"17\"/><text x=\"13\" y=\"106\">main</text></g>",
			"<g><title>work\n3 samples, 75.00 %; itself 3 samples\n&lt;Unknown&gt;"
			"</title><rect class=\"c1 s1\" x=\"10\" y=\"112\" width=\"885\" "
			"height=\"17\"/><text x=\"13\" y=\"124\">work</text></g>",
			"width=\"1200\" height=\"148\"", NULL});
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(names_are_cut_where_there_is_no_room)
{
	struct prof_experiment *experiment = experiment_of(
		"m 920\napp::Grid<int>::total(int) 70\na_very_long_name_of_c 6\nno_room 4\n",
		false);

	check_parts(draw(experiment, &plain),
		(const char *[]){"data-base=\"total\"><title>app::Grid&lt;int&gt;::total(int)\n",
			">total</text>", "<title>a_very_long_name_of_c\n", "<title>no_room\n",
			NULL});
	char *text = draw(experiment, &plain);
	ck_assert_int_eq(count(text, "no_room"), 1);
	ck_assert_int_eq(count(text, " thin"), 0);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

/* Load objects have colours, the one with the largest area the first; what is not known has its
 * own. */
START_TEST(load_objects_have_colors)
{
	struct prof_experiment *experiment = program_create();

	check_parts(draw(experiment, &plain),
		(const char *[]){"<rect class=\"c1\" x=\"10\" y=\"78\"", ">prog</text>",
			">libq.so</text>", "<rect class=\"c10\" x=", ">&lt;Unknown&gt;</text>",
			NULL});
	prof_experiment_destroy(experiment);
}
END_TEST

/* A load object more than there are colours: the last two are "others". */
START_TEST(objects_beyond_the_colors_are_others)
{
	struct prof_experiment *experiment = experiment_of_namesakes();
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	for (int i = 0; i < 9; i++) {
		struct prof_sample sample = {0};
		uint32_t module, function, frame;
		char path[32];
		snprintf(path, sizeof path, "/lib/lib%d.so", i);
		ck_assert_ok(prof_experiment_module(experiment, path, "", &module));
		ck_assert_ok(prof_experiment_function(experiment, "f", 1, module, &function));
		ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
		ck_assert_ok(prof_experiment_path(experiment, 0, frame, &sample.path));
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	char *text = draw(experiment, &plain);
	/* One stands in the legend. */
	ck_assert_int_eq(count(text, "<rect class=\"c9"), 3);
	ck_assert_int_eq(count(text, ">lib6.so</text>"), 1);
	ck_assert_int_eq(count(text, ">lib7.so</text>"), 0);
	ck_assert_int_eq(count(text, ">others</text>"), 1);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(says_what_is_left_out)
{
	struct prof_experiment *experiment =
		experiment_of("m;a 19999\nm;b 1\nm;a;c 10000\n", false);
	const struct prof_picture_request request = {.max_depth = 1, .notes = "One & all.\nTwo.\n"};

	check_parts(draw(experiment, &request),
		(const char *[]){">One &amp; all.</text>", ">Two.</text>",
			">Left out: 1 box deeper than 1, with all below: 33.33 % of all.</text>",
			">Left out: 1 box narrower than 0.1 pixels, with all below: 0.00 % of "
			"all.<",
			NULL});
	char *text = draw(experiment, &plain);
	ck_assert_int_eq(count(text, "deeper"), 0);
	ck_assert_int_eq(count(text, "<title>b"), 0);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(inverted_the_leaves_stand_above)
{
	struct prof_experiment *experiment = experiment_of("main;work 3\nmain 1\n", false);
	const struct prof_picture_request request = {
		.inverted = true, .max_depth = UINT64_MAX, .notes = ""};

	check_parts(draw(experiment, &request),
		(const char *[]){"<title>work\n3 samples, 75.00 %\n&lt;Unknown&gt;</title>"
				 "<rect class=\"c1 s1\" x=\"10\" y=\"94\" width=\"885\"",
			"<title>main\n3 samples, 75.00 %\n&lt;Unknown&gt;</title>"
			"<rect class=\"c1 s1\" x=\"10\" y=\"112\" width=\"885\"",
			"<title>main\n1 sample, 25.00 %\n&lt;Unknown&gt;</title>"
			"<rect class=\"c1 s1\" x=\"895\" y=\"94\" width=\"295\"",
			">Inverted: above", NULL});
	prof_experiment_destroy(experiment);
}
END_TEST

/* In main there are 10 samples of user time, and 5 of system time. */
START_TEST(states_have_colors_and_shares)
{
	struct prof_experiment *experiment = program_create();
	const struct prof_picture_request request = {
		.color = PROF_COLOR_STATE, .max_depth = UINT64_MAX, .notes = ""};

	check_parts(draw(experiment, &request),
		(const char *[]){
			"<title>&lt;Total&gt;\n16 samples, 100.00 %\nuser 68.75 %, system 31.25 %"
			"</title><rect class=\"c11\" x=\"10\" y=\"98\" width=\"1180\" "
			"height=\"17\"/><rect class=\"part c11\" x=\"10\" y=\"112\" "
			"width=\"811.25\" height=\"3\"/><rect class=\"part c12\" x=\"821.25\" "
			"y=\"112\" width=\"368.75\" height=\"3\"/>",
			"<title>work\n5 samples, 31.25 %\nsystem 100.00 %\nprog</title>"
			"<rect class=\"c12\" x=\"747.5\" y=\"134\" width=\"368.75\" "
			"height=\"17\"/><text",
			">user</text>", ">system</text>", NULL});
	char *text = draw(experiment, &request);
	ck_assert_int_eq(count(text, ">lock</text>"), 0);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

/* How BEFORE and AFTER differ, as a new string. */
static char *draw_difference(const char *before, const char *after, bool normalize)
{
	struct prof_experiment *a = experiment_of(before, false), *b = experiment_of(after, false);
	const struct prof_choice choice = {0};
	const struct prof_compare_request compare = {
		.experiments = {a, b},
		.files = {"/tmp/<one>", "two"},
		.normalize = normalize,
		.choice = &choice,
	};
	struct prof_text text = {0};

	ck_assert_ok(prof_picture_compare(&compare, &plain, NULL, &text));
	prof_experiment_destroy(a);
	prof_experiment_destroy(b);
	return text.bytes;
}

START_TEST(differences_are_as_wide_as_both_together)
{
	static const char before[] = "m;old 20\nm;same 10\nm;less 10\n";
	static const char after[] = "m;new 40\nm;same 10\nm;less 5\nm;tiny 5\n";

	check_parts(draw_difference(before, after, false),
		(const char *[]){"<title>&lt;one&gt;, then two: Samples</title>",
			"<title>m\nA: 40 samples, 100.00 %; B: 60 samples, 100.00 %; B - A: +20 "
			"samples\n&lt;Unknown&gt;</title><rect class=\"c23\" x=\"10\"",
			"<title>new\nA: 0 samples, 0.00 %; B: 40 samples, 66.67 %; B - A: +40 "
			"samples\n&lt;Unknown&gt;</title><rect class=\"c26\" x=\"10\" y=\"134\" "
			"width=\"472\"",
			"B - A: -20 samples\n&lt;Unknown&gt;</title><rect class=\"c18\" x=\"482\"",
			"B - A: 0 samples\n&lt;Unknown&gt;</title><rect class=\"c22\"",
			"B - A: -5 samples\n&lt;Unknown&gt;</title><rect class=\"c21\"",
			">A: /tmp/&lt;one&gt;; Samples: 40.</text>", ">B: two; Samples: 60.</text>",
			">only in A</text>", ">the same</text>", ">more in B</text>", NULL});
	check_parts(draw_difference(before, after, true),
		(const char *[]){"B - A: +66.67 %\n&lt;Unknown&gt;</title><rect class=\"c26\" "
				 "x=\"10\" y=\"134\" width=\"393.333333\"",
			">All values are percent of the total on their side.</text>", NULL});
}
END_TEST

START_TEST(differences_may_be_of_nothing)
{
	check_parts(draw_difference("m;a 0\n", "m;a 4\n", true),
		(const char *[]){"<title>a\nA: 0 samples, 0.00 %; B: 4 samples, 100.00 %", NULL});
	check_parts(draw_difference("m;a 0\n", "m;b 0\n", true),
		(const char *[]){"<title>&lt;Total&gt;\nA: 0 samples, 0.00 %; B: 0 samples", NULL});
}
END_TEST

/* Lanes have titles, marks their lines and labels, and there is a scale. */
START_TEST(charts_have_lanes_marks_and_a_scale)
{
	struct prof_experiment *experiment = program_create();
	const struct prof_picture_request request = {
		.chart = true, .max_depth = UINT64_MAX, .notes = ""};

	experiment->recording.rate_asked = 1;
	add_mark(experiment, 0, "<start>");
	add_mark(experiment, 1000000000, "a label that is too long for so little room");
	add_mark(experiment, 2000000000, "two");
	add_mark(experiment, 3950000000, "the end");
	check_parts(draw(experiment, &request),
		(const char *[]){
			"<g class=\"top\"><title>main\n3.000000 s from 0.000000 s; 10 samples, "
			"62.50 %\nprog</title><rect class=\"c1 s1\" x=\"10\" y=\"170\" "
			"width=\"885\" height=\"17\"/><text x=\"13\" y=\"182\">main</text>",
			"<text class=\"lane\" x=\"10\" y=\"164\">main (11)</text>",
			"<g><title>&lt;start&gt;\nmark at 0.000000 s</title><line x1=\"10\" "
			"y1=\"98\" x2=\"10\" y2=\"332\"/><text x=\"13\" y=\"110\">&lt;start&gt;"
			"</text></g>",
			"<text x=\"308\" y=\"110\">a label that is too long for so little…</text>",
			"<text x=\"603\" y=\"110\">two</text>",
			"<text x=\"1172.25\" y=\"110\" text-anchor=\"end\">the end</text>",
			"data-begin=\"0\" data-span=\"4\" data-unit=\"s\" data-y=\"129\">\n"
			"<text x=\"10\" y=\"129\">0 s</text>\n"
			"<text x=\"157.5\" y=\"129\">0.5 s</text>\n",
			"<text x=\"1190\" y=\"129\" text-anchor=\"end\">4 s</text>",
			">Over time, thread by thread", NULL});
	prof_experiment_destroy(experiment);
	experiment = experiment_of("m;b 1\nm;a 2\n", false);
	add_mark(experiment, 0, "unseen");
	check_parts(draw(experiment, &request),
		(const char *[]){"data-span=\"3\" data-unit=\"samples\" data-y=\"89\"",
			">In order, thread by thread", NULL});
	char *text = draw(experiment, &request);
	ck_assert_int_eq(count(text, "unseen"), 0);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(names_are_text)
{
	struct prof_experiment *experiment = experiment_of("</title><script>x\"]]> 1\n", false);
	char *text = draw(experiment, &plain);

	ck_assert_int_eq(count(text, "<script>"), 1);
	ck_assert_int_eq(count(text, "]]>"), 1);
	ck_assert_int_eq(count(text, "&lt;/title&gt;&lt;script&gt;x&quot;]]&gt;"), 2);
	free(text);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("picture", boxes_have_names_figures_and_places, names_are_cut_where_there_is_no_room,
	load_objects_have_colors, objects_beyond_the_colors_are_others, says_what_is_left_out,
	inverted_the_leaves_stand_above, states_have_colors_and_shares,
	differences_are_as_wide_as_both_together, differences_may_be_of_nothing,
	charts_have_lanes_marks_and_a_scale, names_are_text)
