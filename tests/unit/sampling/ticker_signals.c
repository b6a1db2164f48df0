/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_ticker.h"

#include <errno.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static void on_signal(int number)
{
	(void)number;
}

/* Catches what a ticker may send, so that its system call would be interrupted. */
static void sleep_in_epoll(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct epoll_event event;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &action, NULL);
	epoll_wait(epoll_create1(0), &event, 1, -1);
	_exit(errno == EINTR ? 1 : 2);
}

START_TEST(sleeping_thread_sees_no_interrupted_call)
{
	struct host host = start(sleep_in_epoll, false, usual(2000));
	struct prof_signals signals = {0};

	while (!(signals.caught >> (SIGWINCH - 1) & 1) ||
		thread_state(host.child, host.child) != 'S')
		ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	uint64_t slices = thread_schedstat(host.child, host.child).slices;
	prof_ticker_release(host.ticker);
	wait_rounds(&host, 200);
	ck_assert_uint_eq(host.figures.ticks, 0);
	ck_assert_uint_eq(thread_schedstat(host.child, host.child).slices, slices);
	ck_assert_int_eq(waitpid(host.child, NULL, WNOHANG), 0);

	/* And it would have seen it. */
	kill(host.child, SIGWINCH);
	int status;
	ck_assert_int_eq(waitpid(host.child, &status, 0), host.child);
	ck_assert_int_eq(WEXITSTATUS(status), 1);
	finish(&host);
}
END_TEST

/* A child without a debugger ignores the signal: the ticker learns that it will not be met. */
START_TEST(lost_tick_is_given_up)
{
	struct host host = start(child_spin, false, usual(10));

	prof_ticker_release(host.ticker);
	for (int i = 0; i < 3; i++) {
		while (!prof_ticker_outstanding(host.ticker))
			pause_ms(1);
		while (prof_ticker_outstanding(host.ticker))
			pause_ms(1);
	}
	finish(&host);
}
END_TEST

/* Its host may have to wait for a CPU between letting it go on and saying so. */
START_TEST(met_tick_is_not_given_up_before_it_is_settled)
{
	struct host host = start(child_spin, true, usual(100));
	struct prof_look look;
	int signal, note;

	prof_ticker_release(host.ticker);
	ck_assert_int_eq(wait_for_stop(&signal), host.child);
	ck_assert(meets(host.ticker, host.child, signal, &note));
	go_on(host.child);
	/* Longer than after which a tick is looked for. */
	wait_rounds(&host, 60);
	ck_assert_int_eq(stopped(&signal), 0);
	ck_assert(prof_ticker_outstanding(host.ticker));
	prof_ticker_settle(host.ticker, host.child, prof_clock(), PROF_WITHIN_PROGRAM, &look);
	ck_assert_int_eq(wait_for_stop(&signal), host.child);
	ck_assert(meets(host.ticker, host.child, signal, &note));
	finish(&host);
}
END_TEST

/* What a child is asked to do, and how often it has done so, in memory that it shares. */
static volatile struct {
	bool block;
	unsigned done;
} * shared;

static void spin_and_block_when_asked(void)
{
	sigset_t all;
	bool blocked = false;

	sigfillset(&all);
	for (;;) {
		if (shared->block != blocked) {
			blocked = !blocked;
			sigprocmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &all, NULL);
			shared->done++;
		}
	}
}

static void ask_to_block(struct host *host, bool block)
{
	unsigned done = shared->done;

	shared->block = block;
	while (shared->done == done)
		meet(host);
}

static bool is_pending(const struct host *host)
{
	struct prof_signals signals;

	ck_assert(prof_procfs_signals(host->child, host->child, &signals));
	return signals.pending;
}

static struct host start_with_asked(void (*function)(void), double rate)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)shared, MAP_FAILED);
	return start(function, true, usual(rate));
}

/* It would be interrupted later, where it unblocks signals to wait for them. */
START_TEST(thread_that_blocks_the_signal_is_not_signalled_but_its_time_is_told)
{
	struct host host = start_with_asked(spin_and_block_when_asked, 100);

	ask_to_block(&host, true);
	prof_ticker_release(host.ticker);
	while (host.cpu < 500000000) {
		ck_assert(!meet(&host));
		take(&host);
	}
	ck_assert(!prof_ticker_outstanding(host.ticker));
	ck_assert(!is_pending(&host));
	ck_assert_int_ge(figures(&host)->blocked, 500000000);

	ask_to_block(&host, false);
	meet_many(&host, 5);
	finish(&host);
}
END_TEST

