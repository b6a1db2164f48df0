/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The part of the ticker on the host's thread: it meets threads that have stopped, and keeps back
 * threads that leave.
 */
#include "sampling/ticker_private.h"

#include "sampling/alarm.h"
#include "sampling/standing.h"
#include "sampling/watch.h"
#include "sampling/watchdog.h"
#include "target/procfs.h"

#include "base/clock.h"
#include "sampling/tick.h"

bool prof_ticker_guards(struct prof_ticker *ticker, struct prof_watch *watch)
{
	if (watch->watchdog && prof_watchdog_start(ticker->options.watchdog))
		return true;
	watch->watchdog = NULL;
	return false;
}

int prof_ticker_choose(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	int signal = prof_tick_choose(watch, ticker->options.signal, schedstat);

	return signal != SIGSTOP || prof_ticker_guards(ticker, watch) ? signal : 0;
}

/* Makes WATCH, which leaves, stop once more before it goes on, if it must wait for another. */
static void keep_back(struct prof_ticker *ticker, struct prof_watch *watch)
{
	int64_t now = prof_clock();
	bool waits = false;

	for (size_t i = 0; i < ticker->watches.array.count && !waits; i++)
		waits = prof_leaving_waits_for(
			&ticker->leaving, ticker->watches.array.items[i], now);
	prof_leaving_keep(&ticker->leaving, watch);
	if (waits && !watch->sent && prof_watch_state(watch)) {
		struct prof_schedstat schedstat = prof_watch_schedstat(watch);
		int signal = prof_ticker_choose(ticker, watch, &schedstat);
		if (signal)
			prof_tick_send(watch, signal);
	}
}

void prof_ticker_leave(struct prof_ticker *ticker, pid_t thread)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (!watch)
		watch = prof_ticker_add(ticker, thread);
	if (watch && !ticker->leaving.thread) {
		prof_leaving_begin(&ticker->leaving, watch, prof_clock());
		prof_ticker_arm(ticker);
		keep_back(ticker, watch);
	}
	prof_yielding_lock_release(&ticker->lock);
}

/* The host has dealt with its events: it lets threads go on, or waits for them. */
static void attend(struct prof_ticker *ticker)
{
	ticker->attention.now = true;
	ticker->attention.heard = prof_clock();
	prof_ticker_arm(ticker);
}

bool prof_ticker_step(struct prof_ticker *ticker, pid_t thread, bool stepped)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (!watch && stepped)
		watch = prof_ticker_add(ticker, thread);
	if (watch)
		watch->stepped = stepped;
	if (watch && stepped)
		prof_ticker_withdraw(watch);
	/*
	 * A host that has a breakpoint to deal with at each look would never seem to listen, nor
	 * the thread to run.
	 */
	if (watch && !stepped && ticker->options.alarms) {
		attend(ticker);
		prof_ticker_go_on(ticker, watch);
	}
	/* Ticks keep a thread that leaves where it is. */
	bool pending = watch && stepped && watch->sent && thread != ticker->leaving.thread;
	prof_yielding_lock_release(&ticker->lock);
	return pending;
}

void prof_ticker_want(struct prof_ticker *ticker, pid_t thread)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (watch)
		watch->wanted = true;
	prof_yielding_lock_release(&ticker->lock);
}

bool prof_ticker_wants(struct prof_ticker *ticker, pid_t thread)
{
	prof_yielding_lock_acquire(&ticker->lock);
	const struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	bool wants = watch && watch->wanted;
	prof_yielding_lock_release(&ticker->lock);
	return wants;
}

void prof_ticker_got(struct prof_ticker *ticker, pid_t thread)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (watch)
		watch->wanted = false;
	prof_yielding_lock_release(&ticker->lock);
}

/* See prof_ticker_meet(). */
static enum prof_met identify(const struct prof_watch *watch, const siginfo_t *info)
{
	bool ours = prof_tick_is_ours(info);
	bool due = watch->sent && info->si_signo == watch->signal;

	if (info->si_signo == SIGSTOP && watch->wanted && !prof_tick_is_pending(watch, SIGSTOP))
		return due ? PROF_MET_BOTH : PROF_MET_NOTHING;
	if (ours)
		return due ? PROF_MET_TICK : PROF_MET_STRAY;
	if (due && prof_tick_is_blank(info) && !prof_tick_is_pending(watch, info->si_signo))
		return PROF_MET_TICK;
	return PROF_MET_NOTHING;
}

/*
 * Has the thread of WATCH stopped for the first of two ticks?  INFO is that of its signal.  The
 * ticker has sent one tick, and the thread's alarm or CPU timer the other.  The kernel merges both
 * into one signal, unless the thread had already taken the first.
 */
static bool is_first_of_two(const struct prof_watch *watch, const siginfo_t *info)
{
	return watch->sent && info->si_signo == watch->signal && prof_tick_is_ours(info) &&
		(prof_alarm_rung(&watch->alarm) || prof_tick_is_of_timer(info)) &&
		prof_tick_is_pending(watch, info->si_signo);
}

