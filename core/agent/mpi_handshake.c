/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_handshake.h"

#include <sys/mman.h>

enum {
	ROUNDS = 20,
	TAG = 1,
	BYTES = sizeof(int),
};

/* Sends NUMBER to PEER.  Returns when that began. */
static uint64_t send_number(const struct prof_mpi_call *call, int number, int peer)
{
	uint64_t time = prof_agent_stamp(call->thread->session).time;

	prof_mpi_send(&number, BYTES, peer, TAG, call->session->handshake);
	return time;
}

/* Receives a number from PEER.  Returns when that was done. */
static uint64_t receive_number(const struct prof_mpi_call *call, int *number, int peer)
{
	*number = 0;
	prof_mpi_receive(number, BYTES, peer, TAG, call->session->handshake);
	return prof_agent_stamp(call->thread->session).time;
}

/* What rank 0 does with PEER: it finds out which round trip was the shortest, and says so. */
static struct prof_mpi_exchange lead(const struct prof_mpi_call *call, int peer)
{
	struct prof_mpi_exchange best = {.peer = peer, .received = UINT64_MAX};
	int shortest = 0, answer;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t sent = send_number(call, i, peer);
		uint64_t received = receive_number(call, &answer, peer);
		if (received - sent >= best.received - best.sent)
			continue;
		shortest = i;
		best.sent = sent;
		best.received = received;
	}
	send_number(call, shortest, peer);
	return best;
}

static struct prof_mpi_exchange follow(const struct prof_mpi_call *call)
{
	struct prof_mpi_exchange rounds[ROUNDS];
	int number;

	for (int i = 0; i < ROUNDS; i++) {
		rounds[i].peer = 0;
		rounds[i].received = receive_number(call, &number, 0);
		rounds[i].sent = send_number(call, number, 0);
	}
	receive_number(call, &number, 0);
	return rounds[(unsigned)number % ROUNDS];
}

void prof_mpi_handshake(struct prof_mpi_call *call)
{
	struct prof_mpi_session *session = call->session;
	int rank = prof_mpi_rank(), size = prof_mpi_comm_size(prof_mpi_library.abi.world);

	call->exchanges = NULL;
	call->exchange_count = 0;
	if (!session->handshake && call->class == PROF_MPI_INIT)
		session->handshake = prof_mpi_copy_of_world();
	if (!session->handshake || size < 2 || rank < 0)
		return;
	size_t count = rank ? 1 : (size_t)size - 1;
	long memory = prof_system(SYS_mmap, 0, (long)(count * sizeof *call->exchanges),
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool failed = prof_system_failed(memory);
	struct prof_mpi_exchange *exchanges = failed ? NULL : (struct prof_mpi_exchange *)memory;
	/* Other ranks wait for the messages even if nothing can be remembered of them. */
	for (size_t i = 0; i < count; i++) {
		struct prof_mpi_exchange exchange = rank ? follow(call) : lead(call, (int)i + 1);
		if (exchanges)
			exchanges[i] = exchange;
	}
	if (call->class == PROF_MPI_FINALIZE)
		prof_mpi_free_comm(&session->handshake);
	if (!exchanges)
		return;
	call->exchanges = exchanges;
	call->exchange_count = count;
}

/* Writes that a message of KIND, to or from PEER, was on its way at TIME. */
static void write_message(
	struct prof_mpi_call *call, enum prof_ring_operation kind, int peer, uint64_t time)
{
	const struct prof_agent_operation operation = {.kind = kind,
		.peer = peer,
		.tag = TAG,
		.comm = PROF_RING_HANDSHAKE,
		.bytes = BYTES,
		.posted = time};

	prof_mpi_operations_write(&call->messages, &operation);
}

void prof_mpi_handshake_write(struct prof_mpi_call *call)
{
	for (size_t i = 0; i < call->exchange_count; i++) {
		const struct prof_mpi_exchange *exchange = &call->exchanges[i];
		write_message(call, PROF_RING_OPERATION_SEND, exchange->peer, exchange->sent);
		write_message(
			call, PROF_RING_OPERATION_RECEIVE, exchange->peer, exchange->received);
	}
	if (call->exchange_count)
		prof_system(SYS_munmap, (long)call->exchanges,
			(long)(call->exchange_count * sizeof *call->exchanges), 0, 0, 0, 0);
	call->exchange_count = 0;
}
