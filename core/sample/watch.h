/*
 * A watched thread: what it has used since the last look at it.
 *
 * The looks at a thread divide its life without gaps: each carries the time since the one before,
 * on a CPU and not, so that over a thread they add up to what the kernel accounts.
 */
#ifndef PROF_SAMPLE_WATCH_H
#define PROF_SAMPLE_WATCH_H

#include "sample/procfs.h"
#include "sample/sample.h"

struct prof_watch {
	pid_t process, thread;
	int schedstat, stat; /* open files; negative: too many are open, it is opened each time */

	int64_t last;       /* ns of CLOCK_MONOTONIC of the last look */
	int64_t run, delay; /* schedstat's then */
	int64_t sent;       /* when the outstanding tick was sent; 0: none is */
	int64_t kept;       /* ns since the last look that we kept it stopped */
	int64_t ahead;      /* ns that the looks have told of too much, to be taken off the next */

	bool asleep;     /* it slept at the last look */
	uint64_t slices; /* schedstat's then: the same number now means that it sleeps on */
	/* When it was met last, and stood still; the same slices now: it did not go on yet. */
	struct prof_schedstat met;
	bool gone; /* it has ended */
	int note;  /* the engine's own */
};

/* Begins to watch THREAD of PROCESS at NOW. */
void prof_watch_init(struct prof_watch *watch, pid_t process, pid_t thread, int64_t now);
void prof_watch_deinit(struct prof_watch *watch);

/* Begins anew at NOW: what was until then is not counted. */
void prof_watch_restart(struct prof_watch *watch, int64_t now);

/* What schedstat says; where it says nothing, zeroes and the thread is gone. */
struct prof_schedstat prof_watch_schedstat(struct prof_watch *watch);

/* The state letter, see prof_procfs_state(); 0 and the thread is gone. */
char prof_watch_state(struct prof_watch *watch);

/*
 * The thread was kept stopped since FROM: counts the time until NOW, but for what SCHEDSTAT says
 * that it ran or waited for a CPU.  Returns the ns.
 */
int64_t prof_watch_keep(struct prof_watch *watch, int64_t from, int64_t now,
	const struct prof_schedstat *schedstat);

/*
 * Ends the stretch since the last look at NOW with what schedstat says: fills in *LOOK all but the
 * stack, as a sample (SAMPLES 1) or not (0), in STATE.
 */
void prof_watch_look(struct prof_watch *watch, int64_t now, const struct prof_schedstat *schedstat,
	uint32_t samples, enum prof_state state, struct prof_look *look);

/* ns of CLOCK_MONOTONIC. */
int64_t prof_watch_clock(void);

#endif
