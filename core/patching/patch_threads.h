/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The threads of a process whose functions are patched.  They stand still under a ptrace() of the
 * caller's thread: without patches in their own functions, and with patches in what replaces these.
 */
#ifndef PROF_PATCHING_PATCH_THREADS_H
#define PROF_PATCHING_PATCH_THREADS_H

#include "patching/patches.h"

/* A thread that stands at the entry of a function, and whose call is counted already; or it has
 * stood there, and the debugger has it call something before it goes on. */
struct prof_patch_thread {
	pid_t thread;
	uint64_t pc, sp;
};

/* All zeroes is none.  A thread may be there several times. */
struct prof_patch_threads {
	PROF_ARRAY(struct prof_patch_thread) items;
};

/* Frees what THREADS holds, and leaves it empty. */
void prof_patch_threads_deinit(struct prof_patch_threads *threads);

/*
 * THREAD has stopped: if it is in an island of PATCHES, it now stands in the function, with the
 * registers that it has there without patches; or it was killed.  False: it could not be moved.  It
 * is in a stub that records, or there is no memory.
 */
bool prof_patch_threads_leave(
	struct prof_patch_threads *threads, const struct prof_patches *patches, pid_t thread);

/* What a thread that is about to go on does. */
struct prof_patch_start {
	uint64_t from;   /* where it stands without patches */
	uint32_t number; /* of the function whose call is to be counted; 0: none */
	uint64_t caller; /* of that call, see prof_patches_caller() */
};

/*
 * Patches were put in, and THREAD is about to go on: if it stands where one is, it goes on in the
 * island.  Its call is counted unless that was done before.  If it is STEPPED, for one instruction,
 * and stands at an entry, *RET has the number of the function, and the caller counts the call.
 * False: it was killed, or there is no memory.
 */
bool prof_patch_threads_return(struct prof_patch_threads *threads,
	const struct prof_patches *patches, pid_t thread, bool stepped,
	struct prof_patch_start *ret);

/*
 * Was THREAD, which has stopped and was not moved yet, stepped at FROM in PATCHES, and has executed
 * a part of what replaces one instruction?
 */
bool prof_patch_threads_are_within(const struct prof_patches *patches, pid_t thread, uint64_t from);

/* THREAD has ended, is let go, or is about to execute something while patches are out. */
void prof_patch_threads_forget(struct prof_patch_threads *threads, pid_t thread);

#endif
