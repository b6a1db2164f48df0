/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stops of the engine stop that are handed over to GDB, so that it walks the stack as well: every
 * Nth sample, to compare (`set prof verify N`), and stacks that call frame information does not
 * describe where GDB may know more of them (JIT compilers, unwinders in Python).
 *
 * The engine lets waitpid() return such a stop.  A catchpoint for the tick's signal has the
 * condition $_prof_tick(), which walks with GDB's frames and answers 0, so that GDB has the thread
 * go on.  The catchpoint is there only while it is needed.  One stop is handed over at a time.
 */
#ifndef PROF_PLUGIN_ENGINE_HANDOVER_H
#define PROF_PLUGIN_ENGINE_HANDOVER_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

struct engine_request;
struct prof_stack;
struct prof_walker;

/*
 * Begins, with the members verify and fall_back of REQUEST.  After an error it is as after the end.
 */
struct prof_error *handover_start(const struct engine_request *request) PROF_MUST_CHECK;

/* Ends; a stop that is still handed over stays so until handover_take(). */
void handover_stop(void);

/* The process is about to go on, or GDB has got to know other code: learns what GDB knows. */
void handover_look(void);

/* While it runs, it was met in code of no file: the same, if that may give GDB's walk more to do.
 */
void handover_learn(void);

/*
 * THREAD was stopped by a tick that was SIGNAL, and has STACK: true if GDB must see the stop.
 * Calls neither Python nor GDB.
 */
bool handover_give(pid_t thread, int signal, const struct prof_stack *stack);

/* GDB learns from waitpid() that THREAD has stopped. */
void handover_reported(pid_t thread);

/*
 * Is THREAD handed over, stopped by SIGSTOP, and does GDB not know it yet?  GDB will take that for
 * the SIGSTOP that it is about to send: a second one would show.
 */
bool handover_stands_in(pid_t thread);

/* The thread that is handed over, or 0. */
pid_t handover_thread(void);

/*
 * The thread that is handed over is gone when GDB calls ptrace() with REQUEST, ADDRESS and DATA:
 * true if there is an answer for GDB all the same, *RESULT.
 */
bool handover_answer(long request, void *address, void *data, long *result);

/*
 * In $_prof_tick(), the thread that is handed over being selected: walks it both ways.  True: by
 * GDB's walk there is code in the stack that is of no file.
 */
bool handover_walk(struct prof_walker *walker);

/*
 * In $_prof_tick(), with a selected THREAD that is not handed over: should GDB stop for its signal?
 * The catchpoint hides from GDB what `handle` has set for it.
 */
bool handover_stops(pid_t thread);

/* The thread goes on, or is no more: none is handed over now.  Returns its stack, borrowed. */
const struct prof_stack *handover_take(void);

/* Adds the results, in sentences. */
void handover_say(struct prof_text *text);

#endif
