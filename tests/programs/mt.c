/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two workers, each five times: lock, work, unlock, grab() 1,000 or 2,000 bytes, and free them in
 * even rounds.  Of 10 allocations of 15,000 bytes in grab() 4 are left, of 6,000 bytes.
 */
#include "spend.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT __attribute__((noinline))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *volatile kept[2]; /* a block that is pointed to leaks as well */

KEPT static void burn(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		SPEND(i);
}

KEPT static void *grab(size_t size)
{
	char *block = malloc(size);

	memset(block, 1, size);
	return block;
}

KEPT static void critical(void)
{
	pthread_mutex_lock(&lock);
	burn(3000000);
	pthread_mutex_unlock(&lock);
}

static void *worker(void *context)
{
	long id = (long)context;

	for (int i = 0; i < 5; i++) {
		critical();
		void *block = grab((size_t)(1000 * (id + 1)));
		if (i % 2 == 0)
			free(block);
		else
			kept[id] = block;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("done\n");
	return 0;
}
