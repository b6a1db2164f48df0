/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/watch.h"

#include "sample_child.h"

#include <fcntl.h>
#include <sys/resource.h>

/* A watch on this process, as if it had begun at 1000 with 500 ns on a CPU and 50 of waiting. */
static struct prof_watch begin(void)
{
	struct prof_watch watch;

	prof_watch_init(&watch, getpid(), getpid(), 1000);
	ck_assert(!watch.gone);
	watch.run = 500;
	watch.delay = 50;
	watch.slices = 5;
	return watch;
}

static const struct prof_schedstat later = {.run = 800, .delay = 70, .slices = 6};

START_TEST(all_that_it_did_and_what_was_kept_add_up)
{
	struct prof_watch watch = begin();

	watch.kept = 200;
	struct prof_stretch did = prof_watch_advance(&watch, 2000, &later);
	ck_assert_int_eq(did.cpu, 300);
	ck_assert_int_eq(did.delay, 20);
	ck_assert_int_eq(did.waited, 1000 - 300 - 20 - 200);
	ck_assert_int_eq(watch.last, 2000);
	ck_assert_uint_eq(watch.slices, later.slices);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(newborn_is_counted_from_its_birth)
{
	struct prof_watch watch = begin();

	prof_watch_newborn(&watch);
	struct prof_stretch did = prof_watch_advance(&watch, 2000, &later);
	ck_assert_int_eq(did.cpu, later.run);
	ck_assert_int_eq(did.delay, later.delay);
	/* Not before it was made: 550 ns before it was seen. */
	ck_assert_int_eq(did.waited, 2000 - (1000 - 550) - later.run - later.delay);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(stretch_begins_where_the_last_ended)
{
	struct prof_watch watch = begin();

	watch.kept = 200;
	prof_watch_advance(&watch, 2000, &later);
	struct prof_stretch did = prof_watch_advance(&watch, 2100, &later);
	ck_assert_int_eq(did.cpu, 0);
	ck_assert_int_eq(did.delay, 0);
	ck_assert_int_eq(did.waited, 100);
	prof_watch_deinit(&watch);
}
END_TEST

/* The time on a CPU of a thread that runs is old: what it lacks is told as waiting first. */
START_TEST(what_was_told_too_much_is_taken_off_later)
{
	struct prof_watch watch = begin();
	struct prof_schedstat old = {.run = 500, .delay = 50}, exact = {.run = 1300, .delay = 50};
	int64_t told = 0;

	told += prof_watch_advance(&watch, 2000, &old).waited;
	struct prof_stretch did = prof_watch_advance(&watch, 2100, &exact);
	ck_assert_int_eq(did.cpu, 800);
	ck_assert_int_eq(did.waited, 0);
	told += did.cpu;
	did = prof_watch_advance(&watch, 2600, &exact);
	ck_assert_int_eq(did.waited, 0);
	told += prof_watch_advance(&watch, 3600, &exact).waited;
	ck_assert_int_eq(told, 3600 - 1000);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(a_wait_from_before_is_no_longer_than_the_stretch_that_it_ends_in)
{
	struct prof_watch watch = begin();
	struct prof_schedstat stat = {.run = 500, .delay = 50 + 5000, .slices = 6};

	struct prof_stretch did = prof_watch_advance(&watch, 2000, &stat);
	ck_assert_int_eq(did.delay, 1000);
	ck_assert_int_eq(did.waited, 0);
	/* The rest is nobody's. */
	stat.run += 400;
	did = prof_watch_advance(&watch, 2600, &stat);
	ck_assert_int_eq(did.cpu, 400);
	ck_assert_int_eq(did.delay, 0);
	ck_assert_int_eq(did.waited, 200);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(running_and_waiting_for_a_cpu_are_not_kept)
{
	struct prof_watch watch = begin();

	/* Of the 500 ns since then 320 went by otherwise. */
	ck_assert_int_eq(prof_watch_keep(&watch, 1000, 1500, &later), 180);
	ck_assert_int_eq(watch.kept, 180);
	/* 100 ns more, of which 60 are claimed. */
	ck_assert_int_eq(prof_watch_keep(&watch, 1540, 1600, &later), 60);
	ck_assert_int_eq(watch.kept, 240);
	/* All that is left. */
	ck_assert_int_eq(prof_watch_keep(&watch, 1000, 1600, &later), 40);
	ck_assert_int_eq(prof_watch_keep(&watch, 1000, 1600, &later), 0);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(time_before_a_restart_is_not_counted)
{
	struct prof_watch watch = begin();

	watch.kept = 200;
	watch.sent = 1100;
	watch.asleep = true;
	prof_watch_restart(&watch, 5000);
	ck_assert_int_eq(watch.sent, 5000);
	ck_assert(!watch.asleep);
	struct prof_schedstat now = {.run = watch.run + 10, .delay = watch.delay};
	struct prof_stretch did = prof_watch_advance(&watch, 5100, &now);
	ck_assert_int_eq(did.cpu, 10);
	ck_assert_int_eq(did.waited, 90);
	prof_watch_deinit(&watch);
}
END_TEST

START_TEST(sleeping_thread_only_waits)
{
	pid_t child = child_start(child_sleep);
	struct prof_watch watch;
	int64_t start = prof_clock(), now = start, waited = 0;

	child_await(child, 'S');
	prof_watch_init(&watch, child, child, start);
	for (int i = 0; i < 10; i++) {
		pause_ms(2);
		now = prof_clock();
		struct prof_schedstat schedstat = prof_watch_schedstat(&watch);
		ck_assert_int_eq(prof_watch_state(&watch), 'S');
		struct prof_stretch did = prof_watch_advance(&watch, now, &schedstat);
		ck_assert_int_eq(did.cpu + did.delay, 0);
		waited += did.waited;
	}
	ck_assert_int_eq(waited, now - start);
	prof_watch_deinit(&watch);
	children_end();
}
END_TEST

START_TEST(cpu_of_all_looks_is_what_the_kernel_accounts)
{
	pid_t child = child_start(child_spin);
	struct prof_watch watch;
	int64_t cpu = 0, told = 0;

	child_spend(child, 1);
	int64_t start = prof_clock(), before = thread_schedstat(child, child).run;
	prof_watch_init(&watch, child, child, start);
	kill(child, SIGCONT);
	for (int i = 0; i < 50; i++) {
		pause_ms(1);
		if (i == 49)
			child_spend(child, 1);
		struct prof_schedstat schedstat = prof_watch_schedstat(&watch);
		struct prof_stretch did = prof_watch_advance(&watch, prof_clock(), &schedstat);
		cpu += did.cpu;
		told += did.cpu + did.delay + did.waited;
	}
	ck_assert_int_gt(cpu, 0);
	ck_assert_int_eq(cpu, thread_schedstat(child, child).run - before);
	ck_assert_int_eq(told, watch.last + watch.ahead - start);
	prof_watch_deinit(&watch);
	children_end();
}
END_TEST

START_TEST(thread_that_ends_is_gone_and_has_no_more_time)
{
	pid_t child = child_start(child_sleep);
	struct prof_watch watch, twin;

	prof_watch_init(&watch, child, child, 0);
	prof_watch_init(&twin, child, child, 0);
	int64_t run = watch.run;
	children_end();
	ck_assert(!watch.gone);
	struct prof_schedstat schedstat = prof_watch_schedstat(&watch);
	ck_assert(watch.gone);
	ck_assert_int_eq(schedstat.run, run);
	ck_assert_int_eq(prof_watch_state(&twin), 0);
	ck_assert(twin.gone);
	prof_watch_deinit(&watch);
	prof_watch_deinit(&twin);
	prof_watch_init(&watch, child, child, 0);
	ck_assert(watch.gone);
	prof_watch_deinit(&watch);
}
END_TEST

/* The next number that a file would get. */
static int next_file(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

/* How many are open. */
static int files(void)
{
	int count = 0;

	for (int fd = 0; fd < 2048; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

START_TEST(many_threads_do_not_use_up_the_hosts_files)
{
	pid_t child = child_start(child_sleep);
	struct rlimit limit = {1024, 1024};
	struct prof_watch watch;

	child_await(child, 'S');
	setrlimit(RLIMIT_NOFILE, &limit);
	while (next_file() < 512)
		ck_assert_int_ge(open("/dev/null", O_RDONLY), 0);
	prof_watch_init(&watch, child, child, 0);
	ck_assert_int_lt(watch.schedstat, 0);
	ck_assert_int_lt(watch.stat, 0);
	ck_assert(!watch.gone);
	ck_assert_int_eq(prof_watch_schedstat(&watch).run, thread_schedstat(child, child).run);
	ck_assert_int_eq(prof_watch_state(&watch), 'S');
	ck_assert_int_eq(next_file(), 512);
	children_end();
	prof_watch_schedstat(&watch);
	ck_assert(watch.gone);
	prof_watch_deinit(&watch);
	ck_assert_int_eq(next_file(), 512);
}
END_TEST

START_TEST(closes_its_files)
{
	int before = files();
	struct prof_watch watch = begin();

	ck_assert_int_eq(files(), before + 2);
	prof_watch_deinit(&watch);
	ck_assert_int_eq(files(), before);
}
END_TEST

RUN_TESTS("watch", all_that_it_did_and_what_was_kept_add_up, newborn_is_counted_from_its_birth,
	stretch_begins_where_the_last_ended, what_was_told_too_much_is_taken_off_later,
	running_and_waiting_for_a_cpu_are_not_kept,
	a_wait_from_before_is_no_longer_than_the_stretch_that_it_ends_in,
	time_before_a_restart_is_not_counted, sleeping_thread_only_waits,
	cpu_of_all_looks_is_what_the_kernel_accounts, thread_that_ends_is_gone_and_has_no_more_time,
	many_threads_do_not_use_up_the_hosts_files, closes_its_files)
