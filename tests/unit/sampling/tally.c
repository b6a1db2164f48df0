/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/tally.h"

#include "sample_child.h"

#include <pthread.h>
#include <sys/resource.h>

static struct prof_tally tally;

static int64_t figure(enum prof_usage_figure which)
{
	struct prof_usage usage;

	prof_tally_read(&tally, &usage);
	return usage.figures[which];
}

START_TEST(nothing_was_used_by_nobody)
{
	for (int i = 0; i < PROF_USAGES; i++)
		ck_assert_int_eq(figure((enum prof_usage_figure)i), 0);
}
END_TEST

START_TEST(what_a_process_used_before_it_came_does_not_count)
{
	pid_t child = child_start(child_spin);

	child_spend(child, 100);
	ck_assert(prof_tally_add(&tally, child, true));
	ck_assert_int_eq(figure(PROF_USAGE_USER), 0);
	ck_assert_int_eq(figure(PROF_USAGE_MINOR), 0);
	ck_assert_int_eq(figure(PROF_USAGE_VOLUNTARY), 0);
	ck_assert_int_gt(figure(PROF_USAGE_RESIDENT), 0);
	ck_assert_int_eq(figure(PROF_USAGE_THREADS), 1);
	kill(child, SIGCONT);
	child_spend(child, 100);
	ck_assert_int_ge(figure(PROF_USAGE_USER) + figure(PROF_USAGE_SYSTEM), 80000000);
	children_end();
	prof_tally_deinit(&tally);
}
END_TEST

START_TEST(processes_are_added_up_and_keep_what_they_have_used)
{
	pid_t first = child_start(child_sleep), second = child_start(child_sleep);

	child_await(first, 'S');
	child_await(second, 'S');
	ck_assert(prof_tally_add(&tally, first, true));
	int64_t peak = figure(PROF_USAGE_PEAK);
	ck_assert(prof_tally_add(&tally, second, true));
	ck_assert(prof_tally_add(&tally, second, true));
	ck_assert_int_eq(figure(PROF_USAGE_THREADS), 2);
	ck_assert_int_gt(figure(PROF_USAGE_PEAK), peak);
	peak = figure(PROF_USAGE_PEAK);
	kill(second, SIGKILL);
	child_await(second, 'Z');
	prof_tally_end(&tally, second, second);
	int64_t faults = figure(PROF_USAGE_MINOR);
	ck_assert_int_eq(figure(PROF_USAGE_THREADS), 1);
	children_end();
	prof_tally_remove(&tally, second);
	prof_tally_remove(&tally, first);
	prof_tally_remove(&tally, first);
	ck_assert_int_ge(figure(PROF_USAGE_MINOR), faults);
	ck_assert_int_eq(figure(PROF_USAGE_PEAK), peak);
	ck_assert_int_eq(figure(PROF_USAGE_RESIDENT), 0);
	ck_assert_int_eq(figure(PROF_USAGE_THREADS), 0);
	prof_tally_deinit(&tally);
}
END_TEST

START_TEST(unreadable_process_makes_figures_unknown)
{
	ck_assert(prof_tally_add(&tally, getpid(), true));
	ck_assert(prof_tally_add(&tally, 1, false));
	for (int i = 0; i < PROF_USAGES; i++)
		ck_assert_int_eq(figure((enum prof_usage_figure)i), PROF_USAGE_UNKNOWN);
	prof_tally_remove(&tally, 1);
	/* What it did is missing from all sums to come; what there is now is known. */
	ck_assert_int_eq(figure(PROF_USAGE_USER), PROF_USAGE_UNKNOWN);
	ck_assert_int_eq(figure(PROF_USAGE_PEAK), PROF_USAGE_UNKNOWN);
	ck_assert_int_gt(figure(PROF_USAGE_RESIDENT), 0);
	prof_tally_deinit(&tally);
}
END_TEST

/* What its machine tells of process 1: USED ns, and the switches of its threads, SECOND or none. */
static void report(int64_t used, int64_t threads, int64_t first, int64_t second)
{
	const struct prof_tally_thread told[] = {{2, {second, 0}}, {1, {first, 0}}};
	struct prof_usage usage;

	prof_usage_clear(&usage);
	usage.figures[PROF_USAGE_USER] = used;
	usage.figures[PROF_USAGE_RESIDENT] = 7;
	usage.figures[PROF_USAGE_THREADS] = threads;
	ck_assert(second < 0 ? prof_tally_report(&tally, 1, &usage, told + 1, 1)
			     : prof_tally_report(&tally, 1, &usage, told, 2));
}

