/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/openmp_events.h"

#include "tracing/ring.h"
#include "tracing/stream.h"
#include "tracing/totals.h"

void prof_openmp_events_deinit(struct prof_openmp_events *events)
{
	prof_map_deinit(&events->tasks);
}

/* The stream of the thread ID that is read now; NULL: there is none. */
static const struct prof_stream *find_thread(const struct prof_streams *streams, uint64_t id)
{
	const struct prof_stream *found = NULL;

	for (size_t i = 0; i < streams->list.count; i++) {
		const struct prof_stream *stream = streams->list.items[i];
		if ((uint64_t)stream->id == id && (!found || found->ended))
			found = stream;
	}
	return found;
}

/* Notes that STACK has created the task NUMBER.  Without memory its creator is not known. */
static void create(struct prof_openmp_events *events, uint64_t number, uint32_t stack)
{
	if (events->tasks.count >= PROF_OPENMP_TASKS)
		prof_map_deinit(&events->tasks);
	if (stack != PROF_NODE_NONE && prof_map_get(&events->tasks, number) == PROF_NONE)
		(void)prof_map_add(&events->tasks, number, stack);
}

/* Takes the stack that has created the task NUMBER; PROF_NODE_NONE: it is not known. */
static uint32_t take_creator(struct prof_openmp_events *events, uint64_t number)
{
	uint32_t stack = prof_map_get(&events->tasks, number);

	if (stack == PROF_NONE)
		return PROF_NODE_NONE;
	prof_map_remove(&events->tasks, number, stack);
	return stack;
}

void prof_openmp_events_add(struct prof_openmp_events *events, const struct prof_streams *streams,
	struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	bool more = record->what <= PROF_RING_OMP_SINGLE;
	const struct prof_stream *of = stream;

	if (record->what < PROF_RING_OMP_INSIDE || record->what >= PROF_RING_OMP_END ||
		(more && record->count < 3)) {
		totals->refused++;
		return;
	}
	if (record->what == PROF_RING_OMP_CREATE) {
		create(events, record->values[2], stack);
		return;
	}
	if (record->what == PROF_RING_OMP_INSIDE)
		of = find_thread(streams, record->values[2]);
	if (record->what != PROF_RING_OMP_INSIDE && more && record->values[2])
		stack = take_creator(events, record->values[2]);
	if (!of || stack == PROF_NODE_NONE) {
		totals->refused++;
		return;
	}
	const struct prof_stream as = {.number = of->number, .id = of->id, .next = *record};
	prof_totals_add(totals, &as, stack);
}
