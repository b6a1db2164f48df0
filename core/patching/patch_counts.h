/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often functions were called, as the stubs in a process have counted it. */
#ifndef PROF_PATCHING_PATCH_COUNTS_H
#define PROF_PATCHING_PATCH_COUNTS_H

#include "base/error.h"
#include "patching/patch_callers.h"
#include "patching/stubs.h"
#include "target/target.h"

/*
 * Sets COUNTS[N - 1] to how often the function N was called, for all N from 1 to COUNT, which is no
 * more than SETTINGS say: by all threads that there are or were.  TARGET is the memory of a process
 * whose control area is mapped; it may go on meanwhile.  An error if the memory cannot be read, or
 * is damaged; COUNTS are as they were then.
 */
struct prof_error *prof_patch_counts_read(const struct prof_target *target,
	const struct prof_stub_settings *settings, uint64_t *counts,
	uint32_t count) PROF_MUST_CHECK;

/*
 * The same calls by caller: adds them to RET.  Unknown are the callers of functions that have no
 * stub PROF_STUB_COUNT_CALLERS, and those that a thread's table has had no room for.  Where a
 * function with a stub PROF_STUB_CALL has jumped to the one that was called, the caller is an
 * address in an island, see prof_island_returns().  After an error RET has some of them.
 */
struct prof_error *prof_patch_counts_read_callers(const struct prof_target *target,
	const struct prof_stub_settings *settings, uint32_t count,
	struct prof_patch_callers *ret) PROF_MUST_CHECK;

#endif
