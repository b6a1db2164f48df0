/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/procfs.h"

#include "base/memory.h"
#include "base/time_unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads FD from its start into BUFFER of SIZE bytes.  False: there is nothing. */
static bool read_whole(int fd, char *buffer, size_t size)
{
	ssize_t length = pread(fd, buffer, size - 1, 0);

	if (length <= 0)
		return false;
	buffer[length] = '\0';
	return true;
}

int prof_procfs_open(pid_t process, pid_t thread, const char *file)
{
	char path[64];

	if (thread)
		snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)process, (int)thread, file);
	else
		snprintf(path, sizeof path, "/proc/%d/%s", (int)process, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int prof_procfs_open_beside(int fd, const char *file)
{
	char link[64], path[128];

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0)
		return -1;
	path[length] = '\0';
	char *name = strrchr(path, '/');
	if (!name || (size_t)(name + 1 - path) + strlen(file) >= sizeof path)
		return -1;
	strcpy(name + 1, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool prof_procfs_read(pid_t process, pid_t thread, const char *file, char *buffer, size_t size)
{
	AUTO_CLOSE int fd = prof_procfs_open(process, thread, file);

	return fd >= 0 && read_whole(fd, buffer, size);
}

bool prof_procfs_schedstat(int fd, struct prof_schedstat *ret)
{
	char text[96];

	return read_whole(fd, text, sizeof text) &&
		sscanf(text, "%" SCNd64 " %" SCNd64 " %" SCNu64, &ret->run, &ret->delay,
			&ret->slices) == 3;
}

/* Copies the name in TEXT, a stat, which ends at END. */
static void copy_name(const char *text, const char *end, char name[PROF_THREAD_NAME])
{
	const char *begin = strchr(text, '(');
	size_t length = begin && begin < end ? (size_t)(end - begin - 1) : 0;

	if (length >= PROF_THREAD_NAME)
		length = PROF_THREAD_NAME - 1;
	if (length)
		memcpy(name, begin + 1, length);
	name[length] = '\0';
}

bool prof_procfs_ended(pid_t process, pid_t thread)
{
	int fd = prof_procfs_open(process, thread, "stat");
	char state = fd < 0 ? 0 : prof_procfs_stat(fd, NULL);

	if (fd >= 0)
		close(fd);
	return !state || strchr("ZXx", state);
}

int64_t prof_account_grain(void)
{
	return PROF_NS_PER_SECOND / sysconf(_SC_CLK_TCK);
}

/* Fields of stat, by their numbers in proc(5). */
enum { STATE = 3, UTIME = 14, BLOCKED = 32 };

/* The field COUNT fields behind the one at AT; NULL: there are not so many. */
static const char *skip_fields(const char *at, int count)
{
	for (; at && count; count--) {
		at = strchr(at, ' ');
		at += at != NULL;
	}
	return at;
}

char prof_procfs_stat(int fd, struct prof_stat *ret)
{
	/* The name, in parentheses, may itself contain any character. */
	char text[2048];

	if (!read_whole(fd, text, sizeof text))
		return 0;
	const char *end = strrchr(text, ')');
	if (!end || end[1] != ' ')
		return 0;
	if (!ret)
		return end[2];
	*ret = (struct prof_stat){0};
	copy_name(text, end, ret->name);
	/* The state follows the name; it is the third field of all. */
	const char *at = skip_fields(end + 2, UTIME - STATE);
	if (at)
		sscanf(at, "%" SCNd64 " %" SCNd64, &ret->account.user, &ret->account.system);
	ret->account.user *= prof_account_grain();
	ret->account.system *= prof_account_grain();
	at = at ? skip_fields(at, BLOCKED - UTIME) : NULL;
	/* Between them are the ignored signals, and fields that nobody needs. */
	unsigned cpu;
	if (at &&
		sscanf(at, "%" SCNu32 " %*u %" SCNu32 " %*u %*u %*u %*d %u", &ret->masks.blocked,
			&ret->masks.caught, &cpu) == 3)
		ret->cpu = cpu < UINT16_MAX ? (uint16_t)(cpu + 1) : 0;
	return end[2];
}

void prof_procfs_name(pid_t process, pid_t thread, char name[PROF_THREAD_NAME])
{
	name[0] = '\0';
	if (!prof_procfs_read(process, thread, "comm", name, PROF_THREAD_NAME))
		return;
	/*
	 * The name may contain any character.  The longest one leaves no room for the newline after
	 * it.
	 */
	size_t length = strlen(name);
	if (length && name[length - 1] == '\n')
		name[length - 1] = '\0';
}

/* The set after FIELD in the contents of a status file; empty if it is not there. */
static uint64_t signal_set(const char *status, const char *field)
{
	const char *at = strstr(status, field);

	return at ? strtoull(at + strlen(field), NULL, 16) : 0;
}

bool prof_procfs_signals(pid_t process, pid_t thread, struct prof_signals *ret)
{
	char text[PROF_PROCFS_STATUS];

	if (!prof_procfs_read(process, thread, "status", text, sizeof text))
		return false;
	ret->own = signal_set(text, "\nSigPnd:");
	ret->pending = ret->own | signal_set(text, "\nShdPnd:");
	ret->blocked = signal_set(text, "\nSigBlk:");
	ret->caught = signal_set(text, "\nSigCgt:");
	return true;
}

bool prof_procfs_waits(pid_t process, pid_t thread, uint64_t *ret)
{
	static const char field[] = "\nvoluntary_ctxt_switches:";
	char text[PROF_PROCFS_STATUS];

	if (!prof_procfs_read(process, thread, "status", text, sizeof text))
		return false;
	const char *at = strstr(text, field);
	if (at)
		*ret = strtoull(at + strlen(field), NULL, 10);
	return at;
}

/* The number after FIELD in the status of THREAD; 0: the thread has ended. */
static pid_t status_number(pid_t thread, const char *field)
{
	char text[512]; /* the fields of interest are among the first */

	if (!prof_procfs_read(thread, thread, "status", text, sizeof text))
		return 0;
	const char *at = strstr(text, field);
	return at ? (pid_t)strtol(at + strlen(field), NULL, 10) : 0;
}

pid_t prof_procfs_process(pid_t thread)
{
	return status_number(thread, "\nTgid:");
}

pid_t prof_procfs_tracer(pid_t thread)
{
	return status_number(thread, "\nTracerPid:");
}

pid_t prof_procfs_parent(pid_t thread)
{
	return status_number(thread, "\nPPid:");
}

/* Calls VISIT for each entry of the directory PATH that begins with a number. */
static bool visit_numbers(
	const char *path, void (*visit)(void *context, pid_t number), void *context)
{
	DIR *directory = opendir(path);

	if (!directory)
		return false;
	for (struct dirent *entry; (entry = readdir(directory));) {
		pid_t number = (pid_t)strtol(entry->d_name, NULL, 10);
		if (number > 0)
			visit(context, number);
	}
	closedir(directory);
	return true;
}

void prof_procfs_processes(void (*visit)(void *context, pid_t process), void *context)
{
	visit_numbers("/proc", visit, context);
}

bool prof_procfs_threads(pid_t process, void (*visit)(void *context, pid_t thread), void *context)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/task", (int)process);
	return visit_numbers(path, visit, context);
}
