/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_calls.h"

#include <stdlib.h>

void prof_patch_calls_deinit(struct prof_patch_calls *calls)
{
	for (size_t i = 0; i < calls->threads.count; i++)
		free(calls->threads.items[i].open.items);
	free(calls->threads.items);
	prof_map_deinit(&calls->index);
	*calls = (struct prof_patch_calls){0};
}

/* NULL: no memory. */
static struct prof_patch_calls_thread *find_thread(struct prof_patch_calls *calls, uint32_t number)
{
	uint32_t known = prof_map_get(&calls->index, number);

	if (known != PROF_NONE)
		return &calls->threads.items[known];
	if (!prof_array_reserve(&calls->threads, 1) ||
		!prof_map_add(&calls->index, number, (uint32_t)calls->threads.count))
		return NULL;
	struct prof_patch_calls_thread *thread = &calls->threads.items[calls->threads.count++];
	*thread = (struct prof_patch_calls_thread){.thread = number};
	return thread;
}

static bool report(const struct prof_patch_calls *calls,
	const struct prof_patch_calls_thread *thread, uint32_t function,
	enum prof_patch_event_kind kind)
{
	const struct prof_patch_event event = {
		.time = thread->time, .thread = thread->thread, .function = function, .kind = kind};

	return calls->take(calls->context, &event);
}

/* The innermost call of THREAD is over. */
static bool close_call(const struct prof_patch_calls *calls, struct prof_patch_calls_thread *thread,
	enum prof_patch_event_kind kind)
{
	uint32_t function = thread->open.items[--thread->open.count].function;

	return report(calls, thread, function, kind);
}

static bool open_call(const struct prof_patch_calls *calls, struct prof_patch_calls_thread *thread,
	const struct prof_patch_record *record)
{
	struct prof_patch_open *open = prof_array_push(&thread->open);

	if (!open)
		return false;
	*open = (struct prof_patch_open){record->slot, record->function};
	return report(calls, thread, record->function, PROF_PATCH_CALL);
}

/* Has THREAD left OPEN if it calls with the return address in SLOT?  Not if that is on another
 * stack, which is far away. */
static bool is_left(const struct prof_patch_open *open, uint64_t slot)
{
	return open->slot <= slot && slot - open->slot < PROF_STUB_GRANULE;
}

/* Closes what THREAD has left when it calls with the return address in SLOT. */
static bool leave(
	const struct prof_patch_calls *calls, struct prof_patch_calls_thread *thread, uint64_t slot)
{
	bool good = true;

	while (good && thread->open.count &&
		is_left(&thread->open.items[thread->open.count - 1], slot))
		good = close_call(calls, thread, PROF_PATCH_LEAVE);
	return good;
}

/* How many calls of THREAD are open when the innermost one with SLOT has ended; SIZE_MAX: there is
 * none. */
static size_t find_open(const struct prof_patch_calls_thread *thread, uint64_t slot)
{
	for (size_t i = thread->open.count; i-- > 0;) {
		if (thread->open.items[i].slot == slot)
			return i;
	}
	return SIZE_MAX;
}

/* Ends the innermost call of THREAD with SLOT.  *FOUND: there is one. */
static bool end(const struct prof_patch_calls *calls, struct prof_patch_calls_thread *thread,
	uint64_t slot, bool *found)
{
	size_t left = find_open(thread, slot);
	bool good = true;

	*found = left != SIZE_MAX;
	while (good && *found && thread->open.count > left + 1)
		good = close_call(calls, thread, PROF_PATCH_LEAVE);
	return !*found || (good && close_call(calls, thread, PROF_PATCH_END));
}

bool prof_patch_calls_add(struct prof_patch_calls *calls, const struct prof_patch_record *record)
{
	struct prof_patch_calls_thread *thread = find_thread(calls, record->thread);
	bool found, good = true;

	if (!thread)
		return false;
	if (record->time > thread->time)
		thread->time = record->time;
	if (!record->function) {
		good = end(calls, thread, record->slot, &found);
		calls->returns += !found;
		return good;
	}
	good = record->mark == PROF_STUB_TAIL ? end(calls, thread, record->slot, &found)
					      : leave(calls, thread, record->slot);
	if (!good || !open_call(calls, thread, record))
		return false;
	return record->mark != PROF_STUB_ENTERED || close_call(calls, thread, PROF_PATCH_END);
}

bool prof_patch_calls_close(
	const struct prof_patch_calls *calls, struct prof_patch_calls_thread *thread)
{
	bool good = true;

	while (good && thread->open.count)
		good = close_call(calls, thread, PROF_PATCH_OPEN);
	return good;
}

bool prof_patch_calls_finish(struct prof_patch_calls *calls, uint64_t time)
{
	bool good = true;

	for (size_t i = 0; good && i < calls->threads.count; i++) {
		struct prof_patch_calls_thread *thread = &calls->threads.items[i];
		if (thread->open.count && time > thread->time)
			thread->time = time;
		good = prof_patch_calls_close(calls, thread);
	}
	return good;
}
