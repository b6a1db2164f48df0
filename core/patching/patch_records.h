/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls and returns that stubs have recorded, read while the threads that record them go on. */
#ifndef PROF_PATCHING_PATCH_RECORDS_H
#define PROF_PATCHING_PATCH_RECORDS_H

#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "patching/stubs.h"
#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

/* A call, or the return from one. */
struct prof_patch_record {
	uint64_t time;     /* in clock units */
	uint64_t slot;     /* address of the return address */
	uint32_t function; /* its number; 0: a return */
	uint32_t thread;   /* as the kernel has it */
	uint8_t mark;      /* enum prof_stub_mark, but not PROF_STUB_THREAD */
};

/* A block of a thread. */
struct prof_patch_records_block {
	uint64_t address;
	uint64_t seen;   /* bytes of records that were read, or given up */
	uint64_t lost;   /* as the block has it */
	uint64_t *times; /* of what was read last, by place in the circle: what is later is new */
	uint32_t thread; /* whose records come next */
};

/* How far all blocks of a process were read.  All zeroes is not at all. */
struct prof_patch_records {
	PROF_ARRAY(struct prof_patch_records_block) blocks;
	struct prof_map index; /* of BLOCKS, by address */
	uint64_t common;       /* what threads without a block have lost */
	/* Records that there was no room for, or that their stubs will not write any more. */
	uint64_t lost;
};

void prof_patch_records_deinit(struct prof_patch_records *records);

/* A process whose control area is mapped. */
struct prof_patch_records_process {
	const struct prof_target *target; /* its memory */
	const struct prof_stub_settings *settings;
	/* Writes VALUE to ADDRESS.  False: it cannot. */
	bool (*write)(void *context, uint64_t address, uint64_t value);
	/* Takes a record.  False: no memory. */
	bool (*take)(void *context, const struct prof_patch_record *record);
	void *context;
};

/*
 * Has PROCESS take all that is new in its blocks, block by block, each in the order in which
 * records were begun: where a signal has come between, one may be earlier than those before it.
 * Then there is room for as many more.  An error if the memory cannot be read or written, or is
 * damaged; RECORDS say how far it was read.
 */
struct prof_error *prof_patch_records_read(struct prof_patch_records *records,
	const struct prof_patch_records_process *process) PROF_MUST_CHECK;

#endif
