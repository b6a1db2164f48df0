/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bursts SECONDS MICROSECONDS KIND: short work in one of three functions, then a wait, again and
 * again, as servers do.  Works for one burst in once(), two in twice(), three in thrice(), and
 * prints what CPU time each of them had, and all.  KIND is poll, read, futex, epoll or sleep.
 *
 * All is what the kernel's clock of samples has counted, if it is to be had: that stands still
 * while the kernel switches from one thread to another, which the CPU time of threads includes.  On
 * one machine that was 20 us for each wait.  The last figure is that CPU time.
 */
#include "spend.h"

#include <linux/futex.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* The clock by which this thread would be sampled; negative: it is not to be had. */
static int open_clock(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* ns that this thread had a CPU, by CLOCK if that is one. */
static int64_t used(int clock)
{
	uint64_t count;

	return read(clock, &count, sizeof count) == sizeof count ? (int64_t)count
								 : now(CLOCK_THREAD_CPUTIME_ID);
}

static volatile unsigned long sink;
static unsigned long turns; /* of the loop, in one burst */
static int64_t had[3];      /* ns */
static int64_t burst;       /* ns */
static clockid_t watched = CLOCK_THREAD_CPUTIME_ID;
static int ends[2], epoll;

static void spin(void)
{
	for (unsigned long i = 0; i < turns; i++)
		SPEND(i);
}

/*
 * Short bursts are too short for a system call and are timed by the machine's clock, which takes
 * none: one that took much longer than it should was interrupted, and counts as one that was not.
 * The CPU time of longer ones is what it is, also where the machine itself stood still.
 */
static void account(int which, int bursts, int64_t took)
{
	bool interrupted = watched == CLOCK_MONOTONIC && took > 3 * bursts * burst;

	had[which] += interrupted ? bursts * burst : took;
}

#define WORK(name, index, bursts)                             \
	__attribute__((noinline)) static void name(void)      \
	{                                                     \
		int64_t begin = now(watched);                 \
		for (int i = 0; i < (bursts); i++)            \
			spin();                               \
		account(index, bursts, now(watched) - begin); \
	}
WORK(once, 0, 1)
WORK(twice, 1, 2)
WORK(thrice, 2, 3)

/* Waits for some 20 us, or for what is there already. */
static void wait_by(const char *kind)
{
	struct timespec brief = {.tv_nsec = 20000};
	struct pollfd one = {.fd = ends[0], .events = POLLIN};
	struct epoll_event event;
	char byte = 0;
	static uint32_t word;

	if (!strcmp(kind, "sleep"))
		nanosleep(&brief, NULL);
	else if (!strcmp(kind, "futex"))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &brief, NULL, 0);
	else if (write(ends[1], &byte, 1) == 1) {
		if (!strcmp(kind, "poll"))
			poll(&one, 1, -1);
		else if (!strcmp(kind, "epoll"))
			epoll_wait(epoll, &event, 1, -1);
		sink += (unsigned long)read(ends[0], &byte, 1);
	}
}

/* How many turns take as long as a burst. */
static void calibrate(void)
{
	turns = 1000;
	for (;;) {
		int64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
		spin();
		int64_t took = now(CLOCK_THREAD_CPUTIME_ID) - begin;
		if (took > 20000000) {
			turns = (unsigned long)((double)turns * (double)burst / (double)took) + 1;
			break;
		}
		turns *= 2;
	}
}

/* One of the three, at random: in a fixed order they may fall into step with what samples them. */
static void work(void)
{
	static void (*const functions[])(void) = {once, twice, thrice};
	static uint32_t random;

	random = random * 1664525 + 1013904223;
	functions[(random >> 16) % 3]();
}

__attribute__((noinline)) static void serve(int64_t until, const char *kind)
{
	while (now(CLOCK_THREAD_CPUTIME_ID) < until) {
		for (int i = 0; i < 3; i++) {
			work();
			wait_by(kind);
		}
	}
}

int main(int argc, char **argv)
{
	struct epoll_event event = {.events = EPOLLIN};

	if (argc < 4 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 2;
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
	burst = (int64_t)(1000 * atof(argv[2]));
	if (burst < 100000)
		watched = CLOCK_MONOTONIC;
	calibrate();
	int clock = open_clock();
	int64_t begin = used(clock), cpu = now(CLOCK_THREAD_CPUTIME_ID);
	memset(had, 0, sizeof had);
	serve(cpu + (int64_t)(1e9 * atof(argv[1])), argv[3]);
	printf("all %.3f once %.3f twice %.3f thrice %.3f cpu %.3f\n",
		(double)(used(clock) - begin) / 1e9, (double)had[0] / 1e9, (double)had[1] / 1e9,
		(double)had[2] / 1e9, (double)(now(CLOCK_THREAD_CPUTIME_ID) - cpu) / 1e9);
	return 0;
}
