/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Patches: what is written into one process so that its functions are entered by way of stubs.
 *
 * A function is added by its address.  Its load object is read then, and gets an island, which the
 * process has to map, as well as the control area.  Then patches can be put in and taken out as
 * often as needed, each time while all threads of the process stand still.  Islands stay: a thread
 * may be in one while the patches are out, and goes on from there to the function.
 *
 * The original bytes are those of the file.  Where the process has others, because a debugger has
 * a breakpoint there or the program has changed its code, the function stays as it is.
 */
#ifndef PROF_PATCHING_PATCHES_H
#define PROF_PATCHING_PATCHES_H

#include "base/error.h"
#include "patching/stub_undo.h"
#include "target/detour.h"

#include <sys/types.h>

struct prof_patches;

/*
 * None yet, of PROCESS.  SETTINGS are copied; nothing may be mapped yet where they want the control
 * area.  An error if this machine or build cannot patch programs.
 */
struct prof_error *prof_patches_create(pid_t process, const struct prof_stub_settings *settings,
	struct prof_patches **ret) PROF_MUST_CHECK;

/* Leaves the process as it is.  NULL is fine. */
void prof_patches_destroy(struct prof_patches *patches);

/*
 * Has the function at ADDRESS get a stub of KIND, which is neither PROF_STUB_ATTACH nor
 * PROF_STUB_RECORD, and sets *NUMBER to its number, from 1 on: a function that was added before
 * keeps its number and its stub.  If *OBSTACLE is not PROF_OBSTACLE_NONE then, it cannot be
 * patched, and *NUMBER is 0.  NULL, or that there is no memory, that the process is gone, or
 * PROF_ERROR_TOO_LARGE: there are more functions than SETTINGS say.
 */
struct prof_error *prof_patches_add(struct prof_patches *patches, uint64_t address,
	enum prof_stub_part kind, uint32_t *number, enum prof_obstacle *obstacle) PROF_MUST_CHECK;

/*
 * Has the function NUMBER, whose stub records calls, count them only from now on, without their
 * callers.  Threads may go on meanwhile; calls that go on are recorded to their end.  Any thread
 * may call this, but not while functions are added.  False: it cannot be, and nothing has changed.
 */
bool prof_patches_count_only(struct prof_patches *patches, uint32_t number);

/* A function of a load object. */
struct prof_patches_listed {
	uint64_t address;
	const char *name; /* of its symbol, borrowed until prof_patches_destroy(); or NULL */
	enum prof_obstacle obstacle; /* why it cannot be patched; PROF_OBSTACLE_NONE: it can */
	bool twice;                  /* its code makes a system call that returns twice */
};

/* All zeroes is the empty list. */
struct prof_patches_list {
	PROF_ARRAY(struct prof_patches_listed) items; /* by address */
};

void prof_patches_list_deinit(struct prof_patches_list *list);

/*
 * Fills LIST, which is empty, with the functions of the load object that has ADDRESS, as its call
 * frame information describes them: none if it is no ELF file.  NULL, or that there is no memory,
 * or that the process is gone.
 */
struct prof_error *prof_patches_list(struct prof_patches *patches, uint64_t address,
	struct prof_patches_list *list) PROF_MUST_CHECK;

/* The process whose patches these are. */
pid_t prof_patches_process(const struct prof_patches *patches);

/* How many functions were added: the highest number. */
uint32_t prof_patches_count(const struct prof_patches *patches);

/* Memory that the process has to map: private, of no file, where nothing else is. */
struct prof_patches_memory {
	uint64_t address, size;
	bool is_code; /* to be read and executed, and else to be read and written */
};

/* Some that it lacks: the control area first, and then the islands.  False: it has all. */
bool prof_patches_lack(const struct prof_patches *patches, struct prof_patches_memory *ret);

/*
 * The process has mapped what is at ADDRESS, or, if it is not THERE, cannot: then functions that
 * need it stay as they are.
 */
