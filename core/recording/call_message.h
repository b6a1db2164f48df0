/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls that begin and end, in messages for the recorder: see queue.h. */
#ifndef PROF_RECORDING_CALL_MESSAGE_H
#define PROF_RECORDING_CALL_MESSAGE_H

#include <stdint.h>

enum prof_call_message_kind {
	PROF_CALL_BEGINS,
	PROF_CALL_RETURNS, /* the innermost call of the thread */
	PROF_CALL_LEFT,    /* a jump or an exception leaves it */
	PROF_CALL_OPEN,    /* it goes on, and what comes of it is not recorded */
	PROF_CALL_STOOD,   /* the thread stood still until now, which is no time of its calls */
};

struct prof_call_message {
	int64_t time; /* ns of CLOCK_MONOTONIC */
	uint64_t
		function; /* of PROF_CALL_BEGINS: its address; of PROF_CALL_STOOD: for so many ns */
	uint32_t kind;    /* enum prof_call_message_kind */
	uint32_t unused;
};

#endif
