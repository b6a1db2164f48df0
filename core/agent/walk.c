/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/walk.h"

#include <string.h>
#include <ucontext.h>

enum {
	/* How far another address of a stack may be from the known part of it: bytes. */
	FAR = 8 << 20,
};

enum step { GOES_ON, ENDS, IS_LOST, MISSES };

/* Begins a new known part of THREAD's stack at ADDRESS, which can be read. */
static void begin_stack(struct prof_agent_thread *thread, uintptr_t address)
{
	thread->low = address & -(uintptr_t)PROF_AGENT_PAGE;
	thread->high = thread->low + PROF_AGENT_PAGE;
	thread->end = 0;
	thread->count = 0;
}

/* Can all memory from the known part down to ADDRESS be read, too?  If so, it becomes known. */
static bool grow_down(struct prof_agent_thread *thread, uintptr_t address)
{
	while (address < thread->low) {
		if (!prof_system_readable(thread->low - PROF_AGENT_PAGE))
			return false;
		thread->low -= PROF_AGENT_PAGE;
	}
	return true;
}

/*
 * Is the top of THREAD's stack in the known part?  Other threads may unmap the memory above it at
 * any time.
 */
static bool has_top(const struct prof_agent_thread *thread)
{
	return prof_system_thread() - thread->low < thread->high - thread->low;
}

static bool grow_up(struct prof_agent_thread *thread, uintptr_t address)
{
	while (address >= thread->high) {
		if (thread->end == thread->high)
			return false;
		if (has_top(thread) || !prof_system_readable(thread->high)) {
			thread->end = thread->high;
			return false;
		}
		thread->high += PROF_AGENT_PAGE;
	}
	return true;
}

/* Makes the stack at ADDRESS, which THREAD is on, known. */
static inline void know_stack(struct prof_agent_thread *thread, uintptr_t address)
{
	if (address - thread->low < thread->high - thread->low)
		return;
	if (thread->low - address > FAR || !grow_down(thread, address))
		begin_stack(thread, address);
}

/* Is there a word at ADDRESS, in the known part of the stack or above it? */
static inline bool is_readable(struct prof_agent_thread *thread, uintptr_t address)
{
	if (address % sizeof(uint64_t))
		return false;
	if (address - thread->low < thread->high - thread->low)
		return true;
	return address - thread->high < FAR && grow_up(thread, address);
}

size_t prof_walk_known(struct prof_agent_thread *thread, uintptr_t address, size_t most)
{
	know_stack(thread, address);
	if (thread->high - address < most)
		grow_up(thread, address + most - 1);
	return thread->high - address < most ? thread->high - address : most;
}

/*
 * At a signal frame the registers are read from memory, and may be those of another stack.  What
 * was found up to here is then no help for the next walk.
 */
PROF_READS_STACK static enum step pass_signal(
	struct prof_agent_thread *thread, struct prof_agent_frame *frame, bool *ret_other)
{
	const ucontext_t *context = (const ucontext_t *)frame->sp;
	const greg_t *registers = context->uc_mcontext.gregs;

	if (!is_readable(thread, (uintptr_t)registers) ||
		!is_readable(thread, (uintptr_t)&registers[REG_RIP]))
		return IS_LOST;
	frame->pc_slot = (const prof_agent_word *)&registers[REG_RIP];
	frame->sp_slot = (const prof_agent_word *)&registers[REG_RSP];
	frame->fp_slot = (const prof_agent_word *)&registers[REG_RBP];
	uint64_t sp = *frame->sp_slot;
	*ret_other = sp <= frame->sp || !is_readable(thread, sp);
	if (*ret_other) {
		if (!prof_system_readable(sp))
			return IS_LOST;
		begin_stack(thread, sp);
	}
	return GOES_ON;
}

/* Sets the places from which FRAME's caller is read, by its row. */
PROF_READS_STACK static enum step find_slots(struct prof_agent_thread *thread,
	struct prof_row_rule rule, struct prof_agent_frame *frame, bool *ret_other)
{
	uint64_t cfa =
		(rule.kind == PROF_ROW_SP ? frame->sp : frame->fp) + (uint64_t)(int64_t)rule.offset;

