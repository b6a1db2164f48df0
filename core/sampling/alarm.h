/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * An alarm: the kernel's clock of a thread's CPU time, which sends the thread a tick's signal when
 * it has run for a period.
 *
 * The thread stops right where it works, even in a burst of a few microseconds: a profiler that
 * looks at threads first and then signals them meets most of these asleep already.  An alarm rings
 * once and then stands still until it is set again: when the host dies, the kernel lets go of its
 * threads before it closes the alarms.  See perf_event_open(2), PERF_EVENT_IOC_REFRESH there, and
 * F_SETSIG in fcntl(2).
 */
#ifndef PROF_SAMPLING_ALARM_H
#define PROF_SAMPLING_ALARM_H

#include "sampling/perf_ring.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* CPU time in ns. */
struct prof_alarm {
	int fd; /* of a perf event; negative: there is no alarm */
	int signal;
	bool on;                    /* else it stands still, with what was left of its period */
	bool set;                   /* it has not rung since it was set */
	bool rang;                  /* the tick that is being met is its own */
	int64_t period;             /* from when it was set until it rings */
	int64_t begun;              /* the clock, when it was set */
	struct prof_perf_ring ring; /* gets the time when it rings, and the clock */
};

#define PROF_ALARM_NONE ((struct prof_alarm){.fd = -1})

/*
 * Sets up an alarm for THREAD that sends SIGNAL after PERIOD and stands still at first.  False:
 * errno says why there is none; EMFILE: no descriptor is left that prof_alarm_is_one() would know;
 * EPERM: it would be more memory than may be locked.
 */
bool prof_alarm_open(struct prof_alarm *alarm, pid_t thread, int signal, int64_t period);

/* May be called twice. */
void prof_alarm_close(struct prof_alarm *alarm);

/* False: the kernel has refused it. */
bool prof_alarm_use(struct prof_alarm *alarm, int signal);

/* Has it run, or stand still.  One that has rung does not run until prof_alarm_set(). */
void prof_alarm_switch(struct prof_alarm *alarm, bool on);

/* Has ALARM, which has rung, ring again after PERIOD.  It stands still at first. */
void prof_alarm_set(struct prof_alarm *alarm, int64_t period);

/* When it has rung since it was set, in ns of CLOCK_MONOTONIC; 0: it has not. */
int64_t prof_alarm_rung(const struct prof_alarm *alarm);

/* By how many ns of CPU time it rang later than it was set to; 0 if it has not rung since. */
int64_t prof_alarm_late(const struct prof_alarm *alarm);

/*
 * Is INFO, of a thread's stop or of a signal pending to it, of an alarm of this process, open or
 * closed?
 */
bool prof_alarm_is_one(const siginfo_t *info);

#endif
