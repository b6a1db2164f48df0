/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patched.h"

#include "patching/interrupted.h"
#include "patching/patch_counts.h"
#include "patching/patch_returns.h"
#include "patching/patches_private.h"
#include "patching/shadow_stack.h"
#include "patching/thread_word.h"
#include "target/arch.h"
#include "target/process.h"

#include <assert.h>
#include <stdlib.h>

struct thread {
	pid_t thread;
	bool goes_on, stepped;
	uint64_t from; /* where it was resumed */
};

struct prof_patched {
	pid_t process;
	struct prof_stub_settings settings;
	struct prof_patches *patches;
	PROF_ARRAY(struct thread) threads;
	struct prof_patch_threads moved;
	PROF_ARRAY(uint64_t) stepped;      /* calls by single steps, by number - 1, */
	struct prof_patch_callers callers; /* and those whose callers are known */
	bool in;
};

struct prof_error *prof_patched_create(
	pid_t process, const struct prof_stub_settings *settings, struct prof_patched **ret)
{
	struct prof_patched *patched = calloc(1, sizeof *patched);

	assert(settings->thread == PROF_THREAD_WORD);
	if (!patched)
		return prof_error_nomem();
	struct prof_error *error = prof_patches_create(process, settings, &patched->patches);
	if (error) {
		free(patched);
		return error;
	}
	patched->process = process;
	patched->settings = *settings;
	*ret = patched;
	return NULL;
}

void prof_patched_destroy(struct prof_patched *patched)
{
	if (!patched)
		return;
	prof_patches_destroy(patched->patches);
	prof_patch_threads_deinit(&patched->moved);
	free(patched->threads.items);
	free(patched->stepped.items);
	prof_patch_callers_deinit(&patched->callers);
	free(patched);
}

struct prof_patches *prof_patched_patches(const struct prof_patched *patched)
{
	return patched->patches;
}

static struct thread *find(const struct prof_patched *patched, pid_t thread)
{
	for (size_t i = 0; i < patched->threads.count; i++) {
		if (patched->threads.items[i].thread == thread)
			return &patched->threads.items[i];
	}
	return NULL;
}

static bool all_stand_still(const struct prof_patched *patched)
{
	for (size_t i = 0; i < patched->threads.count; i++) {
		if (patched->threads.items[i].goes_on)
			return false;
	}
	return true;
}

/* Adds THREAD, which stands still.  NULL: no memory. */
static struct thread *add(struct prof_patched *patched, pid_t thread)
{
	struct thread *added = prof_array_push(&patched->threads);

	if (added)
		*added = (struct thread){.thread = thread};
	return added;
}

const char *prof_patched_admit(struct prof_patched *patched, pid_t thread)
{
	const char *why = prof_thread_word_check(patched->process, thread);

	if (!why && prof_shadow_stack_is_on(patched->process, thread))
		why = "the program has a shadow stack";
	if (!why && !find(patched, thread) && !add(patched, thread))
		why = "memory is short";
	return why;
}

/* Makes room for the calls by single steps of all functions.  False: no memory. */
static bool make_room(struct prof_patched *patched)
{
	size_t count = prof_patches_count(patched->patches);

	if (patched->stepped.count < count &&
		!prof_array_reserve(&patched->stepped, count - patched->stepped.count))
		return false;
	while (patched->stepped.count < count)
		patched->stepped.items[patched->stepped.count++] = 0;
	return true;
}

/* Finds where handlers of all threads will return to. */
static struct prof_error *find_interrupted(
	const struct prof_patched *patched, struct prof_interrupted *ret)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied mapped = {0};
	struct prof_process process;
	struct prof_registers registers;
	struct prof_error *error = prof_occupied_read(&mapped, patched->process);

	prof_process_init(&process, patched->process);
	const struct prof_target target = prof_process_target(&process);
	for (size_t i = 0; !error && i < patched->threads.count; i++) {
		AUTO_ERROR struct prof_error *killed =
			prof_process_registers(patched->threads.items[i].thread, &registers);
		if (!killed)
			error = prof_interrupted_find(
				ret, &target, &mapped, registers.value[prof_arch_native()->sp]);
	}
	return error;
}

