/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child that counts its signals is let go of while a tick is pending. */
#include "sampling/leftover.h"

#include "sample_attached.h"

#include <sys/mman.h>

/* What the child has got, in memory that it shares. */
static volatile struct {
	unsigned got[NSIG];
	unsigned suspended; /* how often it has come back from sigsuspend() */
	bool blocks;        /* it blocked SIGALRM then */
} * shared;

static void count(int signal)
{
	shared->got[signal]++;
}

static void count_all(void)
{
	signal(SIGURG, count);
	signal(SIGALRM, count);
	signal(SIGCONT, count);
}

static void spin_and_count(void)
{
	count_all();
	child_spin();
}

static void suspend_and_count(void)
{
	sigset_t alarm, none, mask;

	count_all();
	sigemptyset(&none);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, NULL);
	for (;;) {
		sigsuspend(&none);
		sigprocmask(SIG_BLOCK, NULL, &mask);
		shared->blocks = sigismember(&mask, SIGALRM);
		shared->suspended++;
	}
}

/* A child that runs FUNCTION, attached to as GDB does it, once it is in STATE and catches signals.
 */
static pid_t attach(void (*function)(void), char state)
{
	struct prof_signals signals = {0};

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)shared, MAP_FAILED);
	pid_t child = child_start(function);
	while (!(signals.caught >> (SIGCONT - 1) & 1))
		ck_assert(prof_procfs_signals(child, child, &signals));
	child_attach(child, state);
	return child;
}

/* Lets go of CHILD, which is to get what is pending.  Returns what it was given. */
static int let_go(pid_t child)
{
	int signal = prof_leftover_take(child, child);

	ck_assert_int_eq(ptrace(PTRACE_DETACH, child, NULL, (void *)(intptr_t)signal), 0);
	return signal;
}

static void await_none_pending(pid_t child)
{
	struct prof_signals signals;

	do
		ck_assert(prof_procfs_signals(child, child, &signals));
	while (signals.pending);
}

START_TEST(tick_is_taken)
{
	pid_t child = attach(spin_and_count, 'R');

	child_tick(child, SIGURG);
	ck_assert_int_eq(let_go(child), 0);
	await_none_pending(child);
	child_spend(child, 5);
	ck_assert_uint_eq(shared->got[SIGURG], 0);
	children_end();
}
END_TEST

START_TEST(other_signals_stay)
{
	pid_t child = attach(spin_and_count, 'R');

	child_tick(child, SIGURG);
	child_send(child, SIGALRM);
	child_send(child, SIGCONT);
	ck_assert_int_eq(let_go(child), 0);
	while (!shared->got[SIGALRM] || !shared->got[SIGCONT])
		pause_ms(1);
	child_spend(child, 5);
	ck_assert_uint_eq(shared->got[SIGURG], 0);
	ck_assert_uint_eq(shared->got[SIGALRM], 1);
	children_end();
}
END_TEST

START_TEST(without_a_tick_nothing_is_done)
{
	pid_t child = attach(spin_and_count, 'R');

	ck_assert_int_eq(prof_leftover_take(child, child), 0);
	child_send(child, SIGALRM);
	ck_assert_int_eq(let_go(child), 0);
	while (!shared->got[SIGALRM])
		pause_ms(1);
	children_end();
}
END_TEST

/* Sent by another process it is the program's own. */
START_TEST(stop_that_comes_first_is_given_back)
{
	pid_t child = attach(spin_and_count, 'R');

	child_tick(child, SIGURG);
	pid_t other = fork();
	if (!other)
		_exit(kill(child, SIGSTOP));
	waitpid(other, NULL, 0);
	ck_assert_int_eq(let_go(child), SIGSTOP);
	child_await(child, 'T');
	kill(child, SIGCONT);
	while (!shared->got[SIGCONT])
		pause_ms(1);
	ck_assert_uint_eq(shared->got[SIGURG], 0);
	children_end();
}
END_TEST

/* It has a mask to come back to. */
START_TEST(mask_of_one_in_sigsuspend_is_kept)
{
	pid_t child = attach(suspend_and_count, 'S');

	child_tick(child, SIGURG);
	child_send(child, SIGALRM);
	ck_assert_int_eq(let_go(child), 0);
	while (!shared->suspended)
		pause_ms(1);
	ck_assert(shared->blocks);
	ck_assert_uint_eq(shared->got[SIGALRM], 1);
	children_end();
}
END_TEST

