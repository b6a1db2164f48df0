#include "sample/tick.h"

#include "base/clock.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int prof_tick_signal(const struct prof_watch *watch, int asked)
{
	if (asked)
		return asked;
	return watch->masks.caught >> (SIGURG - 1) & 1 ? SIGWINCH : SIGURG;
}

void prof_tick_send(struct prof_watch *watch, int asked)
{
	watch->signal = prof_tick_signal(watch, asked);
	watch->sent = prof_clock();
	if (syscall(SYS_tgkill, watch->process, watch->thread, watch->signal)) {
		watch->gone = true;
		watch->sent = 0;
	}
}

/* Whether it stands still, or did and its host was too busy to say that it goes on. */
static bool stands(struct prof_watch *watch)
{
	char state = prof_watch_state(watch);

	return state == 't' || state == 'T' || watch->met_tick;
}

void prof_tick_await(struct prof_watch *watch, int64_t now, struct prof_figures *figures)
{
	struct prof_signals signals;

	if (stands(watch)) {
		figures->ticks++;
		figures->lost++;
		watch->counted++;
		return;
	}
	if (now - watch->sent < PROF_TICK_LOST_AFTER)
		return;
	if (!prof_procfs_signals(watch->process, watch->thread, &signals)) {
		watch->gone = true;
	} else if (signals.pending >> (watch->signal - 1) & 1) {
		/* It blocks the signal, or waits for a CPU, or is in a long system call. */
		watch->blocks = signals.blocked >> (watch->signal - 1) & 1;
		watch->sent = now;
	} else if (!stands(watch)) { /* it may have stopped by it just now */
		watch->sent = 0;
	}
}
