/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/svg_draw.h"

#include "base/text.h"
#include "model/experiment.h"
#include "operations.h"
#include "picture/chart.h"
#include "picture/svg.h"
#include "suite.h"

#include <string.h>

/* What is drawn of a chart with COUNT arrows. */
static void draw(size_t count, struct prof_text *text)
{
	static struct prof_arrow arrow = {
		.send = 0, .receive = 1, .from = 1, .to = 3, .begin = 0.25, .end = 0.5};
	const struct prof_paint paint = {0};
	struct prof_chart chart = {.timed = true};
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	operate_message(PROF_OPERATION_SEND, 0, 1, 1000000, 2000000);
	operate_message(PROF_OPERATION_RECEIVE, 1, 0, 1000000, 3000000);
	experiment->operations.items = operations;
	experiment->operations.count = operation_count;
	chart.arrows.items = &arrow;
	chart.arrows.count = count;
	const struct prof_svg svg = {.names = experiment, .chart = &chart, .paint = &paint};
	prof_svg_arrows(&svg, text);
	experiment->operations.items = NULL;
}

START_TEST(an_arrow_leads_from_the_sender_to_the_receiver)
{
	AUTO_TEXT struct prof_text text = {0};

	draw(1, &text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text),
		"<g><title>rank 0 to rank 1: 8 bytes, tag 1\n"
		"sent at 0.001000 s, received at 0.003000 s</title>"
		"<line x1=\"305\" y1=\"121\" x2=\"600\" y2=\"157\"/></g>"));
}
END_TEST

START_TEST(without_messages_nothing_is_drawn)
{
	AUTO_TEXT struct prof_text text = {0};

	draw(0, &text);
	ck_assert_str_eq(prof_text_get(&text), "");
}
END_TEST

RUN_TESTS("arrows_svg", an_arrow_leads_from_the_sender_to_the_receiver,
	without_messages_nothing_is_drawn)
