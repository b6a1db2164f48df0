/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Patches as samplers of the process need them: threads go on meanwhile. */
#ifndef PROF_PATCHING_PATCH_SAMPLES_H
#define PROF_PATCHING_PATCH_SAMPLES_H

#include "patching/patches.h"
#include "target/diversion.h"

struct prof_copy;

/*
 * Makes *PC and the stack pointer *SP of a thread that was sampled in an island what they are
 * without it.  In a stub that records a call or its return the thread is at the entry of the
 * function then; in code that stubs share, in the caller.  COPY is its stack from *SP up, and gets
 * the word below if that is where the return address is; NULL: there is none.
 */
void prof_patch_samples_place(
	const struct prof_patches *patches, uint64_t *pc, uint64_t *sp, struct prof_copy *copy);

/* See struct prof_diversion. */
bool prof_patch_samples_find(const struct prof_patches *patches, uint64_t slot, uint64_t value,
	struct prof_diverted *ret);
void prof_patch_samples_mask(
	const struct prof_patches *patches, uint64_t address, void *bytes, size_t length);

#endif
