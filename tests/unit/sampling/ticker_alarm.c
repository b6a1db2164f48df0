/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/ticker.h"

#include "base/yielding_lock.h"
#include "sample_ticker.h"
#include "sampling/tick.h"
#include "sampling/ticker_private.h"
#include "sampling/watch.h"
#include "sampling/watches.h"
#include "target/arch.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

static const double SECOND = 1e9;
static const int64_t MS = 1000000;

/* A ticker asks without a context: there is one host. */
static atomic_bool listens = true;

static bool does_listen(void)
{
	return atomic_load(&listens);
}

static struct prof_ticker_options ringing(double rate)
{
	struct prof_ticker_options options = usual(rate);

	options.alarms = true;
	options.listens = does_listen;
	return options;
}

/* May alarms be had here? */
static bool permitted(void)
{
	struct prof_error *why;
	bool all = prof_perf_scope(prof_arch_native(), &why) == PROF_PERF_ALL;

	prof_error_destroy(why);
	return all;
}

/* Works for some 20 us, and waits for as long, again and again. */
static void work_and_wait(void)
{
	struct timespec brief = {.tv_nsec = 20000};

	for (;;) {
		burn(20000);
		nanosleep(&brief, NULL);
	}
}

/* Samples of HOST's child, of TIMES 50, are its CPU time at the rate of 1000 Hz. */
static void check_samples(void (*function)(void), int times)
{
	struct host host = start(function, true, ringing(1000));

	prof_ticker_release(host.ticker);
	for (int i = 0; i < times; i++)
		meet_many(&host, 50);
	prof_ticker_hold(host.ticker);
	double due = (double)figures(&host)->running / SECOND * 1000;
	ck_assert_double_lt((double)host.samples, 1.05 * due + 4);
	ck_assert_double_gt((double)host.samples, 0.9 * due - 2);
	finish(&host);
}

START_TEST(samples_are_the_cpu_time_times_the_rate)
{
	check_samples(child_spin, 4);
}
END_TEST

START_TEST(one_that_works_briefly_is_met_as_often_as_it_works)
{
	if (permitted())
		check_samples(work_and_wait, 4);
}
END_TEST

START_TEST(nothing_rings_while_the_host_does_not_listen)
{
	struct host host = start(child_spin, true, ringing(1000));
	struct prof_owed owed[2] = {{0}};

	prof_ticker_release(host.ticker);
	for (int i = 0; i < 20; i++) {
		int signal, note;
		meet_many(&host, 3);
		atomic_store(&listens, false);
		size_t count = prof_ticker_hush(host.ticker, owed, 2);
		/* Its tick is met, if it has come already. */
		if (count) {
			pid_t thread = wait_for_stop(&signal);
			ck_assert_int_eq(thread, owed[0].thread);
			ck_assert(meets(host.ticker, thread, signal, &note));
			settle(&host, thread);
		}
		ck_assert_uint_eq(prof_ticker_hush(host.ticker, owed, 2), 0);
		int64_t run = thread_schedstat(host.child, host.child).run;
		while (thread_schedstat(host.child, host.child).run == run)
			ck_assert_int_eq(stopped(&signal), 0);
		atomic_store(&listens, true);
		prof_ticker_heed(host.ticker);
	}
	finish(&host);
}
END_TEST

/* A host that is slow to meet its ticks: the thread uses no CPU time meanwhile. */
START_TEST(one_that_stands_still_loses_no_ticks)
{
	struct host host = start(child_spin, true, ringing(1000));
	struct prof_owed owed;
	int signal, note;

	if (!permitted())
		return;
	prof_ticker_release(host.ticker);
	for (int i = 0; i < 5; i++) {
		pid_t thread = wait_for_stop(&signal);
		atomic_store(&listens, false);
		ck_assert_uint_eq(prof_ticker_hush(host.ticker, &owed, 1), 1);
		wait_rounds(&host, 20);
		ck_assert(meets(host.ticker, thread, signal, &note));
		settle(&host, thread);
		atomic_store(&listens, true);
		prof_ticker_heed(host.ticker);
	}
	ck_assert_uint_eq(figures(&host)->lost, 0);
	ck_assert_uint_le(host.figures.ticks, host.figures.rounds);
	finish(&host);
}
END_TEST

