/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The part of the ticker for threads that are ticked by alarms: when alarms run, and when one has
 * rung.
 */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "sampling/alarm.h"
#include "sampling/tick.h"
#include "sampling/watch.h"
#include "target/procfs.h"
#include "target/wait.h"

#include <errno.h>

/* ns after which the kernel is asked again for an alarm that it has refused. */
static const int64_t AGAIN = 100000000;

/*
 * A process with more threads than this gets no more alarms: all are switched off whenever the host
 * turns away, and the kernel interrupts a CPU for each.
 */
enum { ALARMS = 64 };

/* ns: the kernel rings no sooner. */
static const int64_t SOONEST = 10000;

/* If it has run for this many periods without a tick, the alarm may be another thread's. */
static const int64_t SILENT = 4;

/* ns: the thread that looks has had no CPU for so long. */
static const int64_t STALE = 20000000;

/*
 * Samples: if this many of a thread and of ended ones are missing, alarms miss threads, and a look
 * sends a tick.
 */
static const double OWED = 3;

/* ns of CPU time from when an alarm rings until the thread has stopped, on a virtual machine. */
static const int64_t STOPPING = 15000;

/* ns to the next tick. */
static int64_t next_period(struct prof_ticker *ticker, struct prof_watch *watch)
{
	int64_t ns = prof_pace_next(&ticker->builder.pace, &watch->place, 1);

	return ns > SOONEST ? ns : SOONEST;
}

/* Has the kernel refused WATCH an alarm recently? */
static bool is_refused(const struct prof_watch *watch)
{
	return watch->refused && prof_clock() - watch->refused < AGAIN;
}

/* Is there an alarm for WATCH that sends SIGNAL?  Creates one if possible. */
static bool has_alarm(struct prof_ticker *ticker, struct prof_watch *watch, int signal)
{
	struct prof_alarm *alarm = &watch->alarm;

	if (alarm->fd < 0) {
		if (is_refused(watch) || ticker->watches.array.count > ALARMS)
			return false;
		/* The first tick is at a random time in the first period. */
		watch->place = 1;
		bool opened =
			prof_alarm_open(alarm, watch->thread, signal, next_period(ticker, watch));
		watch->refused = opened || errno == ESRCH ? 0 : prof_clock();
		return opened;
	}
	if (alarm->signal == signal)
		return true;
	prof_ticker_withdraw(watch);
	if (!watch->sent && !prof_alarm_use(alarm, signal))
		prof_alarm_close(alarm);
	return alarm->fd >= 0;
}

void prof_ticker_withdraw(struct prof_watch *watch)
{
	if (!watch->alarm.on)
		return;
	prof_alarm_switch(&watch->alarm, false);
	watch->clock.sure = false; /* the alarm's clock stands still, and the thread may go on */
	int64_t rung = prof_alarm_rung(&watch->alarm);
	if (!rung || watch->sent)
		return;
	watch->sent_delay = prof_watch_schedstat(watch).delay;
	prof_watch_begin_tick(watch, watch->alarm.signal, rung);
}

/* May the alarm of WATCH run now? */
static bool may_run(const struct prof_ticker *ticker, const struct prof_watch *watch)
{
	return ticker->armed && !watch->stepped && !watch->masked && !watch->wanted &&
		!prof_tick_blocks(watch, watch->alarm.signal) &&
		!(watch->asleep && watch->wait.for_signals);
}

void prof_ticker_arm(struct prof_ticker *ticker)
{
	bool armed = ticker->options.alarms && ticker->attention.now && !ticker->held &&
		!ticker->leaving.thread;

	if (ticker->armed == armed)
		return;
	ticker->armed = armed;
	for (size_t i = 0; i < ticker->watches.array.count; i++) {
		struct prof_watch *watch = ticker->watches.array.items[i];
		if (!armed)
			prof_ticker_withdraw(watch);
		else
			prof_alarm_switch(&watch->alarm, may_run(ticker, watch));
	}
}

void prof_ticker_go_on(struct prof_ticker *ticker, struct prof_watch *watch)
{
	prof_alarm_switch(&watch->alarm, may_run(ticker, watch));
}

/* A period of WATCH's alarm begins: the alarm has rung, or was just created. */
static void begin_period(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	if (prof_alarm_rung(&watch->alarm))
		prof_alarm_set(&watch->alarm, next_period(ticker, watch));
	watch->rung_run = schedstat->run;
	prof_alarm_switch(&watch->alarm, may_run(ticker, watch));
	watch->clock.sure &= watch->alarm.on;
}

