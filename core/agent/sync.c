/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Waits for locks and for other threads, recorded when they end.
 *
 * The wrapper first tries to take what can be taken at once, as the function itself would: only a
 * thread that has to wait pays for reading clocks.  No lock of ours is held while a thread waits,
 * because it may be cancelled there, or a signal handler may jump away.
 */
#include "agent/calibration.h"
#include "agent/hooks.h"

/* Records a wait for OBJECT since REQUEST in SESSION that has just ended, if it was long enough. */
__attribute__((noinline)) static void record_wait(struct prof_agent_session *session,
	enum prof_hook_number what, void *frame, uintptr_t object, uint64_t request,
	uint64_t holder)
{
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_SYNC, frame);

	if (!thread)
		return;
	prof_agent_record_begin(thread);
	struct prof_system_stamp grant = prof_agent_stamp(session);
	if (thread->session == session &&
		prof_calibration_exceeds(grant.time - request, session->threshold)) {
		struct prof_agent_record record = {.kind = PROF_RING_WAIT,
			.what = what,
			.cpu = grant.cpu,
			.count = 4,
			.values = {grant.time, request, object, holder}};
		prof_agent_record_write(thread, &record, 1, frame);
	}
	prof_agent_record_end(thread);
	prof_agent_leave(thread);
}

/*
 * The common part of all wrappers.  If AT_ONCE is true, it has ended the call without a wait, and
 * has set the result; otherwise CALL gives the result, and has waited if WAITED is true then.
 * HOLDER is the number of the thread that holds OBJECT meanwhile, or 0.
 */
#define WAIT(name, object, holder, at_once, call, waited)                                  \
	struct prof_agent_session *session = prof_agent_session(PROF_FAMILY_SYNC);         \
	int result;                                                                        \
	if (!session)                                                                      \
		return (call);                                                             \
	if (session->threshold && (at_once))                                               \
		return result;                                                             \
	uint64_t other = (uint64_t)(holder), request = prof_system_time(session->counter); \
	result = (call);                                                                   \
	if (waited)                                                                        \
		record_wait(session, PROF_HOOK_##name, __builtin_frame_address(0),         \
			(uintptr_t)(object), request, other);                              \
	return result

/*
 * Would the real function accept UNTIL, a time of CLOCK?  Only then may we first try without
 * waiting.
 */
static inline bool is_time(clockid_t clock, const struct timespec *until)
{
	return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && until->tv_nsec >= 0 &&
		until->tv_nsec < 1000000000;
}

/* A mutex whose last owner has died was acquired, too. */
static inline bool is_had(int result)
{
	return result == 0 || result == EOWNERDEAD;
}

/*
 * May we try MUTEX before waiting?  Trying would lock a robust mutex that is not recoverable for
 * ever, and mutexes with a priority protocol change priorities.
 */
static inline bool is_plain(const pthread_mutex_t *mutex)
{
	enum { ROBUST = 16, INHERITS = 32, PROTECTS = 64 };

	return !(mutex->__data.__kind & (ROBUST | INHERITS | PROTECTS));
}

#define MUTEX(name, when, ...)                                                             \
	WAIT(name, mutex, mutex->__data.__owner,                                           \
		is_plain(mutex) && (when) && (result = pthread_mutex_trylock(mutex)) == 0, \
		PROF_REAL(name)(__VA_ARGS__), is_had(result))

int prof_agent_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	MUTEX(pthread_mutex_lock, true, mutex);
}

int prof_agent_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	MUTEX(pthread_mutex_timedlock, is_time(CLOCK_REALTIME, until), mutex, until);
}

int prof_agent_pthread_mutex_clocklock(
	pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	MUTEX(pthread_mutex_clocklock, is_time(clock, until), mutex, clock, until);
}

#define RWLOCK(name, try, when, ...)                                  \
	WAIT(name, lock, lock->__data.__cur_writer,                   \
		(when) && (result = pthread_rwlock_##try(lock)) == 0, \
		PROF_REAL(name)(__VA_ARGS__), result == 0)

int prof_agent_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	RWLOCK(pthread_rwlock_rdlock, tryrdlock, true, lock);
}

int prof_agent_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	RWLOCK(pthread_rwlock_timedrdlock, tryrdlock, is_time(CLOCK_REALTIME, until), lock, until);
}

int prof_agent_pthread_rwlock_clockrdlock(
	pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	RWLOCK(pthread_rwlock_clockrdlock, tryrdlock, is_time(clock, until), lock, clock, until);
}

int prof_agent_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	RWLOCK(pthread_rwlock_wrlock, trywrlock, true, lock);
}

int prof_agent_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	RWLOCK(pthread_rwlock_timedwrlock, trywrlock, is_time(CLOCK_REALTIME, until), lock, until);
}

int prof_agent_pthread_rwlock_clockwrlock(
	pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	RWLOCK(pthread_rwlock_clockwrlock, trywrlock, is_time(clock, until), lock, clock, until);
}

/* Waiting for a condition always waits.  After a timeout, too, the thread holds the mutex. */
#define CONDITION(name, ...)                                                        \
	WAIT(name, condition, 0, (result = 0, false), PROF_REAL(name)(__VA_ARGS__), \
		is_had(result) || result == ETIMEDOUT)

int prof_agent_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	CONDITION(pthread_cond_wait, condition, mutex);
}

int prof_agent_pthread_cond_timedwait(
	pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
	CONDITION(pthread_cond_timedwait, condition, mutex, until);
}

int prof_agent_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
	clockid_t clock, const struct timespec *until)
{
	CONDITION(pthread_cond_clockwait, condition, mutex, clock, until);
}

#define JOIN(name, ...) \
	WAIT(name, thread, 0, (result = 0, false), PROF_REAL(name)(__VA_ARGS__), result == 0)

int prof_agent_pthread_join(pthread_t thread, void **ret)
{
	JOIN(pthread_join, thread, ret);
}

int prof_agent_pthread_timedjoin_np(pthread_t thread, void **ret, const struct timespec *until)
{
	JOIN(pthread_timedjoin_np, thread, ret, until);
}

int prof_agent_pthread_clockjoin_np(
	pthread_t thread, void **ret, clockid_t clock, const struct timespec *until)
{
	JOIN(pthread_clockjoin_np, thread, ret, clock, until);
}

/*
 * Takes SEMAPHORE if that is possible at once.  Like sem_wait(), it is a cancellation point before
 * that.
 */
static int take_at_once(sem_t *semaphore)
{
	int before = errno;

	pthread_testcancel();
	int result = sem_trywait(semaphore);
	errno = before;
	return result;
}

#define SEMAPHORE(name, when, ...)                                                  \
	WAIT(name, semaphore, 0, (when) && (result = take_at_once(semaphore)) == 0, \
		PROF_REAL(name)(__VA_ARGS__), result == 0)

int prof_agent_sem_wait(sem_t *semaphore)
{
	SEMAPHORE(sem_wait, true, semaphore);
}

int prof_agent_sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
	SEMAPHORE(sem_timedwait, is_time(CLOCK_REALTIME, until), semaphore, until);
}

int prof_agent_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	SEMAPHORE(sem_clockwait, is_time(clock, until), semaphore, clock, until);
}

int prof_agent_pthread_barrier_wait(pthread_barrier_t *barrier)
{
	WAIT(pthread_barrier_wait, barrier, 0, (result = 0, false),
		PROF_REAL(pthread_barrier_wait)(barrier),
		result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
}
