/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The heap: the agent records an allocation after it was made, and a release before. */
#include "agent/hooks.h"

/* Records that MADE, a block of SIZE bytes, was allocated; NULL: nothing was. */
__attribute__((noinline)) static void record_made(struct prof_agent_thread *thread,
	enum prof_hook_number what, const void *frame, const void *made, size_t size)
{
	if (!made)
		return;
	prof_agent_record_begin(thread);
	struct prof_system_stamp now = prof_agent_stamp(thread->session);
	struct prof_agent_record record = {.kind = PROF_RING_ALLOC,
		.what = what,
		.cpu = now.cpu,
		.count = 3,
		.values = {now.time, (uintptr_t)made, size}};
	prof_agent_record_write(thread, &record, 1, frame);
	prof_agent_record_end(thread);
}

/*
 * The common part of all wrappers of functions that allocate: CALL returns the block, of SIZE
 * bytes.
 */
#define TAKE(name, size, call)                                                        \
	void *frame = __builtin_frame_address(0);                                     \
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_HEAP, frame); \
	void *made = (call);                                                          \
	if (thread) {                                                                 \
		record_made(thread, PROF_HOOK_##name, frame, made, (size));           \
		prof_agent_leave(thread);                                             \
	}                                                                             \
	return made

void *prof_agent_malloc(size_t size)
{
	TAKE(malloc, size, PROF_REAL(malloc)(size));
}

void *prof_agent_calloc(size_t count, size_t size)
{
	TAKE(calloc, count * size, PROF_REAL(calloc)(count, size));
}

void *prof_agent_valloc(size_t size)
{
	TAKE(valloc, size, PROF_REAL(valloc)(size));
}

void *prof_agent_pvalloc(size_t size)
{
	TAKE(pvalloc, size, PROF_REAL(pvalloc)(size));
}

void *prof_agent_memalign(size_t alignment, size_t size)
{
	TAKE(memalign, size, PROF_REAL(memalign)(alignment, size));
}

void *prof_agent_aligned_alloc(size_t alignment, size_t size)
{
	TAKE(aligned_alloc, size, PROF_REAL(aligned_alloc)(alignment, size));
}

int prof_agent_posix_memalign(void **ret, size_t alignment, size_t size)
{
	void *frame = __builtin_frame_address(0);
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_HEAP, frame);
	int error = PROF_REAL(posix_memalign)(ret, alignment, size);

	if (thread) {
		record_made(thread, PROF_HOOK_posix_memalign, frame, error ? NULL : *ret, size);
		prof_agent_leave(thread);
	}
	return error;
}

void prof_agent_free(void *block)
{
	void *frame = __builtin_frame_address(0);
	struct prof_agent_thread *thread = block ? prof_agent_enter(PROF_FAMILY_HEAP, frame) : NULL;

	if (!thread) {
		PROF_REAL(free)(block);
		return;
	}
	prof_agent_record_begin(thread);
	struct prof_system_stamp now = prof_agent_stamp(thread->session);
	struct prof_agent_record record = {.kind = PROF_RING_FREE,
		.what = PROF_HOOK_free,
		.cpu = now.cpu,
		.count = 2,
		.values = {now.time, (uintptr_t)block}};
	prof_agent_record_write(thread, &record, 1, NULL);
	prof_agent_record_end(thread);
	PROF_REAL(free)(block);
	prof_agent_leave(thread);
}

/*
 * The block BEFORE, which existed until the time GONE, is now MADE.  Both records are written at
 * once: a reader that saw only one of them would take the block for freed, or count it twice.
 */
static void record_changed(struct prof_agent_thread *thread, enum prof_hook_number what,
	const void *frame, uint64_t gone, uintptr_t before, const void *made, size_t size)
{
	struct prof_system_stamp now = prof_agent_stamp(thread->session);
	struct prof_agent_record records[2] = {{.kind = PROF_RING_FREE,
						       .what = what,
						       .cpu = now.cpu,
						       .count = 2,
						       .values = {gone, before}},
		{.kind = PROF_RING_ALLOC,
			.what = what,
			.cpu = now.cpu,
			.count = 3,
			.values = {now.time, (uintptr_t)made, size}}};
	unsigned first = before ? 0 : 1, last = made ? 2 : 1;

	if (first < last)
		prof_agent_record_write(thread, &records[first], last - first, made ? frame : NULL);
}

/* A block that is resized to 0 is freed; in any other case NULL is a failure. */
#define CHANGE(name, size, call)                                                              \
	void *frame = __builtin_frame_address(0);                                             \
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_HEAP, frame);         \
	uintptr_t before = (uintptr_t)block;                                                  \
	uint64_t gone = 0;                                                                    \
	if (thread) {                                                                         \
		prof_agent_record_begin(thread);                                              \
		gone = prof_system_time(thread->session->counter);                            \
		prof_agent_record_since(thread, gone);                                        \
	}                                                                                     \
	void *made = (call);                                                                  \
	if (thread) {                                                                         \
		if (made || !(size))                                                          \
			record_changed(                                                       \
				thread, PROF_HOOK_##name, frame, gone, before, made, (size)); \
		prof_agent_record_end(thread);                                                \
		prof_agent_leave(thread);                                                     \
	}                                                                                     \
	return made

void *prof_agent_realloc(void *block, size_t size)
{
	CHANGE(realloc, size, PROF_REAL(realloc)(block, size));
}

void *prof_agent_reallocarray(void *block, size_t count, size_t size)
{
	size_t whole;
	bool excess = __builtin_mul_overflow(count, size, &whole);

	if (excess)
		whole = SIZE_MAX;
	CHANGE(reallocarray, whole, PROF_REAL(reallocarray)(block, count, size));
}
