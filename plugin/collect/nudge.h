/*
 * Lets one thread go on a little, to an address, while GDB has it, and all others of its process,
 * stand still, and does not know.  GDB's own breakpoints are not there meanwhile; this puts its own
 * in their places.
 */
#ifndef PROF_PLUGIN_COLLECT_NUDGE_H
#define PROF_PLUGIN_COLLECT_NUDGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum nudge_end {
	NUDGE_REACHED, /* it stands at the address */
	NUDGE_MET,     /* it came to one of the other places first, and stands there */
	NUDGE_SIGNAL,  /* a signal came that GDB would have shown: it is still to be delivered */
	NUDGE_LATE,    /* it did not come there in time, and stands somewhere */
	NUDGE_LOST,    /* it has ended */
};

struct nudge {
	pid_t process, thread;
	uint64_t address;
	const uint64_t *others; /* OTHERS_COUNT addresses */
	size_t others_count;
	bool told;     /* GDB has told the user where it stands, be it one of these */
	int64_t limit; /* ns */
	int signal;    /* of NUDGE_SIGNAL */
};

/* Signals that are not silently passed on to the program end it: see NUDGE_SIGNAL. */
struct prof_error *nudge_run(struct nudge *nudge, enum nudge_end *ret) PROF_MUST_CHECK;

#endif
