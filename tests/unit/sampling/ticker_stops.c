/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that block all signals, ticked by SIGSTOP. */
#include "sample_ticker.h"

#include "sampling/tick.h"
#include "sampling/watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* What a child is asked to do, and what it has done, in memory that it shares. */
static volatile struct {
	bool block;
	unsigned done;
} * shared;

static struct prof_watchdog *watchdog;

/* A child that runs FUNCTION under a ticker that has a watchdog. */
static struct host start_guarded(void (*function)(void), double rate)
{
	struct prof_ticker_options options = usual(rate);
	const char *build = getenv("GDBPROF_BUILD");
	char path[4096];

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)shared, MAP_FAILED);
	snprintf(path, sizeof path, "%s/%s", build ? build : "build", PROF_WATCHDOG_FILE);
	ck_assert_ok(prof_watchdog_create(path, &watchdog));
	/* Later, what it leaves behind could be taken for the child's. */
	ck_assert(prof_watchdog_start(watchdog));
	options.watchdog = watchdog;
	return start(function, true, options);
}

static void finish_guarded(struct host *host)
{
	finish(host);
	prof_watchdog_destroy(watchdog);
}

static void block_all(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
}

static void await_blocked(const struct host *host)
{
	struct prof_signals signals = {0};

	while (!signals.blocked)
		ck_assert(prof_procfs_signals(host->child, host->child, &signals));
}

static void block_and_spin(void)
{
	block_all();
	child_spin();
}

static uint64_t pending(const struct host *host)
{
	struct prof_signals signals;

	ck_assert(prof_procfs_signals(host->child, host->child, &signals));
	return signals.pending;
}

START_TEST(thread_that_blocks_all_signals_is_met)
{
	struct host host = start_guarded(block_and_spin, 200);

	await_blocked(&host);
	prof_ticker_release(host.ticker);
	meet_many(&host, 50);
	ck_assert_int_eq(figures(&host)->blocked, 0);
	finish_guarded(&host);
}
END_TEST

/* Counts what it gets by waiting for signals. */
static void spin_and_wait_for_signals(void)
{
	const struct timespec soon = {.tv_nsec = 500000};
	sigset_t all;

	sigfillset(&all);
	block_all();
	for (;;) {
		for (volatile int i = 0; i < 200000; i++)
			;
		shared->done += sigtimedwait(&all, NULL, &soon) > 0;
	}
}

START_TEST(thread_that_waits_for_signals_is_met_and_gets_none)
{
	struct host host = start_guarded(spin_and_wait_for_signals, 1000);
	int signal;

	await_blocked(&host);
	/* Released while it runs, it could look as if it blocked none: in the wait the kernel lifts
	 * the mask.  A debugger releases what stands still, and the mask is back then. */
	syscall(SYS_tgkill, host.child, host.child, SIGSTOP);
	wait_for_stop(&signal);
	ck_assert_int_eq(signal, SIGSTOP);
	prof_ticker_release(host.ticker);
	go_on(host.child);
	meet_many(&host, 200);
	ck_assert_uint_eq(shared->done, 0);
	finish_guarded(&host);
}
END_TEST

/* The child blocks a tick that is under way, and is stopped by the next one, which cannot be
 * blocked. */
static siginfo_t await_following(struct host *host)
{
	uint64_t all = UINT64_MAX;
	int signal;

	prof_ticker_release(host->ticker);
	/* Stopped by a signal with a smaller number, with a tick behind that. */
	do {
		while (!prof_ticker_outstanding(host->ticker))
			meet(host);
		syscall(SYS_tgkill, host->child, host->child, SIGUSR1);
		while (wait_for_stop(&signal) && signal != SIGUSR1) {
			int note;
			ck_assert(meets(host->ticker, host->child, signal, &note));
			settle(host, host->child);
		}
		if (pending(host))
			break;
		go_on(host->child);
	} while (true);
	ck_assert_int_eq(ptrace(PTRACE_SETSIGMASK, host->child, sizeof all, &all), 0);
	go_on(host->child);
	wait_for_stop(&signal);
	ck_assert_int_eq(signal, SIGSTOP);
	return stop_info(host->child, signal);
}

static struct prof_meeting meeting_of(struct host *host, const siginfo_t *info)
{
	struct prof_meeting meeting;