static struct prof_error *put_in(struct prof_patched *patched)
{
	if (patched->in || !all_stand_still(patched))
		return NULL;
	if (!make_room(patched))
		return prof_error_nomem();
	PROF_AUTO(prof_interrupted_deinit) struct prof_interrupted interrupted = {0};
	struct prof_error *error = prof_patches_are_new(patched->patches)
		? find_interrupted(patched, &interrupted)
		: NULL;
	if (!error)
		error = prof_patches_put_in(
			patched->patches, interrupted.items.items, interrupted.items.count);
	patched->in = !error;
	return error;
}

/* Counts the call that a thread makes by a single step. */
static void count_step(struct prof_patched *patched, const struct prof_patch_start *start)
{
	/* Without memory its caller is unknown. */
	if (!start->caller ||
		!prof_patch_callers_add(&patched->callers, start->number, start->caller, 1))
		patched->stepped.items[start->number - 1]++;
}

struct prof_error *prof_patched_resume(struct prof_patched *patched, pid_t thread, bool stepped)
{
	struct thread *found = find(patched, thread);
	struct prof_patch_start start = {0};

	if (!found)
		return NULL;
	struct prof_error *error = put_in(patched);
	if (patched->in &&
		prof_patch_threads_return(
			&patched->moved, patched->patches, thread, stepped, &start) &&
		start.number)
		count_step(patched, &start);
	found->from = start.from;
	/* It may come to where it stands again. */
	if (!patched->in)
		prof_patch_threads_forget(&patched->moved, thread);
	found->goes_on = true;
	found->stepped = stepped;
	return error;
}

static struct prof_error *take_out(struct prof_patched *patched)
{
	if (!patched->in || !all_stand_still(patched))
		return NULL;
	struct prof_error *error = prof_patches_take_out(patched->patches);
	patched->in = error;
	return error;
}

struct prof_error *prof_patched_stop(
	struct prof_patched *patched, pid_t thread, bool trapped, bool *again)
{
	struct thread *found = find(patched, thread);

	*again = false;
	if (!found) {
		found = add(patched, thread);
		if (!found)
			return prof_error_nomem();
		prof_thread_word_clear(patched->process, thread);
	}
	bool stepped = found->goes_on && found->stepped && trapped;
	if (stepped && patched->in &&
		prof_patch_threads_are_within(patched->patches, thread, found->from)) {
		*again = true;
		return NULL;
	}
	found->goes_on = false;
	if (patched->in && !prof_patch_threads_leave(&patched->moved, patched->patches, thread))
		return prof_error_create(PROF_ERROR_STATE,
			"Thread %d cannot be moved out of the code that counts calls.",
			(int)thread);
	return take_out(patched);
}

struct prof_error *prof_patched_clear_child(const struct prof_patched *patched, pid_t child)
{
	prof_patch_returns_restore(patched->patches, child);
	return patched->in ? prof_patches_clear_child(patched->patches, child) : NULL;
}

/* Will a thread go on in an island? */
static bool is_used(const struct prof_patched *patched)
{
	PROF_AUTO(prof_interrupted_deinit) struct prof_interrupted interrupted = {0};
	AUTO_ERROR struct prof_error *error = find_interrupted(patched, &interrupted);
	struct prof_registers registers;
	bool used = error;

	for (size_t i = 0; i < interrupted.items.count; i++)
		used |= prof_patches_island(patched->patches, interrupted.items.items[i]) != NULL;
	for (size_t i = 0; i < patched->threads.count; i++) {
		AUTO_ERROR struct prof_error *killed =
			prof_process_registers(patched->threads.items[i].thread, &registers);
		used |= !killed && prof_patches_island(patched->patches, registers.pc);
	}
	return used;
}

bool prof_patched_leave(const struct prof_patched *patched, const struct prof_detour *detour)
{
	bool good = false;

	for (size_t i = 0; i < patched->threads.count; i++)
		prof_patch_returns_restore(patched->patches, patched->threads.items[i].thread);
	if (!detour || is_used(patched))
		return false;
	for (size_t i = 0; !good && i < patched->threads.count; i++)
		good = prof_patches_unmap(
			patched->patches, detour, patched->threads.items[i].thread);
	/* A thread whose word is not 0 uses what it leads to. */
	for (size_t i = 0; good && i < patched->threads.count; i++)
		prof_thread_word_clear(patched->process, patched->threads.items[i].thread);
	return good;
}

