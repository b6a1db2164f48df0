/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The ticker: a thread that, at the sampling rate, looks at the threads of a process, sends those
 * on a CPU a signal by which the engine will meet them stopped, and counts the time of the others.
 *
 * A thread gets no new signal before its last one was met.  A sleeping thread is never signalled:
 * its system call might return EINTR.  The ticker blocks all signals for itself, and knows nothing
 * of the host.  All functions may be called from any thread.
 */
#ifndef PROF_SAMPLING_TICKER_H
#define PROF_SAMPLING_TICKER_H

#include "base/error.h"
#include "sampling/perf_event.h"
#include "target/unwind.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct prof_kallsyms;
struct prof_look;
struct prof_marker;
struct prof_owed;
struct prof_queue;
struct prof_walker;
struct prof_watchdog;

struct prof_displaced;
struct prof_ticker;

struct prof_ticker_options {
	pid_t process;
	double rate;        /* Hz: how often a thread on a CPU is met */
	double max_stopped; /* the share of its time, 0 to 1, that it may be kept stopped */
	int signal;         /* by which to tick; 0: what the process does not catch */
	/* Other than PROF_PERF_NOTHING: the kernel samples, and nothing is sent. */
	enum prof_perf_scope kernel;
	/* The kernel samples CPUs if it permits that, otherwise each thread by its own event. */
	bool cpus;
	bool alarms;        /* threads are ticked by alarms, as far as they can be */
	bool timers;        /* likewise by CPU timers, which the engine sets */
	bool short_work;    /* these are only for threads that need them, see short_work.h */
	bool kernel_frames; /* its samples have the kernel's frames too */
	/* With an index: so have the stacks of sleeping threads; borrowed, or NULL. */
	const struct prof_kallsyms *sleepers;
	bool discover; /* watch all threads of the process, not only those that the host names */
	bool wall;     /* threads that wait are samples too, not just those on a CPU */
	struct prof_queue *queue; /* gets names, figures, and looks at sleeping threads; borrowed */
	/* Walks sleeping threads; borrowed.  NULL: these keep their last stack. */
	struct prof_walker *walker;
	/* Lets SIGSTOP be a tick, for threads that block all others; borrowed, or NULL. */
	struct prof_watchdog *watchdog;
	/* Becomes true when the kernel has sampled a stack in code of no file; borrowed, or NULL.
	 */
	atomic_bool *generated;
	/* Counts stacks that are larger than the copy that the kernel makes; borrowed, or NULL. */
	atomic_ulong *cut;
	/* Where the host has threads execute instructions of breakpoints; borrowed, or NULL. */
	struct prof_displaced *displaced;
	/* Asked in each round: while it returns false nothing is sent, see attention.h.  Or NULL.
	 */
	bool (*listens)(void);
	/*
	 * Called for a thread with an engine's note that its CPU timer may have stopped while the
	 * host does not listen: has it go on.  Or NULL.
	 */
	void (*release)(pid_t thread, int note);
	/*
	 * Has the ticker report all threads before each mark, and knows of ended ones; borrowed, or
	 * NULL.
	 */
	struct prof_marker *marker;
};

/* A new ticker, on hold until prof_ticker_release(). */
struct prof_error *prof_ticker_create(
	const struct prof_ticker_options *options, struct prof_ticker **ret) PROF_MUST_CHECK;

/* Ends the ticker's thread.  NULL is fine. */
void prof_ticker_destroy(struct prof_ticker *ticker);

/* Reports nothing any more: the marker and the queue may be destroyed. */
void prof_ticker_mute(struct prof_ticker *ticker);

/* The process stands still, as for its user: nothing is sent, no time is counted. */
void prof_ticker_hold(struct prof_ticker *ticker);

/* The process goes on. */
void prof_ticker_release(struct prof_ticker *ticker);

/*
 * Watches THREAD, if it is one of the process, and keeps the engine's NOTE on it; 0: the one there
 * was.  True: it was not watched before.
 */
bool prof_ticker_watch(struct prof_ticker *ticker, pid_t thread, int note);

/* THREAD has ended, or is let go: reports its time until now, if that still can be read. */
void prof_ticker_forget(struct prof_ticker *ticker, pid_t thread);

/* All threads but the one whose id is the process's have ended: it has executed a new program. */
void prof_ticker_exec(struct prof_ticker *ticker);

/*
 * The host is about to have THREAD execute a single instruction, if it is STEPPED, or go on: no
 * tick is sent to it from now on, until it goes on, when the host listens as well.  True: one may
 * be pending, to be taken off by prof_postpone(); prof_ticker_settle() follows if it was.
 */
