/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_ticker.h"

/* On a machine that has no time for us a try may fail; not every one does. */
enum { TRIES = 10 };

START_TEST(meets_a_spinning_thread_about_as_often_as_asked)
{
	enum { RATE = 200 };
	double reached = 0;

	for (int i = 0; i < TRIES && !(reached > RATE * 0.7); i++) {
		struct host host = start(child_spin, true, usual(RATE));
		prof_ticker_release(host.ticker);
		meet_many(&host, RATE / 2);
		prof_ticker_hold(host.ticker);
		take(&host);
		/* By its CPU time: others may have the CPU as well. */
		double due = (double)host.cpu / 1e9 * RATE;
		reached = (double)host.samples / due * RATE;
		finish(&host);
		/* Never more often: what was missed is not made up for. */
		ck_assert_double_lt((double)host.samples, due * 1.3 + 4);
	}
	ck_assert_double_gt(reached, RATE * 0.7);
}
END_TEST

START_TEST(keeps_the_engines_note)
{
	struct host host = start(child_spin, true, usual(500));
	int signal, note = 0;

	ck_assert(!prof_ticker_watch(host.ticker, host.child, NOTE + 1));
	ck_assert(!prof_ticker_watch(host.ticker, host.child, 0)); /* keeps it */
	prof_ticker_release(host.ticker);
	pid_t thread = wait_for_stop(&signal);
	ck_assert_int_eq(signal, SIGURG);
	ck_assert(meets(host.ticker, thread, signal, &note));
	ck_assert_int_eq(note, NOTE + 1);
	settle(&host, thread);
	finish(&host);
}
END_TEST

START_TEST(sleeping_threads_time_is_told_as_other)
{
	struct host host = start(child_sleep, false, usual(200));

	child_await(host.child, 'S');
	int64_t begin = prof_clock();
	prof_ticker_release(host.ticker);
	int64_t begun = prof_clock();
	while (host.sleeps < 4) {
		take(&host);
		pause_ms(1);
	}
	ck_assert_int_eq(host.cpu, 0);
	ck_assert_int_le(host.other, host.last - begin);
	ck_assert_int_ge(host.other, host.last - begun);
	finish(&host);
}
END_TEST

START_TEST(hold_sends_nothing)
{
	check_hold(usual(1000));
}
END_TEST

START_TEST(no_tick_is_sent_before_the_last_was_met)
{
	struct host host = start(child_spin, true, usual(1000));
	struct prof_signals signals;
	int signal, note;

	ck_assert(!prof_ticker_outstanding(host.ticker));
	prof_ticker_release(host.ticker);
	pid_t thread = wait_for_stop(&signal);
	ck_assert(prof_ticker_outstanding(host.ticker));
	uint64_t ticks = figures(&host)->ticks;
	uint64_t lost = host.figures.lost;
	wait_rounds(&host, 50);
	ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	ck_assert_uint_eq(signals.pending, 0);
	/* The others were due while it was stopped, and count as lost. */
	ck_assert_uint_ge(host.figures.lost - lost, 49);
	ck_assert_uint_eq(host.figures.ticks - ticks, host.figures.lost - lost);

	ck_assert(meets(host.ticker, thread, signal, &note));
	settle(&host, thread);
	meet_many(&host, 5);
	finish(&host);
}
END_TEST

/* GDB may read symbols for seconds, while threads that our ticks have stopped wait for it. */
START_TEST(tick_is_ours_however_long_the_host_is_busy)
{
	struct host host = start(child_spin, true, usual(100));
	int signal, note;

	prof_ticker_release(host.ticker);
	child_await(host.child, 't');
	int64_t begin = prof_clock();
	while (prof_clock() - begin < 500000000)
		wait_rounds(&host, 1);
	ck_assert_int_eq(stopped(&signal), host.child);
	ck_assert(meets(host.ticker, host.child, signal, &note));
	settle(&host, host.child);
	/* All of it was the profiler's, but for a wait for a CPU that the kernel tells as it ends.
	 */
	int64_t delay = thread_schedstat(host.child, host.child).delay;
	ck_assert_int_ge(figures(&host)->kept, 450000000 - delay);
	finish(&host);
}
END_TEST

static void work_and_rest(void)
{
	for (;;) {
		burn(2000000);
		pause_ms(2);
	}
}

/* Stops the child of HOST as debuggers do, without notice, and meets what comes before. */
static void interrupt(struct host *host)
{
	int signal, note;

	ptrace(PTRACE_INTERRUPT, host->child, NULL, NULL);
	for (bool interrupted = false; !interrupted;) {
		pid_t thread = stopped(&signal);
		if (thread && meets(host->ticker, thread, signal, &note))
			settle(host, thread);
		else
			interrupted = thread;
	}
}

/* Has the child of HOST work for NS, and meets its ticks. */
static void work(struct host *host, int64_t ns)
{
	for (int64_t end = prof_clock() + ns; prof_clock() < end;) {
		meet(host);
		take(host);
	}
}

/* The time that is told of the thread of HOST. */
static int64_t told(const struct host *host)
{
	return host->cpu + host->delay + host->other + host->figures.kept;
}