/* Rounds that the ticker was too late for are rounds, as the kernel's clock goes on. */
START_TEST(there_are_as_many_rounds_as_periods)
{
	struct host host = start(child_spin, true, ringing(20000));

	if (!permitted())
		return;
	prof_ticker_release(host.ticker);
	meet_many(&host, 500);
	prof_ticker_hold(host.ticker);
	double due = (double)figures(&host)->duration / SECOND * 20000;
	ck_assert_double_gt((double)host.figures.rounds, 0.8 * due);
	ck_assert_uint_le(host.figures.ticks, host.figures.rounds + 4);
	finish(&host);
}
END_TEST

/* But where threads that wait are samples, no more than there were looks at them. */
START_TEST(by_the_wall_clock_each_round_is_a_sample)
{
	struct prof_ticker_options options = ringing(20000);
	struct prof_message message;
	const void *data;
	uint64_t samples = 0, rounds = 0;

	options.wall = true;
	struct host host = start(child_sleep, true, options);
	child_await(host.child, 'S');
	prof_ticker_release(host.ticker);
	while (rounds < 1000) {
		prof_ticker_report(host.ticker);
		while (prof_queue_take(host.queue, &message, &data)) {
			if (message.kind == PROF_MESSAGE_LOOK)
				samples += message.look.samples;
			else if (message.kind == PROF_MESSAGE_FIGURES)
				rounds += message.figures.rounds;
		}
		ck_assert_uint_eq(samples, rounds);
		pause_ms(10);
	}
	finish(&host);
}
END_TEST

START_TEST(nothing_rings_on_hold)
{
	check_hold(ringing(1000));
}
END_TEST

START_TEST(nothing_rings_in_a_thread_that_is_stepped_or_let_go)
{
	struct host host = start(child_spin, true, ringing(1000));

	prof_ticker_release(host.ticker);
	for (int i = 0; i < 20; i++) {
		meet_many(&host, 3);
		bool pending = i % 2 ? prof_ticker_step(host.ticker, host.child, true)
				     : prof_ticker_owes(host.ticker, host.child);
		while (pending && !meet(&host))
			pause_ms(0);
		prof_ticker_step(host.ticker, host.child, false);
	}
	ck_assert(!prof_ticker_step(host.ticker, host.child, true) || meet(&host));
	finish(&host);
}
END_TEST

START_TEST(a_tick_that_came_too_late_is_known)
{
	struct host host = start(child_spin, true, ringing(1000));
	struct prof_meeting meeting;
	siginfo_t info;
	int signal;

	if (!permitted())
		return;
	prof_ticker_release(host.ticker);
	pid_t thread;
	/* An alarm that is late is preceded by a tick that was sent. */
	for (;;) {
		thread = wait_for_stop(&signal);
		ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, thread, NULL, &info), 0);
		ck_assert(prof_ticker_meet(host.ticker, thread, &info, &meeting));
		ck_assert_int_eq(meeting.met, PROF_MET_TICK);
		prof_ticker_settle(host.ticker, thread, prof_clock(), PROF_WITHIN_PROGRAM, NULL);
		if (info.si_code == POLL_HUP)
			break;
		go_on(thread);
	}
	/* The same once more, when none is due: nobody is to see it. */
	prof_ticker_hold(host.ticker);
	ck_assert(prof_ticker_meet(host.ticker, thread, &info, &meeting));
	ck_assert_int_eq(meeting.met, PROF_MET_STRAY);
	finish(&host);
}
END_TEST

/* As a host that deals with events again and again: its threads are seen, and no tick is left over.
 */
START_TEST(what_alarms_do_not_see_is_met_by_ticks)
{
	if (!permitted())
		return;
	struct host host = start(child_spin, true, ringing(1000));
	prof_ticker_release(host.ticker);
	int64_t begin = prof_clock();
	while (prof_clock() - begin < 400 * MS || host.cpu < 100 * MS) {
		atomic_store(&listens, (prof_clock() - begin) / 1000000 % 5 == 0);
		meet(&host);
		take(&host);
	}
	atomic_store(&listens, true);
	prof_ticker_hold(host.ticker);
	while (prof_ticker_outstanding(host.ticker))
		meet(&host);
	double due = (double)figures(&host)->running / SECOND * 1000;
	ck_assert_double_gt((double)host.samples, 0.3 * due - 4);
	ck_assert_double_lt((double)host.samples, 1.1 * due + 4);
	finish(&host);
}
END_TEST

