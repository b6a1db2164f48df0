/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers to packets that are sent behind GDB's back, as the target sends them. */
#include "plugin/interpose/answer.h"

#include "plugin/interpose/packet.h"
#include "target_end.h"

/* Waits for an answer of LENGTH characters, which must be TEXT. */
static void check_answer(size_t length, const char *text)
{
	char answer[32] = "?";

	ck_assert(answer_await(connection.gdb, length, answer, sizeof answer));
	ck_assert_str_eq(answer, text);
}

/* Waits for one that must not come. */
static void check_no_answer(size_t length)
{
	char answer[32];

	ck_assert(!answer_await(connection.gdb, length, answer, sizeof answer));
}

/* What GDB skips in place of TEXT, where PLUSES characters of it are hidden. */
static void check_hidden(const char *text, size_t pluses)
{
	char data[64];
	struct packet packet;

	strcpy(data, text);
	ck_assert(packet_find(data, strlen(data), &packet));
	answer_hide(data, &packet);
	ck_assert_uint_eq(strspn(data, "+"), pluses);
	ck_assert_str_eq(data + pluses, text + pluses);
}

START_TEST(answer_is_taken_out_of_what_gdb_reads)
{
	connect_target();
	ck_assert(!answer_is_owed());
	target_sends("$00ff1a2b#00");
	check_answer(8, "00ff1a2b");
	ck_assert(!answer_is_owed());
	check_left_for_gdb("");

	/* Acknowledgements before it are nobody's. */
	target_sends("++$OK#9a");
	check_answer(2, "OK");
	ck_assert(!answer_is_owed());
	check_left_for_gdb("");
}
END_TEST

START_TEST(what_follows_an_answer_is_left_to_gdb)
{
	connect_target();
	target_sends("$OK#9a%Stop:T05;thread:p1.2;#00");
	check_answer(2, "OK");
	check_left_for_gdb("%Stop:T05;thread:p1.2;#00");
}
END_TEST

START_TEST(answer_may_come_late_and_in_parts)
{
	connect_target();
	TARGET_SENDS_LATE("$", "O", "K", "#", "9", "a");
	check_answer(2, "OK");
	ck_assert(!answer_is_owed());
	check_left_for_gdb("");
}
END_TEST

START_TEST(wait_goes_on_after_a_signal)
{
	connect_target();
	connection.interruptions = 3;
	TARGET_SENDS_LATE("$OK#9a");
	check_answer(2, "OK");
	ck_assert_int_eq(connection.interruptions, 0);
}
END_TEST

START_TEST(answer_behind_a_notification_is_left_and_hidden_later)
{
	static const char text[] = "%Stop:T05;thread:p1.2;#00$OK#9a";

	connect_target();
	target_sends(text);
	check_answer(2, "OK");
	ck_assert(answer_is_owed());
	check_left_for_gdb(text);
	check_hidden("%Stop:T05;thread:p1.2;#00", 0);
	ck_assert(answer_is_owed());
	check_hidden("$OK#9a$OK#9a", 6);
	ck_assert(!answer_is_owed());
	/* The next one is GDB's. */
	check_hidden("$OK#9a", 0);
}
END_TEST

START_TEST(answer_that_does_not_come_is_owed)
{
	connect_target();
	check_no_answer(2);
	ck_assert(answer_is_owed());
	check_hidden("$OK#9a", 6);
	ck_assert(!answer_is_owed());
}
END_TEST

START_TEST(part_of_an_answer_is_none_and_stays)
{
	connect_target();
	target_sends("%Stop:T05;thread:p1.2;#00$OK#9");
	check_no_answer(2);
	ck_assert(answer_is_owed());
	check_left_for_gdb("%Stop:T05;thread:p1.2;#00$OK#9");
}
END_TEST

START_TEST(late_answer_is_known_by_its_length)
{
	static const struct {
		const char *text;
		size_t pluses;
	} rows[] = {
		{"$00ff#00", 8},
		{"+$00ff#00", 9},
		{"$E01#a6", 7}, /* an error */
		{"$#00", 4},    /* it does not know the command */
		{"$OK#9a", 0},
		{"$00ff1#00", 0},
		{"%00ff#00", 0},
	};

	connect_target();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		check_no_answer(4);
		check_hidden(rows[i].text, rows[i].pluses);
		ck_assert_msg(answer_is_owed() == !rows[i].pluses, "%s", rows[i].text);
	}
}
END_TEST

START_TEST(connection_that_is_gone_does_not_answer)
{
	connect_target();
	target_hangs_up();
	check_no_answer(2);
	answer_forget();
	ck_assert(!answer_is_owed());
	check_hidden("$OK#9a", 0);

	close(connection.gdb);
	check_no_answer(2);
}
END_TEST

START_TEST(answer_is_cut_where_it_has_no_room)
{
	char answer[6] = ".....";

	connect_target();
	target_sends("$0123456789#00");
	ck_assert(answer_await(connection.gdb, 10, answer, 4));
	ck_assert_str_eq(answer, "012");
	ck_assert_int_eq(answer[4], '.');
	ck_assert(!answer_is_owed());
	check_left_for_gdb("");

	target_sends("$#00");
	ck_assert(answer_await(connection.gdb, 10, answer, 1));
	ck_assert_str_eq(answer, "");
}
END_TEST

/* A target that sends more than an answer can be, and no end of it. */
START_TEST(endless_packet_is_no_answer)
{
	static char data[65536];
	int room = 4 * (int)sizeof data;

	connect_target();
	ck_assert_int_eq(
		setsockopt(connection.target, SOL_SOCKET, SO_SNDBUF, &room, sizeof room), 0);
	memset(data, '$', sizeof data);
	target_sends_bytes(data, sizeof data);
	check_no_answer(2);
	ck_assert(answer_is_owed());
}
END_TEST

START_TEST(what_can_be_read_is_seen)
{
	connect_target();
	ck_assert(!answer_is_readable(connection.gdb));
	TARGET_SENDS_LATE("+");
	ck_assert(answer_is_readable(connection.gdb));
	/* So can the end. */
	check_left_for_gdb("+");
	target_hangs_up();
	ck_assert(answer_is_readable(connection.gdb));
}
END_TEST

RUN_TESTS("answer", answer_is_taken_out_of_what_gdb_reads, what_follows_an_answer_is_left_to_gdb,
	answer_may_come_late_and_in_parts, wait_goes_on_after_a_signal,
	answer_behind_a_notification_is_left_and_hidden_later, answer_that_does_not_come_is_owed,
	part_of_an_answer_is_none_and_stays, late_answer_is_known_by_its_length,
	connection_that_is_gone_does_not_answer, answer_is_cut_where_it_has_no_room,
	endless_packet_is_no_answer, what_can_be_read_is_seen)
