/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi.h"

#include "agent/mpi_messages.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

enum {
	FUNCTIONS = PROF_HOOK_PMPI - PROF_HOOK_MPI, /* each under two names */
	FEW = 16, /* requests of a call for which no memory is needed */
};

#define CLASS(name, words, class) PROF_MPI_##class,
static const uint8_t classes[FUNCTIONS] = {PROF_MPI_FUNCTIONS(CLASS)};

struct call {
	prof_mpi_word words[PROF_MPI_WORDS]; /* as they are handed on */
	unsigned number;                     /* of the function, among FUNCTIONS */
	enum prof_mpi_class class;
	struct prof_agent_thread *thread;
	struct prof_mpi_requests *table;
	struct prof_mpi_messages messages;

	/* The message that it sends; to nobody if not SENDS. */
	bool sends;
	int peer;
	uint64_t bytes;

	/* Its requests as they are before it, and where the library puts statuses; NULL: nowhere.
	 */
	size_t count;
	struct prof_mpi_request *requests;
	char *statuses;
	struct prof_mpi_request few[FEW];
	char few_statuses[FEW * PROF_MPI_STATUS_MOST];
};

/* The argument INDEX of CALL. */
static int number_at(const struct call *call, unsigned index)
{
	return (int)call->words[index];
}

static prof_mpi_word handle_at(const struct call *call, unsigned index)
{
	return prof_mpi_library.abi.wide ? call->words[index] : (uint32_t)call->words[index];
}

/* The request NUMBER of the array INDEX. */
static prof_mpi_word request_at(const struct call *call, unsigned index, size_t number)
{
	const uint32_t *narrow = (const uint32_t *)call->words[index];

	return prof_mpi_library.abi.wide ? ((const prof_mpi_word *)narrow)[number] : narrow[number];
}

/* What is written to the argument INDEX. */
static int answer_at(const struct call *call, unsigned index)
{
	return *(const int *)call->words[index];
}

/* Memory of SIZE bytes of the calling thread's; NULL: there is none. */
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

/* The call sends, as its arguments COUNT and the two behind it, and COMM, say. */
static void plan_send(struct call *call, unsigned count, unsigned comm)
{
	int elements = number_at(call, count);
	int to = number_at(call, count + 2);

	call->sends = to != prof_mpi_library.abi.proc_null;
	if (!call->sends)
		return;
	if (elements > 0)
		call->bytes = (uint64_t)elements * prof_mpi_type_size(handle_at(call, count + 1));
	call->peer = prof_mpi_messages_rank(call->thread, handle_at(call, comm), to);
}

/* The call is to tell in the argument INDEX what it has received: to OWN if the program ignores it.
 */
static void plan_statuses(struct call *call, unsigned index, char *own)
{
	if (call->words[index] == prof_mpi_library.abi.ignored)
		call->words[index] = (prof_mpi_word)own;
	call->statuses = (char *)call->words[index];
}

/* Looks COUNT requests of the array INDEX up.  Returns whether one may receive something. */
static bool plan_requests(struct call *call, int count, unsigned index)
{
	bool receives = false;

	call->count = count > 0 ? (size_t)count : 0;
	call->requests = call->few;
	if (call->count > FEW)
		call->requests = reserve(&call->thread->mpi,
			call->count * (sizeof *call->requests + PROF_MPI_STATUS_MOST));
	if (!call->requests) {
		call->count = 0;
		atomic_fetch_add_explicit(&call->thread->slot->lost, 1, memory_order_relaxed);
	}
	for (size_t i = 0; i < call->count; i++) {
		call->requests[i] = prof_mpi_requests_find(call->table, request_at(call, index, i));
		receives |= call->requests[i].kind & PROF_MPI_REQUEST_RECEIVE &&
			call->requests[i].kind & PROF_MPI_REQUEST_ACTIVE;
	}
	return receives;
}

/* The call may complete COUNT requests, which it has from the array INDEX. */
static void plan_wait(struct call *call, int count, unsigned index, unsigned status)
{
	if (!plan_requests(call, count, index)) {
		call->count = 0;
		return;
	}
	char *own = call->requests == call->few ? call->few_statuses
						: (char *)(call->requests + call->count);
	plan_statuses(call, status, own);
}

static void prepare(struct call *call)
{
	switch (call->class) {
	case PROF_MPI_SEND:
	case PROF_MPI_ISEND:
	case PROF_MPI_SEND_INIT:
		plan_send(call, 1, 5);
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
	case PROF_MPI_STARTALL:
		plan_requests(call, number_at(call, 0), 1);
		break;
	case PROF_MPI_WAIT:
		plan_wait(call, 1, 0, 1);
		break;
	case PROF_MPI_TEST:
		plan_wait(call, 1, 0, 2);
		break;
	case PROF_MPI_WAITANY:
		plan_wait(call, number_at(call, 0), 1, 3);
		break;
	case PROF_MPI_TESTANY:
		plan_wait(call, number_at(call, 0), 1, 4);
		break;
	case PROF_MPI_WAITALL:
		plan_wait(call, number_at(call, 0), 1, 2);
		break;
	case PROF_MPI_TESTALL:
		plan_wait(call, number_at(call, 0), 1, 3);
		break;
	case PROF_MPI_WAITSOME:
	case PROF_MPI_TESTSOME:
		plan_wait(call, number_at(call, 0), 1, 4);
		break;
	case PROF_MPI_REQUEST_FREE:
		prof_mpi_requests_remove(call->table, request_at(call, 0, 0));
		break;
	case PROF_MPI_IRECV:
	case PROF_MPI_RECV_INIT:
	case PROF_MPI_COMM_FREE:
	case PROF_MPI_OTHER:
		break;
	}
}

