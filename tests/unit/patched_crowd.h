/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a traced child runs: threads that call functions until they are told to end. */
#ifndef PROF_TESTS_PATCHED_CROWD_H
#define PROF_TESTS_PATCHED_CROWD_H

#include "patched_child.h"
#include "patching/patched.h"
#include "patching/thread_word.h"

#include <pthread.h>

/* How many there are, what fibonacci() gets and returns, and how many calls of it and of leaf()
 * that takes. */
enum { THREADS = 6, NUMBER = 10, RESULT = 55, CALLS = 177, LEAVES = 89 };

KEPT uint64_t leaf(uint64_t number);
KEPT uint64_t fibonacci(uint64_t number);

uint64_t leaf(uint64_t number)
{
	return number * 3 + 1;
}

uint64_t fibonacci(uint64_t number)
{
	return number < 2 ? CALL(leaf)(number) / 3
			  : CALL(fibonacci)(number - 1) + CALL(fibonacci)(number - 2);
}

/* Shared with the child: its threads end when END is set, and count how often they called. */
static struct crowd_shared {
	volatile int end;
	bool slow; /* they sleep after each turn */
	uint64_t turns[THREADS], wrong;
} * shared;

/* Before the child is started. */
static inline void crowd_share(void)
{
	shared = mmap(
		NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
}

static inline void *crowd_call(void *turns)
{
	while (!shared->end) {
		if (CALL(fibonacci)(NUMBER) != RESULT)
			__atomic_fetch_add(&shared->wrong, 1, __ATOMIC_RELAXED);
		++*(uint64_t *)turns;
		if (shared->slow)
			usleep(5000);
	}
	return NULL;
}

/* What the child runs. */
static inline int crowd_run(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, crowd_call, &shared->turns[i]))
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	patched_child_stop();
	return 0;
}

/* Calls, has a child of its own call, and waits for that.  How many results were wrong? */
static inline unsigned crowd_call_and_fork(void)
{
	unsigned wrong = CALL(fibonacci)(NUMBER) != RESULT;
	pid_t child = fork();
	int status;

	wrong += CALL(fibonacci)(NUMBER) != RESULT;
	if (!child)
		_exit(wrong != 0);
	wrong += waitpid(child, &status, 0) != child || status;
	return wrong;
}

/* Starts CHILD, which runs FUNCTION; *RET hides from its debugger that it is patched. */
static inline void crowd_start_hidden(
	struct patched_child *child, int (*function)(void), struct prof_patched **ret)
{
	crowd_share();
	patched_child_start(child, function, 10);
	child->settings.thread = PROF_THREAD_WORD;
	ck_assert_ok(prof_patched_create(child->pid, &child->settings, ret));
	ck_assert_ptr_null(prof_patched_admit(*ret, child->pid));
}

#endif
