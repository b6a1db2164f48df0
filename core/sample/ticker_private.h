/* The ticker's own, shared by the files that it is made of: ticker.c looks, ticker_meet.c meets. */
#ifndef PROF_SAMPLE_TICKER_PRIVATE_H
#define PROF_SAMPLE_TICKER_PRIVATE_H

#include "sample/attention.h"
#include "sample/budget.h"
#include "sample/gate.h"
#include "sample/leaving.h"
#include "sample/teller.h"
#include "sample/ticker.h"
#include "sample/unseen.h"
#include "sample/watches.h"

#include <pthread.h>

struct prof_ticker {
	struct prof_ticker_options options;
	const struct prof_arch *arch;
	struct prof_stack stack;    /* of the ticker's thread, where it walks sleeping threads */
	struct prof_stack standing; /* of one that stands still; under the gate's lock */
	pthread_t thread;
	struct prof_gate gate;
	pthread_cond_t wake;                  /* held or quit has changed */
	struct prof_watchdog_entry *watchdog; /* NULL: SIGSTOP is no tick */

	/* All below under the gate's lock. */
	bool held, quit;
	struct prof_perf_dump dump;
	struct prof_perf_drift drift;
	bool wary;          /* a thread has blocked the ticks' signals */
	int64_t discovered; /* when new threads were last looked for */
	struct prof_watches watches;
	struct prof_teller teller;
	struct prof_attention attention;
	struct prof_budget budget;
	struct prof_unseen unseen;
	struct prof_leaving leaving;
};

/* All below is called under the gate's lock. */

/* Adds a watch for THREAD, and tells the recorder its name.  NULL: it is gone. */
struct prof_watch *prof_ticker_add(struct prof_ticker *ticker, pid_t thread);

/* Does the watchdog run, so that WATCH can be sent SIGSTOP?  Starts it, if that is possible. */
bool prof_ticker_guards(struct prof_ticker *ticker, struct prof_watch *watch);

/* The signal for a tick of WATCH, which has SCHEDSTAT; 0: there is none that it does not block. */
int prof_ticker_choose(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);

/*
 * Where the kernel samples: begins to sample WATCH, if it is not; tells of what its event has, or
 * leaves that out.
 */
void prof_ticker_sample(struct prof_ticker *ticker, struct prof_watch *watch);
void prof_ticker_drain(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat);
bool prof_ticker_has_samples(const struct prof_watch *watch);
/* Of WATCH, which is on no CPU if it RESTS, SCHEDSTAT has just been read. */
void prof_ticker_align(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat, bool rests);
void prof_ticker_skip(struct prof_watch *watch);

#endif
