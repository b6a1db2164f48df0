/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/redirections.h"

#include "target/dynamic.h"
#include "target/linkmap.h"
#include "target/process.h"
#include "target/slots.h"

#include <stdlib.h>
#include <string.h>

struct redirection {
	uint64_t address;
	uint64_t before, wrapper; /* the old contents, and the new */
};

/* A load object, and its redirections. */
struct object {
	uint64_t bias, dynamic; /* by which it is recognized */
	bool listed;            /* it still exists */
	bool filled;            /* the linker has filled its slots, so they are redirected */
	PROF_ARRAY(struct redirection) redirections;
};

struct redirections {
	pid_t process;
	uint64_t agent;
	const struct redirections_hook *hooks;
	const char **names;
	size_t count; /* of both lists */
	PROF_ARRAY(struct object) objects;
};

/* Adds the names of the hooks from FIRST on.  False: out of memory. */
static bool add_names(struct redirections *redirections, size_t first)
{
	const char **names =
		realloc(redirections->names, (redirections->count + 1) * sizeof *names);

	if (!names)
		return false;
	redirections->names = names;
	for (size_t i = first; i < redirections->count; i++)
		names[i] = redirections->hooks[i].name;
	return true;
}

struct prof_error *redirections_create(pid_t process, uint64_t agent,
	const struct redirections_hook *hooks, size_t count, struct redirections **ret)
{
	struct redirections *redirections = calloc(1, sizeof *redirections);

	if (!redirections)
		return prof_error_nomem();
	redirections->process = process;
	redirections->agent = agent;
	redirections->hooks = hooks;
	redirections->count = count;
	if (!add_names(redirections, 0)) {
		free(redirections);
		return prof_error_nomem();
	}
	*ret = redirections;
	return NULL;
}

void redirections_destroy(struct redirections *redirections)
{
	if (!redirections)
		return;
	for (size_t i = 0; i < redirections->objects.count; i++)
		free(redirections->objects.items[i].redirections.items);
	free(redirections->objects.items);
	free(redirections->names);
	free(redirections);
}

static bool copy_object(struct redirections *redirections, const struct object *object)
{
	struct object *copy = prof_array_push(&redirections->objects);

	if (!copy)
		return false;
	*copy = *object;
	memset(&copy->redirections, 0, sizeof copy->redirections);
	if (!prof_array_reserve(&copy->redirections, object->redirections.count + 1))
		return false;
	for (size_t i = 0; i < object->redirections.count; i++)
		copy->redirections.items[i] = object->redirections.items[i];
	copy->redirections.count = object->redirections.count;
	return true;
}

struct redirections *redirections_inherit(const struct redirections *redirections, pid_t process,
	const struct redirections_hook *hooks)
{
	struct redirections *copy;
	struct prof_error *error = redirections_create(
		process, redirections->agent, hooks, redirections->count, &copy);
	bool whole = !error;

	prof_error_destroy(error);
	for (size_t i = 0; whole && i < redirections->objects.count; i++)
		whole = copy_object(copy, &redirections->objects.items[i]);
	if (whole)
		return copy;
	if (!error)
		redirections_destroy(copy);
	return NULL;
}

static struct object *find(struct redirections *redirections, const struct prof_linked *linked)
{
	for (size_t i = 0; i < redirections->objects.count; i++) {
		struct object *object = &redirections->objects.items[i];
		if (object->bias == linked->bias && object->dynamic == linked->dynamic)
			return object;
	}
	return NULL;
}

/* Drops the objects that are no longer listed. */
static void forget_gone(struct redirections *redirections)
{
	size_t kept = 0;

	for (size_t i = 0; i < redirections->objects.count; i++) {
		struct object *object = &redirections->objects.items[i];
		if (object->listed)
			redirections->objects.items[kept++] = *object;
		else
			free(object->redirections.items);
	}
	redirections->objects.count = kept;
}

/* The object of the agent: the last one that begins before its data. */
static const struct prof_linked *find_agent(
	const struct redirections *redirections, const struct prof_linkmap *map)
{
	const struct prof_linked *agent = NULL;

	for (size_t i = 0; i < map->items.count; i++) {
		const struct prof_linked *linked = &map->items.items[i];
		if (linked->bias <= redirections->agent && (!agent || linked->bias > agent->bias))
			agent = linked;
	}
	return agent;
}

/* SLOT is one for HOOK. */
static struct prof_error *redirect_slot(struct redirections *redirections, struct object *object,
	const struct prof_slot *slot, const struct redirections_hook *hook)
{
	if (!hook->real || !hook->wrapper || (slot->value != hook->real && !slot->unbound))
		return NULL;
	if (!prof_array_reserve(&object->redirections, 1))
		return prof_error_nomem();
	struct prof_error *error = prof_process_write(
		redirections->process, slot->address, &hook->wrapper, sizeof hook->wrapper);
	if (!error)
		object->redirections.items[object->redirections.count++] =
			(struct redirection){slot->address, slot->value, hook->wrapper};
	return error;
}

/* Has SLOT of LINKED nothing yet, or a small address as it is in the file? */
static bool is_empty(const struct prof_slot *slot, const struct prof_linked *linked)
{
	return slot->value < linked->bias && slot->value <= UINT32_MAX;
}

/* Redirects slots of OBJECT, which is LINKED, for the hooks from FIRST on. */
static struct prof_error *redirect_object(struct redirections *redirections, struct object *object,
	const struct prof_target *target, const struct prof_linked *linked, size_t first)
{
	struct prof_slots slots = {0};
	struct prof_error *error = prof_slots_find(
		&slots, target, linked, redirections->names + first, redirections->count - first);

	bool filled = true;
	for (size_t i = 0; i < slots.items.count && !error; i++) {
		const struct prof_slot *slot = &slots.items.items[i];
		filled &= !is_empty(slot, linked);
		error = redirect_slot(
			redirections, object, slot, &redirections->hooks[first + slot->name]);
	}
	object->filled |= filled;
	prof_slots_deinit(&slots);
	return error;
}

