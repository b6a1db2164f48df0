/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The part of the ticker for threads that are ticked by CPU timers of the program, see
 * cpu_timers.h.
 */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "sampling/tick.h"
#include "sampling/watch.h"
#include "target/procfs.h"

/* ns: a kernel checks CPU timers only at timer interrupts, at least a hundred in a second. */
static const int64_t GRAIN = 10000000;

/* ns: from a signal to the stop that the host sees, if it listens. */
static const int64_t LONGEST_LATENCY = PROF_NS_PER_MS;

/* ns: a host that has been away for this long may stay away for longer. */
static const int64_t MOMENT = 5000000;

/* ns: the shortest time for a timer. */
static const int64_t SOONEST = 10000;

/*
 * If it has run for this many periods and interrupts without a tick, its timer is gone.  A thread
 * that works for a few microseconds at a time can be off its CPU at several interrupts in a row;
 * looks would find it in its system calls more often than it is there.
 */
static const int64_t SILENT = 10;

/*
 * If timers of a thread are gone so many times in a row, interrupts never meet it, because a clock
 * begins its work.  On a machine with more busy threads than CPUs, others may have the CPUs at
 * interrupts for as long as one of them lasts.
 */
enum { MISSED = 3 };

/*
 * The timer of WATCH, whose state was just read, is on: does it use a signal that can no longer be
 * a tick?  A blocked signal waits for the program's sigwait() or signalfd; a signal that the
 * process catches, and sends itself, would be lost while the timer's is pending.
 */
static bool misfits(const struct prof_ticker *ticker, const struct prof_watch *watch)
{
	int signal = watch->timer.signal;

	return prof_tick_blocks(watch, signal) ||
		(signal == SIGURG && !ticker->options.signal &&
			watch->masks.caught >> (SIGURG - 1) & 1);
}

bool prof_ticker_timed(const struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	struct prof_timer *timer = &watch->timer;

	if (timer->on && schedstat->run - timer->run > SILENT * (timer->period + GRAIN)) {
		timer->on = false;
		watch->silences++;
		watch->beats |= watch->silences >= MISSED && ticker->options.short_work;
	}
	return timer->on && !misfits(ticker, watch);
}

void prof_ticker_recall(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	if (!watch->timer.on || !prof_tick_blocks(watch, watch->timer.signal) ||
		!ticker->attention.now || ticker->leaving.thread || watch->sent || watch->stepped ||
		watch->wanted)
		return;
	int signal = prof_ticker_choose(ticker, watch, schedstat);
	watch->sent_delay = schedstat->delay;
	if (signal)
		prof_tick_send(watch, signal);
}

void prof_ticker_expired(struct prof_ticker *ticker, struct prof_watch *watch,
	const siginfo_t *info, const struct prof_schedstat *schedstat)
{
	struct prof_timer *timer = &watch->timer;

	if (!prof_tick_is_of_timer(info))
		return;
	timer->late = timer->on ? schedstat->run - timer->run - timer->period : 0;
	watch->silences = 0;
	if (timer->on && ticker->options.short_work)
		watch->beats |= prof_in_step_add(&watch->in_step, timer->late,
			schedstat->run - timer->run, prof_clock() - timer->set, prof_clock_tick());
	timer->on = false;
	/* One that comes while the debugger holds the process is no sample. */
	if (ticker->held || watch->stepped || !ticker->options.timers)
		return;
	if (!watch->sent)
		prof_watch_begin_tick(watch, info->si_signo, prof_clock() - ticker->latency);
	watch->sent_delay = schedstat->delay;
	timer->rang = true;
	/* Where in its period interrupts let it ring is chance. */
	watch->rung_place = 1;
}

void prof_ticker_strand(
	struct prof_ticker *ticker, struct prof_watch *watch, bool stands, int64_t now)
{
	struct prof_timer *timer = &watch->timer;

	if (!stands && timer->released)
		*timer = (struct prof_timer){.used = true};
	/* Once: if the timer did not stop it, the host holds it. */
	if (!stands || !timer->on || timer->released || !ticker->options.release ||
		ticker->attention.now || now - ticker->attention.heard < MOMENT)
		return;
	timer->released = true;
	ticker->options.release(watch->thread, watch->note);
}

