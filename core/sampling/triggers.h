/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The triggers of a process's overflows: the instruction that has caused each, and the address of
 * the data that it accessed.
 *
 * If the CPU or the kernel reports them, these are taken; otherwise they are searched for in the
 * machine code, and computed from registers that have not changed since.  For one thread at a time.
 */
#ifndef PROF_SAMPLING_TRIGGERS_H
#define PROF_SAMPLING_TRIGGERS_H

#include <stdint.h>

struct prof_counter;
struct prof_look;
struct prof_perf_record;
struct prof_walker;

struct prof_triggers;

/* For the process of WALKER, which is borrowed.  NULL: no memory. */
struct prof_triggers *prof_triggers_create(struct prof_walker *walker);

/* NULL is fine. */
void prof_triggers_destroy(struct prof_triggers *triggers);

/*
 * Fills in what LOOK reports of the trigger of RECORD, an overflow of COUNTER, which is the number
 * that LOOK has.  *PC is where the thread was interrupted, and becomes the instruction that was
 * found.
 */
void prof_triggers_find(struct prof_triggers *triggers, const struct prof_perf_record *record,
	const struct prof_counter *counter, struct prof_look *look, uint64_t *pc);

#endif
