/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/tick_signal.h"

#include <stddef.h>
#include <sys/ptrace.h>

const struct tick_signal tick_signals[TICK_SIGNALS] = {
	{SIGURG, "SIGURG"},
	{SIGWINCH, "SIGWINCH"},
	{SIGSTOP, "SIGSTOP"},
};

bool tick_signal_is_one(int number)
{
	for (int i = 0; i < TICK_SIGNALS; i++) {
		if (tick_signals[i].number == number)
			return true;
	}
	return false;
}

int tick_signal_of(pid_t thread, siginfo_t *info)
{
	if (ptrace(PTRACE_GETSIGINFO, thread, NULL, info))
		return -1;
	for (int i = 0; i < TICK_SIGNALS; i++) {
		if (tick_signals[i].number == info->si_signo)
			return i;
	}
	return -1;
}
