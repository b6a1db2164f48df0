/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records the effects of a call of MPI. */
#include "agent/mpi_handshake.h"

/* A request of which nothing is remembered. */
static const struct prof_mpi_request unknown;

/* Does the call begin a send that never waits for the receiver? */
static bool is_buffered(const struct prof_mpi_call *call)
{
	unsigned what = PROF_HOOK_MPI + call->number;

	return what == PROF_HOOK_MPI_Bsend || what == PROF_HOOK_MPI_Ibsend ||
		what == PROF_HOOK_MPI_Bsend_init;
}

/* REQUEST has begun to send its message.  Returns the number of the operation. */
static uint32_t count_send(struct prof_mpi_call *call, const struct prof_mpi_request *request)
{
	const struct prof_agent_operation operation = {
		.kind = request->kind & PROF_MPI_REQUEST_BUFFERED ? PROF_RING_OPERATION_BUFFERED
								  : PROF_RING_OPERATION_SEND,
		.peer = request->peer,
		.tag = request->tag,
		.comm = request->number,
		.bytes = request->bytes,
		.posted = call->messages.begun};

	prof_mpi_messages_sent(&call->messages, request->peer, request->bytes);
	return prof_mpi_operations_write(&call->messages, &operation);
}

/* Describes the message that the call sends, as a request of KIND. */
static struct prof_mpi_request sent_request(const struct prof_mpi_call *call, unsigned kind)
{
	return (struct prof_mpi_request){
		.kind = PROF_MPI_REQUEST_SEND | kind |
			(is_buffered(call) ? PROF_MPI_REQUEST_BUFFERED : 0),
		.peer = call->peer,
		.tag = call->tag,
		.bytes = call->bytes,
		.number = call->comm,
		.posted = call->messages.begun,
	};
}

static void count_sent(struct prof_mpi_call *call)
{
	if (!call->sends)
		return;
	const struct prof_mpi_request request = sent_request(call, 0);
	count_send(call, &request);
}

/*
 * Finds what REQUEST has received, by STATUS; its peer is a rank in the communicator.  False: there
 * is no message.
 */
static bool find_received(const struct prof_mpi_request *request, const char *status,
	struct prof_agent_operation *received)
{
	if (request->kind & PROF_MPI_REQUEST_EXCHANGE && !prof_mpi_library.abi.exchange_status) {
		/* The bytes are those of the buffer: messages that do not fill it are not matched.
		 */
		received->peer = request->tag < 0 ? PROF_MPI_NOBODY : request->peer;
		received->tag = request->tag < 0 ? 0 : request->tag;
		received->bytes = request->bytes;
		return true;
	}
	received->peer = prof_mpi_source(status);
	if (received->peer == prof_mpi_library.abi.proc_null || prof_mpi_is_cancelled(status))
		return false;
	received->tag = prof_mpi_tag(status);
	received->bytes = prof_mpi_received(status);
	return true;
}

/* A message has arrived for REQUEST, of this call or an earlier one, unless STATUS has none. */
static void count_received(
	struct prof_mpi_call *call, const struct prof_mpi_request *request, const char *status)
{
	struct prof_agent_operation operation = {.kind = PROF_RING_OPERATION_RECEIVE,
		.comm = request->number,
		.posted = request->posted};

	if (!find_received(request, status, &operation))
		return;
	operation.peer = request->comm && operation.peer >= 0
		? prof_mpi_messages_rank(call->thread, request->comm, operation.peer)
		: PROF_MPI_NOBODY;
	prof_mpi_messages_received(&call->messages, operation.peer, operation.bytes);
	prof_mpi_operations_write(&call->messages, &operation);
}

/* Describes a receive of KIND with the communicator in the argument INDEX. */
static struct prof_mpi_request received_request(
	const struct prof_mpi_call *call, unsigned index, unsigned kind)
{
	prof_mpi_word comm = prof_mpi_call_handle(call, index);

	return (struct prof_mpi_request){.kind = PROF_MPI_REQUEST_RECEIVE | kind,
		.comm = comm,
		.number = prof_mpi_comms_number(&call->session->comms, comm),
		.posted = call->messages.begun};
}

/* The call has received with the communicator in the argument INDEX. */
static void count_received_now(struct prof_mpi_call *call, unsigned index)
{
	const struct prof_mpi_request request = received_request(call, index, 0);

	count_received(call, &request, call->statuses);
}

/*
 * Remembers REQUEST.  If there is no room, messages that it receives or starts are lost events; of
 * a send that has begun, only the end is lost.
 */
