/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_counts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Threads, living at the same time or not followed by others, that a process has at the most. */
enum { MOST = 1 << 22 };

struct reading {
	const struct prof_target *target;
	uint64_t first;     /* bytes from the beginning of a block to its first counter */
	uint64_t *sums;     /* COUNT of them */
	uint64_t *counters; /* room for those of a block */
	uint32_t count;
};

static struct prof_error *damaged(void)
{
	return prof_error_create(PROF_ERROR_DAMAGED,
		"The counts of calls in the program's memory cannot be read: the program has changed what gdbprof keeps there.");
}

/* Adds the counters of the block at ADDRESS. */
static bool add_block(const struct reading *reading, uint64_t address)
{
	if (!prof_target_read(reading->target, address + reading->first, reading->counters,
		    reading->count * sizeof *reading->counters))
		return false;
	for (uint32_t i = 0; i < reading->count; i++)
		reading->sums[i] += reading->counters[i];
	return true;
}

/* Adds all blocks of the control area at ADDRESS. */
static struct prof_error *add_all(const struct reading *reading, uint64_t address)
{
	struct prof_stub_control control;
	struct prof_stub_thread block;
	size_t blocks = 0;

	if (!prof_target_read(reading->target, address, &control, sizeof control) ||
		!add_block(reading, address + PROF_STUB_CONTROL))
		return damaged();
	for (uint64_t at = control.first; at; at = block.link) {
		if (++blocks > MOST ||
			!prof_target_read(reading->target, at, &block, sizeof block) ||
			!add_block(reading, at))
			return damaged();
	}
	return NULL;
}

struct prof_error *prof_patch_counts_read(const struct prof_target *target,
	const struct prof_stub_settings *settings, uint64_t *counts, uint32_t count)
{
	AUTO_FREE uint64_t *sums = calloc(count + 1, sizeof *sums);
	AUTO_FREE uint64_t *counters = calloc(count + 1, sizeof *counters);
	const struct reading reading = {
		target, prof_stub_counter(settings, 1), sums, counters, count};

	assert(count <= settings->functions);
	if (!sums || !counters)
		return prof_error_nomem();
	struct prof_error *error = add_all(&reading, settings->control);
	if (!error)
		memcpy(counts, sums, count * sizeof *sums);
	return error;
}
