/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records the communicators that calls of MPI make. */
#include "agent/mpi_call.h"

/* The call has made the communicator MADE of the one in its first argument. */
static void note_child(struct prof_mpi_call *call, prof_mpi_word made)
{
	bool none = made == prof_mpi_library.abi.no_comm;

	prof_mpi_comms_add(&call->session->comms, prof_mpi_call_handle(call, 0), made,
		none ? PROF_MPI_NOBODY : prof_mpi_first_rank(made),
		!none && prof_mpi_is_inter(made));
}

/*
 * The call has begun to make a communicator: it is a copy of the one in the first argument, and its
 * handle will be where the argument before the request points to.  If there is no room for the
 * request, the communicator stays unknown.
 */
static void note_begun(struct prof_mpi_call *call)
{
	prof_mpi_word parent = prof_mpi_call_handle(call, 0);
	const struct prof_mpi_request request = {
		.handle = prof_mpi_call_request(call, call->arguments - 1, 0),
		.kind = PROF_MPI_REQUEST_COMM | PROF_MPI_REQUEST_ACTIVE,
		.comm = call->words[call->arguments - 2],
		.number = prof_mpi_comms_child(&call->session->comms, parent,
			prof_mpi_first_rank(parent), prof_mpi_is_inter(parent)),
	};

	prof_mpi_requests_add(&call->session->requests, &request);
}

void prof_mpi_call_note_comm(struct prof_mpi_call *call)
{
	struct prof_mpi_comms *comms = &call->session->comms;

	if (call->class == PROF_MPI_COMM_IDUP) {
		note_begun(call);
		return;
	}
	prof_mpi_word made = prof_mpi_call_request(call, call->arguments - 1, 0);
	if (call->class == PROF_MPI_COMM_MAKE)
		note_child(call, made);
	else if (made == prof_mpi_library.abi.no_comm)
		return;
	else if (call->class == PROF_MPI_INTERCOMM)
		prof_mpi_comms_join(comms, prof_mpi_groups(made), made, prof_mpi_first_rank(made));
	else
		prof_mpi_comms_add_group(comms, prof_mpi_call_handle(call, 0),
			prof_mpi_call_number(call, 2), prof_mpi_groups(made), made,
			prof_mpi_first_rank(made));
}

void prof_mpi_call_note_made(struct prof_mpi_call *call, const struct prof_mpi_request *request)
{
	const void *handle = (const void *)request->comm;

	prof_mpi_comms_set(&call->session->comms,
		prof_mpi_library.abi.wide ? *(const prof_mpi_word *)handle
					  : *(const uint32_t *)handle,
		request->number);
}
