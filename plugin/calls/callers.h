/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Counts of calls, by process, function and caller, on their way to the recorder.
 *
 * They are put into the queue now and then: the file of a killed GDB has the counts until the last
 * time.
 */
#ifndef PROF_PLUGIN_CALLS_CALLERS_H
#define PROF_PLUGIN_CALLS_CALLERS_H

#include "model/arc_kind.h"
#include "target/target.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_queue;

/* Begins with none; the counts go to QUEUE, borrowed until callers_end(). */
void callers_begin(struct prof_queue *queue);
void callers_end(void);

/*
 * A process of another machine is 0, and then the only one.
 *
 * Notes KIND, which is not PROF_ARC_CALLS, of the function that is entered at the address CALLEE of
 * PROCESS, which stands still.
 */
void callers_report_kind(pid_t process, uint64_t callee, enum prof_arc_kind kind);

/*
 * The caller of the function at whose entry the selected thread, of PROCESS, stands: a lookup
 * address; 0: none.  REGISTERS are the thread's own; NULL: GDB is asked.
 */
uint64_t callers_find(pid_t process, const struct prof_registers *registers);

/* A call of it, from CALLER, a lookup address or 0, has taken COST ns.  False: no memory. */
bool callers_count(pid_t process, uint64_t callee, uint64_t caller, int64_t cost);

/* CALLS more of it from CALLER have taken no time.  False: no memory. */
bool callers_add(pid_t process, uint64_t callee, uint64_t caller, uint64_t calls);

/* A stop that counts no call has taken COST ns. */
void callers_pay(int64_t cost);

/* Functions of PROCESS were found in the load objects that it has now. */
void callers_note_objects(pid_t process);

/* Load objects come or go: the counts so far are of those that were there. */
void callers_objects_changed(void);

/* Puts all into the queue. */
void callers_report(void);

#endif
