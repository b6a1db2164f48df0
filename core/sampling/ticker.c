/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "base/yielding_lock.h"
#include "base/thread.h"
#include "recording/queue.h"
#include "sampling/alarm.h"
#include "sampling/budget.h"
#include "sampling/bursts.h"
#include "sampling/leaving.h"
#include "sampling/look_builder.h"
#include "sampling/marker.h"
#include "sampling/mask_guess.h"
#include "sampling/ring_rounds.h"
#include "sampling/tick.h"
#include "sampling/turns.h"
#include "sampling/unseen.h"
#include "sampling/walker.h"
#include "sampling/watch.h"
#include "sampling/watchdog.h"
#include "sampling/watches.h"
#include "target/arch.h"
#include "target/procfs.h"
#include "target/runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * In ns: a sleeping thread's time is reported every SLEEP_LOOK, new threads are searched for every
 * DISCOVER or later, and on hold, those that run nevertheless are looked at after REST, then later
 * and later.
 */
static const int64_t SLEEP_LOOK = PROF_NS_PER_SECOND * 7 / 10;
static const int64_t DISCOVER = PROF_NS_PER_SECOND / 20;
static const int64_t REST = PROF_NS_PER_SECOND / 50;

/* ns: how long a tick takes to stop its thread, until that was measured. */
static const int64_t LATENCY = 40000;

void prof_ticker_report_name(struct prof_ticker *ticker, struct prof_watch *watch, bool new)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_THREAD,
		.size = (uint32_t)strlen(watch->name) + 1,
		.thread = {.id = watch->thread, .renamed = !new},
	};

	if (watch->renamed)
		watch->renamed = !prof_queue_put(ticker->options.queue, &message, watch->name);
}

void prof_ticker_claim_signals(struct prof_ticker *ticker)
{
	ticker->claimed =
		prof_runtime_is_go(ticker->options.process) ? UINT32_C(1) << (SIGURG - 1) : 0;
}

struct prof_watch *prof_ticker_add(struct prof_ticker *ticker, pid_t thread)
{
	struct prof_watch *watch =
		prof_watches_add(&ticker->watches, ticker->options.process, thread);

	ticker->builder.figures.unread = ticker->watches.unread.count;
	if (!watch)
		return NULL;
	watch->watchdog = ticker->watchdog;
	prof_watch_claim(watch, ticker->claimed);
	/* A thread inherits the signal mask of the one that has created it. */
	if (ticker->masked && ticker->watchdog)
		watch->masked = PROF_MASK_GUESS_LOOKS;
	prof_mask_guess_begin(watch);
	watch->timer.used = ticker->options.timers && !ticker->options.short_work;
	watch->of_cpus = ticker->cpus;
	if (!ticker->held)
		prof_watch_newborn(watch);
	watch->counted = ticker->builder.round;
	/* Its state was read. */
	watch->renamed = true;
	prof_ticker_report_name(ticker, watch, true);
	return watch;
}

/*
 * Is it time to report what WATCH, which runs or wants a CPU, did since the last report?  Not if it
 * has not run since: the kernel accounts a wait for a CPU as it ends, so it would be reported
 * twice.
 */
static bool is_due(
	const struct prof_watch *watch, int64_t now, const struct prof_schedstat *schedstat)
{
	return now - watch->last > SLEEP_LOOK &&
		(schedstat->run > watch->run || schedstat->delay > watch->delay);
}