void prof_ticker_count_runs(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	int64_t burst = prof_watch_has_clock(watch) ? PROF_BURST_CLOCKED : PROF_BURST;
	struct prof_runs runs = prof_bursts_count(&watch->bursts, schedstat, burst);
	uint64_t waits;

	ticker->builder.figures.bursts += runs.bursts;
	if (!ticker->options.short_work ||
		!prof_short_evidence_add(&watch->short_evidence, &runs) ||
		!prof_procfs_waits(watch->process, watch->thread, &waits))
		return;
	/* Stops are waits by the kernel's account. */
	runs = prof_short_evidence_judge(
		&watch->short_evidence, (int64_t)(waits - watch->bursts.stops));
	prof_short_work_add(&watch->short_work, &runs);
	/* Once it works otherwise, it may have another timer. */
	watch->beats &= watch->short_work.large;
	prof_short_work_add(&ticker->short_work, &runs);
}

bool prof_ticker_has_timers(const struct prof_ticker *ticker)
{
	bool any = ticker->options.timers && !ticker->options.short_work;

	for (size_t i = 0; ticker->options.timers && i < ticker->watches.array.count && !any; i++)
		any = ticker->watches.array.items[i]->timer.on;
	return any;
}

/*
 * WATCH has met a tick that was sent to it, without waiting for a CPU: learns how long that takes,
 * because a timer does not say when it rang.
 */
static void learn_latency(struct prof_ticker *ticker, const struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	int64_t took = prof_clock() - watch->sent;

	if (!watch->timer.rang && schedstat->delay == watch->sent_delay && took < LONGEST_LATENCY)
		ticker->latency += (took - ticker->latency) / 8;
}

/* Is WATCH to have a timer? */
static bool needs_timer(const struct prof_ticker *ticker, const struct prof_watch *watch)
{
	if (!ticker->options.short_work)
		return ticker->options.timers;
	return !watch->beats &&
		prof_short_work_needs_timer(&watch->short_work, &ticker->short_work);
}

/* May the timer of WATCH run from now on? */
static bool may_ring(const struct prof_ticker *ticker, const struct prof_watch *watch)
{
	return needs_timer(ticker, watch) && !ticker->held && !ticker->leaving.thread &&
		!watch->stepped && !watch->wanted && !watch->masked;
}

void prof_ticker_wind(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat, struct prof_meeting *meeting)
{
	struct prof_timer *timer = &watch->timer;

	learn_latency(ticker, watch, schedstat);
	meeting->beats = watch->beats;
	if (!ticker->options.timers || !prof_watch_state(watch) ||
		(timer->on && needs_timer(ticker, watch) && !misfits(ticker, watch)))
		return;
	int signal = may_ring(ticker, watch) ? prof_ticker_choose(ticker, watch, schedstat) : 0;
	if (!signal || signal == SIGSTOP) {
		/* One that is not needed any more has just rung. */
		meeting->ends = timer->on || (timer->used && !needs_timer(ticker, watch));
		return;
	}
	if (!timer->used)
		watch->place = 0.5;
	/* If it was late, it comes as much sooner next time, so that the rate is kept. */
	int64_t period = prof_pace_next(&ticker->builder.pace, &watch->place, 1) - timer->late;
	if (period < SOONEST)
		period = SOONEST;
	*timer = (struct prof_timer){.used = true,
		.on = true,
		.rang = timer->rang,
		.signal = signal,
		.run = schedstat->run,
		.period = period,
		.set = prof_clock()};
	meeting->period = period;
	meeting->ring = signal;
}

void prof_ticker_unset(struct prof_ticker *ticker, pid_t thread, bool lacks)
{
	prof_yielding_lock_acquire(&ticker->lock);
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);
	if (watch)
		watch->timer = (struct prof_timer){.used = !lacks, .rang = watch->timer.rang};
	prof_yielding_lock_release(&ticker->lock);
}
