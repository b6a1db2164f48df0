/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A process with patches, under a debugger that does not see them.
 *
 * Whoever stands between the debugger and the process reports here what the debugger does: that it
 * is about to resume a thread, that a thread has stopped, and what it reads of memory.  Patches go
 * in when the first thread goes on, and out as soon as all stand still again.  In between, a thread
 * that has stopped stands in its function, and memory is read as it is without patches.
 *
 * Threads stand still under a ptrace() of the caller's thread.
 */
#ifndef PROF_PATCHING_PATCHED_H
#define PROF_PATCHING_PATCHED_H

#include "patching/patch_callers.h"
#include "patching/patch_threads.h"

struct prof_patched;

/* See prof_patches_create(); SETTINGS have PROF_THREAD_WORD as the word of threads. */
struct prof_error *prof_patched_create(pid_t process, const struct prof_stub_settings *settings,
	struct prof_patched **ret) PROF_MUST_CHECK;

/* Leaves the process as it is.  NULL is fine. */
void prof_patched_destroy(struct prof_patched *patched);

/* Its patches, borrowed.  They change only while all threads stand still. */
struct prof_patches *prof_patched_patches(const struct prof_patched *patched);

/*
 * THREAD, which stands still, was there before PATCHED.  NULL, or why the process cannot be
 * patched, a phrase that completes "because": then patches must not go in.
 */
const char *prof_patched_admit(struct prof_patched *patched, pid_t thread);

/*
 * The debugger is about to resume THREAD; STEPPED: for one instruction.  NULL, or that patches
 * could not be put in; the thread can go on all the same.
 */
struct prof_error *prof_patched_resume(
	struct prof_patched *patched, pid_t thread, bool stepped) PROF_MUST_CHECK;

/*
 * THREAD has stopped; TRAPPED: by SIGTRAP.  An unknown thread was just made, and has executed
 * nothing.  Sets *AGAIN if it was stepped and has executed a part of an instruction: then it must
 * be stepped once more before the debugger learns of it.  NULL, or that patches could not be taken
 * out, or the thread could not be moved.
 */
struct prof_error *prof_patched_stop(
	struct prof_patched *patched, pid_t thread, bool trapped, bool *again) PROF_MUST_CHECK;

/*
 * CHILD, which has the memory of the process as a copy, was just made, and stands still: it has no
 * patches from now on, and its functions return where they were called.  A child of vfork() has no
 * copy.  NULL, or that it cannot be written.
 */
struct prof_error *prof_patched_clear_child(
	const struct prof_patched *patched, pid_t child) PROF_MUST_CHECK;

/*
 * THREAD has ended, or was let go: it was the last that went on, perhaps.  NULL, or that patches
 * could not be taken out, because the process has ended, for example.
 */
struct prof_error *prof_patched_forget(struct prof_patched *patched, pid_t thread) PROF_MUST_CHECK;

/*
 * Leaves the process, all of whose threads stand still, as it would be without patches.  Functions
 * that go on return where they were called, and not to their stubs, as far as they are on the
 * stacks on which threads stand.  What was mapped is unmapped by way of DETOUR.  False: that was
 * not possible, or DETOUR is NULL, or a signal handler will return to a stub: then what was mapped
 * stays, and the process cannot be patched again.
 */
bool prof_patched_leave(const struct prof_patched *patched, const struct prof_detour *detour);

/* The debugger has read LENGTH BYTES at ADDRESS: makes return addresses among them true ones. */
void prof_patched_mask_returns(
	const struct prof_patched *patched, uint64_t address, void *bytes, size_t length);

/* The debugger has read LENGTH BYTES at ADDRESS of code: makes them what they are without patches.
 */
void prof_patched_mask(
	const struct prof_patched *patched, uint64_t address, void *bytes, size_t length);

/*
 * May the debugger write LENGTH bytes at ADDRESS now?  False: a patch is there, until all threads
 * stand still.
 */
bool prof_patched_may_write(const struct prof_patched *patched, uint64_t address, size_t length);

/*
 * See prof_patch_counts_read().  Calls that were made by single steps are included, unless the
 * patch of their function was out.
 */
struct prof_error *prof_patched_count(
	const struct prof_patched *patched, uint64_t *counts, uint32_t count) PROF_MUST_CHECK;

/* The same calls of all functions by caller: see prof_patch_counts_read_callers(). */
struct prof_error *prof_patched_count_callers(
	const struct prof_patched *patched, struct prof_patch_callers *ret) PROF_MUST_CHECK;

#endif
