/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wire to a target.  The test plays GDB, whose calls go through the import slots of this
 * program: gdb_send() and so on.  The linker (--wrap) has all other calls of these functions go
 * past the slots, as those of the plugin do in GDB.
 */
#include "plugin/interpose/wire.h"

#include "base/clock.h"
#include "plugin/interpose/packet.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int __wrap_poll(struct pollfd *files, nfds_t count, int timeout);
ssize_t __wrap_send(int file, const void *data, size_t size, int flags);
ssize_t __wrap_write(int file, const void *data, size_t size);
ssize_t __wrap_recv(int file, void *data, size_t size, int flags);
ssize_t __wrap_read(int file, void *data, size_t size);

int __real_poll(struct pollfd *files, nfds_t count, int timeout);
ssize_t __real_send(int file, const void *data, size_t size, int flags);
ssize_t __real_write(int file, const void *data, size_t size);
ssize_t __real_recv(int file, void *data, size_t size, int flags);
ssize_t __real_read(int file, void *data, size_t size);

#define TARGET_END_POLL __wrap_poll
#include "target_end.h"

ssize_t __wrap_send(int file, const void *data, size_t size, int flags)
{
	return sendto(file, data, size, flags, NULL, 0);
}

ssize_t __wrap_write(int file, const void *data, size_t size)
{
	return syscall(SYS_write, file, data, size);
}

ssize_t __wrap_recv(int file, void *data, size_t size, int flags)
{
	return recvfrom(file, data, size, flags, NULL, NULL);
}

ssize_t __wrap_read(int file, void *data, size_t size)
{
	return syscall(SYS_read, file, data, size);
}

/* What the listener hears, and answers. */
static struct {
	int waits, long_waits;
	int64_t next[8]; /* what the waits return, one after the other, then the last */
	char resumed[64];
	int resumptions, detachments, interrupts;
	int64_t detached;
	bool under_way; /* an interrupt, as GDB detaches */
	bool permits;   /* interrupts of GDB's */
} heard;

static int64_t hear_wait(bool is_long)
{
	int number = heard.waits < 7 ? heard.waits : 7;

	heard.waits++;
	heard.long_waits += is_long;
	return heard.next[number] ? heard.next[number] : INT64_MAX;
}

static void hear_resume(const char *data, size_t size)
{
	heard.resumptions++;
	ck_assert_uint_lt(size, sizeof heard.resumed);
	memcpy(heard.resumed, data, size);
	heard.resumed[size] = '\0';
}

static bool hear_detach(int64_t process)
{
	heard.detachments++;
	heard.detached = process;
	return heard.under_way;
}

static bool hear_interrupt(void)
{
	heard.interrupts++;
	return heard.permits;
}

static const struct wire_listener listener = {hear_wait, hear_resume, hear_detach, hear_interrupt};

static const char go_on[] = "$vCont;c#a8", interrupt[] = "\003";

static void gdb_sends(const char *text)
{
	ck_assert_int_eq(__real_send(connection.gdb, text, strlen(text), 0), strlen(text));
}

/* GDB sends TEXT, which passes. */
static void check_sent(const char *text)
{
	gdb_sends(text);
	check_target_got(text);
}

/* GDB reads TEXT with recv(). */
static void check_received(const char *text)
{
	char data[256];
	ssize_t got = __real_recv(connection.gdb, data, sizeof data - 1, MSG_DONTWAIT);

	ck_assert_int_ge(got, 0);
	data[got] = '\0';
	ck_assert_str_eq(data, text);
}

/* GDB is connected to a target, and does not know that it is listened to. */
static void begin(void)
{
	connect_target();
	ck_assert_ok(wire_available());
	ck_assert_ok(wire_open(&listener));
}

/* The same, and has let the target go on. */
static void begin_running(void)
{
	begin();
	check_sent(go_on);
}

static int gdb_polls(int timeout)
{
	struct pollfd file = {.fd = connection.gdb, .events = POLLIN};

	return __real_poll(&file, 1, timeout);
}

START_TEST(resumption_is_heard_and_passes)
{
	begin();
	check_sent("$qfThreadInfo#bb");
	ck_assert_int_eq(heard.resumptions, 0);
	check_sent(go_on);
	ck_assert_int_eq(heard.resumptions, 1);
	ck_assert_str_eq(heard.resumed, go_on);
}
END_TEST

START_TEST(interrupt_of_gdb_passes_if_the_listener_permits_it)
{
	begin_running();
	heard.permits = true;
	check_sent(interrupt);
	ck_assert_int_eq(heard.interrupts, 1);
	heard.permits = false;
	gdb_sends(interrupt); /* it has sent it, as far as it knows */
	ck_assert_int_eq(heard.interrupts, 2);
	check_target_got("");
}
END_TEST

