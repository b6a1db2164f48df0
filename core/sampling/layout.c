/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/layout.h"

#include "base/map.h"
#include "base/strings.h"
#include "recording/mappings.h"
#include "recording/queue.h"
#include "sampling/walker.h"
#include "target/arch.h"
#include "target/maps.h"
#include "target/unwind.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* How many layouts are kept: each keeps its files open. */
enum { MOST = 24 };

/* Addresses for files that cannot have their first addresses: no program maps so much there. */
#define ELSEWHERE UINT64_C(0x100000000000)
#define APART UINT64_C(0x100000000)

/* A file, as the recorder knows it. */
struct home {
	uint32_t path; /* string */
	uint64_t inode;
	uint64_t base; /* the address of its first byte, if the file were mapped as a whole */
};

/* A mapping, as the recorder knows it. */
struct placement {
	uint64_t low, high; /* its true addresses */
	uint64_t shift;     /* what is added to addresses in it */
	bool named;         /* the path is that of a file */
};

struct prof_layout {
	struct prof_target target;
	struct prof_unwinder *unwinder;
	PROF_ARRAY(struct placement) placements; /* one for each mapping */
	uint64_t hash;
	uint64_t used; /* when it was last used */
};

struct prof_layouts {
	const struct prof_arch *arch;
	struct prof_queue *queue;
	struct prof_strings paths;
	PROF_ARRAY(struct home) homes;
	uint64_t elsewhere; /* where the next file is put */
	struct prof_layout *items[MOST];
	size_t count;
	uint64_t now; /* counts calls */
};

struct prof_error *prof_layouts_create(
	const struct prof_arch *arch, struct prof_queue *queue, struct prof_layouts **ret)
{
	struct prof_layouts *layouts = calloc(1, sizeof *layouts);

	if (!layouts)
		return prof_error_nomem();
	layouts->arch = arch;
	layouts->queue = queue;
	layouts->elsewhere = ELSEWHERE;
	*ret = layouts;
	return NULL;
}

static void destroy(struct prof_layout *layout)
{
	prof_unwinder_destroy(layout->unwinder);
	free(layout->placements.items);
	free(layout);
}

void prof_layouts_destroy(struct prof_layouts *layouts)
{
	if (!layouts)
		return;
	while (layouts->count)
		destroy(layouts->items[--layouts->count]);
	prof_strings_deinit(&layouts->paths);
	free(layouts->homes.items);
	free(layouts);
}

/* All processes of a machine have the same [vdso], including this one. */
static size_t read_vdso(
	const struct prof_mapping *mapping, uint64_t address, void *buffer, size_t length)
{
	const char *own = (const char *)getauxval(AT_SYSINFO_EHDR);
	size_t left = mapping->high - address;

	if (!own)
		return 0;
	memcpy(buffer, own + (address - mapping->low), length < left ? length : left);
	return length < left ? length : left;
}

/* The code of LAYOUT, read from its files: the process may have ended. */
static size_t read_code(void *context, uint64_t address, void *buffer, size_t length)
{
	struct prof_layout *layout = context;
	const struct prof_mapping *mapping =
		prof_maps_find(prof_unwinder_maps(layout->unwinder), address);

	if (!mapping)
		return 0;
	if (!strcmp(mapping->path, "[vdso]"))
		return read_vdso(mapping, address, buffer, length);
	return prof_unwinder_code(layout->unwinder, address, buffer, length) ? length : 0;
}

static uint64_t hash_maps(const struct prof_maps *maps)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		const uint64_t key[] = {hash, mapping->low, mapping->high, mapping->offset,
			mapping->inode, prof_map_hash(mapping->path, strlen(mapping->path))};
		hash = prof_map_hash(key, sizeof key);
	}
	return hash;
}

static bool are_same(const struct prof_maps *one, const struct prof_maps *other)
{
	bool same = one->mappings.count == other->mappings.count;

	for (size_t i = 0; i < one->mappings.count && same; i++) {
		const struct prof_mapping *a = &one->mappings.items[i];
		const struct prof_mapping *b = &other->mappings.items[i];
		same = a->low == b->low && a->high == b->high && a->offset == b->offset &&
			a->inode == b->inode && a->device == b->device && !strcmp(a->path, b->path);
	}
	return same;
}

static bool overlap(const struct prof_mapping *mapping, uint64_t shift, uint64_t low, uint64_t high)
{
	return mapping->low + shift < high && low < mapping->high + shift;
}

/*
 * Is anything in MAPS between LOW and HIGH, except the file PATH, at its own address or at
 * LAYOUT's?
 */
static bool is_taken(const struct prof_layout *layout, const struct prof_maps *maps,
	const char *path, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		uint64_t shift =
			i < layout->placements.count ? layout->placements.items[i].shift : 0;
		if (strcmp(mapping->path, path) != 0 &&
			(overlap(mapping, 0, low, high) || overlap(mapping, shift, low, high)))
			return true;
	}
	return false;
}

/* *RET becomes the recorder's address for the first byte of the file of MAPPING, one of MAPS. */
static struct prof_error *find_base(struct prof_layouts *layouts, const struct prof_layout *layout,
	const struct prof_maps *maps, const struct prof_mapping *mapping, uint64_t *ret)
{
	struct home home = {.inode = mapping->inode, .base = mapping->low - mapping->offset};
	const uint64_t size = mapping->high - mapping->low;
	bool known = false;
	struct prof_error *error =
		prof_strings_add(&layouts->paths, mapping->path, strlen(mapping->path), &home.path);

	for (size_t i = 0; i < layouts->homes.count && !error; i++) {
		const struct home *other = &layouts->homes.items[i];
		uint64_t low = other->base + mapping->offset;
		if (other->path != home.path || other->inode != home.inode)
			continue;
		known = true;
		if (!is_taken(layout, maps, mapping->path, low, low + size)) {
			*ret = other->base;
			return NULL;
		}
	}
	struct home *place = error ? NULL : prof_array_push(&layouts->homes);
	if (!place)
		return error ? error : prof_error_nomem();
	if (known) {
		home.base = layouts->elsewhere;
		layouts->elsewhere += APART;
	}
	*place = home;
	*ret = home.base;
	return NULL;
}

