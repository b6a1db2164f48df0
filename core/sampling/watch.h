/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A watched thread: what it has spent its time on since the last look at it.
 *
 * The looks at a thread divide its life without gaps: each carries the time since the one before,
 * so that over a thread they add up to what the kernel accounts.
 */
#ifndef PROF_SAMPLING_WATCH_H
#define PROF_SAMPLING_WATCH_H

#include "sampling/alarm.h"
#include "sampling/bursts.h"
#include "sampling/demand.h"
#include "sampling/division.h"
#include "sampling/in_step.h"
#include "sampling/lateness.h"
#include "sampling/perf_clock.h"
#include "sampling/short_work.h"
#include "sampling/yields.h"
#include "target/procfs.h"
#include "target/wait.h"

struct prof_arch;
struct prof_perf_event;
struct prof_watchdog_entry;

/* A CPU timer of the program's own that ticks it, see cpu_timers.h; an alarm of another make. */
struct prof_timer {
	bool used;      /* it was set, or will be */
	bool on;        /* it is set, and was not met since */
	bool rang;      /* the tick that is being met is its own */
	bool released;  /* it may have rung while the host did not listen */
	int signal;     /* by which it rings */
	int64_t run;    /* schedstat's run when it was set */
	int64_t period; /* ns from then until it rings */
	int64_t late;   /* ns by which it rang too late */
	int64_t set;    /* when it was set */
};

struct prof_watch {
	pid_t process, thread;
	int schedstat, stat; /* open files; negative: too many are open, it is opened each time */
	int syscall;         /* the same, once it was needed */

	int64_t last;       /* ns of CLOCK_MONOTONIC of the last look */
	int64_t run, delay; /* schedstat's then */
	int64_t sent;       /* when the outstanding tick was sent; 0: none is */
	int64_t sent_delay; /* schedstat's delay then */
	bool met_tick;      /* it was met, if it has not been settled yet */
	uint32_t behind;    /* ticks sent before that one, pending behind a mask, until the engine
			       learns of them; as struct prof_masks */
	bool wanted;        /* the host has sent it a SIGSTOP that was not reported yet */
	struct prof_watchdog_entry *watchdog; /* of its process; NULL: SIGSTOP is no tick here */
	int64_t kept;                         /* ns since the last look that we kept it stopped */
	int64_t ahead; /* ns that the looks have reported too much, which the next ones leave out */

	int64_t looked;             /* when it was last looked at, even if in vain */
	uint64_t round;             /* the ticker's, then */
	struct prof_schedstat seen; /* schedstat then */
	int64_t accounted;          /* the ticker knows how long it was idle until then */
	struct prof_bursts bursts;
	struct prof_short_evidence short_evidence;
	struct prof_short_work short_work;
	bool asleep;             /* it slept then */
	bool held;               /* the debugger kept it stopped then */
	int64_t held_since;      /* from then on, for all that is known */
	uint64_t nap;            /* rounds to the next look, at the most, if it rests */
	bool blocks;             /* it blocks the tick's signal, so that it is not met */
	bool placed;             /* a stack of it was reported since the last stop or mark */
	enum prof_within within; /* what it was met last */
	struct prof_wait wait;   /* the last one that was seen */
	int64_t waited;          /* when it was last; 0: never */
	uint64_t slices;         /* schedstat's then: the same number now, it sleeps on */
	/* When it last stood still: the same slices now, it did not go on yet. */
	struct prof_schedstat met;
	struct prof_schedstat read;  /* as schedstat was last read */
	int64_t read_at;             /* when that was */
	struct prof_masks masks;     /* as its state was last read */
	char name[PROF_THREAD_NAME]; /* likewise; "": not yet */
	struct prof_account account; /* likewise */
	uint16_t cpu;                /* likewise: see struct prof_stat */
	uint32_t claimed;            /* signals, see prof_watch_claim() */
	struct prof_division division;
	struct prof_demand demand;
	bool renamed;    /* it has another since this was last false */
	int signal;      /* by which the outstanding tick was sent */
	unsigned masked; /* while not 0 it is taken to block the tick's, see mask_guess.h */
	struct prof_schedstat guess_at; /* schedstat at the last look that might have lowered it */
	/* The round until which it was counted as samples, or lost, or found asleep; one further
	 * than the ticker's, if a mark came before a loss. */
	uint64_t counted;
	double due; /* samples that its CPU time asks for, less those it had; below 0: it had more
		     */
	double inherited; /* what of that it has taken over from threads that have ended, at most */
	bool gone;        /* it has ended */
	bool unread;      /* at times there was no descriptor to read its files by */
	bool unheard; /* ticks were due while the host did not listen, and none was sent since */
	bool stepped; /* the host has it execute single instructions: it gets no tick */
	struct prof_alarm alarm;       /* ticks it, if there is one */
	struct prof_timer timer;       /* the same */
	bool timed;                    /* that has rung */
	struct prof_in_step in_step;   /* so does it? */
	bool beats;                    /* it does: it gets none */
	unsigned silences;             /* it was taken for lost so many times in a row */
	double place;                  /* in its period, 0 to 1, where the next tick is */
	double rung_place;             /* the same of the ring that is being met */
	int64_t rung_run;              /* schedstat's run when it rang last, or was switched on */
	struct prof_perf_event *event; /* samples it; NULL: none does, or not yet */
	bool of_cpus;                  /* events of CPUs sample it */
	bool sampled;                  /* an event has sampled it */
	int64_t next;                  /* the event's count when the next sample is due */
	bool goes_on;    /* next is that of the event to be opened, after another one */
	int64_t period;  /* the event's, ns */
	int32_t steady;  /* so many more samples have that */
	int32_t changes; /* and so many the period after it */
	int64_t aligned; /* when its count was last read while it ran */
	uint64_t missed; /* samples that there was no room for when its period was set last */
	bool rests;      /* the event stands still */
	struct prof_perf_clock clock;
	int64_t refused; /* when the kernel refused it an event or alarm; 0: it has one */
	/* ns of CPU time that the next sample reports too; negative: reported ahead. */
	int64_t unreported;
	double switching; /* samples that are missing or late because of switches, at the most */
	struct prof_yields yields;
	struct prof_lateness lateness;
	int64_t expected; /* ns from the event's last sample to the next; 0: not known */
	bool overdue; /* what is met, or sampled, was due before it went on, or while it switched */
	int note;     /* the engine's own */
};