START_TEST(byte_to_another_than_the_target_is_no_interrupt)
{
	begin();
	check_sent(interrupt);
	ck_assert_int_eq(heard.interrupts, 0);
}
END_TEST

START_TEST(target_is_interrupted_once_it_is_known)
{
	begin();
	ck_assert(!wire_interrupt());
	check_target_got("");
	check_sent(go_on);
	ck_assert(wire_interrupt());
	check_target_got(interrupt);
	ck_assert_int_eq(heard.interrupts, 0);
	wire_forget();
	ck_assert(!wire_interrupt());
}
END_TEST

START_TEST(serial_line_is_heard_and_interrupted_too)
{
	int ends[2];
	char data[32];
	unsigned char byte;

	begin();
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(__real_write(ends[1], go_on, strlen(go_on)), strlen(go_on));
	ck_assert_int_eq(heard.resumptions, 1);
	ck_assert_int_eq(__real_read(ends[0], data, sizeof data), strlen(go_on));
	ck_assert(wire_interrupt());
	ck_assert_int_eq(__real_read(ends[0], data, sizeof data), 1);
	ck_assert_int_eq(data[0], *interrupt);
	/* It cannot be looked into what is to be read. */
	ck_assert(!wire_read(0x1000, &byte, 1));
	ck_assert(!wire_stop(&(struct packet_thread){1, 2}, 0x1d));
}
END_TEST

START_TEST(wait_ends_where_the_listener_had_gdb_do_something)
{
	begin_running();
	heard.next[0] = -1;
	ck_assert_int_eq(gdb_polls(-1), 0);
	ck_assert_int_eq(heard.waits, 1);
	ck_assert_int_eq(heard.long_waits, 1);
}
END_TEST

START_TEST(listener_is_called_again_when_it_wants_to_be)
{
	begin_running();
	for (int i = 0; i < 3; i++)
		heard.next[i] = prof_clock() + i;
	heard.next[3] = -1;
	ck_assert_int_eq(gdb_polls(-1), 0);
	ck_assert_int_eq(heard.waits, 4);
}
END_TEST

START_TEST(what_comes_ends_a_wait)
{
	begin_running();
	target_sends("$OK#9a");
	heard.next[0] = prof_clock() + 60 * PROF_NS_PER_SECOND;
	ck_assert_int_eq(gdb_polls(-1), 1);
	heard.waits = 0;
	heard.next[0] = INT64_MAX;
	ck_assert_int_eq(gdb_polls(-1), 1);
	ck_assert_int_eq(heard.waits, 1);
	check_received("$OK#9a");
}
END_TEST

START_TEST(wait_takes_no_longer_than_gdb_wants)
{
	begin_running();
	ck_assert_int_eq(gdb_polls(20), 0);
	ck_assert_int_eq(heard.waits, 1);
	/* Again and again the listener wants to be called soon. */
	heard.waits = 0;
	for (int i = 0; i < 8; i++)
		heard.next[i] = 1;
	heard.next[7] = prof_clock() + 60 * PROF_NS_PER_SECOND;
	ck_assert_int_eq(gdb_polls(20), 0);
	ck_assert_int_le(heard.waits, 8); /* fewer where the machine is busy */
	/* A look is none. */
	heard.waits = heard.long_waits = 0;
	ck_assert_int_eq(gdb_polls(0), 0);
	ck_assert_int_eq(heard.waits, 1);
	ck_assert_int_eq(heard.long_waits, 0);
}
END_TEST

START_TEST(only_connection_that_gdb_waits_for_is_the_target)
{
	int other[2];

	begin();
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, other), 0);
	struct pollfd files[] = {{.fd = connection.gdb}, {.fd = other[0]}, {.fd = STDIN_FILENO}};
	ck_assert_int_eq(__real_poll(files, 2, 0), 0);
	ck_assert(!wire_interrupt()); /* which of the two? */
	files[1].fd = STDIN_FILENO;
	__real_poll(files, 2, 0);
	ck_assert(wire_interrupt());
	check_target_got(interrupt);
}
END_TEST

START_TEST(memory_is_read_behind_the_back_of_gdb)
{
	unsigned char bytes[2];

	begin();
	ck_assert(!wire_read(0x1000, bytes, sizeof bytes));
	check_sent(go_on);
	TARGET_SENDS_LATE("$12ab#f4");
	ck_assert(wire_read(0x1000, bytes, sizeof bytes));
	check_target_got("$m1000,2#8c");
	ck_assert_int_eq(bytes[0], 0x12);
	ck_assert_int_eq(bytes[1], 0xab);
	ck_assert(!wire_owes());
	check_left_for_gdb("");
}
END_TEST

