/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that has its first event after another, but was met before: owner.
 *
 * The program begins to wait for the thread "keeper" at a barrier; that takes the lock, and comes
 * to the barrier itself; then the program waits for the lock, some 0.2 s.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begun;

static void *own(void *argument)
{
	pthread_setname_np(pthread_self(), "keeper");
	usleep(50000);
	pthread_mutex_lock(&lock);
	pthread_barrier_wait(&begun);
	usleep(200000);
	pthread_mutex_unlock(&lock);
	/* Who reads its name may have to wait for a CPU. */
	usleep(700000);
	return argument;
}

int main(void)
{
	pthread_t thread;

	pthread_barrier_init(&begun, NULL, 2);
	pthread_create(&thread, NULL, own, NULL);
	pthread_barrier_wait(&begun);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	return 0;
}
