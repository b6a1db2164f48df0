/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_counts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Threads, living at the same time or not followed by others, that a process has. */
	MOST = 1 << 22,
	ENTRIES = 4096, /* of a table, that are read at once */
};

struct reading {
	const struct prof_target *target;
	const struct prof_stub_settings *settings;
	uint64_t *sums;                     /* COUNT of them, of calls without a known caller */
	uint64_t *counters;                 /* room for those of a block */
	struct prof_stub_caller *entries;   /* room for ENTRIES */
	struct prof_patch_callers *callers; /* of the other calls; NULL: they are in SUMS, too */
	uint32_t count;
};

static struct prof_error *damaged(void)
{
	return prof_error_create(PROF_ERROR_DAMAGED,
		"The counts of calls in the program's memory cannot be read: the program has changed what gdbprof keeps there.");
}

/* Adds the calls that ENTRY has counted, perhaps none. */
static struct prof_error *add_entry(
	const struct reading *reading, const struct prof_stub_caller *entry)
{
	uint32_t function = prof_stub_caller_function(entry);
	uint64_t calls = prof_stub_caller_calls(entry);

	/* It is free, or the program is just making it. */
	if (!entry->caller || !calls)
		return NULL;
	if (!function || function > reading->settings->functions)
		return damaged();
	if (function > reading->count)
		return NULL;
	if (!reading->callers)
		reading->sums[function - 1] += calls;
	else if (!prof_patch_callers_add(reading->callers, function, entry->caller, calls))
		return prof_error_nomem();
	return NULL;
}

/* Adds the table of callers of the block at ADDRESS. */
static struct prof_error *add_table(const struct reading *reading, uint64_t address)
{
	struct prof_error *error = NULL;
	size_t left = prof_stub_caller_count(reading->settings), some;

	address += prof_stub_callers(reading->settings);
	for (; !error && left; left -= some, address += some * sizeof *reading->entries) {
		some = left < ENTRIES ? left : ENTRIES;
		if (!prof_target_read(reading->target, address, reading->entries,
			    some * sizeof *reading->entries))
			return damaged();
		for (size_t i = 0; !error && i < some; i++)
			error = add_entry(reading, &reading->entries[i]);
	}
	return error;
}

/* Adds the block at ADDRESS. */
static struct prof_error *add_block(const struct reading *reading, uint64_t address)
{
	if (!prof_target_read(reading->target, address + prof_stub_counter(reading->settings, 1),
		    reading->counters, reading->count * sizeof *reading->counters))
		return damaged();
	for (uint32_t i = 0; i < reading->count; i++)
		reading->sums[i] += reading->counters[i];
	return add_table(reading, address);
}

/* Adds all blocks. */
static struct prof_error *add_all(const struct reading *reading)
{
	uint64_t address = reading->settings->control;
	struct prof_stub_control control;
	struct prof_stub_thread block;
	size_t blocks = 0;

	if (!prof_target_read(reading->target, address, &control, sizeof control))
		return damaged();
	struct prof_error *error = add_block(reading, address + PROF_STUB_CONTROL);
	for (uint64_t at = control.first; !error && at; at = block.link) {
		if (++blocks > MOST || !prof_target_read(reading->target, at, &block, sizeof block))
			return damaged();
		error = add_block(reading, at);
	}
	return error;
}

/* Reads all; SUMS has room for COUNT.  CALLERS may be NULL, see above. */
static struct prof_error *read_all(const struct prof_target *target,
	const struct prof_stub_settings *settings, uint32_t count, uint64_t *sums,
	struct prof_patch_callers *callers)
{
	AUTO_FREE uint64_t *counters = calloc(count + 1, sizeof *counters);
	AUTO_FREE struct prof_stub_caller *entries = calloc(ENTRIES, sizeof *entries);
	const struct reading reading = {target, settings, sums, counters, entries, callers, count};

	assert(count <= settings->functions);
	return sums && counters && entries ? add_all(&reading) : prof_error_nomem();
}

struct prof_error *prof_patch_counts_read(const struct prof_target *target,
	const struct prof_stub_settings *settings, uint64_t *counts, uint32_t count)
{
	AUTO_FREE uint64_t *sums = calloc(count + 1, sizeof *sums);
	struct prof_error *error = read_all(target, settings, count, sums, NULL);

	if (!error)
		memcpy(counts, sums, count * sizeof *sums);
	return error;
}

struct prof_error *prof_patch_counts_read_callers(const struct prof_target *target,
	const struct prof_stub_settings *settings, uint32_t count, struct prof_patch_callers *ret)
{
	AUTO_FREE uint64_t *sums = calloc(count + 1, sizeof *sums);
	struct prof_error *error = read_all(target, settings, count, sums, ret);

	for (uint32_t i = 0; !error && i < count; i++) {
		if (sums[i] && !prof_patch_callers_add(ret, i + 1, 0, sums[i]))
			error = prof_error_nomem();
	}
	return error;
}
