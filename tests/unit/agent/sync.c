/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/calibration.h"
#include "agent_session.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>

static struct event events[EVENTS];

static pthread_mutex_t mutex;
static pthread_rwlock_t lock;
static pthread_cond_t condition;
static pthread_barrier_t barrier;
static sem_t semaphore, ready;
static pid_t holder, waiter;
static _Atomic bool calling; /* the waiter is about to wait */

/* Times are in ns, so that those of tests can be told. */
static void begin_sync(uint64_t threshold)
{
	ck_assert_int_eq(pthread_mutex_init(&mutex, NULL), 0);
	ck_assert_int_eq(pthread_rwlock_init(&lock, NULL), 0);
	ck_assert_int_eq(pthread_cond_init(&condition, NULL), 0);
	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, 2), 0);
	ck_assert_int_eq(sem_init(&semaphore, 0, 0), 0);
	ck_assert_int_eq(sem_init(&ready, 0, 0), 0);
	waiter = gettid();
	calling = false;
	begin((struct prof_agent){.families = PROF_FAMILY_SYNC, .threshold = threshold});
	ck_assert_uint_eq(ring->threshold, threshold);
}

static const long MILLISECOND = 1000000, MINUTE = 60000000000;

static struct timespec after(clockid_t clock, long ns)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += (time.tv_nsec + ns) / 1000000000;
	time.tv_nsec = (time.tv_nsec + ns) % 1000000000;
	return time;
}

/* Exactly the waits for OBJECT by the hooks WHAT were recorded, the last of them -1. */
static void expect_waits(const int *what, const void *object, uint64_t owner)
{
	unsigned count = read_own(events), expected = 0;

	for (; what[expected] >= 0; expected++) {
		struct event *event = &events[expected];
		ck_assert_uint_lt(expected, count);
		ck_assert_int_eq(event->kind, PROF_RING_WAIT);
		ck_assert_int_eq((int)event->what, what[expected]);
		ck_assert_uint_eq(event->count, 4);
		ck_assert_uint_ge(event->values[0], event->values[1]);
		ck_assert_ptr_eq((void *)event->values[2], object);
		ck_assert_uint_eq(event->values[3], owner);
	}
	ck_assert_uint_eq(count, expected);
}

#define EXPECT(object, owner, ...) \
	expect_waits((const int[]){__VA_ARGS__, -1}, (const void *)(object), (uint64_t)(owner))
#define EXPECT_NONE() expect_waits((const int[]){-1}, NULL, 0)

START_TEST(what_need_not_wait_is_not_recorded)
{
	begin_sync(1);
	struct timespec soon = after(CLOCK_REALTIME, MILLISECOND);
	struct timespec then = after(CLOCK_MONOTONIC, MILLISECOND);

	ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), 0);
	pthread_mutex_unlock(&mutex);
	ck_assert_int_eq(CALL(pthread_mutex_timedlock, &mutex, &soon), 0);
	pthread_mutex_unlock(&mutex);
	ck_assert_int_eq(CALL(pthread_mutex_clocklock, &mutex, CLOCK_MONOTONIC, &then), 0);
	pthread_mutex_unlock(&mutex);
	ck_assert_int_eq(CALL(pthread_rwlock_rdlock, &lock), 0);
	ck_assert_int_eq(CALL(pthread_rwlock_timedrdlock, &lock, &soon), 0);
	ck_assert_int_eq(CALL(pthread_rwlock_clockrdlock, &lock, CLOCK_MONOTONIC, &then), 0);
	for (unsigned i = 0; i < 3; i++)
		pthread_rwlock_unlock(&lock);
	ck_assert_int_eq(CALL(pthread_rwlock_wrlock, &lock), 0);
	pthread_rwlock_unlock(&lock);
	errno = 4711;
	for (unsigned i = 0; i < 3; i++)
		sem_post(&semaphore);
	ck_assert_int_eq(CALL(sem_wait, &semaphore), 0);
	ck_assert_int_eq(CALL(sem_timedwait, &semaphore, &soon), 0);
	ck_assert_int_eq(CALL(sem_clockwait, &semaphore, CLOCK_MONOTONIC, &then), 0);
	ck_assert_int_eq(errno, 4711);
	EXPECT_NONE();
}
END_TEST

START_TEST(all_are_recorded_where_all_are_wanted)
{
	begin_sync(0);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), 0);
		pthread_mutex_unlock(&mutex);
	}
	EXPECT(&mutex, 0, PROF_HOOK_pthread_mutex_lock, PROF_HOOK_pthread_mutex_lock,
		PROF_HOOK_pthread_mutex_lock);
}
END_TEST