/* WATCH runs, or wants a CPU. */
static void look_at_runnable(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now,
	const struct prof_schedstat *schedstat)
{
	/*
	 * If it has waited for a CPU since it was met, a tick would stop it again before it went
	 * on: with more threads than CPUs, the program would hardly move.
	 */
	if (!watch->asleep && schedstat->slices == watch->met.slices) {
		if (!ticker->builder.wall)
			watch->counted = ticker->builder.round;
		return;
	}
	/* One with a timer is ticked whether the host listens or not. */
	bool sends = !watch->sent && !watch->stepped &&
		!prof_ticker_timed(ticker, watch, schedstat) &&
		!prof_attention_lacks(&ticker->attention, watch, &ticker->builder.figures);
	int signal = sends ? prof_ticker_choose(ticker, watch, schedstat) : 0;
	bool alarmed = sends && prof_ticker_alarms(ticker, watch, signal, schedstat);
	if (sends) {
		/* What it did until now was not met. */
		if ((watch->blocks && signal) || watch->unheard)
			prof_look_builder_known(&ticker->builder, watch, now, schedstat);
		watch->unheard = false;
		watch->blocks = !signal && watch->masked > 0;
		ticker->masked |= watch->masked == PROF_MASK_GUESS_LOOKS;
	}
	if (!signal || alarmed) {
		if (is_due(watch, now, schedstat))
			prof_look_builder_known(&ticker->builder, watch, now, schedstat);
		watch->asleep = false;
		return;
	}
	watch->sent_delay = schedstat->delay;
	/* A thread that the host stops is no longer under its program's control. */
	if (!ticker->leaving.thread && !watch->wanted)
		prof_tick_send(watch, signal);
}

/* The same if the kernel samples it. */
static void look_at_sampled(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now,
	const struct prof_schedstat *schedstat)
{
	if (is_due(watch, now, schedstat)) {
		prof_ticker_align(ticker, watch, schedstat, false);
		prof_look_builder_known(&ticker->builder, watch, now, schedstat);
	}
	watch->asleep = false;
}

/* The ns between two accounts of a thread in which it ran, or wanted a CPU. */
static int64_t busy_between(const struct prof_schedstat *from, const struct prof_schedstat *until)
{
	return until->run - from->run + until->delay - from->delay;
}

/*
 * The debugger holds WATCH, which is not the program's time.  The last look was at LOOKED, ROUNDS
 * ago.
 */
static void look_at_held(const struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t looked, uint64_t rounds, int64_t now, const struct prof_schedstat *schedstat)
{
	watch->held = true;
	watch->counted =
		watch->counted + rounds < builder->round ? watch->counted + rounds : builder->round;
	watch->held_since = now -
		prof_watch_keep(watch, watch->last > looked ? watch->last : looked, now, schedstat);
}

/* WATCH has slept since the last look at it. */
static void look_at_sleeping(struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t now, const struct prof_schedstat *schedstat)
{
	watch->waited = now;
	watch->accounted = now;
	if (!builder->wall)
		watch->counted = builder->round;
	if (now - watch->last > SLEEP_LOOK)
		prof_look_builder_known(builder, watch, now, schedstat);
}

/* Looks at WATCH: sends it a signal if it is running, or counts its time. */
static void look(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now)
{
	struct prof_look_builder *builder = &ticker->builder;
	int64_t looked = watch->looked;
	uint64_t rounds = builder->round - watch->round;

	watch->looked = now;
	watch->round = builder->round;
	if (watch->sent && (!watch->blocks || now - watch->sent > PROF_TICK_LOST_AFTER)) {
		if (!prof_tick_await(watch, now, &builder->figures) && ticker->attention.now &&
			prof_ticker_guards(ticker, watch))
			prof_tick_follow(watch);
		return;
	}
	struct prof_schedstat schedstat = prof_watch_schedstat(watch);
	prof_ticker_read_event(ticker, watch, &schedstat);
	if (watch->gone)
		return;
	if (schedstat.run != watch->run)
		prof_ticker_clock(ticker, watch);
	bool sleeps_on = watch->asleep && schedstat.slices == watch->slices;
	int64_t busy = busy_between(&watch->seen, &schedstat);
	prof_unseen_look(&ticker->unseen, watch, &schedstat);
	prof_ticker_count_runs(ticker, watch, &schedstat);
	prof_turns_look(watch);
	watch->held = false;
	if (sleeps_on) {
		look_at_sleeping(builder, watch, now, &schedstat);
		return;
	}
	char state = prof_watch_state(watch);
	watch->accounted =
		now - prof_quiet_look(&ticker->quiet, now - watch->accounted, busy, state == 'R');
	prof_ticker_report_name(ticker, watch, false);
	if (prof_tick_blocks(watch, watch->alarm.signal))
		prof_ticker_withdraw(watch);
	prof_ticker_strand(ticker, watch, state == 't', now);
	if (state == 'S')
		prof_ticker_recall(ticker, watch, &schedstat);
	switch (state) {
	case 'R':
		if (ticker->options.kernel)
			look_at_sampled(ticker, watch, now, &schedstat);
		else
			look_at_runnable(ticker, watch, now, &schedstat);
		break;
	case 'S':
	case 'D':
	case 'I':
		prof_ticker_sleeps(ticker, watch, now, &schedstat);
		break;
	case 't':
	case 'T':
		look_at_held(builder, watch, looked, rounds, now, &schedstat);
		break;
	default:
		break;
	}
}