static void count_sent(struct call *call)
{
	if (call->sends)
		prof_mpi_messages_sent(&call->messages, call->peer, call->bytes);
}

/* A message came by the communicator COMM, unless STATUS has none. */
static void count_received(struct call *call, prof_mpi_word comm, const char *status)
{
	int source = prof_mpi_source(status);

	if (source == prof_mpi_library.abi.proc_null || prof_mpi_is_cancelled(status))
		return;
	prof_mpi_messages_received(&call->messages,
		prof_mpi_messages_rank(call->thread, comm, source), prof_mpi_received(status));
}

/* The call has made the request that its argument INDEX leads to, of KIND; 0: it is forgotten. */
static void note_request(struct call *call, unsigned index, unsigned kind, prof_mpi_word comm)
{
	const struct prof_mpi_request request = {.handle = request_at(call, index, 0),
		.kind = kind,
		.comm = comm,
		.peer = call->peer,
		.bytes = call->bytes};

	if (!kind)
		prof_mpi_requests_remove(call->table, request.handle);
	else if (!prof_mpi_requests_add(call->table, &request))
		atomic_fetch_add_explicit(&call->thread->slot->lost, 1, memory_order_relaxed);
}

/* The call has begun a receive, as KIND. */
static void note_receive(struct call *call, unsigned kind)
{
	bool none = number_at(call, 3) == prof_mpi_library.abi.proc_null;

	note_request(call, 6, none ? 0 : PROF_MPI_REQUEST_RECEIVE | kind, handle_at(call, 5));
	call->messages.receives = !none && kind == PROF_MPI_REQUEST_ACTIVE;
}

/* The persistent requests of the call have been started. */
static void note_started(struct call *call)
{
	for (size_t i = 0; i < call->count; i++) {
		const struct prof_mpi_request *request = &call->requests[i];
		if (!(request->kind & PROF_MPI_REQUEST_PERSISTENT))
			continue;
		if (request->kind & PROF_MPI_REQUEST_SEND) {
			prof_mpi_messages_sent(&call->messages, request->peer, request->bytes);
			continue;
		}
		prof_mpi_requests_change(
			call->table, request, request->kind | PROF_MPI_REQUEST_ACTIVE);
		call->messages.receives = true;
	}
}

/* The request NUMBER is complete, and has the status number PLACE. */
static void note_complete(struct call *call, size_t number, size_t place)
{
	const struct prof_mpi_request *request = &call->requests[number];
	const unsigned active = PROF_MPI_REQUEST_RECEIVE | PROF_MPI_REQUEST_ACTIVE;

	if ((request->kind & active) != active)
		return;
	prof_mpi_requests_change(call->table, request,
		request->kind & PROF_MPI_REQUEST_PERSISTENT
			? request->kind & ~(unsigned)PROF_MPI_REQUEST_ACTIVE
			: 0);
	count_received(
		call, request->comm, call->statuses + place * prof_mpi_library.abi.status_size);
}

static void note_all_complete(struct call *call)
{
	for (size_t i = 0; i < call->count; i++)
		note_complete(call, i, i);
}

/* One of the requests is complete: the one that the argument INDEX tells. */
static void note_any_complete(struct call *call, unsigned index)
{
	int value = answer_at(call, index);

	if (value != prof_mpi_library.abi.undefined && (size_t)value < call->count)
		note_complete(call, (size_t)value, 0);
}

/* As many are complete as the argument INDEX tells: those in the array behind it. */
static void note_some_complete(struct call *call, unsigned index)
{
	const int *places = (const int *)call->words[index + 1];
	int count = answer_at(call, index);

	for (int i = 0; count != prof_mpi_library.abi.undefined && i < count; i++) {
		if ((size_t)places[i] < call->count)
			note_complete(call, (size_t)places[i], (size_t)i);
	}
}