/* Whether the waiter is in a system call of futex(). */
static bool is_waiting(void)
{
	char path[64], text[8] = "";

	snprintf(path, sizeof path, "/proc/self/task/%d/syscall", waiter);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(file, 0);
	ck_assert_int_ge(read(file, text, sizeof text - 1), 0);
	close(file);
	return atoi(text) == SYS_futex;
}

/* Lets the waiter come, and wait for more than a millisecond. */
static void let_wait(void)
{
	sem_post(&ready);
	while (!calling || !is_waiting())
		usleep(100);
	usleep(2000);
}

/* Has mutex and lock, and gives them back a little after the waiter has come. */
static void *hold(void *context)
{
	(void)context;
	holder = gettid();
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&lock);
	let_wait();
	pthread_rwlock_unlock(&lock);
	pthread_mutex_unlock(&mutex);
	sem_post(&semaphore);
	return NULL;
}

static pthread_t start(void *(*function)(void *))
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, function, NULL), 0);
	sem_wait(&ready);
	return thread;
}

static void *wait_each(void *context)
{
	int *result = context;
	struct timespec late = after(CLOCK_REALTIME, MINUTE);
	struct timespec then = after(CLOCK_MONOTONIC, MINUTE);

	calling = true;
	switch (result[0]) {
	case PROF_HOOK_pthread_mutex_lock:
		result[1] = CALL(pthread_mutex_lock, &mutex);
		break;
	case PROF_HOOK_pthread_mutex_timedlock:
		result[1] = CALL(pthread_mutex_timedlock, &mutex, &late);
		break;
	case PROF_HOOK_pthread_mutex_clocklock:
		result[1] = CALL(pthread_mutex_clocklock, &mutex, CLOCK_MONOTONIC, &then);
		break;
	case PROF_HOOK_pthread_rwlock_rdlock:
		result[1] = CALL(pthread_rwlock_rdlock, &lock);
		break;
	case PROF_HOOK_pthread_rwlock_timedrdlock:
		result[1] = CALL(pthread_rwlock_timedrdlock, &lock, &late);
		break;
	case PROF_HOOK_pthread_rwlock_clockrdlock:
		result[1] = CALL(pthread_rwlock_clockrdlock, &lock, CLOCK_MONOTONIC, &then);
		break;
	case PROF_HOOK_pthread_rwlock_wrlock:
		result[1] = CALL(pthread_rwlock_wrlock, &lock);
		break;
	case PROF_HOOK_pthread_rwlock_timedwrlock:
		result[1] = CALL(pthread_rwlock_timedwrlock, &lock, &late);
		break;
	case PROF_HOOK_pthread_rwlock_clockwrlock:
		result[1] = CALL(pthread_rwlock_clockwrlock, &lock, CLOCK_MONOTONIC, &then);
		break;
	case PROF_HOOK_sem_wait:
		result[1] = CALL(sem_wait, &semaphore);
		break;
	case PROF_HOOK_sem_timedwait:
		result[1] = CALL(sem_timedwait, &semaphore, &late);
		break;
	case PROF_HOOK_sem_clockwait:
		result[1] = CALL(sem_clockwait, &semaphore, CLOCK_MONOTONIC, &then);
		break;
	}
	return NULL;
}

/* Waits by the hook WHAT for what a thread holds; the wait must be recorded. */
static void wait_for_holder(int what, const void *object, bool owned)
{
	int result[2] = {what, -1};

	begin_sync(MILLISECOND);
	pthread_t thread = start(hold);
	wait_each(result);
	ck_assert_int_eq(result[1], 0);
	EXPECT(object, owned ? holder : 0, what);
	ck_assert_uint_gt(events[0].values[0] - events[0].values[1], MILLISECOND);
	if (object == &mutex)
		pthread_mutex_unlock(&mutex);
	else if (object == &lock)
		pthread_rwlock_unlock(&lock);
	pthread_join(thread, NULL);
}

START_TEST(waits_are_recorded_with_who_held)
{
	for (int what = PROF_HOOK_pthread_mutex_lock; what <= PROF_HOOK_pthread_mutex_clocklock;
		what++)
		wait_for_holder(what, &mutex, true);
	for (int what = PROF_HOOK_pthread_rwlock_rdlock;
		what <= PROF_HOOK_pthread_rwlock_clockwrlock; what++)
		wait_for_holder(what, &lock, true);
	for (int what = PROF_HOOK_sem_wait; what <= PROF_HOOK_sem_clockwait; what++)
		wait_for_holder(what, &semaphore, false);
}
END_TEST

static void *end_late(void *context)
{
	let_wait();
	return context;
}

