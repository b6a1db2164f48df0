/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A service with the faults that services have: requests wait for a lock that is held during a
 * slow read, those that are not valid are never freed, and every hundredth one is slow.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORKERS = 3, ENTRIES = 64, BODY = 4000 };

struct request {
	int number;
	int valid;
	char *body;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long table[ENTRIES];
static atomic_int next_request;
static atomic_ulong answers;
static int requests;

/* The CPU time of the service is spent here. */
__attribute__((noinline)) static unsigned long hash(const char *text, int rounds)
{
	unsigned long sum = 5381;

	for (int i = 0; i < rounds; i++) {
		for (const char *letter = text; *letter; letter++)
			sum = sum * 33 + (unsigned char)*letter;
	}
	return sum;
}

/* The caller frees the request and its body. */
__attribute__((noinline)) static struct request *parse(int number)
{
	struct request *request = malloc(sizeof(*request));

	request->number = number;
	request->body = malloc(BODY);
	memset(request->body, 'a' + number % 26, BODY - 1);
	request->body[BODY - 1] = '\0';
	request->valid = number % 16 != 0;
	return request;
}

__attribute__((noinline)) static unsigned long look_up(const struct request *request)
{
	pthread_mutex_lock(&table_lock);
	unsigned long entry = table[request->number % ENTRIES];
	pthread_mutex_unlock(&table_lock);
	return entry;
}

__attribute__((noinline)) static unsigned long render(const struct request *request, size_t entry)
{
	return entry + hash(request->body, 200);
}

__attribute__((noinline)) static unsigned long report(const struct request *request)
{
	return hash(request->body, 10000);
}

__attribute__((noinline)) static void handle_request(int number)
{
	struct request *request = parse(number);

	if (!request->valid)
		return; /* without free(): the leak */
	unsigned long answer = render(request, look_up(request));
	if (number % 100 == 99)
		answer += report(request);
	atomic_fetch_add(&answers, answer);
	free(request->body);
	free(request);
}

static void *work(void *unused)
{
	(void)unused;
	for (int number; (number = atomic_fetch_add(&next_request, 1)) < requests;)
		handle_request(number);
	return NULL;
}

/* Takes 30 ms, as if it read a file on a slow disk. */
__attribute__((noinline)) static void read_table(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	for (int i = 0; i < ENTRIES; i++)
		table[i]++;
}

/* Reads the table anew, and lets nobody look anything up until it is there. */
__attribute__((noinline)) static void reload(void)
{
	pthread_mutex_lock(&table_lock);
	read_table();
	pthread_mutex_unlock(&table_lock);
}

int main(int count, char **arguments)
{
	pthread_t workers[WORKERS];

	requests = count > 1 ? atoi(arguments[1]) : 2000;
	for (int i = 0; i < WORKERS; i++) {
		pthread_create(&workers[i], NULL, work, NULL);
		pthread_setname_np(workers[i], "worker");
	}
	while (atomic_load(&next_request) < requests) {
		reload();
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	printf("%d requests, %lx\n", requests, atomic_load(&answers));
	return 0;
}
