/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/patches.h"

#include "target/dynamic.h"
#include "target/linkmap.h"
#include "target/process.h"
#include "target/slots.h"

#include <stdlib.h>
#include <string.h>

struct patch {
	uint64_t address;
	uint64_t before, wrapper; /* the old contents, and the new */
};

/* A load object, and its patches. */
struct object {
	uint64_t bias, dynamic; /* by which it is recognized */
	bool listed;            /* it still exists */
	bool filled;            /* the linker has filled its slots, so it is patched */
	PROF_ARRAY(struct patch) patches;
};

struct patches {
	pid_t process;
	uint64_t agent;
	const struct patches_hook *hooks;
	const char **names;
	size_t count; /* of both lists */
	PROF_ARRAY(struct object) objects;
};

/* Adds the names of the hooks from FIRST on.  False: out of memory. */
static bool add_names(struct patches *patches, size_t first)
{
	const char **names = realloc(patches->names, (patches->count + 1) * sizeof *names);

	if (!names)
		return false;
	patches->names = names;
	for (size_t i = first; i < patches->count; i++)
		names[i] = patches->hooks[i].name;
	return true;
}

struct prof_error *patches_create(pid_t process, uint64_t agent, const struct patches_hook *hooks,
	size_t count, struct patches **ret)
{
	struct patches *patches = calloc(1, sizeof *patches);

	if (!patches)
		return prof_error_nomem();
	patches->process = process;
	patches->agent = agent;
	patches->hooks = hooks;
	patches->count = count;
	if (!add_names(patches, 0)) {
		free(patches);
		return prof_error_nomem();
	}
	*ret = patches;
	return NULL;
}

void patches_destroy(struct patches *patches)
{
	if (!patches)
		return;
	for (size_t i = 0; i < patches->objects.count; i++)
		free(patches->objects.items[i].patches.items);
	free(patches->objects.items);
	free(patches->names);
	free(patches);
}

static bool copy_object(struct patches *patches, const struct object *object)
{
	struct object *copy = prof_array_push(&patches->objects);

	if (!copy)
		return false;
	*copy = *object;
	memset(&copy->patches, 0, sizeof copy->patches);
	if (!prof_array_reserve(&copy->patches, object->patches.count + 1))
		return false;
	for (size_t i = 0; i < object->patches.count; i++)
		copy->patches.items[i] = object->patches.items[i];
	copy->patches.count = object->patches.count;
	return true;
}

struct patches *patches_inherit(
	const struct patches *patches, pid_t process, const struct patches_hook *hooks)
{
	struct patches *copy;
	struct prof_error *error =
		patches_create(process, patches->agent, hooks, patches->count, &copy);
	bool whole = !error;

	prof_error_destroy(error);
	for (size_t i = 0; whole && i < patches->objects.count; i++)
		whole = copy_object(copy, &patches->objects.items[i]);
	if (whole)
		return copy;
	if (!error)
		patches_destroy(copy);
	return NULL;
}

static struct object *find(struct patches *patches, const struct prof_linked *linked)
{
	for (size_t i = 0; i < patches->objects.count; i++) {
		struct object *object = &patches->objects.items[i];
		if (object->bias == linked->bias && object->dynamic == linked->dynamic)
			return object;
	}
	return NULL;
}

/* Drops the objects that are no longer listed. */
static void forget_gone(struct patches *patches)
{
	size_t kept = 0;

	for (size_t i = 0; i < patches->objects.count; i++) {
		struct object *object = &patches->objects.items[i];
		if (object->listed)
			patches->objects.items[kept++] = *object;
		else
			free(object->patches.items);
	}
	patches->objects.count = kept;
}

/* The object of the agent: the last one that begins before its data. */
static const struct prof_linked *find_agent(
	const struct patches *patches, const struct prof_linkmap *map)
{
	const struct prof_linked *agent = NULL;

	for (size_t i = 0; i < map->items.count; i++) {
		const struct prof_linked *linked = &map->items.items[i];
		if (linked->bias <= patches->agent && (!agent || linked->bias > agent->bias))
			agent = linked;
	}
	return agent;
}

/* SLOT is one for HOOK. */
static struct prof_error *patch_slot(struct patches *patches, struct object *object,
	const struct prof_slot *slot, const struct patches_hook *hook)
{
	if (!hook->real || !hook->wrapper || (slot->value != hook->real && !slot->unbound))
		return NULL;
	if (!prof_array_reserve(&object->patches, 1))
		return prof_error_nomem();
	struct prof_error *error = prof_process_write(
		patches->process, slot->address, &hook->wrapper, sizeof hook->wrapper);
	if (!error)
		object->patches.items[object->patches.count++] =
			(struct patch){slot->address, slot->value, hook->wrapper};
	return error;
}

/* Has SLOT of LINKED nothing yet, or a small address as it is in the file? */
static bool is_empty(const struct prof_slot *slot, const struct prof_linked *linked)
{
	return slot->value < linked->bias && slot->value <= UINT32_MAX;
}

/* Patches the slots of OBJECT, which is LINKED, for the hooks from FIRST on. */
static struct prof_error *patch_object(struct patches *patches, struct object *object,
	const struct prof_target *target, const struct prof_linked *linked, size_t first)
{
	struct prof_slots slots = {0};
	struct prof_error *error = prof_slots_find(
		&slots, target, linked, patches->names + first, patches->count - first);

	bool filled = true;
	for (size_t i = 0; i < slots.items.count && !error; i++) {
		const struct prof_slot *slot = &slots.items.items[i];
		filled &= !is_empty(slot, linked);
		error = patch_slot(patches, object, slot, &patches->hooks[first + slot->name]);
	}
	object->filled |= filled;
	prof_slots_deinit(&slots);
	return error;
}

