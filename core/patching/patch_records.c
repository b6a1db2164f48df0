/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_records.h"

#include <stdlib.h>

enum {
	MOST = 1 << 22, /* blocks of a process */
	SOME = 1024,    /* records that are read at once */
	SIZE = sizeof(struct prof_stub_record),
};

void prof_patch_records_deinit(struct prof_patch_records *records)
{
	for (size_t i = 0; i < records->blocks.count; i++)
		free(records->blocks.items[i].times);
	free(records->blocks.items);
	prof_map_deinit(&records->index);
	*records = (struct prof_patch_records){0};
}

static struct prof_error *damaged(void)
{
	return prof_error_create(PROF_ERROR_DAMAGED,
		"The recorded calls in the program's memory cannot be read: the program has changed what gdbprof keeps there.");
}

/* The block at ADDRESS, which may be new and has SIZE bytes of records.  NULL: no memory. */
static struct prof_patch_records_block *find_block(
	struct prof_patch_records *records, uint64_t address, uint32_t size)
{
	uint32_t known = prof_map_get(&records->index, address);

	if (known != PROF_NONE)
		return &records->blocks.items[known];
	uint64_t *times = calloc(size / SIZE, sizeof *times);
	if (!times || !prof_array_reserve(&records->blocks, 1) ||
		!prof_map_add(&records->index, address, (uint32_t)records->blocks.count)) {
		free(times);
		return NULL;
	}
	struct prof_patch_records_block *block = &records->blocks.items[records->blocks.count++];
	*block = (struct prof_patch_records_block){.address = address, .times = times};
	return block;
}

/* Has PROCESS take RECORD of BLOCK. */
static struct prof_error *take(const struct prof_patch_records_process *process,
	struct prof_patch_records_block *block, const struct prof_stub_record *record)
{
	const struct prof_patch_record taken = {
		.time = prof_stub_record_time(record),
		.slot = prof_stub_record_slot(record),
		.function = prof_stub_record_function(record),
		.thread = block->thread,
		.mark = prof_stub_record_mark(record),
	};

	if (taken.mark == PROF_STUB_THREAD) {
		block->thread = prof_stub_record_thread(record);
		return NULL;
	}
	if (taken.function > process->settings->functions)
		return damaged();
	return process->take(process->context, &taken) ? NULL : prof_error_nomem();
}

/*
 * Reads COUNT RECORDS of BLOCK, as far as they are whole; NEXT is how many bytes of records were
 * claimed.  A record that is not whole half a circle later is given up: a signal handler has left
 * its stub for good.
 */
static struct prof_error *read_some(struct prof_patch_records *records,
	const struct prof_patch_records_process *process, struct prof_patch_records_block *block,
	const struct prof_stub_record *some, size_t count, uint64_t next)
{
	const uint32_t size = process->settings->records;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < count; i++) {
		uint64_t *time = &block->times[block->seen % size / SIZE];
		bool whole = prof_stub_record_time(&some[i]) > *time;
		if (!whole && next - block->seen < size / 2)
			break;
		if (whole)
			error = take(process, block, &some[i]);
		else
			records->lost++;
		if (whole)
			*time = prof_stub_record_time(&some[i]);
		block->seen += SIZE;
	}
	return error;
}

/* Reads what is new in BLOCK, of which NEXT bytes of records were claimed. */
static struct prof_error *read_block(struct prof_patch_records *records,
	const struct prof_patch_records_process *process, struct prof_patch_records_block *block,
	uint64_t next)
{
	const uint32_t size = process->settings->records;
	struct prof_stub_record some[SOME];
	struct prof_error *error = NULL;
	uint64_t before = block->seen, from;

	if (next < before || next - before > size || next % SIZE)
		return damaged();
	do {
		from = block->seen;
		uint64_t place = from % size;
		uint64_t bytes = next - from < size - place ? next - from : size - place;
		bytes = bytes < sizeof some ? bytes : sizeof some;
		if (!prof_target_read(process->target, block->address + PROF_STUB_RECORDS + place,
			    some, bytes))
			return damaged();
		error = read_some(records, process, block, some, bytes / SIZE, next);
	} while (!error && block->seen != from && block->seen < next);
	if (block->seen != before &&
		!process->write(process->context,
			block->address + offsetof(struct prof_stub_thread, limit),
			block->seen + prof_stub_limit(process->settings)) &&
		!error)
		error = damaged();
	return error;
}

/* What a block has lost since *LOST was read of it. */
static uint64_t count_lost(uint64_t *lost, uint64_t now)
{
	uint64_t more = now - *lost;

	*lost = now;
	return more;
}

struct prof_error *prof_patch_records_read(
	struct prof_patch_records *records, const struct prof_patch_records_process *process)
{
	const struct prof_stub_settings *settings = process->settings;
	struct prof_stub_control control;
	struct prof_stub_thread head;
	struct prof_error *error = NULL;
	size_t count = 0;

	if (!prof_target_read(process->target, settings->control, &control, sizeof control) ||
		!prof_target_read(
			process->target, settings->control + PROF_STUB_CONTROL, &head, sizeof head))
		return damaged();
	records->lost += count_lost(&records->common, head.lost);
	for (uint64_t at = control.first; !error && at; at = head.link) {
		if (++count > MOST || !prof_target_read(process->target, at, &head, sizeof head))
			return damaged();
		struct prof_patch_records_block *block = find_block(records, at, settings->records);
		if (!block)
			return prof_error_nomem();
		records->lost += count_lost(&block->lost, head.lost);
		error = read_block(records, process, block, head.next);
	}
	return error;
}
