/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of the remote protocol, as "Overview" and "Packets" in GDB's manual describe them. */
#include "plugin/interpose/packet.h"

#include "suite.h"

#include <stdbool.h>
#include <string.h>

/* The first packet of TEXT, which there must be. */
static struct packet found(const char *text)
{
	struct packet packet = {0};

	ck_assert_msg(packet_find(text, strlen(text), &packet), "%s", text);
	return packet;
}

START_TEST(packets_are_found_between_acknowledgements)
{
	struct packet packet = found("++$OK#9a$next#00");

	ck_assert_int_eq(strncmp(packet.body, "OK", packet.length), 0);
	ck_assert_uint_eq(packet.length, 2);
	ck_assert_uint_eq(packet.end, 8);
	ck_assert(!packet.is_notification);
	packet = found("%Stop:T05#12");
	ck_assert(packet.is_notification);
	ck_assert_uint_eq(packet.length, 8);
	packet = found("$#00");
	ck_assert_uint_eq(packet.length, 0);
}
END_TEST

START_TEST(a_part_of_a_packet_is_none)
{
	static const char whole[] = "+$T05thread:p1.1;#aa";
	struct packet packet;

	for (size_t size = 0; size < sizeof whole - 1; size++)
		ck_assert(!packet_find(whole, size, &packet));
	ck_assert(packet_find(whole, sizeof whole - 1, &packet));
	ck_assert_uint_eq(packet.end, sizeof whole - 1);
}
END_TEST

/* Does TEXT report the stop of a thread?  Of this one then. */
static void check_stop(const char *text, bool stops, int64_t process, int64_t thread)
{
	struct packet packet = found(text);
	struct packet_thread stopped = {0};

	ck_assert_msg(packet_is_stop(&packet, &stopped) == stops, "%s", text);
	ck_assert_int_eq(stopped.process, process);
	ck_assert_int_eq(stopped.thread, thread);
}

START_TEST(a_stop_names_its_thread)
{
	check_stop("$T05swbreak:;thread:p1f.20;core:1;#00", true, 0x1f, 0x20);
	check_stop("%Stop:T02;thread:p5.6;#00", true, 5, 6);
	check_stop("$T05thread:p5.6;core:1;#00", true, 5, 6);
	/* Repetitions are written as "0*!": four more of what is before. */
	check_stop("$T0506:0*!;thread:p10*\"1.2;#00", true, 0x10000001, 2);
	check_stop("$S05#b8", false, 0, 0);
	check_stop("$W00;process:5#00", false, 0, 0);
	check_stop("$T05#00", false, 0, 0);
	check_stop("%Other:T05;thread:p5.6;#00", false, 0, 0);
	check_stop("$T05;otherthread:p5.6;#00", false, 0, 0);
}
END_TEST

START_TEST(a_stop_can_be_given_a_cause)
{
	char text[] = "+$T00thread:p1.2;#00";
	char notification[] = "%Stop:T00;thread:p1.2;#00";
	struct packet packet = found(text);

	ck_assert(packet_is_quiet(&packet));
	packet_set_signal(text, &packet, 5);
	ck_assert(!packet_is_quiet(&packet));
	/* The sum of the characters between $ and #, by hand. */
	ck_assert_str_eq(text, "+$T05thread:p1.2;#a7");
	packet = found(notification);
	ck_assert(packet_is_quiet(&packet));
	packet_set_signal(notification, &packet, 0x1f);
	ck_assert_int_eq(strncmp(notification, "%Stop:T1f;thread:p1.2;#", 23), 0);
}
END_TEST

