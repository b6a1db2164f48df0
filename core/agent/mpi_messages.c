/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_messages.h"

#include "agent/record.h"

/* How many communicators were freed, plus 1. */
static _Atomic uint64_t epoch = 1;

int prof_mpi_messages_rank(struct prof_agent_thread *thread, prof_mpi_word comm, int rank)
{
	uint64_t now = atomic_load_explicit(&epoch, memory_order_relaxed);
	uint64_t hash = (comm + (uint32_t)rank) * UINT64_C(0x9e3779b97f4a7c15);
	struct prof_mpi_known_rank *known = &thread->mpi.ranks[(hash >> 32) % PROF_MPI_RANKS];

	if (comm == prof_mpi_library.abi.world)
		return rank;
	if (known->epoch != now || known->comm != comm || known->rank != rank)
		*known = (struct prof_mpi_known_rank){
			comm, now, rank, prof_mpi_world_rank(comm, rank)};
	return known->world;
}

void prof_mpi_messages_forget(void)
{
	atomic_fetch_add(&epoch, 1);
}

int prof_mpi_messages_own_rank(struct prof_mpi_session *session)
{
	int known = atomic_load_explicit(&session->rank, memory_order_relaxed);

	if (!known) {
		known = prof_mpi_rank() + 1;
		atomic_store_explicit(&session->rank, known, memory_order_relaxed);
	}
	return known - 1;
}

bool prof_mpi_messages_reserve(
	struct prof_agent_session *session, const struct prof_agent_record *record)
{
	uint64_t size = (1 + record->count + record->more_count) * sizeof(uint64_t);
	uint64_t before =
		atomic_fetch_add_explicit(&session->ring->mpi_bytes, size, memory_order_relaxed);

	return !session->mpi_limit || before + size <= session->mpi_limit;
}

/* Writes a record of the call, with the messages of PEER; NULL: without messages. */
static void write_record(struct prof_mpi_messages *messages, const struct prof_mpi_peer *peer)
{
	static const struct prof_mpi_peer nobody;
	struct prof_agent_thread *thread = messages->thread;
	struct prof_agent_session *session = thread->session;
	const struct prof_mpi_peer *of = peer ? peer : &nobody;
	uint64_t who = peer
		? prof_ring_mpi_peers(prof_mpi_messages_own_rank(session->mpi), peer->rank)
		: prof_ring_mpi_peers(PROF_MPI_NOBODY, PROF_MPI_NOBODY);
	uint64_t more[] = {of->sends, of->sent, of->receives, of->received};
	struct prof_agent_record record = {.kind = PROF_RING_MPI,
		.what = messages->what,
		.cpu = messages->cpu,
		.count = 4,
		.values = {messages->ended, messages->told ? messages->ended : messages->begun, who,
			!messages->told && !peer && !messages->receives},
		.more = more,
		.more_count = sizeof more / sizeof *more};

	messages->told = true;
	if (!prof_mpi_messages_reserve(session, &record)) {
		atomic_fetch_add_explicit(&session->ring->dropped, 1, memory_order_relaxed);
		return;
	}
	prof_agent_record_begin(thread);
	prof_agent_record_write(thread, &record, 1, session->mpi_stacks ? messages->frame : NULL);
	prof_agent_record_end(thread);
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
	if (!messages->told)
		write_record(messages, NULL);
}
