#include "sample/wary.h"

enum { SIGRTMIN_KERNEL = 32 };

/*
 * Does WATCH block signals only as its C library begins or ends a thread?  Then it blocks those of
 * the library's own as well, from 32 on, which a program can't.
 */
static bool is_momentary(const struct prof_watch *watch, int signal)
{
	struct prof_signals signals;

	if (!prof_procfs_signals(watch->process, watch->thread, &signals))
		return true;
	/* Or it is over already. */
	return signals.blocked >> (SIGRTMIN_KERNEL - 1) & 1 ||
		!(signals.blocked >> (signal - 1) & 1);
}

bool prof_wary_blocks(struct prof_watch *watch, int signal, const struct prof_schedstat *schedstat)
{
	if (watch->mask >> (signal - 1) & 1) {
		if (watch->wary || !is_momentary(watch, signal))
			watch->wary = PROF_WARY_LOOKS;
		return true;
	}
	if (watch->asleep && watch->wait.for_signals)
		watch->wary = PROF_WARY_LOOKS;
	if (!watch->wary)
		return false;
	if (watch->wary_run != schedstat->run)
		watch->wary--;
	watch->wary_run = schedstat->run;
	return true;
}
