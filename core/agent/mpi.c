/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi.h"

#include "agent/mpi_blocking.h"
#include "agent/mpi_handshake.h"
#include "agent/mpi_wrappers.h"
#include "agent/walk.h"

#include <dlfcn.h>
#include <sys/mman.h>

enum {
	FUNCTIONS = PROF_HOOK_PMPI - PROF_HOOK_MPI, /* each under two names, for C and Fortran */
};

#define CLASS(name, words, class) PROF_MPI_##class,
static const uint8_t classes[FUNCTIONS] = {PROF_MPI_FUNCTIONS(CLASS)};

#define ARGUMENTS(name, words, class) words,
static const uint8_t arguments[FUNCTIONS] = {PROF_MPI_FUNCTIONS(ARGUMENTS)};

/*
 * Is the call of the wrapper with the frame FRAME made by another one, which THREAD has not left?
 */
static bool is_nested(const struct prof_agent_thread *thread, const void *frame)
{
	return thread->mpi.frame && (uintptr_t)frame < (uintptr_t)thread->mpi.frame;
}

/*
 * The function gets as many words as it has arguments: it took 5 ns of each call to clear others,
 * and to pass them on.
 */
static long call_real(unsigned what, const prof_mpi_word *words)
{
	void *real = prof_agent_hooks[what].real;

#define REAL(count)                                                                       \
	case count:                                                                       \
		return ((long (*)(PROF_MPI_JOIN(PROF_MPI_TAKE_, count)))(uintptr_t)real)( \
			PROF_MPI_JOIN(PROF_MPI_WORDS_, count));

	switch (arguments[(what - PROF_HOOK_MPI) % FUNCTIONS]) {
		REAL(0)
		REAL(1)
		REAL(2)
		REAL(3)
		REAL(4)
		REAL(5)
		REAL(6)
		REAL(7)
		REAL(8)
		REAL(9)
		REAL(10)
		REAL(11)
	default:
		REAL(12)
	}
#undef REAL
}

/* Begins CALL, by THREAD.  Clearing all of its 2.6 kB took some 30 ns of each call. */
static void begin(struct prof_mpi_call *call, struct prof_agent_thread *thread, unsigned what,
	prof_mpi_word *words, void *frame)
{
	call->words = words;
	call->number = (what - PROF_HOOK_MPI) % FUNCTIONS;
	call->arguments = arguments[call->number];
	call->class = prof_mpi_library.known ? classes[call->number] : PROF_MPI_OTHER;
	call->thread = thread;
	call->session = thread->session->mpi;
	call->sends = false;
	call->postponed = false;
	call->count = 0;
	call->exchange_count = 0;
	prof_mpi_messages_begin(&call->messages, thread, PROF_HOOK_MPI + call->number, frame);
}

/* Writes the record of the call from BEGUN to ENDED, which has returned RESULT. */
static void write_records(
	struct prof_mpi_call *call, uint64_t begun, struct prof_system_stamp ended, long result)
{
	call->messages.begun = begun;
	call->messages.ended = ended.time;
	call->messages.cpu = ended.cpu;
	if (call->class != PROF_MPI_OTHER && !(int)result)
		prof_mpi_call_note(call);
	prof_mpi_messages_end(&call->messages);
	if (call->class == PROF_MPI_SEND || call->class == PROF_MPI_RECV)
		prof_mpi_blocking_learn(call->thread);
}

/* May the call wait for other ranks until it returns? */
static bool may_wait(const struct prof_mpi_call *call)
{
	switch (call->class) {
	case PROF_MPI_RECV:
	case PROF_MPI_MRECV:
	case PROF_MPI_SENDRECV:
	case PROF_MPI_SENDRECV_REPLACE:
	case PROF_MPI_WAIT:
	case PROF_MPI_WAITALL:
	case PROF_MPI_WAITANY:
	case PROF_MPI_WAITSOME:
	case PROF_MPI_BARRIER:
	case PROF_MPI_ALL:
	case PROF_MPI_FROM_ROOT:
	case PROF_MPI_TO_ROOT:
		return true;
	default:
		return false;
	}
}

