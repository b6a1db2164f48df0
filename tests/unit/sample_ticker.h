/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of core/sampling/ticker.c share: a child under a ticker. */
#ifndef PROF_TESTS_SAMPLE_TICKER_H
#define PROF_TESTS_SAMPLE_TICKER_H

#include "recording/look.h"
#include "recording/queue.h"
#include "sampling/ticker_private.h"

#include "sample_child.h"

#include <sched.h>
#include <sys/ptrace.h>

/*
 * A child under a ticker.  The test is its debugger, and meets the ticks: it polls, so that it
 * never waits for a tick that must not come.
 */
struct host {
	pid_t child;
	struct prof_queue *queue;
	struct prof_ticker *ticker;

	/* What was told by looks and by figures until now. */
	uint64_t met, samples, sleeps, named;
	int64_t cpu, delay, other, last;
	struct prof_figures figures;
};

enum { NOTE = 7 };

static inline struct prof_ticker_options usual(double rate)
{
	return (struct prof_ticker_options){.rate = rate, .max_stopped = 1};
}

/* Starts a child that runs FUNCTION, TRACED or not, and a ticker that watches it, on hold. */
static inline struct host start(
	void (*function)(void), bool traced, struct prof_ticker_options options)
{
	struct host host = {.child = child_start(function)};

	if (traced)
		ck_assert_int_eq(ptrace(PTRACE_SEIZE, host.child, NULL,
					 (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE)),
			0);
	ck_assert_ok(prof_queue_create(1 << 22, &host.queue));
	options.process = host.child;
	options.queue = host.queue;
	ck_assert_ok(prof_ticker_create(&options, &host.ticker));
	ck_assert(prof_ticker_watch(host.ticker, host.child, NOTE));
	return host;
}

/* Starts a child that shares one CPU with three others. */
static inline struct host start_crowded(void)
{
	cpu_set_t before, one;

	sched_getaffinity(0, sizeof before, &before);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	for (int i = 0; i < 3; i++)
		child_start(child_spin);
	struct host host = start(child_spin, true, usual(1000));
	sched_setaffinity(0, sizeof before, &before);
	return host;
}

static inline void finish(struct host *host)
{
	prof_ticker_destroy(host->ticker);
	prof_queue_destroy(host->queue);
	children_end();
}

static inline void count(struct host *host, const struct prof_look *look)
{
	host->cpu += look->spent[PROF_STATE_USER] + look->spent[PROF_STATE_SYSTEM];
	host->delay += look->spent[PROF_STATE_RUNQUEUE];
	host->other += look->spent[PROF_STATE_OTHER];
}

/* Takes what the ticker has told. */
static inline void take(struct host *host)
{
	struct prof_message message;
	const void *data;

	while (prof_queue_take(host->queue, &message, &data)) {
		if (message.kind == PROF_MESSAGE_LOOK) {
			/* One that seemed to have waited is made up for. */
			ck_assert(!message.look.samples || message.look.state == PROF_STATE_USER ||
				message.look.state == PROF_STATE_SYSTEM);
			host->samples += message.look.samples;
			ck_assert_uint_eq(message.look.depth, 0);
			count(host, &message.look);
			host->last = message.look.time;
			host->sleeps += prof_state_sleeps(message.look.state);
		} else if (message.kind == PROF_MESSAGE_FIGURES) {
			host->figures.rounds += message.figures.rounds;
			host->figures.ticks += message.figures.ticks;
			host->figures.lost += message.figures.lost;
			host->figures.stopped += message.figures.stopped;
			host->figures.kept += message.figures.kept;
			host->figures.running += message.figures.running;
			host->figures.blocked += message.figures.blocked;
			host->figures.bursts += message.figures.bursts;
			host->figures.duration += message.figures.duration;
			host->figures.rate = message.figures.rate;
		} else if (message.kind == PROF_MESSAGE_THREAD) {
			host->named++;
		}
	}
}

static inline const struct prof_figures *figures(struct host *host)
{
	prof_ticker_report(host->ticker);
	take(host);
	return &host->figures;
}

/* Takes a stop of the child, or of a thread of it.  Returns the thread, 0 if there is none. */
static inline pid_t stopped(int *signal)
{
	int status;
	pid_t thread = waitpid(-1, &status, WNOHANG | __WALL);

	ck_assert_int_ge(thread, 0);
	*signal = thread && WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
	return thread;
}

/* The same, of one that must come. */
static inline pid_t wait_for_stop(int *signal)
{
	pid_t thread;

	while (!(thread = stopped(signal)))
		pause_ms(0);
	return thread;
}