/* WATCH has no alarm yet. */
static void begin_alarm(struct prof_ticker *ticker, struct prof_watch *watch)
{
	if (watch->masked || is_refused(watch) || ticker->watches.array.count > ALARMS ||
		!prof_watch_state(watch))
		return;
	struct prof_schedstat schedstat = prof_watch_schedstat(watch);
	int signal = prof_ticker_choose(ticker, watch, &schedstat);
	if (signal && signal != SIGSTOP && has_alarm(ticker, watch, signal))
		begin_period(ticker, watch, &schedstat);
}

void prof_ticker_clock(struct prof_ticker *ticker, struct prof_watch *watch)
{
	if (!watch || ticker->held)
		return;
	if (ticker->options.kernel)
		prof_ticker_sample(ticker, watch);
	else if (ticker->options.alarms && watch->alarm.fd < 0)
		begin_alarm(ticker, watch);
}

bool prof_ticker_alarms(struct prof_ticker *ticker, struct prof_watch *watch, int signal,
	const struct prof_schedstat *schedstat)
{
	const struct prof_alarm *alarm = &watch->alarm;

	if (!ticker->armed || !signal || signal == SIGSTOP || watch->masked ||
		!has_alarm(ticker, watch, signal)) {
		prof_ticker_withdraw(watch);
		return watch->sent;
	}
	if (!alarm->on) {
		/* An alarm that was given up has rung. */
		begin_period(ticker, watch, schedstat);
		return true;
	}
	int64_t rung = prof_alarm_rung(alarm);
	/* Alarms are off while the host deals with events, which may happen again and again. */
	double since = (double)(schedstat->run - watch->run) / PROF_NS_PER_SECOND *
		ticker->builder.pace.rate;
	bool owed = !rung && watch->due + since + ticker->builder.owed > OWED;
	bool silent = !rung && schedstat->run - watch->rung_run > SILENT * alarm->period + AGAIN;
	if (silent || (rung && prof_clock() - rung > PROF_TICK_LOST_AFTER))
		prof_ticker_withdraw(watch);
	if (silent && !watch->sent)
		prof_alarm_close(&watch->alarm);
	return watch->sent || (!silent && !owed);
}

/*
 * Makes the alarm of WATCH, which has rung, send the signal that now fits the thread.
 *
 * Looks do that otherwise.  But when nobody has looked for a while, the process may have begun to
 * catch the signal: the kernel keeps one of two pending signals, so while the alarm's is pending,
 * the process would lose one that it sends itself.
 */
static void choose_again(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	struct prof_alarm *alarm = &watch->alarm;

	/* Reads which signals the process catches. */
	prof_watch_state(watch);
	int signal = prof_ticker_choose(ticker, watch, schedstat);
	if (signal && signal != SIGSTOP && signal != alarm->signal &&
		!prof_alarm_use(alarm, signal))
		prof_alarm_close(alarm);
}

/* A new period of WATCH, which was met, has begun. */
static void set_clock(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	struct prof_schedstat rang = *schedstat;

	/* The alarm's clock stood still from when it rang. */
	rang.run -= STOPPING;
	prof_ticker_set_clock(ticker, watch, &rang, watch->alarm.begun);
	watch->clock.run = schedstat->run;
}

void prof_ticker_rang(struct prof_ticker *ticker, struct prof_watch *watch, const siginfo_t *info,
	const struct prof_schedstat *schedstat)
{
	int64_t rung = prof_alarm_rung(&watch->alarm);

	/* If a tick was sent, too, there is one signal for both, with the data of either. */
	if (!rung || info->si_signo != watch->alarm.signal || !prof_tick_is_ours(info))
		return;
	if (!watch->sent)
		prof_watch_begin_tick(watch, info->si_signo, rung);
	/* It was running when its tick came. */
	watch->sent_delay = schedstat->delay;
	if (prof_clock() - watch->looked > STALE)
		choose_again(ticker, watch, schedstat);
	double part = (double)watch->alarm.period * ticker->builder.pace.rate / PROF_NS_PER_SECOND;
	watch->overdue =
		prof_lateness_judge(&watch->lateness, prof_alarm_late(&watch->alarm), part);
	watch->rung_place = watch->place;
	begin_period(ticker, watch, schedstat);
	if (watch->alarm.on)
		set_clock(ticker, watch, schedstat);
	watch->alarm.rang = true;
}
