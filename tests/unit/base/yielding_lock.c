/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/yielding_lock.h"

#include "suite.h"

#include <sched.h>
#include <stdbool.h>

static struct prof_yielding_lock lock;
static atomic_bool quit;
static long turns; /* of the owner; under the lock */

/* Has the lock all the time but where it gives way. */
static void *own(void *context)
{
	pthread_mutex_lock(&lock.mutex);
	while (!quit) {
		turns++;
		prof_yielding_lock_yield(&lock);
	}
	pthread_mutex_unlock(&lock.mutex);
	return context;
}

/* Everything on one CPU: a lock that is given up for a moment is hardly ever had by another. */
static void stay_on_one_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof set, &set), 0);
}

START_TEST(others_pass_however_busy_the_owner_is)
{
	pthread_t owner;
	long before = -1;

	stay_on_one_cpu();
	prof_yielding_lock_init(&lock);
	ck_assert_int_eq(pthread_create(&owner, NULL, own, NULL), 0);
	for (int i = 0; i < 1000; i++) {
		prof_yielding_lock_acquire(&lock);
		ck_assert_int_ge(turns, before);
		before = turns;
		/* It cannot go on meanwhile. */
		sched_yield();
		ck_assert_int_eq(turns, before);
		prof_yielding_lock_release(&lock);
	}
	quit = true;
	pthread_join(owner, NULL);
	prof_yielding_lock_deinit(&lock);
}
END_TEST

static atomic_int passed;

static void *pass(void *context)
{
	for (int i = 0; i < 500; i++) {
		prof_yielding_lock_acquire(&lock);
		passed++;
		prof_yielding_lock_release(&lock);
	}
	return context;
}

START_TEST(several_pass_and_the_owner_goes_on)
{
	pthread_t owner, others[4];

	prof_yielding_lock_init(&lock);
	ck_assert_int_eq(pthread_create(&owner, NULL, own, NULL), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&others[i], NULL, pass, NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(others[i], NULL);
	ck_assert_int_eq(passed, 2000);
	/* It is not kept back for ever. */
	prof_yielding_lock_acquire(&lock);
	long before = turns;
	prof_yielding_lock_release(&lock);
	for (long now = before; now == before;) {
		prof_yielding_lock_acquire(&lock);
		now = turns;
		prof_yielding_lock_release(&lock);
		sched_yield();
	}
	quit = true;
	pthread_join(owner, NULL);
	prof_yielding_lock_deinit(&lock);
}
END_TEST

RUN_TESTS(
	"yielding_lock", others_pass_however_busy_the_owner_is, several_pass_and_the_owner_goes_on)
