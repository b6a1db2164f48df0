/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/page.h"

#include "metric_program.h"
#include "page_support.h"
#include "view_support.h"

#include <stdlib.h>
#include <string.h>

/* The page of EXPERIMENT with the title TITLE, as a new string. */
static char *page_of(struct prof_experiment *experiment, const char *title)
{
	const struct prof_filter filter = {0};
	const struct prof_sheet_request request = {
		NULL, &filter, PROF_KIND_LINES, true, PROF_WANT_NOTHING, 0, NULL};
	AUTO_SHEET struct prof_sheet sheet = {0};
	struct prof_text text = {0};

	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	const struct prof_page page = {
		.sheet = &sheet, .title = title, .summary = "one\ntwo <2>\n"};
	ck_assert_ok(prof_page_print(&page, &text));
	return text.bytes;
}

/* The data in PAGE, as a new string. */
static char *data_of(const char *page)
{
	static const char begin[] = "id=\"data\">";
	struct prof_text plain = {0};
	const char *at = strstr(page, begin);

	ck_assert(at != NULL);
	unpack(at + sizeof begin - 1, &plain);
	return plain.bytes;
}

/* The data of EXPERIMENT, which is destroyed, has each of the PARTS, up to NULL. */
static void check_data(struct prof_experiment *experiment, const char *const *parts)
{
	char *page = page_of(experiment, "t"), *data = data_of(page);

	for (; *parts; parts++)
		ck_assert_msg(strstr(data, *parts) != NULL, "%s is not in %s", *parts, data);
	free(page);
	free(data);
	prof_experiment_destroy(experiment);
}

START_TEST(stacks_are_a_tree_and_samples_end_in_it)
{
	check_data(experiment_of("main;f;g 3\nmain;f 2.5\nmain;f;g 1\n", false),
		(const char *[]){"\"metric_name\":[\"samples\"]",
			"\"function_name\":[\"main\",\"f\",\"g\",\"<Unknown>\"]",
			"\"node_parent\":[0,1,2]", "\"node_place\":[0,1,2]",
			"\"sample_node\":[2,1,2]", "\"values\":[3,2.5,1]",
			"\"shape_metrics\":[[0]]", NULL});
}
END_TEST

START_TEST(names_become_what_a_terminal_shows)
{
	check_data(experiment_of("a\x01\xff;\xe2\x80\xae;\"\\ 1\n", false),
		(const char *[]){"\"a\\\\x01\\\\xff\"", "\"\\\\u202e\"", "\"\\\"\\\\\"", NULL});
}
END_TEST

START_TEST(lines_and_load_objects_are_there)
{
	check_data(program_create(),
		(const char *[]){"\"place_line\":[", "\"file_name\":[", "\"module_name\":[", NULL});
}
END_TEST

START_TEST(the_page_fetches_nothing_and_trusts_no_name)
{
	struct prof_experiment *experiment =
		experiment_of("</script><img src=x onerror=y> 1\n", false);
	char *page = page_of(experiment, "</title><script>x</script>");

	ck_assert(strstr(page, "default-src 'none'") != NULL);
	ck_assert(strstr(page, "<title>&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;</title>") !=
		NULL);
	ck_assert(strstr(page, "two &lt;2&gt;") != NULL);
	ck_assert(strstr(page, "<img") == NULL && strstr(page, "src=") == NULL);
	ck_assert(strstr(page, "<link") == NULL && strstr(page, "@import") == NULL);
	free(page);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("page", stacks_are_a_tree_and_samples_end_in_it, names_become_what_a_terminal_shows,
	lines_and_load_objects_are_there, the_page_fetches_nothing_and_trusts_no_name)
