/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_requests.h"

enum { KIND = 0xff, BUSY = 0x100, CHANGE = 0x200 };

static uint32_t hash_of(prof_mpi_word handle)
{
	uint64_t key = handle * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(key >> 32);
}

/* The state that follows STATE, with the kind (or mark) KIND. */
static uint64_t next_state(uint64_t state, unsigned kind)
{
	return ((state & ~(uint64_t)(KIND | BUSY)) + CHANGE) | kind;
}

static struct prof_mpi_requests_slot *slot_at(struct prof_mpi_requests *requests, uint32_t number)
{
	return &requests->slots[number % PROF_MPI_REQUESTS];
}

/* Reads the slot NUMBER; the result has the kind 0 if the slot is empty or being changed. */
static struct prof_mpi_request read_slot(struct prof_mpi_requests *requests, uint32_t number)
{
	struct prof_mpi_requests_slot *slot = slot_at(requests, number);
	uint64_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
	struct prof_mpi_request request = {.slot = number, .state = state};

	if (!(state & KIND) || state & BUSY)
		return request;
	/* Read each field before the state is read again. */
	request.handle = atomic_load_explicit(&slot->handle, memory_order_acquire);
	request.comm = atomic_load_explicit(&slot->comm, memory_order_acquire);
	request.bytes = atomic_load_explicit(&slot->bytes, memory_order_acquire);
	request.number = atomic_load_explicit(&slot->number, memory_order_acquire);
	request.posted = atomic_load_explicit(&slot->posted, memory_order_acquire);
	request.peer = atomic_load_explicit(&slot->peer, memory_order_acquire);
	request.tag = atomic_load_explicit(&slot->tag, memory_order_acquire);
	request.operation = atomic_load_explicit(&slot->operation, memory_order_acquire);
	if (atomic_load_explicit(&slot->state, memory_order_relaxed) == state)
		request.kind = (unsigned)(state & KIND);
	return request;
}

struct prof_mpi_request prof_mpi_requests_find(
	struct prof_mpi_requests *requests, prof_mpi_word handle)
{
	uint32_t first = hash_of(handle);

	for (uint32_t i = 0; i < PROF_MPI_REQUESTS_REACH; i++) {
		struct prof_mpi_request request = read_slot(requests, first + i);
		if (request.kind && request.handle == handle)
			return request;
		if (!request.state)
			break;
	}
	return (struct prof_mpi_request){.handle = handle};
}

/* Writes REQUEST to the slot NUMBER if its state is STATE.  False: the state is another. */
static bool write_slot(struct prof_mpi_requests *requests, uint32_t number, uint64_t state,
	const struct prof_mpi_request *request)
{
	struct prof_mpi_requests_slot *slot = slot_at(requests, number);

	if (!atomic_compare_exchange_strong(&slot->state, &state, next_state(state, BUSY)))
		return false;
	/* No reader may see the old state together with the new fields. */
	atomic_store_explicit(&slot->handle, request->handle, memory_order_release);
	atomic_store_explicit(&slot->comm, request->comm, memory_order_release);
	atomic_store_explicit(&slot->bytes, request->bytes, memory_order_release);
	atomic_store_explicit(&slot->number, request->number, memory_order_release);
	atomic_store_explicit(&slot->posted, request->posted, memory_order_release);
	atomic_store_explicit(&slot->peer, request->peer, memory_order_release);
	atomic_store_explicit(&slot->tag, request->tag, memory_order_release);
	atomic_store_explicit(&slot->operation, request->operation, memory_order_release);
	atomic_store_explicit(&slot->state, next_state(next_state(state, BUSY), request->kind),
		memory_order_release);
	return true;
}

bool prof_mpi_requests_add(
	struct prof_mpi_requests *requests, const struct prof_mpi_request *request)
{
	struct prof_mpi_request before = prof_mpi_requests_find(requests, request->handle);
	uint32_t first = hash_of(request->handle);

	if (before.kind && write_slot(requests, before.slot, before.state, request))
		return true;
	for (uint32_t i = 0; i < PROF_MPI_REQUESTS_REACH; i++) {
		uint64_t state = atomic_load_explicit(
			&slot_at(requests, first + i)->state, memory_order_relaxed);
		if (!(state & (KIND | BUSY)) && write_slot(requests, first + i, state, request))
			return true;
	}
	return false;
}

void prof_mpi_requests_change(
	struct prof_mpi_requests *requests, const struct prof_mpi_request *request, unsigned kind)
{
	uint64_t state = request->state;

	atomic_compare_exchange_strong(
		&slot_at(requests, request->slot)->state, &state, next_state(state, kind));
}
