/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/detach.h"

#include "plugin/interpose/slot.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ptrace.h>

typedef long ptrace_function(long request, pid_t thread, void *address, void *data);

/* GDB calls the function in its slot without a context. */
static struct {
	struct slot slot;
	void (*leaving)(pid_t thread); /* NULL: detaching is not watched */
	ptrace_function *next;
	pthread_t host; /* the tracer's thread */
} detach;

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	if (request == PTRACE_DETACH && pthread_equal(pthread_self(), detach.host)) {
		int before = errno;
		detach.leaving(thread);
		errno = before;
	}
	return detach.next(request, thread, address, data);
}

static const struct hook hook = {"ptrace", (void *)hooked_ptrace};

struct prof_error *detach_watch(void (*leaving)(pid_t thread))
{
	detach_unwatch();
	detach.host = pthread_self();
	detach.leaving = leaving;
	struct prof_error *error = slots_open(&hook, &detach.slot, 1);
	if (error) {
		memset(&detach, 0, sizeof detach);
		return error;
	}
	detach.next = (ptrace_function *)slot_next(&detach.slot);
	return NULL;
}

void detach_unwatch(void)
{
	if (!detach.leaving)
		return;
	slots_close(&detach.slot, 1);
	memset(&detach, 0, sizeof detach);
}
