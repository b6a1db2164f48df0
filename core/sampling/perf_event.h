/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A perf event: the kernel's own clock of a thread's CPU time, which samples it while it runs.
 *
 * Nothing is stopped, and no signal sent: each period the kernel copies the thread's registers and
 * the top of its stack into a ring.
 */
#ifndef PROF_SAMPLING_PERF_EVENT_H
#define PROF_SAMPLING_PERF_EVENT_H

#include "base/error.h"
#include "sampling/perf_ring.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_arch;

/* What the kernel permits. */
enum prof_perf_scope {
	PROF_PERF_NOTHING,
	PROF_PERF_USER, /* user code only: there are no samples in system calls */
	PROF_PERF_ALL,
};

struct prof_perf_options {
	enum prof_perf_scope scope;
	int64_t period; /* ns of CPU time until the first sample, and from one to the next */
	uint32_t dump;  /* bytes, a multiple of 16 */
	bool frames;    /* samples have the kernel's frames too */
	/*
	 * Samples that the ring has room for: that many, a power of 2, or as many as the kernel
	 * permits.
	 */
	uint32_t samples;
};

struct prof_perf_event {
	struct prof_perf_ring ring;
	int fd;
	uint32_t dump;    /* as it was opened */
	uint32_t samples; /* likewise */
	uint64_t type;    /* sample_type of the event, for prof_perf_record_parse() */
};

/*
 * What the kernel permits of a process of this user's, by the example of a thread of the caller's.
 * If that is not all, *WHY gets a sentence that says what to do.  ARCH: its machine.
 */
enum prof_perf_scope prof_perf_scope(const struct prof_arch *arch, struct prof_error **why);

/*
 * Why the kernel refused an event, REASON being errno.  EVENTS names its kind, which users may have
 * where /proc/sys/kernel/perf_event_paranoid is MOST or less; WHAT is what cannot be done without
 * it, as in "The kernel cannot WHAT".
 */
struct prof_error *prof_perf_explain(
	int reason, const char *events, int most, const char *what) PROF_MUST_CHECK;

/* New threads inherit the event of ATTR, and new processes do not.  Kernels before Linux 5.13
 * refuse it.
 */
void prof_perf_inherit_threads(struct perf_event_attr *attr);

/*
 * What all events that sample have in common: stacks, of which DUMP bytes are copied, registers as
 * ARCH needs them, times by CLOCK_MONOTONIC, and records of threads.  TYPE: sample_type.
 */
struct perf_event_attr prof_perf_event_attr(
	const struct prof_arch *arch, enum prof_perf_scope scope, uint64_t type, uint32_t dump);

/* Begins to sample THREAD.  False: errno says why not. */
bool prof_perf_event_open(struct prof_perf_event *event, pid_t thread, const struct prof_arch *arch,
	const struct prof_perf_options *options) PROF_MUST_CHECK;
void prof_perf_event_close(struct prof_perf_event *event);

/* Goes on, or stands still with what is left of its period.  It goes on at first. */
void prof_perf_event_switch(const struct prof_perf_event *event, bool on);

/* It is sampled PERIOD ns from now on, and each PERIOD after that. */
void prof_perf_event_pace(const struct prof_perf_event *event, int64_t period);

/* ns of CPU time of its thread since it was opened. */
int64_t prof_perf_event_count(const struct prof_perf_event *event);

/* Has its thread ended?  Another one may bear its id, which executes a program. */
bool prof_perf_event_ended(const struct prof_perf_event *event);

#endif