/* The call may have completed what it was given: it tells so. */
static void finish_wait(struct call *call)
{
	if (!call->count)
		return;
	switch (call->class) {
	case PROF_MPI_TEST:
		if (answer_at(call, 1))
			note_all_complete(call);
		break;
	case PROF_MPI_TESTALL:
		if (answer_at(call, 2))
			note_all_complete(call);
		break;
	case PROF_MPI_TESTANY:
		if (answer_at(call, 3))
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

/* The call has succeeded. */
static void finish(struct call *call)
{
	if (call->class != PROF_MPI_SEND_INIT)
		count_sent(call);
	switch (call->class) {
	case PROF_MPI_SEND:
	case PROF_MPI_REQUEST_FREE:
	case PROF_MPI_OTHER:
		break;
	case PROF_MPI_ISEND:
		note_request(call, 6, 0, 0);
		break;
	case PROF_MPI_RECV:
		count_received(call, handle_at(call, 5), call->statuses);
		break;
	case PROF_MPI_SENDRECV:
		count_received(call, handle_at(call, 10), call->statuses);
		break;
	case PROF_MPI_SENDRECV_REPLACE:
		count_received(call, handle_at(call, 7), call->statuses);
		break;
	case PROF_MPI_IRECV:
		note_receive(call, PROF_MPI_REQUEST_ACTIVE);
		break;
	case PROF_MPI_RECV_INIT:
		note_receive(call, PROF_MPI_REQUEST_PERSISTENT);
		break;
	case PROF_MPI_SEND_INIT:
		note_request(call, 6,
			call->sends ? PROF_MPI_REQUEST_SEND | PROF_MPI_REQUEST_PERSISTENT : 0, 0);
		break;
	case PROF_MPI_START:
	case PROF_MPI_STARTALL:
		note_started(call);
		break;
	case PROF_MPI_COMM_FREE:
		prof_mpi_messages_forget();
		break;
	default:
		finish_wait(call);
	}
}

/* Is the call of the wrapper with the frame FRAME part of another, which THREAD has not left? */
static bool is_nested(const struct prof_agent_thread *thread, const void *frame)
{
	return thread->mpi.frame && (uintptr_t)frame < (uintptr_t)thread->mpi.frame;
}

static long call_real(unsigned what, const prof_mpi_word *words)
{
	typedef prof_mpi_word w;
	long (*real)(w, w, w, w, w, w, w, w, w, w, w, w);

	*(void **)&real = prof_agent_hooks[what].real;
	return real(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
		words[8], words[9], words[10], words[11]);
}

/* Writes what is known of the call from BEGUN to ENDED, which has returned RESULT. */
static void tell(struct call *call, uint64_t begun, uint64_t ended, long result)
{
	call->messages.begun = begun;
	call->messages.ended = ended;
	if (call->class != PROF_MPI_OTHER && !(int)result)
		finish(call);
	prof_mpi_messages_end(&call->messages);
}

/* The call, which is not part of another. */
static long record(struct call *call, unsigned what, void *frame)
{
	struct prof_agent_thread *thread = call->thread;
	const struct prof_agent_session *session = thread->session;

	thread->mpi.frame = frame;
	prepare(call);
	uint64_t begun = prof_system_time(session->counter);
	/* It does not come back. */
	if (call->number == PROF_HOOK_MPI_Abort - PROF_HOOK_MPI)
		tell(call, begun, begun, 0);
	prof_agent_leave(thread);
	long result = call_real(what, call->words);
	int error = errno;
	uint64_t ended = prof_system_time_after(session->counter);
	if (prof_agent_enter(PROF_FAMILY_MPI, frame) == thread && thread->session == session) {
		tell(call, begun, ended, result);
		prof_agent_leave(thread);
	}
	thread->mpi.frame = NULL;
	errno = error;
	return result;
}

long prof_mpi_call(unsigned what, const prof_mpi_word *words, void *frame)
{
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_MPI, frame);

	if (!thread)
		return call_real(what, words);
	if (is_nested(thread, frame) || !thread->session->mpi) {
		prof_agent_leave(thread);
		return call_real(what, words);
	}
	struct call call = {
		.number = (what - PROF_HOOK_MPI) % FUNCTIONS,
		.thread = thread,
		.table = &thread->session->mpi->requests,
	};
	memcpy(call.words, words, sizeof call.words);
	call.class = prof_mpi_library.known ? classes[call.number] : PROF_MPI_OTHER;
	call.messages = (struct prof_mpi_messages){
		.thread = thread, .what = PROF_HOOK_MPI + call.number, .frame = frame};
	return record(&call, what, frame);
}

struct prof_mpi_session *prof_mpi_session_begin(struct prof_mpi_session *before)
{
	size_t size = sizeof(struct prof_mpi_session);

	/* What was known of requests and communicators may be wrong by now: the memory becomes
	 * empty. */
	prof_mpi_messages_forget();
	if (before)
		return prof_system(SYS_madvise, (long)before, (long)size, MADV_DONTNEED, 0, 0, 0)
			? NULL
			: before;
	long made = prof_system(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return prof_system_failed(made) ? NULL : (struct prof_mpi_session *)made;
}

/* The function NAME, as long as it is none of the program's own jumps to functions. */
static void *find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	return found && !prof_agent_hooks_is_jump(found) ? found : NULL;
}

void prof_mpi_find(void)
{
	prof_mpi_library_find();
	for (unsigned i = PROF_HOOK_MPI; i < PROF_HOOK_PMPI; i++) {
		struct prof_hook *hook = &prof_agent_hooks[i];
		struct prof_hook *second = &prof_agent_hooks[i + FUNCTIONS];
		hook->real = find(hook->name);
		second->real = find(second->name);
		/* In a library both are the same function. */
		if (!hook->real)
			hook->real = second->real;
	}
}