START_TEST(packets_of_gdb_are_known)
{
	static const struct {
		const char *text;
		bool resumes, stops;
	} rows[] = {
		{"$vCont;c#a8", true, false},
		{"$vCont;s:p1.1;c#00", true, false},
		{"$vCont;t:p1.-1#00", false, true},
		{"$vCont?#49", false, false},
		{"$c#63", true, false},
		{"$s#73", true, false},
		{"$C02#a5", true, false},
		{"$m0,4#00", false, false},
		{"$g#67", false, false},
		{"+", false, false},
		{"", false, false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t size = strlen(rows[i].text);
		ck_assert_msg(
			packet_resumes(rows[i].text, size) == rows[i].resumes, "%s", rows[i].text);
		ck_assert_msg(
			packet_stops(rows[i].text, size) == rows[i].stops, "%s", rows[i].text);
	}
}
END_TEST

START_TEST(the_first_action_that_names_a_thread_is_its_own)
{
	static const char text[] = "$vCont;s:p1.2;C05:p1.-1;c#00";
	const struct packet_thread two = {1, 2}, three = {1, 3}, other = {7, 7};

	ck_assert_int_eq(packet_action(text, sizeof text - 1, &two), 's');
	ck_assert_int_eq(packet_action(text, sizeof text - 1, &three), 'C');
	ck_assert_int_eq(packet_action(text, sizeof text - 1, &other), 'c');
	ck_assert_int_eq(packet_action("$vCont;s:p1.2#00", 16, &three), 0);
	ck_assert_int_eq(packet_action("$g#67", 5, &two), 0);
	/* Without its end. */
	ck_assert_int_eq(packet_action(text, 10, &two), 0);
}
END_TEST

START_TEST(a_detach_may_name_its_process)
{
	int64_t process = -1;

	ck_assert(packet_detaches("$D;1f#00", 8, &process));
	ck_assert_int_eq(process, 0x1f);
	ck_assert(packet_detaches("$D#44", 5, &process));
	ck_assert_int_eq(process, 0);
	ck_assert(!packet_detaches("$Dx#00", 6, &process));
	ck_assert(!packet_detaches("$g#67", 5, &process));
}
END_TEST

START_TEST(reports_are_told_from_other_answers)
{
	static const char *const reports[] = {"$T05#b9", "$S05#b8", "$W00#b7", "$X09#c1"};
	static const char *const others[] = {"$OK#9a", "$E01#a6", "$#00", "%Stop:T05#12"};
	struct packet packet;

	for (size_t i = 0; i < 4; i++) {
		packet = found(reports[i]);
		ck_assert_msg(packet_is_report(&packet), "%s", reports[i]);
		packet = found(others[i]);
		ck_assert_msg(!packet_is_report(&packet), "%s", others[i]);
	}
}
END_TEST

/* A NUL is in no set of letters. */
START_TEST(zeroes_mean_nothing)
{
	static const char zeroes[] = "$\0\0\0#00";
	struct packet packet;

	ck_assert(packet_find(zeroes, sizeof zeroes - 1, &packet));
	ck_assert_uint_eq(packet.length, 3);
	ck_assert(!packet_is_report(&packet));
	ck_assert(!packet_resumes(zeroes, sizeof zeroes - 1));
	ck_assert(!packet_resumes("$\0#00", 5));
}
END_TEST

START_TEST(packets_are_made_with_their_sums)
{
	const struct packet_thread thread = {0x1f, 0x20};
	const struct packet_thread longest = {INT64_MAX, INT64_MAX};
	char data[2 * PACKET_THREAD];
	char read[PACKET_READ];

	ck_assert_uint_eq(packet_stop(data, &thread), strlen("$vCont;t:p1f.20#8a"));
	ck_assert_str_eq(data, "$vCont;t:p1f.20#8a");
	ck_assert(packet_stops(data, strlen(data)));
	ck_assert_uint_lt(packet_stop(data, &longest), sizeof data);
	ck_assert_uint_eq(packet_read(read, 0xe000101c, 4), strlen("$me000101c,4#b7"));
	ck_assert_str_eq(read, "$me000101c,4#b7");
	ck_assert_uint_lt(packet_read(read, UINT64_MAX, SIZE_MAX), sizeof read);
	struct packet packet = found(read);
	ck_assert_uint_eq(packet.end, strlen(read));
}
END_TEST

START_TEST(bytes_are_hexadecimal)
{
	unsigned char bytes[4];

	ck_assert(packet_bytes("00ff1A2b", bytes, 4));
	ck_assert_int_eq(memcmp(bytes, "\x00\xff\x1a\x2b", 4), 0);
	ck_assert(!packet_bytes("00ff1A2", bytes, 4));
	ck_assert(!packet_bytes("00ff1A2b00", bytes, 4));
	ck_assert(!packet_bytes("E01", bytes, 4));
	ck_assert(!packet_bytes("00ff1A x", bytes, 4));
	ck_assert(packet_bytes("", bytes, 0));
}
END_TEST

START_TEST(threads_are_found_in_texts)
{
	struct packet_thread thread = {0};
	static const char text[] = ":p1.2;c:p3.ffffffff";

	size_t first = packet_find_thread(text, sizeof text - 1, &thread);
	ck_assert_uint_gt(first, 0);
	ck_assert_int_eq(thread.thread, 2);
	ck_assert_uint_gt(packet_find_thread(text + first, sizeof text - 1 - first, &thread), 0);
	ck_assert_int_eq(thread.process, 3);
	ck_assert_int_eq(thread.thread, 0xffffffff);
	ck_assert_uint_eq(packet_find_thread("nothing :p", 10, &thread), 0);
}
END_TEST

RUN_TESTS("packet", packets_are_found_between_acknowledgements, a_part_of_a_packet_is_none,
	a_stop_names_its_thread, a_stop_can_be_given_a_cause, packets_of_gdb_are_known,
	the_first_action_that_names_a_thread_is_its_own, a_detach_may_name_its_process,
	reports_are_told_from_other_answers, zeroes_mean_nothing, packets_are_made_with_their_sums,
	bytes_are_hexadecimal, threads_are_found_in_texts)
