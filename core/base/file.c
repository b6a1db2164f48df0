/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct prof_error *prof_file_unreadable(const char *path)
{
	return prof_error_create(
		PROF_ERROR_SYSTEM, "The file \"%s\" cannot be read: %s.", path, strerror(errno));
}

struct prof_error *prof_file_damaged(const char *what, const char *name, const char *format, ...)
{
	AUTO_FREE char *wrong = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&wrong, format, arguments) < 0)
		wrong = NULL;
	va_end(arguments);
	if (!wrong)
		return prof_error_nomem();
	return prof_error_create(
		PROF_ERROR_DAMAGED, "The %s \"%s\" is damaged: %s.", what, name, wrong);
}

struct prof_error *prof_file_mistaken(const char *path, const char *kind, const char *why)
{
	return prof_error_create(
		PROF_ERROR_DAMAGED, "The file \"%s\" is not %s: %s.", path, kind, why);
}

struct prof_error *prof_file_unwritable(const char *path, int reason)
{
	return prof_error_create(PROF_ERROR_SYSTEM, "The file \"%s\" cannot be written: %s.", path,
		strerror(reason));
}

/* Writes all to FD and closes it.  Returns 0, or why it did not work. */
static int write_all(int fd, const char *bytes, size_t length)
{
	int reason = 0;

	while (length && !reason) {
		ssize_t written = write(fd, bytes, length);
		if (written >= 0) {
			bytes += written;
			length -= (size_t)written;
		} else if (errno != EINTR) {
			reason = errno;
		}
	}
	if (close(fd) && !reason)
		reason = errno;
	return reason;
}

static struct prof_error *write_special(const char *path, const char *bytes, size_t length)
{
	/* A pipe that nobody reads must not block the host; one that is read slowly may. */
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return prof_file_unwritable(path, errno);
	fcntl(fd, F_SETFL, 0);
	int reason = write_all(fd, bytes, length);
	return reason ? prof_file_unwritable(path, reason) : NULL;
}

static sigset_t oversize(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	return set;
}

struct prof_file_guard prof_file_guard(void)
{
	const sigset_t set = oversize();
	struct prof_file_guard guard = {.pending = false};
	sigset_t pending;

	guard.pending = !sigpending(&pending) && sigismember(&pending, SIGXFSZ) > 0;
	pthread_sigmask(SIG_BLOCK, &set, &guard.before);
	return guard;
}

void prof_file_unguard(struct prof_file_guard *guard)
{
	const sigset_t set = oversize();
	const struct timespec now = {0};

	while (!guard->pending && sigtimedwait(&set, NULL, &now) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}

struct prof_error *prof_file_write(const char *path, const char *bytes, size_t length)
{
	AUTO_FILE_GUARD struct prof_file_guard guard = prof_file_guard();
	AUTO_FREE char *beside = NULL;
	struct stat there;
	mode_t mode = 0666;

	if (!stat(path, &there)) {
		if (!S_ISREG(there.st_mode))
			return write_special(path, bytes, length);
		mode = there.st_mode & 0777;
	} else {
		mode_t mask = umask(0);
		umask(mask);
		mode &= ~mask;
	}
	/* Replace the target of a link, not the link. */
	AUTO_FREE char *target = realpath(path, NULL);
	const char *place = target ? target : path;
	if (asprintf(&beside, "%s.XXXXXX", place) < 0) {
		beside = NULL;
		return prof_error_nomem();
	}
	int fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return prof_file_unwritable(path, errno);
	int reason = fchmod(fd, mode) ? errno : 0;
	int failed = write_all(fd, bytes, length);
	if (!reason)
		reason = failed;
	if (!reason && rename(beside, place))
		reason = errno;
	if (!reason)
		return NULL;
	unlink(beside);
	return prof_file_unwritable(path, reason);
}

/* The host puts descriptors below this limit into sets, for select(). */
enum { SET = PROF_FILE_KEPT };
_Static_assert(SET >= FD_SETSIZE, "a kept descriptor must fit in no set");

/* Leave this many to the host, and to files that are closed at once. */
enum { RESERVE = SET / 2 };

int prof_file_keep(int fd)
{
	struct rlimit limit;

	if (fd < 0)
		return fd;
	rlim_t most = getrlimit(RLIMIT_NOFILE, &limit) ? SET : limit.rlim_cur;
	if (most > SET + RESERVE) {
		int high = fcntl(fd, F_DUPFD_CLOEXEC, SET);
		if (high >= 0 && (rlim_t)high < most - RESERVE) {
			close(fd);
			return high;
		}
		if (high >= 0)
			close(high);
	}
	if ((rlim_t)fd < (most / 2 < RESERVE ? most / 2 : RESERVE))
		return fd;
	close(fd);
	errno = EMFILE;
	return -1;
}

int prof_file_nameless(const char *folder)
{
	char name[PATH_MAX];
	int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);

	/* Not all file systems support O_TMPFILE. */
	if (file >= 0 ||
		snprintf(name, sizeof name, "%s/gdbprof-XXXXXX", folder) >= (int)sizeof name)
		return file;
	file = mkostemp(name, O_CLOEXEC);
	if (file >= 0)
		unlink(name);
	return file;
}

struct prof_error *prof_file_open(const char *path, uint64_t *size, int *ret)
{
	/* Without O_NONBLOCK, open() would wait for the other end of a FIFO. */
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		return prof_file_unreadable(path);
	if (S_ISDIR(status.st_mode))
		return prof_error_create(PROF_ERROR_USAGE,
			"The file \"%s\" cannot be read: it is a directory.  Name a file in it.",
			path);
	if (!S_ISREG(status.st_mode))
		return prof_error_create(PROF_ERROR_USAGE,
			"The file \"%s\" cannot be read: it is not a regular file.  Copy its content into one.",
			path);
	if (size)
		*size = (uint64_t)status.st_size;
	*ret = fd;
	fd = -1;
	return NULL;
}

const char *prof_file_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

bool prof_file_is_same(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool prof_file_is_written(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return false;
	/*
	 * The kernel grants a read lease only if no process can write to the file.  If a process
	 * opens the file meanwhile, the kernel sends a signal: SIGURG, which has no effect.
	 */
	bool written =
		!fcntl(fd, F_SETSIG, SIGURG) && fcntl(fd, F_SETLEASE, F_RDLCK) && errno == EAGAIN;
	close(fd);
	return written;
}

/* The number of the file NAME if its name is STEM.NUMBER; otherwise 0. */
static unsigned long number_of(const char *name, const char *stem)
{
	size_t length = strlen(stem);
	char *end;

	if (strncmp(name, stem, length) != 0 || name[length] != '.' || name[length + 1] < '1' ||
		name[length + 1] > '9')
		return 0;
	errno = 0;
	unsigned long number = strtoul(name + length + 1, &end, 10);
	return *end || errno || number == ULONG_MAX ? 0 : number;
}

struct prof_error *prof_file_next(const char *directory, const char *stem, char **ret)
{
	unsigned long highest = 0;
	char *path;
	DIR *entries = opendir(directory);

	if (!entries)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"The folder \"%s\" cannot be read: %s.  Make it, or name another.",
			directory, strerror(errno));
	for (struct dirent *entry; (entry = readdir(entries));) {
		unsigned long number = number_of(entry->d_name, stem);
		if (number > highest)
			highest = number;
	}
	closedir(entries);
	if (asprintf(&path, "%s/%s.%lu", directory, stem, highest + 1) < 0)
		return prof_error_nomem();
	*ret = path;
	return NULL;
}
