/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The processes that are traced, or should be: each with its agent, or why it has none. */
#ifndef PROF_PLUGIN_TRACING_TRACED_PROCESSES_H
#define PROF_PLUGIN_TRACING_TRACED_PROCESSES_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct agent;
struct agent_request;
struct mpi_settings;
struct prof_ring_clock;

struct traced_process {
	pid_t process;       /* the kernel's id */
	struct agent *agent; /* NULL: it has none */
	char *refusal;       /* why it is not traced, a sentence; NULL: it may be */
	bool gone;           /* GDB has let go of it, or is about to */
};

/* The one numbered INDEX, from 0 on, borrowed until one is added or removed; NULL: there are no
 * more. */
struct traced_process *traced_processes_at(size_t index);

/* The one of PROCESS, borrowed likewise; NULL: it is none. */
struct traced_process *traced_processes_find(pid_t process);

/* The same, new if it was none; NULL: out of memory. */
struct traced_process *traced_processes_find_or_add(pid_t process);

/* Forgets TRACED; the pointers to others are not valid any more. */
void traced_processes_remove(struct traced_process *traced);

/* Forgets all. */
void traced_processes_end(void);

/*
 * TRACED is not traced because of ERROR, which is taken; NULL: nothing happens.  If TRACED is NULL,
 * the error becomes a note.
 */
void traced_process_refuse(struct traced_process *traced, struct prof_error *error);

/* If PROCESS is a child that was made with the redirections of a traced parent, it is traced now.
 */
void traced_processes_inherit(pid_t process);

/* The load objects of processes have changed: redirects calls of the new ones, and drops agents of
 * processes that have executed another program. */
void traced_processes_update(void);

/* Reports all that the agents have recorded. */
void traced_processes_report(void);

/* Has the agents record, or not. */
void traced_processes_record(bool recording);

/* Adds why some processes are not traced; returns whether there are any. */
bool traced_processes_say_refusals(struct prof_text *text);

/*
 * Adds what is traced by agents, in sentences: WANTED is the request to them, MPI the settings of
 * its buffer, and CLOCK, which is adjusted, that of their times.  False: no process is traced, and
 * nothing is added.
 */
bool traced_processes_say(const struct agent_request *wanted, struct prof_ring_clock *clock,
	const struct mpi_settings *mpi, struct prof_text *text);

#endif
