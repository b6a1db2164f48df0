/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_shared.h"

#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BYTES = 1 << 15, LEAST = 1 << 14 };

/* An event of this thread on CPU; negative: the kernel permits none. */
static int open_event(uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = config,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The only CPU of this thread from now on. */
static int stay(void)
{
	cpu_set_t set;
	int cpu = sched_getcpu();

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof set, &set), 0);
	return cpu;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

START_TEST(events_write_into_the_ring_of_the_first)
{
	struct prof_perf_shared shared = {0};
	int cpu = stay();
	int first = open_event(PERF_COUNT_SW_DUMMY, cpu);
	int second = open_event(PERF_COUNT_SW_PAGE_FAULTS, cpu);

	if (first < 0 || second < 0)
		return;
	ck_assert(prof_perf_shared_add(&shared, first, BYTES, LEAST));
	ck_assert_uint_eq(shared.ring.size, BYTES);
	ck_assert(!prof_perf_ring_has_more(&shared.ring));
	ck_assert(prof_perf_shared_add(&shared, second, BYTES, LEAST));
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(page, MAP_FAILED);
	*page = 1;
	ck_assert(prof_perf_ring_has_more(&shared.ring));
	munmap(page, 4096);
	prof_perf_shared_close(&shared);
	ck_assert(!is_open(first) && !is_open(second));
	ck_assert_ptr_null(shared.ring.page);
	ck_assert_uint_eq(shared.files.count, 0);
}
END_TEST

START_TEST(event_that_can_have_no_ring_is_closed)
{
	struct prof_perf_shared shared = {0};
	int fd = open_event(PERF_COUNT_SW_DUMMY, stay());

	if (fd < 0)
		return;
	/* The kernel wants a power of 2. */
	size_t bytes = 3 * (size_t)sysconf(_SC_PAGESIZE);
	ck_assert(!prof_perf_shared_add(&shared, fd, bytes, bytes));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert(!is_open(fd));
	ck_assert_uint_eq(shared.files.count, 0);
	ck_assert_ptr_null(shared.ring.page);
}
END_TEST

RUN_TESTS("perf shared", events_write_into_the_ring_of_the_first,
	event_that_can_have_no_ring_is_closed)
