/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The perf events that sample a family of processes: their rings are read as one, in the order of
 * time.
 *
 * A thread's own clock would be of no use: most processes that a shell or a compiler makes end
 * before their first period.  So the kernel samples CPUs, if it permits that, and the caller drops
 * samples of other processes; events that the family's processes inherit report what becomes of it.
 * Where the kernel permits less, these sample as well, and report the CPU time of each thread as it
 * ends.
 *
 * Events of CPUs do not slow down programs that wait often.  For a thread's own event the kernel
 * sets a timer each time that the thread gets a CPU.
 */
#ifndef PROF_SAMPLING_FAMILY_EVENTS_H
#define PROF_SAMPLING_FAMILY_EVENTS_H

#include "sampling/perf_event.h"

#include <pthread.h>

struct prof_family_events;

struct prof_family_events_options {
	enum prof_perf_scope scope;
	bool frames; /* samples have the kernel's frames too */
	double rate; /* Hz: samples are taken as often at least */
	bool cpus;   /* open events of CPUs only, or fail; the caller adds no process */
};

/* If the kernel refuses something, the error names it. */
struct prof_error *prof_family_events_create(const struct prof_family_events_options *options,
	struct prof_family_events **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_family_events_destroy(struct prof_family_events *events);

/* Are CPUs sampled, or only threads by their own clocks? */
bool prof_family_events_of_cpus(const struct prof_family_events *events);

/* ns between two samples, on average: as asked for, or as often as the kernel permits. */
int64_t prof_family_events_period(const struct prof_family_events *events);

/* Turns sampling on or off.  It is on at first. */
void prof_family_events_switch(const struct prof_family_events *events, bool on);

/*
 * Sets a new period for each CPU whose turn it is, a random one around prof_family_events_period(),
 * if the kernel samples CPUs.  Call it at least as often as samples are read.  If all CPUs had the
 * same period, they would be sampled right after each other: the sample of a client delays the
 * client, and the sample of its server finds the server waiting for it.
 */
void prof_family_events_pace(struct prof_family_events *events);

/* The sample_type, for prof_perf_record_parse(). */
uint64_t prof_family_events_type(const struct prof_family_events *events);

/*
 * PROCESS, which stands still, belongs to the family, with all processes that it makes from now on.
 */
struct prof_error *prof_family_events_add(
	struct prof_family_events *events, pid_t process) PROF_MUST_CHECK;

/*
 * Reads what the kernel has reported before the time UNTIL, ns of CLOCK_MONOTONIC: each record, the
 * earliest first, borrowed until the next call; NULL: there are no more, and what was read is done
 * with.
 */
void prof_family_events_begin(struct prof_family_events *events, int64_t until);
const struct perf_event_header *prof_family_events_next(struct prof_family_events *events);

/* Was the record that was given last in a ring of samples? */
bool prof_family_events_of_samples(const struct prof_family_events *events);

/* Is TEST true of any record?  Call it between prof_family_events_begin() and the first record. */
bool prof_family_events_any(const struct prof_family_events *events,
	bool (*test)(void *context, const struct perf_event_header *header), void *context);

/* Waits with MUTEX, which is free meanwhile, until there is much to be read, WAKE can be read, or
 * TIME ms have passed. */
void prof_family_events_wait(
	struct prof_family_events *events, int wake, int time, pthread_mutex_t *mutex);

#endif