struct prof_error *prof_layouts_learn(struct prof_layouts *layouts, const struct prof_maps *maps)
{
	const struct prof_layout none = {0};
	struct prof_error *error = NULL;
	uint64_t base;

	for (size_t i = 0; i < maps->mappings.count && !error; i++) {
		if (*maps->mappings.items[i].path)
			error = find_base(layouts, &none, maps, &maps->mappings.items[i], &base);
	}
	return error;
}

static struct prof_error *find_homes(
	struct prof_layouts *layouts, struct prof_layout *layout, const struct prof_maps *maps)
{
	for (size_t i = 0; i < maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		struct placement placement = {.low = mapping->low, .high = mapping->high};
		if (*mapping->path) {
			uint64_t base = 0;
			struct prof_error *error = find_base(layouts, layout, maps, mapping, &base);
			if (error)
				return error;
			placement.named = true;
			placement.shift = base + mapping->offset - mapping->low;
		}
		struct placement *place = prof_array_push(&layout->placements);
		if (!place)
			return prof_error_nomem();
		*place = placement;
	}
	return NULL;
}

static struct prof_error *create(
	struct prof_layouts *layouts, const struct prof_maps *maps, struct prof_layout **ret)
{
	struct prof_maps copy = {0};
	struct prof_layout *layout = calloc(1, sizeof *layout);

	if (!layout)
		return prof_error_nomem();
	layout->target = (struct prof_target){read_code, layout};
	layout->hash = hash_maps(maps);
	struct prof_error *error = prof_maps_copy(&copy, maps);
	if (!error)
		error = prof_unwinder_create_mapped(
			layouts->arch, &copy, &layout->target, &layout->unwinder);
	if (!error)
		error = find_homes(layouts, layout, maps);
	prof_maps_deinit(&copy);
	if (error)
		destroy(layout);
	else
		*ret = layout;
	return error;
}

/* The number of the layout that was not used for the longest time. */
static size_t find_oldest(const struct prof_layouts *layouts)
{
	size_t oldest = 0;

	for (size_t i = 1; i < layouts->count; i++) {
		if (layouts->items[i]->used < layouts->items[oldest]->used)
			oldest = i;
	}
	return oldest;
}

struct prof_error *prof_layouts_find(struct prof_layouts *layouts, const struct prof_maps *maps,
	struct prof_layout **ret, bool *dropped)
{
	uint64_t hash = hash_maps(maps);
	struct prof_layout *layout = NULL;

	*dropped = false;
	layouts->now++;
	for (size_t i = 0; i < layouts->count && !layout; i++) {
		struct prof_layout *other = layouts->items[i];
		if (other->hash == hash && are_same(prof_unwinder_maps(other->unwinder), maps))
			layout = other;
	}
	struct prof_error *error = layout ? NULL : create(layouts, maps, &layout);
	if (error)
		return error;
	if (!layout->used && layouts->count == MOST) {
		size_t oldest = find_oldest(layouts);
		destroy(layouts->items[oldest]);
		layouts->items[oldest] = layouts->items[--layouts->count];
		*dropped = true;
	}
	if (!layout->used)
		layouts->items[layouts->count++] = layout;
	layout->used = layouts->now;
	*ret = layout;
	return NULL;
}

void prof_layout_walk(struct prof_layout *layout, const struct prof_registers *registers,
	struct prof_copy *copy, struct prof_stack *stack)
{
	stack->depth = prof_unwinder_walk_copy(
		layout->unwinder, registers, copy, stack->frames, stack->room, &stack->end);
	stack->guessed = prof_unwinder_guessed(layout->unwinder);
	stack->within = registers->within;
	const struct prof_maps *maps = prof_unwinder_maps(layout->unwinder);
	for (size_t i = 0; i < stack->depth; i++) {
		const struct prof_mapping *mapping = prof_maps_find(maps, stack->frames[i]);
		const struct placement *placement =
			mapping ? &layout->placements.items[mapping - maps->mappings.items] : NULL;
		/* Without a file, nobody can tell to which process the code belongs. */
		stack->frames[i] =
			placement && placement->named ? stack->frames[i] + placement->shift : 0;
	}
}

void prof_layout_put(
	struct prof_layouts *layouts, struct prof_layout *layout, pid_t process, bool kernel)
{
	const struct prof_maps *maps = prof_unwinder_maps(layout->unwinder);
	PROF_AUTO(prof_batch_deinit) struct prof_batch list = {0};

	prof_mappings_begin(&list, process);
	for (size_t i = 0; i < maps->mappings.count; i++) {
		struct prof_mapping mapping = maps->mappings.items[i];
		const char *id =
			*mapping.path ? prof_unwinder_build_id(layout->unwinder, mapping.low) : "";
		mapping.low += layout->placements.items[i].shift;
		mapping.high += layout->placements.items[i].shift;
		prof_mappings_add(&list, process, &mapping, id);
	}
	prof_queue_put_batch(layouts->queue, &list);
	if (kernel)
		prof_mappings_put_kernel(layouts->queue);
}
