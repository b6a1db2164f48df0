/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records of OpenMP: what threads did in regions, how long they waited, and their tasks. */
#include "agent/omp_private.h"

#include "agent/record.h"
#include "agent/walk.h"

/* How many tasks had a creator whose stack was raw. */
static _Atomic uint32_t task_number;

struct prof_omp_region *prof_omp_region_begin(struct prof_agent_thread *thread, const void *place)
{
	struct prof_omp_thread *omp = &thread->omp;
	size_t number = omp->region_count++;

	if (number >= PROF_OMP_NESTED)
		return NULL;
	struct prof_omp_region *region = &omp->regions[number];
	region->begun = prof_omp_now(thread);
	region->pauses = prof_omp_pauses(thread);
	region->place = place;
	atomic_store_explicit(&region->shares, NULL, memory_order_relaxed);
	return region;
}

/* The innermost region that THREAD has opened; NULL: there is none, or it is nested too deep. */
static struct prof_omp_region *last_region(struct prof_agent_thread *thread)
{
	struct prof_omp_thread *omp = &thread->omp;

	return omp->region_count && omp->region_count <= PROF_OMP_NESTED
		? &omp->regions[omp->region_count - 1]
		: NULL;
}

void prof_omp_region_end(struct prof_agent_thread *thread)
{
	const struct prof_omp_region *region = last_region(thread);
	struct prof_omp_share *share = prof_omp_last_share(thread);

	if (region && share)
		share->nested += prof_omp_length(region->begun, prof_omp_now(thread));
	if (thread->omp.region_count)
		thread->omp.region_count--;
}

bool prof_omp_region_is_at(const struct prof_agent_thread *thread, const void *place)
{
	const struct prof_omp_thread *omp = &thread->omp;

	return omp->region_count && omp->region_count <= PROF_OMP_NESTED &&
		omp->regions[omp->region_count - 1].place == place;
}

void prof_omp_share_begin(
	struct prof_agent_thread *thread, struct prof_omp_region *region, bool first)
{
	struct prof_omp_thread *omp = &thread->omp;
	size_t number = omp->share_count++;

	if (number >= PROF_OMP_NESTED)
		return;
	struct prof_omp_share *share = &omp->shares[number];
	*share = (struct prof_omp_share){.owner = omp,
		.id = thread->slot->id,
		.begun = prof_omp_now(thread),
		.spans = omp->span_count,
		.first = first};
	if (!region)
		return;
	share->place = region->place;
	share->next = atomic_load_explicit(&region->shares, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(
		&region->shares, &share->next, share, memory_order_release, memory_order_relaxed))
		;
}

void prof_omp_share_arrive(struct prof_agent_thread *thread)
{
	struct prof_omp_share *share = prof_omp_last_share(thread);

	if (!share)
		return;
	prof_omp_loop_settle(thread);
	share->arrived = prof_omp_now(thread);
	share->tasks = thread->omp.tasked;
}

/* Writes the record of SHARE, of the region that THREAD has opened; the stack is that of FRAME. */
static void write_share(
	struct prof_agent_thread *thread, const struct prof_omp_share *share, const void *frame)
{
	prof_agent_record_begin(thread);
	struct prof_system_stamp ended = prof_agent_stamp(thread->session);
	uint64_t waited = share->arrived ? prof_omp_length(share->arrived, ended.time) : 0;
	uint64_t tasks = prof_omp_length(share->tasks, share->owner->tasked);
	uint64_t more[] = {waited > tasks ? waited - tasks : 0, share->owner == &thread->omp,
		(uintptr_t)share->place};
	struct prof_agent_record record = {.kind = PROF_RING_OMP,
		.what = PROF_RING_OMP_INSIDE,
		.cpu = ended.cpu,
		.count = 4,
		.values = {ended.time, share->begun, share->nested, share->id},
		.more = more,
		.more_count = 3};

	prof_agent_record_write(thread, &record, 1, frame);
	prof_agent_record_end(thread);
}

void prof_omp_share_end(struct prof_agent_thread *thread, bool opener, const void *frame)
{
	struct prof_omp_region *region = opener ? last_region(thread) : NULL;
	const struct prof_omp_share *share = region
		? atomic_exchange_explicit(&region->shares, NULL, memory_order_acquire)
		: NULL;

	for (; share && prof_omp_is_recorded(thread, region->pauses); share = share->next)
		write_share(thread, share, frame);
	const struct prof_omp_share *own = prof_omp_last_share(thread);
	prof_omp_loop_settle(thread);
	/* A wait or a task that has no end is over now. */
	if (own && thread->omp.span_count > own->spans)
		thread->omp.span_count = own->spans;
	if (thread->omp.share_count)
		thread->omp.share_count--;
}

void prof_omp_span_begin(struct prof_agent_thread *thread, unsigned what)
{
	struct prof_omp_thread *omp = &thread->omp;
	size_t number = omp->span_count++;

	if (number < PROF_OMP_SPANS)
		omp->spans[number] = (struct prof_omp_span){
			what, prof_omp_now(thread), prof_omp_pauses(thread), omp->tasked};
}