void prof_patched_mask_returns(
	const struct prof_patched *patched, uint64_t address, void *bytes, size_t length)
{
	prof_patch_returns_mask(patched->patches, address, bytes, length);
}

struct prof_error *prof_patched_forget(struct prof_patched *patched, pid_t thread)
{
	struct thread *found = find(patched, thread);

	prof_patch_threads_forget(&patched->moved, thread);
	if (found)
		*found = patched->threads.items[--patched->threads.count];
	return patched->threads.count ? take_out(patched) : NULL;
}

/* Of JUMP, which is in: copies the bytes UNDER it that are in LENGTH BYTES at ADDRESS. */
static void mask(const struct prof_stub_jump *jump, const unsigned char *under, uint64_t address,
	unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < jump->length; i++) {
		uint64_t offset = jump->address + i - address;
		if (offset < length)
			bytes[offset] = under[i];
	}
}

void prof_patched_mask(
	const struct prof_patched *patched, uint64_t address, void *bytes, size_t length)
{
	const struct prof_patches *patches = patched->patches;

	for (size_t i = 0; patched->in && i < patches->functions.count; i++) {
		const struct prof_patches_function *function = &patches->functions.items[i];
		for (size_t j = 0; function->state == PROF_PATCHES_IN && j < function->jump_count;
			j++)
			mask(&function->jumps[j], function->under[j], address, bytes, length);
	}
}

/* Do LENGTH bytes at ADDRESS and SIZE bytes at OTHER overlap? */
static bool overlap(uint64_t address, size_t length, uint64_t other, size_t size)
{
	return address < other + size && other < address + length;
}

bool prof_patched_may_write(const struct prof_patched *patched, uint64_t address, size_t length)
{
	const struct prof_patches *patches = patched->patches;

	for (size_t i = 0; patched->in && i < patches->functions.count; i++) {
		const struct prof_patches_function *function = &patches->functions.items[i];
		if (function->state != PROF_PATCHES_IN)
			continue;
		if (overlap(address, length, function->address, function->taken))
			return false;
		for (size_t j = 0; j < function->jump_count; j++) {
			const struct prof_stub_jump *jump = &function->jumps[j];
			if (overlap(address, length, jump->address, jump->length))
				return false;
		}
	}
	return true;
}

struct prof_error *prof_patched_count(
	const struct prof_patched *patched, uint64_t *counts, uint32_t count)
{
	struct prof_process process;

	prof_process_init(&process, patched->process);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error =
		prof_patch_counts_read(&target, &patched->settings, counts, count);
	for (uint32_t i = 0; !error && i < count && i < patched->stepped.count; i++)
		counts[i] += patched->stepped.items[i];
	for (size_t i = 0; !error && i < patched->callers.items.count; i++) {
		const struct prof_patch_caller *item = &patched->callers.items.items[i];
		if (item->function <= count)
			counts[item->function - 1] += item->calls;
	}
	return error;
}

struct prof_error *prof_patched_count_callers(
	const struct prof_patched *patched, struct prof_patch_callers *ret)
{
	struct prof_process process;

	prof_process_init(&process, patched->process);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error = prof_patch_counts_read_callers(
		&target, &patched->settings, prof_patches_count(patched->patches), ret);
	for (uint32_t i = 0; !error && i < patched->stepped.count; i++) {
		if (patched->stepped.items[i] &&
			!prof_patch_callers_add(ret, i + 1, 0, patched->stepped.items[i]))
			error = prof_error_nomem();
	}
	for (size_t i = 0; !error && i < patched->callers.items.count; i++) {
		const struct prof_patch_caller *item = &patched->callers.items.items[i];
		if (!prof_patch_callers_add(ret, item->function, item->caller, item->calls))
			error = prof_error_nomem();
	}
	return error;
}
