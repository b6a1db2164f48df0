/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/mpi.h"

#include "agent/mpi_call.h"

#include <dlfcn.h>
#include <string.h>
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

static long call_real(unsigned what, const prof_mpi_word *words)
{
	typedef prof_mpi_word w;
	long (*real)(w, w, w, w, w, w, w, w, w, w, w, w);

	*(void **)&real = prof_agent_hooks[what].real;
	return real(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
		words[8], words[9], words[10], words[11]);
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
}

/* Makes the call, which is not part of another one, and records it. */
static long record(struct prof_mpi_call *call, unsigned what, void *frame)
{
	struct prof_agent_thread *thread = call->thread;
	const struct prof_agent_session *session = thread->session;

	thread->mpi.frame = frame;
	prof_mpi_call_plan(call);
	struct prof_system_stamp begun = prof_agent_stamp(session);
	/* The function may never return. */
	if (call->number == PROF_HOOK_MPI_Abort - PROF_HOOK_MPI)
		write_records(call, begun.time, begun, 0);
	prof_agent_leave(thread);
	long result = call_real(what, call->words);
	int error = errno;
	struct prof_system_stamp ended = prof_agent_stamp(session);
	if (prof_agent_enter(PROF_FAMILY_MPI, frame) == thread && thread->session == session) {
		write_records(call, begun.time, ended, result);
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
	void *init = prof_agent_hooks[PROF_HOOK_MPI_Init].real;
	if (PROF_SELDOM(atomic_load_explicit(&prof_mpi_library.init, memory_order_acquire) != init))
		prof_mpi_library_find(init);
	/* Clearing all of its 2.6 kB took some 30 ns of each call. */
	struct prof_mpi_call call;
	memcpy(call.words, words, sizeof call.words);
	call.number = (what - PROF_HOOK_MPI) % FUNCTIONS;
	call.arguments = arguments[call.number];
	call.class = prof_mpi_library.known ? classes[call.number] : PROF_MPI_OTHER;
	call.thread = thread;
	call.session = thread->session->mpi;
	call.sends = false;
	call.count = 0;
	prof_mpi_messages_begin(&call.messages, thread, PROF_HOOK_MPI + call.number, frame);
	return record(&call, what, frame);
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
