/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A detour in the unused end of a process's vdso: memory that can be executed, and that nothing of
 * the program needs.  It is there for system calls that a thread makes at once, and gone
 * afterwards.
 */
#ifndef PROF_PLUGIN_CALLS_VDSO_DETOUR_H
#define PROF_PLUGIN_CALLS_VDSO_DETOUR_H

#include "patching/patched.h"
#include "target/detour.h"

enum { VDSO_DETOUR_ROOM = PROF_DETOUR_CODE + (sizeof(struct prof_detour_data) + 15) / 16 * 16 };

struct vdso_detour {
	struct prof_detour detour;
	unsigned char before[VDSO_DETOUR_ROOM]; /* what was there */
};

/* Writes the code of one to PROCESS, all of whose threads stand still.  False: there is no room, or
 * it cannot be written. */
bool vdso_detour_begin(struct vdso_detour *detour, pid_t process);

/* Leaves the vdso as it was. */
void vdso_detour_end(const struct vdso_detour *detour);

/* Has THREAD of the process of PATCHES, all of whose threads stand still, map what these lack.
 * False: it cannot now. */
bool vdso_detour_map(struct prof_patches *patches, pid_t thread);

/* Leaves PROCESS without PATCHED: see prof_patched_leave(). */
void vdso_detour_leave(const struct prof_patched *patched, pid_t process);

#endif