/* Works for some 50 us, and meets a breakpoint, again and again. */
static void work_and_stop(void)
{
	/* Ignored, it is seen by who traces the thread all the same. */
	signal(SIGTRAP, SIG_IGN);
	for (;;) {
		burn(50000);
		raise(SIGTRAP);
	}
}

/* Whenever the ticker looks, the host deals with a breakpoint. */
START_TEST(what_goes_on_between_breakpoints_is_met)
{
	int signal, note;

	if (!permitted())
		return;
	struct host host = start(work_and_stop, true, ringing(1000));
	atomic_store(&listens, false);
	prof_ticker_release(host.ticker);
	int64_t last = prof_clock(),
		away = 0; /* that the thread may have stood still, with a tick due */
	for (int hits = 0; hits < 4000;) {
		pid_t thread = wait_for_stop(&signal);
		int64_t now = prof_clock();
		away += now - last > MS ? now - last : 0;
		last = now;
		bool met = meets(host.ticker, thread, signal, &note);
		prof_ticker_step(host.ticker, thread, false);
		if (met)
			settle(&host, thread);
		else
			go_on(thread);
		hits += signal == SIGTRAP;
		take(&host);
	}
	atomic_store(&listens, true);
	prof_ticker_hold(host.ticker);
	double due = (double)figures(&host)->running / SECOND * 1000;
	ck_assert_double_gt((double)host.samples, 0.8 * due);
	ck_assert_double_lt((double)host.samples, 1.05 * due + 4);
	ck_assert_int_le((int64_t)host.figures.lost, away / MS);
	finish(&host);
}
END_TEST

/* Shared with the child: it is to catch SIGURG, and does. */
static struct {
	atomic_bool asked, done;
} * catching;

static void ignore(int number)
{
	(void)number;
}

static void spin_and_catch(void)
{
	while (!atomic_load(&catching->asked))
		;
	signal(SIGURG, ignore);
	atomic_store(&catching->done, true);
	child_spin();
}

/*
 * The child begins to catch SIGURG while the ticker cannot look at it, and its alarm rings.  False:
 * the alarm came first.
 */
static bool catches_unseen(struct host *host, struct prof_watch *watch)
{
	int signal, note;

	prof_yielding_lock_acquire(&host->ticker->lock);
	atomic_store(&catching->asked, true);
	while (!atomic_load(&catching->done) && thread_state(host->child, host->child) != 't')
		pause_ms(0);
	bool caught = atomic_load(&catching->done);
	pid_t thread = wait_for_stop(&signal);
	siginfo_t info = stop_info(thread, signal);
	struct prof_schedstat schedstat = thread_schedstat(host->child, thread);
	pause_ms(30);
	prof_ticker_rang(host->ticker, watch, &info, &schedstat);
	int next = watch->alarm.signal;
	prof_yielding_lock_release(&host->ticker->lock);
	ck_assert(meets(host->ticker, thread, signal, &note));
	settle(host, thread);
	if (!caught)
		return false;
	ck_assert_int_eq(signal, SIGURG);
	ck_assert_int_eq(next, SIGWINCH);
	return true;
}

