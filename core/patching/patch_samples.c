/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_samples.h"

#include "patching/patches_private.h"
#include "target/process.h"

#include <string.h>

/* The stub to which functions return at ADDRESS; NULL: none. */
static const struct prof_stub *find_stub(const struct prof_patches *patches, uint64_t address)
{
	const struct prof_island *island = prof_patches_island(patches, address);
	struct prof_island_place place;

	return island && prof_island_returns(island, address) &&
			prof_island_find(island, address, &place)
		? place.stub
		: NULL;
}

bool prof_patch_samples_find(const struct prof_patches *patches, uint64_t slot, uint64_t value,
	struct prof_diverted *ret)
{
	const struct prof_stub *stub = find_stub(patches, value);

	if (!patches->settings.records || !stub)
		return false;
	*ret = (struct prof_diverted){stub->from, slot ^ patches->settings.shadow};
	return true;
}

void prof_patch_samples_mask(
	const struct prof_patches *patches, uint64_t address, void *bytes, size_t length)
{
	const uint64_t size = sizeof(uint64_t);
	struct prof_diverted diverted;
	uint64_t value;

	if (!patches->settings.records)
		return;
	for (size_t at = -address % size; at + size <= length; at += size) {
		unsigned char *word = (unsigned char *)bytes + at;
		memcpy(&value, word, size);
		if (prof_patch_samples_find(patches, address + at, value, &diverted) &&
			prof_process_read(patches->process, diverted.shadow, &value, size))
			memcpy(word, &value, size);
	}
}

/* The thread is in code that stubs share, and the return address where *SP points to. */
static void leave(const struct prof_patches *patches, uint64_t *pc, uint64_t *sp,
	const struct prof_copy *copy)
{
	uint64_t address;

	if (!copy || copy->length < sizeof address)
		return;
	memcpy(&address, copy->bytes, sizeof address);
	const struct prof_stub *stub = find_stub(patches, address);
	/* A function that has jumped to this one has the slot. */
	*pc = stub ? stub->from : address;
	*sp += stub ? 0 : sizeof address;
}

/* The thread has called the function of STUB, or has returned from it: the stack pointer is that of
 * the slot, or behind it if it is RAISED. */
static void stay(const struct prof_stub *stub, bool raised, uint64_t *pc, uint64_t *sp,
	struct prof_copy *copy)
{
	*pc = stub->from;
	if (!raised)
		return;
	*sp -= sizeof(uint64_t);
	if (copy)
		copy->below = stub->low + prof_stub_piece(stub->kind).returned;
}

void prof_patch_samples_place(
	const struct prof_patches *patches, uint64_t *pc, uint64_t *sp, struct prof_copy *copy)
{
	struct prof_stub_registers registers = {.pc = *pc, .sp = *sp};
	const struct prof_island *island = prof_patches_island(patches, *pc);
	enum prof_stub_undone undone = prof_patches_undo(patches, &registers);
	struct prof_island_place place;

	if (undone == PROF_STUB_UNCOUNTED || undone == PROF_STUB_COUNTED) {
		*pc = registers.pc;
		*sp = registers.sp;
	} else if (undone == PROF_STUB_STUCK && island && prof_island_find(island, *pc, &place)) {
		if (place.state == PROF_ISLAND_SHARED)
			leave(patches, pc, sp, copy);
		else
			stay(place.stub, place.sp, pc, sp, copy);
	}
}
