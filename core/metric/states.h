/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a profile has of its metric in each state of the threads. */
#ifndef PROF_METRIC_STATES_H
#define PROF_METRIC_STATES_H

#include "base/error.h"
#include "base/value.h"
#include "model/sample_row.h"

struct prof_profile;
struct prof_progress;
struct prof_selection;

/*
 * A metric that is a time is divided as the kernel has accounted for it; samples are in the state
 * that the thread was seen in.
 */
struct prof_states {
	prof_value *self[PROF_STATES]; /* by node: of the stacks that end there */
};

/* Divides what PROFILE, made of SELECTION, has in its nodes. */
struct prof_error *prof_states_init(struct prof_states *states, const struct prof_profile *profile,
	const struct prof_selection *selection,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what STATES holds; all zeroes is fine. */
void prof_states_deinit(struct prof_states *states);
#define AUTO_STATES PROF_AUTO(prof_states_deinit)

/* The state that QUANTITY of ROW was spent in. */
enum prof_state prof_states_of(enum prof_quantity quantity, const struct prof_sample_row *row);

#endif
