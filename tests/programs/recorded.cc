/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that are left in all ways, and how often each is called, as the program itself counts:
 * recorded ROUNDS [BREAK].  It sleeps for a moment after so many rounds.
 */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

extern "C" {
KEPT int leaf(int number);
KEPT int thrower(int number);
KEPT int catcher(int number);
KEPT int jumper(int number);
KEPT int lander(int number);
KEPT void handler(int number);
KEPT void nap(void);
KEPT void *body(void *unused);
}

static volatile int calls[7];
static jmp_buf landing;

int leaf(int number)
{
	__atomic_fetch_add(&calls[0], 1, __ATOMIC_RELAXED);
	return number * 3 + 1;
}

int thrower(int number)
{
	calls[1]++;
	if (number % 3 == 0)
		throw number;
	return leaf(number) + 1;
}

int catcher(int number)
{
	calls[2]++;
	try {
		return thrower(number) + 1;
	} catch (int caught) {
		return -caught;
	}
}

int jumper(int number)
{
	calls[3]++;
	if (number % 2 == 0)
		longjmp(landing, 1);
	return leaf(number) + 1;
}

int lander(int number)
{
	calls[4]++;
	if (setjmp(landing))
		return 100;
	return jumper(number) + 1;
}

void handler(int number)
{
	calls[5]++;
	calls[6] += leaf(number) & 1;
}

void nap(void)
{
	usleep(50000);
}

void *body(void *)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += leaf(i);
	if (sum % 2 == 0)
		pthread_exit(nullptr);
	return nullptr;
}

int main(int argc, char **argv)
{
	int rounds = atoi(argv[1]), pause = argc > 2 ? atoi(argv[2]) : rounds, sum = 0;
	pthread_t threads[4];

	signal(SIGUSR1, handler);
	for (int i = 0; i < rounds; i++) {
		sum += catcher(i) + lander(i);
		raise(SIGUSR1);
		if (i % pause == pause - 1)
			usleep(50000);
	}
	for (pthread_t &thread : threads)
		pthread_create(&thread, nullptr, body, nullptr);
	for (pthread_t thread : threads)
		pthread_join(thread, nullptr);
	nap();
	printf("sum %d leaf %d thrower %d catcher %d jumper %d lander %d handler %d\n", sum, calls[0],
		calls[1], calls[2], calls[3], calls[4], calls[5]);
	return 0;
}
