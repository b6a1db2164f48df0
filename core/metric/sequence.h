/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order in which an experiment's samples came, thread by thread. */
#ifndef PROF_METRIC_SEQUENCE_H
#define PROF_METRIC_SEQUENCE_H

#include "model/sample_row.h"

#include <stdint.h>

struct prof_error;
struct prof_experiment;

struct prof_sequence_sample {
	struct prof_sample sample;
	uint32_t number; /* of it in the experiment */
};

/*
 * All samples of EXPERIMENT, those of one thread after those of another, each thread's by time;
 * what has the same time stays in order.  A new array, which the caller frees.
 */
struct prof_error *prof_sequence_create(const struct prof_experiment *experiment,
	struct prof_sequence_sample **ret) PROF_MUST_CHECK;

#endif