void prof_patches_settle(struct prof_patches *patches, uint64_t address, bool there);

/*
 * Has THREAD of the process, which has stopped for a signal under a ptrace() of the caller's
 * thread, map all that the process lacks, by DETOUR, see prof_detour_call_now().  False: it cannot
 * do that now.
 */
bool prof_patches_map(struct prof_patches *patches, const struct prof_detour *detour, pid_t thread);

/*
 * Has THREAD, likewise, unmap all that is there for patches, which are out, and that no thread goes
 * on in: then the process has nothing of them any more.  False: the thread cannot do that now, and
 * something is still there.
 */
bool prof_patches_unmap(
	struct prof_patches *patches, const struct prof_detour *detour, pid_t thread);

/* The island that has ADDRESS, borrowed; NULL: none. */
const struct prof_island *prof_patches_island(const struct prof_patches *patches, uint64_t address);

enum prof_patches_state {
	PROF_PATCHES_OUT,      /* its own code is there */
	PROF_PATCHES_IN,       /* the patch is */
	PROF_PATCHES_CHANGED,  /* out: what the process has there is not what the file has */
	PROF_PATCHES_RESUMED,  /* out: a thread is to go on in the middle of what the patch takes */
	PROF_PATCHES_UNMAPPED, /* out: memory that it needs is not there */
	PROF_PATCHES_GONE,     /* its load object is not there any more */
};

/* Of the function NUMBER, after patches were last put in or taken out. */
enum prof_patches_state prof_patches_state(const struct prof_patches *patches, uint32_t number);

/*
 * Is there a function whose patch was not in when threads last went on?  Then RESUMED below must be
 * looked for; else threads that were interrupted in the middle are in the island.
 */
bool prof_patches_are_new(const struct prof_patches *patches);

/*
 * Puts all patches in that are out, except where one of the COUNT RESUMED addresses, in any order,
 * is in the middle of what a patch takes: a thread will go on there, for example when a signal
 * handler returns.  A thread that stands there itself can be moved instead, see
 * prof_patches_copy().  NULL, or that the process cannot be written: then none is in that can be
 * taken out.
 */
struct prof_error *prof_patches_put_in(
	struct prof_patches *patches, const uint64_t *resumed, size_t count) PROF_MUST_CHECK;

/* Takes all out.  What somebody else has written there meanwhile stays.  NULL, or the same. */
struct prof_error *prof_patches_take_out(struct prof_patches *patches) PROF_MUST_CHECK;

/*
 * Takes those that are in out of CHILD, a process that was forked since, and stands still.  They
 * stay in the process itself.  NULL, or that CHILD cannot be written.
 */
struct prof_error *prof_patches_clear_child(
	const struct prof_patches *patches, pid_t child) PROF_MUST_CHECK;

/* The process has unmapped the load objects in RANGE, or is about to. */
void prof_patches_forget(struct prof_patches *patches, struct prof_island_range range);

/* Puts REGISTERS of a thread of the process back if the thread stands in an island: see
 * prof_stub_undo(). */
enum prof_stub_undone prof_patches_undo(
	const struct prof_patches *patches, struct prof_stub_registers *registers);

/* The number of the function whose patch is in at the entry PC, and counts only; 0: there is none.
 */
uint32_t prof_patches_entered(const struct prof_patches *patches, uint64_t pc);

/*
 * The caller that the stub of the function NUMBER would find for a thread that stands at the entry
 * with the stack pointer SP: its return address; 0: the stub does not look for callers, or there is
 * no stack.
 */
uint64_t prof_patches_caller(const struct prof_patches *patches, uint32_t number, uint64_t sp);

/*
 * Where a thread that stands at PC, an instruction that a patch which is in has replaced, has to go
 * on instead; 0: it stands elsewhere, or at the entry, unless its call is COUNTED already.
 */
uint64_t prof_patches_copy(const struct prof_patches *patches, uint64_t pc, bool counted);

#endif
