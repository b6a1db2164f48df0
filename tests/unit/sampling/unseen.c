/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/unseen.h"

#include "sample_child.h"

enum { MS = 1000000 };

/* What is unseen of CHILD, which has just been looked at as of now: it is stopped. */
static struct prof_unseen begin(pid_t child, struct prof_watch *watch)
{
	struct prof_unseen unseen = {.process = child};

	kill(child, SIGSTOP);
	child_await(child, 'T');
	prof_watch_init(watch, child, child, 0);
	prof_unseen_restart(&unseen, 0);
	kill(child, SIGCONT);
	return unseen;
}

START_TEST(cpu_time_that_nobody_has_looked_at_is_searched_for)
{
	struct prof_watch watch;
	pid_t child = child_start(child_spin);
	struct prof_unseen unseen = begin(child, &watch);

	child_spend(child, 30);
	/* Not in the midst of a window. */
	ck_assert(!prof_unseen_is_due(&unseen, 30 * MS));
	ck_assert(prof_unseen_is_due(&unseen, 60 * MS));
	struct prof_schedstat schedstat = prof_watch_schedstat(&watch);
	ck_assert(prof_unseen_is_found(&watch, &schedstat));
	/* And now there is nothing more. */
	ck_assert(!prof_unseen_is_due(&unseen, 120 * MS));
	prof_watch_deinit(&watch);
	children_end();
}
END_TEST

START_TEST(what_was_looked_at_is_not)
{
	struct prof_watch watch;
	pid_t child = child_start(child_spin);
	struct prof_unseen unseen = begin(child, &watch);

	child_spend(child, 30);
	struct prof_schedstat schedstat = prof_watch_schedstat(&watch);
	prof_unseen_look(&unseen, &watch, &schedstat);
	ck_assert(!prof_unseen_is_found(&watch, &schedstat));
	ck_assert(!prof_unseen_is_due(&unseen, 60 * MS));
	prof_watch_deinit(&watch);
	children_end();
}
END_TEST

START_TEST(one_that_has_hardly_run_is_not_found)
{
	struct prof_watch watch;
	pid_t child = child_start(child_sleep);
	struct prof_unseen unseen = begin(child, &watch);

	child_await(child, 'S');
	struct prof_schedstat schedstat = prof_watch_schedstat(&watch);
	ck_assert(!prof_unseen_is_found(&watch, &schedstat));
	ck_assert(!prof_unseen_is_due(&unseen, 60 * MS));
	prof_watch_deinit(&watch);
	children_end();
}
END_TEST

/* 1 ms of searching is what may be used in 40 ms. */
START_TEST(searches_are_as_rare_as_they_are_dear)
{
	struct prof_watch watch;
	pid_t child = child_start(child_spin);
	struct prof_unseen unseen = begin(child, &watch);

	prof_unseen_searched(&unseen, 100 * MS, 5 * MS);
	child_spend(child, 30);
	ck_assert(!prof_unseen_is_due(&unseen, 200 * MS));
	kill(child, SIGCONT);
	child_spend(child, 30);
	ck_assert(prof_unseen_is_due(&unseen, 301 * MS));
	prof_watch_deinit(&watch);
	children_end();
}
END_TEST

START_TEST(process_that_is_gone_has_nothing)
{
	struct prof_unseen unseen = {.process = child_start(child_sleep)};

	prof_unseen_restart(&unseen, 0);
	children_end();
	ck_assert(!prof_unseen_is_due(&unseen, 60 * MS));
}
END_TEST

RUN_TESTS("unseen", cpu_time_that_nobody_has_looked_at_is_searched_for, what_was_looked_at_is_not,
	one_that_has_hardly_run_is_not_found, searches_are_as_rare_as_they_are_dear,
	process_that_is_gone_has_nothing)
