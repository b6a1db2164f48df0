/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All kinds of calls, to be gone through one instruction after another: from begin() to end().
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#define KEPT __attribute__((noinline))

static volatile int sink;
static jmp_buf back;

KEPT void begin(void)
{
	sink++;
}

KEPT void end(void)
{
	sink++;
}

static KEPT int leaf(int a, int b)
{
	return a * b + sink;
}

static KEPT int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	int x = leaf(a, b), y = leaf(c, d), z = leaf(e, f);

	return x + y + z + leaf(g, h) + a + b + c + d + e + f;
}

static KEPT int sum(int count, ...)
{
	va_list list;
	int total = 0;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		total += va_arg(list, int);
	va_end(list);
	return total;
}

/* A frame of its own size at each call. */
static KEPT int wide(size_t size)
{
	char *bytes = __builtin_alloca(size);

	memset(bytes, (int)size, size);
	return bytes[size / 2] + leaf(1, 2);
}

static KEPT int early(int a)
{
	if (a < 3) /* many compilers make no frame for this */
		return a;
	return many(a, a, a, a, a, a, a, a) + leaf(a, a);
}

static KEPT int tail(int a)
{
	return early(a + 1);
}

/* The last instruction is a call: what comes after belongs to another function. */
static KEPT __attribute__((noreturn)) void leave(int a)
{
	sink += a;
	longjmp(back, 1);
}

static KEPT void handle(int signal)
{
	sink += leaf(signal, 1);
}

static KEPT void take_signal(void)
{
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
}

static ucontext_t outside, inside;

static KEPT void run_coroutine(void)
{
	sink += early(5);
	swapcontext(&inside, &outside);
	sink += leaf(2, 3);
}

static KEPT void switch_stacks(void)
{
	static char bytes[65536];

	getcontext(&inside);
	inside.uc_stack.ss_sp = bytes;
	inside.uc_stack.ss_size = sizeof bytes;
	inside.uc_link = &outside;
	makecontext(&inside, run_coroutine, 0);
	swapcontext(&outside, &inside);
	swapcontext(&outside, &inside);
}

static int compare(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

int main(void)
{
	int numbers[] = {3, 1, 2};
	struct timespec now;

	begin();
	sink += many(1, 2, 3, 4, 5, 6, 7, 8);
	sink += sum(3, 1, 2, 3) + wide(100) + wide(500) + early(1) + early(4) + tail(1) + tail(7);
	sink += (int)a64l("zz"); /* bound as it is called first */
	sink += (int)a64l("zy");
	clock_gettime(CLOCK_MONOTONIC, &now);
	qsort(numbers, 3, sizeof *numbers, compare);
	if (!setjmp(back))
		leave(1);
	switch_stacks();
	take_signal();
	end();
	return sink == 0;
}
