/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/dead_thread.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

bool dead_thread_take(struct remains *remains, pid_t thread)
{
	struct iovec set = {remains->registers, sizeof remains->registers};

	if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &set))
		return false;
	remains->size = set.iov_len;
	return true;
}

/* Copies them into SET, as far as there is room. */
static void fill(const struct remains *remains, struct iovec *set)
{
	if (set->iov_len > remains->size)
		set->iov_len = remains->size;
	memcpy(set->iov_base, remains->registers, set->iov_len);
}

bool dead_thread_answer(
	const struct remains *remains, long request, void *address, void *data, long *result)
{
	size_t offset = (size_t)address;

	*result = 0;
	switch (request) {
#ifdef PTRACE_GETREGS /* these machines have user registers first in struct user */
	case PTRACE_GETREGS:
		memcpy(data, remains->registers, remains->size);
		return true;
	case PTRACE_PEEKUSER:
		if (offset % sizeof *result || offset > remains->size - sizeof *result)
			return false;
		*result = remains->registers[offset / sizeof *result];
		return true;
#endif
	case PTRACE_GETREGSET:
		if (offset != NT_PRSTATUS)
			return false;
		fill(remains, data);
		return true;
	default:
		return false;
	}
}
