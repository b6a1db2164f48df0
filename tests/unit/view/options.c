/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of views: what each table must be, and what is parsed and refused by it. */
#include "view_support.h"

#include "view/compare.h"
#include "view/flame.h"
#include "view/gprof.h"
#include "view/options.h"
#include "view/tree.h"

/* The bytes of the member that OPTION goes into. */
static size_t size_of(const struct prof_option *option)
{
	static const size_t sizes[] = {
		[PROF_OPTION_BY_NAME] = 0,
		[PROF_OPTION_FLAG] = sizeof(bool),
		[PROF_OPTION_NUMBER] = sizeof(uint64_t),
		[PROF_OPTION_PERCENT] = sizeof(double),
		[PROF_OPTION_WORD] = sizeof(enum prof_format),
		[PROF_OPTION_SECOND] = sizeof(bool),
		[PROF_OPTION_TEXT] = sizeof(const char *),
	};

	return sizes[option->kind];
}

static void check_option(const struct prof_options *options, const struct prof_option *option)
{
	size_t size = option->common ? sizeof(struct prof_choice) : options->size;
	size_t length = strlen(option->describe);

	ck_assert_str_eq(option->describe + length - 1, ".");
	ck_assert_ptr_eq(prof_option_find(options->rows, option->name), option);
	ck_assert_uint_le(size_of(option) ? option->offset + size_of(option) : 0, size);
	ck_assert_int_eq(option->kind == PROF_OPTION_FLAG, !option->value);
	if (option->kind == PROF_OPTION_WORD)
		ck_assert_ptr_nonnull(prof_option_word(option, 1));
	if (option->kind == PROF_OPTION_SECOND)
		ck_assert(prof_option_word(option, 1) && !prof_option_word(option, 2));
	for (size_t i = 0; i < option->words_count; i++)
		ck_assert_ptr_nonnull(option->words[i]);
}

static void check_table(const struct prof_options *options)
{
	size_t count = 0;

	for (const struct prof_option *option = options->rows; option->name; option++)
		check_option(options, option);
	/* No two options go into the same member. */
	for (const struct prof_option *a = options->rows; a->name; a++, count++) {
		for (const struct prof_option *b = options->rows; b != a; b++) {
			bool stored = size_of(a) && size_of(b) && a->common == b->common;
			ck_assert(!stored || a->offset != b->offset);
		}
	}
	ck_assert_uint_gt(count, 0);
	ck_assert_int_eq(!options->size, !options->defaults);
}

START_TEST(each_table_is_sound)
{
	for (size_t i = 0; prof_views[i]; i++)
		check_table(prof_views[i]->options);
	check_table(&prof_compare_options);
	check_table(&prof_flame_options);
}
END_TEST

START_TEST(each_view_has_what_all_have)
{
	static const char *const names[] = {"format", "output", "interval", "not-function"};

	for (size_t i = 0; prof_views[i]; i++) {
		const struct prof_view *view = prof_views[i];
		for (size_t j = 0; j < PROF_COUNT(names); j++)
			ck_assert_ptr_nonnull(prof_option_find(view->options->rows, names[j]));
		ck_assert_ptr_nonnull(strchr(view->describe, '.'));
	}
}
END_TEST

