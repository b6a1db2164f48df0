/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into GDB: mends how GDB 13 writes registers on a CPU with more extended state than it
 * knows.
 *
 * The kernel writes the extended state as a whole only, so that GDB cannot call functions of the
 * program there ("Couldn't write extended state status"): tests of calls would compare two
 * failures.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

enum { LARGEST = 1 << 16 };

typedef long ptrace_function(long request, pid_t thread, void *address, void *data);

static ptrace_function *original;

/* The programs that GDB starts, and the suite's questions about GDB's environment, are not meant.
 */
__attribute__((constructor)) static void begin(void)
{
	original = (ptrace_function *)dlsym(RTLD_NEXT, "ptrace");
	unsetenv("LD_PRELOAD");
}

/* Writes PART, the beginning of the extended state, and leaves the rest as it is. */
static long write_whole(pid_t thread, void *kind, const struct iovec *part)
{
	unsigned char state[LARGEST];
	struct iovec whole = {state, sizeof state};

	if (original(PTRACE_GETREGSET, thread, kind, &whole) < 0)
		return -1;
	if (part->iov_len >= whole.iov_len) {
		errno = EFAULT;
		return -1;
	}
	memcpy(state, part->iov_base, part->iov_len);
	return original(PTRACE_SETREGSET, thread, kind, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list arguments;

	va_start(arguments, request);
	pid_t thread = va_arg(arguments, pid_t);
	void *address = va_arg(arguments, void *);
	void *data = va_arg(arguments, void *);
	va_end(arguments);
	long result = original(request, thread, address, data);
	if (result >= 0 || errno != EFAULT || request != PTRACE_SETREGSET ||
		(uintptr_t)address != NT_X86_XSTATE)
		return result;
	return write_whole(thread, address, data);
}