static void remember(struct prof_mpi_call *call, const struct prof_mpi_request *request)
{
	unsigned later =
		PROF_MPI_REQUEST_RECEIVE | PROF_MPI_REQUEST_PERSISTENT | PROF_MPI_REQUEST_MESSAGE;

	if (prof_mpi_requests_add(&call->session->requests, request))
		return;
	atomic_fetch_add_explicit(request->kind & later
			? &call->thread->slot->lost
			: &call->thread->session->ring->operations_lost,
		1, memory_order_relaxed);
}

/*
 * The call has created the request in its last argument, described by REQUEST; kind 0: nothing is
 * remembered of it.
 */
static void note_request(struct prof_mpi_call *call, struct prof_mpi_request request)
{
	request.handle = prof_mpi_call_request(call, call->arguments - 1, 0);
	if (!request.kind)
		prof_mpi_requests_remove(&call->session->requests, request.handle);
	else
		remember(call, &request);
}

/* The call has begun to receive, with a request of KIND. */
static void note_receive(struct prof_mpi_call *call, unsigned kind)
{
	bool none = prof_mpi_call_number(call, 3) == prof_mpi_library.abi.proc_null;

	note_request(call, none ? unknown : received_request(call, 5, kind));
	call->messages.receives = !none && kind == PROF_MPI_REQUEST_ACTIVE;
}

/* The call has found a message for the communicator in its argument 2: the argument INDEX has it.
 */
static void note_message(struct prof_mpi_call *call, unsigned index)
{
	struct prof_mpi_request message = received_request(call, 2, 0);

	message.kind = PROF_MPI_REQUEST_MESSAGE;
	message.handle = prof_mpi_call_request(call, index, 0);
	if (message.handle != prof_mpi_library.abi.no_message)
		remember(call, &message);
}

/*
 * Describes the receive, of KIND, of the message that the call has.  It was found earlier, and has
 * its place among others since then.
 */
static struct prof_mpi_request found_request(struct prof_mpi_call *call, unsigned kind)
{
	const struct prof_mpi_request *message = call->requests;
	struct prof_mpi_request request = {
		.kind = PROF_MPI_REQUEST_RECEIVE | kind, .posted = call->messages.begun};

	if (!call->count || !(message->kind & PROF_MPI_REQUEST_MESSAGE))
		return request;
	prof_mpi_requests_change(&call->session->requests, message, 0);
	request.comm = message->comm;
	request.number = message->number;
	request.posted = message->posted;
	return request;
}

static void count_found(struct prof_mpi_call *call)
{
	const struct prof_mpi_request request = found_request(call, 0);

	count_received(call, &request, call->statuses);
}

static void note_found(struct prof_mpi_call *call)
{
	bool none = call->requests->handle == prof_mpi_library.abi.no_message;

	note_request(call, none ? unknown : found_request(call, PROF_MPI_REQUEST_ACTIVE));
	call->messages.receives = !none;
}

/* The call has found a message, or receives one that was found. */
static void note_probed(struct prof_mpi_call *call)
{
	switch (call->class) {
	case PROF_MPI_MPROBE:
		note_message(call, 3);
		break;
	case PROF_MPI_IMPROBE:
		if (prof_mpi_call_answer(call, 3))
			note_message(call, 4);
		break;
	case PROF_MPI_MRECV:
		count_found(call);
		break;
	default:
		note_found(call);
	}
}

/* The call has begun a send for which other calls may wait. */
static void note_send(struct prof_mpi_call *call)
{
	struct prof_mpi_request request = unknown;

	if (call->sends) {
		request = sent_request(call, PROF_MPI_REQUEST_ACTIVE);
		request.operation = count_send(call, &request);
	}
	note_request(call, request);
}

/* The receive that a call has begun together with a send: COUNT, SOURCE and COMM are arguments. */
static struct prof_mpi_request exchange_request(
	const struct prof_mpi_call *call, unsigned count, unsigned source, unsigned comm)
{
	struct prof_mpi_request request =
		received_request(call, comm, PROF_MPI_REQUEST_ACTIVE | PROF_MPI_REQUEST_EXCHANGE);
	int elements = prof_mpi_call_number(call, count);

	request.peer = prof_mpi_call_number(call, source);
	request.tag = prof_mpi_call_number(call, source + 1);
	if (elements > 0)
		request.bytes = (uint64_t)elements *
			prof_mpi_type_size(prof_mpi_call_handle(call, count + 1));
	return request;
}

