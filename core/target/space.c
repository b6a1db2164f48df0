/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/space.h"

#include "target/elf.h"

#include <stdlib.h>
#include <string.h>

void prof_space_init(struct prof_space *space, pid_t pid, const struct prof_target *target,
	const struct prof_arch *arch)
{
	*space = (struct prof_space){.pid = pid, .target = target, .arch = arch};
}

static void close_objects(struct prof_space_object *objects, size_t count)
{
	for (size_t i = 0; i < count; i++)
		prof_elf_close(objects[i].module);
	free(objects);
}

void prof_space_deinit(struct prof_space *space)
{
	close_objects(space->objects, space->maps.mappings.count);
	prof_maps_deinit(&space->maps);
}

/* Do both map the same file, with each of its bytes at the same address? */
static bool is_same_object(const struct prof_mapping *a, const struct prof_mapping *b)
{
	return a->low - a->offset == b->low - b->offset && a->inode == b->inode &&
		a->device == b->device && !strcmp(a->path, b->path);
}

static bool is_same_mapping(const struct prof_mapping *a, const struct prof_mapping *b)
{
	return a->low == b->low && a->high == b->high && is_same_object(a, b);
}

static bool is_unchanged(const struct prof_space *space, const struct prof_maps *now)
{
	const struct prof_maps *then = &space->maps;

	if (now->mappings.count != then->mappings.count)
		return false;
	for (size_t i = 0; i < now->mappings.count; i++) {
		const struct prof_mapping *mapping = &now->mappings.items[i];
		const struct prof_elf *module = space->objects[i].module;
		if (!is_same_mapping(mapping, &then->mappings.items[i]) ||
			(module && !prof_elf_is_current(module, space->pid, mapping)))
			return false;
	}
	return true;
}

/* Moves the file that SPACE has opened for MAPPING to TO, if there is one and it is unchanged. */
static void take_object(
	struct prof_space *space, const struct prof_mapping *mapping, struct prof_space_object *to)
{
	const struct prof_mapping *old = prof_maps_find(&space->maps, mapping->low);

	if (!old || !is_same_mapping(old, mapping))
		return;
	struct prof_space_object *from = &space->objects[old - space->maps.mappings.items];
	if (!from->module || !prof_elf_is_current(from->module, space->pid, mapping))
		return;
	*to = *from;
	from->module = NULL;
}

bool prof_space_replace(struct prof_space *space, struct prof_maps *maps, struct prof_maps *old)
{
	struct prof_space_object *objects = calloc(maps->mappings.count + 1, sizeof *objects);

	if (!objects)
		return false;
	for (size_t i = 0; i < maps->mappings.count; i++)
		take_object(space, &maps->mappings.items[i], &objects[i]);
	close_objects(space->objects, space->maps.mappings.count);
	*old = space->maps;
	space->maps = *maps;
	*maps = (struct prof_maps){0};
	space->objects = objects;
	space->generation++;
	return true;
}

bool prof_space_read(struct prof_space *space, struct prof_maps *old)
{
	if (!space->pid)
		return false;
	struct prof_maps maps = {0};
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, space->pid);

	/* A process that has ended maps nothing: its last mappings are kept. */
	bool changed = !error && maps.mappings.count && !is_unchanged(space, &maps) &&
		prof_space_replace(space, &maps, old);
	prof_maps_deinit(&maps);
	return changed;
}

struct prof_elf *prof_space_module(struct prof_space *space, const struct prof_mapping *mapping)
{
	struct prof_space_object *object = &space->objects[mapping - space->maps.mappings.items];

	if (object->tried || !*mapping->path)
		return object->module;
	object->tried = true;
	prof_error_destroy(
		prof_elf_open(space->pid, space->target, space->arch, mapping, &object->module));
	return object->module;
}

bool prof_space_kept(const struct prof_space *space, const struct prof_maps *old, uint64_t address)
{
	const struct prof_mapping *before = prof_maps_find(old, address);
	const struct prof_mapping *now = prof_maps_find(&space->maps, address);

	if (!before || !now || !is_same_object(before, now))
		return false;
	return !*now->path || space->objects[now - space->maps.mappings.items].module;
}