/*
 * Takes the ticks that are pending behind WATCH's mask; its timer may have used a signal that is
 * blocked now. Not at a stop that the host waits for, which must stay as it is: the next tick takes
 * them.
 */
static uint32_t take_behind(struct prof_watch *watch, enum prof_met met)
{
	uint32_t behind = watch->behind;

	if (met != PROF_MET_TICK)
		return 0;
	watch->behind = 0;
	if (watch->timer.on && prof_tick_blocks(watch, watch->timer.signal))
		behind |= UINT32_C(1) << (watch->timer.signal - 1);
	return behind;
}

bool prof_ticker_meet(
	struct prof_ticker *ticker, pid_t thread, const siginfo_t *info, struct prof_meeting *ret)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	struct prof_schedstat schedstat = {0};
	if (watch) {
		schedstat = prof_watch_schedstat(watch);
		bool first = is_first_of_two(watch, info);
		if (!first)
			prof_ticker_rang(ticker, watch, info, &schedstat);
		prof_ticker_expired(ticker, watch, info, &schedstat);
		*ret = (struct prof_meeting){
			.met = first ? PROF_MET_STRAY : identify(watch, info),
			.note = watch->note,
			.timed = watch->timer.rang,
			.first = watch->timer.rang && !watch->timed,
		};
		watch->timed |= watch->timer.rang;
		ret->behind = take_behind(watch, ret->met);
	}
	if (watch && ret->met != PROF_MET_NOTHING)
		prof_bursts_go_on(&watch->bursts);
	if (watch && ret->met >= PROF_MET_TICK) {
		watch->met_tick = true;
		watch->met = schedstat;
		prof_ticker_wind(ticker, watch, &schedstat, ret);
	}
	prof_yielding_lock_release(&ticker->lock);
	return watch;
}

bool prof_ticker_owes(struct prof_ticker *ticker, pid_t thread)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (watch)
		prof_ticker_withdraw(watch);
	bool owes = watch && (watch->sent || watch->timer.on);
	prof_yielding_lock_release(&ticker->lock);
	return owes;
}

void prof_ticker_settle(struct prof_ticker *ticker, pid_t thread, int64_t now,
	enum prof_within within, struct prof_look *look)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (!look) {
		if (watch)
			prof_watch_end_tick(watch);
	} else if (watch) {
		/* After the report of its stop it may have been running for a moment. */
		struct prof_schedstat schedstat = prof_watch_schedstat(watch);
		prof_look_builder_met(&ticker->builder, watch, now, &schedstat, within, look);
		if (thread == ticker->leaving.thread) {
			look->samples = 0;
			keep_back(ticker, watch);
		}
	} else {
		*look = (struct prof_look){
			.time = now,
			.thread = thread,
			.process = ticker->options.process,
			.samples = 1,
		};
	}
	prof_yielding_lock_release(&ticker->lock);
}

void prof_ticker_heed(struct prof_ticker *ticker)
{
	if (!ticker->options.alarms)
		return;
	prof_yielding_lock_acquire(&ticker->lock);
	attend(ticker);
	prof_yielding_lock_release(&ticker->lock);
}

size_t prof_ticker_hush(struct prof_ticker *ticker, struct prof_owed *owed, size_t room)
{
	size_t count = 0;

	prof_yielding_lock_acquire(&ticker->lock);
	ticker->attention.now = false;
	if (ticker->options.timers)
		ticker->attention.heard = prof_clock();
	prof_ticker_arm(ticker);
	for (size_t i = 0; i < ticker->watches.array.count && count < room && !ticker->held; i++) {
		const struct prof_watch *watch = ticker->watches.array.items[i];
		if (watch->sent && !watch->blocks)
			owed[count++] = (struct prof_owed){watch->thread, watch->sent};
	}
	prof_yielding_lock_release(&ticker->lock);
	return count;
}

bool prof_ticker_outstanding(struct prof_ticker *ticker)
{
	bool outstanding = false;

	prof_yielding_lock_acquire(&ticker->lock);
	for (size_t i = 0; i < ticker->watches.array.count && !outstanding; i++) {
		struct prof_watch *watch = ticker->watches.array.items[i];
		/* One that has ended will not meet it any more. */
		outstanding = watch->sent && prof_watch_state(watch);
	}
	prof_yielding_lock_release(&ticker->lock);
	return outstanding;
}

bool prof_ticker_lacks(struct prof_ticker *ticker, pid_t thread)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch =
		ticker->held ? NULL : prof_watches_find(&ticker->watches, thread);
	bool lacks = watch && prof_standing_lacks(watch);
	prof_yielding_lock_release(&ticker->lock);
	return lacks;
}

void prof_ticker_stand(struct prof_ticker *ticker, pid_t thread, const uint64_t *frames,
	size_t depth, enum prof_stack_end end)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (watch)
		prof_standing_report(&ticker->builder, watch, frames, depth, end);
	prof_yielding_lock_release(&ticker->lock);
}
