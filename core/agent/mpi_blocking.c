/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi_blocking.h"

#include "agent/mpi_operations.h"
#include "agent/walk.h"
#include "agent/mpi_wrappers.h"

enum {
	COUNT = 1, /* the arguments of a send from the second on */
	TYPE,
	PEER,
	TAG,
	COMM,
	STATUS, /* of a receive */
	FUNCTIONS = PROF_HOOK_PMPI - PROF_HOOK_MPI,
	WORDS = 6, /* of the record */
};

/* The message of a call that has returned. */
struct message {
	enum prof_ring_operation kind;
	int peer, tag;
	uint64_t bytes;
};

static prof_mpi_word handle(prof_mpi_word word)
{
	return prof_mpi_library.abi.wide ? word : (uint32_t)word;
}

/*
 * The thread that calls from FRAME, if it may record the call at once.  NULL: it may not, or the
 * call is part of another one.  prof_agent_leave() ends what this begins.
 */
static inline struct prof_agent_thread *enter(void *frame)
{
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_MPI, frame);

	if (!thread)
		return NULL;
	const void *library = thread->mpi.library;
	const void *outer = thread->mpi.frame;
	if (library && library == prof_agent_hooks[PROF_HOOK_MPI_Init].real &&
		(!outer || (uintptr_t)frame >= (uintptr_t)outer))
		return thread;
	prof_agent_leave(thread);
	return NULL;
}

/* Is it still the same thread of SESSION, which records, after a call from FRAME? */
static inline bool enter_again(const struct prof_agent_thread *thread,
	const struct prof_agent_session *session, void *frame)
{
	return prof_agent_enter(PROF_FAMILY_MPI, frame) == thread && thread->session == session;
}

/* The node of the stack from FRAME outwards; PROF_NODE_NONE: it is not known yet. */
static uint32_t find_node(struct prof_agent_thread *thread, void *frame)
{
	if (!thread->session->mpi_stacks)
		return PROF_NODE_EMPTY;
	const struct prof_walk_start start = prof_walk_start(frame);
	return prof_walk_site(thread, &start);
}

/*
 * Counts the bytes of a record.  False: it is behind the limit, and dropped.
 */
static bool reserve(const struct prof_agent_session *session)
{
	uint64_t size = WORDS * sizeof(uint64_t);
	uint64_t before = prof_mpi_session_add(session->mpi, &session->ring->mpi_bytes, size);

	if (!session->mpi_limit || before + size <= session->mpi_limit)
		return true;
	atomic_fetch_add_explicit(&session->ring->dropped, 1, memory_order_relaxed);
	return false;
}

/* Writes the record of the call MADE of WHAT, with MESSAGE. */
static void write_record(struct prof_agent_thread *thread, unsigned what,
	const struct prof_mpi_made *made, const struct message *message)
{
	struct prof_agent_session *session = thread->session;
	uint32_t number = prof_mpi_operations_number(session);

	if (!reserve(session))
		return;
	prof_agent_record_begin(thread);
	thread->writing = true;
	uint64_t *at = prof_agent_record_room(thread, WORDS);
	if (at) {
		at[0] = prof_ring_word(PROF_RING_MESSAGE,
				PROF_HOOK_MPI + (what - PROF_HOOK_MPI) % FUNCTIONS, WORDS,
				made->node) |
			prof_ring_cpu(made->ended.cpu);
		at[1] = made->ended.time;
		at[2] = made->begun;
		at[3] = message->bytes;
		at[4] = prof_ring_operation_peer(message->peer, message->tag);
		at[5] = prof_ring_operation_word(
			message->kind, prof_mpi_messages_own_rank(session->mpi), number);
		prof_agent_record_publish(thread, WORDS, made->ended.time);
	} else {
		prof_agent_record_lose(thread, 1);
	}
	thread->writing = false;
	prof_agent_record_end(thread);
}

/* The size of an element of TYPE, which nobody can free: the library is asked once for it. */
static uint64_t type_size(struct prof_mpi_thread *thread, prof_mpi_word type)
{
	uint64_t hash = type * UINT64_C(0x9e3779b97f4a7c15);
	struct prof_mpi_known_type *known = &thread->types[(hash >> 32) % PROF_MPI_TYPES];

	if (PROF_SELDOM(known->type != type)) {
		int error = errno;
		*known = (struct prof_mpi_known_type){type, prof_mpi_type_size(type)};
		errno = error;
	}
	return known->size;
}

static bool is_buffered(unsigned what)
{
	return what == PROF_HOOK_MPI_Bsend || what == PROF_HOOK_PMPI_Bsend;
}