	frame->sp_slot = NULL;
	switch (rule.kind) {
	case PROF_ROW_SP:
	case PROF_ROW_FP:
		break;
	case PROF_ROW_AT_FP:
		if (!is_readable(thread, cfa))
			return IS_LOST;
		frame->sp_slot = (const prof_agent_word *)cfa;
		cfa = *frame->sp_slot;
		break;
	case PROF_ROW_SIGNAL:
		return pass_signal(thread, frame, ret_other);
	default:
		return ENDS;
	}
	uint64_t saved =
		(rule.kind == PROF_ROW_AT_FP ? frame->fp : cfa) + (uint64_t)(int64_t)rule.fp_offset;
	if (cfa <= frame->sp || !is_readable(thread, cfa - sizeof cfa) ||
		(rule.fp_saved && !is_readable(thread, saved)))
		return IS_LOST;
	frame->pc_slot = (const prof_agent_word *)(cfa - sizeof cfa);
	frame->fp_slot = rule.fp_saved ? (const prof_agent_word *)saved : &frame->fp;
	return GOES_ON;
}

/* Completes FRAME, and sets NEXT to its caller. */
PROF_READS_STACK static enum step step_out(struct prof_agent_thread *thread,
	struct prof_agent_frame *frame, struct prof_agent_frame *next, bool *ret_other)
{
	struct prof_row *rows = prof_ring_rows(thread->session->ring);

	frame->row = prof_rows_find(rows, frame->pc - !frame->exact);
	if (frame->row == PROF_ROW_NONE)
		return MISSES;
	struct prof_row_rule rule =
		prof_row_unpack(atomic_load_explicit(&rows[frame->row].rule, memory_order_relaxed));
	frame->needs_fp = rule.kind == PROF_ROW_FP || rule.kind == PROF_ROW_AT_FP ||
		(rule.kind == PROF_ROW_SP && !rule.fp_saved);
	enum step step = find_slots(thread, rule, frame, ret_other);
	if (step != GOES_ON)
		return step;
	next->pc = *frame->pc_slot;
	next->sp = rule.kind == PROF_ROW_SIGNAL ? *frame->sp_slot : (uint64_t)(frame->pc_slot + 1);
	next->fp = *frame->fp_slot;
	next->exact = rule.kind == PROF_ROW_SIGNAL;
	return next->pc ? GOES_ON : IS_LOST;
}

/*
 * The number of the innermost frame, from TOP outwards, whose caller may differ from the last
 * walk's; 0: no caller does.
 */
PROF_READS_STACK static inline uint32_t verify(const struct prof_agent_frame *frames, uint32_t top)
{
	for (; top; top--) {
		const struct prof_agent_frame *frame = &frames[top], *caller = frame - 1;
		if (*frame->pc_slot != caller->pc ||
			(*frame->fp_slot != caller->fp && caller->needs_fp) ||
			PROF_SELDOM(frame->sp_slot && *frame->sp_slot != caller->sp))
			return top;
	}
	return 0;
}

/* Is CACHED, a frame of the last walk, the same as FRAME? */
static inline bool is_same(
	const struct prof_agent_frame *cached, const struct prof_agent_frame *frame)
{
	return cached->pc == frame->pc && cached->sp == frame->sp &&
		(cached->fp == frame->fp || !cached->needs_fp) && cached->exact == frame->exact;
}

static inline void copy(struct prof_agent_frame *to, const struct prof_agent_frame *from)
{
	*to = *from;
	if (from->fp_slot == &from->fp)
		to->fp_slot = &to->fp;
}

/*
 * Keeps the innermost frames of a stack that is too deep: the FOUND ones of FRESH, completed by
 * those from CACHED on.
 */
static void cut(struct prof_agent_thread *thread, uint32_t *found, uint32_t cached)
{
	while (*found < PROF_AGENT_KEPT && cached)
		copy(&thread->fresh[(*found)++], &thread->frames[--cached]);
	*found = PROF_AGENT_KEPT;
}

/*
 * The node of the FOUND frames of FRESH, which the KEPT older ones have called.  All but the BASE
 * innermost are kept for the next walk.
 */
static uint32_t intern(
	struct prof_agent_thread *thread, uint32_t kept, uint32_t found, uint32_t base)
{
	_Atomic uint64_t *nodes = prof_ring_nodes(thread->session->ring);
	struct prof_agent_frame *frames = thread->frames;
	uint32_t node = kept ? frames[kept - 1].node : PROF_NODE_EMPTY;

	/* A signal handler may jump out of this, so the counts are correct at any time. */
	thread->count = kept;
	atomic_signal_fence(memory_order_seq_cst);
	while (found && node != PROF_NODE_NONE) {
		struct prof_agent_frame *frame = &thread->fresh[--found];
		node = prof_nodes_intern(nodes, node, frame->row);
		if (found < base || node == PROF_NODE_NONE)
			continue;
		copy(&frames[kept], frame);
		frames[kept++].node = node;
	}
	atomic_signal_fence(memory_order_seq_cst);
	thread->count = kept;
	return node;
}

