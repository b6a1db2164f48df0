/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/usage.h"

#include "sample_child.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { PAGE = 4096, PAGES = 2000 };

/* What this process has used, by what it is told of itself. */
static struct rusage own(void)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
	return usage;
}

static int64_t ns(struct timeval time)
{
	return time.tv_sec * INT64_C(1000000000) + time.tv_usec * INT64_C(1000);
}

/* FOUND lies between what was told BEFORE and AFTER, but for the kernel's jiffies. */
static void assert_between(int64_t found, int64_t before, int64_t after, int64_t tick)
{
	ck_assert_int_ge(found, before - tick);
	ck_assert_int_le(found, after + tick);
}

START_TEST(figures_are_those_of_getrusage)
{
	struct prof_usage usage;
	char *memory = mmap(
		NULL, PAGE * PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(memory, PAGE * PAGES, MADV_NOHUGEPAGE);
	for (int i = 0; i < PAGES; i++)
		memory[i * PAGE] = 1;
	struct rusage before = own();
	ck_assert(prof_usage_read(getpid(), &usage));
	struct rusage after = own();
	const int64_t *figures = usage.figures;
	assert_between(figures[PROF_USAGE_MINOR], before.ru_minflt, after.ru_minflt, 0);
	ck_assert_int_ge(figures[PROF_USAGE_MINOR], PAGES);
	assert_between(figures[PROF_USAGE_MAJOR], before.ru_majflt, after.ru_majflt, 0);
	assert_between(figures[PROF_USAGE_USER], ns(before.ru_utime), ns(after.ru_utime), 10000000);
	assert_between(
		figures[PROF_USAGE_SYSTEM], ns(before.ru_stime), ns(after.ru_stime), 10000000);
	ck_assert_int_ge(figures[PROF_USAGE_RESIDENT], PAGE * PAGES);
	ck_assert_int_ge(figures[PROF_USAGE_PEAK], figures[PROF_USAGE_RESIDENT]);
	ck_assert_int_eq(figures[PROF_USAGE_THREADS], 1);
	/* They are of threads, not of the process. */
	ck_assert_int_eq(figures[PROF_USAGE_VOLUNTARY], PROF_USAGE_UNKNOWN);
	ck_assert_int_eq(figures[PROF_USAGE_INVOLUNTARY], PROF_USAGE_UNKNOWN);
}
END_TEST

START_TEST(characters_are_those_of_system_calls)
{
	struct prof_usage before, after;
	char bytes[10000] = {0};
	int file = open("/dev/null", O_WRONLY);
	int zero = open("/dev/zero", O_RDONLY);

	/* Check's assertions write too. */
	bool done = prof_usage_read(getpid(), &before) &&
		write(file, bytes, sizeof bytes) == sizeof bytes &&
		read(zero, bytes, sizeof bytes / 2) == sizeof bytes / 2 &&
		prof_usage_read(getpid(), &after);
	ck_assert(done);
	ck_assert_int_eq(after.figures[PROF_USAGE_WRITTEN] - before.figures[PROF_USAGE_WRITTEN],
		sizeof bytes);
	/* The reading of /proc is among them. */
	int64_t read = after.figures[PROF_USAGE_READ] - before.figures[PROF_USAGE_READ];
	ck_assert_int_ge(read, (int64_t)sizeof bytes / 2);
	ck_assert_int_lt(read, (int64_t)sizeof bytes / 2 + 8000);
}
END_TEST

START_TEST(switches_are_those_of_a_thread)
{
	struct prof_usage_switches before, after;

	ck_assert(prof_usage_switches(getpid(), getpid(), &before));
	for (int i = 0; i < 20; i++)
		pause_ms(1);
	ck_assert(prof_usage_switches(getpid(), getpid(), &after));
	ck_assert_int_ge(after.voluntary, before.voluntary + 20);
	ck_assert_int_ge(after.involuntary, before.involuntary);
	ck_assert_int_ge(own().ru_nvcsw, after.voluntary);
}
END_TEST

START_TEST(ended_process_has_its_sums_and_no_memory)
{
	struct prof_usage usage;
	pid_t child = child_start(child_sleep);

	kill(child, SIGKILL);
	child_await(child, 'Z');
	ck_assert(prof_usage_read(child, &usage));
	ck_assert_int_ge(usage.figures[PROF_USAGE_MINOR], 1);
	ck_assert_int_eq(usage.figures[PROF_USAGE_RESIDENT], 0);
	ck_assert_int_eq(usage.figures[PROF_USAGE_THREADS], 0);
	ck_assert_int_eq(usage.figures[PROF_USAGE_PEAK], PROF_USAGE_UNKNOWN);
	children_end();
	ck_assert(!prof_usage_read(child, &usage));
	ck_assert_int_eq(usage.figures[PROF_USAGE_MINOR], PROF_USAGE_UNKNOWN);
}
END_TEST

/* As that of a kernel thread, or of another system. */
START_TEST(what_a_status_does_not_tell_is_unknown)
{
	struct prof_usage usage;

	prof_usage_clear(&usage);
	prof_usage_parse_status("Name:\tx\nVmRSS:\t 12 kB\n", &usage);
	for (int i = 0; i < PROF_USAGES; i++)
		ck_assert_int_eq(usage.figures[i],
			i == PROF_USAGE_RESIDENT ? 12 * 1024 : PROF_USAGE_UNKNOWN);
}
END_TEST

RUN_TESTS("usage", figures_are_those_of_getrusage, characters_are_those_of_system_calls,
	switches_are_those_of_a_thread, ended_process_has_its_sums_and_no_memory,
	what_a_status_does_not_tell_is_unknown)
