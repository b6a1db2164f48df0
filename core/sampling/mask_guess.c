/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/mask_guess.h"

#include "sampling/watch.h"
#include "target/procfs.h"
#include "target/wait.h"

#include <signal.h>

enum { SIGRTMIN_KERNEL = 32 };

/*
 * How many looks in a row must find WATCH blocking SIGNAL before the thread is taken to block it?
 *
 * When the C library begins or ends a thread it blocks signals for a moment, including its own,
 * from 32 on, which a program cannot block.
 */
static unsigned looks(const struct prof_watch *watch, int signal)
{
	struct prof_signals signals;

	if (!prof_procfs_signals(watch->process, watch->thread, &signals) ||
		signals.blocked >> (SIGRTMIN_KERNEL - 1) & 1)
		return 0;
	return signals.blocked >> (signal - 1) & 1 ? PROF_MASK_GUESS_LOOKS : PROF_MASK_GUESS_AGAIN;
}

void prof_mask_guess_begin(struct prof_watch *watch)
{
	static const uint32_t ticks = 1U << (SIGURG - 1) | 1U << (SIGWINCH - 1);

	if (!(watch->masks.blocked & ticks))
		return;
	unsigned left = looks(watch, watch->masks.blocked >> (SIGURG - 1) & 1 ? SIGURG : SIGWINCH);
	if (left > watch->masked)
		watch->masked = left;
}

bool prof_mask_guess_blocks(
	struct prof_watch *watch, int signal, const struct prof_schedstat *schedstat)
{
	if (watch->masks.blocked >> (signal - 1) & 1) {
		watch->masked = watch->masked ? PROF_MASK_GUESS_LOOKS : looks(watch, signal);
		return true;
	}
	if (watch->asleep && watch->wait.for_signals)
		watch->masked = PROF_MASK_GUESS_LOOKS;
	if (!watch->masked)
		return false;
	bool sure = watch->asleep ? !watch->wait.for_signals
				  : watch->guess_at.slices == schedstat->slices;
	unsigned step = sure ? PROF_MASK_GUESS_SURE : !watch->watchdog;
	if (watch->guess_at.run != schedstat->run)
		watch->masked -= step < watch->masked ? step : watch->masked;
	watch->guess_at = *schedstat;
	return true;
}