static inline void go_on(pid_t thread)
{
	ptrace(PTRACE_CONT, thread, NULL, NULL);
}

/* Lets THREAD, which was met, go on and counts what it did. */
static inline void settle(struct host *host, pid_t thread)
{
	struct prof_look look;

	int64_t now = prof_clock();
	go_on(thread);
	prof_ticker_settle(host->ticker, thread, now, PROF_WITHIN_PROGRAM, &look);
	ck_assert_int_eq(look.thread, thread);
	/* What came after is not the profiler's doing. */
	ck_assert_int_eq(look.time, now);
	/* By the kernel's account a spinning thread can have been in the system as well. */
	ck_assert(!prof_state_sleeps(look.state));
	ck_assert(look.state != PROF_STATE_RUNQUEUE || !look.samples);
	host->samples += look.samples;
	count(host, &look);
	host->last = look.time;
	host->met++;
}

/* What INFO of a stop of THREAD by SIGNAL is, as the kernel has it or, of none, as it can be made
 * up. */
static inline siginfo_t stop_info(pid_t thread, int signal)
{
	siginfo_t info;

	if (ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) || info.si_signo != signal)
		info = (siginfo_t){.si_signo = signal, .si_code = SI_KERNEL};
	return info;
}

/* Is THREAD, which was stopped by SIGNAL, met by the tick that is due?  *NOTE is the engine's then.
 */
static inline bool meets(struct prof_ticker *ticker, pid_t thread, int signal, int *note)
{
	struct prof_meeting meeting = {.met = PROF_MET_NOTHING};
	siginfo_t info = stop_info(thread, signal);

	if (!prof_ticker_meet(ticker, thread, &info, &meeting) || meeting.met < PROF_MET_TICK)
		return false;
	*note = meeting.note;
	return true;
}

/* Meets a tick if there is one. */
static inline bool meet(struct host *host)
{
	int signal, note;
	pid_t thread = stopped(&signal);

	if (!thread)
		return false;
	if (meets(host->ticker, thread, signal, &note)) {
		settle(host, thread);
		return true;
	}
	go_on(thread);
	return false;
}

/* Meets ticks until COUNT were. */
static inline void meet_many(struct host *host, uint64_t count)
{
	for (count += host->met; host->met < count;)
		if (!meet(host))
			pause_ms(0);
}

/* The rounds of the ticker, also those in which its child was held. */
static inline uint64_t all_rounds(struct host *host)
{
	prof_yielding_lock_acquire(&host->ticker->lock);
	uint64_t rounds = host->ticker->builder.round;
	prof_yielding_lock_release(&host->ticker->lock);
	return rounds;
}

/* Waits until the ticker has gone COUNT rounds, does nothing for its ticks, and takes the figures.
 */
static inline void wait_rounds(struct host *host, uint64_t count)
{
	for (count += all_rounds(host); all_rounds(host) < count;)
		pause_ms(1);
	figures(host);
}

/* Lets the child be on a CPU for 100 ms more; there must be nothing to meet. */
static inline void assert_left_alone(struct host *host)
{
	int64_t run = thread_schedstat(host->child, host->child).run;
	int signal;

	while (thread_schedstat(host->child, host->child).run - run < 100000000) {
		ck_assert_int_eq(stopped(&signal), 0);
		pause_ms(1);
	}
	ck_assert(!prof_ticker_outstanding(host->ticker));
}

/* On hold no tick comes, and nothing is looked at. */
static inline void check_hold(struct prof_ticker_options options)
{
	struct host host = start(child_spin, true, options);

	assert_left_alone(&host); /* it begins on hold */
	prof_ticker_release(host.ticker);
	meet_many(&host, 20);
	prof_ticker_hold(host.ticker);
	/* What was under way is met. */
	while (prof_ticker_outstanding(host.ticker))
		meet(&host);
	uint64_t rounds = figures(&host)->rounds;
	assert_left_alone(&host);
	ck_assert_uint_eq(figures(&host)->rounds, rounds);
	prof_ticker_release(host.ticker);
	meet_many(&host, 20);
	finish(&host);
}

static inline void burn(int64_t ns)
{
	int64_t begin = prof_clock();

	while (prof_clock() - begin < ns)
		;
}

struct pair {
	pid_t leader, other;
};

static inline void find_other(void *context, pid_t thread)
{
	struct pair *pair = context;

	if (thread != pair->leader)
		pair->other = thread;
}

#endif
