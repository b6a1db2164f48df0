/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/sandbox.h"

#include "target/procfs.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Figures of a status file. */
enum { UNCONFINED, STRICT, FILTERED };

/* How many ancestors of a process are checked. */
enum { GENERATIONS = 16 };

enum { STACK = 16384 };

void prof_sandbox_init(struct prof_sandbox *sandbox, pid_t process)
{
	*sandbox = (struct prof_sandbox){.process = process};
}

/* The number after FIELD in the contents of a status file, or MISSING. */
static long number(const char *status, const char *field, long missing)
{
	const char *at = strstr(status, field);

	return at ? strtol(at + strlen(field), NULL, 10) : missing;
}

/* The last number in the line after FIELD, or MISSING. */
static long last_number(const char *status, const char *field, long missing)
{
	const char *at = strstr(status, field);
	char *end;

	if (!at)
		return missing;
	for (at += strlen(field);; at = end) {
		long next = strtol(at, &end, 10);
		if (end == at)
			return missing;
		missing = next;
		if (*end != '\t' && *end != ' ')
			return missing;
	}
}

static long count_filters(const char *status)
{
	return number(status, "\nSeccomp:", UNCONFINED) == FILTERED
		? number(status, "\nSeccomp_filters:", 0)
		: 0;
}

static long filters_of(pid_t process)
{
	char text[PROF_PROCFS_STATUS];

	return prof_procfs_read(process, 0, "status", text, sizeof text) ? count_filters(text) : 0;
}

/* Is ANCESTOR the process PROCESS, or one of its ancestors? */
static bool descends(pid_t process, pid_t ancestor)
{
	for (int i = 0; i < GENERATIONS && process > 0 && process != ancestor; i++)
		process = prof_procfs_parent(process);
	return process == ancestor;
}

/*
 * If PROCESS has as many filters as this process, are they the same?  Filters are inherited, and
 * never removed: they are the same if the nearest common ancestor has COUNT of them as well.
 */
static bool inherits(pid_t process, long count)
{
	for (int i = 0; i < GENERATIONS && process > 0; i++) {
		if (descends(getpid(), process))
			return filters_of(process) == count;
		process = prof_procfs_parent(process);
	}
	return false;
}

const char *prof_sandbox_look(struct prof_sandbox *sandbox, pid_t thread, pid_t *own)
{
	char text[PROF_PROCFS_STATUS];

	if (!sandbox->looked) {
		sandbox->looked = true;
		sandbox->filters = filters_of(getpid());
		sandbox->inherits =
			sandbox->filters && inherits(sandbox->process, sandbox->filters);
	}
	if (!prof_procfs_read(sandbox->process, thread, "status", text, sizeof text))
		return "its state cannot be read";
	*own = (pid_t)last_number(text, "\nNSpid:", thread);
	long mode = number(text, "\nSeccomp:", UNCONFINED);
	bool same =
		mode == FILTERED && sandbox->inherits && count_filters(text) == sandbox->filters;
	return mode == UNCONFINED || same ? NULL : "it filters system calls (seccomp)";
}

bool prof_sandbox_ignores_traps(const struct prof_sandbox *sandbox, pid_t thread)
{
	char text[PROF_PROCFS_STATUS];

	if (!prof_procfs_read(sandbox->process, thread, "status", text, sizeof text))
		return true;
	const char *at = strstr(text, "\nSigIgn:");
	return at && strtoull(at + strlen("\nSigIgn:"), NULL, 16) >> (SIGTRAP - 1) & 1;
}

/*
 * Runs in a child whose only thread is this one, so it uses nothing that other threads could have
 * locked.
 */
static int try(void *unused)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
	const struct itimerspec value = {.it_value = {.tv_sec = 1}};
	int timer;

	(void)unused;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) ||
		syscall(SYS_timer_settime, timer, 0, &value, NULL) ||
		syscall(SYS_timer_delete, timer))
		return errno;
	return 0;
}

struct prof_error *prof_sandbox_try(void)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status = 0;

	if (stack == MAP_FAILED)
		return prof_error_nomem();
	/* Its end is not reported by a signal. */
	pid_t child = clone(try, stack + STACK, 0, NULL);
	int reason = errno;
	if (child > 0) {
		while (waitpid(child, &status, __WALL) < 0 && errno == EINTR)
			;
		reason = WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
	}
	munmap(stack, STACK);
	if (!reason)
		return NULL;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The system calls of CPU timers, such as timer_create, are forbidden here: %s.",
		strerror(reason));
}