long prof_mpi_blocking_send(unsigned what, prof_mpi_word *words, void *frame)
{
	const struct prof_mpi_abi *abi = &prof_mpi_library.abi;
	long (*real)(PROF_MPI_TAKE_6) = (long (*)(PROF_MPI_TAKE_6))prof_agent_hooks[what].real;
	prof_mpi_word type = handle(words[TYPE]);
	bool simple = type >= abi->first_type && type <= abi->last_type &&
		handle(words[COMM]) == abi->world;
	struct prof_agent_thread *thread = simple ? enter(frame) : NULL;

	if (!thread)
		return prof_mpi_call(what, words, frame);
	const struct prof_agent_session *session = thread->session;
	thread->mpi.frame = frame;
	prof_agent_leave(thread);
	struct prof_mpi_made made;
	made.begun = prof_system_time(session->counter);
	made.result = real(PROF_MPI_WORDS_6);
	made.ended = prof_agent_stamp_soon(session);
	if (enter_again(thread, session, frame)) {
		made.node = find_node(thread, frame);
		struct message message = {.kind = is_buffered(what) ? PROF_RING_OPERATION_BUFFERED
								    : PROF_RING_OPERATION_SEND,
			.peer = (int)words[PEER],
			.tag = (int)words[TAG]};
		if (PROF_SELDOM(
			    (int)made.result || message.peer < 0 || made.node == PROF_NODE_NONE)) {
			prof_mpi_call_record(thread, what, words, frame, &made);
		} else {
			int elements = (int)words[COUNT];
			if (elements > 0)
				message.bytes = (uint64_t)elements * type_size(&thread->mpi, type);
			write_record(thread, what, &made, &message);
		}
		prof_agent_leave(thread);
	}
	thread->mpi.frame = NULL;
	return made.result;
}

/* Sets *RET to what a call with STATUS has received.  False: no message, or who has sent it is not
 * known. */
static bool find_received(const void *status, struct message *ret)
{
	*ret = (struct message){.kind = PROF_RING_OPERATION_RECEIVE,
		.peer = prof_mpi_source(status),
		.tag = prof_mpi_tag(status),
		.bytes = prof_mpi_status_bytes(status)};
	return ret->peer >= 0 && !prof_mpi_status_cancelled(status);
}

/*
 * A call that waits costs the program nothing before it, and whatever comes after it delays the
 * next message: so its stack is walked before.
 */
long prof_mpi_blocking_receive(unsigned what, prof_mpi_word *words, void *frame)
{
	const struct prof_mpi_abi *abi = &prof_mpi_library.abi;
	long (*real)(PROF_MPI_TAKE_7) = (long (*)(PROF_MPI_TAKE_7))prof_agent_hooks[what].real;
	struct prof_agent_thread *thread = handle(words[COMM]) == abi->world ? enter(frame) : NULL;
	uint64_t own[PROF_MPI_STATUS_MOST / sizeof(uint64_t)];

	if (!thread)
		return prof_mpi_call(what, words, frame);
	const struct prof_agent_session *session = thread->session;
	thread->mpi.frame = frame;
	struct prof_mpi_made made = {.node = find_node(thread, frame)};
	prof_agent_leave(thread);
	if (words[STATUS] == abi->ignored)
		words[STATUS] = (prof_mpi_word)own;
	made.begun = prof_system_time(session->counter);
	made.result = real(PROF_MPI_WORDS_7);
	made.ended = prof_agent_stamp_soon(session);
	if (enter_again(thread, session, frame)) {
		struct message message;
		if (PROF_SELDOM((int)made.result || made.node == PROF_NODE_NONE ||
			    !find_received((const void *)words[STATUS], &message)))
			prof_mpi_call_record(thread, what, words, frame, &made);
		else
			write_record(thread, what, &made, &message);
		prof_agent_leave(thread);
	}
	thread->mpi.frame = NULL;
	return made.result;
}

void prof_mpi_blocking_learn(struct prof_agent_thread *thread)
{
	struct prof_mpi_session *session = thread->session->mpi;

	if (thread->mpi.library || !prof_mpi_library.known ||
		!atomic_load_explicit(&session->rank, memory_order_relaxed) ||
		!prof_mpi_reads_statuses())
		return;
	for (unsigned i = 0; i < PROF_MPI_TYPES; i++)
		thread->mpi.types[i].type = 0;
	thread->mpi.library = atomic_load_explicit(&prof_mpi_library.init, memory_order_acquire);
}
