/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of operations of MPI share: those of two ranks or more, each numbered. */
#ifndef PROF_TESTS_OPERATIONS_H
#define PROF_TESTS_OPERATIONS_H

#include "model/mpi_operation.h"

#include <stddef.h>

enum { OPERATIONS_MOST = 2048, OPERATIONS_RANKS = 4, OPERATIONS_COMM = 7 };

static struct prof_mpi_operation operations[OPERATIONS_MOST];
static size_t operation_count;
static uint32_t next_numbers[OPERATIONS_RANKS];

/* Adds OPERATION, with the next number of its rank unless it has one, posted when its call began
 * unless it was before; the thread is that of the rank. */
static inline struct prof_mpi_operation *operate(struct prof_mpi_operation operation)
{
	struct prof_mpi_operation *added = &operations[operation_count++];

	*added = operation;
	added->thread = (uint32_t)operation.rank;
	if (!added->number)
		added->number = PROF_OPERATION_FIRST + next_numbers[operation.rank]++;
	if (!added->posted)
		added->posted = added->begin;
	return added;
}

/* RANK begins or ends its work with MPI. */
static inline void operate_init(int64_t rank)
{
	operate((struct prof_mpi_operation){.kind = PROF_OPERATION_INIT, .rank = rank, .peer = -1});
}

static inline void operate_finalize(int64_t rank)
{
	operate((struct prof_mpi_operation){
		.kind = PROF_OPERATION_FINALIZE, .rank = rank, .peer = -1, .end = 1000});
}

/* RANK exchanges, as KIND says, a message of 8 bytes and the tag 1 with PEER from BEGIN to END. */
static inline struct prof_mpi_operation *operate_message(
	enum prof_mpi_operation_kind kind, int64_t rank, int64_t peer, int64_t begin, int64_t end)
{
	return operate((struct prof_mpi_operation){.kind = (uint8_t)kind,
		.rank = rank,
		.peer = peer,
		.tag = 1,
		.comm = OPERATIONS_COMM,
		.bytes = 8,
		.begin = begin,
		.end = end});
}

/* RANK takes part in a collective operation of COUNT ranks with ROOT, or -1. */
static inline struct prof_mpi_operation *operate_all(enum prof_mpi_operation_kind kind,
	int64_t rank, int64_t root, int64_t count, int64_t begin, int64_t end)
{
	struct prof_mpi_operation *added = operate_message(kind, rank, root, begin, end);

	added->tag = count;
	added->bytes = 0;
	return added;
}

#endif
