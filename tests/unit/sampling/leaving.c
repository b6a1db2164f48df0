/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/leaving.h"

#include "sample_child.h"

enum { MS = 1000000 };

static struct prof_watch watch_of(pid_t child)
{
	struct prof_watch watch;

	prof_watch_init(&watch, child, child, prof_clock());
	ck_assert(!watch.gone);
	return watch;
}

static void wait_for_state(struct prof_watch *watch, char state)
{
	while (prof_watch_state(watch) != state && !watch->gone)
		usleep(1000);
	ck_assert(!watch->gone);
}

static void child_spin_blocked(void)
{
	sigset_t set;

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGURG);
	child_spin();
}

START_TEST(what_was_signalled_is_waited_for)
{
	struct prof_watch self = watch_of(getpid());
	struct prof_watch other = watch_of(child_start(child_spin));
	struct prof_leaving leaving = {0};
	int64_t now = prof_clock();

	prof_leaving_begin(&leaving, &self, now);
	ck_assert(!prof_leaving_waits_for(&leaving, &other, now));
	other.sent = now;
	other.signal = SIGURG;
	ck_assert(prof_leaving_waits_for(&leaving, &other, now));
	/* Neither pending nor stopped for as long, the signal has been lost. */
	ck_assert(!prof_leaving_waits_for(&leaving, &other, now + 300 * MS));
	prof_watch_deinit(&other);
	prof_watch_deinit(&self);
	children_end();
}
END_TEST

START_TEST(a_stop_is_waited_for_but_not_for_ever)
{
	struct prof_watch self = watch_of(getpid());
	struct prof_watch other = watch_of(child_start(child_spin));
	struct prof_leaving leaving = {0};
	int64_t now = prof_clock();

	kill(other.thread, SIGSTOP);
	wait_for_state(&other, 'T');
	other.sent = now;
	other.signal = SIGURG;
	prof_leaving_begin(&leaving, &self, now);
	ck_assert(prof_leaving_waits_for(&leaving, &other, now + 300 * MS));
	ck_assert(!prof_leaving_waits_for(&leaving, &other, now + 1100 * MS));
	prof_watch_deinit(&other);
	prof_watch_deinit(&self);
	children_end();
}
END_TEST

START_TEST(one_that_blocks_the_signal_is_not_waited_for)
{
	struct prof_watch self = watch_of(getpid());
	struct prof_watch other = watch_of(child_start(child_spin_blocked));
	struct prof_leaving leaving = {0};
	struct prof_signals signals = {0};
	int64_t now = prof_clock();

	while (!(signals.pending >> (SIGURG - 1) & 1))
		ck_assert(prof_procfs_signals(other.process, other.thread, &signals));
	other.sent = now;
	other.signal = SIGURG;
	prof_leaving_begin(&leaving, &self, now);
	ck_assert(!prof_leaving_waits_for(&leaving, &other, now));
	prof_watch_deinit(&other);
	prof_watch_deinit(&self);
	children_end();
}
END_TEST

START_TEST(it_does_not_wait_for_itself)
{
	struct prof_watch other = watch_of(child_start(child_spin));
	struct prof_leaving leaving = {0};
	int64_t now = prof_clock();

	other.sent = now;
	other.signal = SIGURG;
	prof_leaving_begin(&leaving, &other, now);
	ck_assert_int_eq(leaving.thread, other.thread);
	ck_assert(!prof_leaving_waits_for(&leaving, &other, now));
	prof_watch_deinit(&other);
	children_end();
}
END_TEST

START_TEST(it_is_over_when_the_thread_computes_or_sleeps_or_has_gone)
{
	struct prof_watch spins = watch_of(child_start(child_spin));
	struct prof_watch sleeps = watch_of(child_start(child_sleep));
	struct prof_leaving leaving = {0};

	prof_leaving_begin(&leaving, &spins, prof_clock());
	leaving.run += 3600 * INT64_C(1000) * MS;
	ck_assert(!prof_leaving_is_over(&leaving, &spins));
	prof_leaving_keep(&leaving, &spins);
	while (!prof_leaving_is_over(&leaving, &spins))
		usleep(1000);
	wait_for_state(&sleeps, 'S');
	leaving.run = INT64_MAX;
	ck_assert(prof_leaving_is_over(&leaving, &sleeps));
	ck_assert(prof_leaving_is_over(&leaving, NULL));
	prof_watch_deinit(&sleeps);
	prof_watch_deinit(&spins);
	children_end();
}
END_TEST

RUN_TESTS("leaving", what_was_signalled_is_waited_for, a_stop_is_waited_for_but_not_for_ever,
	one_that_blocks_the_signal_is_not_waited_for, it_does_not_wait_for_itself,
	it_is_over_when_the_thread_computes_or_sleeps_or_has_gone)