/* The call has begun to send and to receive by one request. */
static void note_exchange(
	struct prof_mpi_call *call, unsigned count, unsigned source, unsigned comm)
{
	bool receives = prof_mpi_call_number(call, source) != prof_mpi_library.abi.proc_null;
	struct prof_mpi_request request =
		receives ? exchange_request(call, count, source, comm) : unknown;

	if (call->sends) {
		const struct prof_mpi_request send = sent_request(call, PROF_MPI_REQUEST_ACTIVE);
		request.operation = count_send(call, &send);
		request.kind |= send.kind;
	}
	note_request(call, request);
	call->messages.receives = receives;
}

/* The call has started persistent requests. */
static void note_started(struct prof_mpi_call *call)
{
	for (size_t i = 0; i < call->count; i++) {
		struct prof_mpi_request request = call->requests[i];
		if (!(request.kind & PROF_MPI_REQUEST_PERSISTENT))
			continue;
		request.kind |= PROF_MPI_REQUEST_ACTIVE;
		request.posted = call->messages.begun;
		if (request.kind & PROF_MPI_REQUEST_SEND)
			request.operation = count_send(call, &request);
		else
			call->messages.receives = true;
		remember(call, &request);
	}
}

/* The request NUMBER is complete; PLACE is the number of its status. */
static void note_complete(struct prof_mpi_call *call, size_t number, size_t place)
{
	const struct prof_mpi_request *request = &call->requests[number];

	if (!(request->kind & PROF_MPI_REQUEST_ACTIVE))
		return;
	prof_mpi_requests_change(&call->session->requests, request,
		request->kind & PROF_MPI_REQUEST_PERSISTENT
			? request->kind & ~(unsigned)PROF_MPI_REQUEST_ACTIVE
			: 0);
	if (request->kind & PROF_MPI_REQUEST_COMM)
		prof_mpi_call_note_made(call, request);
	if (request->kind & PROF_MPI_REQUEST_SEND)
		prof_mpi_operations_sent(&call->messages, request->operation);
	if (request->kind & PROF_MPI_REQUEST_RECEIVE)
		count_received(
			call, request, call->statuses + place * prof_mpi_library.abi.status_size);
}

static void note_all_complete(struct prof_mpi_call *call)
{
	for (size_t i = 0; i < call->count; i++)
		note_complete(call, i, i);
}

/* One of the requests is complete: the argument INDEX has its number. */
static void note_any_complete(struct prof_mpi_call *call, unsigned index)
{
	int value = prof_mpi_call_answer(call, index);

	if (value != prof_mpi_library.abi.undefined && (size_t)value < call->count)
		note_complete(call, (size_t)value, 0);
}

/*
 * Several requests are complete: the argument INDEX has their count, and the next one their
 * numbers.
 */
static void note_some_complete(struct prof_mpi_call *call, unsigned index)
{
	const int *places = (const int *)call->words[index + 1];
	int count = prof_mpi_call_answer(call, index);

	for (int i = 0; count != prof_mpi_library.abi.undefined && i < count; i++) {
		if ((size_t)places[i] < call->count)
			note_complete(call, (size_t)places[i], (size_t)i);
	}
}

/* The call may have completed its requests: one of its arguments says so. */
static void finish_wait(struct prof_mpi_call *call)
{
	if (!call->count)
		return;
	switch (call->class) {
	case PROF_MPI_TEST:
		if (prof_mpi_call_answer(call, 1))
			note_all_complete(call);
		break;
	case PROF_MPI_TESTALL:
		if (prof_mpi_call_answer(call, 2))
			note_all_complete(call);
		break;
	case PROF_MPI_TESTANY:
		if (prof_mpi_call_answer(call, 3))
			note_any_complete(call, 2);
		break;
	case PROF_MPI_WAITANY:
		note_any_complete(call, 2);
		break;
	case PROF_MPI_WAITSOME:
	case PROF_MPI_TESTSOME:
		note_some_complete(call, 2);
		break;
	default:
		note_all_complete(call);
	}
}

/*
 * The call was collective; its last argument is the communicator, and the one before it the root.
 */
