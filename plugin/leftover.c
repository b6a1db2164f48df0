#include "plugin/leftover.h"

#include "sample/procfs.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* The signals that ticks are. */
static const uint64_t TICKS = UINT64_C(1) << (SIGURG - 1) | UINT64_C(1) << (SIGWINCH - 1);

/* Will THREAD stop by a tick, and by nothing else, before it executes anything? */
static bool is_next(pid_t process, pid_t thread)
{
	struct prof_signals signals;

	if (!prof_procfs_signals(process, thread, &signals))
		return false;
	uint64_t coming = signals.pending & ~signals.blocked;
	return coming && !(coming & ~TICKS);
}

int leftover_take(pid_t process, pid_t thread)
{
	siginfo_t info;
	int status;

	if (!is_next(process, thread) || ptrace(PTRACE_CONT, thread, NULL, NULL))
		return 0;
	if (waitpid(thread, &status, __WALL) != thread || !WIFSTOPPED(status) || status >> 16)
		return 0;
	if (!ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) && info.si_code == SI_TKILL &&
		(info.si_pid == getpid() || info.si_pid == 0))
		return 0;
	return WSTOPSIG(status);
}
