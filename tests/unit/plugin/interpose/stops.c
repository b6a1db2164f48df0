/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stops that the target is asked for behind GDB's back, as GDB and the target see them. */
#include "plugin/interpose/stops.h"

#include "plugin/interpose/packet.h"
#include "target_end.h"

/* The signal that GDB is told of: SIGPROF in its protocol, which has numbers of its own. */
enum { SIGNAL = 0x1d };

static const struct packet_thread two = {1, 2}, three = {1, 3};

static const char ask_two[] = "$vCont;t:p1.2#f4", ask_three[] = "$vCont;t:p1.3#f5";

/* A thread's stop by no signal, and what GDB reads in place of it; the sums are of the latter. */
static const char quiet_two[] = "%Stop:T0006:00*,;thread:p1.2;core:1;#00";
static const char told_two[] = "%Stop:T1d06:00*,;thread:p1.2;core:1;#97";

/* Asks for a stop of THREAD by PACKET, to which the target answers OK. */
static void ask(const struct packet_thread *thread, const char *packet)
{
	TARGET_SENDS_LATE("$OK#9a");
	ck_assert(stops_ask(connection.gdb, thread, SIGNAL));
	check_target_got(packet);
	check_left_for_gdb("");
}

/* GDB reads from the connection, with room for SIZE bytes, and gets TEXT. */
static void check_received(size_t size, const char *text)
{
	char data[4096];

	ck_assert_uint_lt(size, sizeof data);
	ssize_t got = stops_receive(connection.gdb, data, size, MSG_DONTWAIT);
	ck_assert_int_ge(got, 0);
	data[got] = '\0';
	ck_assert_str_eq(data, text);
}

/* The target sends TEXT, and GDB reads WANTED. */
static void check_passed(const char *text, const char *wanted)
{
	target_sends(text);
	check_received(4000, wanted);
	check_left_for_gdb("");
}

static void heed(const char *text)
{
	stops_heed(text, strlen(text));
}

START_TEST(stop_that_was_asked_for_gets_a_signal)
{
	connect_target();
	ck_assert(!stops_expected());
	ask(&two, ask_two);
	ck_assert(stops_owes(&two));
	ck_assert(!stops_owes(&three));
	ck_assert(stops_expected());
	check_passed(quiet_two, told_two);

	/* GDB deals with it. */
	ck_assert(stops_owes(&two));
	stops_met(&two);
	ck_assert(!stops_owes(&two));
	ck_assert(!stops_expected());
	stops_met(&two);
}
END_TEST

START_TEST(each_stop_is_told_once)
{
	connect_target();
	ask(&two, ask_two);
	check_passed(quiet_two, told_two);
	check_passed(quiet_two, quiet_two);
	stops_met(&two);
	check_passed(quiet_two, quiet_two);

	/* It can be asked for again. */
	ask(&two, ask_two);
	check_passed(quiet_two, told_two);
}
END_TEST

START_TEST(other_stops_stay_as_they_are)
{
	static const char *const texts[] = {
		"%Stop:T0506:00*,;thread:p1.2;core:1;#00", /* by a signal */
		"%Stop:T0006:00*,;thread:p1.3;core:1;#00", /* of other threads */
		"%Stop:T0006:00*,;thread:p2.2;core:1;#00",
		"%Stop:W00;process:1#00",
		"%Stop:N#00",
		"+",
		"$OK#9a",
		"$E01#a6",
		"$#00",
	};

	connect_target();
	ask(&two, ask_two);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		check_passed(texts[i], texts[i]);
	check_passed(quiet_two, told_two);
}
END_TEST

START_TEST(thread_may_come_first_in_its_report)
{
	connect_target();
	ask(&two, ask_two);
	check_passed("%Stop:T00thread:p1.2;#00", "%Stop:T1dthread:p1.2;#b7");
}
END_TEST

START_TEST(threads_are_asked_apart)
{
	connect_target();
	ask(&two, ask_two);
	ask(&three, ask_three);
	check_passed("%Stop:T00;thread:p1.3;#00$T00;thread:p1.2;#00$T00;thread:p1.4;#00",
		"%Stop:T1d;thread:p1.3;#f3$T1d;thread:p1.2;#12$T00;thread:p1.4;#00");
	stops_met(&three);
	ck_assert(stops_owes(&two));
	ck_assert(!stops_owes(&three));
}
END_TEST

