/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The part of the ticker for what the host does with threads: it holds and releases them, makes
 * them known, and lets go of them.  Their figures are reported then.
 */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "base/yielding_lock.h"
#include "sampling/bursts.h"
#include "sampling/look_builder.h"
#include "sampling/marker.h"
#include "sampling/mask_guess.h"
#include "sampling/standing.h"
#include "sampling/watch.h"
#include "sampling/watches.h"
#include "target/procfs.h"

#include <pthread.h>

/* Reports WATCH's time until NOW, if its figures can still be read. */
static void report_known(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now)
{
	struct prof_schedstat schedstat = prof_watch_schedstat(watch);

	prof_ticker_read_event(ticker, watch, &schedstat);
	prof_ticker_align(ticker, watch, &schedstat, false);
	prof_ticker_count_runs(ticker, watch, &schedstat);
	if (watch->gone)
		prof_look_builder_ended(&ticker->builder, watch);
	else
		prof_look_builder_known(&ticker->builder, watch, now, &schedstat);
}

/* Reports the name of WATCH when it stops or ends. */
static void report_last_name(struct prof_ticker *ticker, struct prof_watch *watch)
{
	prof_watch_state(watch);
	prof_ticker_report_name(ticker, watch, false);
}

/*
 * Reports all threads until now; unless ALL, except those that a tick may have stopped. PARTS:
 * later figures must be separate from earlier ones.
 */
static void report_threads(struct prof_ticker *ticker, bool all, bool parts)
{
	int64_t now = prof_clock();

	if (!ticker->held)
		prof_ticker_read_cpus(ticker);
	for (size_t i = 0; i < ticker->watches.array.count && !ticker->held; i++) {
		struct prof_watch *watch = ticker->watches.array.items[i];
		if (!all && !watch->asleep && watch->sent)
			continue;
		if (parts)
			prof_standing_take(&ticker->builder, watch, &ticker->standing);
		report_known(ticker, watch, now);
		if (parts)
			prof_standing_forget(&ticker->builder, watch);
	}
	prof_look_builder_figures(&ticker->builder, now, !ticker->held);
}

void prof_ticker_hold(struct prof_ticker *ticker)
{
	prof_yielding_lock_acquire(&ticker->lock);
	if (!ticker->held) {
		report_threads(ticker, true, true);
		for (size_t i = 0; i < ticker->watches.array.count; i++)
			report_last_name(ticker, ticker->watches.array.items[i]);
		ticker->held = true;
		prof_ticker_arm(ticker);
		pthread_cond_signal(&ticker->wake);
	}
	prof_yielding_lock_release(&ticker->lock);
}

void prof_ticker_release(struct prof_ticker *ticker)
{
	prof_yielding_lock_acquire(&ticker->lock);
	if (ticker->held) {
		int64_t now = prof_clock();
		/* Samples that were taken on hold are left out. */
		prof_ticker_read_cpus(ticker);
		prof_ticker_switch_cpus(ticker, true);
		if (ticker->options.discover)
			prof_procfs_threads(ticker->options.process, prof_ticker_discover, ticker);
		for (size_t i = 0; i < ticker->watches.array.count; i++) {
			prof_watch_restart(ticker->watches.array.items[i], now);
			prof_ticker_resume(ticker->watches.array.items[i]);
			prof_mask_guess_begin(ticker->watches.array.items[i]);
		}
		ticker->held = false;
		ticker->last_round = now;
		prof_quiet_restart(&ticker->quiet);
		prof_ticker_arm(ticker);
		ticker->attention.heard = now;
		ticker->builder.counted = now;
		prof_pace_restart(&ticker->builder.pace, now);
		pthread_cond_signal(&ticker->wake);
	}
	prof_yielding_lock_release(&ticker->lock);
}

bool prof_ticker_watch(struct prof_ticker *ticker, pid_t thread, int note)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	bool known = watch != NULL;
	if (!watch)
		watch = prof_ticker_add(ticker, thread);
	if (watch && note) {
		watch->note = note;
		prof_bursts_go_on(&watch->bursts);
	}
	if (!known)
		prof_ticker_clock(ticker, watch);
	prof_yielding_lock_release(&ticker->lock);
	return watch && !known;
}

void prof_ticker_forget(struct prof_ticker *ticker, pid_t thread)
{
	if (ticker->options.marker)
		prof_marker_end(ticker->options.marker, ticker->options.process, thread);
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (watch && !ticker->held) {
		prof_ticker_read_cpus(ticker);
		report_known(ticker, watch, prof_clock());
		prof_look_builder_pass_on(&ticker->builder, watch);
		report_last_name(ticker, watch);
	}
	prof_watches_drop(&ticker->watches, thread);
	prof_yielding_lock_release(&ticker->lock);
}

void prof_ticker_report(struct prof_ticker *ticker)
{
	prof_yielding_lock_acquire(&ticker->lock);
	report_threads(ticker, false, false);
	prof_yielding_lock_release(&ticker->lock);
}

void prof_ticker_mark(struct prof_ticker *ticker)
{
	prof_yielding_lock_acquire(&ticker->lock);
	report_threads(ticker, false, true);
	prof_yielding_lock_release(&ticker->lock);
}
