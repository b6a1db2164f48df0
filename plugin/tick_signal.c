#include "plugin/tick_signal.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>

const struct tick_signal tick_signals[TICK_SIGNALS] = {
	{SIGURG, "SIGURG"},
	{SIGWINCH, "SIGWINCH"},
};

int tick_signal_of(pid_t thread, bool *ours)
{
	siginfo_t info;

	if (ptrace(PTRACE_GETSIGINFO, thread, NULL, &info))
		return -1;
	/* From another pid namespace we look as 0. */
	*ours = info.si_code == SI_TKILL && (info.si_pid == getpid() || info.si_pid == 0);
	for (int i = 0; i < TICK_SIGNALS; i++) {
		if (tick_signals[i].number == info.si_signo)
			return i;
	}
	return -1;
}