START_TEST(unreadable_process_may_be_told_of)
{
	ck_assert(prof_tally_add(&tally, 1, false));
	report(100, 1, 5, -1);
	prof_tally_begin(&tally, 1);
	ck_assert_int_eq(figure(PROF_USAGE_USER), 0);
	ck_assert_int_eq(figure(PROF_USAGE_VOLUNTARY), 0);
	ck_assert_int_eq(figure(PROF_USAGE_RESIDENT), 7);
	ck_assert_int_eq(figure(PROF_USAGE_SYSTEM), PROF_USAGE_UNKNOWN);
	report(150, 2, 8, 20);
	ck_assert_int_eq(figure(PROF_USAGE_USER), 50);
	ck_assert_int_eq(figure(PROF_USAGE_VOLUNTARY), 23);
	prof_tally_forget(&tally);
	ck_assert_int_eq(figure(PROF_USAGE_USER), PROF_USAGE_UNKNOWN);
	ck_assert_int_eq(figure(PROF_USAGE_RESIDENT), PROF_USAGE_UNKNOWN);
	/* A thread that is gone keeps its own; of one more nobody has told. */
	report(160, 1, 9, -1);
	ck_assert_int_eq(figure(PROF_USAGE_USER), 60);
	ck_assert_int_eq(figure(PROF_USAGE_VOLUNTARY), 24);
	report(160, 2, 9, -1);
	ck_assert_int_eq(figure(PROF_USAGE_VOLUNTARY), PROF_USAGE_UNKNOWN);
	prof_tally_remove(&tally, 1);
	ck_assert_int_eq(figure(PROF_USAGE_THREADS), 0);
	prof_tally_deinit(&tally);
}
END_TEST

START_TEST(process_that_nobody_told_of_as_it_came_has_no_sums)
{
	ck_assert(prof_tally_add(&tally, 1, false));
	report(100, 1, 5, -1);
	ck_assert_int_eq(figure(PROF_USAGE_USER), PROF_USAGE_UNKNOWN);
	ck_assert_int_eq(figure(PROF_USAGE_RESIDENT), 7);
	prof_tally_deinit(&tally);
	/* Of a readable one, and of one that is not there, telling changes nothing. */
	report(100, 1, 5, -1);
	ck_assert(prof_tally_add(&tally, getpid(), true));
	struct prof_usage none = {0};
	ck_assert(prof_tally_report(&tally, getpid(), &none, NULL, 0));
	prof_tally_begin(&tally, getpid());
	prof_tally_forget(&tally);
	ck_assert_int_eq(figure(PROF_USAGE_THREADS), 1);
	prof_tally_deinit(&tally);
}
END_TEST

enum { THREADS = 5, NAPS = 20 };

static pthread_barrier_t napped, seen;

static void *nap(void *unused)
{
	for (int i = 0; i < NAPS; i++)
		pause_ms(1);
	pthread_barrier_wait(&napped);
	pthread_barrier_wait(&seen);
	return unused;
}

/* The kernel forgets the switches of a thread with it. */
START_TEST(switches_of_threads_that_ended_stay)
{
	pthread_t threads[THREADS];
	struct rusage usage;

	ck_assert(prof_tally_add(&tally, getpid(), true));
	pthread_barrier_init(&napped, NULL, THREADS + 1);
	pthread_barrier_init(&seen, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, nap, NULL), 0);
	pthread_barrier_wait(&napped);
	ck_assert_int_eq(figure(PROF_USAGE_THREADS), THREADS + 1);
	int64_t switches = figure(PROF_USAGE_VOLUNTARY);
	ck_assert_int_ge(switches, THREADS * NAPS);
	pthread_barrier_wait(&seen);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	while (figure(PROF_USAGE_THREADS) > 1)
		pause_ms(1);
	ck_assert_int_ge(figure(PROF_USAGE_VOLUNTARY), switches);
	switches = figure(PROF_USAGE_VOLUNTARY);
	getrusage(RUSAGE_SELF, &usage);
	ck_assert_int_le(switches, usage.ru_nvcsw);
	prof_tally_deinit(&tally);
}
END_TEST

static void make_threads(void)
{
	pthread_t thread;
	pthread_barrier_init(&napped, NULL, 1);
	pthread_barrier_init(&seen, NULL, 1);
	pthread_create(&thread, NULL, nap, NULL);
	pthread_join(thread, NULL);
	child_sleep();
}

/* A thread that is told of when it has ended need not have been seen before. */
START_TEST(thread_that_ends_is_looked_at_once_more)
{
	pid_t child = child_start(make_threads);

	child_await(child, 'S');
	ck_assert(prof_tally_add(&tally, child, true));
	int64_t before = figure(PROF_USAGE_VOLUNTARY);
	/* No matter of which process: it is not there. */
	prof_tally_end(&tally, child, getpid());
	prof_tally_end(&tally, getpid(), getpid());
	ck_assert_int_ge(figure(PROF_USAGE_VOLUNTARY), before);
	kill(child, SIGKILL);
	child_await(child, 'Z');
	prof_tally_end(&tally, child, child);
	int64_t at_end = figure(PROF_USAGE_VOLUNTARY);
	children_end();
	ck_assert_int_eq(figure(PROF_USAGE_VOLUNTARY), at_end);
	prof_tally_deinit(&tally);
}
END_TEST

RUN_TESTS("tally", nothing_was_used_by_nobody, what_a_process_used_before_it_came_does_not_count,
	processes_are_added_up_and_keep_what_they_have_used,
	unreadable_process_makes_figures_unknown, unreadable_process_may_be_told_of,
	process_that_nobody_told_of_as_it_came_has_no_sums, switches_of_threads_that_ended_stay,
	thread_that_ends_is_looked_at_once_more)