void prof_ticker_discover(void *context, pid_t thread)
{
	struct prof_ticker *ticker = context;

	/* A thread that has ended but was not waited for yet was reported already. */
	if (!prof_watches_find(&ticker->watches, thread) &&
		!prof_procfs_ended(ticker->options.process, thread))
		prof_ticker_clock(ticker, prof_ticker_add(ticker, thread));
}

/* The periods in which the debugger held the process are no rounds.  Some are counted later. */
static void drop_rounds(struct prof_ticker *ticker)
{
	int64_t period = (int64_t)(PROF_NS_PER_SECOND / ticker->builder.pace.rate);
	uint64_t dropped = (uint64_t)(ticker->stood / period);

	if (dropped > ticker->builder.figures.rounds)
		dropped = ticker->builder.figures.rounds;
	ticker->builder.figures.rounds -= dropped;
	ticker->stood -= (int64_t)dropped * period;
}

/*
 * Debuggers also stop a process without notice, for example to read the symbols of a library.  That
 * is not the program's time, so the time that a round finds all threads held is left out.  What
 * came after the oldest look is decided in a later round.
 */
static void count_round(struct prof_ticker *ticker, int64_t now)
{
	int64_t since = ticker->last_round, until = now;
	bool held = prof_watches_held(&ticker->watches, &since, &until);
	bool stands = held && since < until;

	if (!held)
		ticker->last_round = now;
	else if (stands)
		ticker->last_round = until;
	if (stands)
		ticker->stood += until - since;
	drop_rounds(ticker);
	if (stands)
		prof_look_builder_stood(&ticker->builder, since, until);
}

/* Ends a round that began at NOW. */
static void finish_round(struct prof_ticker *ticker, int64_t now)
{
	struct prof_look_builder *builder = &ticker->builder;
	/* Looks at each sleeping thread once in ten seconds at least. */
	uint64_t largest = (uint64_t)(10 * builder->pace.rate) + 1;

	builder->figures.looking +=
		prof_budget_adjust(&ticker->budget, prof_clock(), prof_clock_used(), largest);
	if (ticker->budget.stride > builder->figures.stride)
		builder->figures.stride = ticker->budget.stride;
	if (prof_pace_adjust(&builder->pace, now))
		prof_look_builder_figures(builder, now, !ticker->held);
}

static void look_at_all(struct prof_ticker *ticker, int64_t now, enum prof_pass pass)
{
	for (size_t i = 0; i < ticker->watches.array.count && !ticker->held && !ticker->quit; i++) {
		struct prof_watch *watch = ticker->watches.array.items[i];
		pid_t thread = watch->thread;
		if ((pass == PROF_PASS_AWAKE && prof_ticker_has_samples(watch)) ||
			prof_turns_choose(
				watch, pass, ticker->builder.round, ticker->budget.stride)) {
			look(ticker, watch, now);
		} else if (pass != PROF_PASS_SEARCH) {
			continue;
		}
		/* Meanwhile, threads may have begun and ended. */
		watch = prof_watches_find(&ticker->watches, thread);
		bool gone = !watch || watch->gone;
		if (watch && gone) {
			/* It may have been sampled since the round began. */
			prof_ticker_read_cpus(ticker);
			prof_look_builder_ended(&ticker->builder, watch);
		}
		if (gone)
			prof_watches_drop(&ticker->watches, thread);
		i -= gone;
		/* After the last round it does so anyway. */
		if (i + 1 < ticker->watches.array.count)
			prof_yielding_lock_yield(&ticker->lock);
	}
}