/* A tick by SIGSTOP would leave the program stopped. */
START_TEST(tick_by_sigstop_is_taken)
{
	pid_t child = attach(spin_and_count, 'R');

	child_tick(child, SIGSTOP);
	child_send(child, SIGALRM);
	ck_assert_int_eq(let_go(child), 0);
	while (!shared->got[SIGALRM])
		pause_ms(1);
	await_none_pending(child);
	child_spend(child, 5);
	ck_assert_uint_eq(shared->got[SIGALRM], 1);
	ck_assert_uint_eq(shared->got[SIGCONT], 0);
	children_end();
}
END_TEST

START_TEST(tick_by_sigstop_does_not_stop_one_in_sigsuspend)
{
	pid_t child = attach(suspend_and_count, 'S');

	child_tick(child, SIGSTOP);
	child_send(child, SIGALRM);
	let_go(child);
	while (!shared->suspended)
		pause_ms(1);
	await_none_pending(child);
	ck_assert(shared->blocks);
	ck_assert_uint_eq(shared->got[SIGALRM], 1);
	child_await(child, 'S');
	children_end();
}
END_TEST

static void block_and_spin(void)
{
	sigset_t all;

	count_all();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	child_spin();
}

/* Has CHILD, which stands still, run for a moment, and stops it again. */
static void run_on(pid_t child)
{
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	child_run(child, 5);
	child_send(child, SIGSTOP);
	ck_assert_int_eq(next_stop(child), SIGSTOP);
}

START_TEST(stop_that_its_debugger_has_sent_is_not_given_back)
{
	pid_t child = attach(spin_and_count, 'R');

	child_mistake(child);
	ck_assert_int_eq(let_go(child), 0);
	child_run(child, 5);
	children_end();
}
END_TEST

/* The program's own sigwait() would take it. */
START_TEST(tick_that_was_blocked_is_taken_from_behind_the_mask)
{
	pid_t child = attach(block_and_spin, 'R');
	struct prof_signals signals;

	run_on(child);
	child_tick(child, SIGURG);
	child_send(child, SIGALRM);
	prof_leftover_unblock(child, child, 1U << (SIGURG - 1) | 1U << (SIGWINCH - 1));
	ck_assert(prof_procfs_signals(child, child, &signals));
	ck_assert_uint_eq(signals.pending, UINT64_C(1) << (SIGALRM - 1));
	uint64_t blocked = signals.blocked;
	run_on(child);
	ck_assert(prof_procfs_signals(child, child, &signals));
	ck_assert_uint_eq(signals.blocked, blocked);

	/* The program's own stays. */
	child_send(child, SIGURG);
	prof_leftover_unblock(child, child, 1U << (SIGURG - 1));
	ck_assert(prof_procfs_signals(child, child, &signals));
	ck_assert(signals.pending >> (SIGURG - 1) & 1);
	children_end();
}
END_TEST

/* It waits for that: without it, it would do so for ever. */
START_TEST(stop_that_its_debugger_has_sent_stays_where_a_tick_is_taken)
{
	pid_t child = attach(block_and_spin, 'R');
	struct prof_signals signals;

	run_on(child);
	child_tick(child, SIGURG);
	child_mistake(child);
	prof_leftover_unblock(child, child, 1U << (SIGURG - 1));
	ck_assert(prof_procfs_signals(child, child, &signals));
	ck_assert_uint_eq(signals.pending, UINT64_C(1) << (SIGSTOP - 1));
	ck_assert(signals.blocked >> (SIGURG - 1) & 1);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	ck_assert_int_eq(next_stop(child), SIGSTOP);
	children_end();
}
END_TEST

RUN_TESTS("leftover", tick_is_taken, tick_by_sigstop_is_taken,
	tick_by_sigstop_does_not_stop_one_in_sigsuspend,
	tick_that_was_blocked_is_taken_from_behind_the_mask,
	stop_that_its_debugger_has_sent_stays_where_a_tick_is_taken, other_signals_stay,
	stop_that_its_debugger_has_sent_is_not_given_back, without_a_tick_nothing_is_done,
	stop_that_comes_first_is_given_back, mask_of_one_in_sigsuspend_is_kept)
