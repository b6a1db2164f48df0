/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops, sections and `single`: how long each thread works in them, and waits in and behind them.
 */
#include "agent/omp_private.h"
#include "agent/record.h"

/* The last loop of THREAD in its innermost region; NULL: there is none without a record. */
static struct prof_omp_loop *last_loop(struct prof_agent_thread *thread)
{
	struct prof_omp_share *share = prof_omp_last_share(thread);

	return share && share->loop.what ? &share->loop : NULL;
}

void prof_omp_loop_begin(
	struct prof_agent_thread *thread, unsigned what, bool own, const void *frame)
{
	struct prof_omp_share *share = prof_omp_last_share(thread);

	prof_omp_loop_settle(thread);
	if (!share)
		return;
	uint64_t created = prof_omp_task_created(thread, frame);
	share->loop = (struct prof_omp_loop){.what = what,
		.counts = what == PROF_RING_OMP_SINGLE ? own : share->first,
		.begun = prof_omp_now(thread),
		.pauses = prof_omp_pauses(thread),
		.created = created,
		.waited = thread->omp.waited,
		.nested = share->nested};
}

void prof_omp_loop_end(struct prof_agent_thread *thread)
{
	const struct prof_omp_share *share = prof_omp_last_share(thread);
	struct prof_omp_loop *loop = last_loop(thread);

	if (!loop || loop->ended)
		return;
	uint64_t whole = prof_omp_length(loop->begun, prof_omp_now(thread));
	loop->waited = prof_omp_length(loop->waited, thread->omp.waited);
	loop->worked =
		prof_omp_length(loop->waited + prof_omp_length(loop->nested, share->nested), whole);
	loop->ended = true;
}

/* Writes the record of LOOP, which has ended, as that of a task: see prof_omp_task_created(). */
static void write_loop(struct prof_agent_thread *thread, const struct prof_omp_loop *loop)
{
	const struct prof_omp_share *share = prof_omp_last_share(thread);
	bool raw = loop->created % 2;

	prof_agent_record_begin(thread);
	struct prof_system_stamp written = prof_agent_stamp(thread->session);
	uint64_t others = prof_omp_length(loop->worked, prof_omp_length(loop->begun, written.time));
	uint64_t more[] = {share ? (uintptr_t)share->place : 0, loop->counts, loop->waited};
	struct prof_agent_record record = {.kind = PROF_RING_OMP,
		.what = loop->what,
		.cpu = written.cpu,
		.count = 4,
		.values = {written.time, loop->begun, others, raw ? loop->created : 0},
		.more = more,
		.more_count = 3,
		.node = raw ? PROF_NODE_EMPTY : (uint32_t)loop->created / 2};
	prof_agent_record_write(thread, &record, 1, NULL);
	prof_agent_record_end(thread);
}

void prof_omp_loop_settle(struct prof_agent_thread *thread)
{
	struct prof_omp_loop *loop = last_loop(thread);

	if (!loop)
		return;
	/* One without an end is not known to be over. */
	if (loop->ended && loop->created >> 32 == thread->session->number &&
		prof_omp_is_recorded(thread, loop->pauses))
		write_loop(thread, loop);
	loop->what = 0;
}

void prof_omp_loop_waited(struct prof_agent_thread *thread, uint64_t waited)
{
	struct prof_omp_loop *loop = last_loop(thread);

	if (!loop || !loop->ended)
		return;
	loop->waited += waited;
	prof_omp_loop_settle(thread);
}