/* Looks at resting threads, as far as the budget allows. */
static void look_at_resting(struct prof_ticker *ticker, int64_t now)
{
	int64_t used = prof_clock_used();

	look_at_all(ticker, now, PROF_PASS_TURNS);
	ticker->budget.turns += prof_clock_used() - used;
	if (ticker->budget.stride > 1 && prof_unseen_is_due(&ticker->unseen, now)) {
		used = prof_clock_used();
		now = prof_clock();
		look_at_all(ticker, now, PROF_PASS_SEARCH);
		prof_unseen_searched(&ticker->unseen, now, prof_clock_used() - used);
	}
}

/* Does one round. */
static void tick(struct prof_ticker *ticker)
{
	int64_t now = prof_clock();

	prof_ticker_end_leaving(ticker);
	if (ticker->options.discover && now > ticker->discover_at) {
		int64_t used = prof_clock_used();
		prof_procfs_threads(ticker->options.process, prof_ticker_discover, ticker);
		ticker->discover_at = now + prof_budget_rest(prof_clock_used() - used, DISCOVER);
	}
	prof_attention_begin(&ticker->attention, now);
	prof_ticker_arm(ticker);
	ticker->builder.round++;
	ticker->builder.figures.rounds++;
	prof_ticker_read_cpus(ticker);
	look_at_all(ticker, now, PROF_PASS_AWAKE);
	look_at_resting(ticker, now);
	if (!ticker->held)
		count_round(ticker, now);
	finish_round(ticker, now);
}

static void report(void *ticker)
{
	prof_ticker_mark(ticker);
}

static void wait_on_hold(struct prof_ticker *ticker)
{
	for (int64_t span = REST; ticker->held && !ticker->quit;
		span *= span < PROF_NS_PER_SECOND ? 2 : 1) {
		prof_thread_wait(&ticker->wake, &ticker->lock.mutex, prof_clock() + span);
		prof_ticker_rest(ticker);
	}
}

/*
 * Returns when the PERIOD of NOW began if the ticker had no CPU for longer since BEGIN: the
 * kernel's clock goes on meanwhile, but other ticks are not repeated.  Does not do so if waiting
 * threads count.
 */
static int64_t pass_over(struct prof_ticker *ticker, int64_t begin, int64_t now, int64_t period)
{
	const struct prof_ticker_options *by = &ticker->options;
	int64_t missed = (now - begin) / period;

	if (by->wall || !(by->kernel || by->alarms || prof_ticker_has_timers(ticker)))
		return now;
	ticker->builder.figures.rounds += (uint64_t)missed;
	return begin + missed * period;
}

/*
 * The number of periods, of PERIOD ns, from the last round to the next.  Waiting threads count as
 * samples in each, and where the kernel samples CPUs, threads that take turns are rarely looked at
 * anyway.
 */
static int64_t periods_to_next(struct prof_ticker *ticker, int64_t period)
{
	int64_t periods = prof_quiet_end_round(&ticker->quiet, period);

	if (!ticker->options.kernel || ticker->builder.wall)
		return 1;
	if (!ticker->cpus)
		periods = prof_ring_rounds(prof_ticker_room(ticker), period, periods > 1);
	else if (ticker->budget.stride > 1)
		return 1;
	ticker->builder.figures.rounds += (uint64_t)periods - 1;
	return periods;
}

/*
 * When the next round is due, one of PERIODS that begin at BEGIN.  The rings
 * of CPUs must not be full by then.
 */
static int64_t next_round(struct prof_ticker *ticker, int64_t begin, int64_t periods)
{
	int64_t after = prof_pace_first(&ticker->builder.pace);

	return begin + (ticker->cpus ? after : after * periods);
}

