/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGTERM to a host program, which is this one, while it is not calm. */
#include "plugin/interpose/termination.h"

#include "base/clock.h"
#include "suite.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int handled, asked, wanted;
static atomic_bool is_calm, is_elsewhere, can_look;
static pthread_t host;

static void on_termination(int signal)
{
	(void)signal;
	ck_assert(pthread_equal(pthread_self(), host));
	atomic_fetch_add(&handled, 1);
}

static bool calm(void)
{
	atomic_store(&is_elsewhere, !pthread_equal(pthread_self(), host));
	atomic_fetch_add(&asked, 1);
	return atomic_load(&is_calm);
}

static bool ask(void)
{
	atomic_store(&is_elsewhere, !pthread_equal(pthread_self(), host));
	atomic_fetch_add(&wanted, 1);
	return atomic_load(&can_look);
}

static void begin(void)
{
	struct sigaction action = {.sa_handler = on_termination};

	host = pthread_self();
	ck_assert_int_eq(sigaction(SIGTERM, &action, NULL), 0);
}

static void await(atomic_int *what, int count)
{
	while (atomic_load(what) < count)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

START_TEST(it_comes_when_the_host_is_calm)
{
	begin();
	termination_defer(calm, ask);
	ck_assert_int_eq(atomic_load(&asked), 0);
	raise(SIGTERM);
	/* It is asked again until it says yes. */
	await(&asked, 3);
	atomic_store(&is_calm, true);
	await(&handled, 1);
	ck_assert(atomic_load(&is_elsewhere));
	termination_restore();
	ck_assert_int_eq(atomic_load(&handled), 1);
}
END_TEST

START_TEST(the_host_passes_it_on_where_it_looks)
{
	begin();
	atomic_store(&can_look, true);
	termination_defer(calm, ask);
	raise(SIGTERM);
	termination_look(); /* for another reason, while it is not calm yet */
	ck_assert_int_eq(atomic_load(&handled), 0);
	atomic_store(&is_calm, true);
	await(&wanted, 1);
	ck_assert(atomic_load(&is_elsewhere));
	ck_assert_int_eq(atomic_load(&handled), 0);
	termination_look();
	ck_assert_int_eq(atomic_load(&handled), 1);
	termination_look();
	termination_restore();
	ck_assert_int_eq(atomic_load(&handled), 1);
	ck_assert_int_eq(atomic_load(&wanted), 1);
}
END_TEST

START_TEST(nothing_is_passed_on_that_has_not_come)
{
	begin();
	termination_look();
	termination_defer(calm, ask);
	termination_look();
	termination_restore();
	termination_look();
	ck_assert_int_eq(atomic_load(&handled), 0);
}
END_TEST

/* Two seconds, as long as the host may be busy with an event. */
START_TEST(it_comes_where_the_host_does_not_look)
{
	begin();
	atomic_store(&is_calm, true);
	atomic_store(&can_look, true);
	termination_defer(calm, ask);
	int64_t before = prof_clock();
	raise(SIGTERM);
	await(&handled, 1);
	ck_assert_int_ge(prof_clock() - before, 2000000000);
	termination_restore();
	ck_assert_int_eq(atomic_load(&wanted), 1);
}
END_TEST

/* Half a second: the host is asked each ms, and the machine may be busy. */
START_TEST(it_comes_in_the_end)
{
	begin();
	termination_defer(calm, ask);
	int64_t before = prof_clock();
	raise(SIGTERM);
	await(&handled, 1);
	ck_assert_int_ge(prof_clock() - before, 500000000);
	ck_assert_int_gt(atomic_load(&asked), 100);
	termination_restore();
}
END_TEST

START_TEST(the_next_one_comes_at_once)
{
	begin();
	atomic_store(&is_calm, true);
	termination_defer(calm, ask);
	raise(SIGTERM);
	await(&handled, 1);
	raise(SIGTERM);
	ck_assert_int_eq(atomic_load(&handled), 2);
	termination_restore();
}
END_TEST

START_TEST(it_comes_at_once_after_the_end)
{
	termination_restore();
	begin();
	termination_defer(calm, ask);
	termination_restore();
	termination_restore();
	raise(SIGTERM);
	ck_assert_int_eq(atomic_load(&handled), 1);
	ck_assert_int_eq(atomic_load(&asked), 0);
}
END_TEST

START_TEST(it_is_not_lost_at_the_end)
{
	begin();
	for (int i = 0; i < 100; i++) {
		termination_defer(calm, ask);
		raise(SIGTERM);
		termination_restore();
		ck_assert_int_eq(atomic_load(&handled), i + 1);
	}
}
END_TEST

START_TEST(it_can_be_deferred_again)
{
	begin();
	termination_defer(calm, ask);
	termination_defer(calm, ask);
	raise(SIGTERM);
	await(&asked, 1);
	atomic_store(&is_calm, true);
	await(&handled, 1);
	termination_restore();
	raise(SIGTERM);
	ck_assert_int_eq(atomic_load(&handled), 2);
}
END_TEST

RUN_TESTS("termination", it_comes_when_the_host_is_calm, the_host_passes_it_on_where_it_looks,
	nothing_is_passed_on_that_has_not_come, it_comes_where_the_host_does_not_look,
	it_comes_in_the_end, the_next_one_comes_at_once, it_comes_at_once_after_the_end,
	it_is_not_lost_at_the_end, it_can_be_deferred_again)
