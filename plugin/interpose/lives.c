/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/lives.h"

#include "plugin/interpose/slot.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

typedef pid_t waitpid_function(pid_t process, int *status, int options);

/* The stop signal for system calls if GDB traces those: see PTRACE_O_TRACESYSGOOD. */
enum { SYSTEM_CALL = SIGTRAP | 0x80 };

/* GDB calls the function in its slot without a context. */
static struct {
	struct slot slot;
	const struct lives_watcher *watcher; /* NULL: they are not watched */
	waitpid_function *next;
	pthread_t host; /* the tracer's thread */
} lives;

void lives_look(pid_t process, int options, void (*end)(pid_t thread))
{
	siginfo_t info = {0};

	if (process != -1 && process <= 0)
		return;
	if (!waitid(process > 0 ? P_PID : P_ALL, (id_t)process, &info,
		    WEXITED | WNOWAIT | WNOHANG | (options & __WALL)) &&
		info.si_pid &&
		(info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
			info.si_code == CLD_DUMPED))
		end(info.si_pid);
}

static bool is_event(int status, int event)
{
	return status >> 8 == (SIGTRAP | event << 8);
}

void lives_report(const struct lives_watcher *watcher, pid_t thread, int status)
{
	if (WIFEXITED(status) || WIFSIGNALED(status))
		watcher->end(thread);
	else if (watcher->exec && is_event(status, PTRACE_EVENT_EXEC))
		watcher->exec(thread);
	else if (watcher->fork &&
		(is_event(status, PTRACE_EVENT_FORK) || is_event(status, PTRACE_EVENT_VFORK)))
		watcher->fork(thread);
	else if (watcher->signal && WIFSTOPPED(status) && status >> 16 == 0 &&
		WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SYSTEM_CALL)
		watcher->signal(thread, WSTOPSIG(status));
}

static pid_t hooked_waitpid(pid_t process, int *status, int options)
{
	int own;

	if (!status)
		status = &own;
	if (!lives.watcher || !pthread_equal(pthread_self(), lives.host))
		return lives.next(process, status, options);
	int before = errno;
	lives_look(process, options, lives.watcher->end);
	errno = before;
	pid_t thread = lives.next(process, status, options);
	int after = errno;
	if (thread > 0) {
		if (lives.watcher->stop && WIFSTOPPED(*status) &&
			!is_event(*status, PTRACE_EVENT_EXEC))
			lives.watcher->stop(thread);
		lives_report(lives.watcher, thread, *status);
	}
	errno = after;
	return thread;
}

static const struct hook hook = {"waitpid", (void *)hooked_waitpid};

struct prof_error *lives_check(void)
{
	return slots_check(&hook, 1);
}

struct prof_error *lives_watch(const struct lives_watcher *watcher)
{
	lives_unwatch();
	struct prof_error *error = slots_open(&hook, &lives.slot, 1);
	if (error)
		return error;
	lives.host = pthread_self();
	lives.next = (waitpid_function *)slot_next(&lives.slot);
	lives.watcher = watcher;
	return NULL;
}

void lives_unwatch(void)
{
	if (!lives.watcher)
		return;
	slots_close(&lives.slot, 1);
	lives.watcher = NULL;
}
