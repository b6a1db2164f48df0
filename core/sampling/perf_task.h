/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What the kernel reports of processes in the ring of a perf event: which are made and end, what
 * they execute and map; see perf_event_open(2).
 *
 * The event has sample_id_all, and in its sample_type PERF_SAMPLE_TID, PERF_SAMPLE_TIME and
 * PERF_SAMPLE_CPU, not PERF_SAMPLE_IP and none of what stands behind PERF_SAMPLE_CPU in such an id.
 */
#ifndef PROF_SAMPLING_PERF_TASK_H
#define PROF_SAMPLING_PERF_TASK_H

#include "target/maps.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_event_header;

enum prof_perf_task_kind {
	PROF_PERF_TASK_OTHER,
	PROF_PERF_TASK_MADE,     /* a thread, the first of a process if that is not the maker's */
	PROF_PERF_TASK_ENDED,    /* a thread */
	PROF_PERF_TASK_NAMED,    /* a thread */
	PROF_PERF_TASK_EXECUTED, /* a process executes a program, whose name is the thread's now */
	PROF_PERF_TASK_MAPPED,   /* code */
	PROF_PERF_TASK_COUNTED,  /* what an event has counted for a thread that ends */
};

struct prof_perf_task {
	enum prof_perf_task_kind kind;
	int64_t time;                /* ns, by the clock of the event */
	pid_t process, thread;       /* the kernel's ids */
	pid_t maker;                 /* the process whose thread made it */
	pid_t maker_thread;          /* that thread */
	const char *name;            /* in the record */
	struct prof_mapping mapping; /* its path is in the record */
	int64_t count;               /* of PROF_PERF_TASK_COUNTED: ns of CPU time */
};

/* ns, by the clock of the event, of the record at HEADER; 0: the record is malformed. */
int64_t prof_perf_task_time(const struct perf_event_header *header);

/* Parses the record at HEADER.  Returns false if it is malformed. */
bool prof_perf_task_parse(const struct perf_event_header *header, struct prof_perf_task *ret);

#endif