/* What a thread did in a stretch of time, in ns: they add up to its length, less what was kept. */
struct prof_stretch {
	int64_t cpu;    /* on a CPU */
	int64_t delay;  /* waiting for one */
	int64_t waited; /* for anything else */
};

/* Begins to watch THREAD of PROCESS at NOW. */
void prof_watch_init(struct prof_watch *watch, pid_t process, pid_t thread, int64_t now);
void prof_watch_deinit(struct prof_watch *watch);

/* Does a clock of the kernel's, of its own or of CPUs, sample or tick it?  A CPU timer is none. */
bool prof_watch_has_clock(const struct prof_watch *watch);

/* No event samples it any more. */
void prof_watch_end_event(struct prof_watch *watch);

/* No file is kept open for it any more. */
void prof_watch_close(struct prof_watch *watch);

/* Begins, or ends, a tick by SIGNAL at NOW, which the watchdog knows of if it can leave it stopped.
 */
void prof_watch_begin_tick(struct prof_watch *watch, int signal, int64_t now);
void prof_watch_end_tick(struct prof_watch *watch);

/* Begins anew at NOW: what was before does not count. */
void prof_watch_restart(struct prof_watch *watch, int64_t now);

/* The thread has been made meanwhile: what it has done until now is counted too. */
void prof_watch_newborn(struct prof_watch *watch);

/*
 * What schedstat says; where it says nothing, what it said last and the thread is gone, unless
 * there is no descriptor to read it by.
 */
struct prof_schedstat prof_watch_schedstat(struct prof_watch *watch);

/*
 * The program will catch SIGNALS, a set as in struct prof_masks, even if it does not yet: they
 * count as caught from now on.
 */
void prof_watch_claim(struct prof_watch *watch, uint32_t signals);

/*
 * The state letter, see prof_procfs_stat(), and its masks; 0 and the thread is gone; '?' where
 * there is no descriptor to read it by.
 */
char prof_watch_state(struct prof_watch *watch);

/*
 * What it waits for, on this machine of ARCH.  False: it does not sleep.  A call that the kernel
 * goes on with after a stop bears another number: it is known by its place.
 */
bool prof_watch_wait(struct prof_watch *watch, const struct prof_arch *arch, struct prof_wait *ret);

/*
 * The thread was kept stopped since FROM: counts the time until NOW, without the time that
 * SCHEDSTAT says it ran or waited for a CPU.  Returns the ns.
 */
int64_t prof_watch_keep(struct prof_watch *watch, int64_t from, int64_t now,
	const struct prof_schedstat *schedstat);

/* Ends the stretch since the last look at NOW, with what schedstat says. */
struct prof_stretch prof_watch_advance(
	struct prof_watch *watch, int64_t now, const struct prof_schedstat *schedstat);

#endif
