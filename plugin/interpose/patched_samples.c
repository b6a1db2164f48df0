/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/patched_samples.h"

#include "patching/patch_samples.h"
#include "plugin/interpose/displaced.h"
#include "plugin/interpose/patched_process.h"
#include "sampling/displaced.h"
#include "target/arch.h"

/* Called from any thread. */
static void undo(struct prof_registers *registers, struct prof_copy *copy)
{
	uint64_t *sp = &registers->value[prof_arch_native()->sp];

	patched_process_lock();
	const struct prof_patches *patches = patched_process_patches(0);
	if (patches)
		prof_patch_samples_place(patches, &registers->pc, sp, copy);
	patched_process_unlock();
}

static bool find(pid_t process, uint64_t slot, uint64_t value, struct prof_diverted *ret)
{
	patched_process_lock();
	const struct prof_patches *patches = patched_process_patches(process);
	bool found = patches && prof_patch_samples_find(patches, slot, value, ret);
	patched_process_unlock();
	return found;
}

static void mask(pid_t process, uint64_t address, void *bytes, size_t length)
{
	patched_process_lock();
	const struct prof_patches *patches = patched_process_patches(process);
	if (patches)
		prof_patch_samples_mask(patches, address, bytes, length);
	patched_process_unlock();
}

const struct prof_diversion patched_samples_diversion = {.find = find, .mask = mask};

void patched_samples_begin(void)
{
	if (displaced_steps())
		prof_displaced_set_undo(displaced_steps(), undo);
}
