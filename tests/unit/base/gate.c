#include "base/gate.h"

#include "suite.h"

#include <sched.h>
#include <stdbool.h>

static struct prof_gate gate;
static atomic_bool quit;
static long turns; /* of the owner; under the lock */

/* Has the lock all the time but where it gives way. */
static void *own(void *context)
{
	pthread_mutex_lock(&gate.lock);
	while (!quit) {
		turns++;
		prof_gate_give_way(&gate);
	}
	pthread_mutex_unlock(&gate.lock);
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
	prof_gate_init(&gate);
	ck_assert_int_eq(pthread_create(&owner, NULL, own, NULL), 0);
	for (int i = 0; i < 1000; i++) {
		prof_gate_enter(&gate);
		ck_assert_int_ge(turns, before);
		before = turns;
		/* It can't go on meanwhile. */
		sched_yield();
		ck_assert_int_eq(turns, before);
		prof_gate_leave(&gate);
	}
	quit = true;
	pthread_join(owner, NULL);
	prof_gate_deinit(&gate);
}
END_TEST

static atomic_int passed;

static void *pass(void *context)
{
	for (int i = 0; i < 500; i++) {
		prof_gate_enter(&gate);
		passed++;
		prof_gate_leave(&gate);
	}
	return context;
}

START_TEST(several_pass_and_the_owner_goes_on)
{
	pthread_t owner, others[4];

	prof_gate_init(&gate);
	ck_assert_int_eq(pthread_create(&owner, NULL, own, NULL), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&others[i], NULL, pass, NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(others[i], NULL);
	ck_assert_int_eq(passed, 2000);
	/* It is not kept back for ever. */
	prof_gate_enter(&gate);
	long before = turns;
	prof_gate_leave(&gate);
	for (long now = before; now == before;) {
		prof_gate_enter(&gate);
		now = turns;
		prof_gate_leave(&gate);
		sched_yield();
	}
	quit = true;
	pthread_join(owner, NULL);
	prof_gate_deinit(&gate);
}
END_TEST

RUN_TESTS("gate", others_pass_however_busy_the_owner_is, several_pass_and_the_owner_goes_on)
