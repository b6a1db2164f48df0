/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The processes that a native engine is attached to, each with its ticker. */
#ifndef PROF_PLUGIN_INTERPOSE_SUBJECT_H
#define PROF_PLUGIN_INTERPOSE_SUBJECT_H

#include "base/memory.h"
#include "target/maps.h"

#include <signal.h>

struct prof_cpu_timers;
struct prof_meeting;
struct prof_ticker;
struct prof_ticker_options;
struct prof_walker;

struct subject {
	pid_t process;                  /* the kernel's id */
	struct prof_ticker *ticker;     /* its own, as what follows */
	struct prof_walker *walker;     /* NULL: the engine has GDB walk */
	struct prof_cpu_timers *timers; /* NULL: its threads are not ticked by such */
	struct prof_maps maps; /* where there is no walker: the mappings that the recorder knows */
	bool reported;         /* it knows them, and they have not changed */
};

/* All zeroes: none. */
struct subjects {
	PROF_ARRAY(struct subject *) items;
};

/* Adds a process, on hold, watched as OPTIONS say; takes their walker; *RET is borrowed. */
struct prof_error *subjects_add(struct subjects *subjects,
	const struct prof_ticker_options *options, struct subject **ret) PROF_MUST_CHECK;

/* Lets go of PROCESS, if it is one of them; or of all. */
void subjects_remove(struct subjects *subjects, pid_t process);
void subjects_clear(struct subjects *subjects);

/* The one that is PROCESS, or to which THREAD belongs; NULL: none. */
struct subject *subjects_find(const struct subjects *subjects, pid_t process);
struct subject *subjects_of_thread(const struct subjects *subjects, pid_t thread);

/* Is THREAD one of their threads?  GDB also traces children of its own, to try what ptrace() can
 * do. */
bool subjects_have(const struct subjects *subjects, pid_t thread);

/*
 * See prof_ticker_meet(): the one whose THREAD was met, or NULL, where *MEETING is a stray tick, or
 * of no concern here.
 */
struct subject *subjects_meet(const struct subjects *subjects, pid_t thread, const siginfo_t *info,
	struct prof_meeting *meeting);

/* See struct engine. */
bool subjects_bounds(const struct subjects *subjects, pid_t process, uint64_t address,
	uint64_t *low, uint64_t *high);
bool subjects_map(
	const struct subjects *subjects, pid_t process, uint64_t address, const char *path);

/* The address spaces of all have changed, or may have. */
void subjects_flush(const struct subjects *subjects);

/* See prof_walker_read(). */
void subjects_read(const struct subjects *subjects);

/* THREAD, of whichever process, has stopped, and may have been made just now. */
void subjects_watch(const struct subjects *subjects, pid_t thread);

/* THREAD, of whichever process, has ended, or is let go. */
void subjects_forget(const struct subjects *subjects, pid_t thread);

/* The host is about to stop THREAD, or has asked for that; errno stays as it is. */
void subjects_want(const struct subjects *subjects, pid_t thread);
void subjects_got(const struct subjects *subjects, pid_t thread);

/*
 * The host is about to detach from THREAD: nothing of ours is left there.  Returns a signal for it,
 * or 0.
 */
int subjects_let_go(const struct subjects *subjects, pid_t thread);

/* The same as for one ticker, for all. */
void subjects_hold(const struct subjects *subjects);
void subjects_mute(const struct subjects *subjects);
void subjects_report(const struct subjects *subjects);
bool subjects_outstanding(const struct subjects *subjects);

#endif
