/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The annex: two small mappings that a program gets for the detours of its threads.
 *
 *     0x3f0000000000  code of PROF_ANNEX_DETOURS detours, read and executed
 *     right behind    their data, read and written
 *
 * The program's threads map it themselves, by detours that stand where the last page of the vdso is
 * empty.  It stays until the program ends or executes another one, and the next annex of the same
 * process is the same.  Forked children do not have it.
 */
#ifndef PROF_TARGET_ANNEX_H
#define PROF_TARGET_ANNEX_H

#include "base/error.h"
#include "target/detour.h"

enum { PROF_ANNEX_DETOURS = 64 };

enum prof_annex_part { PROF_ANNEX_CODE, PROF_ANNEX_DATA, PROF_ANNEX_PARTS };

struct prof_annex {
	pid_t process;
	bool there;        /* the rest of the program can use it */
	const char *lacks; /* why there is none, a phrase; or NULL */

	/* Private. */
	bool looked;
	pid_t sent[PROF_ANNEX_PARTS];    /* the thread that maps it; 0: none yet */
	uint64_t room[PROF_ANNEX_PARTS]; /* for the detour of that in the vdso */
};

/* The annex of PROCESS, at which nobody has looked yet. */
void prof_annex_init(struct prof_annex *annex, pid_t process);

/*
 * THREAD stands still, stopped for a signal, and is about to go on: has it do the next step that
 * the annex needs, if any.  True: THREAD is sent on a detour for that.
 */
bool prof_annex_extend(struct prof_annex *annex, pid_t thread);

/* The detour INDEX, below PROF_ANNEX_DETOURS. */
struct prof_detour prof_annex_detour(const struct prof_annex *annex, size_t index);

/* The call by which forked children do not get it. */
struct prof_detour_call prof_annex_keep(void);

/* THREAD has stopped: if it is on a detour that annexes make, it stands at once where that leads
 * to. */
bool prof_annex_leave(struct prof_annex *annex, pid_t thread);

/* THREAD has ended. */
void prof_annex_forget(struct prof_annex *annex, pid_t thread);

#endif
