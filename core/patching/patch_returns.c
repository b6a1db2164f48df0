/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_returns.h"

#include "patching/occupied.h"
#include "patching/patches_private.h"
#include "target/arch.h"
#include "target/process.h"

#include <string.h>

/* Bytes of a stack that are read at once, and that are looked at, at the most. */
enum { PART = 1 << 14, MOST = 1 << 28 };

/* Does a function return to a stub if its return address is VALUE? */
static bool is_stub(const struct prof_patches *patches, uint64_t value)
{
	const struct prof_island *island = prof_patches_island(patches, value);

	return island && prof_island_returns(island, value);
}

/* If VALUE, which PROCESS has in SLOT, leads to a stub, replaces it by the true return address.
 * False: it does not. */
static bool replace(
	const struct prof_patches *patches, pid_t process, uint64_t slot, uint64_t *value)
{
	return is_stub(patches, *value) &&
		prof_process_read(process, slot ^ patches->settings.shadow, value, sizeof *value);
}

void prof_patch_returns_mask(
	const struct prof_patches *patches, uint64_t address, void *bytes, size_t length)
{
	const uint64_t size = sizeof(uint64_t);
	uint64_t value, end = address + length;

	if (!patches->settings.records)
		return;
	for (uint64_t slot = address & ~(size - 1); slot < end; slot += size) {
		bool whole = slot >= address && end - slot >= size;
		if (whole)
			memcpy(&value, (char *)bytes + (slot - address), size);
		else if (!prof_process_read(patches->process, slot, &value, size))
			continue;
		if (!replace(patches, patches->process, slot, &value))
			continue;
		uint64_t from = slot < address ? address : slot;
		uint64_t to = end - slot < size ? end : slot + size;
		memcpy((char *)bytes + (from - address), (char *)&value + (from - slot), to - from);
	}
}

/* Does so with COUNT VALUES that THREAD has from SLOT on. */
static void restore(const struct prof_patches *patches, pid_t thread, uint64_t slot,
	uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t at = slot + i * sizeof *values;
		if (replace(patches, thread, at, &values[i]))
			prof_error_destroy(
				prof_process_write(thread, at, &values[i], sizeof values[i]));
	}
}

void prof_patch_returns_restore(const struct prof_patches *patches, pid_t thread)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied mapped = {0};
	uint64_t values[PART / sizeof(uint64_t)], end = 0;
	struct prof_registers registers;
	struct prof_error *error =
		patches->settings.records ? prof_occupied_read(&mapped, thread) : NULL;

	if (!error)
		error = prof_process_registers(thread, &registers);
	uint64_t sp = error ? 0 : registers.value[prof_arch_native()->sp] & ~UINT64_C(7);
	prof_error_destroy(error);
	for (size_t i = 0; i < mapped.items.count; i++) {
		const struct prof_island_range *range = &mapped.items.items[i];
		if (sp - range->low < range->high - range->low)
			end = range->high;
	}
	for (uint64_t at = sp; at < end && at - sp < MOST; at += PART) {
		size_t size = end - at < PART ? end - at : PART;
		if (!prof_process_read(thread, at, values, size))
			break;
		restore(patches, thread, at, values, size / sizeof *values);
	}
}
