/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/matrix.h"

#include "base/value.h"
#include "metric/exchanges.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Adds MESSAGES of BYTES together, which SENDER has sent to RECEIVER. */
static void add(struct prof_exchanges *exchanges, int64_t sender, int64_t receiver,
	int64_t messages, int64_t bytes)
{
	struct prof_exchange *added = prof_array_push(&exchanges->list);

	ck_assert_ptr_nonnull(added);
	*added = (struct prof_exchange){.sender = sender,
		.receiver = receiver,
		.sends = prof_value_of(messages),
		.sent = prof_value_of(bytes)};
	if (exchanges->ranks <= sender)
		exchanges->ranks = sender + 1;
	if (exchanges->ranks <= receiver)
		exchanges->ranks = receiver + 1;
}

/* The picture of EXCHANGES, which it frees. */
static void draw(struct prof_exchanges *exchanges, struct prof_text *text)
{
	const struct prof_matrix matrix = {
		.exchanges = exchanges, .title = "a<b: Bytes Sent", .notes = "first\n&second\n"};

	ck_assert_ok(prof_matrix_print(&matrix, text));
	prof_exchanges_deinit(exchanges);
}

static size_t count(const struct prof_text *text, const char *what)
{
	size_t found = 0;

	/* AddressSanitizer's strstr() looks at all of the text each time. */
	for (const char *at = prof_text_get(text); (at = strchr(at, *what)); at++)
		found += !strncmp(at, what, strlen(what));
	return found;
}

static void check_has(const struct prof_text *text, const char *what)
{
	ck_assert_msg(strstr(prof_text_get(text), what) != NULL, "no \"%s\" in:\n%s", what,
		strstr(prof_text_get(text), "</style>"));
}

START_TEST(a_cell_is_as_dark_as_it_has_bytes)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_exchanges exchanges = {0};

	add(&exchanges, 0, 1, 10, 40);
	add(&exchanges, 1, 2, 1, 1);
	add(&exchanges, 2, 0, 2, 4000000000);
	add(&exchanges, 2, 2, 1, 0);
	add(&exchanges, 0, -1, 1, 50);
	draw(&exchanges, &text);
	check_has(&text,
		"<title>from rank 0 to rank 1: 40 bytes in 10 messages</title>"
		"<rect class=\"b2\" x=\"178\" y=\"94\" width=\"96\" height=\"96\"/>");
	check_has(&text,
		"<title>from rank 1 to rank 2: 1 byte in 1 message</title><rect class=\"b1\" x=\"274\" y=\"190\"");
	check_has(&text,
		"<title>from rank 2 to rank 0: 4000000000 bytes in 2 messages</title>"
		"<rect class=\"b8\" x=\"82\" y=\"286\"");
	/* Messages without bytes are not nothing. */
	check_has(&text,
		"<title>from rank 2 to rank 2: 0 bytes in 1 message</title><rect class=\"b1\"");
	ck_assert_uint_eq(count(&text, "<g><title>"), 4);
	/* A number stands in its cell if there is room. */
	check_has(&text, "<text class=\"middle\" x=\"226\" y=\"146\">40</text>");
	/* The legend has the steps that there are, the most bytes first. */
	check_has(&text, ">4000000000</text>\n<rect class=\"b2\"");
	check_has(&text, ">40</text>\n<rect class=\"b1\"");
	check_has(&text, ">0 to 1</text>\n</g>");
}
END_TEST

START_TEST(it_says_what_it_is)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_exchanges exchanges = {0};

	add(&exchanges, 0, 1, 1, 40);
	draw(&exchanges, &text);
	check_has(&text, "<title>a&lt;b: Bytes Sent</title>");
	check_has(&text, "<text class=\"title\" x=\"10\" y=\"24\">a&lt;b: Bytes Sent</text>");
	check_has(&text, "A row for each sender, a column for each receiver");
	check_has(&text, ">from rank</text>");
	check_has(&text, ">to rank</text>");
	check_has(&text, ">Bytes</text>");
	check_has(&text, ">first</text>\n<text class=\"dim\" x=\"10\" y=\"");
	check_has(&text, ">&amp;second</text>\n</svg>\n");
	ck_assert_uint_eq(count(&text, "share a row"), 0);
}
END_TEST

