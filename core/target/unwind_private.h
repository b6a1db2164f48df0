/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What unwind.c keeps of a process and of a walk, and unwind_diverted.c looks at. */
#ifndef PROF_TARGET_UNWIND_PRIVATE_H
#define PROF_TARGET_UNWIND_PRIVATE_H

#include "base/map.h"
#include "target/cfi.h"
#include "target/diversion.h"
#include "target/return_sites.h"
#include "target/space.h"
#include "target/step.h"
#include "target/unwind.h"
#include "target/window.h"

/* What the cache of addresses has in place of a row. */
#define PROF_ROW_BARE (PROF_NONE - 1)     /* code without call frame information */
#define PROF_ROW_UNMAPPED (PROF_NONE - 2) /* no code */
/* No code, just before a function: no call returns there. */
#define PROF_ROW_PLANTED (PROF_NONE - 3)

struct prof_unwinder {
	struct prof_target target;
	struct prof_target plain; /* TARGET as it is, if DIVERSION changes what is read */
	const struct prof_diversion *diversion; /* NULL: no return is diverted */
	struct prof_window shadows;             /* on PLAIN */
	struct prof_return_sites sites;
	const struct prof_arch *arch;
	struct prof_space space;
	struct prof_cfi_rows rows;
	struct prof_map cache; /* lookup address -> index in ROWS, or one of the values above */
	struct prof_window window;
	bool stale;      /* the maps must be read before they are used */
	bool frozen;     /* the maps must not be read */
	int64_t read_ns; /* when they were last read */
	bool guessed;    /* the last walk met code that nothing describes */
};

struct prof_unwind_walk {
	struct prof_unwinder *unwinder;
	struct prof_stepper stepper;
	struct prof_registers registers;
	uint64_t lookup; /* of the frame with these registers */
	uint32_t row;    /* for LOOKUP */
	bool exact;      /* LOOKUP is the program counter itself */
	unsigned backward;
};

/* The index of the row for the lookup address ADDRESS; or PROF_ROW_BARE, or another one of these.
 */
uint32_t prof_unwinder_row(struct prof_unwinder *unwinder, uint64_t address);

/* Takes the step that fits the code of WALK's frame.  *SIGNAL is set if it is a signal frame. */
enum prof_step prof_unwind_walk_step(struct prof_unwind_walk *walk, bool *signal);

/* Finds the true return address of the step that WALK has made in a copy of a stack.  False: it is
 * not known. */
bool prof_unwind_walk_undivert(struct prof_unwind_walk *walk);

#endif