/* Has CHILD, which is stopped, block the signals in MASK. */
static void set_mask(pid_t child, uint64_t mask)
{
	ck_assert_int_eq(ptrace(PTRACE_SETSIGMASK, child, sizeof mask, &mask), 0);
}

/*
 * The child blocks the tick's signal in the very moment: a signal of a smaller number comes as
 * well, and first, and when the child has stopped for that it is made to.
 */
static void block_a_tick(struct host *host)
{
	int signal = 0;

	for (;;) {
		while (!prof_ticker_outstanding(host->ticker))
			pause_ms(0);
		syscall(SYS_tgkill, host->child, host->child, SIGUSR1);
		while (wait_for_stop(&signal) && signal != SIGUSR1) {
			int note;
			ck_assert(meets(host->ticker, host->child, signal, &note));
			settle(host, host->child);
		}
		if (is_pending(host))
			break;
		go_on(host->child);
	}
	int64_t run = thread_schedstat(host->child, host->child).run;
	set_mask(host->child, UINT64_MAX);
	go_on(host->child);
	while (thread_schedstat(host->child, host->child).run == run)
		pause_ms(1);
}

/* Has the child, which blocks all signals, block none. */
static void unblock(struct host *host)
{
	int signal;

	ck_assert_int_eq(stopped(&signal), 0);
	ptrace(PTRACE_INTERRUPT, host->child, NULL, NULL);
	wait_for_stop(&signal);
	set_mask(host->child, 0);
	go_on(host->child);
}

START_TEST(tick_that_is_blocked_stays_ours)
{
	struct host host = start(child_spin, true, usual(100));
	pid_t hog = child_start(child_spin);
	cpu_set_t one;

	/* So that it is often signalled while it waits for a CPU. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(host.child, sizeof one, &one);
	sched_setaffinity(hog, sizeof one, &one);
	prof_ticker_release(host.ticker);
	/* Once in many times the kernel forgets the signal as the child goes on. */
	while (block_a_tick(&host), !is_pending(&host))
		unblock(&host);
	/* Longer than after which a tick is looked for. */
	wait_rounds(&host, 60);
	ck_assert(is_pending(&host));
	ck_assert(prof_ticker_outstanding(host.ticker));
	unblock(&host);
	meet_many(&host, 1);
	finish(&host);
}
END_TEST

/* Blocks all signals, and counts those that it gets by waiting for them. */
static void spin_and_wait_for_signals(void)
{
	const struct timespec soon = {.tv_nsec = 500000};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (volatile int i = 0; i < 100000000; i++)
		;
	for (;;) {
		for (volatile int i = 0; i < 200000; i++)
			;
		shared->done += sigtimedwait(&all, NULL, &soon) > 0;
	}
}

START_TEST(thread_that_waits_for_signals_gets_no_tick)
{
	struct host host = start_with_asked(spin_and_wait_for_signals, 1000);
	struct prof_signals signals = {0};

	while (!signals.blocked)
		ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	prof_ticker_release(host.ticker);
	while (host.other < 300000000) {
		meet(&host);
		take(&host);
	}
	ck_assert_uint_eq(shared->done, 0);
	ck_assert_uint_eq(host.met, 0);
	finish(&host);
}
END_TEST

/* Blocks all signals, and computes. */
static void spin_masked(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	child_spin();
}

/* What it did until the last look is known, though it was never met. */
START_TEST(thread_that_was_never_met_has_its_time_when_it_ends)
{
	struct host host = start_with_asked(spin_masked, 1000);
	int64_t run = 0;

	prof_ticker_release(host.ticker);
	while (run < 100000000) {
		pause_ms(1);
		run = thread_schedstat(host.child, host.child).run;
	}
	/* Until then it was looked at; not all that it did is accounted before the kernel's next
	 * tick. */
	wait_rounds(&host, 3);
	children_end();
	wait_rounds(&host, 5);
	ck_assert_int_gt(figures(&host)->running, run - 50000000);
	ck_assert_int_ge(host.cpu, run - 50000000);
	finish(&host);
}
END_TEST

