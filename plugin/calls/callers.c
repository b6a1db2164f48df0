/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/callers.h"

#include "base/clock.h"
#include "base/map.h"
#include "plugin/engine/engine.h"
#include "plugin/engine/look.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_stack.h"
#include "recording/look.h"
#include "recording/mappings.h"
#include "recording/queue.h"
#include "target/arch.h"
#include "target/caller.h"
#include "target/maps.h"
#include "target/process.h"

#include <stdlib.h>
#include <string.h>

enum {
	PART = 512,        /* the most calls that one message reports */
	OFTEN = 100000000, /* ns between two reports */
};

/* The calls of one function from one place; the first three fields identify them. */
struct caller {
	int64_t process;
	uint64_t callee, caller;
	uint64_t calls; /* not reported yet */
};

/* There is one GDB, so one set of counts. */
static struct {
	struct prof_queue *queue;
	PROF_ARRAY(struct caller) items;
	struct prof_map index;
	PROF_ARRAY(pid_t) mapped; /* processes whose load objects the recorder knows */
	int64_t cost;             /* ns not reported yet */
	int64_t reported;         /* when they were last reported, ns of CLOCK_MONOTONIC */
} callers;

void callers_begin(struct prof_queue *queue)
{
	callers_end();
	callers.queue = queue;
}

void callers_end(void)
{
	free(callers.items.items);
	free(callers.mapped.items);
	prof_map_deinit(&callers.index);
	memset(&callers, 0, sizeof callers);
}

/* Reports the mappings of PROCESS to the recorder, unless that was done. */
static void report_maps(pid_t process)
{
	struct engine_request request = {.queue = callers.queue};
	struct prof_process native;
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};

	for (size_t i = 0; i < callers.mapped.count; i++) {
		if (callers.mapped.items[i] == process)
			return;
	}
	pid_t *added = prof_array_push(&callers.mapped);
	if (added)
		*added = process;
	if (!process) {
		look_at_objects(&request);
		return;
	}
	prof_process_init(&native, process);
	struct prof_target target = prof_process_target(&native);
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, process);
	if (!error)
		prof_mappings_put(callers.queue, process, &target, &maps);
}

static bool is_same(const void *context, uint32_t number)
{
	return !memcmp(context, &callers.items.items[number], offsetof(struct caller, calls));
}

/* The row of WANTED; NULL: no memory. */
static struct caller *find(const struct caller *wanted)
{
	uint64_t hash = prof_map_hash(wanted, offsetof(struct caller, calls));
	uint32_t number = prof_map_find(&callers.index, hash, is_same, wanted);

	if (number != PROF_NONE)
		return &callers.items.items[number];
	report_maps((pid_t)wanted->process);
	struct caller *added = prof_map_push(&callers.index, hash, &callers.items);
	if (added)
		*added = *wanted;
	return added;
}

uint64_t callers_find(pid_t process, const struct prof_registers *registers)
{
	struct prof_process native;
	uint64_t frames[2] = {0};
	size_t depth = 2;
	enum prof_stack_end end;

	if (registers) {
		prof_process_init(&native, process);
		const struct prof_target target = prof_process_target(&native);
		return prof_caller_at_entry(prof_arch_native(), &target, registers);
	}
	host_forget(host_walk(frames, &depth, &end, NULL));
	return depth > 1 ? frames[1] : 0;
}

bool callers_count(pid_t process, uint64_t callee, uint64_t caller, int64_t cost)
{
	const struct caller wanted = {process, callee, caller, 0};
	struct caller *row = find(&wanted);

	if (!row)
		return false;
	row->calls++;
	callers.cost += cost;
	if (prof_clock() - callers.reported >= OFTEN)
		callers_report();
	return true;
}

bool callers_add(pid_t process, uint64_t callee, uint64_t caller, uint64_t calls)
{
	const struct caller wanted = {process, callee, caller, 0};
	struct caller *row = find(&wanted);

	if (row)
		row->calls += calls;
	return row;
}

void callers_pay(int64_t cost)
{
	callers.cost += cost;
	if (prof_clock() - callers.reported >= OFTEN)
		callers_report();
}

/* Puts COUNT entries of PROCESS, and their cost, into the queue.  False: it is full. */
static bool put(int64_t process, const struct prof_counted_arc *arcs, size_t count, int64_t cost)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_COUNTED,
		.size = (uint32_t)(count * sizeof *arcs),
		.counted = {process, prof_clock(), cost},
	};

	return prof_queue_put(callers.queue, &message, arcs);
}

void callers_report_kind(pid_t process, uint64_t callee, enum prof_arc_kind kind)
{
	const struct prof_counted_arc arcs = {callee, callee, 0, kind};

	report_maps(process);
	put(process, &arcs, 1, 0);
}

/*
 * Reports the counts of the process of the row FIRST from there on, as many as fit into a message.
 */
static bool report_part(size_t first)
{
	struct prof_counted_arc arcs[PART] = {0};
	struct caller *rows[PART];
	int64_t process = callers.items.items[first].process;
	size_t count = 0;

	for (size_t i = first; i < callers.items.count && count < PART; i++) {
		struct caller *row = &callers.items.items[i];
		if (row->process != process || !row->calls)
			continue;
		rows[count] = row;
		arcs[count++] = (struct prof_counted_arc){
			row->callee, row->caller, row->calls, PROF_ARC_CALLS};
	}
	/* The rest is reported later. */
	if (!put(process, arcs, count, callers.cost))
		return false;
	callers.cost = 0;
	for (size_t i = 0; i < count; i++)
		rows[i]->calls = 0;
	return true;
}

void callers_report(void)
{
	bool good = true;

	callers.reported = prof_clock();
	for (size_t i = 0; i < callers.items.count && good; i++) {
		if (callers.items.items[i].calls)
			good = report_part(i);
	}
	if (good && callers.cost && put(0, NULL, 0, callers.cost))
		callers.cost = 0;
}

void callers_note_objects(pid_t process)
{
	report_maps(process);
}

void callers_objects_changed(void)
{
	callers_report();
	callers.mapped.count = 0;
	/* Another function may be loaded at the same address. */
	callers.items.count = 0;
	prof_map_deinit(&callers.index);
}