	ck_assert(prof_ticker_meet(host->ticker, host->child, info, &meeting));
	return meeting;
}

static enum prof_met met(struct host *host, const siginfo_t *info)
{
	return meeting_of(host, info).met;
}

START_TEST(tick_that_is_blocked_is_followed_by_one_that_is_not)
{
	struct host host = start_guarded(child_spin, 1000);
	siginfo_t info = await_following(&host);
	struct prof_meeting meeting = meeting_of(&host, &info);

	ck_assert_int_eq(meeting.met, PROF_MET_TICK);
	ck_assert_uint_eq(meeting.behind, 1U << (SIGURG - 1));
	ck_assert(pending(&host) >> (SIGURG - 1) & 1);
	finish_guarded(&host);
}
END_TEST

/* To take it would have the thread stop once more, of which the host that waits for it knows
 * nothing. */
START_TEST(tick_that_is_blocked_waits_until_the_host_is_done)
{
	struct host host = start_guarded(child_spin, 1000);
	siginfo_t info = await_following(&host);
	struct prof_look look;
	int signal;

	prof_ticker_want(host.ticker, host.child);
	struct prof_meeting meeting = meeting_of(&host, &info);
	ck_assert_int_eq(meeting.met, PROF_MET_BOTH);
	ck_assert_uint_eq(meeting.behind, 0);
	prof_ticker_settle(host.ticker, host.child, prof_clock(), PROF_WITHIN_PROGRAM, &look);
	prof_ticker_got(host.ticker, host.child);
	go_on(host.child);
	wait_for_stop(&signal);
	info = stop_info(host.child, signal);
	meeting = meeting_of(&host, &info);
	ck_assert_int_eq(meeting.met, PROF_MET_TICK);
	ck_assert_uint_eq(meeting.behind, 1U << (SIGURG - 1));
	finish_guarded(&host);
}
END_TEST

/* Lets the ticker send a tick to the child, which stands still for it, unmet. */
static siginfo_t await_tick(struct host *host)
{
	int signal;

	prof_ticker_release(host->ticker);
	wait_for_stop(&signal);
	ck_assert_int_eq(signal, SIGSTOP);
	siginfo_t info = stop_info(host->child, signal);
	ck_assert(prof_tick_is_ours(&info));
	return info;
}

static void send(struct host *host, int signal)
{
	ck_assert_int_eq(syscall(SYS_tgkill, host->child, host->child, signal), 0);
}

/* The host has sent its own after the tick was taken: it comes as a stop of its own. */
START_TEST(stop_of_the_host_comes_after_the_tick)
{
	struct host host = start_guarded(block_and_spin, 1000);
	int signal;

	await_blocked(&host);
	siginfo_t info = await_tick(&host);
	prof_ticker_want(host.ticker, host.child);
	send(&host, SIGSTOP);
	ck_assert_int_eq(met(&host, &info), PROF_MET_TICK);
	settle(&host, host.child);
	wait_for_stop(&signal);
	info = stop_info(host.child, signal);
	ck_assert_int_eq(met(&host, &info), PROF_MET_NOTHING);
	prof_ticker_got(host.ticker, host.child);
	go_on(host.child);
	meet_many(&host, 5);
	finish_guarded(&host);
}
END_TEST

/* The kernel has kept one of two: it is the tick and what the host waits for. */
START_TEST(one_stop_can_be_the_tick_and_what_the_host_waits_for)
{
	struct host host = start_guarded(block_and_spin, 1000);
	struct prof_look look;

	await_blocked(&host);
	siginfo_t info = await_tick(&host);
	prof_ticker_want(host.ticker, host.child);
	ck_assert_int_eq(met(&host, &info), PROF_MET_BOTH);
	prof_ticker_settle(host.ticker, host.child, prof_clock(), PROF_WITHIN_PROGRAM, &look);
	ck_assert_int_eq(look.thread, host.child);
	/* Seen once more as the host waits for it, it is the host's alone. */
	ck_assert_int_eq(met(&host, &info), PROF_MET_NOTHING);
	prof_ticker_got(host.ticker, host.child);
	go_on(host.child);
	meet_many(&host, 5);
	finish_guarded(&host);
}
END_TEST

