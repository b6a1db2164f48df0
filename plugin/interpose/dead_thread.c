/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/dead_thread.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

bool dead_thread_take(struct dead_thread *dead, pid_t thread)
{
	struct iovec set = {dead->registers, sizeof dead->registers};

	if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &set))
		return false;
	dead->size = set.iov_len;
	return true;
}

/* Copies them into SET, as far as there is room. */
static void fill(const struct dead_thread *dead, struct iovec *set)
{
	if (set->iov_len > dead->size)
		set->iov_len = dead->size;
	memcpy(set->iov_base, dead->registers, set->iov_len);
}

bool dead_thread_answer(
	const struct dead_thread *dead, long request, void *address, void *data, long *result)
{
	size_t offset = (size_t)address;

	*result = 0;
	switch (request) {
#ifdef PT_GETREGS /* the request is not a macro; these machines have user registers first in \
		     struct user */
	case PTRACE_GETREGS:
		memcpy(data, dead->registers, dead->size);
		return true;
	case PTRACE_PEEKUSER:
		if (offset % sizeof *result || offset > dead->size - sizeof *result)
			return false;
		*result = dead->registers[offset / sizeof *result];
		return true;
#endif
	case PTRACE_GETREGSET:
		if (offset != NT_PRSTATUS)
			return false;
		fill(dead, data);
		return true;
	default:
		return false;
	}
}
