/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The threads of an imported file, whose samples name them by id and name. */
#ifndef PROF_FORMATS_THREAD_INDEX_H
#define PROF_FORMATS_THREAD_INDEX_H

#include "base/map.h"

struct prof_error;
struct prof_experiment;

/* All zeroes: empty. */
struct prof_thread_index {
	struct prof_map map; /* hash of id and name -> thread */
};

/* Frees what INDEX holds, and leaves it empty. */
void prof_thread_index_deinit(struct prof_thread_index *index);

/*
 * Sets *RET to the thread of EXPERIMENT with ID and NAME, which is added if it is new.  All threads
 * of EXPERIMENT come from INDEX.
 */
struct prof_error *prof_thread_index_get(struct prof_thread_index *index,
	struct prof_experiment *experiment, int64_t id, const char *name,
	uint32_t *ret) PROF_MUST_CHECK;

#endif
