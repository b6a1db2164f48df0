/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the ticker share: ticker.c looks, ticker_meet.c meets, ticker_hold.c holds. */
#ifndef PROF_SAMPLING_TICKER_PRIVATE_H
#define PROF_SAMPLING_TICKER_PRIVATE_H

#include "base/yielding_lock.h"
#include "sampling/attention.h"
#include "sampling/budget.h"
#include "sampling/family_events.h"
#include "sampling/leaving.h"
#include "sampling/look_builder.h"
#include "sampling/perf_clock.h"
#include "sampling/perf_dump.h"
#include "sampling/quiet.h"
#include "sampling/short_work.h"
#include "sampling/ticker.h"
#include "sampling/unseen.h"
#include "sampling/walker.h"
#include "sampling/watches.h"

#include <pthread.h>

struct prof_ticker {
	struct prof_ticker_options options;
	const struct prof_arch *arch;
	struct prof_stack stack;    /* of the ticker's thread, where it walks sleeping threads */
	struct prof_stack standing; /* of one that stands still, or was sampled; under the lock */
	pthread_t thread;
	struct prof_yielding_lock lock;
	pthread_cond_t wake;                  /* held or quit has changed */
	struct prof_watchdog_entry *watchdog; /* NULL: SIGSTOP is no tick */

	/* All below under the lock. */
	bool held, quit;
	struct prof_family_events *cpus; /* the kernel samples CPUs; NULL: threads, or nothing */
	bool cpus_rest;                  /* they are switched off */
	int64_t missed; /* when a ring of theirs was last found to have been full */
	struct prof_perf_dump dump;
	struct prof_perf_drift drift;
	bool masked;         /* a thread has blocked the ticks' signals */
	uint32_t claimed;    /* signals that the program will catch, see prof_watch_claim() */
	int64_t latency;     /* ns: what it takes from a tick to its stop, about */
	bool armed;          /* alarms are on, where they may be */
	int64_t discover_at; /* when new threads are looked for again */
	int64_t last_round;  /* when it began */
	int64_t stood; /* ns that the debugger held all threads, of which the rounds count still */
	struct prof_watches watches;
	struct prof_look_builder builder;
	struct prof_attention attention;
	struct prof_budget budget;
	struct prof_unseen unseen;
	struct prof_quiet quiet;
	struct prof_short_work short_work; /* of all threads */
	struct prof_leaving leaving;
};

/* All below is called under the lock. */

/* Finds out which signals the program will catch that the process executes now. */
void prof_ticker_claim_signals(struct prof_ticker *ticker);

/* Adds a watch for THREAD, and reports its name to the recorder.  NULL: it is gone. */
struct prof_watch *prof_ticker_add(struct prof_ticker *ticker, pid_t thread);

/* Reports the name of WATCH to the recorder, unless it knows it; NEW: it is another thread's. */
void prof_ticker_report_name(struct prof_ticker *ticker, struct prof_watch *watch, bool new);

/*
 * Is it over with the thread that was about to leave?  If it has gone and its process goes on, it
 * has executed another program and bears the process's id.
 */
void prof_ticker_end_leaving(struct prof_ticker *ticker);

/* Watches THREAD of TICKER from now on, if it is not watched and has not ended. */
void prof_ticker_discover(void *ticker, pid_t thread);

/*
 * WATCH sleeps, and did not at the last look.  Walks its stack while it sleeps on, without the
 * lock, so that those who meet a tick need not wait; if the thread wakes up, the walk is in vain.
 */
void prof_ticker_sleeps(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now,
	const struct prof_schedstat *schedstat);

/* Does the watchdog run, so that WATCH can be sent SIGSTOP?  Starts it, if that is possible. */
bool prof_ticker_guards(struct prof_ticker *ticker, struct prof_watch *watch);

/* The signal for a tick of WATCH, which has SCHEDSTAT; 0: there is none that it does not block. */
int prof_ticker_choose(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);

/*
 * Switches all alarms on or off, as the host listens now, and as it has the process in its hands.
 */
void prof_ticker_arm(struct prof_ticker *ticker);

/* The clock of WATCH's CPU time is watched from now on, if that is not so, nor on hold: by its
 * samples or its alarm.  NULL is fine. */
