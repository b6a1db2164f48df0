/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patches_private.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

bool prof_patches_lack(const struct prof_patches *patches, struct prof_patches_memory *ret)
{
	if (patches->control == PROF_PATCHES_LACKED) {
		*ret = (struct prof_patches_memory){patches->settings.control,
			prof_stub_control_size(&patches->settings), false};
		return true;
	}
	for (size_t i = 0; i < patches->objects.count; i++) {
		const struct prof_patches_object *object = &patches->objects.items[i];
		if (object->gone || !object->island.stubs.count ||
			object->mapped != PROF_PATCHES_LACKED)
			continue;
		*ret = (struct prof_patches_memory){object->island.address, object->size, true};
		return true;
	}
	return false;
}

void prof_patches_settle(struct prof_patches *patches, uint64_t address, bool there)
{
	const uint8_t mapped = there ? PROF_PATCHES_THERE : PROF_PATCHES_REFUSED;

	if (address == patches->settings.control)
		patches->control = mapped;
	for (size_t i = 0; i < patches->objects.count; i++) {
		struct prof_patches_object *object = &patches->objects.items[i];
		if (object->size && object->island.address == address)
			object->mapped = mapped;
	}
}

/* Has THREAD make the call that unmaps what is of SIZE bytes at ADDRESS. */
static void unmap(const struct prof_detour *detour, pid_t thread, uint64_t address, uint64_t size)
{
	const struct prof_detour_call call = {SYS_munmap, {address, size}};
	int64_t result;

	prof_detour_call_now(detour, thread, &call, &result);
}

bool prof_patches_map(struct prof_patches *patches, const struct prof_detour *detour, pid_t thread)
{
	struct prof_patches_memory memory;

	while (prof_patches_lack(patches, &memory)) {
		const struct prof_detour_call call = {SYS_mmap,
			{memory.address, memory.size,
				PROT_READ | (memory.is_code ? PROT_EXEC : PROT_WRITE),
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
				UINT64_MAX, 0}};
		int64_t result;
		if (!prof_detour_call_now(detour, thread, &call, &result))
			return false;
		bool there = (uint64_t)result == memory.address;
		/* A kernel before 4.17 maps it elsewhere, if something is there. */
		if (!there && result > 0)
			unmap(detour, thread, (uint64_t)result, memory.size);
		prof_patches_settle(patches, memory.address, there);
	}
	return true;
}
