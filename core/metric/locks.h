/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Waits for other threads: for what, by whom, and who had it. */
#ifndef PROF_METRIC_LOCKS_H
#define PROF_METRIC_LOCKS_H

#include "base/memory.h"
#include "base/value.h"

struct prof_error;
struct prof_experiment;
struct prof_selection;

/* The waits of one thread for one object that one thread had. */
struct prof_locks_wait {
	uint32_t object;   /* of the experiment; PROF_NONE: not known */
	uint32_t thread;   /* that waited */
	uint32_t holder;   /* thread; PROF_NONE: not known */
	prof_value events; /* how many waits */
	prof_value wait;   /* ns: of all of them */
	int64_t longest;   /* ns */
	/* Of several stacks, that with the most: a path. */
	uint32_t path; /* where the thread waited */
	/* Where the holder itself waited for the object; PROF_NONE: it is not known to have. */
	uint32_t holder_path;
	prof_value most; /* ns: on that path */
};

/* All waits for one object. */
struct prof_locks_object {
	uint32_t object;         /* of the experiment; PROF_NONE: not known */
	size_t first, count;     /* of its waits */
	prof_value events, wait; /* as above */
	int64_t longest;         /* ns */
};

/* All zeroes is none. */
struct prof_locks {
	PROF_ARRAY(struct prof_locks_object) objects; /* the one waited for longest first */
	/* The waits of one object stand side by side, those with the longest sum first. */
	PROF_ARRAY(struct prof_locks_wait) waits;
};

/* The waits that EXPERIMENT's samples, those of SELECTION unless it is NULL, stand for. */
struct prof_error *prof_locks_init(struct prof_locks *locks,
	const struct prof_experiment *experiment,
	const struct prof_selection *selection) PROF_MUST_CHECK;

void prof_locks_deinit(struct prof_locks *locks);
#define AUTO_LOCKS PROF_AUTO(prof_locks_deinit)

#endif
