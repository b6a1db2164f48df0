/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Metrics of groups of a profile's items: a sample counts once for each group, however many of the
 * group's items are in its stack.
 */
#ifndef PROF_METRIC_GROUPS_H
#define PROF_METRIC_GROUPS_H

#include "base/memory.h"
#include "base/value.h"

struct prof_error;
struct prof_profile;

/* By item a group, or PROF_NONE; they differ where code belongs to a group but not to it alone. */
struct prof_grouping {
	uint32_t *own;    /* whose exclusive metric has the samples that end in the item */
	uint32_t *within; /* whose inclusive metric has those that pass it */
	size_t groups;    /* how many there are */
};

/* A grouping of COUNT items, none of which is in a group. */
struct prof_error *prof_grouping_init(
	struct prof_grouping *grouping, size_t count, size_t groups) PROF_MUST_CHECK;

/* Frees what GROUPING holds; all zeroes is fine. */
void prof_grouping_deinit(struct prof_grouping *grouping);
#define AUTO_GROUPING PROF_AUTO(prof_grouping_deinit)

/*
 * Adds to EXCLUSIVE and INCLUSIVE, by group, what the groups have of PROFILE.  Without stacks, the
 * costs of the items and of their calls out of the group are inclusive.
 */
struct prof_error *prof_groups_measure(const struct prof_profile *profile,
	const struct prof_grouping *grouping, prof_value *exclusive,
	prof_value *inclusive) PROF_MUST_CHECK;

#endif