START_TEST(waits_for_the_end_of_threads_are_recorded)
{
	struct timespec late = after(CLOCK_REALTIME, MINUTE);
	struct timespec then = after(CLOCK_MONOTONIC, MINUTE);
	pthread_t thread;
	void *value;

	begin_sync(MILLISECOND);
	thread = start(end_late);
	calling = true;
	ck_assert_int_eq(CALL(pthread_join, thread, &value), 0);
	ck_assert_ptr_null(value);
	EXPECT(thread, 0, PROF_HOOK_pthread_join);
	begin_sync(MILLISECOND);
	thread = start(end_late);
	calling = true;
	ck_assert_int_eq(CALL(pthread_timedjoin_np, thread, &value, &late), 0);
	EXPECT(thread, 0, PROF_HOOK_pthread_timedjoin_np);
	begin_sync(MILLISECOND);
	thread = start(end_late);
	calling = true;
	ck_assert_int_eq(CALL(pthread_clockjoin_np, thread, &value, CLOCK_MONOTONIC, &then), 0);
	EXPECT(thread, 0, PROF_HOOK_pthread_clockjoin_np);
	ck_assert_int_eq(CALL(pthread_join, pthread_self(), NULL), EDEADLK);
}
END_TEST

static void *signal_later(void *context)
{
	let_wait();
	pthread_mutex_lock(&mutex);
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return context;
}

static void *come_later(void *context)
{
	let_wait();
	pthread_barrier_wait(&barrier);
	return context;
}

START_TEST(waits_for_conditions_and_barriers_are_recorded)
{
	begin_sync(MILLISECOND);
	pthread_mutex_lock(&mutex);
	pthread_t thread = start(signal_later);
	calling = true;
	ck_assert_int_eq(CALL(pthread_cond_wait, &condition, &mutex), 0);
	/* It may lose its CPU before it waits. */
	struct timespec soon = after(CLOCK_REALTIME, 100 * MILLISECOND);
	ck_assert_int_eq(CALL(pthread_cond_timedwait, &condition, &mutex, &soon), ETIMEDOUT);
	soon = after(CLOCK_MONOTONIC, 100 * MILLISECOND);
	ck_assert_int_eq(CALL(pthread_cond_clockwait, &condition, &mutex, CLOCK_MONOTONIC, &soon),
		ETIMEDOUT);
	EXPECT(&condition, 0, PROF_HOOK_pthread_cond_wait, PROF_HOOK_pthread_cond_timedwait,
		PROF_HOOK_pthread_cond_clockwait);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	begin_sync(MILLISECOND);
	thread = start(come_later);
	calling = true;
	int result = CALL(pthread_barrier_wait, &barrier);
	ck_assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
	EXPECT(&barrier, 0, PROF_HOOK_pthread_barrier_wait);
	pthread_join(thread, NULL);
}
END_TEST

static void init_mutex(int type, int robust, int protocol)
{
	pthread_mutexattr_t attributes;

	ck_assert_int_eq(pthread_mutexattr_init(&attributes), 0);
	ck_assert_int_eq(pthread_mutexattr_settype(&attributes, type), 0);
	ck_assert_int_eq(pthread_mutexattr_setrobust(&attributes, robust), 0);
	ck_assert_int_eq(pthread_mutexattr_setprotocol(&attributes, protocol), 0);
	ck_assert_int_eq(pthread_mutex_init(&mutex, &attributes), 0);
}

static void *die_with_mutex(void *context)
{
	pthread_mutex_lock(&mutex);
	return context;
}

static void die(void)
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, die_with_mutex, NULL), 0);
	pthread_join(thread, NULL);
}

