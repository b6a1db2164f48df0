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

int open(const char *path, int flags, ...)
{
	int (*original)(const char *, int, ...) =
		(int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	int result = original(path, flags, mode);
	if (result >= 0)
		errno = ENOENT;
	return result;
}

ssize_t read(int file, void *bytes, size_t size)
{
	ssize_t (*original)(int, void *, size_t) =
		(ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	ssize_t result = original(file, bytes, size);

	if (result >= 0)
		errno = ENOENT;
	return result;
}

int close(int file)
{
	int (*original)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
	int result = original(file);

	if (!result)
		errno = ENOENT;
	return result;
}
