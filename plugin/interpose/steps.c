/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/steps.h"

#include "plugin/interpose/displaced.h"
#include "plugin/interpose/slot.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

typedef long ptrace_function(long request, pid_t thread, void *address, void *data);
typedef long syscall_function(long number, ...);

enum { PTRACE, SYSCALL, HOOKS };

/* GDB calls the functions in its slots without a context. */
static struct {
	struct slot slots[HOOKS];
	const struct steps_watcher *watcher; /* NULL: they are not watched */
	ptrace_function *next;
	syscall_function *next_syscall;
	pthread_t host; /* the tracer's thread */
} steps;

static bool is_watched(void)
{
	return steps.watcher && pthread_equal(pthread_self(), steps.host);
}

/* GDB is about to make REQUEST for THREAD.  Returns what is passed with it: DATA, or a signal. */
static void *prepare(long request, pid_t thread, void *data)
{
	const struct steps_watcher *watcher = steps.watcher;

	switch (request) {
	case PTRACE_CONT:
	case PTRACE_SINGLESTEP:
	case PTRACE_SYSCALL:
		if (watcher->resume)
			watcher->resume(thread, request == PTRACE_SINGLESTEP);
		return data;
	case PTRACE_KILL:
		if (watcher->let_go)
			watcher->let_go(thread, true);
		return data;
	case PTRACE_DETACH: {
		int signal = watcher->let_go ? watcher->let_go(thread, false) : 0;
		return signal && !data ? (void *)(intptr_t)signal : data;
	}
	default:
		return data;
	}
}

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	if (is_watched()) {
		int before = errno;
		displaced_note(request, thread, address, data);
		data = prepare(request, thread, data);
		errno = before;
	}
	return steps.next(request, thread, address, data);
}

/* Passes on six arguments, like the C library, even if there are fewer. */
static long hooked_syscall(
	long number, long first, long second, long third, long fourth, long fifth, long sixth)
{
	if (number == SYS_tkill && second == SIGSTOP && is_watched() && steps.watcher->want) {
		int before = errno;
		steps.watcher->want((pid_t)first);
		errno = before;
	}
	return steps.next_syscall(number, first, second, third, fourth, fifth, sixth);
}

static const struct hook hooks[HOOKS] = {
	[PTRACE] = {"ptrace", (void *)hooked_ptrace},
	[SYSCALL] = {"syscall", (void *)hooked_syscall},
};

struct prof_error *steps_watch(const struct steps_watcher *watcher)
{
	steps_unwatch();
	struct prof_error *error = slots_open(hooks, steps.slots, HOOKS);
	if (error)
		return error;
	steps.host = pthread_self();
	steps.next = (ptrace_function *)slot_next(&steps.slots[PTRACE]);
	steps.next_syscall = (syscall_function *)slot_next(&steps.slots[SYSCALL]);
	steps.watcher = watcher;
	return NULL;
}

void steps_unwatch(void)
{
	if (!steps.watcher)
		return;
	slots_close(steps.slots, HOOKS);
	steps.watcher = NULL;
	displaced_forget();
}
