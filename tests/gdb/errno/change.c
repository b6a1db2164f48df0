/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into GDB: library calls that succeed change errno, as they may.  What stands in for a
 * call of GDB's must not let it see that: GDB clears errno before ptrace(), and looks at it after.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>

static int (*real_open)(const char *, int, ...);
static ssize_t (*real_read)(int, void *, size_t);
static int (*real_close)(int);

/* Once only: GDB reads in signal handlers too, and dlsym() takes a lock. */
__attribute__((constructor)) static void find(void)
{
	*(void **)&real_open = dlsym(RTLD_NEXT, "open");
	*(void **)&real_read = dlsym(RTLD_NEXT, "read");
	*(void **)&real_close = dlsym(RTLD_NEXT, "close");
}

int open(const char *path, int flags, ...)
{
	va_list arguments;

	if (!real_open)
		find();
	va_start(arguments, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	int result = real_open(path, flags, mode);
	if (result >= 0)
		errno = ENOENT;
	return result;
}

ssize_t read(int file, void *bytes, size_t size)
{
	if (!real_read)
		find();
	ssize_t result = real_read(file, bytes, size);
	if (result >= 0)
		errno = ENOENT;
	return result;
}

int close(int file)
{
	if (!real_close)
		find();
	int result = real_close(file);
	if (!result)
		errno = ENOENT;
	return result;
}
