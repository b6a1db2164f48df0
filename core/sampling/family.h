/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A family of processes: a program, its children and theirs, as the kernel reports them.  The
 * family knows the names of each process's threads, and what it has mapped, without a look at it:
 * most of them end before anybody could look.
 */
#ifndef PROF_SAMPLING_FAMILY_H
#define PROF_SAMPLING_FAMILY_H

#include "base/memory.h"
#include "sampling/family_clock.h"
#include "sampling/off_cpu.h"
#include "target/maps.h"
#include "target/procfs.h"

struct prof_perf_task;

struct prof_layout;

struct prof_member {
	pid_t process;  /* the kernel's id, as below */
	bool apart;     /* somebody else samples it */
	bool reported;  /* the recorder knows what the process has mapped */
	size_t threads; /* that have not been removed */
	struct prof_maps maps;
	struct prof_layout *layout; /* that of MAPS, borrowed; NULL: not looked up yet */
};

struct prof_member_thread {
	pid_t thread;
	struct prof_member *member;
	char name[PROF_THREAD_NAME];
	bool named;                     /* the recorder knows its name */
	int ended;                      /* how often it was looked at since it has ended */
	int64_t end;                    /* ns of CLOCK_MONOTONIC: when it did */
	int64_t counted;                /* ns of CPU time that its events reported as it ended */
	struct prof_family_clock clock; /* of its samples */
	int64_t since; /* ns of CPU time that was reported since the last look at it */
	struct prof_off_cpu off_cpu; /* all zeroes: to be looked at from now on */
	bool unwalked; /* the stack in which it was seen asleep could not be walked yet */
};

/* All zeroes is the empty family. */
struct prof_family {
	/* Sorted by process, and by thread. */
	PROF_ARRAY(struct prof_member *) members;
	PROF_ARRAY(struct prof_member_thread *) threads;
};

void prof_family_deinit(struct prof_family *family);

/* Adds PROCESS as it is now, unless it is there.  Its ids are borrowed until it has ended. */
struct prof_error *prof_family_add(
	struct prof_family *family, pid_t process, struct prof_member **ret) PROF_MUST_CHECK;

/* The member, or thread, of that id, borrowed, or NULL. */
struct prof_member *prof_family_find(const struct prof_family *family, pid_t process);
struct prof_member_thread *prof_family_thread(const struct prof_family *family, pid_t thread);

/*
 * Applies TASK to its process.  A process that has ended stays until prof_family_remove(): its last
 * time may still come.
 */
struct prof_error *prof_family_apply(
	struct prof_family *family, const struct prof_perf_task *task) PROF_MUST_CHECK;

/* THREAD has ended, and is not needed any more: nor is its process, if it was the last of it. */
void prof_family_remove(struct prof_family *family, struct prof_member_thread *thread);

/* The number of processes of FAMILY that go on and that nobody else samples. */
size_t prof_family_living(const struct prof_family *family);

#endif