/* Patches the objects in MAP that were not filled before. */
static struct prof_error *patch_filled(
	struct patches *patches, const struct prof_target *target, const struct prof_linkmap *map)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < map->items.count && !error; i++) {
		struct object *object = find(patches, &map->items.items[i]);
		if (object && !object->filled)
			error = patch_object(patches, object, target, &map->items.items[i], 0);
	}
	return error;
}

/* Patches the new objects in MAP. */
static struct prof_error *patch_new(
	struct patches *patches, const struct prof_target *target, const struct prof_linkmap *map)
{
	const struct prof_linked *agent = find_agent(patches, map);
	struct prof_error *error = NULL;

	for (size_t i = 0; i < map->items.count && !error; i++) {
		const struct prof_linked *linked = &map->items.items[i];
		if (linked == agent || linked->bias == map->linker || find(patches, linked))
			continue;
		struct object *object = prof_array_push(&patches->objects);
		if (!object)
			return prof_error_nomem();
		*object = (struct object){
			.bias = linked->bias, .dynamic = linked->dynamic, .listed = true};
		error = patch_object(patches, object, target, linked, 0);
	}
	return error;
}

void patches_settle(struct patches *patches)
{
	for (size_t i = 0; i < patches->objects.count; i++)
		patches->objects.items[i].filled = true;
}

struct prof_error *patches_update(struct patches *patches)
{
	struct prof_process process;
	struct prof_linkmap map = {0};

	prof_process_init(&process, patches->process);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error = prof_linkmap_of_process(&map, &target, patches->process);
	if (error)
		return error;
	for (size_t i = 0; i < patches->objects.count; i++)
		patches->objects.items[i].listed = false;
	for (size_t i = 0; i < map.items.count; i++) {
		struct object *object = find(patches, &map.items.items[i]);
		if (object)
			object->listed = true;
	}
	forget_gone(patches);
	error = patch_filled(patches, &target, &map);
	if (!error)
		error = patch_new(patches, &target, &map);
	prof_linkmap_deinit(&map);
	return error;
}

/* Has the linker still to fill slots of an object? */
static bool has_empty(const struct patches *patches)
{
	for (size_t i = 0; i < patches->objects.count; i++) {
		if (!patches->objects.items[i].filled)
			return true;
	}
	return false;
}

/*
 * By this function glibc (2.31 and later) calls those that initialize objects and those that end
 * them, with no exception to be caught.
 */
uint64_t patches_awaited(const struct patches *patches)
{
	return has_empty(patches)
		? prof_dynamic_find_in(patches->process, "_dl_catch_exception").address
		: 0;
}

/* Patches the objects that are known for the hooks from FIRST on. */
static struct prof_error *patch_known(struct patches *patches, size_t first)
{
	struct prof_process process;
	struct prof_linkmap map = {0};

	prof_process_init(&process, patches->process);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error = prof_linkmap_of_process(&map, &target, patches->process);
	for (size_t i = 0; !error && i < map.items.count; i++) {
		const struct prof_linked *linked = &map.items.items[i];
		struct object *object = find(patches, linked);
		if (object)
			error = patch_object(patches, object, &target, linked, first);
	}
	prof_linkmap_deinit(&map);
	return error;
}

struct prof_error *patches_extend(struct patches *patches, size_t count)
{
	size_t first = patches->count;

	patches->count = count;
	if (add_names(patches, first))
		return patch_known(patches, first);
	patches->count = first;
	return prof_error_nomem();
}

struct prof_error *patches_repeat(struct patches *patches)
{
	return patch_known(patches, 0);
}

static void unpatch(
	const struct patches *patches, const struct prof_target *target, const struct patch *patch)
{
	uint64_t value;

	if (target->read_memory(target->context, patch->address, &value, sizeof value) <
			sizeof value ||
		value != patch->wrapper)
		return;
	prof_error_destroy(prof_process_write(
		patches->process, patch->address, &patch->before, sizeof patch->before));
}

void patches_remove(struct patches *patches)
{
	struct prof_process process;

	prof_process_init(&process, patches->process);
	const struct prof_target target = prof_process_target(&process);
	for (size_t i = 0; i < patches->objects.count; i++) {
		const struct object *object = &patches->objects.items[i];
		for (size_t j = 0; j < object->patches.count; j++)
			unpatch(patches, &target, &object->patches.items[j]);
	}
}

size_t patches_of(const struct patches *patches, size_t hook)
{
	uint64_t wrapper = patches->hooks[hook].wrapper;
	size_t count = 0;

	for (size_t i = 0; i < patches->objects.count; i++) {
		const struct object *object = &patches->objects.items[i];
		for (size_t j = 0; j < object->patches.count; j++)
			count += object->patches.items[j].wrapper == wrapper;
	}
	return count;
}

size_t patches_count(const struct patches *patches, size_t *objects)
{
	size_t count = 0;

	*objects = 0;
	for (size_t i = 0; i < patches->objects.count; i++) {
		count += patches->objects.items[i].patches.count;
		*objects += patches->objects.items[i].patches.count > 0;
	}
	return count;
}
