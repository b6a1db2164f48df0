/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reports to the recorder what is mapped where, so that addresses get their load objects. */
#ifndef PROF_RECORDING_MAPPINGS_H
#define PROF_RECORDING_MAPPINGS_H

#include "target/target.h"

#include <sys/types.h>

struct prof_batch;
struct prof_mapping;
struct prof_maps;
struct prof_queue;

/*
 * Puts all of MAPS, the address space of PID whose memory TARGET reads, in place of what was.
 * Samples that another thread puts at the same time find one of the two lists, and it is whole.
 */
void prof_mappings_put(struct prof_queue *queue, pid_t pid, const struct prof_target *target,
	const struct prof_maps *maps);

/* Begins a list of what PID has mapped, which replaces what was once it is put. */
void prof_mappings_begin(struct prof_batch *list, pid_t pid);

/* Adds MAPPING of PID, unless it is of no file; BUILD_ID is that of its file, in hex, or "". */
void prof_mappings_add(struct prof_batch *list, pid_t pid, const struct prof_mapping *mapping,
	const char *build_id);

/* Puts the mapping of the kernel, which all processes have, and no list replaces. */
void prof_mappings_put_kernel(struct prof_queue *queue);

#endif
