/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that a program can do to a debugger at once, and whether each thread has done its work:
 * storm UNITS [calm].
 *
 *	workers		compute, UNITS each, some in a mutex
 *	maker		makes threads that live for a moment, and waits for each
 *	loader		loads and unloads a library, and calls a function in it
 *	forker		makes children by fork(), vfork() and posix_spawn(), and waits for them
 *	sleeper		sleeps and wakes
 *
 * The other threads go on until the workers are done, and each of them has done some of its work.
 * With calm there are workers and the sleeper alone, and a SIGURG or SIGWINCH that the program gets
 * is a failure.  SIGTERM ends the work early.  It exits with 0 if all threads have done what they
 * were to do, else with 1.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 4, STEPS = 2000, SOME = 12 };

static long units;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long shared, shares;
static volatile sig_atomic_t early, got;
static atomic_bool ended;
static atomic_long made, came, loads, children;
static atomic_int failures;

static void fail(const char *what, long number)
{
	printf("%s failed: %ld\n", what, number);
	failures++;
}

/* The sum of the numbers below STEPS, in another way each time. */
__attribute__((noinline)) static unsigned long unit(unsigned long seed)
{
	volatile unsigned long sum = 0;
	unsigned long from = seed % STEPS;

	for (unsigned long i = 0; i < STEPS; i++)
		sum = sum + (from + i) % STEPS;
	return sum;
}

struct work {
	unsigned long sum;
	unsigned long done; /* units */
};

static void *worker(void *argument)
{
	struct work *work = argument;

	for (long i = 0; i < units && !early; i++) {
		work->sum += unit((unsigned long)i);
		work->done++;
		if (i % 16 == 0) {
			pthread_mutex_lock(&mutex);
			shared += unit((unsigned long)i);
			shares++;
			pthread_mutex_unlock(&mutex);
		}
	}
	return NULL;
}

static void *brief(void *argument)
{
	came++;
	return (void *)(unit((unsigned long)argument) + (unsigned long)argument);
}

/* Where there is no rest, the debugger has time for nothing else. */
static void rest(void)
{
	struct timespec time = {.tv_nsec = 5000000};

	nanosleep(&time, NULL);
}

static void *maker(void *argument)
{
	while (!ended) {
		pthread_t threads[4];
		void *result;
		for (unsigned long i = 0; i < 4; i++) {
			if (pthread_create(&threads[i], NULL, brief, (void *)i))
				fail("pthread_create", errno);
			made++;
		}
		for (unsigned long i = 0; i < 4; i++) {
			pthread_join(threads[i], &result);
			if ((unsigned long)result != STEPS * (STEPS - 1UL) / 2 + i)
				fail("a brief thread", (long)result);
		}
		rest();
	}
	return argument;
}

static void *loader(void *argument)
{
	while (!ended) {
		void *library = dlopen("libresolv.so.2", RTLD_NOW);
		unsigned (*get)(const unsigned char *) = NULL;
		if (library)
			*(void **)&get = dlsym(library, "ns_get16");
		if (!get || get((const unsigned char *)"\1\2") != 0x102)
			fail("dlopen", loads);
		if (library && dlclose(library))
			fail("dlclose", loads);
		loads++;
		rest();
	}
	return argument;
}

static pid_t make_child(long number)
{
	char *const words[] = {"true", NULL};
	pid_t process = -1;

	switch (number % 3) {
	case 0:
		process = fork();
		if (!process)
			_exit(unit((unsigned long)number) == STEPS * (STEPS - 1UL) / 2 ? 7 : 1);
		break;
	case 1:
		process = vfork();
		if (!process)
			_exit(7);
		break;
	default:
		if (posix_spawn(&process, "/bin/true", NULL, NULL, words, words + 1))
			process = -1;
	}
	return process;
}

static void *forker(void *argument)
{
	for (long i = 0; !ended; i++) {
		int status = 0;
		pid_t process = make_child(i);
		if (process < 0 || waitpid(process, &status, 0) != process || !WIFEXITED(status) ||
			WEXITSTATUS(status) != (i % 3 == 2 ? 0 : 7))
			fail("a child", status);
		children++;
		rest();
	}
	return argument;
}

static void *sleeper(void *argument)
{
	while (!ended) {
		struct timespec time = {.tv_nsec = 700000};
		if (nanosleep(&time, NULL))
			fail("nanosleep", errno);
		if (poll(NULL, 0, 1) < 0)
			fail("poll", errno);
	}
	return argument;
}

static void get(int signal)
{
	(void)signal;
	got++;
}

static void end_early(int signal)
{
	(void)signal;
	early = 1;
}

static void listen(void)
{
	struct sigaction action = {.sa_handler = get, .sa_flags = SA_RESTART};

	sigaction(SIGURG, &action, NULL);
	sigaction(SIGWINCH, &action, NULL);
}

int main(int argc, char **argv)
{
	void *(*const all[])(void *) = {sleeper, maker, loader, forker};
	enum { OTHERS = sizeof all / sizeof *all };
	const bool calm = argc > 2 && !strcmp(argv[2], "calm");
	const int others = calm ? 1 : OTHERS;
	pthread_t threads[WORKERS + OTHERS];
	struct work work[WORKERS] = {0};
	const unsigned long one = STEPS * (STEPS - 1UL) / 2;

	signal(SIGTERM, end_early);
	if (calm)
		listen();
	units = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, worker, &work[i]);
	for (int i = 0; i < others; i++)
		pthread_create(&threads[WORKERS + i], NULL, all[i], NULL);
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(threads[i], NULL);
		if (work[i].sum != work[i].done * one)
			fail("a worker", i);
	}
	while (!calm && !early && (made < SOME || loads < SOME || children < SOME))
		rest();
	ended = true;
	for (int i = 0; i < others; i++)
		pthread_join(threads[WORKERS + i], NULL);
	if (got)
		fail("without signals it", got);
	if (shared != shares * one)
		fail("the sum of all", (long)shared);
	if (made != came || (!calm && (!made || !loads || !children)))
		fail("the others", made - came);
	printf("made %ld threads, %ld children, %ld loads\n", made, children, loads);
	return failures ? 1 : 0;
}