static void note_collective(struct prof_mpi_call *call, enum prof_ring_operation kind)
{
	unsigned last = call->arguments - 1;
	prof_mpi_word comm = prof_mpi_call_handle(call, last);
	bool rooted = kind == PROF_RING_OPERATION_FROM_ROOT || kind == PROF_RING_OPERATION_TO_ROOT;
	struct prof_agent_operation operation = {.kind = kind,
		.peer = -1,
		.comm = prof_mpi_comms_number(&call->session->comms, comm),
		.posted = call->messages.begun};

	/* An unknown communicator may have two groups, of which such a call is no one operation. */
	if (!operation.comm || operation.comm & PROF_MPI_COMMS_INTER)
		return;
	operation.tag = prof_mpi_comm_size(comm);
	if (rooted)
		operation.peer = prof_mpi_messages_rank(
			call->thread, comm, prof_mpi_call_number(call, last - 1));
	if (operation.tag > 1)
		prof_mpi_operations_write(&call->messages, &operation);
}

/* After this call the library answers no more questions, so the rank must be known already. */
static void note_finalize(struct prof_mpi_call *call)
{
	const struct prof_agent_operation operation = {
		.kind = PROF_RING_OPERATION_FINALIZE, .peer = -1, .posted = call->messages.begun};

	prof_mpi_handshake_write(call);
	if (atomic_load_explicit(&call->session->rank, memory_order_relaxed))
		prof_mpi_operations_write(&call->messages, &operation);
}

/* The call has succeeded: it sends or receives nothing itself, or completes requests. */
static void finish_other(struct prof_mpi_call *call)
{
	switch (call->class) {
	case PROF_MPI_COMM_MAKE:
	case PROF_MPI_COMM_OF_GROUP:
	case PROF_MPI_COMM_IDUP:
	case PROF_MPI_INTERCOMM:
		prof_mpi_call_note_comm(call);
		break;
	case PROF_MPI_FINALIZE:
		note_finalize(call);
		break;
	case PROF_MPI_INIT:
		prof_mpi_operations_write(&call->messages,
			&(struct prof_agent_operation){.kind = PROF_RING_OPERATION_INIT,
				.peer = -1,
				.tag = prof_mpi_comm_size(prof_mpi_library.abi.world),
				.posted = call->messages.begun});
		prof_mpi_handshake_write(call);
		break;
	case PROF_MPI_BARRIER:
		note_collective(call, PROF_RING_OPERATION_BARRIER);
		break;
	case PROF_MPI_ALL:
		note_collective(call, PROF_RING_OPERATION_ALL);
		break;
	case PROF_MPI_FROM_ROOT:
		note_collective(call, PROF_RING_OPERATION_FROM_ROOT);
		break;
	case PROF_MPI_TO_ROOT:
		note_collective(call, PROF_RING_OPERATION_TO_ROOT);
		break;
	default:
		finish_wait(call);
	}
}

void prof_mpi_call_note(struct prof_mpi_call *call)
{
	if (call->postponed)
		prof_mpi_call_plan_postponed(call);
	switch (call->class) {
	case PROF_MPI_REQUEST_FREE:
	case PROF_MPI_OTHER:
		break;
	case PROF_MPI_SEND:
		count_sent(call);
		break;
	case PROF_MPI_ISEND:
		note_send(call);
		break;
	case PROF_MPI_RECV:
		count_received_now(call, 5);
		break;
	case PROF_MPI_SENDRECV:
		count_sent(call);
		count_received_now(call, 10);
		break;
	case PROF_MPI_SENDRECV_REPLACE:
		count_sent(call);
		count_received_now(call, 7);
		break;
	case PROF_MPI_ISENDRECV:
		note_exchange(call, 6, 8, 10);
		break;
	case PROF_MPI_ISENDRECV_REPLACE:
		note_exchange(call, 1, 5, 7);
		break;
	case PROF_MPI_IRECV:
		note_receive(call, PROF_MPI_REQUEST_ACTIVE);
		break;
	case PROF_MPI_MPROBE:
	case PROF_MPI_IMPROBE:
	case PROF_MPI_MRECV:
	case PROF_MPI_IMRECV:
		note_probed(call);
		break;
	case PROF_MPI_RECV_INIT:
		note_receive(call, PROF_MPI_REQUEST_PERSISTENT);
		break;
	case PROF_MPI_SEND_INIT:
		note_request(call,
			call->sends ? sent_request(call, PROF_MPI_REQUEST_PERSISTENT) : unknown);
		break;
	case PROF_MPI_START:
	case PROF_MPI_STARTALL:
		note_started(call);
		break;
	case PROF_MPI_COMM_FREE:
		prof_mpi_messages_forget();
		break;
	default:
		finish_other(call);
	}
}
