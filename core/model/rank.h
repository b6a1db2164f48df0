/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Ranks: the processes of a parallel job, as `mpirun` or `srun` starts it.  Each is recorded by a
 * GDB of its own; the experiments are added up afterwards.
 *
 * The threads and the marks of an experiment that was added stand behind those that were there.  So
 * a rank has the threads from its first one up to that of the next rank, and likewise the marks.
 */
#ifndef PROF_MODEL_RANK_H
#define PROF_MODEL_RANK_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_experiment;

/* The rank of what is in no job. */
enum { PROF_RANK_NONE = -1 };

struct prof_rank {
	int64_t rank;      /* from 0 on, or PROF_RANK_NONE */
	int64_t size;      /* how many ranks the job has; 0: not known */
	uint32_t launcher; /* string: what started the job, "Open MPI" */
	uint32_t job;      /* string: what the launcher calls the job; "" if not known */
	uint32_t host;     /* string: the name of the machine */
	uint32_t kernel;   /* string: the boot ID of its kernel; "" if not known */
	uint32_t
		first_thread; /* threads from that number on; no less than that of the row before */
	uint32_t first_mark;  /* marks likewise */
	/* The clocks of the machine at the experiment's start, 0 if not known. */
	int64_t monotonic; /* ns of CLOCK_MONOTONIC */
	int64_t realtime;  /* ns since 1970 */
};

/* A rank that is recorded now; the texts are borrowed. */
struct prof_rank_request {
	int64_t rank, size;
	const char *launcher, *job, *host, *kernel;
	int64_t monotonic, realtime;
};

/* What follows in EXPERIMENT, threads and marks, belongs to the rank that REQUEST describes. */
struct prof_error *prof_rank_add(struct prof_experiment *experiment,
	const struct prof_rank_request *request) PROF_MUST_CHECK;

/* The row of EXPERIMENT's ranks that THREAD, or MARK, is of; NULL: it is in no job. */
const struct prof_rank *prof_rank_of_thread(
	const struct prof_experiment *experiment, uint32_t thread);
const struct prof_rank *prof_rank_of_mark(const struct prof_experiment *experiment, uint32_t mark);

/* Is there any rank in EXPERIMENT? */
bool prof_rank_any(const struct prof_experiment *experiment);

/* Adds "rank 3: ", which stands before the name of what is RANK's; nothing if it is NULL. */
void prof_rank_print(const struct prof_rank *rank, struct prof_text *text);

/* A stretch of time, in ns since an experiment's start. */
struct prof_rank_stretch {
	int64_t first, last;
};

/*
 * Are the ranks of INTO and of FROM different ones of the same job?  Then *SHIFT, in ns, has to be
 * added to times of FROM so that what was at the same time in both has the same time in INTO.
 *
 * The clock of one machine has that exactly, the calendars of different machines as well as they
 * agree.  Where the launcher gives jobs no names, experiments are of one job if its launcher and
 * size are the same, and their times overlap: INTO_TIMES and FROM_TIMES, in ns, 0 of which is in
 * them.
 */
bool prof_rank_align(const struct prof_experiment *into, struct prof_rank_stretch into_times,
	const struct prof_experiment *from, struct prof_rank_stretch from_times, int64_t *shift);

/* Adds the ranks of FROM, whose times were moved by SHIFT, to INTO, where its threads and marks are
 * those from FIRST_THREAD and FIRST_MARK on. */
struct prof_error *prof_rank_merge(struct prof_experiment *into, const struct prof_experiment *from,
	uint32_t first_thread, uint32_t first_mark, int64_t shift) PROF_MUST_CHECK;

#endif
