/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The marker: makes marks, each with what the processes have used until then, and puts them into
 * the queue.  By itself it makes one in every period, if there is a period.
 *
 * Its thread blocks all signals, and knows nothing of the host.  All functions may be called from
 * any thread.
 */
#ifndef PROF_SAMPLING_MARKER_H
#define PROF_SAMPLING_MARKER_H

#include "base/error.h"
#include "model/mark.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_queue;
struct prof_tally_thread;
struct prof_usage;

struct prof_marker;

/* A marker that makes marks when it is asked to. */
struct prof_error *prof_marker_create(
	struct prof_queue *queue, struct prof_marker **ret) PROF_MUST_CHECK;

/* Ends its thread.  NULL is fine. */
void prof_marker_destroy(struct prof_marker *marker);

/* See prof_tally_add(), prof_tally_remove() and prof_tally_end(). */
bool prof_marker_add(struct prof_marker *marker, pid_t process, bool readable);
void prof_marker_remove(struct prof_marker *marker, pid_t process);
void prof_marker_end(struct prof_marker *marker, pid_t process, pid_t thread);

/*
 * See prof_tally_report() and prof_tally_begin().  The figures are for the next mark, and for those
 * of periods before it.
 */
bool prof_marker_report(struct prof_marker *marker, pid_t process, const struct prof_usage *usage,
	const struct prof_tally_thread *threads, size_t count);
void prof_marker_begin(struct prof_marker *marker, pid_t process);

/*
 * Calls REPORT with CONTEXT before each mark, to put into the queue what belongs before the mark.
 * REPORT must not call the marker.  False: out of memory.
 */
bool prof_marker_listen(struct prof_marker *marker, void (*report)(void *context), void *context);

/* Calls REPORTED with CONTEXT and the mark's time, in ns of CLOCK_MONOTONIC, at each mark;
 * likewise. */
bool prof_marker_follow(
	struct prof_marker *marker, void (*reported)(void *context, int64_t time), void *context);

/* Calls no function with CONTEXT any more. */
void prof_marker_ignore(struct prof_marker *marker, const void *context);

/* Counts periods only while the processes go on. */
void prof_marker_run(struct prof_marker *marker, bool running);

/*
 * Calls EXPIRED with CONTEXT once, when the processes have gone on for AFTER ns in all.  The
 * marker's thread calls it, and it may call the marker.
 */
void prof_marker_expire(
	struct prof_marker *marker, int64_t after, void (*expired)(void *context), void *context);

/* Makes a mark whenever the processes have gone on for PERIOD ns, from now on; 0: no longer. */
void prof_marker_repeat(struct prof_marker *marker, int64_t period);

/* Makes a mark now.  False: the queue is full. */
bool prof_marker_mark(struct prof_marker *marker, enum prof_mark_kind kind, const char *label);

#endif
