/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patches_private.h"
#include "target/process.h"

#include <string.h>
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

/* Has THREAD make the call that unmaps what is of SIZE bytes at ADDRESS.  False: it cannot now. */
static bool unmap(const struct prof_detour *detour, pid_t thread, uint64_t address, uint64_t size)
{
	const struct prof_detour_call call = {SYS_munmap, {address, size}};
	int64_t result;

	return !size || prof_detour_call_now(detour, thread, &call, &result);
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

/* Bytes of the table of granules that are looked at together, and blocks at the most. */
enum { PART = 1 << 16, BLOCKS = 1 << 22 };

/* Most blocks are one behind the other; the kernel may have put others elsewhere. */
static bool unmap_blocks(const struct prof_patches *patches, const struct prof_detour *detour,
	pid_t thread, const struct prof_stub_control *control)
{
	struct prof_stub_thread head;
	uint64_t at = control->first;
	bool good = true;

	for (int i = 0; good && at && i < BLOCKS; i++) {
		if (!prof_process_read(patches->process, at, &head, sizeof head))
			break;
		if (at - PROF_STUB_BLOCKS >= control->asked)
			good = unmap(detour, thread, at, prof_stub_block_size(&patches->settings));
		at = head.link;
	}
	return good && unmap(detour, thread, PROF_STUB_BLOCKS, control->asked);
}

/* Addresses that are to be unmapped together. */
struct run {
	uint64_t address, size;
};

/* Unmaps the shadow of the granule numbered INDEX, together with what is next to it. */
static bool unmap_shadow(const struct prof_patches *patches, const struct prof_detour *detour,
	pid_t thread, uint64_t index, struct run *run)
{
	uint64_t address = (index * PROF_STUB_GRANULE) ^ patches->settings.shadow;

	if (address == run->address + run->size) {
		run->size += PROF_STUB_GRANULE;
		return true;
	}
	bool good = unmap(detour, thread, run->address, run->size);
	*run = (struct run){address, PROF_STUB_GRANULE};
	return good;
}

static bool unmap_shadows(
	const struct prof_patches *patches, const struct prof_detour *detour, pid_t thread)
{
	static const uint8_t nothing[PART];
	const uint64_t table = patches->settings.control + PROF_STUB_PAGE;
	struct run run = {0};
	uint8_t part[PART];
	bool good = true;

	for (uint64_t i = 0; good && i < PROF_STUB_GRANULES; i += PART) {
		if (!prof_process_read(patches->process, table + i, part, PART) ||
			!memcmp(part, nothing, PART))
			continue;
		for (uint64_t j = 0; good && j < PART; j++)
			good = !(part[j] & PROF_STUB_SHADOWED) ||
				unmap_shadow(patches, detour, thread, i + j, &run);
	}
	return good && unmap(detour, thread, run.address, run.size);
}

static bool unmap_islands(
	struct prof_patches *patches, const struct prof_detour *detour, pid_t thread)
{
	bool good = true;

	for (size_t i = 0; good && i < patches->objects.count; i++) {
		struct prof_patches_object *object = &patches->objects.items[i];
		if (object->mapped != PROF_PATCHES_THERE)
			continue;
		good = unmap(detour, thread, object->island.address, object->size);
		if (good)
			object->mapped = PROF_PATCHES_LACKED;
		object->written = 0;
	}
	return good;
}

bool prof_patches_unmap(
	struct prof_patches *patches, const struct prof_detour *detour, pid_t thread)
{
	const uint64_t address = patches->settings.control;
	struct prof_stub_control control;

	if (patches->control != PROF_PATCHES_THERE)
		return true;
	if (!prof_process_read(patches->process, address, &control, sizeof control) ||
		!unmap_blocks(patches, detour, thread, &control) ||
		!unmap_shadows(patches, detour, thread) ||
		!unmap_islands(patches, detour, thread) ||
		!unmap(detour, thread, address, prof_stub_control_size(&patches->settings)))
		return false;
	patches->control = PROF_PATCHES_LACKED;
	return true;
}