/* Redirects slots of the objects in MAP that were not filled before. */
static struct prof_error *redirect_filled(struct redirections *redirections,
	const struct prof_target *target, const struct prof_linkmap *map)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < map->items.count && !error; i++) {
		struct object *object = find(redirections, &map->items.items[i]);
		if (object && !object->filled)
			error = redirect_object(
				redirections, object, target, &map->items.items[i], 0);
	}
	return error;
}

/* Redirects slots of the new objects in MAP. */
static struct prof_error *redirect_new(struct redirections *redirections,
	const struct prof_target *target, const struct prof_linkmap *map)
{
	const struct prof_linked *agent = find_agent(redirections, map);
	struct prof_error *error = NULL;

	for (size_t i = 0; i < map->items.count && !error; i++) {
		const struct prof_linked *linked = &map->items.items[i];
		if (linked == agent || linked->bias == map->linker || find(redirections, linked))
			continue;
		struct object *object = prof_array_push(&redirections->objects);
		if (!object)
			return prof_error_nomem();
		*object = (struct object){
			.bias = linked->bias, .dynamic = linked->dynamic, .listed = true};
		error = redirect_object(redirections, object, target, linked, 0);
	}
	return error;
}

void redirections_settle(struct redirections *redirections)
{
	for (size_t i = 0; i < redirections->objects.count; i++)
		redirections->objects.items[i].filled = true;
}

struct prof_error *redirections_update(struct redirections *redirections)
{
	struct prof_process process;
	struct prof_linkmap map = {0};

	prof_process_init(&process, redirections->process);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error = prof_linkmap_of_process(&map, &target, redirections->process);
	if (error)
		return error;
	for (size_t i = 0; i < redirections->objects.count; i++)
		redirections->objects.items[i].listed = false;
	for (size_t i = 0; i < map.items.count; i++) {
		struct object *object = find(redirections, &map.items.items[i]);
		if (object)
			object->listed = true;
	}
	forget_gone(redirections);
	error = redirect_filled(redirections, &target, &map);
	if (!error)
		error = redirect_new(redirections, &target, &map);
	prof_linkmap_deinit(&map);
	return error;
}

/* Has the linker still to fill slots of an object? */
static bool has_empty(const struct redirections *redirections)
{
	for (size_t i = 0; i < redirections->objects.count; i++) {
		if (!redirections->objects.items[i].filled)
			return true;
	}
	return false;
}

/*
 * By this function glibc (2.31 and later) calls those that initialize objects and those that end
 * them, with no exception to be caught.
 */
uint64_t redirections_awaited(const struct redirections *redirections)
{
	return has_empty(redirections)
		? prof_dynamic_find_in(redirections->process, "_dl_catch_exception").address
		: 0;
}

/* Redirects slots of the known objects for the hooks from FIRST on. */
static struct prof_error *redirect_known(struct redirections *redirections, size_t first)
{
	struct prof_process process;
	struct prof_linkmap map = {0};

	prof_process_init(&process, redirections->process);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error = prof_linkmap_of_process(&map, &target, redirections->process);
	for (size_t i = 0; !error && i < map.items.count; i++) {
		const struct prof_linked *linked = &map.items.items[i];
		struct object *object = find(redirections, linked);
		if (object)
			error = redirect_object(redirections, object, &target, linked, first);
	}
	prof_linkmap_deinit(&map);
	return error;
}

struct prof_error *redirections_extend(struct redirections *redirections, size_t count)
{
	size_t first = redirections->count;

	redirections->count = count;
	if (add_names(redirections, first))
		return redirect_known(redirections, first);
	redirections->count = first;
	return prof_error_nomem();
}

struct prof_error *redirections_repeat(struct redirections *redirections)
{
	return redirect_known(redirections, 0);
}

/* Writes back what was in the slot, unless the program has written to it. */
static void undo(const struct redirections *redirections, const struct prof_target *target,
	const struct redirection *redirection)
{
	uint64_t value;

	if (target->read_memory(target->context, redirection->address, &value, sizeof value) <
			sizeof value ||
		value != redirection->wrapper)
		return;
	prof_error_destroy(prof_process_write(redirections->process, redirection->address,
		&redirection->before, sizeof redirection->before));
}

void redirections_remove(struct redirections *redirections)
{
	struct prof_process process;

	prof_process_init(&process, redirections->process);
	const struct prof_target target = prof_process_target(&process);
	for (size_t i = 0; i < redirections->objects.count; i++) {
		const struct object *object = &redirections->objects.items[i];
		for (size_t j = 0; j < object->redirections.count; j++)
			undo(redirections, &target, &object->redirections.items[j]);
	}
}

size_t redirections_of(const struct redirections *redirections, size_t hook)
{
	uint64_t wrapper = redirections->hooks[hook].wrapper;
	size_t count = 0;

	for (size_t i = 0; i < redirections->objects.count; i++) {
		const struct object *object = &redirections->objects.items[i];
		for (size_t j = 0; j < object->redirections.count; j++)
			count += object->redirections.items[j].wrapper == wrapper;
	}
	return count;
}

size_t redirections_count(const struct redirections *redirections, size_t *objects)
{
	size_t count = 0;

	*objects = 0;
	for (size_t i = 0; i < redirections->objects.count; i++) {
		count += redirections->objects.items[i].redirections.count;
		*objects += redirections->objects.items[i].redirections.count > 0;
	}
	return count;
}
