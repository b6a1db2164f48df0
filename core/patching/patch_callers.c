/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_callers.h"

#include <stdlib.h>

void prof_patch_callers_deinit(struct prof_patch_callers *callers)
{
	free(callers->items.items);
	prof_map_deinit(&callers->index);
	*callers = (struct prof_patch_callers){0};
}

/* Numbers of functions have 20 bits, and addresses 47. */
static uint64_t hash(uint32_t function, uint64_t caller)
{
	return caller ^ (uint64_t)function << 44;
}

struct wanted {
	const struct prof_patch_callers *callers;
	uint64_t caller;
	uint32_t function;
};

static bool is_wanted(const void *context, uint32_t index)
{
	const struct wanted *wanted = context;
	const struct prof_patch_caller *item = &wanted->callers->items.items[index];

	return item->caller == wanted->caller && item->function == wanted->function;
}

/* The item of FUNCTION and CALLER, borrowed, or NULL. */
static struct prof_patch_caller *find(
	const struct prof_patch_callers *callers, uint32_t function, uint64_t caller)
{
	const struct wanted wanted = {callers, caller, function};
	uint32_t index = prof_map_find(&callers->index, hash(function, caller), is_wanted, &wanted);

	return index == PROF_NONE ? NULL : &callers->items.items[index];
}

bool prof_patch_callers_add(
	struct prof_patch_callers *callers, uint32_t function, uint64_t caller, uint64_t calls)
{
	struct prof_patch_caller *item = find(callers, function, caller);

	if (!item) {
		item = prof_map_push(&callers->index, hash(function, caller), &callers->items);
		if (!item)
			return false;
		*item = (struct prof_patch_caller){.caller = caller, .function = function};
	}
	item->calls += calls;
	return true;
}

uint64_t prof_patch_callers_calls(
	const struct prof_patch_callers *callers, uint32_t function, uint64_t caller)
{
	const struct prof_patch_caller *item = find(callers, function, caller);

	return item ? item->calls : 0;
}