START_TEST(results_are_those_of_the_real_functions)
{
	struct timespec soon = after(CLOCK_REALTIME, MILLISECOND);
	struct timespec wrong = {0, 1000000000};

	begin_sync(1);
	init_mutex(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT);
	ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), 0);
	ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), EDEADLK);
	ck_assert_int_eq(CALL(pthread_mutex_timedlock, &mutex, &soon), EDEADLK);
	init_mutex(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
	ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), 0);
	ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), 0);
	ck_assert_int_eq(pthread_mutex_unlock(&mutex), 0);
	ck_assert_int_eq(pthread_mutex_unlock(&mutex), 0);
	ck_assert_int_eq(pthread_mutex_unlock(&mutex), EPERM);
	init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
	die();
	ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), EOWNERDEAD);
	ck_assert_int_eq(pthread_mutex_unlock(&mutex), 0);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), ENOTRECOVERABLE);
	ck_assert_int_eq(pthread_mutex_init(&mutex, NULL), 0);
	ck_assert_int_eq(
		CALL(pthread_mutex_clocklock, &mutex, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
	ck_assert_int_eq(CALL(pthread_mutex_lock, &mutex), 0);
	ck_assert_int_eq(CALL(pthread_mutex_timedlock, &mutex, &wrong), EINVAL);
	ck_assert_int_eq(CALL(pthread_mutex_timedlock, &mutex, &soon), ETIMEDOUT);
	ck_assert_int_eq(CALL(pthread_rwlock_timedrdlock, &lock, &wrong), EINVAL);
	ck_assert_int_eq(CALL(pthread_rwlock_wrlock, &lock), 0);
	ck_assert_int_eq(CALL(pthread_rwlock_rdlock, &lock), EDEADLK);
	ck_assert_int_eq(CALL(sem_timedwait, &semaphore, &soon), -1);
	ck_assert_int_eq(errno, ETIMEDOUT);
	ck_assert_int_eq(sem_post(&semaphore), 0);
	ck_assert_int_eq(CALL(sem_timedwait, &semaphore, &wrong), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_uint_le(read_own(events), 2); /* of special mutexes */
}
END_TEST

static volatile int cleaned;

static void clean(void *context)
{
	cleaned = pthread_mutex_trylock(&mutex) == EBUSY;
	pthread_mutex_unlock(&mutex);
	(void)context;
}

static void *wait_forever(void *context)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(clean, NULL);
	sem_post(&ready);
	for (;;)
		CALL(pthread_cond_wait, &condition, &mutex);
	pthread_cleanup_pop(0);
	return context;
}

static void *cancel_itself(void *context)
{
	pthread_cancel(pthread_self());
	CALL(sem_wait, &semaphore);
	return context;
}

START_TEST(who_waits_can_be_cancelled)
{
	pthread_t thread;
	void *value;
	int left;

	begin_sync(1);
	thread = start(wait_forever);
	pthread_mutex_lock(&mutex); /* it waits */
	pthread_mutex_unlock(&mutex);
	ck_assert_int_eq(pthread_cancel(thread), 0);
	ck_assert_int_eq(pthread_join(thread, &value), 0);
	ck_assert_ptr_eq(value, PTHREAD_CANCELED);
	ck_assert_int_eq(cleaned, 1);
	ck_assert_int_eq(sem_post(&semaphore), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, cancel_itself, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, &value), 0);
	ck_assert_ptr_eq(value, PTHREAD_CANCELED);
	ck_assert_int_eq(sem_getvalue(&semaphore, &left), 0);
	ck_assert_int_eq(left, 1);
}
END_TEST

START_TEST(the_threshold_is_six_times_the_mean_up_to_a_microsecond)
{
	const uint64_t ns = 1000000, clock_units = 2999300;

	ck_assert_uint_eq(prof_calibration_threshold(100 * 200, 100, ns), 2000);
	ck_assert_uint_eq(prof_calibration_threshold(100 * 500, 100, ns), 3000);
	ck_assert_uint_eq(prof_calibration_threshold(100 * 500 + 1, 100, ns), 4000);
	ck_assert_uint_eq(prof_calibration_threshold(1, 100, ns), 1000);
	ck_assert_uint_eq(prof_calibration_threshold(100 * 600, 100, clock_units), 2 * 29993 / 10);
}
END_TEST

START_TEST(only_longer_waits_than_the_threshold_count)
{
	ck_assert(!prof_calibration_exceeds(5, 10));
	ck_assert(!prof_calibration_exceeds(10, 10));
	ck_assert(prof_calibration_exceeds(11, 10));
	ck_assert(prof_calibration_exceeds(0, 0));
}
END_TEST

START_TEST(the_agent_calibrates_if_asked_to)
{
	for (uint32_t counter = 0; counter < 2; counter++) {
		begin((struct prof_agent){
			.families = PROF_FAMILY_SYNC, .calibrate = 1, .counter = counter});
		ck_assert_uint_gt(ring->uncontended, 0);
		ck_assert_uint_ge(ring->threshold, 6 * ring->uncontended);
		ck_assert_uint_eq(prof_agent_process->session->threshold, ring->threshold);
	}
}
END_TEST

RUN_TESTS("agent sync", what_need_not_wait_is_not_recorded, all_are_recorded_where_all_are_wanted,
	waits_are_recorded_with_who_held, waits_for_the_end_of_threads_are_recorded,
	waits_for_conditions_and_barriers_are_recorded, results_are_those_of_the_real_functions,
	who_waits_can_be_cancelled, the_threshold_is_six_times_the_mean_up_to_a_microsecond,
	only_longer_waits_than_the_threshold_count, the_agent_calibrates_if_asked_to)