START_TEST(a_view_reads_what_its_table_stores)
{
	const struct prof_tree_choice *tree = choose("tree",
		"collapse=cons columns=all sort=name max-level=3 min-percent=2.5 "
		"bars limit=7");
	const struct prof_gprof_choice *gprof = choose("gprof",
		"graph style=gnu all line cut=a/b only=c without=d only-time=e "
		"without-time=f limit=2");

	ck_assert_int_eq(tree->collapse, PROF_COLLAPSE_CONSERVATIVE);
	ck_assert_int_eq(tree->columns, PROF_COLUMNS_ALL);
	ck_assert_int_eq(tree->sort, PROF_SORT_NAME);
	ck_assert_uint_eq(tree->max_level, 3);
	ck_assert(tree->min_percent == 2.5 && tree->bars);
	ck_assert_uint_eq(tree->limit, 7);
	ck_assert(gprof->graph && !gprof->flat && gprof->all && gprof->counted.lines);
	ck_assert_int_eq(gprof->style, PROF_STYLE_GNU);
	ck_assert_str_eq(gprof->counted.cut, "a/b");
	ck_assert_str_eq(gprof->counted.only, "c");
	ck_assert_str_eq(gprof->counted.without, "d");
	ck_assert_str_eq(gprof->counted.only_time, "e");
	ck_assert_str_eq(gprof->counted.without_time, "f");
	ck_assert_uint_eq(gprof->limit, 2);
}
END_TEST

START_TEST(what_is_not_given_is_as_the_table_says)
{
	const struct prof_tree_choice *tree = choose("tree", "");
	const struct prof_flame_choice *flame = choose_of(&prof_flame_options, "chart");

	ck_assert_int_eq(tree->collapse, PROF_COLLAPSE_NONE);
	ck_assert_int_eq(tree->sort, PROF_SORT_DEFAULT);
	ck_assert_uint_eq(tree->limit, 0);
	ck_assert(flame->chart && !flame->inverted);
	ck_assert_int_eq(flame->color, PROF_COLORS);
	ck_assert_uint_eq(flame->max_depth, UINT64_MAX);
}
END_TEST

START_TEST(what_all_views_have_goes_into_the_common_struct)
{
	static const struct {
		const char *name, *value;
	} given[] = {{"format", "json"}, {"inline", "off"}, {"metric", "cpu,wall"}};
	const struct prof_option *rows = prof_view_find("tree")->options->rows;
	struct prof_choice choice = {0};

	for (size_t i = 0; i < PROF_COUNT(given); i++)
		ck_assert_ok(prof_option_store(
			prof_option_find(rows, given[i].name), given[i].value, &choice, NULL));
	ck_assert_int_eq(choice.format, PROF_FORMAT_JSON);
	ck_assert(choice.folded);
	ck_assert_str_eq(choice.metrics, "cpu,wall");
}
END_TEST

START_TEST(a_table_refuses_what_its_view_cannot_show)
{
	static const struct {
		const char *view, *name, *value, *why;
	} refused[] = {
		{"tree", "collapse", "some", "give one of none, direct, conservative, full."},
		{"tree", "columns", "x", "give one of both, raw, percent, parent, all."},
		{"tree", "sort", "default", "give one of first, inclusive, exclusive, name."},
		{"tree", "max-level", "0", "at least 1, not \"0\"."},
		{"tree", "min-percent", "101", "from 0 to 100, not \"101\"."},
		{"functions", "limit", "-1", "at least 0, not \"-1\"."},
		{"functions", "format", "xml", "give one of text, csv, json."},
		{"functions", "inline", "o", "give one of on, off."},
		{"data", "unit", "word", "give one of page, line, address."},
		{"gprof", "style", "", "give one of manual, gnu."},
		{"gprof", "metric", "cpu,wall", "--metric takes one value"},
	};

	for (size_t i = 0; i < PROF_COUNT(refused); i++) {
		const struct prof_options *options = prof_view_find(refused[i].view)->options;
		const struct prof_option *option = prof_option_find(options->rows, refused[i].name);
		const char *value = refused[i].value;
		AUTO_FREE void *own = malloc(options->size);
		struct prof_choice choice = {0};
		struct prof_error *error = prof_option_check(option, &value);
		if (!error)
			error = prof_option_store(option, value, &choice, own);
		ck_assert_error(error, refused[i].why);
	}
}
END_TEST

RUN_TESTS("options", each_table_is_sound, each_view_has_what_all_have,
	a_view_reads_what_its_table_stores, what_is_not_given_is_as_the_table_says,
	what_all_views_have_goes_into_the_common_struct, a_table_refuses_what_its_view_cannot_show)
