/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A debugger, which is this program, that knows a part of its child's vector registers. */
#include "plugin/interpose/xstate.h"

#include "sample_attached.h"

#include <elf.h>
#include <errno.h>
#include <sys/uio.h>

/* Bytes of the extended state, as much as any machine has, and those that all have: the state of
 * FXSAVE and the header of XSAVE.  The first vector register lies in the former. */
enum { ROOM = 1 << 16, PART = 576, FIRST = 160, REGISTER = 16 };

static unsigned char state[ROOM], after[ROOM];

/* Reads it into BYTES.  Returns its size. */
static size_t get(pid_t child, unsigned char *bytes)
{
	struct iovec set = {bytes, ROOM};

	return ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &set) ? 0 : set.iov_len;
}

static long put(pid_t child, long kind, size_t size)
{
	struct iovec set = {state, size};

	return ptrace(PTRACE_SETREGSET, child, (void *)kind, &set);
}

/* A child that is stopped, and the SIZE of its extended state; 0: this machine has no such. */
static pid_t attach(size_t *size)
{
	pid_t child = child_start(child_sleep);

	child_attach(child, 'S');
	*size = get(child, state);
	return child;
}

START_TEST(a_part_is_completed)
{
	size_t size;
	pid_t child = attach(&size);

	if (size > PART) {
		/* As GDB fares without. */
		ck_assert_int_eq(put(child, NT_X86_XSTATE, PART), -1);
		ck_assert_int_eq(errno, EFAULT);
		ck_assert_ok(xstate_complete());
		memset(state + FIRST, 0x5a, REGISTER);
		state[512] |= 2; /* it is in use */
		ck_assert_int_eq(put(child, NT_X86_XSTATE, PART), 0);
		xstate_leave();
		ck_assert_uint_eq(get(child, after), size);
		ck_assert_mem_eq(after + FIRST, state + FIRST, REGISTER);
		ck_assert_mem_eq(after + PART, state + PART, size - PART);
		ck_assert_int_eq(put(child, NT_X86_XSTATE, PART), -1);
	}
	children_end();
}
END_TEST

START_TEST(what_is_whole_is_written_as_it_is)
{
	size_t size;
	pid_t child = attach(&size);

	ck_assert_ok(xstate_complete());
	if (size) {
		memset(state + FIRST, 0x3c, REGISTER);
		state[512] |= 2;
		ck_assert_int_eq(put(child, NT_X86_XSTATE, size), 0);
		ck_assert_uint_eq(get(child, after), size);
		ck_assert_mem_eq(after + FIRST, state + FIRST, REGISTER);
	}
	xstate_leave();
	children_end();
}
END_TEST

START_TEST(other_errors_stay)
{
	size_t size;
	pid_t child = attach(&size);

	ck_assert_ok(xstate_complete());
	errno = 0;
	ck_assert_int_eq(put(child, 0x7fff, PART), -1);
	ck_assert_int_eq(errno, EINVAL);
	/* There is no memory there. */
	errno = 0;
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, NULL), -1);
	ck_assert_int_eq(errno, EFAULT);
	children_end();
	errno = 0;
	ck_assert_int_eq(put(child, NT_X86_XSTATE, PART), -1);
	ck_assert_int_eq(errno, ESRCH);
	xstate_leave();
}
END_TEST

RUN_TESTS("xstate", a_part_is_completed, what_is_whole_is_written_as_it_is, other_errors_stay)
