/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/postpone.h"

#include "sampling/tick.h"
#include "target/process.h"
#include "target/procfs.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t STOP = UINT64_C(1) << (SIGSTOP - 1);
static const uint64_t KILL = UINT64_C(1) << (SIGKILL - 1);

/* With more than that, they are not of the thread itself. */
enum { MOST = 16 };

/* The signals that are pending to a thread alone and matter here. */
struct pending {
	int tick;             /* SIGURG or SIGWINCH; 0: none */
	bool stop;            /* SIGSTOP */
	bool stop_is_tick;    /* which is one */
	bool stop_is_of_host; /* sent by this process for another reason */
};

static struct pending look(pid_t thread)
{
	struct __ptrace_peeksiginfo_args wanted = {.nr = MOST};
	struct pending pending = {0};
	siginfo_t items[MOST];
	long count = ptrace(PTRACE_PEEKSIGINFO, thread, &wanted, items);

	for (long i = 0; i < count; i++) {
		int signal = items[i].si_signo;
		bool ours = prof_tick_is_ours(&items[i]);
		if ((signal == SIGURG || signal == SIGWINCH) && ours)
			pending.tick = signal;
		pending.stop |= signal == SIGSTOP;
		pending.stop_is_tick |= signal == SIGSTOP && ours;
		pending.stop_is_of_host |= signal == SIGSTOP && prof_tick_is_of_host(&items[i]);
	}
	return pending;
}

/* A stop that the debugger has taken for its own SIGSTOP, which is still pending. */
static bool is_tick_by_stop(const siginfo_t *info)
{
	return info->si_signo == SIGSTOP && prof_tick_is_ours(info);
}

/*
 * Lets THREAD go on to SIGNAL, before it executes anything.  False: it was killed, which its
 * debugger does not know yet.
 */
static bool meet(pid_t thread, int signal)
{
	siginfo_t info = {0};

	if (ptrace(PTRACE_CONT, thread, NULL, NULL) ||
		waitid(P_PID, (id_t)thread, &info, WSTOPPED | WEXITED | WNOWAIT | __WALL) ||
		info.si_code != CLD_TRAPPED)
		return false;
	return !waitid(P_PID, (id_t)thread, &info, WSTOPPED | WNOHANG | __WALL) &&
		info.si_status == signal;
}

/*
 * The kernel delivers the pending signal with the smallest number first, so all except TICK are
 * blocked meanwhile.  A thread in a call such as sigsuspend() has another mask to restore, which
 * would be lost.
 */
static bool hold_back(pid_t thread, uint64_t tick, const struct prof_signals *signals)
{
	uint64_t mask;

	return !ptrace(PTRACE_GETSIGMASK, thread, sizeof mask, &mask) && mask == signals->blocked &&
		prof_process_block(thread, ~tick);
}

bool prof_postpone(pid_t process, pid_t thread, bool wanted)
{
	struct prof_signals signals;
	siginfo_t before;

	if (!prof_process_signalled(thread, &before))
		return false;
	const struct pending pending = look(thread);
	uint64_t tick = pending.tick ? UINT64_C(1) << (pending.tick - 1) : 0;
	bool by_stop = (pending.stop_is_tick && !wanted) ||
		(pending.stop_is_of_host && is_tick_by_stop(&before));
	if ((!tick && !by_stop) || !prof_procfs_signals(process, thread, &signals))
		return false;
	uint64_t coming = signals.pending & ~signals.blocked;
	bool others = coming & ~(tick | STOP);
	bool strange = coming & STOP && !pending.stop_is_tick && !pending.stop_is_of_host;
	if (!(coming & (tick | STOP)) || coming & KILL || strange ||
		(others && !hold_back(thread, tick, &signals)))
		return false;
	/* If the debugger still waits for its SIGSTOP, send it again. */
	bool met = (!pending.stop || meet(thread, SIGSTOP)) &&
		(!(coming & tick) || meet(thread, pending.tick));
	if (others)
		prof_process_block(thread, signals.blocked);
	if (pending.stop && !by_stop)
		syscall(SYS_tgkill, process, thread, SIGSTOP);
	/* The debugger continues it with the signal for which it has stopped. */
	ptrace(PTRACE_SETSIGINFO, thread, NULL, &before);
	return met;
}
