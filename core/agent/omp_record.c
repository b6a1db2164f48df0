/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records of OpenMP: what threads did in regions, how long they waited, and their tasks. */
#include "agent/omp.h"

#include "agent/record.h"
#include "agent/walk.h"

/* How many tasks had a creator whose stack was raw. */
static _Atomic uint32_t task_number;

static uint64_t now(const struct prof_agent_thread *thread)
{
	return prof_system_time(thread->session->counter);
}

static uint64_t pauses(const struct prof_agent_thread *thread)
{
	return atomic_load_explicit(&thread->session->ring->pauses, memory_order_relaxed);
}

/* Is OpenMP recorded now, and was it ever since the ring had PAUSED so often? */
static bool is_recorded(const struct prof_agent_thread *thread, uint64_t paused)
{
	uint32_t families =
		atomic_load_explicit(&thread->session->ring->families, memory_order_relaxed);

	return families & PROF_FAMILY_OMP && pauses(thread) == paused;
}

static uint64_t span(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

struct prof_omp_region *prof_omp_region_begin(struct prof_agent_thread *thread, const void *place)
{
	struct prof_omp_thread *omp = &thread->omp;
	size_t number = omp->region_count++;

	if (number >= PROF_OMP_NESTED)
		return NULL;
	struct prof_omp_region *region = &omp->regions[number];
	region->begun = now(thread);
	region->pauses = pauses(thread);
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

static struct prof_omp_share *last_share(struct prof_agent_thread *thread)
{
	struct prof_omp_thread *omp = &thread->omp;

	return omp->share_count && omp->share_count <= PROF_OMP_NESTED
		? &omp->shares[omp->share_count - 1]
		: NULL;
}

void prof_omp_region_end(struct prof_agent_thread *thread)
{
	const struct prof_omp_region *region = last_region(thread);
	struct prof_omp_share *share = last_share(thread);

	if (region && share)
		share->nested += span(region->begun, now(thread));
	if (thread->omp.region_count)
		thread->omp.region_count--;
}

bool prof_omp_region_is_at(const struct prof_agent_thread *thread, const void *place)
{
	const struct prof_omp_thread *omp = &thread->omp;

	return omp->region_count && omp->region_count <= PROF_OMP_NESTED &&
		omp->regions[omp->region_count - 1].place == place;
}

void prof_omp_share_begin(struct prof_agent_thread *thread, struct prof_omp_region *region)
{
	struct prof_omp_thread *omp = &thread->omp;
	size_t number = omp->share_count++;

	if (number >= PROF_OMP_NESTED)
		return;
	struct prof_omp_share *share = &omp->shares[number];
	*share = (struct prof_omp_share){.owner = omp,
		.id = thread->slot->id,
		.begun = now(thread),
		.spans = omp->span_count};
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
	struct prof_omp_share *share = last_share(thread);

	if (!share)
		return;
	share->arrived = now(thread);
	share->tasks = thread->omp.tasked;
}

/* Writes the record of SHARE, of the region that THREAD has opened; the stack is that of FRAME. */
static void write_share(
	struct prof_agent_thread *thread, const struct prof_omp_share *share, const void *frame)
{
	prof_agent_record_begin(thread);
	struct prof_system_stamp ended = prof_agent_stamp(thread->session);
	uint64_t waited = share->arrived ? span(share->arrived, ended.time) : 0;
	uint64_t tasks = span(share->tasks, share->owner->tasked);
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

	for (; share && is_recorded(thread, region->pauses); share = share->next)
		write_share(thread, share, frame);
	const struct prof_omp_share *own = last_share(thread);
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
		omp->spans[number] =
			(struct prof_omp_span){what, now(thread), pauses(thread), omp->tasked};
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
	const struct prof_omp_share *share = last_share(thread);

	prof_agent_record_begin(thread);
	struct prof_system_stamp ended = prof_agent_stamp(thread->session);
	struct prof_agent_record record = {.kind = PROF_RING_OMP,
		.what = wait->what,
		.cpu = ended.cpu,
		.count = 4,
		.values = {ended.time, wait->begun, span(wait->tasks, thread->omp.tasked),
			share ? (uintptr_t)share->place : 0}};
	prof_agent_record_write(thread, &record, 1, frame);
	prof_agent_record_end(thread);
}

void prof_omp_wait_end(struct prof_agent_thread *thread, const void *frame)
{
	const struct prof_omp_span *wait = end_span(thread);

	if (wait && wait->what != PROF_RING_OMP_TASK && is_recorded(thread, wait->pauses))
		write_wait(thread, wait, frame);
}

void prof_omp_mutex_begin(struct prof_agent_thread *thread, unsigned what)
{
	thread->omp.mutex =
		(struct prof_omp_span){what, now(thread), pauses(thread), thread->omp.tasked};
}

void prof_omp_mutex_end(struct prof_agent_thread *thread, const void *frame)
{
	struct prof_omp_span *mutex = &thread->omp.mutex;

	if (mutex->what && is_recorded(thread, mutex->pauses))
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
	if (!is_recorded(thread, pauses(thread)))
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
	uint64_t others = span(task->tasks, thread->omp.tasked);
	prof_agent_record_begin(thread);
	struct prof_system_stamp ended = prof_agent_stamp(thread->session);
	thread->omp.tasked = task->tasks + span(task->begun, ended.time);
	struct prof_agent_record record = {.kind = PROF_RING_OMP,
		.what = PROF_RING_OMP_TASK,
		.cpu = ended.cpu,
		.count = 4,
		.values = {ended.time, task->begun, others, raw ? created : 0},
		.node = raw ? PROF_NODE_EMPTY : (uint32_t)created / 2};
	/* A node of another session is of another ring. */
	if (created >> 32 == thread->session->number && is_recorded(thread, task->pauses))
		prof_agent_record_write(thread, &record, 1, NULL);
	prof_agent_record_end(thread);
}
