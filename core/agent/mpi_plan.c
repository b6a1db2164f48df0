/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds out what a call of MPI is about to do. */
#include "agent/mpi_call.h"

#include <sys/mman.h>

/* Memory of SIZE bytes that belongs to the calling thread; NULL: there is none. */
static void *reserve(struct prof_mpi_thread *thread, size_t size)
{
	if (size <= thread->size)
		return thread->memory;
	if (thread->size)
		prof_system(SYS_munmap, (long)thread->memory, (long)thread->size, 0, 0, 0, 0);
	thread->size = 0;
	long made = prof_system(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (prof_system_failed(made))
		return NULL;
	thread->memory = (void *)made;
	thread->size = size;
	return thread->memory;
}

void prof_mpi_call_plan_postponed(struct prof_mpi_call *call)
{
	unsigned count = call->sent_count, comm = call->sent_comm;
	int elements = prof_mpi_call_number(call, count);
	int to = prof_mpi_call_number(call, count + 2);

	call->sends = to != prof_mpi_library.abi.proc_null;
	if (!call->sends)
		return;
	call->bytes = elements > 0
		? (uint64_t)elements * prof_mpi_type_size(prof_mpi_call_handle(call, count + 1))
		: 0;
	call->peer = prof_mpi_messages_rank(call->thread, prof_mpi_call_handle(call, comm), to);
	call->tag = prof_mpi_call_number(call, count + 3);
	call->comm = prof_mpi_comms_number(&call->session->comms, prof_mpi_call_handle(call, comm));
}

/*
 * The call sends a message: its size is in COUNT and the two arguments after it, its communicator
 * is COMM.  Once it is sent, another thread that has received it may free both the type and the
 * communicator, unless they are predefined.
 */
static void plan_send(struct prof_mpi_call *call, unsigned count, unsigned comm)
{
	prof_mpi_word type = prof_mpi_call_handle(call, count + 1);

	call->sent_count = count;
	call->sent_comm = comm;
	call->postponed = type >= prof_mpi_library.abi.first_type &&
		type <= prof_mpi_library.abi.last_type &&
		prof_mpi_call_handle(call, comm) == prof_mpi_library.abi.world;
	if (!call->postponed)
		prof_mpi_call_plan_postponed(call);
}

/*
 * Finds where the call puts its status: at the argument INDEX, which becomes OWN if the program
 * ignores statuses.
 */
static void plan_statuses(struct prof_mpi_call *call, unsigned index, char *own)
{
	if (call->words[index] == prof_mpi_library.abi.ignored)
		call->words[index] = (prof_mpi_word)own;
	call->statuses = (char *)call->words[index];
}

/* Looks up COUNT requests of the array INDEX.  Returns true if one of them is active. */
static bool plan_requests(struct prof_mpi_call *call, int count, unsigned index)
{
	bool active = false;

	call->count = count > 0 ? (size_t)count : 0;
	call->requests = call->few;
	if (call->count > PROF_MPI_FEW)
		call->requests = reserve(&call->thread->mpi,
			call->count * (sizeof *call->requests + PROF_MPI_STATUS_MOST));
	if (!call->requests) {
		call->count = 0;
		atomic_fetch_add_explicit(&call->thread->slot->lost, 1, memory_order_relaxed);
	}
	for (size_t i = 0; i < call->count; i++) {
		call->requests[i] = prof_mpi_requests_find(
			&call->session->requests, prof_mpi_call_request(call, index, i));
		active |= (call->requests[i].kind & PROF_MPI_REQUEST_ACTIVE) != 0;
	}
	return active;
}

/* Prepares a call that may complete COUNT requests, from the array INDEX. */
static void plan_wait(struct prof_mpi_call *call, int count, unsigned index, unsigned status)
{
	if (!plan_requests(call, count, index)) {
		call->count = 0;
		return;
	}
	char *own = call->requests == call->few ? call->few_statuses
						: (char *)(call->requests + call->count);
	plan_statuses(call, status, own);
}

/* Prepares a call that neither sends nor receives, but may complete requests. */
static void plan_other(struct prof_mpi_call *call)
{
	switch (call->class) {
	case PROF_MPI_WAIT:
		plan_wait(call, 1, 0, 1);
		break;
	case PROF_MPI_TEST:
		plan_wait(call, 1, 0, 2);
		break;
	case PROF_MPI_WAITANY:
		plan_wait(call, prof_mpi_call_number(call, 0), 1, 3);
		break;
	case PROF_MPI_TESTANY:
		plan_wait(call, prof_mpi_call_number(call, 0), 1, 4);
		break;
	case PROF_MPI_WAITALL:
		plan_wait(call, prof_mpi_call_number(call, 0), 1, 2);
		break;
	case PROF_MPI_TESTALL:
		plan_wait(call, prof_mpi_call_number(call, 0), 1, 3);
		break;
	case PROF_MPI_WAITSOME:
	case PROF_MPI_TESTSOME:
		plan_wait(call, prof_mpi_call_number(call, 0), 1, 4);
		break;
	default:
		break;
	}
}

void prof_mpi_call_plan(struct prof_mpi_call *call)
{
	switch (call->class) {
	case PROF_MPI_SEND:
	case PROF_MPI_ISEND:
	case PROF_MPI_SEND_INIT:
		plan_send(call, 1, 5);
		break;
	case PROF_MPI_ISENDRECV:
		plan_send(call, 1, 10);
		break;
	case PROF_MPI_ISENDRECV_REPLACE:
		plan_send(call, 1, 7);
		break;
	case PROF_MPI_SENDRECV:
		plan_send(call, 1, 10);
		plan_statuses(call, 11, call->few_statuses);
		break;
	case PROF_MPI_SENDRECV_REPLACE:
		plan_send(call, 1, 7);
		plan_statuses(call, 8, call->few_statuses);
		break;
	case PROF_MPI_RECV:
		plan_statuses(call, 6, call->few_statuses);
		break;
	case PROF_MPI_START:
		plan_requests(call, 1, 0);
		break;
	case PROF_MPI_MRECV:
		plan_requests(call, 1, 3);
		plan_statuses(call, 4, call->few_statuses);
		break;
	case PROF_MPI_IMRECV:
		plan_requests(call, 1, 3);
		break;
	case PROF_MPI_STARTALL:
		plan_requests(call, prof_mpi_call_number(call, 0), 1);
		break;
	case PROF_MPI_REQUEST_FREE:
		prof_mpi_requests_remove(
			&call->session->requests, prof_mpi_call_request(call, 0, 0));
		break;
	case PROF_MPI_COMM_FREE:
		prof_mpi_comms_remove(&call->session->comms, prof_mpi_call_request(call, 0, 0));
		break;
	default:
		plan_other(call);
	}
}
