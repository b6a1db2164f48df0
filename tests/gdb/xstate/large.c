/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into GDB: a CPU whose extended state is larger than GDB 13 knows, as with AMX.  The
 * kernel reads any part of it, and writes it as a whole only.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

enum { MORE = 8192, LARGEST = 1 << 16 };

typedef long ptrace_function(long request, pid_t thread, void *address, void *data);

static ptrace_function *original(void)
{
	return (ptrace_function *)dlsym(RTLD_NEXT, "ptrace");
}

static long get(pid_t thread, void *kind, struct iovec *given)
{
	unsigned char state[LARGEST + MORE] = {0};
	struct iovec real = {state, LARGEST};
	long result = original()(PTRACE_GETREGSET, thread, kind, &real);

	if (result < 0)
		return result;
	if (given->iov_len > real.iov_len + MORE)
		given->iov_len = real.iov_len + MORE;
	memcpy(given->iov_base, state, given->iov_len);
	return result;
}

static long set(pid_t thread, void *kind, struct iovec *given)
{
	unsigned char state[LARGEST];
	struct iovec real = {state, sizeof state};

	if (original()(PTRACE_GETREGSET, thread, kind, &real) < 0)
		return -1;
	if (given->iov_len != real.iov_len + MORE) {
		errno = EFAULT;
		return -1;
	}
	real.iov_base = given->iov_base;
	return original()(PTRACE_SETREGSET, thread, kind, &real);
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list arguments;

	va_start(arguments, request);
	pid_t thread = va_arg(arguments, pid_t);
	void *address = va_arg(arguments, void *);
	void *data = va_arg(arguments, void *);
	va_end(arguments);
	if ((uintptr_t)address == NT_X86_XSTATE && request == PTRACE_GETREGSET)
		return get(thread, address, data);
	if ((uintptr_t)address == NT_X86_XSTATE && request == PTRACE_SETREGSET)
		return set(thread, address, data);
	return original()(request, thread, address, data);
}