START_TEST(a_signal_that_the_process_begins_to_catch_is_not_used_again)
{
	bool met = !permitted();

	catching = mmap(
		NULL, sizeof *catching, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(catching, MAP_FAILED);
	for (int i = 0; i < 20 && !met; i++) {
		atomic_store(&catching->asked, false);
		atomic_store(&catching->done, false);
		struct host host = start(spin_and_catch, true, ringing(50));
		prof_ticker_release(host.ticker);
		meet_many(&host, 5);
		struct prof_watch *watch = prof_watches_find(&host.ticker->watches, host.child);
		met = watch->alarm.on && catches_unseen(&host, watch);
		finish(&host);
	}
	ck_assert(met);
}
END_TEST

/* Stops the child while its alarm's signal is pending; that tick is outstanding then. */
static void await_behind(struct host *host)
{
	const struct prof_watch *watch = prof_watches_find(&host->ticker->watches, host->child);
	struct prof_owed owed;
	int signal, note;

	for (bool behind = false; !behind;) {
		kill(host->child, SIGUSR1);
		while (wait_for_stop(&signal) && signal != SIGUSR1) {
			if (meets(host->ticker, host->child, signal, &note))
				settle(host, host->child);
			else
				go_on(host->child);
		}
		behind = prof_tick_is_pending(watch, SIGURG) && prof_alarm_rung(&watch->alarm);
		if (!behind)
			go_on(host->child);
	}
	ck_assert_uint_eq(prof_ticker_hush(host->ticker, &owed, 1), 1);
}

/* A thread takes a tick that the ticker sent, and its alarm rings before the thread stops. */
START_TEST(of_two_ticks_the_last_one_is_met)
{
	struct prof_meeting meeting;
	int signal, note;

	if (!permitted())
		return;
	struct host host = start(child_spin, true, ringing(1000));
	prof_ticker_release(host.ticker);
	await_behind(&host);
	siginfo_t sent = {.si_signo = SIGURG, .si_code = SI_QUEUE};
	sent.si_pid = getpid();
	sent.si_ptr = prof_tick_value();
	ck_assert(prof_ticker_meet(host.ticker, host.child, &sent, &meeting));
	ck_assert_int_eq(meeting.met, PROF_MET_STRAY);
	ck_assert(prof_ticker_owes(host.ticker, host.child));
	go_on(host.child);
	ck_assert_int_eq(wait_for_stop(&signal), host.child);
	ck_assert(meets(host.ticker, host.child, signal, &note));
	/* While it stands still no other alarm of it can ring. */
	prof_ticker_settle(host.ticker, host.child, prof_clock(), PROF_WITHIN_PROGRAM, NULL);
	ck_assert(!prof_ticker_owes(host.ticker, host.child));
	go_on(host.child);
	finish(&host);
}
END_TEST

/* Does the ticker know that the debugger holds the child of HOST? */
static bool is_held(const struct host *host)
{
	prof_yielding_lock_acquire(&host->ticker->lock);
	bool held = prof_watches_find(&host->ticker->watches, host->child)->held;
	prof_yielding_lock_release(&host->ticker->lock);
	return held;
}

/* Stops the child of HOST, as a debugger does, until the ticker knows, and has it go on. */
static void hold_briefly(struct host *host)
{
	int signal, note;

	ptrace(PTRACE_INTERRUPT, host->child, NULL, NULL);
	for (bool interrupted = false; !interrupted;) {
		pid_t thread = wait_for_stop(&signal);
		interrupted = !meets(host->ticker, thread, signal, &note);
		if (!interrupted)
			settle(host, thread);
	}
	while (!is_held(host))
		pause_ms(1);
	go_on(host->child);
}

/* It rings between two rounds after the debugger has held the thread, and is met late. */
START_TEST(one_that_a_tick_has_stopped_is_not_held_by_the_debugger)
{
	struct host host = start(child_spin, true, ringing(5));
	struct prof_owed owed;
	int signal, note;

	if (!permitted())
		return;
	prof_ticker_release(host.ticker);
	meet_many(&host, 1);
	for (int i = 0; i < 4; i++) {
		hold_briefly(&host);
		pid_t thread = wait_for_stop(&signal);
		atomic_store(&listens, false);
		ck_assert_uint_eq(prof_ticker_hush(host.ticker, &owed, 1), 1);
		pause_ms(800);
		ck_assert(meets(host.ticker, thread, signal, &note));
		settle(&host, thread);
		atomic_store(&listens, true);
		prof_ticker_heed(host.ticker);
	}
	prof_ticker_hold(host.ticker);
	take(&host);
	int64_t told = host.cpu + host.delay + host.other + host.figures.kept;
	ck_assert_msg(told - host.figures.duration < 400 * MS, "%.3f s of %.3f s",
		(double)told / SECOND, (double)host.figures.duration / SECOND);
	finish(&host);
}
END_TEST

RUN_TESTS("ticker alarm", samples_are_the_cpu_time_times_the_rate,
	one_that_works_briefly_is_met_as_often_as_it_works,
	nothing_rings_while_the_host_does_not_listen, one_that_stands_still_loses_no_ticks,
	there_are_as_many_rounds_as_periods, by_the_wall_clock_each_round_is_a_sample,
	nothing_rings_on_hold, nothing_rings_in_a_thread_that_is_stepped_or_let_go,
	a_tick_that_came_too_late_is_known, what_alarms_do_not_see_is_met_by_ticks,
	what_goes_on_between_breakpoints_is_met,
	a_signal_that_the_process_begins_to_catch_is_not_used_again,
	of_two_ticks_the_last_one_is_met, one_that_a_tick_has_stopped_is_not_held_by_the_debugger)
