/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_ticker.h"

#include <math.h>
#include <pthread.h>

static void *burn_thread(void *context)
{
	burn(20000000);
	return context;
}

static void start_short_threads(void)
{
	for (;;) {
		pthread_t thread;
		pthread_create(&thread, NULL, burn_thread, NULL);
		pthread_join(thread, NULL);
	}
}

/* Threads come, are discovered and named, are met, and end, maybe with a tick under way. */
START_TEST(threads_come_and_go)
{
	struct prof_ticker_options options = usual(500);
	options.discover = true;
	struct host host = start(start_short_threads, true, options);

	prof_ticker_release(host.ticker);
	while (host.named < 6 || !host.met) {
		meet(&host);
		take(&host);
	}
	finish(&host);
}
END_TEST

START_TEST(process_that_is_gone_is_not_watched)
{
	struct host host = start(child_spin, false, usual(500));
	pid_t child = host.child;

	prof_ticker_release(host.ticker);
	children_end();
	wait_rounds(&host, 5);
	ck_assert(!prof_ticker_outstanding(host.ticker) || figures(&host)->rounds);
	prof_ticker_forget(host.ticker, child);
	ck_assert(!prof_ticker_watch(host.ticker, child, NOTE));
	prof_ticker_hold(host.ticker);
	prof_ticker_release(host.ticker);
	finish(&host);
}
END_TEST

START_TEST(forgotten_thread_is_left_alone)
{
	struct host host = start(child_spin, true, usual(1000));
	struct prof_look look;
	int note;

	prof_ticker_release(host.ticker);
	meet_many(&host, 5);
	prof_ticker_forget(host.ticker, host.child);
	prof_ticker_forget(host.ticker, host.child);
	/* What was under way is another's now. */
	ck_assert(!prof_ticker_outstanding(host.ticker));
	ck_assert(!meets(host.ticker, host.child, SIGURG, &note));
	struct prof_signals signals = {.pending = 1};
	while (signals.pending || thread_state(host.child, host.child) == 't') {
		meet(&host);
		ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	}
	assert_left_alone(&host);

	/* Had it been met before it was forgotten, its sample would stand for no time. */
	prof_ticker_settle(host.ticker, host.child, prof_clock(), PROF_WITHIN_PROGRAM, &look);
	ck_assert_int_eq(look.thread, host.child);
	ck_assert_uint_eq(look.samples, 1);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 0);

	ck_assert(prof_ticker_watch(host.ticker, host.child, NOTE));
	meet_many(&host, 5);
	finish(&host);
}
END_TEST

static void *sleep_thread(void *context)
{
	child_sleep();
	return context;
}

static void start_one_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_thread, NULL);
	child_sleep();
}

START_TEST(exec_leaves_the_leader_only)
{
	struct host host = start(start_one_thread, false, usual(100));
	struct pair pair = {.leader = host.child};

	while (!pair.other)
		ck_assert(prof_procfs_threads(host.child, find_other, &pair));
	ck_assert(prof_ticker_watch(host.ticker, pair.other, NOTE));
	ck_assert(!prof_ticker_watch(host.ticker, pair.other, NOTE));
	prof_ticker_exec(host.ticker);
	ck_assert(prof_ticker_watch(host.ticker, pair.other, NOTE));
	ck_assert(!prof_ticker_watch(host.ticker, pair.leader, NOTE));
	finish(&host);
}
END_TEST

START_TEST(waiting_for_a_cpu_is_not_the_profilers_doing)
{
	struct host host = start_crowded();

	prof_ticker_release(host.ticker);
	int64_t begin = thread_schedstat(host.child, host.child).delay;
	int64_t delay = 0;
	while (delay < 300000000 || host.cpu < 50000000) {
		if (meet(&host))
			delay = thread_schedstat(host.child, host.child).delay - begin;
		take(&host);
	}
	prof_ticker_hold(host.ticker);
	take(&host);
	/* All that it waited is time of its own, to the ns but for the last look. */
	ck_assert_int_gt(host.delay, delay - delay / 10);
	/* And the samples are those of its time on the CPU, as many as there were looks then. */
	double share = (double)host.cpu / (double)host.figures.duration;
	double looks = (double)host.figures.rounds;
	ck_assert_double_lt(fabs((double)host.samples / looks - share), 0.15);
	/* Ticks that were due while it stood in one are not taken off. */
	double due = (double)host.cpu / 1e9 * host.figures.rate;
	ck_assert_double_gt((double)host.samples, 0.6 * due - 4);
	finish(&host);
}
END_TEST

/* Stopped again before it went on, as half of the times it would be, a program hardly moves. */
START_TEST(thread_that_waits_for_a_cpu_is_let_go_on)
{
	enum { MEETINGS = 100 };
	struct host host = start_crowded();
	int64_t before = 0;
	int in_vain = 0;

	prof_ticker_release(host.ticker);
	while (host.met < MEETINGS) {
		if (!meet(&host))
			continue;
		/* The look has told what it ran, or one before it. */
		take(&host);
		in_vain += host.cpu - before < 100000;
		before = host.cpu;
	}
	ck_assert_int_lt(in_vain, MEETINGS * 2 / 5);
	finish(&host);
}
END_TEST

RUN_TESTS("ticker threads", threads_come_and_go, process_that_is_gone_is_not_watched,
	forgotten_thread_is_left_alone, exec_leaves_the_leader_only,
	waiting_for_a_cpu_is_not_the_profilers_doing, thread_that_waits_for_a_cpu_is_let_go_on)
