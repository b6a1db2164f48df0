/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the boxes of flame graphs are laid out. */
#include "picture/boxes.h"

#include "metric_stacks.h"

#include "base/text.h"

enum { DEEP = 50000 };

/* The boxes as text: "NAME ROW BEGIN+WIDTH VALUES own OWN", in percent. */
static char *describe(const struct stacks *stacks, const struct prof_boxes *boxes)
{
	struct prof_text text = {0};
	char value[PROF_VALUE_TEXT];

	for (size_t i = 0; i < boxes->items.count; i++) {
		const struct prof_box *box = &boxes->items.items[i];
		prof_text_print(&text, "%s %u %.4g+%.4g",
			box->function == PROF_NONE ? "-" : stacks->names[box->function], box->row,
			100 * box->begin, 100 * box->width);
		for (size_t j = 0; j < boxes->layers; j++)
			prof_text_print(&text, " %s",
				prof_value_print(prof_boxes_values(boxes, i)[j], 1, value));
		prof_text_print(&text, " own %s\n", prof_value_print(box->own, 1, value));
	}
	return text.bytes;
}

/* What REQUEST asks for of STACKS is EXPECTED; LAYERS is one, of their values, unless given. */
static void check(struct stacks *stacks, struct prof_boxes_request request,
	const struct prof_layers *layers, const char *expected)
{
	const struct prof_profile *profile = stacks_profile(stacks);
	const struct prof_layers one = {1, {profile->self}, {1}};
	struct prof_boxes boxes;

	request.tree = &profile->tree;
	request.layers = layers ? layers : &one;
	ck_assert_ok(prof_boxes_init(&boxes, &request, NULL));
	char *text = describe(stacks, &boxes);
	ck_assert_str_eq(text, expected);
	free(text);
	prof_boxes_deinit(&boxes);
}

static void add(struct stacks *stacks)
{
	stacks_add(stacks, "main a x", prof_value_of(10));
	stacks_add(stacks, "main b x", prof_value_of(20));
	stacks_add(stacks, "main b", prof_value_of(5));
	stacks_add(stacks, "main a y", prof_value_of(30));
	stacks_add(stacks, "other x", prof_value_of(35));
}

START_TEST(callers_stand_above_and_the_widest_first)
{
	AUTO_STACKS struct stacks stacks = {0};

	add(&stacks);
	check(&stacks, (struct prof_boxes_request){.max_depth = UINT64_MAX}, NULL,
		"- 0 0+100 100 own 0\n"
		"main 1 0+65 65 own 0\n"
		"a 2 0+40 40 own 0\n"
		"y 3 0+30 30 own 30\n"
		"x 3 30+10 10 own 10\n"
		"b 2 40+25 25 own 5\n"
		"x 3 40+20 20 own 20\n"
		"other 1 65+35 35 own 0\n"
		"x 2 65+35 35 own 35\n");
}
END_TEST

START_TEST(inverted_leaves_stand_above)
{
	AUTO_STACKS struct stacks stacks = {0};

	add(&stacks);
	check(&stacks, (struct prof_boxes_request){.inverted = true, .max_depth = UINT64_MAX}, NULL,
		"- 0 0+100 100 own 0\n"
		"x 1 0+65 65 own 0\n"
		"other 2 0+35 35 own 35\n"
		"b 2 35+20 20 own 0\n"
		"main 3 35+20 20 own 20\n"
		"a 2 55+10 10 own 0\n"
		"main 3 55+10 10 own 10\n"
		"y 1 65+30 30 own 0\n"
		"a 2 65+30 30 own 0\n"
		"main 3 65+30 30 own 30\n"
		"b 1 95+5 5 own 0\n"
		"main 2 95+5 5 own 5\n");
}
END_TEST

START_TEST(recursion_is_boxes_below_each_other)
{
	for (int inverted = 0; inverted < 2; inverted++) {
		AUTO_STACKS struct stacks stacks = {0};
		stacks_add(&stacks, "f f", prof_value_of(1));
		stacks_add(&stacks, "f", prof_value_of(1));
		check(&stacks,
			(struct prof_boxes_request){.inverted = inverted, .max_depth = UINT64_MAX},
			NULL,
			inverted ? "- 0 0+100 2 own 0\nf 1 0+100 2 own 1\nf 2 0+50 1 own 1\n"
				 : "- 0 0+100 2 own 0\nf 1 0+100 2 own 1\nf 2 0+50 1 own 1\n");
	}
}
END_TEST

START_TEST(layers_add_up_to_widths_by_their_scales)
{
	AUTO_STACKS struct stacks stacks = {0};
	prof_value other[] = {0, prof_value_of(1), prof_value_of(4), prof_value_of(5)};

	stacks_add(&stacks, "a", prof_value_of(50));
	stacks_add(&stacks, "b", 0);
	stacks_add(&stacks, "c", prof_value_of(50));
	const struct prof_profile *profile = stacks_profile(&stacks);
	const struct prof_layers layers = {2, {profile->self, other}, {.01, .1}};
	struct prof_boxes boxes;
	const struct prof_boxes_request request = {
		.tree = &profile->tree, .layers = &layers, .max_depth = UINT64_MAX};
	ck_assert_ok(prof_boxes_init(&boxes, &request, NULL));
	char *text = describe(&stacks, &boxes);
	ck_assert_str_eq(text,
		"- 0 0+100 100 10 own 0\nc 1 0+50 50 5 own 55\na 1 50+30 50 1 own 51\n"
		"b 1 80+20 0 4 own 4\n");
	free(text);
	prof_boxes_deinit(&boxes);
}
END_TEST