START_TEST(equal_cells_have_the_color_of_the_most)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_exchanges exchanges = {0};

	add(&exchanges, 0, 1, 1, 40);
	add(&exchanges, 1, 0, 2, 40);
	draw(&exchanges, &text);
	/* Two cells, and the legend. */
	ck_assert_uint_eq(count(&text, "<rect class=\"b8\""), 3);
	ck_assert_uint_eq(count(&text, "<rect class=\"b"), 3);
}
END_TEST

/* The bytes of a step and of the next differ by a factor of 2 at least. */
START_TEST(cells_that_are_nearly_alike_have_one_color)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_exchanges exchanges = {0};

	add(&exchanges, 0, 1, 1, 1000);
	add(&exchanges, 1, 0, 1, 990);
	add(&exchanges, 1, 1, 1, 400);
	draw(&exchanges, &text);
	check_has(&text, ">990 to 1000</text>\n<rect class=\"b7\"");
	ck_assert_uint_eq(count(&text, "<rect class=\"b8\""), 3);
	ck_assert_uint_eq(count(&text, "<rect class=\"b7\""), 2);
}
END_TEST

START_TEST(labels_of_many_ranks_are_thinned_out)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_exchanges exchanges = {0};

	for (int64_t i = 0; i < 256; i++) {
		for (int64_t j = 0; j < 256; j++)
			add(&exchanges, i, j, 1, 8);
	}
	draw(&exchanges, &text);
	ck_assert_uint_eq(count(&text, "<g><title>"), 65536);
	/* Of 3 pixels: each 10th row and column. */
	ck_assert_uint_eq(count(&text, "<text class=\"end\""), 1 + 26);
	ck_assert_uint_eq(count(&text, "<text class=\"middle\""), 26);
	check_has(&text, ">240</text>");
	ck_assert_uint_eq(count(&text, ">5</text>"), 0);
	ck_assert_uint_lt(text.length, 12 << 20);
}
END_TEST

START_TEST(more_ranks_share_rows_and_columns)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_exchanges exchanges = {0};

	add(&exchanges, 0, 1, 1, 8);
	add(&exchanges, 2, 3, 2, 16);
	add(&exchanges, 999, 0, 1, 5);
	draw(&exchanges, &text);
	check_has(&text, "  4 ranks share a row, and a column.");
	check_has(&text, "from ranks 0-3 to ranks 0-3: 24 bytes in 3 messages");
	check_has(&text, "from ranks 996-999 to ranks 0-3: 5 bytes in 1 message");
	ck_assert_uint_eq(count(&text, "<g><title>"), 2);
}
END_TEST

START_TEST(ranks_of_damaged_files_are_drawn_too)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_exchanges exchanges = {0};

	add(&exchanges, INT64_C(4294967294), 1, 1, INT64_MAX);
	draw(&exchanges, &text);
	ck_assert_uint_eq(count(&text, "<g><title>"), 1);
	ck_assert_uint_lt(text.length, 1 << 20);
}
END_TEST

START_TEST(without_messages_there_are_notes)
{
	AUTO_TEXT struct prof_text text = {0};

	draw(&(struct prof_exchanges){0}, &text);
	check_has(&text, ">first</text>");
	ck_assert_uint_eq(count(&text, "<g"), 0);
}
END_TEST

RUN_TESTS("matrix", a_cell_is_as_dark_as_it_has_bytes, it_says_what_it_is,
	equal_cells_have_the_color_of_the_most, cells_that_are_nearly_alike_have_one_color,
	labels_of_many_ranks_are_thinned_out, more_ranks_share_rows_and_columns,
	ranks_of_damaged_files_are_drawn_too, without_messages_there_are_notes)
