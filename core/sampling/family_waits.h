/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Waits of a family of processes: messages report what its threads do while they have no CPU, with
 * the stack where they wait.
 *
 * The wait of a thread that ended before the first look at it has no known cause: its life time is
 * known, and its CPU time by samples, in sum over all such threads.
 */
#ifndef PROF_SAMPLING_FAMILY_WAITS_H
#define PROF_SAMPLING_FAMILY_WAITS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_family;
struct prof_layout;
struct prof_member_thread;
struct prof_queue;

struct prof_family_waits;

struct prof_family_waits_options {
	double rate;              /* Hz */
	bool wall;                /* waits are samples too */
	struct prof_queue *queue; /* borrowed */
	/*
	 * Reports THREAD to the recorder, and returns the layout of its process; NULL: out of
	 * memory.
	 */
	struct prof_layout *(*introduce)(void *context, struct prof_member_thread *thread);
	void *context;
	size_t max_depth; /* frames */
};

/* OPTIONS is copied. */
struct prof_error *prof_family_waits_create(const struct prof_family_waits_options *options,
	struct prof_family_waits **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_family_waits_destroy(struct prof_family_waits *waits);

/* ms until the family should be looked at again: looking takes a part of a CPU that has a limit. */
int prof_family_waits_due(const struct prof_family_waits *waits);

/* Looks at all threads of FAMILY that go on. */
void prof_family_waits_look(struct prof_family_waits *waits, struct prof_family *family);

/* The same, but leaves out the time until now. */
void prof_family_waits_restart(struct prof_family_waits *waits, struct prof_family *family);

/* THREAD has ended: reports the rest of its time. */
void prof_family_waits_end(struct prof_family_waits *waits, struct prof_member_thread *thread);

/* ns of waits whose cause is not known. */
int64_t prof_family_waits_unseen(const struct prof_family_waits *waits);

#endif
