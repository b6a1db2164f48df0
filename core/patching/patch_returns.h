/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Return addresses in the memory of a program, where functions that are recorded return to their
 * stubs: what a debugger reads of them, and the true ones put back.
 */
#ifndef PROF_PATCHING_PATCH_RETURNS_H
#define PROF_PATCHING_PATCH_RETURNS_H

#include "patching/patches.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A debugger has read LENGTH BYTES at ADDRESS of the process: makes return addresses true ones. */
void prof_patch_returns_mask(
	const struct prof_patches *patches, uint64_t address, void *bytes, size_t length);

/*
 * Has the functions return where they were called that are open on the stack of THREAD, which
 * stands still under a ptrace() of the caller's thread.  It is one of the process, or of one that
 * has a copy of its memory.  Returns that are on other stacks go by their stubs.
 */
void prof_patch_returns_restore(const struct prof_patches *patches, pid_t thread);

#endif
