/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stands in for a CPU with two counter registers where there is none, as in most virtual machines.
 * Preloaded into GDB, or included by a unit test.
 *
 * What the kernel is asked of hardware it answers by events of its own: cycles and instructions are
 * ns of CPU time, as on a CPU of 1 GHz that executes one instruction in each cycle, and misses are
 * page faults.  Three events in one group are refused, as are numeric codes with the unit mask ff,
 * and all stall cycles.  Only cycles and instructions are precise, and at most to 1.
 *
 * With PMU_STORED=ADDRESS in the environment, which a session may set at any time, reads and writes
 * of the first cache are those of the 8 bytes there, which the kernel samples by a data breakpoint:
 * an instruction late, as CPUs are.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REGISTERS = 2, MOST_FILES = 1 << 16, RESERVED_MASK = 0xff };

typedef long pmu_syscall(long number, ...);

static pmu_syscall *pmu_original;
static bool pmu_absent;                       /* what is included may switch it off */
static uint64_t pmu_stored;                   /* what is included may set it: see above */
static unsigned char pmu_members[MOST_FILES]; /* by descriptor of a group's leader */

static void pmu_find(void)
{
	if (!pmu_original)
		pmu_original = (pmu_syscall *)dlsym(RTLD_NEXT, "syscall");
}

/* The programs that GDB starts are not meant. */
__attribute__((constructor)) static void pmu_begin(void)
{
	pmu_find();
	unsetenv("LD_PRELOAD");
}

/* Where reads and writes are counted; 0: nowhere. */
static uint64_t pmu_watched(void)
{
	const char *stored = getenv("PMU_STORED");

	return stored ? strtoull(stored, NULL, 16) : pmu_stored;
}

static bool pmu_is_hardware(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

/* Makes ATTR, a cache's, a breakpoint.  False: it is none of those that are counted so. */
static bool pmu_watch(struct perf_event_attr *attr)
{
	uint64_t writes = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_WRITE << 8 |
		PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16;
	uint64_t reads = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 |
		PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16;

	if (attr->type != PERF_TYPE_HW_CACHE || !pmu_watched() || attr->precise_ip ||
		(attr->config != writes && attr->config != reads))
		return false;
	/* There is no breakpoint for reads alone. */
	attr->bp_type = attr->config == writes ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW;
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->config = 0;
	attr->bp_addr = pmu_watched();
	attr->bp_len = HW_BREAKPOINT_LEN_8;
	return true;
}

/* Makes ATTR an event of the kernel's.  Returns 0 or an errno. */
static int pmu_translate(struct perf_event_attr *attr)
{
	bool clock = attr->type == PERF_TYPE_RAW ||
		(attr->type == PERF_TYPE_HARDWARE &&
			(attr->config == PERF_COUNT_HW_CPU_CYCLES ||
				attr->config == PERF_COUNT_HW_INSTRUCTIONS ||
				attr->config == PERF_COUNT_HW_REF_CPU_CYCLES));

	if (attr->type == PERF_TYPE_RAW && (attr->config >> 8 & 0xff) == RESERVED_MASK)
		return EINVAL;
	if (attr->type == PERF_TYPE_HARDWARE &&
		(attr->config == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND ||
			attr->config == PERF_COUNT_HW_STALLED_CYCLES_BACKEND))
		return ENOENT;
	if (attr->precise_ip > (clock && attr->type == PERF_TYPE_HARDWARE))
		return EOPNOTSUPP;
	if (pmu_watch(attr))
		return 0;
	attr->precise_ip = 0;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = clock ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_PAGE_FAULTS;
	attr->config1 = attr->config2 = 0;
	return 0;
}

static int pmu_open(
	const struct perf_event_attr *asked, pid_t thread, int cpu, int leader, unsigned long flags)
{
	struct perf_event_attr attr;
	bool grouped = leader >= 0 && leader < MOST_FILES;

	memset(&attr, 0, sizeof attr);
	memcpy(&attr, asked, asked->size < sizeof attr ? asked->size : sizeof attr);
	attr.size = sizeof attr;
	int reason = pmu_translate(&attr);
	if (!reason && grouped && pmu_members[leader] >= REGISTERS)
		reason = EINVAL;
	if (reason) {
		errno = reason;
		return -1;
	}
	int fd = (int)pmu_original(
		SYS_perf_event_open, &attr, (long)thread, (long)cpu, (long)leader, flags);
	if (fd >= 0 && grouped)
		pmu_members[leader]++;
	else if (fd >= 0 && fd < MOST_FILES)
		pmu_members[fd] = 1;
	return fd;
}

long syscall(long number, ...)
{
	long words[6];
	va_list arguments;

	/* Other libraries may begin before this one, and ask the kernel for something. */
	pmu_find();
	va_start(arguments, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_perf_event_open) {
		const struct perf_event_attr *attr = (const struct perf_event_attr *)words[0];
		if (pmu_is_hardware(attr->type) && !pmu_absent)
			return pmu_open(attr, (pid_t)words[1], (int)words[2], (int)words[3],
				(unsigned long)words[4]);
	}
	return pmu_original(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
