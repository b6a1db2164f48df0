/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/thread.h"

#include "suite.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sigset_t blocked;
static char name[16];

static void *look(void *context)
{
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	pthread_getname_np(pthread_self(), name, sizeof name);
	return context;
}

START_TEST(thread_blocks_all_signals_and_its_starter_none)
{
	pthread_t thread;
	void *result;
	sigset_t own;

	ck_assert_ok(prof_thread_start(look, name, "fifteen-letters", "A thread", &thread));
	pthread_join(thread, &result);
	ck_assert_ptr_eq(result, name);
	for (int i = 1; i < 32; i++) {
		if (i != SIGKILL && i != SIGSTOP)
			ck_assert_int_eq(sigismember(&blocked, i), 1);
	}
	pthread_sigmask(SIG_BLOCK, NULL, &own);
	ck_assert_int_eq(sigismember(&own, SIGINT), 0);
}
END_TEST

START_TEST(wait_ends_in_time)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition;
	struct timespec now;

	prof_thread_condition(&condition);
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t until = now.tv_sec * INT64_C(1000000000) + now.tv_nsec + 20000000;
	pthread_mutex_lock(&mutex);
	do {
		prof_thread_wait(&condition, &mutex, until);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec * INT64_C(1000000000) + now.tv_nsec < until);
	pthread_mutex_unlock(&mutex);
}
END_TEST

START_TEST(eventfd_does_not_block)
{
	int file;
	uint64_t count = 1;

	ck_assert_ok(prof_thread_eventfd(&file));
	ck_assert_int_eq(read(file, &count, sizeof count), -1);
	ck_assert_int_eq(write(file, &count, sizeof count), sizeof count);
	ck_assert_int_eq(read(file, &count, sizeof count), sizeof count);
	ck_assert_int_ne(fcntl(file, F_GETFD) & FD_CLOEXEC, 0);
	close(file);
}
END_TEST

RUN_TESTS("base_thread", thread_blocks_all_signals_and_its_starter_none, wait_ends_in_time,
	eventfd_does_not_block)
