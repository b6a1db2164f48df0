/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a counter counts. */
#ifndef PROF_MODEL_UNIT_H
#define PROF_MODEL_UNIT_H

enum prof_counter_unit {
	PROF_COUNTER_EVENTS,
	PROF_COUNTER_CYCLES, /* of a CPU: shown as time */
	PROF_COUNTER_NS,     /* likewise */
	PROF_COUNTER_UNITS,
};

#endif
