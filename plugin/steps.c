#include "plugin/steps.h"

#include "plugin/slot.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

typedef long ptrace_function(long request, pid_t thread, void *address, void *data);
typedef long syscall_function(long number, ...);

enum { PTRACE, SYSCALL, HOOKS };

/* GDB calls the functions in its slots without a context. */
static struct {
	struct slot slots[HOOKS];
	void (*resume)(pid_t thread, bool stepped); /* NULL: they are not watched */
	void (*want)(pid_t thread);
	ptrace_function *next;
	syscall_function *next_syscall;
	pthread_t host; /* the tracer's thread */
} steps;

static bool resumes(long request)
{
	return request == PTRACE_CONT || request == PTRACE_SINGLESTEP || request == PTRACE_SYSCALL;
}

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	if (steps.resume && resumes(request) && pthread_equal(pthread_self(), steps.host)) {
		int before = errno;
		steps.resume(thread, request == PTRACE_SINGLESTEP);
		errno = before;
	}
	return steps.next(request, thread, address, data);
}

/* Six arguments are passed on, as the C library does, whether there are so many or not. */
static long hooked_syscall(
	long number, long first, long second, long third, long fourth, long fifth, long sixth)
{
	if (number == SYS_tkill && second == SIGSTOP && steps.want &&
		pthread_equal(pthread_self(), steps.host)) {
		int before = errno;
		steps.want((pid_t)first);
		errno = before;
	}
	return steps.next_syscall(number, first, second, third, fourth, fifth, sixth);
}

static const struct hook hooks[HOOKS] = {
	[PTRACE] = {"ptrace", (void *)hooked_ptrace},
	[SYSCALL] = {"syscall", (void *)hooked_syscall},
};

struct prof_error *steps_watch(
	void (*resume)(pid_t thread, bool stepped), void (*want)(pid_t thread))
{
	steps_unwatch();
	struct prof_error *error = slots_open(hooks, steps.slots, HOOKS);
	if (error)
		return error;
	steps.host = pthread_self();
	steps.next = (ptrace_function *)slot_next(&steps.slots[PTRACE]);
	steps.next_syscall = (syscall_function *)slot_next(&steps.slots[SYSCALL]);
	steps.want = want;
	steps.resume = resume;
	return NULL;
}

void steps_unwatch(void)
{
	if (!steps.resume)
		return;
	slots_close(steps.slots, HOOKS);
	steps.resume = NULL;
	steps.want = NULL;
}
