/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mappings, recorded as allocations. */
#include "agent/hooks.h"

#include <stdarg.h>

#ifndef MREMAP_DONTUNMAP /* glibc has it since 2.32 */
#define MREMAP_DONTUNMAP 4
#endif

/*
 * Records that the mapping BEFORE, of LENGTH bytes, ended after the time GONE, and that MADE, of
 * SIZE bytes, was made.  A length or size of 0 means that there was none.
 */
static void record_mappings(struct prof_agent_thread *thread, enum prof_hook_number what,
	const void *frame, uint64_t gone, const void *before, size_t length, const void *made,
	size_t size)
{
	struct prof_system_stamp now = prof_agent_stamp(thread->session);
	struct prof_agent_record records[2] = {{.kind = PROF_RING_UNMAP,
						       .what = what,
						       .cpu = now.cpu,
						       .count = 3,
						       .values = {gone, (uintptr_t)before, length}},
		{.kind = PROF_RING_MAP,
			.what = what,
			.cpu = now.cpu,
			.count = 3,
			.values = {now.time, (uintptr_t)made, size}}};
	unsigned first = length ? 0 : 1, last = size ? 2 : 1;

	if (first < last)
		prof_agent_record_write(thread, &records[first], last - first, size ? frame : NULL);
}

/* The memory that is known to be the stack may have been there. */
static void forget_stack(struct prof_agent_thread *thread, const void *address, size_t length)
{
	if ((uintptr_t)address < thread->high && thread->low < (uintptr_t)address + length)
		thread->low = thread->high = 0;
}

/* Begins a call that changes mappings; *TIME is a time before it. */
static struct prof_agent_thread *begin(void *frame, uint64_t *time)
{
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_HEAP, frame);

	if (thread) {
		prof_agent_record_begin(thread);
		*time = prof_system_time(thread->session->counter);
		prof_agent_record_since(thread, *time);
	}
	return thread;
}

static void end(struct prof_agent_thread *thread)
{
	prof_agent_record_end(thread);
	prof_agent_leave(thread);
}

#define MAP(name)                                                                           \
	void *frame = __builtin_frame_address(0);                                           \
	uint64_t time;                                                                      \
	struct prof_agent_thread *thread = begin(frame, &time);                             \
	void *made = PROF_REAL(name)(address, length, protection, flags, file, offset);     \
	if (thread) {                                                                       \
		if (made != MAP_FAILED)                                                     \
			record_mappings(                                                    \
				thread, PROF_HOOK_##name, frame, 0, NULL, 0, made, length); \
		end(thread);                                                                \
	}                                                                                   \
	return made

void *prof_agent_mmap(
	void *address, size_t length, int protection, int flags, int file, off_t offset)
{
	MAP(mmap);
}

void *prof_agent_mmap64(
	void *address, size_t length, int protection, int flags, int file, off64_t offset)
{
	MAP(mmap64);
}

int prof_agent_munmap(void *address, size_t length)
{
	void *frame = __builtin_frame_address(0);
	uint64_t time;
	struct prof_agent_thread *thread = begin(frame, &time);
	int result = PROF_REAL(munmap)(address, length);

	if (thread) {
		if (!result) {
			forget_stack(thread, address, length);
			record_mappings(
				thread, PROF_HOOK_munmap, frame, time, address, length, NULL, 0);
		}
		end(thread);
	}
	return result;
}

/* Only some FLAGS need the fifth argument, but it can always be passed on. */
void *prof_agent_mremap(void *address, size_t before, size_t length, int flags, ...)
{
	void *frame = __builtin_frame_address(0);
	va_list rest;
	uint64_t time;

	va_start(rest, flags);
	void *wanted = va_arg(rest, void *);
	va_end(rest);
	struct prof_agent_thread *thread = begin(frame, &time);
	void *made = PROF_REAL(mremap)(address, before, length, flags, wanted);
	if (thread) {
		if (made != MAP_FAILED) {
			bool stays = flags & MREMAP_DONTUNMAP;
			forget_stack(thread, address, before);
			record_mappings(thread, PROF_HOOK_mremap, frame, time, address,
				stays ? 0 : before, made, length);
		}
		end(thread);
	}
	return made;
}