START_TEST(part_of_a_packet_waits_for_its_rest)
{
	connect_target();
	ask(&two, ask_two);
	target_sends("$OK#9a%Stop:T00;th");
	check_received(4000, "$OK#9a");
	/* The rest comes while it is waited for. */
	TARGET_SENDS_LATE("read:p1.2;", "#00");
	check_received(4000, "%Stop:T1d;thread:p1.2;#f2");
}
END_TEST

START_TEST(what_comes_too_slowly_is_left_as_it_is)
{
	connect_target();
	ask(&two, ask_two);
	target_sends("%Stop:T00;th");
	check_received(4000, "%Stop:T00;th");
	check_passed("read:p1.2;#00", "read:p1.2;#00");
}
END_TEST

START_TEST(packet_without_room_is_left_as_it_is)
{
	connect_target();
	ask(&two, ask_two);
	target_sends(quiet_two);
	check_received(12, "%Stop:T0006:");
	check_received(4000, quiet_two + 12);
}
END_TEST

START_TEST(target_that_refuses_is_seen)
{
	connect_target();
	TARGET_SENDS_LATE("$E01#a6");
	ck_assert(!stops_ask(connection.gdb, &two, SIGNAL));
	TARGET_SENDS_LATE("$#00");
	ck_assert(!stops_ask(connection.gdb, &two, SIGNAL));
	TARGET_SENDS_LATE("$vCont;c;C;s;S;t#00");
	ck_assert(!stops_ask(connection.gdb, &two, SIGNAL));
	check_left_for_gdb("");
}
END_TEST

START_TEST(late_answer_is_hidden_from_gdb)
{
	connect_target();
	ck_assert(!stops_ask(connection.gdb, &two, SIGNAL));
	check_target_got(ask_two);
	ck_assert(stops_expected());

	/* Until it comes, another one would be taken for it. */
	ck_assert(!stops_ask(connection.gdb, &three, SIGNAL));
	check_target_got("");

	target_sends("%Stop:T00;thread:p1.2;#00$OK#9a$OK#9a");
	check_received(4000, "%Stop:T1d;thread:p1.2;#f2++++++$OK#9a");
	ask(&three, ask_three);
}
END_TEST

START_TEST(thread_that_gdb_stops_is_its_own)
{
	connect_target();
	heed(ask_two);
	/* It stops anyway: nothing is sent. */
	ck_assert(stops_ask(connection.gdb, &two, SIGNAL));
	check_target_got("");
	ck_assert(!stops_owes(&two));
	ck_assert(stops_expected());
	ask(&three, ask_three);
	check_passed(quiet_two, quiet_two);

	/* It has stopped. */
	ask(&two, ask_two);
	check_passed(quiet_two, told_two);
}
END_TEST

START_TEST(gdb_takes_over_a_stop_that_was_asked_for)
{
	connect_target();
	ask(&two, ask_two);
	ask(&three, ask_three);
	heed(ask_two);
	ck_assert(!stops_owes(&two));
	ck_assert(stops_owes(&three));
	check_passed(quiet_two, quiet_two);

	/* GDB knows of this one, and has still to deal with it. */
	check_passed("%Stop:T00;thread:p1.3;#00", "%Stop:T1d;thread:p1.3;#f3");
	heed(ask_three);
	ck_assert(stops_owes(&three));
}
END_TEST

START_TEST(gdb_takes_over_the_stops_of_all)
{
	connect_target();
	ask(&two, ask_two);
	ask(&three, ask_three);
	check_passed(quiet_two, told_two);
	heed("$vCont;t:p1.-1#00");
	ck_assert(stops_owes(&two));
	ck_assert(!stops_owes(&three));
	check_passed("%Stop:T00;thread:p1.3;#00", "%Stop:T00;thread:p1.3;#00");
	stops_met(&two);
	ck_assert(stops_ask(connection.gdb, &two, SIGNAL));
	ck_assert(!stops_owes(&two));
	check_target_got("");

	heed("$vCont;c:p1.-1#00");
	ask(&two, ask_two);
}
END_TEST

START_TEST(gdb_does_not_wait_for_a_thread_that_it_resumes)
{
	connect_target();
	heed(ask_two);
	heed(ask_three);
	heed("$vCont;c:p1.2#00");
	ask(&two, ask_two);
	ck_assert(stops_ask(connection.gdb, &three, SIGNAL));
	ck_assert(!stops_owes(&three));
	heed("$vCont;s:p1.3;c:p1.2#00");
	ask(&three, ask_three);
}
END_TEST

