/* SPDX-License-Identifier: GPL-3.0-or-later */

/* System calls and clocks that leave errno as it is, and need no memory. */
#ifndef PROF_AGENT_SYSTEM_H
#define PROF_AGENT_SYSTEM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define PROF_SELDOM(condition) __builtin_expect(!!(condition), 0)

/* For functions that read the stack: an address sanitizer knows nothing of what they do there. */
#define PROF_READS_STACK __attribute__((no_sanitize("address")))

enum { PROF_AGENT_PAGE = 4096 };

/* What the kernel answers; from -4095 on a negated errno. */
static inline long prof_system(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/* Is RESULT, of prof_system(), an error? */
static inline bool prof_system_failed(long result)
{
	return (unsigned long)result > -4096UL;
}

/*
 * Whether the page of ADDRESS can be read.  The kernel reads a set of signals there before it finds
 * that there is no such way to change the mask: nothing is changed, and few filters of system calls
 * refuse it.
 */
static inline bool prof_system_readable(uintptr_t address)
{
	long page = (long)(address & -(uintptr_t)PROF_AGENT_PAGE);

	return prof_system(SYS_rt_sigprocmask, ~0L, page, 0, 8, 0, 0) == -EINVAL;
}

/* The address of the calling thread's control block (TCB).  The C library puts it at the top of the
 * thread's stack, except for the main thread. */
static inline uintptr_t prof_system_thread(void)
{
	uintptr_t address;

	__asm__("mov %%fs:0, %0" : "=r"(address));
	return address;
}

/* The time in ns of CLOCK_MONOTONIC. */
uint64_t prof_system_clock(void);

/* The time, in cycles of the time stamp counter if COUNTER, else in ns of CLOCK_MONOTONIC. */
static inline uint64_t prof_system_time(bool counter)
{
	return counter ? __builtin_ia32_rdtsc() : prof_system_clock();
}

/* The same, but not before all reads that stand before it are done. */
static inline uint64_t prof_system_time_after(bool counter)
{
	__asm__ volatile("lfence" : : : "memory");
	return prof_system_time(counter);
}

/* Does the CPU report its number together with its time stamp counter? */
static inline bool prof_system_numbered(void)
{
	uint32_t a = 0x80000001, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return d >> 27 & 1;
}

/* A time, and the number of the CPU that this ran on then: one that no CPU has if none is known. */
struct prof_system_stamp {
	uint64_t time;
	unsigned cpu;
};

/*
 * Like prof_system_time_after(), with the CPU if CPUs are NUMBERED: the instruction that reads the
 * number waits for earlier reads too, and takes as long as another look at the counter.
 */
static inline struct prof_system_stamp prof_system_stamp(bool counter, bool numbered)
{
	struct prof_system_stamp stamp = {.cpu = UINT32_MAX};

	if (!numbered) {
		stamp.time = prof_system_time_after(counter);
		return stamp;
	}
	stamp.time = __builtin_ia32_rdtscp(&stamp.cpu);
	/* The kernel puts the node above it. */
	stamp.cpu &= 0xfff;
	if (!counter)
		stamp.time = prof_system_clock();
	return stamp;
}

/*
 * Where a thread has what the kernel keeps up to date for restartable sequences, such as the number
 * of its CPU: an offset from prof_system_thread().  0: the C library has not asked for that.
 */
ptrdiff_t prof_system_sequences(void);

/*
 * Like prof_system_time(), with the CPU: reads that stand before it may be done later, by some ns.
 * SEQUENCES is prof_system_sequences(), not 0.
 */
static inline struct prof_system_stamp prof_system_stamp_soon(bool counter, ptrdiff_t sequences)
{
	enum { CPU = 4 }; /* offset of its number, which is negative if it is not known */
	struct prof_system_stamp stamp = {.time = prof_system_time(counter)};

	stamp.cpu = *(const volatile uint32_t *)(prof_system_thread() + (uintptr_t)sequences + CPU);
	return stamp;
}

#endif
