/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The part of the ticker for a process that executes another program, or a thread that is about to.
 */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "sampling/alarm.h"
#include "sampling/standing.h"
#include "sampling/watch.h"
#include "target/procfs.h"

#include <string.h>

/* The process has executed a new program: the thread that did it is now the first one. */
static void take_over(struct prof_ticker *ticker)
{
	pid_t process = ticker->options.process;
	bool stops = false;

	prof_ticker_read_cpus(ticker);
	prof_ticker_claim_signals(ticker);
	for (size_t i = 0; i < ticker->watches.array.count; i++) {
		const struct prof_watch *watch = ticker->watches.array.items[i];
		stops |= watch->sent && watch->signal == SIGSTOP;
	}
	prof_watches_exec(&ticker->watches, process, prof_clock());
	/*
	 * The thread that did it now has the process's id, and the signals that were pending to it.
	 */
	struct prof_watch *leader = prof_watches_find(&ticker->watches, process);
	if (leader)
		prof_alarm_close(&leader->alarm);
	if (leader) {
		leader->timer = (struct prof_timer){0};
		leader->short_evidence = (struct prof_short_evidence){0};
		leader->short_work = (struct prof_short_work){0};
		leader->beats = false;
	}
	ticker->short_work = (struct prof_short_work){0};
	if (leader && stops && !leader->sent)
		prof_watch_begin_tick(leader, SIGSTOP, prof_clock());
	/* The samples until then, and the thread's name, belong to the program before. */
	if (leader) {
		struct prof_schedstat schedstat = prof_watch_schedstat(leader);
		prof_ticker_read_event(ticker, leader, &schedstat);
		prof_standing_forget(&ticker->builder, leader);
		prof_watch_claim(leader, ticker->claimed);
		prof_watch_state(leader);
		prof_ticker_report_name(ticker, leader, true);
	}
}

void prof_ticker_end_leaving(struct prof_ticker *ticker)
{
	pid_t thread = ticker->leaving.thread;
	struct prof_watch *watch = thread ? prof_watches_find(&ticker->watches, thread) : NULL;

	if (!thread || !prof_leaving_is_over(&ticker->leaving, watch))
		return;
	ticker->leaving.thread = 0;
	struct prof_watch *leader = prof_watches_find(&ticker->watches, ticker->options.process);
	char state = leader ? prof_watch_state(leader) : 0;
	if ((!watch || watch->gone) && leader != watch && state && !strchr("ZXx", state))
		take_over(ticker);
}

void prof_ticker_exec(struct prof_ticker *ticker)
{
	prof_yielding_lock_acquire(&ticker->lock);
	take_over(ticker);
	prof_yielding_lock_release(&ticker->lock);
}
