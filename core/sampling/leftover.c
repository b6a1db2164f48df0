/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/leftover.h"

#include "sampling/tick.h"
#include "target/process.h"
#include "target/procfs.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The tick signals that can be blocked, and two signals that cannot. */
static const uint64_t TICKS = UINT64_C(1) << (SIGURG - 1) | UINT64_C(1) << (SIGWINCH - 1);
static const uint64_t STOP = UINT64_C(1) << (SIGSTOP - 1);
static const uint64_t KILL = UINT64_C(1) << (SIGKILL - 1);

/*
 * Lets THREAD go on to its next stop, before it executes anything.  Returns the signal of the stop,
 * or 0 if it was a tick, or its debugger's own SIGSTOP.
 */
static int next_stop(pid_t thread)
{
	siginfo_t info = {0};
	int status;

	/* WNOWAIT leaves the end of a killed thread for its debugger. */
	if (ptrace(PTRACE_CONT, thread, NULL, NULL) ||
		waitid(P_PID, (id_t)thread, &info, WSTOPPED | WEXITED | WNOWAIT | __WALL) ||
		info.si_code != CLD_TRAPPED || waitpid(thread, &status, __WALL) != thread ||
		!WIFSTOPPED(status) || status >> 16)
		return 0;
	if (!ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) &&
		(prof_tick_is_ours(&info) || prof_tick_is_blank(&info) ||
			prof_tick_is_of_host(&info)))
		return 0;
	return WSTOPSIG(status);
}

/*
 * The kernel delivers the pending signal with the smallest number first, so the others are blocked
 * meanwhile.  A thread in a call such as sigsuspend() has another mask to restore, which would be
 * lost: its tick comes after the others, to the program.
 */
static bool hold_back(pid_t thread, const struct prof_signals *signals, uint64_t *mask)
{
	return !ptrace(PTRACE_GETSIGMASK, thread, sizeof *mask, mask) &&
		*mask == signals->blocked && prof_process_block(thread, ~TICKS);
}

int prof_leftover_take(pid_t process, pid_t thread)
{
	struct prof_signals signals;
	uint64_t mask;

	if (!prof_procfs_signals(process, thread, &signals))
		return 0;
	uint64_t coming = signals.pending & ~signals.blocked;
	bool others = coming & ~(TICKS | STOP);
	if (!(coming & (TICKS | STOP)) || coming & KILL)
		return 0;
	if (others && !hold_back(thread, &signals, &mask)) {
		/* It must not leave the program stopped. */
		if (coming & STOP)
			syscall(SYS_tgkill, process, thread, SIGCONT);
		return 0;
	}
	int before = coming & STOP ? next_stop(thread) : 0;
	int signal = coming & TICKS ? next_stop(thread) : 0;
	if (others)
		prof_process_block(thread, mask);
	return before ? before : signal;
}

void prof_leftover_unblock(pid_t process, pid_t thread, uint32_t set)
{
	struct prof_signals signals;
	uint64_t mask;

	if (!prof_procfs_signals(process, thread, &signals) ||
		ptrace(PTRACE_GETSIGMASK, thread, sizeof mask, &mask) || mask != signals.blocked)
		return;
	for (int number = 1; number < 32; number++) {
		uint64_t bit = UINT64_C(1) << (number - 1);
		if (!(set & bit) || !(signals.own & signals.blocked & bit) ||
			!prof_process_block(thread, mask & ~bit))
			continue;
		/*
		 * The kernel delivers a SIGSTOP first.  If its debugger has sent one, the debugger
		 * waits for it.
		 */
		bool stop = signals.own & STOP;
		int before = stop ? next_stop(thread) : 0;
		int signal = next_stop(thread);
		prof_process_block(thread, mask);
		/*
		 * Signals of the program's, one of which may have replaced the tick: send them
		 * again.
		 */
		if (before)
			syscall(SYS_tgkill, process, thread, before);
		if (signal)
			syscall(SYS_tgkill, process, thread, signal);
		if (stop)
			syscall(SYS_tgkill, process, thread, SIGSTOP);
	}
}
