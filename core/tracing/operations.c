/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/operations.h"

#include "tracing/stream.h"

#include <stdlib.h>
#include <string.h>

void prof_operations_deinit(struct prof_operations *operations)
{
	free(operations->list.items);
	*operations = (struct prof_operations){0};
}

bool prof_operations_add(struct prof_operations *operations, const struct prof_stream *stream)
{
	const uint64_t *values = stream->next.values;
	bool full = operations->list.count >= PROF_OPERATIONS_WAITING;
	struct prof_operation_record *added = full ? NULL : prof_array_push(&operations->list);

	if (!added)
		return false;
	*added = (struct prof_operation_record){.thread = stream->number,
		.total = PROF_NONE,
		.end = stream->next.time,
		.begin = values[0],
		.posted = values[1],
		.comm = values[2],
		.bytes = values[3],
		.peer = values[4],
		.word = values[5]};
	return true;
}

void prof_operations_split(struct prof_stream_record *record, struct prof_stream_record *ret)
{
	uint64_t begun = record->values[0], bytes = record->values[1], peer = record->values[2],
		 word = record->values[3];
	bool receives = prof_ring_operation_kind_of(word) == PROF_RING_OPERATION_RECEIVE;

	*ret = *record;
	ret->kind = PROF_RING_MPI;
	ret->count = 7;
	ret->values[1] = prof_ring_mpi_peers(
		prof_ring_operation_rank_of(word), prof_ring_operation_peer_of(peer));
	ret->values[2] = 0;
	ret->values[3] = !receives;
	ret->values[4] = receives ? 0 : bytes;
	ret->values[5] = receives;
	ret->values[6] = receives ? bytes : 0;
	record->kind = PROF_RING_OPERATION;
	record->node = PROF_NODE_EMPTY;
	record->count = 6;
	record->values[1] = begun;
	record->values[2] = PROF_RING_WORLD;
	record->values[3] = bytes;
	record->values[4] = peer;
	record->values[5] = word;
}

void prof_operations_link(
	struct prof_operations *operations, uint32_t thread, uint64_t end, uint32_t total)
{
	struct prof_operation_record *items = operations->list.items;
	size_t left = operations->linked;

	for (size_t i = operations->linked; i < operations->list.count; i++) {
		struct prof_operation_record record = items[i];
		if (record.thread != thread) {
			items[left++] = record;
		} else if (total != PROF_NONE && record.end == end) {
			/* Others that still wait may wait for ever: none may hold up this one. */
			record.total = total;
			items[left++] = items[operations->linked];
			items[operations->linked++] = record;
		}
	}
	operations->list.count = left;
}

void prof_operations_remove(struct prof_operations *operations, size_t count)
{
	struct prof_operation_record *items = operations->list.items;

	operations->list.count -= count;
	operations->linked -= count;
	if (count)
		memmove(items, items + count, operations->list.count * sizeof *items);
}