/* Takes the innermost wait or task of THREAD; NULL: it is not known. */
static const struct prof_omp_span *end_span(struct prof_agent_thread *thread)
{
	struct prof_omp_thread *omp = &thread->omp;

	if (!omp->span_count || --omp->span_count >= PROF_OMP_SPANS)
		return NULL;
	return &omp->spans[omp->span_count];
}

/* Writes the record of WAIT, which has just ended; the stack is that of FRAME. */
static void write_wait(
	struct prof_agent_thread *thread, const struct prof_omp_span *wait, const void *frame)
{
	const struct prof_omp_share *share = prof_omp_last_share(thread);

	prof_agent_record_begin(thread);
	struct prof_system_stamp ended = prof_agent_stamp(thread->session);
	struct prof_agent_record record = {.kind = PROF_RING_OMP,
		.what = wait->what,
		.cpu = ended.cpu,
		.count = 4,
		.values = {ended.time, wait->begun,
			prof_omp_length(wait->tasks, thread->omp.tasked),
			share ? (uintptr_t)share->place : 0}};
	prof_agent_record_write(thread, &record, 1, frame);
	prof_agent_record_end(thread);
}

/* WAIT of THREAD is over.  Returns how long it was, without tasks executed meanwhile. */
static uint64_t end_wait(struct prof_agent_thread *thread, const struct prof_omp_span *wait)
{
	uint64_t whole = prof_omp_length(wait->begun, prof_omp_now(thread));
	uint64_t waited = prof_omp_length(prof_omp_length(wait->tasks, thread->omp.tasked), whole);

	thread->omp.waited += waited;
	return waited;
}

void prof_omp_wait_end(struct prof_agent_thread *thread, const void *frame)
{
	const struct prof_omp_span *wait = end_span(thread);

	if (!wait || wait->what == PROF_RING_OMP_TASK)
		return;
	uint64_t waited = end_wait(thread, wait);
	if (prof_omp_is_recorded(thread, wait->pauses))
		write_wait(thread, wait, frame);
	if (wait->what == PROF_RING_OMP_IMPLICIT)
		prof_omp_loop_waited(thread, waited);
}

void prof_omp_mutex_begin(struct prof_agent_thread *thread, unsigned what)
{
	thread->omp.mutex = (struct prof_omp_span){
		what, prof_omp_now(thread), prof_omp_pauses(thread), thread->omp.tasked};
}

void prof_omp_mutex_end(struct prof_agent_thread *thread, const void *frame)
{
	struct prof_omp_span *mutex = &thread->omp.mutex;

	if (mutex->what)
		(void)end_wait(thread, mutex);
	if (mutex->what && prof_omp_is_recorded(thread, mutex->pauses))
		write_wait(thread, mutex, frame);
	mutex->what = 0;
}

/*
 * What is known of a task: the number of the session, and in the lower half twice the node of the
 * stack that has created it or, odd, the number of the task.
 */
uint64_t prof_omp_task_created(struct prof_agent_thread *thread, const void *frame)
{
	uint64_t session = (uint64_t)thread->session->number << 32;
	struct prof_walk_start start = prof_walk_start(frame);
	uint32_t node = prof_walk(thread, &start);

	if (node != PROF_NODE_NONE)
		return session | node * 2;
	uint64_t number = session |
		(2 * atomic_fetch_add_explicit(&task_number, 1, memory_order_relaxed) + 1);
	if (!prof_omp_is_recorded(thread, prof_omp_pauses(thread)))
		return number;
	prof_agent_record_begin(thread);
	struct prof_system_stamp created = prof_agent_stamp(thread->session);
	struct prof_agent_record record = {.kind = PROF_RING_OMP,
		.what = PROF_RING_OMP_CREATE,
		.cpu = created.cpu,
		.count = 4,
		.values = {created.time, created.time, 0, number}};
	prof_agent_record_write(thread, &record, 1, frame);
	prof_agent_record_end(thread);
	return number;
}

void prof_omp_task_end(struct prof_agent_thread *thread, uint64_t created)
{
	const struct prof_omp_span *task = end_span(thread);
	bool raw = created % 2;

	if (!task || task->what != PROF_RING_OMP_TASK)
		return;
	uint64_t others = prof_omp_length(task->tasks, thread->omp.tasked);
	prof_agent_record_begin(thread);
	struct prof_system_stamp ended = prof_agent_stamp(thread->session);
	thread->omp.tasked = task->tasks + prof_omp_length(task->begun, ended.time);
	struct prof_agent_record record = {.kind = PROF_RING_OMP,
		.what = PROF_RING_OMP_TASK,
		.cpu = ended.cpu,
		.count = 4,
		.values = {ended.time, task->begun, others, raw ? created : 0},
		.node = raw ? PROF_NODE_EMPTY : (uint32_t)created / 2};
	/* A node of another session is of another ring. */
	if (created >> 32 == thread->session->number && prof_omp_is_recorded(thread, task->pauses))
		prof_agent_record_write(thread, &record, 1, NULL);
	prof_agent_record_end(thread);
}
