/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/indirect.h"

#include "target/dynamic.h"
#include "target/linkmap.h"
#include "target/maps.h"
#include "target/process.h"
#include "target/slots.h"

/* Is VALUE an address in the code of the file that contains RESOLVER? */
static bool is_of_same_file(const struct prof_maps *maps, uint64_t resolver, uint64_t value)
{
	const struct prof_mapping *one = prof_maps_find(maps, resolver);

	return one && prof_maps_has(maps, value, one->path);
}

/* What the slots of LINKED for NAME contain, if the linker has bound one; 0: none. */
static uint64_t look_in(const struct prof_target *target, const struct prof_linked *linked,
	const struct prof_maps *maps, const char *name, uint64_t resolver)
{
	struct prof_slots slots = {0};
	uint64_t function = 0;

	prof_error_destroy(prof_slots_find(&slots, target, linked, &name, 1));
	for (size_t i = 0; i < slots.items.count && !function; i++) {
		const struct prof_slot *slot = &slots.items.items[i];
		/*
		 * Before it is bound, or if an agent redirects it, the slot contains something
		 * else.
		 */
		if (!slot->unbound && is_of_same_file(maps, resolver, slot->value))
			function = slot->value;
	}
	prof_slots_deinit(&slots);
	return function;
}

/* What the slots for NAME in all objects of MAP contain; RESOLVER chooses the function. */
static uint64_t find_function(pid_t pid, const struct prof_target *target,
	const struct prof_linkmap *map, const char *name, uint64_t resolver)
{
	struct prof_maps maps = {0};
	uint64_t function = 0;

	for (size_t i = 0; i < map->items.count && !function; i++)
		function = prof_slots_chosen(target, &map->items.items[i], resolver);
	prof_error_destroy(prof_maps_read(&maps, pid));
	for (size_t i = 0; i < map->items.count && !function; i++)
		function = look_in(target, &map->items.items[i], &maps, name, resolver);
	prof_maps_deinit(&maps);
	return function;
}

bool prof_indirect_find(pid_t pid, const char *name, struct prof_indirect *ret)
{
	struct prof_process process;
	struct prof_linkmap map = {0};

	prof_process_init(&process, pid);
	const struct prof_target target = prof_process_target(&process);
	prof_error_destroy(prof_linkmap_of_process(&map, &target, pid));
	const struct prof_exported found = prof_dynamic_find_any(&target, &map, name);
	bool indirect = found.address && found.indirect;
	if (indirect)
		*ret = (struct prof_indirect){
			found.address, find_function(pid, &target, &map, name, found.address)};
	prof_linkmap_deinit(&map);
	return indirect;
}
