/* A profile: the call tree of an experiment's functions, and one metric on it. */
#ifndef PROF_METRIC_PROFILE_H
#define PROF_METRIC_PROFILE_H

#include "metric/calltree.h"
#include "metric/metric.h"

struct prof_profile {
	const struct prof_experiment *experiment; /* borrowed */
	const struct prof_metric *metric;
	struct prof_calltree tree; /* of experiment's functions; inlined ones are functions */
	prof_value *self;          /* by node: of the stacks that end there */
	prof_value *inclusive;     /* by node: of the stacks that pass there; [0] is the total */
};

/*
 * The profile of METRIC over all samples of EXPERIMENT, which is borrowed.  Frames that are not
 * resolved count as the function "<Unknown>"; a stack without a frame too.
 */
struct prof_error *prof_profile_create(struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_progress *progress,
	struct prof_profile **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_profile_destroy(struct prof_profile *profile);

/* Asserts everything that holds of a profile; for tests and debugging. */
void prof_profile_check(const struct prof_profile *profile);

#endif