/* Whether what is told of HOST, whose child was BORN then, adds up to its time. */
static void add_up(struct host host, int64_t born)
{
	int64_t before = thread_schedstat(host.child, host.child).run;
	int64_t begin = prof_clock();
	prof_ticker_release(host.ticker);
	/* A wait for a CPU that began before the release is known when it is over. */
	int64_t late = prof_clock() - born;
	work(&host, INT64_C(1500000000));
	/* As GDB does: it stands still first, and has no time from then on. */
	int64_t still = prof_clock();
	interrupt(&host);
	prof_ticker_hold(host.ticker);
	late += prof_clock() - still;
	int64_t run = thread_schedstat(host.child, host.child).run - before;
	take(&host);
	int64_t elapsed = host.last - begin;

	/* Some of it went by before the release. */
	int64_t most = elapsed / 50 + late;
	ck_assert_int_le(llabs(host.cpu - run), most);
	ck_assert_msg(llabs(told(&host) - elapsed) < most,
		"cpu %.3f + delay %.3f + other %.3f + stopped %.3f s of %.3f s",
		(double)host.cpu / 1e9, (double)host.delay / 1e9, (double)host.other / 1e9,
		(double)host.figures.kept / 1e9, (double)elapsed / 1e9);
	ck_assert_int_eq(host.figures.running, host.cpu);
	ck_assert_int_le(llabs(host.figures.duration - elapsed), most);
	finish(&host);
}

START_TEST(what_the_host_holds_without_notice_has_no_time)
{
	static const int64_t HELD = 1000000000;
	struct host host = start(child_spin, true, usual(1000));
	int64_t born = prof_clock();

	prof_ticker_release(host.ticker);
	work(&host, 300000000);
	/* A tick that is due would have the time, as above. */
	for (interrupt(&host); prof_ticker_outstanding(host.ticker); interrupt(&host)) {
		go_on(host.child);
		meet_many(&host, 1);
	}
	uint64_t rounds = figures(&host)->rounds;
	for (int64_t begin = prof_clock(); prof_clock() - begin < HELD;)
		pause_ms(1);
	ck_assert_uint_lt(figures(&host)->rounds - rounds, 500);
	go_on(host.child);
	work(&host, 300000000);
	interrupt(&host);
	prof_ticker_hold(host.ticker);
	take(&host);
	int64_t elapsed = prof_clock() - born;
	ck_assert_int_lt(host.figures.duration, elapsed - HELD / 2);
	ck_assert_int_lt(llabs(told(&host) - host.figures.duration), HELD / 5);
	finish(&host);
}
END_TEST

/* Between two rounds: on a busy machine, one can come late. */
START_TEST(what_it_ran_before_it_was_held_has_time)
{
	struct host host = start(child_spin, true, usual(1));

	prof_ticker_release(host.ticker);
	meet_many(&host, 1);
	int64_t born = prof_clock();
	while (prof_clock() - born < 700000000)
		pause_ms(1);
	interrupt(&host);
	while (prof_clock() - born < 1600000000)
		pause_ms(1);
	prof_ticker_hold(host.ticker);
	take(&host);
	ck_assert_msg(llabs(told(&host) - host.figures.duration) < 300000000, "%.3f s of %.3f s",
		(double)told(&host) / 1e9, (double)host.figures.duration / 1e9);
	finish(&host);
}
END_TEST

START_TEST(time_adds_up)
{
	int64_t born = prof_clock();

	add_up(start(work_and_rest, true, usual(1000)), born);
}
END_TEST

START_TEST(time_adds_up_where_all_wait_for_a_cpu)
{
	int64_t born = prof_clock();

	add_up(start_crowded(), born);
}
END_TEST

/* After a recording has ended there is no queue any more. */
START_TEST(nobody_is_told_where_there_is_no_look)
{
	struct host host = start(work_and_rest, true, usual(1000));
	int signal, note;

	prof_ticker_release(host.ticker);
	meet_many(&host, 20);
	while (!prof_ticker_outstanding(host.ticker))
		pause_ms(0);
	prof_ticker_hold(host.ticker);
	pid_t thread = wait_for_stop(&signal);
	ck_assert(meets(host.ticker, thread, signal, &note));
	size_t told = prof_queue_count(host.queue);
	prof_ticker_settle(host.ticker, thread, prof_clock(), PROF_WITHIN_PROGRAM, NULL);
	ck_assert(!prof_ticker_outstanding(host.ticker));
	ck_assert_uint_eq(prof_queue_count(host.queue), told);
	finish(&host);
}
END_TEST

START_TEST(limit_lowers_the_rate_while_settling_comes_late)
{
	enum { RATE = 200 };
	struct prof_ticker_options options = usual(RATE);
	int signal, note;

	options.max_stopped = 0.3;
	struct host host = start(child_spin, true, options);
	prof_ticker_release(host.ticker);
	ck_assert_double_eq(figures(&host)->rate, RATE);
	while (host.figures.rate > RATE / 4) {
		pid_t thread = stopped(&signal);
		if (thread && meets(host.ticker, thread, signal, &note)) {
			pause_ms(100);
			settle(&host, thread);
		} else if (thread) {
			go_on(thread);
		}
		take(&host);
	}
	double lowest = host.figures.rate;
	ck_assert_double_ge(lowest, 1);
	/* In time again, it goes up, but not above what was asked for. */
	while (host.figures.rate <= lowest) {
		meet(&host);
		take(&host);
	}
	ck_assert_double_le(host.figures.rate, RATE);
	finish(&host);
}
END_TEST

START_TEST(destroys_none)
{
	prof_ticker_destroy(NULL);
}
END_TEST

RUN_TESTS("ticker", meets_a_spinning_thread_about_as_often_as_asked, keeps_the_engines_note,
	sleeping_threads_time_is_told_as_other, hold_sends_nothing,
	no_tick_is_sent_before_the_last_was_met, tick_is_ours_however_long_the_host_is_busy,
	time_adds_up, time_adds_up_where_all_wait_for_a_cpu,
	what_the_host_holds_without_notice_has_no_time, what_it_ran_before_it_was_held_has_time,
	nobody_is_told_where_there_is_no_look, limit_lowers_the_rate_while_settling_comes_late,
	destroys_none)
