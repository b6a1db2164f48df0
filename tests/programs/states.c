/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that each do one thing for a known time: states SECONDS.
 *
 * A function of its name is in each one's stack.  What is printed of each: how long it took, its
 * CPU time, and how much of that was in the kernel, by the kernel's account, in seconds.
 */
#define _GNU_SOURCE
#include "spend.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef UFFD_USER_MODE_ONLY /* Linux has it since 5.11 */
#define UFFD_USER_MODE_ONLY 1
#endif

enum { PAGE = 4096 };

#ifdef __aarch64__
#define RETURN 0xd65f03c0U
#else
#define RETURN 0xc3U
#endif

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static int ends[2]; /* of a pipe */
static int faults = -1;
static char *missing; /* a page of data that is not there, and behind it one of code */
static double seconds;

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void locker(void)
{
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
}

static void reader(void)
{
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		abort();
}

static void faulter(void)
{
	if (missing)
		*(volatile char *)missing = 1;
}

static void jumper(void)
{
	void (*code)(void);
	char *page = missing + PAGE;

	if (!missing)
		return;
	memcpy(&code, &page, sizeof code);
	code();
}

static void user(void)
{
	while (now(CLOCK_THREAD_CPUTIME_ID) < seconds)
		for (int i = 0; i < 30000000; i++)
			SPEND(i);
}

static void kernel(void)
{
	static char buffer[1 << 16];
	int zero = open("/dev/zero", O_RDONLY);

	while (now(CLOCK_THREAD_CPUTIME_ID) < seconds)
		for (int i = 0; i < 300; i++)
			if (read(zero, buffer, sizeof buffer) < 0)
				abort();
	close(zero);
}

static const struct role {
	const char *name;
	void (*function)(void);
} roles[] = {
	{"locker", locker},
	{"reader", reader},
	{"faulter", faulter},
	{"jumper", jumper},
	{"user", user},
	{"kernel", kernel},
};
enum { ROLES = sizeof roles / sizeof *roles };

static void *play(void *argument)
{
	const struct role *role = argument;
	double begin = now(CLOCK_MONOTONIC);
	struct rusage usage;

	role->function();
	getrusage(RUSAGE_THREAD, &usage);
	printf("%s %.3f %.3f %.3f\n", role->name, now(CLOCK_MONOTONIC) - begin,
		now(CLOCK_THREAD_CPUTIME_ID),
		(double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6);
	fflush(stdout);
	return NULL;
}

/* Makes pages that threads have to wait for; where the kernel does not let us, there are none. */
static void make_missing_pages(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	void *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register region = {
		.range = {(uintptr_t)page, 2 * PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};

	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (faults >= 0 && !ioctl(faults, UFFDIO_API, &api) &&
		!ioctl(faults, UFFDIO_REGISTER, &region))
		missing = page;
}

static void bring_pages(void)
{
	static char content[2 * PAGE];
	struct uffdio_copy copy = {
		.dst = (uintptr_t)missing, .src = (uintptr_t)content, .len = sizeof content};

	memcpy(&content[PAGE], &(uint32_t){RETURN}, sizeof(uint32_t));

	if (missing)
		ioctl(faults, UFFDIO_COPY, &copy);
}

int main(int argc, char **argv)
{
	pthread_t threads[ROLES];

	seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
	if (pipe(ends))
		return 1;
	make_missing_pages();
	pthread_mutex_lock(&held);
	for (int i = 0; i < ROLES; i++)
		pthread_create(&threads[i], NULL, play, (void *)&roles[i]);
	struct timespec time = {(time_t)seconds, (long)((seconds - (long)seconds) * 1e9)};
	nanosleep(&time, NULL);
	pthread_mutex_unlock(&held);
	bring_pages();
	if (write(ends[1], "", 1) != 1)
		return 1;
	for (int i = 0; i < ROLES; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
