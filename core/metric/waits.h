/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Waits of the ranks of an MPI job for each other, by cause, with Scalasca's names.
 *
 * A call that has several reasons to wait, such as one that waits for many requests, has the one
 * that took longest, and no more time than that.
 */
#ifndef PROF_METRIC_WAITS_H
#define PROF_METRIC_WAITS_H

#include "base/value.h"
#include "model/mpi_matches.h"

struct prof_selection;

enum prof_wait_cause {
	PROF_WAIT_LATE_SENDER,   /* the receiver was in the call before the send was begun */
	PROF_WAIT_LATE_RECEIVER, /* the sender was, and the receive was posted before it returned */
	PROF_WAIT_BARRIER,       /* until the last rank came to the barrier */
	PROF_WAIT_ALL,           /* until the last rank came, where each sends to all */
	PROF_WAIT_LATE_ROOT,     /* until the root came, which sends to all */
	PROF_WAIT_EARLY_ROOT,    /* of the root, until the first came of those that send to it */
	PROF_WAIT_CAUSES,
};

/* The names of the causes in data, and Scalasca's names for them. */
extern const char *const prof_wait_words[PROF_WAIT_CAUSES];
extern const char *const prof_wait_names[PROF_WAIT_CAUSES];

/* The waits of RANK for OTHER; ranks are in MPI_COMM_WORLD. */
struct prof_wait_sum {
	enum prof_wait_cause cause;
	int64_t rank, other;
	prof_value waits;
	prof_value time; /* ns: of all of them */
	int64_t longest; /* ns */
};

/* All zeroes is none. */
struct prof_waits {
	struct prof_mpi_matches matches;
	PROF_ARRAY(struct prof_wait_sum) list; /* the longest time first */
	struct prof_wait_sum total;            /* without ranks and a cause */
};

/* The waits of EXPERIMENT's samples, those of SELECTION unless it is NULL. */
struct prof_error *prof_waits_init(struct prof_waits *waits,
	const struct prof_experiment *experiment,
	const struct prof_selection *selection) PROF_MUST_CHECK;

void prof_waits_deinit(struct prof_waits *waits);
#define AUTO_WAITS PROF_AUTO(prof_waits_deinit)

#endif
