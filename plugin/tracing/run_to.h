/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Lets one thread go on a little, to an address, while GDB has it and all others of its process
 * stand still, and does not know.  GDB's own breakpoints are not there meanwhile; this puts its own
 * in their places.
 */
#ifndef PROF_PLUGIN_TRACING_RUN_TO_H
#define PROF_PLUGIN_TRACING_RUN_TO_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum run_to_end {
	RUN_TO_REACHED, /* it stands at the address */
	RUN_TO_MET,     /* it came to one of the other places first, and stands there */
	RUN_TO_SIGNAL,  /* a signal came that GDB would have shown: it is still to be delivered */
	RUN_TO_LATE,    /* it did not come there in time, and stands somewhere */
	RUN_TO_LOST,    /* it has ended */
	RUN_TO_HELD,    /* it has stopped by a signal, which comes first: it did not go on */
};

struct run_to {
	pid_t process, thread;
	uint64_t address;       /* where it should come */
	const uint64_t *others; /* OTHERS_COUNT addresses */
	size_t others_count;    /* of the other places */
	bool reported;          /* GDB has shown the user that it stands, even at one of these */
	int64_t limit;          /* ns */
	int signal;             /* of RUN_TO_SIGNAL */
};

/* Signals that are not silently passed on to the program end it: see RUN_TO_SIGNAL. */
struct prof_error *run_to(struct run_to *way, enum run_to_end *ret) PROF_MUST_CHECK;

#endif
