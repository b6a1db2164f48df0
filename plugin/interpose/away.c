/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/away.h"

#include "plugin/interpose/attention.h"
#include "sampling/tick.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A handler is called without a context, so there is only one of these. */
static struct {
	pid_t host;        /* GDB's thread; 0: nothing must be sent */
	bool handled;      /* our handler is installed */
	atomic_int thread; /* the thread to continue; 0: none */
	volatile sig_atomic_t meetings;
} away;

/* Has its CPU timer stopped THREAD, and has nobody waited for that? */
static bool is_stranded(pid_t thread)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)thread, &info, WSTOPPED | WNOWAIT | WNOHANG | __WALL) &&
		info.si_pid == thread && info.si_code == CLD_TRAPPED &&
		!syscall(SYS_ptrace, PTRACE_GETSIGINFO, thread, NULL, &info) &&
		prof_tick_is_of_timer(&info);
}

static void handle(int signal)
{
	int before = errno;
	pid_t thread = atomic_exchange(&away.thread, 0);

	(void)signal;
	if (thread && !away.meetings && !attention_listens() && is_stranded(thread))
		syscall(SYS_ptrace, PTRACE_CONT, thread, NULL, NULL);
	errno = before;
}

void away_watch(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART}, before;

	if (!away.handled && !sigaction(SIGURG, NULL, &before) &&
		(before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)) {
		sigfillset(&action.sa_mask);
		away.handled = !sigaction(SIGURG, &action, NULL);
	}
	away.host = away.handled ? (pid_t)syscall(SYS_gettid) : 0;
}

void away_unwatch(void)
{
	away.host = 0;
	atomic_store(&away.thread, 0);
}

void away_release(pid_t thread, int note)
{
	int none = 0;

	if (note == PTRACE_CONT && away.host &&
		atomic_compare_exchange_strong(&away.thread, &none, thread))
		syscall(SYS_tgkill, getpid(), away.host, SIGURG);
}

void away_enter(void)
{
	away.meetings++;
}

void away_leave(void)
{
	away.meetings--;
}