START_TEST(other_packets_of_gdb_change_nothing)
{
	static const char *const texts[] = {
		"$m0,4#00", "$vCont?#49", "$Hgp1.2#00", "$g#67", "+", "\003", ""};

	connect_target();
	ask(&two, ask_two);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		heed(texts[i]);
	ck_assert(stops_owes(&two));
	check_passed(quiet_two, told_two);
}
END_TEST

START_TEST(connection_that_is_gone_is_no_stop)
{
	char data[64];

	connect_target();
	ask(&two, ask_two);
	ck_assert_int_eq(stops_receive(connection.gdb, data, sizeof data, MSG_DONTWAIT), -1);
	ck_assert_int_eq(errno, EAGAIN);
	target_hangs_up();
	ck_assert_int_eq(stops_receive(connection.gdb, data, sizeof data, MSG_DONTWAIT), 0);
	ck_assert(!stops_ask(connection.gdb, &three, SIGNAL));
	stops_await(connection.gdb);

	stops_forget();
	ck_assert(!stops_owes(&two));
	ck_assert(!stops_expected());
}
END_TEST

START_TEST(nothing_is_left_of_a_connection_that_was_forgotten)
{
	connect_target();
	ask(&two, ask_two);
	heed(ask_three);
	heed("$vCont;t:p1.-1#00");
	stops_forget();
	ck_assert(!stops_expected());
	ask(&two, ask_two);
	ask(&three, ask_three);
}
END_TEST

/* Sizes stay: whatever a target sends, GDB gets as much. */
START_TEST(damaged_reports_pass)
{
	static const char *const texts[] = {
		"%Stop:T00#00",
		"%Stop:T0#00",
		"%Stop:#00",
		"%Stop#00",
		"%#00",
		"$T00*#00",
		"$T00*\1;thread:p1.2#00",
		"$T00;thread:p.;#00",
		"$T00;thread:pffffffffffffffffffffffff.ffffffffffffffffffffffff;#00",
		"$T00;thread:p1#00",
		"#00#00",
		"$T00%Stop:T00#00",
	};
	char data[4096];
	char wanted[4096];

	connect_target();
	ask(&three, ask_three);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		check_passed(texts[i], texts[i]);

	/* A long one, with repetitions that make it longer. */
	memset(data, '~', 3000);
	for (size_t i = 10; i < 3000; i += 2)
		data[i] = '*';
	memcpy(data, "$T00", 4);
	strcpy(data + 3000, ";thread:p1.3;#00");
	strcpy(wanted, data);
	check_passed(data, wanted);
}
END_TEST

START_TEST(interrupt_under_way_is_met_before_gdb_detaches)
{
	connect_target();
	TARGET_SENDS_LATE("$O48656c6c6f#00", "+$T02th", "read:p1.2;#00");
	stops_await(connection.gdb);
	/* All of that was waited for. */
	ck_assert_ptr_null(*connection.late);
	check_target_got("$vCont;c#a8");
	check_left_for_gdb("");
}
END_TEST

START_TEST(interrupt_that_was_lost_is_sent_again)
{
	connect_target();
	stops_await(connection.gdb);
	check_target_got("$vCont;c#a8\003");
	check_left_for_gdb("");
}
END_TEST

RUN_TESTS("stops", stop_that_was_asked_for_gets_a_signal, each_stop_is_told_once,
	other_stops_stay_as_they_are, thread_may_come_first_in_its_report, threads_are_asked_apart,
	part_of_a_packet_waits_for_its_rest, what_comes_too_slowly_is_left_as_it_is,
	packet_without_room_is_left_as_it_is, target_that_refuses_is_seen,
	late_answer_is_hidden_from_gdb, thread_that_gdb_stops_is_its_own,
	gdb_takes_over_a_stop_that_was_asked_for, gdb_takes_over_the_stops_of_all,
	gdb_does_not_wait_for_a_thread_that_it_resumes, other_packets_of_gdb_change_nothing,
	connection_that_is_gone_is_no_stop, nothing_is_left_of_a_connection_that_was_forgotten,
	damaged_reports_pass, interrupt_under_way_is_met_before_gdb_detaches,
	interrupt_that_was_lost_is_sent_again)
