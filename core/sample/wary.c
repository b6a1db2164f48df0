#include "sample/wary.h"

enum { SIGRTMIN_KERNEL = 32 };

/*
 * For how many looks is WATCH, seen to block SIGNAL, to be taken to do so?
 *
 * Where its C library begins or ends a thread it blocks signals for a moment, those of its own as
 * well, from 32 on, which a program can't.
 */
static unsigned looks(const struct prof_watch *watch, int signal)
{
	struct prof_signals signals;

	if (!prof_procfs_signals(watch->process, watch->thread, &signals) ||
		signals.blocked >> (SIGRTMIN_KERNEL - 1) & 1)
		return 0;
	return signals.blocked >> (signal - 1) & 1 ? PROF_WARY_LOOKS : PROF_WARY_AGAIN;
}

bool prof_wary_blocks(struct prof_watch *watch, int signal, const struct prof_schedstat *schedstat)
{
	if (watch->masks.blocked >> (signal - 1) & 1) {
		watch->wary = watch->wary ? PROF_WARY_LOOKS : looks(watch, signal);
		return true;
	}
	if (watch->asleep && watch->wait.for_signals) {
		watch->wary = PROF_WARY_LOOKS;
		watch->sigwaits = true;
	}
	if (!watch->wary) {
		watch->sigwaits = false;
		return false;
	}
	bool ran = watch->wary_at.run != schedstat->run;
	bool stayed = watch->wary_at.slices == schedstat->slices;
	/* If it has left its CPU, it may be about to wake up in sigwait() again. */
	if (ran && (stayed || !watch->sigwaits))
		watch->wary--;
	watch->wary_at = *schedstat;
	return true;
}