START_TEST(answer_that_comes_behind_something_is_hidden)
{
	static const char report[] = "%Stop:T0506:0;thread:p1.2;#00";
	unsigned char bytes[2];
	char wanted[64], data[64] = "";

	begin_running();
	snprintf(wanted, sizeof wanted, "%s%s", report, "$12ab#f4");
	target_sends(wanted);
	ck_assert(wire_read(0x1000, bytes, sizeof bytes));
	ck_assert_int_eq(bytes[1], 0xab);
	ck_assert(wire_owes());
	/* Nothing more is asked for until then. */
	ck_assert(!wire_read(0x1000, bytes, sizeof bytes));
	snprintf(wanted, sizeof wanted, "%s%s", report, "++++++++");
	ck_assert_int_eq(__real_read(connection.gdb, data, sizeof data - 1), strlen(wanted));
	ck_assert_str_eq(data, wanted);
	ck_assert(!wire_owes());
}
END_TEST

START_TEST(stop_that_was_asked_for_has_a_signal_for_gdb)
{
	begin_running();
	TARGET_SENDS_LATE("$OK#9a");
	ck_assert(wire_stop(&(struct packet_thread){1, 2}, 0x1d));
	check_target_got("$vCont;t:p1.2#f4");
	target_sends("%Stop:T0006:00*,;thread:p1.2;core:1;#00");
	check_received("%Stop:T1d06:00*,;thread:p1.2;core:1;#97");
}
END_TEST

START_TEST(target_that_waits_for_acknowledgements_is_not_asked)
{
	unsigned char byte;

	begin_running();
	check_sent("+");
	ck_assert(!wire_read(0x1000, &byte, 1));
	ck_assert(!wire_stop(&(struct packet_thread){1, 2}, 0x1d));
	check_target_got("");
}
END_TEST

START_TEST(interrupt_under_way_is_met_before_gdb_detaches)
{
	begin_running();
	gdb_sends("$D;a#00");
	ck_assert_int_eq(heard.detachments, 1);
	ck_assert_int_eq(heard.detached, 10);
	check_target_got("$D;a#00");
	heard.under_way = true;
	TARGET_SENDS_LATE("$T02thread:p1.2;#00");
	gdb_sends("$D#44");
	ck_assert_int_eq(heard.detachments, 2);
	ck_assert_int_eq(heard.detached, 0);
	check_target_got("$vCont;c#a8$D#44");
	check_left_for_gdb("");
}
END_TEST

static void *call_as_another(void *unused)
{
	(void)unused;
	gdb_sends(go_on);
	ck_assert_int_eq(gdb_polls(0), 0);
	return NULL;
}

START_TEST(other_threads_of_gdb_are_not_heard)
{
	pthread_t thread;

	begin();
	ck_assert_int_eq(pthread_create(&thread, NULL, call_as_another, NULL), 0);
	pthread_join(thread, NULL);
	ck_assert_int_eq(heard.resumptions, 0);
	ck_assert_int_eq(heard.waits, 0);
	check_target_got(go_on);
}
END_TEST

START_TEST(nothing_is_heard_of_a_wire_that_was_closed)
{
	begin_running();
	wire_close();
	wire_close();
	check_sent(go_on);
	ck_assert_int_eq(gdb_polls(0), 0);
	ck_assert_int_eq(heard.resumptions, 1);
	ck_assert_int_eq(heard.waits, 0);
	ck_assert(!wire_interrupt());
	/* It can be opened again. */
	ck_assert_ok(wire_open(&listener));
	check_sent(go_on);
	ck_assert_int_eq(heard.resumptions, 2);
}
END_TEST

RUN_TESTS("wire", resumption_is_heard_and_passes,
	interrupt_of_gdb_passes_if_the_listener_permits_it,
	byte_to_another_than_the_target_is_no_interrupt, target_is_interrupted_once_it_is_known,
	serial_line_is_heard_and_interrupted_too, wait_ends_where_the_listener_had_gdb_do_something,
	listener_is_called_again_when_it_wants_to_be, what_comes_ends_a_wait,
	wait_takes_no_longer_than_gdb_wants, only_connection_that_gdb_waits_for_is_the_target,
	memory_is_read_behind_the_back_of_gdb, answer_that_comes_behind_something_is_hidden,
	stop_that_was_asked_for_has_a_signal_for_gdb,
	target_that_waits_for_acknowledgements_is_not_asked,
	interrupt_under_way_is_met_before_gdb_detaches, other_threads_of_gdb_are_not_heard,
	nothing_is_heard_of_a_wire_that_was_closed)