/*
 * A call that waits costs the program nothing before it, and whatever comes after it delays the
 * next message: so its stack is walked before.
 */
static void walk_before(struct prof_mpi_call *call)
{
	struct prof_agent_thread *thread = call->thread;

	if (!thread->session->mpi_stacks || !may_wait(call))
		return;
	const struct prof_walk_start start = prof_walk_start(call->messages.frame);
	call->messages.node = prof_walk_site(thread, &start);
}

/* Makes the call, which is not part of another one, and records it. */
static long record(struct prof_mpi_call *call, unsigned what, void *frame)
{
	struct prof_agent_thread *thread = call->thread;
	const struct prof_agent_session *session = thread->session;

	thread->mpi.frame = frame;
	prof_mpi_call_plan(call);
	walk_before(call);
	/* The function may never return. */
	if (call->number == PROF_HOOK_MPI_Abort - PROF_HOOK_MPI) {
		struct prof_system_stamp now = prof_agent_stamp(session);
		write_records(call, now.time, now, 0);
	}
	bool compares = session->mpi_handshake;
	if (compares && call->class == PROF_MPI_FINALIZE)
		prof_mpi_handshake(call);
	uint64_t begun = prof_system_time(session->counter);
	prof_agent_leave(thread);
	long result = call_real(what, call->words);
	int error = errno;
	if (compares && call->class == PROF_MPI_INIT && !(int)result)
		prof_mpi_handshake(call);
	struct prof_system_stamp ended = prof_agent_stamp_soon(session);
	if (prof_agent_enter(PROF_FAMILY_MPI, frame) == thread && thread->session == session) {
		write_records(call, begun, ended, result);
		prof_agent_leave(thread);
	}
	thread->mpi.frame = NULL;
	errno = error;
	return result;
}

long prof_mpi_call(unsigned what, prof_mpi_word *words, void *frame)
{
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_MPI, frame);

	if (!thread)
		return call_real(what, words);
	if (is_nested(thread, frame) || !thread->session->mpi) {
		prof_agent_leave(thread);
		return call_real(what, words);
	}
	void *init = prof_agent_hooks[PROF_HOOK_MPI_Init].real;
	if (PROF_SELDOM(atomic_load_explicit(&prof_mpi_library.init, memory_order_acquire) != init))
		prof_mpi_library_find(init);
	struct prof_mpi_call call;
	begin(&call, thread, what, words, frame);
	return record(&call, what, frame);
}

void prof_mpi_call_record(struct prof_agent_thread *thread, unsigned what, prof_mpi_word *words,
	void *frame, const struct prof_mpi_made *made)
{
	int error = errno;
	struct prof_mpi_call call;

	begin(&call, thread, what, words, frame);
	call.messages.node = made->node;
	prof_mpi_call_plan(&call);
	write_records(&call, made->begun, made->ended, made->result);
	errno = error;
}

struct prof_mpi_session *prof_mpi_session_begin(struct prof_mpi_session *before)
{
	size_t size = sizeof(struct prof_mpi_session);

	/* What is known of requests and communicators may be wrong by now, so it is cleared. */
	prof_mpi_messages_forget();
	if (before)
		return prof_system(SYS_madvise, (long)before, (long)size, MADV_DONTNEED, 0, 0, 0)
			? NULL
			: before;
	long made = prof_system(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return prof_system_failed(made) ? NULL : (struct prof_mpi_session *)made;
}

/* The function NAME; NULL: there is none, or only a jump in the program's own linkage table. */
static void *find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	return found && !prof_agent_hooks_is_jump(found) ? found : NULL;
}

void prof_mpi_find(void)
{
	for (unsigned i = PROF_HOOK_MPI; i < PROF_HOOK_PMPI; i++) {
		struct prof_hook *hook = &prof_agent_hooks[i];
		struct prof_hook *second = &prof_agent_hooks[i + FUNCTIONS];
		hook->real = find(hook->name);
		second->real = find(second->name);
		/* In some libraries both names are one function. */
		if (!hook->real)
			hook->real = second->real;
	}
	prof_mpi_library_find(prof_agent_hooks[PROF_HOOK_MPI_Init].real);
}
