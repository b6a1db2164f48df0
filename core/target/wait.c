/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/wait.h"

#include "base/file.h"
#include "target/arch.h"
#include "target/procfs.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* The operations of futex() that wait, by their numbers in linux/futex.h. */
enum {
	FUTEX_WAIT = 0,
	FUTEX_LOCK_PI = 6,
	FUTEX_WAIT_BITSET = 9,
	FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_LOCK_PI2 = 13,
	FUTEX_OPERATION = 0x7f, /* the other bits say whether it is private, and which clock */
};

static bool waits(uint64_t operation)
{
	switch (operation & FUTEX_OPERATION) {
	case FUTEX_WAIT:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI2:
		return true;
	default:
		return false;
	}
}

bool prof_wait_parse(const char *text, const struct prof_arch *arch, struct prof_wait *ret)
{
	uint64_t arguments[6];
	uint64_t sp, pc;
	int number;

	/* "NUMBER ARGUMENT... SP PC", or "-1 SP PC" outside of a call, or "running". */
	int fields = sscanf(text,
		"%d %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		" %" SCNx64 " %" SCNx64,
		&number, &arguments[0], &arguments[1], &arguments[2], &arguments[3], &arguments[4],
		&arguments[5], &sp, &pc);
	if (fields == 3 && number == -1) {
		*ret = (struct prof_wait){
			.state = PROF_STATE_FAULT, .sp = arguments[0], .pc = arguments[1]};
		return true;
	}
	if (fields != 9 || number < 0)
		return false;
	const struct prof_arch_syscalls *calls = &arch->syscalls;
	bool lock = number == calls->futex_waitv || (number == calls->futex && waits(arguments[1]));
	*ret = (struct prof_wait){
		.state = lock ? PROF_STATE_LOCK : PROF_STATE_OTHER,
		.restarted = number == calls->restart_syscall,
		.for_signals = number == calls->sigtimedwait,
		.sp = sp,
		.pc = pc,
	};
	return true;
}

/* Is the page of ADDRESS missing in the process of PAGEMAP, an open /proc/PID/pagemap? */
static bool lacks_page(int pagemap, uint64_t address)
{
	const uint64_t present = UINT64_C(1) << 63;
	uint64_t page = address / (uint64_t)sysconf(_SC_PAGESIZE), entry;

	return pread(pagemap, &entry, sizeof entry, (off_t)(page * sizeof entry)) == sizeof entry &&
		!(entry & present);
}

/*
 * Does the thread of FD wait for the page of the instruction at PC?  The CPU can only access data
 * once it has the whole instruction, whose length is unknown: an instruction that may reach into a
 * missing page is assumed to.
 */
static bool waits_for_code(int fd, const struct prof_arch *arch, uint64_t pc)
{
	AUTO_CLOSE int pagemap = prof_procfs_open_beside(fd, "pagemap");

	return pagemap >= 0 &&
		(lacks_page(pagemap, pc) ||
			lacks_page(pagemap, pc + arch->longest_instruction - 1));
}

bool prof_wait_read(int fd, const struct prof_arch *arch, struct prof_wait *ret)
{
	char text[256];
	ssize_t length = pread(fd, text, sizeof text - 1, 0);

	if (length <= 0)
		return false;
	text[length] = '\0';
	if (!prof_wait_parse(text, arch, ret))
		return false;
	if (ret->state == PROF_STATE_FAULT && waits_for_code(fd, arch, ret->pc))
		ret->state = PROF_STATE_TEXT;
	return true;
}

bool prof_wait_same_place(const struct prof_wait *one, const struct prof_wait *other)
{
	return one->sp == other->sp && one->pc == other->pc;
}