static void *run(void *argument)
{
	struct prof_ticker *ticker = argument;

	pthread_mutex_lock(&ticker->lock.mutex);
	int64_t period = (int64_t)(PROF_NS_PER_SECOND / ticker->builder.pace.rate);
	int64_t begin = prof_clock();
	int64_t due = begin + prof_pace_first(&ticker->builder.pace);
	prof_budget_restart(&ticker->budget, begin, prof_clock_used());
	while (!ticker->quit) {
		int64_t now = prof_clock();
		if (ticker->held) {
			/*
			 * The next tick only comes closer while the process runs: many short
			 * stretches get as many samples as one long stretch.
			 */
			wait_on_hold(ticker);
			int64_t held = prof_clock() - now;
			begin += held;
			due += held;
			prof_budget_restart(&ticker->budget, now + held, prof_clock_used());
		} else if (now < due) {
			prof_thread_wait(&ticker->wake, &ticker->lock.mutex, due);
		} else {
			tick(ticker);
			int64_t periods = periods_to_next(ticker, period);
			begin += period * periods;
			period = (int64_t)(PROF_NS_PER_SECOND / ticker->builder.pace.rate);
			if (begin + period < now)
				begin = pass_over(ticker, begin, now, period);
			due = next_round(ticker, begin, periods);
		}
	}
	pthread_mutex_unlock(&ticker->lock.mutex);
	return NULL;
}

struct prof_error *prof_ticker_create(
	const struct prof_ticker_options *options, struct prof_ticker **ret)
{
	struct prof_ticker *ticker = calloc(1, sizeof *ticker);

	if (!ticker)
		return prof_error_nomem();
	ticker->options = *options;
	ticker->arch = prof_arch_native();
	ticker->held = true;
	ticker->latency = LATENCY;
	ticker->attention.listens = options->listens;
	ticker->unseen.process = options->process;
	prof_ticker_claim_signals(ticker);
	ticker->builder = (struct prof_look_builder){
		.queue = options->queue,
		.walker = options->walker,
		.wall = options->wall,
	};
	prof_pace_init(&ticker->builder.pace, options->rate, options->max_stopped);
	prof_budget_init(&ticker->budget);
	if (options->watchdog)
		ticker->watchdog = prof_watchdog_add(options->watchdog, options->process);
	if (options->walker) {
		size_t depth = prof_walker_max_depth(options->walker);
		struct prof_error *error = prof_stack_init(&ticker->stack, depth);
		if (!error)
			error = prof_stack_init(&ticker->standing, depth);
		if (error) {
			prof_watchdog_remove(ticker->watchdog);
			prof_stack_deinit(&ticker->stack);
			free(ticker);
			return error;
		}
	}
	prof_ticker_open_cpus(ticker);
	ticker->builder.switches.exact = !ticker->cpus;
	prof_yielding_lock_init(&ticker->lock);
	prof_thread_condition(&ticker->wake);
	struct prof_error *error = prof_thread_start(
		run, ticker, "gdbprof-ticker", "The sampling thread", &ticker->thread);
	if (error) {
		prof_watchdog_remove(ticker->watchdog);
		prof_family_events_destroy(ticker->cpus);
		prof_stack_deinit(&ticker->stack);
		prof_stack_deinit(&ticker->standing);
		free(ticker);
		return error;
	}
	if (options->marker && !prof_marker_listen(options->marker, report, ticker)) {
		ticker->options.marker = NULL;
		prof_ticker_destroy(ticker);
		return prof_error_nomem();
	}
	*ret = ticker;
	return NULL;
}

void prof_ticker_destroy(struct prof_ticker *ticker)
{
	if (!ticker)
		return;
	prof_ticker_mute(ticker);
	prof_yielding_lock_acquire(&ticker->lock);
	ticker->quit = true;
	pthread_cond_signal(&ticker->wake);
	prof_yielding_lock_release(&ticker->lock);
	pthread_join(ticker->thread, NULL);
	prof_watches_deinit(&ticker->watches);
	prof_family_events_destroy(ticker->cpus);
	prof_watchdog_remove(ticker->watchdog);
	prof_stack_deinit(&ticker->stack);
	prof_stack_deinit(&ticker->standing);
	pthread_cond_destroy(&ticker->wake);
	prof_yielding_lock_deinit(&ticker->lock);
	free(ticker);
}

void prof_ticker_mute(struct prof_ticker *ticker)
{
	/* The marker may be waiting for the lock. */
	if (ticker->options.marker)
		prof_marker_ignore(ticker->options.marker, ticker);
	ticker->options.marker = NULL;
}