/* Is FRAME the last of the CACHED frames, after dropping deeper ones? */
static inline bool is_cached(
	struct prof_agent_thread *thread, const struct prof_agent_frame *frame, uint32_t *cached)
{
	while (*cached && thread->frames[*cached - 1].sp < frame->sp)
		--*cached;
	return *cached && is_same(&thread->frames[*cached - 1], frame);
}

uint32_t prof_walk(struct prof_agent_thread *thread, const struct prof_walk_start *start)
{
	struct prof_agent_frame *fresh = thread->fresh;
	uint64_t gone = atomic_load_explicit(&thread->session->ring->gone, memory_order_relaxed);
	uint32_t found = 0, base = 0;

	know_stack(thread, start->sp);
	if (PROF_SELDOM(gone != thread->gone)) {
		thread->gone = gone;
		thread->count = 0;
	}
	uint32_t cached = thread->count;
	fresh[0].pc = start->pc;
	fresh[0].sp = start->sp;
	fresh[0].fp = start->fp;
	fresh[0].exact = false;
	for (;;) {
		if (is_cached(thread, &fresh[found], &cached)) {
			uint32_t top = cached - 1, wrong = verify(thread->frames, top);
			if (found + (wrong ? top - wrong : cached) >= PROF_AGENT_DEEPEST - 1) {
				cut(thread, &found, cached);
				return intern(thread, 0, found, found);
			}
			if (!wrong)
				return intern(thread, cached, found, base);
			for (; top > wrong; top--)
				copy(&fresh[found++], &thread->frames[top]);
			copy(&fresh[found], &thread->frames[wrong]);
			cached = wrong;
		}
		bool other = false;
		enum step step = step_out(thread, &fresh[found], &fresh[found + 1], &other);
		if (step == MISSES)
			return PROF_NODE_NONE;
		found++;
		if (step != GOES_ON)
			return intern(thread, 0, found, step == ENDS ? base : found);
		if (other) {
			base = found;
			cached = 0;
		}
		if (found == PROF_AGENT_DEEPEST - 1) {
			cut(thread, &found, cached);
			return intern(thread, 0, found, found);
		}
	}
}

/* Are the callers of SITE, in whose frame THREAD is, those that they were? */
PROF_READS_STACK static inline bool has_same_callers(
	const struct prof_agent_thread *thread, const struct prof_agent_site *site)
{
	if (!site->count || site->count > thread->count)
		return false;
	const struct prof_agent_frame *caller = &thread->frames[site->count - 1];
	return caller->node == site->outer && !caller->exact &&
		caller->sp == (uint64_t)(site->frame.pc_slot + 1) &&
		caller->pc == *site->frame.pc_slot &&
		(!caller->needs_fp || caller->fp == *site->frame.fp_slot) &&
		!verify(thread->frames, site->count - 1);
}

/* Is a place of the frame of SITE at ADDRESS, below its caller's? */
static inline bool is_in_frame(const struct prof_agent_frame *frame, const prof_agent_word *address)
{
	return (uint64_t)address >= frame->sp && address <= frame->pc_slot;
}

/* Remembers the innermost frame of the last walk of THREAD, which began at START, as SITE. */
static void remember(struct prof_agent_thread *thread, const struct prof_walk_start *start,
	struct prof_agent_site *site)
{
	uint32_t count = thread->count;

	if (count < 2)
		return;
	const struct prof_agent_frame *frame = &thread->frames[count - 1];
	if (frame->pc != start->pc || frame->sp != start->sp || frame->exact || frame->sp_slot ||
		(frame->fp_slot != &frame->fp && !is_in_frame(frame, frame->fp_slot)))
		return;
	/* A signal handler may jump out of this. */
	site->count = 0;
	atomic_signal_fence(memory_order_seq_cst);
	site->outer = thread->frames[count - 2].node;
	site->gone = thread->gone;
	copy(&site->frame, frame);
	atomic_signal_fence(memory_order_seq_cst);
	site->count = count - 1;
}

uint32_t prof_walk_site(struct prof_agent_thread *thread, const struct prof_walk_start *start)
{
	uint64_t hash = (start->pc ^ start->sp >> 4) * UINT64_C(0x9e3779b97f4a7c15);
	struct prof_agent_site *site = &thread->sites[(hash >> 32) % PROF_AGENT_SITES];
	uint64_t gone = atomic_load_explicit(&thread->session->ring->gone, memory_order_relaxed);

	know_stack(thread, start->sp);
	if (site->frame.pc == start->pc && site->frame.sp == start->sp &&
		(!site->frame.needs_fp || site->frame.fp == start->fp) && site->gone == gone &&
		has_same_callers(thread, site))
		return site->frame.node;
	uint32_t node = prof_walk(thread, start);
	if (node != PROF_NODE_NONE)
		remember(thread, start, site);
	return node;
}
