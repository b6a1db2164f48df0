/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_comms.h"

#include "tracing/ring.h"

/* The numbers of the two communicators that always exist. */
enum { WORLD = PROF_RING_WORLD, SELF = 2 };

static uint64_t mix(uint64_t word)
{
	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

static struct prof_mpi_comm *slot_at(
	struct prof_mpi_comms *comms, prof_mpi_word comm, unsigned offset)
{
	return &comms->slots[(mix(comm) + offset) % PROF_MPI_COMMS];
}

/* The slot of COMM, and its number in *NUMBER; NULL: it is unknown. */
static struct prof_mpi_comm *find(
	struct prof_mpi_comms *comms, prof_mpi_word comm, uint64_t *number)
{
	*number = comm == prof_mpi_library.abi.world ? WORLD : SELF;
	if (comm == prof_mpi_library.abi.world)
		return &comms->world;
	if (comm == prof_mpi_library.abi.self)
		return &comms->self;
	for (unsigned i = 0; i < PROF_MPI_COMMS_REACH; i++) {
		struct prof_mpi_comm *slot = slot_at(comms, comm, i);
		prof_mpi_word handle = atomic_load_explicit(&slot->handle, memory_order_acquire);
		if (!handle)
			return NULL;
		if (handle != comm)
			continue;
		*number = atomic_load_explicit(&slot->number, memory_order_acquire);
		/* A thread that gives the slot to another communicator clears the number first. */
		return *number && atomic_load_explicit(&slot->handle, memory_order_acquire) == comm
			? slot
			: NULL;
	}
	return NULL;
}

uint64_t prof_mpi_comms_number(struct prof_mpi_comms *comms, prof_mpi_word comm)
{
	uint64_t number;

	return find(comms, comm, &number) ? number : 0;
}

/* The slot that COMM has, or one that it can take; NULL: there is no room. */
static struct prof_mpi_comm *find_room(struct prof_mpi_comms *comms, prof_mpi_word comm)
{
	struct prof_mpi_comm *room = NULL;

	for (unsigned i = 0; i < PROF_MPI_COMMS_REACH; i++) {
		struct prof_mpi_comm *slot = slot_at(comms, comm, i);
		prof_mpi_word handle = atomic_load_explicit(&slot->handle, memory_order_relaxed);
		if (handle == comm)
			return slot;
		if (!room && !atomic_load_explicit(&slot->number, memory_order_relaxed))
			room = slot;
		if (!handle)
			break;
	}
	return room;
}

void prof_mpi_comms_set(struct prof_mpi_comms *comms, prof_mpi_word comm, uint64_t number)
{
	if (atomic_flag_test_and_set_explicit(&comms->busy, memory_order_acquire))
		return;
	struct prof_mpi_comm *slot = find_room(comms, comm);
	if (slot) {
		atomic_store_explicit(&slot->number, 0, memory_order_release);
		atomic_store_explicit(&slot->handle, comm, memory_order_release);
		atomic_store_explicit(&slot->children, 0, memory_order_release);
		atomic_store_explicit(&slot->number, number, memory_order_release);
	}
	atomic_flag_clear_explicit(&comms->busy, memory_order_release);
}

uint64_t prof_mpi_comms_child(
	struct prof_mpi_comms *comms, prof_mpi_word parent, int first, bool inter)
{
	uint64_t number;
	struct prof_mpi_comm *from = find(comms, parent, &number);
	uint64_t child =
		from ? atomic_fetch_add_explicit(&from->children, 1, memory_order_relaxed) + 1 : 0;

	if (!from || first < 0)
		return 0;
	number = mix(mix(mix(number) + child) + (uint32_t)first) | 1U << 31;
	return inter ? number | PROF_MPI_COMMS_INTER : number & ~PROF_MPI_COMMS_INTER;
}

void prof_mpi_comms_add(struct prof_mpi_comms *comms, prof_mpi_word parent, prof_mpi_word made,
	int first, bool inter)
{
	uint64_t number = prof_mpi_comms_child(comms, parent, first, inter);

	if (made != prof_mpi_library.abi.no_comm)
		prof_mpi_comms_set(comms, made, number);
}

/* MADE was made by all that GROUPS, not 0, is a number of: this is its parent. */
static void add_of_groups(
	struct prof_mpi_comms *comms, uint64_t groups, prof_mpi_word made, int first, bool inter)
{
	/* No handle has this bit. */
	prof_mpi_word parent = groups | UINT64_C(1) << 63;
	uint64_t number;

	if (!find(comms, parent, &number))
		prof_mpi_comms_set(comms, parent, mix(groups) | 1U << 31);
	prof_mpi_comms_add(comms, parent, made, first, inter);
}

void prof_mpi_comms_join(
	struct prof_mpi_comms *comms, uint64_t groups, prof_mpi_word made, int first)
{
	if (groups)
		add_of_groups(comms, groups, made, first, true);
	else
		prof_mpi_comms_remove(comms, made);
}

void prof_mpi_comms_add_group(struct prof_mpi_comms *comms, prof_mpi_word parent, int tag,
	uint64_t group, prof_mpi_word made, int first)
{
	uint64_t number = prof_mpi_comms_number(comms, parent);

	if (number && group)
		add_of_groups(comms, mix(mix(number) + (uint32_t)tag) ^ group, made, first, false);
	else
		prof_mpi_comms_remove(comms, made);
}

void prof_mpi_comms_remove(struct prof_mpi_comms *comms, prof_mpi_word comm)
{
	uint64_t number;
	struct prof_mpi_comm *slot = find(comms, comm, &number);

	if (slot)
		atomic_store_explicit(&slot->number, 0, memory_order_release);
}