void prof_ticker_clock(struct prof_ticker *ticker, struct prof_watch *watch);

/*
 * Does the alarm of WATCH, which is runnable and has SCHEDSTAT, tick it, by SIGNAL?  False: the
 * caller sends a tick to it, unless one is outstanding.
 */
bool prof_ticker_alarms(struct prof_ticker *ticker, struct prof_watch *watch, int signal,
	const struct prof_schedstat *schedstat);

/* Does its CPU timer tick WATCH, which is runnable and has SCHEDSTAT? */
bool prof_ticker_timed(const struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);

/* WATCH, whose state was just read, may be asleep: if its CPU timer would ring by a signal that it
 * blocks now, it is sent a tick, at whose stop the timer is deleted or made anew. */
void prof_ticker_recall(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);

/* WATCH stands still, if it STANDS, at NOW: if its timer may have stopped it, and the host does not
 * listen, it is released. */
void prof_ticker_strand(
	struct prof_ticker *ticker, struct prof_watch *watch, bool stands, int64_t now);

/* WATCH has stopped by the signal of INFO, and has SCHEDSTAT: if that is its CPU timer's, the tick
 * is outstanding. */
void prof_ticker_expired(struct prof_ticker *ticker, struct prof_watch *watch,
	const siginfo_t *info, const struct prof_schedstat *schedstat);

/* WATCH is met, and has SCHEDSTAT: fills in when its CPU timer rings again, if it does. */
void prof_ticker_wind(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat, struct prof_meeting *meeting);

/* Counts the CPU time of WATCH until SCHEDSTAT by the length of its runs, and that in bursts as far
 * as no CPU timer ticks it. */
void prof_ticker_count_runs(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);

/* Does a CPU timer tick any thread? */
bool prof_ticker_has_timers(const struct prof_ticker *ticker);

/* WATCH, which stood still, goes on: so does its alarm, unless it has rung. */
void prof_ticker_go_on(struct prof_ticker *ticker, struct prof_watch *watch);

/* The alarm of WATCH stands still from now on.  If it has rung, that tick is outstanding. */
void prof_ticker_withdraw(struct prof_watch *watch);

/* WATCH has stopped by the signal of INFO, and has SCHEDSTAT: if its alarm has rung, that tick is
 * outstanding, and the next period begins. */
void prof_ticker_rang(struct prof_ticker *ticker, struct prof_watch *watch, const siginfo_t *info,
	const struct prof_schedstat *schedstat);

/*
 * Where the kernel samples: begins to sample WATCH, unless it does; reports the samples of its
 * event, or leaves them out.
 */
void prof_ticker_sample(struct prof_ticker *ticker, struct prof_watch *watch);
void prof_ticker_read_event(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);
bool prof_ticker_has_samples(const struct prof_watch *watch);
/* The samples that rings of threads have room for, those of threads that sleep left out. */
uint32_t prof_ticker_room(const struct prof_ticker *ticker);
/* WATCH is on no CPU, and has SCHEDSTAT and COUNT, by its event's clock or its alarm's. */
void prof_ticker_set_clock(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat, int64_t count);
/* SCHEDSTAT of WATCH, which is on no CPU if it RESTS, has just been read. */
void prof_ticker_align(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat, bool rests);
/* Reports the sample RECORD with LOOK, and its stack. */
void prof_ticker_put_sample(
	struct prof_ticker *ticker, struct prof_perf_record *record, const struct prof_look *look);
/*
 * The same of CPUs, if the kernel samples these: opens their events, unless it refuses; reports the
 * samples of all threads; goes on, or rests.
 */
void prof_ticker_open_cpus(struct prof_ticker *ticker);
void prof_ticker_read_cpus(struct prof_ticker *ticker);
void prof_ticker_switch_cpus(struct prof_ticker *ticker, bool on);
/*
 * On hold: a thread that has run since is not sampled until it resumes, when samples that were not
 * reported are left out.  Those that stand still stay as they are: for each the kernel would
 * interrupt a CPU.
 */
void prof_ticker_rest(struct prof_ticker *ticker);
void prof_ticker_resume(struct prof_watch *watch);

#endif
