/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/thread.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

static struct prof_agent_process no_process;
struct prof_agent_process *prof_agent_process = &no_process;

/* A library that is loaded late gets little thread-local storage: enough for one pointer. */
__thread struct prof_agent_thread *prof_agent_self __attribute__((tls_model("initial-exec")));

int prof_agent_process_init(void)
{
	if (prof_agent_process != &no_process)
		return 0;
	long page = prof_system(SYS_mmap, 0, PROF_AGENT_PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (prof_system_failed(page))
		return (int)page;
	long result = prof_system(SYS_madvise, page, PROF_AGENT_PAGE, MADV_WIPEONFORK, 0, 0, 0);
	if (result)
		return (int)result;
	prof_agent_process = (struct prof_agent_process *)page;
	return 0;
}

/* The place of a free slot of RING for the thread ID; NULL: there is none. */
static struct prof_ring_thread *take_slot(struct prof_ring *ring, pid_t id)
{
	struct prof_ring_thread *slots = prof_ring_threads(ring);

	for (uint32_t i = 0; i < PROF_RING_THREADS; i++) {
		struct prof_ring_thread *slot = &slots[((uint32_t)id + i) % PROF_RING_THREADS];
		uint32_t expected = PROF_RING_THREAD_FREE;
		if (atomic_load_explicit(&slot->state, memory_order_relaxed) == expected &&
			atomic_compare_exchange_strong(
				&slot->state, &expected, PROF_RING_THREAD_TAKEN))
			return slot;
	}
	return NULL;
}

static struct prof_agent_thread *make_thread(void)
{
	long made = prof_system(SYS_mmap, 0, sizeof(struct prof_agent_thread),
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return prof_system_failed(made) ? NULL : (struct prof_agent_thread *)made;
}

/* What the calling thread uses for the slot NUMBER of SESSION. */
static struct prof_agent_thread *find_thread(struct prof_agent_session *session, size_t number)
{
	struct prof_agent_thread *thread = prof_agent_self;
	struct prof_agent_thread *other =
		atomic_load_explicit(&session->threads[number], memory_order_relaxed);

	if (!thread)
		thread = other ? other : make_thread();
	else if (other)
		prof_system(SYS_munmap, (long)other, sizeof *other, 0, 0, 0, 0);
	atomic_store_explicit(&session->threads[number], thread, memory_order_relaxed);
	return thread;
}

struct prof_agent_thread *prof_agent_thread_claim(struct prof_agent_session *session)
{
	/*
	 * A child that shares our memory exists for a moment only, and uses its parent's variables.
	 */
	if (prof_system(SYS_getpid, 0, 0, 0, 0, 0, 0) != session->process)
		return NULL;
	struct prof_ring *ring = session->ring;
	pid_t id = (pid_t)prof_system(SYS_gettid, 0, 0, 0, 0, 0, 0);
	struct prof_ring_thread *slot = take_slot(ring, id);
	struct prof_agent_thread *thread =
		slot ? find_thread(session, (size_t)(slot - prof_ring_threads(ring))) : NULL;

	if (!thread) {
		if (slot)
			atomic_store(&slot->state, PROF_RING_THREAD_FREE);
		atomic_fetch_add(&ring->homeless, 1);
		return NULL;
	}
	memset(thread, 0, offsetof(struct prof_agent_thread, frames));
	memset(thread->sites, 0, sizeof thread->sites);
	thread->mpi.frame = NULL;
	thread->mpi.library = NULL;
	thread->session = session;
	thread->slot = slot;
	thread->last = 1;
	slot->id = (uint32_t)id;
	atomic_store(&slot->first, 0);
	atomic_store(&slot->busy, 0);
	atomic_store(&slot->lost, 0);
	atomic_store(&slot->state, PROF_RING_THREAD_USED);
	atomic_fetch_add(&ring->claimed, 1);
	prof_agent_self = thread;
	return thread;
}

bool prof_agent_thread_left(struct prof_agent_thread *thread, const void *frame)
{
	uintptr_t here = (uintptr_t)frame, there = (uintptr_t)thread->inside;

	if (there <= here && thread->low <= there && here < thread->high) {
		thread->writing = false;
		atomic_store_explicit(&thread->slot->busy, 0, memory_order_relaxed);
		return true;
	}
	/* Only a signal handler can call this while a record is being written. */
	if (thread->writing)
		atomic_fetch_add_explicit(&thread->slot->lost, 1, memory_order_relaxed);
	return false;
}