/* Of STACKS what is cut is so many boxes, of so many percent. */
static void check_cut(bool inverted, uint64_t max_depth, double narrowest, size_t narrow,
	double narrow_percent, size_t deep, double deep_percent)
{
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_boxes boxes;

	add(&stacks);
	const struct prof_profile *profile = stacks_profile(&stacks);
	const struct prof_layers layers = {1, {profile->self}, {1}};
	const struct prof_boxes_request request = {
		&profile->tree, &layers, inverted, max_depth, narrowest};
	ck_assert_ok(prof_boxes_init(&boxes, &request, NULL));
	ck_assert_uint_eq(boxes.narrow.boxes, narrow);
	ck_assert_double_eq_tol(100 * boxes.narrow.share, narrow_percent, 1e-9);
	ck_assert_uint_eq(boxes.deep.boxes, deep);
	ck_assert_double_eq_tol(100 * boxes.deep.share, deep_percent, 1e-9);
	for (size_t i = 0; i < boxes.items.count; i++) {
		ck_assert_uint_le(boxes.items.items[i].row, max_depth + 1);
		ck_assert_double_ge(boxes.items.items[i].width, narrowest);
	}
	ck_assert_uint_eq(boxes.rows, max_depth < 2 ? max_depth + 2 : 4);
	prof_boxes_deinit(&boxes);
}

START_TEST(what_is_cut_is_counted)
{
	check_cut(false, 5, 0, 0, 0, 0, 0);
	check_cut(false, 5, .2, 1, 10, 0, 0);
	check_cut(false, 5, .3, 2, 35, 0, 0);
	check_cut(false, 0, 0, 0, 0, 3, 100);
	check_cut(false, 1, 0, 0, 0, 3, 60);
	check_cut(true, 5, .2, 2, 15, 0, 0);
	check_cut(true, 0, 0, 0, 0, 5, 100);
}
END_TEST

START_TEST(what_has_no_value_has_no_box)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_add(&stacks, "main a", 0);
	check(&stacks, (struct prof_boxes_request){.max_depth = UINT64_MAX}, NULL,
		"- 0 0+100 0 own 0\n");
}
END_TEST

/* Each level of a deep stack has a box, as wide as all of it. */
START_TEST(stacks_may_be_deep)
{
	static uint32_t functions[DEEP];

	for (int inverted = 0; inverted < 2; inverted++) {
		AUTO_STACKS struct stacks stacks = {0};
		struct prof_boxes boxes;
		stacks_push(&stacks, functions, DEEP, PROF_VALUE_ONE);
		const struct prof_profile *profile = stacks_profile(&stacks);
		const struct prof_layers layers = {1, {profile->self}, {1}};
		const struct prof_boxes_request request = {
			&profile->tree, &layers, inverted, UINT64_MAX, .5};
		ck_assert_ok(prof_boxes_init(&boxes, &request, NULL));
		ck_assert_uint_eq(boxes.items.count, DEEP + 1);
		ck_assert_uint_eq(boxes.rows, DEEP + 1);
		prof_boxes_deinit(&boxes);
	}
}
END_TEST

/* Whatever the stacks are, what a row has is what the row below it has, and what ends there. */
START_TEST(boxes_lie_within_those_above_them)
{
	for (uint64_t seed = 1; seed < 200; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		struct prof_boxes boxes;
		stacks_add_random(&stacks, seed);
		const struct prof_profile *profile = stacks_profile(&stacks);
		const struct prof_layers layers = {1, {profile->self}, {1}};
		const struct prof_boxes_request request = {
			&profile->tree, &layers, seed % 2, UINT64_MAX, 0};
		ck_assert_ok(prof_boxes_init(&boxes, &request, NULL));
		const struct prof_box *items = boxes.items.items;
		prof_value own = 0;
		for (size_t i = 0; i < boxes.items.count; i++) {
			size_t above = i;
			own += items[i].own;
			while (above && items[above].row >= items[i].row)
				above--;
			ck_assert_double_ge(items[i].begin, items[above].begin - 1e-9);
			ck_assert_double_le(items[i].begin + items[i].width,
				items[above].begin + items[above].width + 1e-9);
		}
		/* Stacks without a function end in no box. */
		ck_assert(own + profile->self[0] * (seed % 2) == profile->inclusive[0]);
		prof_boxes_deinit(&boxes);
	}
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

START_TEST(laying_out_can_be_given_up)
{
	AUTO_STACKS struct stacks stacks = {0};
	const struct prof_progress progress = {refuse, NULL};
	struct prof_boxes boxes;

	add(&stacks);
	const struct prof_profile *profile = stacks_profile(&stacks);
	const struct prof_layers layers = {1, {profile->self}, {1}};
	const struct prof_boxes_request request = {&profile->tree, &layers, false, UINT64_MAX, 0};
	ck_assert_error(prof_boxes_init(&boxes, &request, &progress), "Interrupted");
	prof_boxes_deinit(&boxes);
}
END_TEST

RUN_TESTS("boxes", callers_stand_above_and_the_widest_first, inverted_leaves_stand_above,
	recursion_is_boxes_below_each_other, layers_add_up_to_widths_by_their_scales,
	what_is_cut_is_counted, what_has_no_value_has_no_box, stacks_may_be_deep,
	boxes_lie_within_those_above_them, laying_out_can_be_given_up)
