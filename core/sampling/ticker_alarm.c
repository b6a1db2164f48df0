/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ticker's part where threads are ticked by alarms: when these run, and when one has rung. */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "sampling/tick.h"

#include <errno.h>

/* ns after which the kernel is asked again for an alarm that it refused. */
static const int64_t AGAIN = 100000000;

/* A process with more threads than that gets no more alarms: whenever the host turns away each is
 * switched off, for which the kernel interrupts a CPU. */
enum { ALARMS = 64 };

/* ns: the kernel does not ring sooner. */
static const int64_t SOONEST = 10000;

/* It has run for so many periods, and no tick came: its alarm may be that of another thread. */
static const int64_t SILENT = 4;

/* ns: who looks at threads has had no CPU for so long. */
static const int64_t STALE = 20000000;

/* Samples: if so many are missing, of a thread and of those that have ended, alarms miss the
 * threads, and a look sends a tick. */
static const double OWED = 3;

/* ns to the next tick. */
static int64_t next_period(struct prof_ticker *ticker, struct prof_watch *watch)
{
	int64_t ns = prof_pace_next(&ticker->builder.pace, &watch->place, 1);

	return ns > SOONEST ? ns : SOONEST;
}

/* Did the kernel refuse WATCH an alarm just now? */
static bool is_refused(const struct prof_watch *watch)
{
	return watch->refused && prof_clock() - watch->refused < AGAIN;
}

/* Is there an alarm for WATCH that sends SIGNAL?  Sets one up, if that is possible. */
static bool has_alarm(struct prof_ticker *ticker, struct prof_watch *watch, int signal)
{
	struct prof_alarm *alarm = &watch->alarm;

	if (alarm->fd < 0) {
		if (is_refused(watch) || ticker->watches.array.count > ALARMS)
			return false;
		/* The first tick is anywhere in the first period. */
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

/* A period of WATCH's alarm begins: it has rung, or was just set up. */
static void begin_period(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	if (prof_alarm_rung(&watch->alarm))
		prof_alarm_set(&watch->alarm, next_period(ticker, watch));
	watch->rung_run = schedstat->run;
	prof_alarm_switch(&watch->alarm, may_run(ticker, watch));
}

/* WATCH has none yet. */
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
		/* One that was given up has rung. */
		begin_period(ticker, watch, schedstat);
		return true;
	}
	int64_t rung = prof_alarm_rung(alarm);
	/* Alarms are off while the host deals with events, and it may do so again and again. */
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
 * The alarm of WATCH, which has rung, is to send the signal that fits the thread now.
 *
 * Who looks sees to that otherwise.  But when nobody has looked for a while, the process may have
 * begun to catch the signal: the kernel keeps one of two that are pending, so the process would
 * lose one that it sends itself while the alarm's is.
 */
static void choose_again(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	struct prof_alarm *alarm = &watch->alarm;

	/* Reads what the process catches. */
	prof_watch_state(watch);
	int signal = prof_ticker_choose(ticker, watch, schedstat);
	if (signal && signal != SIGSTOP && signal != alarm->signal &&
		!prof_alarm_use(alarm, signal))
		prof_alarm_close(alarm);
}

void prof_ticker_rang(struct prof_ticker *ticker, struct prof_watch *watch, const siginfo_t *info,
	const struct prof_schedstat *schedstat)
{
	int64_t rung = prof_alarm_rung(&watch->alarm);

	/* If a tick was sent too, there is one signal of both, with what either says. */
	if (!rung || info->si_signo != watch->alarm.signal || !prof_tick_is_ours(info))
		return;
	if (!watch->sent)
		prof_watch_begin_tick(watch, info->si_signo, rung);
	/* It came while its thread was on a CPU. */
	watch->sent_delay = schedstat->delay;
	if (prof_clock() - watch->looked > STALE)
		choose_again(ticker, watch, schedstat);
	begin_period(ticker, watch, schedstat);
	watch->alarm.rang = true;
}
