/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/xstate.h"

#include "plugin/interpose/slot.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

typedef long ptrace_function(long request, pid_t thread, void *address, void *data);

enum { LARGEST = 64 << 10 /* bytes of the extended state; 11,008 with AMX */ };

/* GDB calls the function in its slot without a context. */
static struct {
	struct slot slot;
	ptrace_function *next;
} xstate;

/* Writes PART, the beginning of the extended state of THREAD, and leaves the rest unchanged. */
static long write_whole(pid_t thread, void *kind, const struct iovec *part)
{
	unsigned char state[LARGEST];
	struct iovec whole = {state, sizeof state};

	if (xstate.next(PTRACE_GETREGSET, thread, kind, &whole) < 0)
		return -1;
	if (part->iov_len >= whole.iov_len) {
		errno = EFAULT; /* that was not the reason */
		return -1;
	}
	memcpy(state, part->iov_base, part->iov_len);
	return xstate.next(PTRACE_SETREGSET, thread, kind, &whole);
}

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	long result = xstate.next(request, thread, address, data);

	if (result >= 0 || errno != EFAULT || request != PTRACE_SETREGSET ||
		(uintptr_t)address != NT_X86_XSTATE)
		return result;
	return write_whole(thread, address, data);
}

static const struct hook hook = {"ptrace", (void *)hooked_ptrace};

struct prof_error *xstate_complete(void)
{
	struct prof_error *error = slots_open(&hook, &xstate.slot, 1);

	if (!error)
		xstate.next = (ptrace_function *)slot_next(&xstate.slot);
	return error;
}

void xstate_leave(void)
{
	/* An engine whose last tick was met meanwhile has restored what it had found. */
	if (slot_is(&xstate.slot, &hook))
		slots_close(&xstate.slot, 1);
}
