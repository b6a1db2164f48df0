/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The builder of an experiment: puts queued messages, one after the other, into it. */
#ifndef PROF_RECORDING_EXPERIMENT_BUILDER_H
#define PROF_RECORDING_EXPERIMENT_BUILDER_H

#include "base/map.h"
#include "base/memory.h"
#include "recording/coverage.h"

#include <stdbool.h>

struct prof_error;
struct prof_experiment;
struct prof_message;

/* What was called while nobody looked, as a function's name. */
#define PROF_NO_STACK "<No-stack>"

/* What has nothing to do with the program, of counters that count such events. */
#define PROF_APART "<collector_not_program_related>"

/* A load object, where it is mapped now. */
struct prof_experiment_builder_mapping {
	uint64_t low, high; /* first byte, and the byte after the last */
	uint32_t module;    /* of the experiment */
};

/* An address space: that of a process. */
struct prof_experiment_builder_space {
	int64_t process;                                             /* see struct prof_look */
	PROF_ARRAY(struct prof_experiment_builder_mapping) mappings; /* by address */
	struct prof_map frames; /* address -> frame, as the mappings are now */
	/* Code of the agent, which nobody has called: its frames are left out of stacks. */
	uint64_t agent_low, agent_high;
};

/* What is known of the thread that the kernel's id leads to. */
struct prof_experiment_builder_thread {
	uint32_t thread; /* of the experiment */
	/*
	 * The paths of its last looks with a stack: [0] on a CPU, [1] asleep; 0: none since a stop
	 * or a mark.
	 */
	uint32_t paths[2];
	bool muted;      /* its looks are no samples */
	bool ended;      /* prof_experiment_builder_forget() did not find it, and none came since */
	int64_t process; /* whose it is; 0: not known */
};

/* What is known of the totals of one reader. */
struct prof_experiment_builder_reader {
	uint64_t number;             /* the reader's, as in its messages */
	PROF_ARRAY(uint32_t) totals; /* by number of the total: its traced row; PROF_NONE: none */
	uint32_t heap;               /* row of the experiment's heaps; PROF_NONE: none yet */
};

/* A counter that a message has announced. */
struct prof_experiment_builder_counter {
	uint32_t event; /* of the experiment */
	bool apart;     /* see struct prof_counter */
};

/* A call that goes on.  Times are in ns, without those in which its thread stood still. */
struct prof_experiment_builder_call {
	uint32_t path;
	int64_t begun, turned; /* see experiment_builder_calls.c */
	int64_t stood;         /* its thread, before the call */
};

/* A thread whose calls are recorded. */
struct prof_experiment_builder_caller {
	PROF_ARRAY(struct prof_experiment_builder_call) open; /* the innermost last */
	int64_t stood; /* ns for which it stood still so far */
	int64_t time;  /* of the last event, without these */
};

/* A sample that looks can be added to. */
struct prof_experiment_builder_open {
	size_t sample; /* its number */
	int64_t begin; /* ns since the experiment's start, of the stretch that it stands for */
};

/* To begin, all members are zero except the experiment. */
struct prof_experiment_builder {
	struct prof_experiment *experiment; /* borrowed */
	PROF_ARRAY(struct prof_experiment_builder_space) spaces;
	uint32_t kernel; /* its module, in all of them; 0: not reported */
	PROF_ARRAY(struct prof_experiment_builder_thread) tracked;
	struct prof_map threads; /* the kernel's id -> tracked */
	int64_t process;         /* the first that a message names; 0: none yet */
	bool several; /* there was another, or may be: the experiment then keeps the process of each
			 thread */
	PROF_ARRAY(struct prof_experiment_builder_reader) readers;
	PROF_ARRAY(struct prof_experiment_builder_counter) counters; /* by number */
	PROF_ARRAY(struct prof_experiment_builder_caller) callers;
	struct prof_map caller_index; /* the kernel's id -> callers */
	PROF_ARRAY(struct prof_experiment_builder_open) open;
	struct prof_map open_index;    /* hash of what looks must be like -> open */
	struct prof_coverage coverage; /* ns of CLOCK_MONOTONIC: when a process went on */
	double rounds;                 /* in that time */
};

/* Frees what BUILDER holds, not the experiment. */
void prof_experiment_builder_deinit(struct prof_experiment_builder *builder);

/*
 * Forgets the threads that have ended before the last call, as LIVES says by their ids, and of
 * which no message came since: those of tracing may come after a thread's end.  A later message is
 * of a new thread.
 */
void prof_experiment_builder_forget(
	struct prof_experiment_builder *builder, bool (*lives)(int64_t id));

/* Puts MESSAGE with its DATA into the experiment; times become relative to its start. */
struct prof_error *prof_experiment_builder_add(struct prof_experiment_builder *builder,
	const struct prof_message *message, const void *data) PROF_MUST_CHECK;

#endif
