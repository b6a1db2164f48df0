/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the debugger, which is this program, wait for events?  And the ticks that it is to meet. */
#include "plugin/interpose/attention.h"

#include "plugin/interpose/subject.h"
#include "sampling/ticker.h"
#include "sample_ticker.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ptrace.h>

static struct subjects subjects;
static int met;
static pid_t last;

static bool meet_one(pid_t thread, int signal)
{
	(void)signal;
	met++;
	last = thread;
	return true;
}

static void begin(void)
{
	ck_assert_ok(attention_watch(&subjects, meet_one));
}

START_TEST(it_listens_from_the_beginning_to_the_end)
{
	begin();
	for (int i = 0; i < 2; i++) {
		ck_assert(!attention_listens());
		attention_begin();
		attention_begin();
		ck_assert(attention_listens());
		attention_end(0);
		ck_assert(!attention_listens());
		attention_end(0);
	}
	attention_unwatch();
	attention_unwatch();
}
END_TEST

START_TEST(it_listens_until_it_is_told_of_a_stop)
{
	static const int stop = SIGSTOP << 8 | 0x7f;
	static const int clone = (SIGTRAP | PTRACE_EVENT_CLONE << 8) << 8 | 0x7f;

	begin();
	attention_begin();
	attention_reported(1, clone); /* GDB deals with these, and waits on */
	attention_reported(1, 0);
	attention_reported(1, SIGKILL);
	ck_assert(attention_listens());
	attention_reported(1, stop);
	ck_assert(!attention_listens());
	attention_unwatch();
}
END_TEST

/* What another thread has seen while the host waited, and how it is told to end. */
static atomic_bool heard, is_over;
static pthread_t host;

static void on_signal(int signal)
{
	(void)signal;
}

/* Looks by LOOK until the host waits, and ends that. */
static void *look(void *argument)
{
	bool (*looks)(void) = *(bool (**)(void))argument;

	while (!looks())
		pause_ms(1);
	atomic_store(&heard, true);
	while (!atomic_load(&is_over)) {
		pthread_kill(host, SIGUSR1);
		pause_ms(1);
	}
	return NULL;
}

/* Has another thread look by LOOKS while this one waits in WAIT. */
static void wait_watched(bool (*looks)(void), void (*wait)(void))
{
	struct sigaction action = {.sa_handler = on_signal};
	pthread_t thread;

	host = pthread_self();
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, look, &looks), 0);
	wait();
	ck_assert(atomic_load(&heard));
	atomic_store(&is_over, true);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static void wait_in_sigsuspend(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigsuspend(&none);
}

static void wait_in_poll(void)
{
	poll(NULL, 0, -1);
}

START_TEST(it_listens_in_sigsuspend)
{
	begin();
	wait_watched(attention_listens, wait_in_sigsuspend);
	attention_unwatch();
}
END_TEST

START_TEST(the_kernel_shows_it_too)
{
	char call[256];

	if (!prof_procfs_read(getpid(), getpid(), "syscall", call, sizeof call))
		return; /* not every kernel does */
	begin();
	ck_assert(!attention_seen());
	wait_watched(attention_seen, wait_in_poll);
	ck_assert(!attention_listens()); /* nobody stood in for poll() */
	attention_unwatch();
}
END_TEST

START_TEST(without_slots_the_kernel_is_asked)
{
	char call[256];

	if (!prof_procfs_read(getpid(), getpid(), "syscall", call, sizeof call))
		return;
	ck_assert(!attention_listens());
	wait_watched(attention_listens, wait_in_poll);
}
END_TEST

/* A child that is a subject, and whose tick is under way: it has stopped, and was not met. */
static struct host start_ticked(struct subject *subject)
{
	struct host debugger = start(child_spin, true, usual(1000));

	subject->process = debugger.child;
	subject->ticker = debugger.ticker;
	ck_assert(prof_array_reserve(&subjects.items, 1));
	subjects.items.items[subjects.items.count++] = subject;
	begin();
	attention_begin();
	prof_ticker_release(debugger.ticker);
	child_await(debugger.child, 't');
	return debugger;
}

static void finish_ticked(struct host *debugger)
{
	attention_unwatch();
	free(subjects.items.items);
	finish(debugger);
}

START_TEST(ticks_under_way_are_met_first)
{
	struct subject subject = {0};
	struct host debugger = start_ticked(&subject);

	attention_end(0);
	ck_assert_int_eq(met, 1);
	ck_assert_int_eq(last, debugger.child);
	finish_ticked(&debugger);
}
END_TEST

START_TEST(a_tick_that_is_told_is_not_met_here)
{
	struct subject subject = {0};
	struct host debugger = start_ticked(&subject);

	attention_end(debugger.child);
	ck_assert_int_eq(met, 0);
	finish_ticked(&debugger);
}
END_TEST

START_TEST(nothing_is_met_that_is_not_watched)
{
	struct subject subject = {0};
	struct host debugger = start_ticked(&subject);

	attention_unwatch();
	attention_end(0);
	ck_assert_int_eq(met, 0);
	finish_ticked(&debugger);
}
END_TEST

RUN_TESTS("attention", it_listens_from_the_beginning_to_the_end,
	it_listens_until_it_is_told_of_a_stop, it_listens_in_sigsuspend, the_kernel_shows_it_too,
	without_slots_the_kernel_is_asked, ticks_under_way_are_met_first,
	a_tick_that_is_told_is_not_met_here, nothing_is_met_that_is_not_watched)