START_TEST(thread_that_the_host_stops_is_sent_no_tick)
{
	struct host host = start_guarded(block_and_spin, 1000);

	await_blocked(&host);
	prof_ticker_want(host.ticker, host.child);
	prof_ticker_release(host.ticker);
	assert_left_alone(&host);
	prof_ticker_got(host.ticker, host.child);
	meet_many(&host, 5);
	finish_guarded(&host);
}
END_TEST

/* A tick that was given up must not show when it comes after all. */
START_TEST(stray_tick_is_known)
{
	struct host host = start_guarded(block_and_spin, 1000);

	await_blocked(&host);
	siginfo_t info = await_tick(&host);
	prof_ticker_settle(host.ticker, host.child, prof_clock(), PROF_WITHIN_PROGRAM, NULL);
	ck_assert_int_eq(met(&host, &info), PROF_MET_STRAY);
	/* Another's is not. */
	info.si_ptr = NULL;
	ck_assert_int_eq(met(&host, &info), PROF_MET_NOTHING);
	finish_guarded(&host);
}
END_TEST

/* The kernel drops it as it takes a SIGSTOP. */
START_TEST(pending_sigcont_is_not_lost)
{
	struct host host = start_guarded(block_and_spin, 1000);

	await_blocked(&host);
	send(&host, SIGCONT);
	prof_ticker_release(host.ticker);
	/* The kernel tells a debugger that has seized a program of SIGCONT. */
	int64_t run = thread_schedstat(host.child, host.child).run;
	while (thread_schedstat(host.child, host.child).run - run < 100000000)
		ck_assert(!meet(&host));
	ck_assert(pending(&host) >> (SIGCONT - 1) & 1);
	finish_guarded(&host);
}
END_TEST

static void block_and_wait_for_continue(void)
{
	sigset_t set;
	int signal;

	block_all();
	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	for (;;) {
		for (volatile int i = 0; i < 50000; i++)
			;
		shared->done += sigwait(&set, &signal) == 0;
	}
}

/* Does the child wait for a SIGCONT that will not come, when it had fewer than COUNT? */
static bool waits_in_vain(struct host *host, unsigned count)
{
	return thread_state(host->child, host->child) == 'S' &&
		!(pending(host) >> (SIGCONT - 1) & 1) &&
		thread_state(host->child, host->child) == 'S' && shared->done < count;
}

/*
 * But for one that comes between the ticker's look and its SIGSTOP: only the kernel could close
 * that gap, which is wide only where the ticker loses its CPU.
 */
START_TEST(program_that_waits_for_sigcont_gets_it)
{
	struct host host = start_guarded(block_and_wait_for_continue, 1000);
	unsigned lost = 0;

	await_blocked(&host);
	prof_ticker_release(host.ticker);
	for (unsigned i = 1; i <= 200; i++) {
		while (thread_state(host.child, host.child) != 'S')
			meet(&host);
		kill(host.child, SIGCONT);
		while (shared->done < i) {
			if (!meet(&host) && waits_in_vain(&host, i)) {
				lost++;
				kill(host.child, SIGCONT);
			}
		}
	}
	ck_assert_uint_lt(lost, 10);
	finish_guarded(&host);
}
END_TEST

START_TEST(without_a_watchdog_its_time_is_told)
{
	struct prof_ticker_options options = usual(500);

	ck_assert_ok(prof_watchdog_create("/nowhere", &watchdog));
	options.watchdog = watchdog;
	struct host host = start(block_and_spin, true, options);
	await_blocked(&host);
	prof_ticker_release(host.ticker);
	while (figures(&host)->blocked < 100000000)
		ck_assert(!meet(&host));
	finish_guarded(&host);
}
END_TEST

RUN_TESTS("ticker stops", thread_that_blocks_all_signals_is_met,
	thread_that_waits_for_signals_is_met_and_gets_none,
	tick_that_is_blocked_is_followed_by_one_that_is_not,
	tick_that_is_blocked_waits_until_the_host_is_done, stop_of_the_host_comes_after_the_tick,
	one_stop_can_be_the_tick_and_what_the_host_waits_for,
	thread_that_the_host_stops_is_sent_no_tick, stray_tick_is_known,
	pending_sigcont_is_not_lost, program_that_waits_for_sigcont_gets_it,
	without_a_watchdog_its_time_is_told)
