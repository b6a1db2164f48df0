/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/watches.h"

#include "sample_child.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum { THREADS = 9 };

static pid_t threads[THREADS];
static pthread_barrier_t begun;
static atomic_int ready;

static void *wait_forever(void *place)
{
	*(pid_t *)place = (pid_t)syscall(SYS_gettid);
	pthread_barrier_wait(&begun);
	ready++;
	pause();
	return place;
}

static void start_threads(void)
{
	pthread_t thread;

	pthread_barrier_init(&begun, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread, NULL, wait_forever, &threads[i]), 0);
	pthread_barrier_wait(&begun);
	while (ready < THREADS)
		pause_ms(1);
	/* What they have used is to change no more. */
	for (int i = 0; i < THREADS; i++) {
		while (thread_state(getpid(), threads[i]) != 'S')
			pause_ms(1);
	}
}

START_TEST(finds_what_was_added_in_any_order)
{
	struct prof_watches watches = {0};
	struct prof_watch *added[THREADS];

	start_threads();
	for (int i = 0; i < THREADS; i++) {
		int at = i * 4 % THREADS; /* each once */
		ck_assert_ptr_null(prof_watches_find(&watches, threads[at]));
		added[at] = prof_watches_add(&watches, getpid(), threads[at]);
		ck_assert_ptr_nonnull(added[at]);
	}
	ck_assert_uint_eq(watches.array.count, THREADS);
	for (int i = 0; i < THREADS; i++)
		ck_assert_ptr_eq(prof_watches_find(&watches, threads[i]), added[i]);
	for (int i = 1; i < THREADS; i++)
		ck_assert_int_lt(
			watches.array.items[i - 1]->thread, watches.array.items[i]->thread);
	ck_assert_ptr_null(prof_watches_find(&watches, 1));
	ck_assert_ptr_null(prof_watches_find(&watches, INT32_MAX));
	prof_watches_deinit(&watches);
	ck_assert_uint_eq(watches.array.count, 0);
}
END_TEST

START_TEST(drops_one)
{
	struct prof_watches watches = {0};

	start_threads();
	for (int i = 0; i < THREADS; i++)
		prof_watches_add(&watches, getpid(), threads[i]);
	prof_watches_drop(&watches, threads[3]);
	prof_watches_drop(&watches, threads[3]);
	ck_assert_ptr_null(prof_watches_find(&watches, threads[3]));
	ck_assert_uint_eq(watches.array.count, THREADS - 1);
	prof_watches_deinit(&watches);
}
END_TEST

/*
 * Watches on three threads, of which the first has figures that are not its own, and the third has
 * NS of CPU time less than the first has now, NS ago; then the first is the one that executes.
 */
static struct prof_watch *execute(struct prof_watches *watches, int64_t ns)
{
	struct prof_watch *three[3];
	int64_t now = prof_clock();

	for (int i = 0; i < 3; i++)
		three[i] = prof_watches_add(watches, getpid(), threads[i]);
	struct prof_schedstat stat = prof_watch_schedstat(three[0]);
	three[0]->run = stat.run - 5000000000;
	three[1]->run = stat.run + 1;
	three[2]->run = stat.run - ns;
	three[2]->delay = stat.delay;
	three[2]->slices = stat.slices;
	for (int i = 0; i < 3; i++)
		three[i]->last = now - 1000;
	prof_watches_exec(watches, threads[0], now);
	ck_assert_uint_eq(watches->array.count, 1);
	ck_assert_ptr_eq(prof_watches_find(watches, threads[0]), three[0]);
	return three[0];
}

START_TEST(leader_goes_on_as_the_thread_that_executes)
{
	struct prof_watches watches = {0};

	start_threads();
	struct prof_watch *leader = execute(&watches, 700);
	ck_assert_int_eq(prof_watch_schedstat(leader).run - leader->run, 700);
	prof_watches_exec(&watches, threads[3], 0);
	ck_assert_uint_eq(watches.array.count, 0);
	prof_watches_deinit(&watches);
}
END_TEST

START_TEST(leader_begins_anew_where_nobody_can_have_executed)
{
	struct prof_watches watches = {0};

	start_threads();
	struct prof_watch *leader = execute(&watches, 6000000000);
	ck_assert_int_eq(prof_watch_schedstat(leader).run, leader->run);
	prof_watches_deinit(&watches);
}
END_TEST