bool prof_ticker_step(struct prof_ticker *ticker, pid_t thread, bool stepped);

/*
 * THREAD is about to end its process or to replace its program: no tick is sent until it has gone,
 * or turns out to stay.  While one of another thread is under way, THREAD is signalled again and
 * again, so that it gets on only when none is; it must be stopped now.
 */
void prof_ticker_leave(struct prof_ticker *ticker, pid_t thread);

/*
 * The host is about to send THREAD a SIGSTOP of its own: no tick is sent until THREAD has stopped.
 */
void prof_ticker_want(struct prof_ticker *ticker, pid_t thread);

/* Was the host's SIGSTOP not reported yet? */
bool prof_ticker_wants(struct prof_ticker *ticker, pid_t thread);

/* A stop by SIGSTOP of THREAD is the host's: it has got what it wanted. */
void prof_ticker_got(struct prof_ticker *ticker, pid_t thread);

/* What a stop of a thread turns out to be. */
enum prof_met {
	PROF_MET_NOTHING, /* no concern of ours */
	PROF_MET_STRAY, /* a tick that was given up, or the first of two: no sample, and neither GDB
			   nor the program must see it */
	PROF_MET_TICK,  /* the tick that is outstanding */
	PROF_MET_BOTH,  /* the same, and the SIGSTOP that the host waits for: the kernel keeps
			   one of two */
};

struct prof_meeting {
	enum prof_met met;
	int note;        /* the engine's */
	uint32_t behind; /* see struct prof_watch: the engine should take these too, before the
			  * thread goes on; none with PROF_MET_BOTH */
	bool timed;      /* it is by the thread's CPU timer */
	bool first;      /* that rang for the first time */
	bool beats;      /* that rings in step with its work, and is not set any more */
	/*
	 * ns of CPU time after which the engine has the thread's CPU timer ring, by RING; 0: not at
	 * all.
	 */
	int64_t period;
	int ring;
	bool ends; /* the engine has the thread delete its CPU timer */
};

/*
 * THREAD has stopped by the signal of INFO.  False: it is not watched.  After PROF_MET_TICK and
 * PROF_MET_BOTH prof_ticker_settle() must follow.
 */
bool prof_ticker_meet(
	struct prof_ticker *ticker, pid_t thread, const siginfo_t *info, struct prof_meeting *ret);

/*
 * The CPU timer of THREAD is not set, because it could not be, or was deleted, as the last meeting
 * had asked for.  LACKS: the ticker looks at THREAD from now on.
 */
void prof_ticker_unset(struct prof_ticker *ticker, pid_t thread, bool lacks);

/* Is a tick outstanding for THREAD, which the host is about to let go?  No alarm rings any more. */
bool prof_ticker_owes(struct prof_ticker *ticker, pid_t thread);

/*
 * THREAD, which was met WITHIN something, goes on since NOW, ns of CLOCK_MONOTONIC: fills in *LOOK,
 * as a sample, all but the stack.  The ticker may signal it again.  LOOK is NULL after
 * prof_ticker_mute(): the queue is not used.
 */
void prof_ticker_settle(struct prof_ticker *ticker, pid_t thread, int64_t now,
	enum prof_within within, struct prof_look *look);

/* The host listens from now on. */
void prof_ticker_heed(struct prof_ticker *ticker);

/*
 * The host does not listen any more: nothing is sent until prof_ticker_heed() or a round that
 * begins when it does.  OWED gets up to ROOM ticks that were not met yet, except those that their
 * threads block; returns how many.  On hold there is none.
 */
size_t prof_ticker_hush(struct prof_ticker *ticker, struct prof_owed *owed, size_t room);

/*
 * For an engine without a walker, before prof_ticker_hold(): has THREAD run since it last stood
 * still without a tick that met it?  Then the engine walks its stack and calls prof_ticker_stand()
 * with that: DEPTH lookup addresses in FRAMES, which stay the caller's.
 */
bool prof_ticker_lacks(struct prof_ticker *ticker, pid_t thread);
void prof_ticker_stand(struct prof_ticker *ticker, pid_t thread, const uint64_t *frames,
	size_t depth, enum prof_stack_end end);

/* Is there a thread that was signalled and not met? */
bool prof_ticker_outstanding(struct prof_ticker *ticker);

/* Does the kernel sample CPUs for it? */
bool prof_ticker_has_cpus(const struct prof_ticker *ticker);

/* Puts into the queue what was done since the last call: the figures, and those of all threads. */
void prof_ticker_report(struct prof_ticker *ticker);

/* The same, for a mark: stacks that were met before it are none of what comes. */
void prof_ticker_mark(struct prof_ticker *ticker);

#endif
