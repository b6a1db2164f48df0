/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_operations.h"

/*
 * Writes OPERATION with NUMBER, unless it is behind the limit for records of MPI.  Then the record
 * of its call, which comes later, is behind it too, and counts as dropped.
 */
static void write_record(struct prof_mpi_messages *messages,
	const struct prof_agent_operation *operation, uint32_t number)
{
	uint64_t *more;
	struct prof_agent_record *record = prof_mpi_messages_next(messages, &more);

	record->kind = PROF_RING_OPERATION;
	record->count = 4;
	record->values[0] = messages->ended;
	record->values[1] = messages->begun;
	record->values[2] = operation->posted;
	record->values[3] = operation->comm;
	record->more_count = 3;
	more[0] = operation->bytes;
	more[1] = prof_ring_operation_peer(operation->peer, operation->tag);
	more[2] = prof_ring_operation_word(operation->kind,
		prof_mpi_messages_own_rank(messages->thread->session->mpi), number);
	prof_mpi_messages_add(messages);
}

uint32_t prof_mpi_operations_write(
	struct prof_mpi_messages *messages, const struct prof_agent_operation *operation)
{
	uint32_t number = operation->kind == PROF_RING_OPERATION_INIT
		? PROF_RING_OPERATION_FIRST
		: prof_mpi_operations_number(messages->thread->session);

	write_record(messages, operation, number);
	return number;
}

void prof_mpi_operations_sent(struct prof_mpi_messages *messages, uint32_t number)
{
	const struct prof_agent_operation sent = {
		.kind = PROF_RING_OPERATION_SENT, .peer = -1, .posted = messages->begun};

	write_record(messages, &sent, number);
}