START_TEST(thread_that_is_gone_is_not_added)
{
	struct prof_watches watches = {0};
	pid_t child = child_start(child_sleep);

	children_end();
	ck_assert_ptr_null(prof_watches_add(&watches, child, child));
	ck_assert_ptr_null(prof_watches_add(&watches, getpid(), 1));
	ck_assert_uint_eq(watches.array.count, 0);
	prof_watches_deinit(&watches);
}
END_TEST

/* What a sanitizer opens as a process ends. */
enum { ENOUGH = 100 };

/* Lets this process open COUNT more files. */
static void leave_descriptors(int count)
{
	struct rlimit limit = {1024, 1024};

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	int next = open("/dev/null", O_RDONLY);
	ck_assert_int_ge(next, 0);
	close(next);
	limit.rlim_cur = (rlim_t)(next + count);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

START_TEST(thread_that_no_descriptor_is_left_for_is_unread)
{
	struct prof_watches watches = {0};

	start_threads();
	leave_descriptors(0);
	ck_assert_ptr_null(prof_watches_add(&watches, getpid(), threads[0]));
	ck_assert_ptr_null(prof_watches_add(&watches, getpid(), threads[0]));
	ck_assert_ptr_null(prof_watches_add(&watches, getpid(), threads[1]));
	ck_assert_uint_eq(watches.unread.count, 2);
	leave_descriptors(1);
	ck_assert_ptr_nonnull(prof_watches_add(&watches, getpid(), threads[0]));
	ck_assert_uint_eq(watches.unread.count, 1);
	prof_watches_drop(&watches, threads[1]);
	ck_assert_uint_eq(watches.unread.count, 0);
	prof_watches_deinit(&watches);
	leave_descriptors(ENOUGH);
}
END_TEST

START_TEST(one_descriptor_is_enough_for_many_threads)
{
	struct prof_watches watches = {0};

	start_threads();
	for (int i = 0; i < 8; i++)
		ck_assert_int_ge(open("/dev/null", O_RDONLY), 0);
	leave_descriptors(1);
	for (int i = 0; i < THREADS; i++)
		ck_assert_ptr_nonnull(prof_watches_add(&watches, getpid(), threads[i]));
	for (int i = 0; i < THREADS; i++) {
		struct prof_watch *watch = watches.array.items[i];
		ck_assert_ptr_nonnull(strchr("RSD", prof_watch_state(watch)));
		ck_assert(!watch->unread && !watch->gone);
	}
	leave_descriptors(0);
	ck_assert_int_eq(prof_watch_state(watches.array.items[0]), '?');
	prof_watch_schedstat(watches.array.items[0]);
	ck_assert(!watches.array.items[0]->gone);
	prof_watches_deinit(&watches);
	leave_descriptors(ENOUGH);
}
END_TEST

/* One of two threads that take turns was not looked at lately: it may have gone on. */
START_TEST(held_until_the_oldest_look)
{
	struct prof_watch first = {.held = true, .held_since = 40, .looked = 100};
	struct prof_watch second = {.held = true, .held_since = 50, .looked = 70};
	struct prof_watches watches = {0};
	int64_t since = 0, until = 100;

	ck_assert(!prof_watches_held(&watches, &since, &until));
	ck_assert(prof_array_reserve(&watches.array, 2));
	*prof_array_push(&watches.array) = &first;
	*prof_array_push(&watches.array) = &second;
	ck_assert(prof_watches_held(&watches, &since, &until));
	ck_assert_int_eq(since, 50);
	ck_assert_int_eq(until, 70);
	since = 60;
	ck_assert(prof_watches_held(&watches, &since, &until));
	ck_assert_int_eq(since, 60);
	second.held = false;
	ck_assert(!prof_watches_held(&watches, &since, &until));
	free(watches.array.items);
}
END_TEST

RUN_TESTS("watches", held_until_the_oldest_look, thread_that_no_descriptor_is_left_for_is_unread,
	one_descriptor_is_enough_for_many_threads, finds_what_was_added_in_any_order, drops_one,
	leader_goes_on_as_the_thread_that_executes,
	leader_begins_anew_where_nobody_can_have_executed, thread_that_is_gone_is_not_added)