START_TEST(signals_of_others_are_not_met)
{
	struct host host = start(child_spin, true, usual(500));
	int signal, note = 0;

	/* None was sent. */
	ck_assert(!meets(host.ticker, host.child, SIGURG, &note));
	prof_ticker_release(host.ticker);
	pid_t thread = wait_for_stop(&signal);
	ck_assert(!meets(host.ticker, thread, SIGUSR1, &note));
	ck_assert(!meets(host.ticker, thread, SIGTRAP, &note));
	ck_assert(!meets(host.ticker, getpid(), SIGURG, &note));
	ck_assert_int_eq(note, 0);
	ck_assert(meets(host.ticker, thread, SIGURG, &note));
	finish(&host);
}
END_TEST

static int caught; /* that the child catches */

static void catch_and_spin(void)
{
	signal(caught, on_signal);
	child_spin();
}

/* The signal by which a child that catches NUMBER is ticked. */
static int signal_for(int number, int chosen)
{
	struct prof_ticker_options options = usual(500);
	struct prof_signals signals = {0};
	int signal = 0, note;

	caught = number;
	options.signal = chosen;
	struct host host = start(catch_and_spin, true, options);
	while (!(signals.caught >> (number - 1) & 1))
		ck_assert(prof_procfs_signals(host.child, host.child, &signals));
	prof_ticker_release(host.ticker);
	pid_t thread = wait_for_stop(&signal);
	ck_assert(meets(host.ticker, thread, signal, &note));
	finish(&host);
	return signal;
}

START_TEST(takes_a_signal_that_the_program_does_not_catch)
{
	ck_assert_int_eq(signal_for(SIGUSR1, 0), SIGURG);
	ck_assert_int_eq(signal_for(SIGURG, 0), SIGWINCH);
}
END_TEST

static void spin_and_catch_when_asked(void)
{
	while (!shared->block)
		;
	signal(SIGURG, on_signal);
	shared->done++;
	child_spin();
}

/* Of two signals of a kind that are pending one is lost: it may be the program's own. */
START_TEST(gives_way_as_soon_as_the_program_catches_the_signal)
{
	struct host host = start_with_asked(spin_and_catch_when_asked, 1000);
	int signal = 0, note;

	prof_ticker_release(host.ticker);
	for (int i = 0; i < 3; i++) {
		pid_t thread = wait_for_stop(&signal);
		ck_assert_int_eq(signal, SIGURG);
		ck_assert(meets(host.ticker, thread, signal, &note));
		settle(&host, thread);
	}
	ask_to_block(&host, true);
	/* One may have been sent before. */
	for (int i = 0; i < 3; i++) {
		pid_t thread = wait_for_stop(&signal);
		ck_assert(i == 0 || signal == SIGWINCH);
		ck_assert(meets(host.ticker, thread, signal, &note));
		settle(&host, thread);
	}
	finish(&host);
}
END_TEST

START_TEST(takes_the_signal_that_was_asked_for)
{
	ck_assert_int_eq(signal_for(SIGURG, SIGURG), SIGURG);
	ck_assert_int_eq(signal_for(SIGURG, SIGUSR2), SIGUSR2);
}
END_TEST

START_TEST(takes_no_signals_from_the_host)
{
	struct host host = start(child_sleep, false, usual(100));
	struct prof_signals signals;
	struct pair pair = {.leader = getpid()};

	ck_assert(prof_procfs_threads(getpid(), find_other, &pair));
	ck_assert_int_ne(pair.other, 0);
	ck_assert(prof_procfs_signals(getpid(), pair.other, &signals));
	for (int i = 1; i < 32; i++) {
		if (i != SIGKILL && i != SIGSTOP)
			ck_assert_msg(signals.blocked >> (i - 1) & 1, "signal %d", i);
	}
	finish(&host);
}
END_TEST

RUN_TESTS("ticker signals", sleeping_thread_sees_no_interrupted_call, lost_tick_is_given_up,
	met_tick_is_not_given_up_before_it_is_settled,
	thread_that_blocks_the_signal_is_not_signalled_but_its_time_is_told,
	tick_that_is_blocked_stays_ours, thread_that_waits_for_signals_gets_no_tick,
	thread_that_was_never_met_has_its_time_when_it_ends, signals_of_others_are_not_met,
	takes_a_signal_that_the_program_does_not_catch,
	gives_way_as_soon_as_the_program_catches_the_signal, takes_the_signal_that_was_asked_for,
	takes_no_signals_from_the_host)
