/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_messages.h"

#include "agent/walk.h"

/* How many communicators were freed, plus 1. */
static _Atomic uint64_t epoch = 1;

int prof_mpi_messages_rank(struct prof_agent_thread *thread, prof_mpi_word comm, int rank)
{
	if (comm == prof_mpi_library.abi.world)
		return rank;
	uint64_t now = atomic_load_explicit(&epoch, memory_order_relaxed);
	uint64_t hash = (comm + (uint32_t)rank) * UINT64_C(0x9e3779b97f4a7c15);
	struct prof_mpi_known_rank *known = &thread->mpi.ranks[(hash >> 32) % PROF_MPI_RANKS];

	if (known->epoch != now || known->comm != comm || known->rank != rank)
		*known = (struct prof_mpi_known_rank){
			comm, now, rank, prof_mpi_world_rank(comm, rank)};
	return known->world;
}

void prof_mpi_messages_forget(void)
{
	atomic_fetch_add(&epoch, 1);
}

int prof_mpi_messages_ask_rank(struct prof_mpi_session *session)
{
	int known = prof_mpi_rank() + 1;

	atomic_store_explicit(&session->serial, prof_mpi_is_serial(), memory_order_relaxed);
	atomic_store_explicit(&session->rank, known, memory_order_relaxed);
	return known - 1;
}

static uint64_t size_of(const struct prof_agent_record *record)
{
	return (1 + record->count + record->more_count) * sizeof(uint64_t);
}

/* Counts the bytes of the records, without stacks, and removes those behind the limit. */
static void reserve(struct prof_mpi_messages *messages)
{
	const struct prof_agent_session *session = messages->thread->session;
	_Atomic uint64_t *bytes = &session->ring->mpi_bytes;
	unsigned pending = messages->pending;
	uint64_t size = 0;

	for (unsigned i = 0; i < pending && !session->mpi_limit; i++)
		size += size_of(&messages->records[i]);
	if (!session->mpi_limit) {
		prof_mpi_session_add(session->mpi, bytes, size);
		return;
	}
	messages->pending = 0;
	for (unsigned i = 0; i < pending; i++) {
		const struct prof_agent_record *record = &messages->records[i];
		size = size_of(record);
		if (prof_mpi_session_add(session->mpi, bytes, size) + size <= session->mpi_limit)
			messages->records[messages->pending++] = *record;
		else if (record->kind == PROF_RING_MPI)
			atomic_fetch_add_explicit(&session->ring->dropped, 1, memory_order_relaxed);
	}
}

/* Writes the records at once, the last with the stack of its call if it is that of one. */
static void flush(struct prof_mpi_messages *messages)
{
	struct prof_agent_thread *thread = messages->thread;

	reserve(messages);
	unsigned count = messages->pending;
	messages->pending = 0;
	if (!count)
		return;
	struct prof_agent_record *last = &messages->records[count - 1];
	void *frame = NULL;
	if (last->kind == PROF_RING_MPI && thread->session->mpi_stacks) {
		const struct prof_walk_start start = prof_walk_start(messages->frame);
		if (messages->node == PROF_NODE_NONE)
			messages->node = prof_walk_site(thread, &start);
		/* Where a row is missing, the stack is written as it is. */
		frame = messages->node == PROF_NODE_NONE ? messages->frame : NULL;
		last->node = frame ? last->node : messages->node;
	}
	prof_agent_record_begin(thread);
	prof_agent_record_write(thread, messages->records, count, frame);
	prof_agent_record_end(thread);
}

void prof_mpi_messages_add(struct prof_mpi_messages *messages)
{
	const struct prof_agent_record *record = &messages->records[messages->pending++];

	if (messages->pending == PROF_MPI_PENDING || record->kind == PROF_RING_MPI)
		flush(messages);
}

/* Writes a record of the call, with the messages of PEER; NULL: without messages. */
static void write_record(struct prof_mpi_messages *messages, const struct prof_mpi_peer *peer)
{
	uint64_t *more;
	struct prof_agent_record *record = prof_mpi_messages_next(messages, &more);

	record->kind = PROF_RING_MPI;
	record->count = 4;
	record->values[0] = messages->ended;
	record->values[1] = messages->reported ? messages->ended : messages->begun;
	record->values[2] = peer
		? prof_ring_mpi_peers(
			  prof_mpi_messages_own_rank(messages->thread->session->mpi), peer->rank)
		: prof_ring_mpi_peers(PROF_MPI_NOBODY, PROF_MPI_NOBODY);
	record->values[3] = !messages->reported && !peer && !messages->receives;
	record->more_count = 4;
	more[0] = peer ? peer->sends : 0;
	more[1] = peer ? peer->sent : 0;
	more[2] = peer ? peer->receives : 0;
	more[3] = peer ? peer->received : 0;
	messages->reported = true;
	prof_mpi_messages_add(messages);
}

static void write_peers(struct prof_mpi_messages *messages)
{
	for (unsigned i = 0; i < messages->count; i++)
		write_record(messages, &messages->peers[i]);
	messages->count = 0;
}

static struct prof_mpi_peer *find_peer(struct prof_mpi_messages *messages, int rank)
{
	for (unsigned i = 0; i < messages->count; i++) {
		if (messages->peers[i].rank == rank)
			return &messages->peers[i];
	}
	if (messages->count == PROF_MPI_PEERS)
		write_peers(messages);
	struct prof_mpi_peer *peer = &messages->peers[messages->count++];
	*peer = (struct prof_mpi_peer){.rank = rank};
	return peer;
}

void prof_mpi_messages_sent(struct prof_mpi_messages *messages, int peer, uint64_t bytes)
{
	struct prof_mpi_peer *to = find_peer(messages, peer);

	to->sends++;
	to->sent += bytes;
}

void prof_mpi_messages_received(struct prof_mpi_messages *messages, int peer, uint64_t bytes)
{
	struct prof_mpi_peer *from = find_peer(messages, peer);

	from->receives++;
	from->received += bytes;
}

void prof_mpi_messages_end(struct prof_mpi_messages *messages)
{
	write_peers(messages);
	if (!messages->reported)
		write_record(messages, NULL);
}
