/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A counter: a hardware, software or trace event whose overflows make samples.
 *
 * Each INTERVAL events the kernel samples the thread that has caused the last one.  A sample stands
 * for INTERVAL events; how often a counter overflows, times that, is what is shown.
 */
#ifndef PROF_SAMPLING_COUNTER_H
#define PROF_SAMPLING_COUNTER_H

#include "base/error.h"
#include "base/memory.h"
#include "model/access.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stdint.h>

/* The most counters of a recording, and the largest interval of one. */
enum { PROF_COUNTERS = 8 };
#define PROF_COUNTER_LONGEST INT64_C(1000000000000)

struct prof_counter {
	char *name;                        /* as the user wrote it, without register and interval */
	uint32_t type;                     /* these as in struct perf_event_attr */
	uint64_t config, config1, config2; /* likewise */
	uint8_t precise;                   /* likewise: precise_ip */
	bool exclude_user, exclude_kernel; /* likewise: what the name itself leaves out */
	enum prof_counter_unit unit;
	bool hardware;  /* it takes a register of the CPU */
	bool kernel;    /* its events happen in the kernel: exclude_kernel would leave none */
	int reg;        /* the register that was asked for; negative: any */
	uint8_t access; /* enum prof_access: what accesses to memory it counts */
	bool restarts;  /* a sample is at the instruction itself, which has not been executed yet */
	bool search;    /* the instruction and the data address of each event are looked for */
	bool apart;     /* its events have nothing to do with the program: no stacks */
	int64_t interval; /* events, 1 to PROF_COUNTER_LONGEST */
};

/* The counters of a recording, in the order in which the user named them. */
struct prof_counters {
	PROF_ARRAY(struct prof_counter) list;
};

/*
 * Reads a list of counters: [+]NAME[/REGISTER][:INTERVAL], with a comma between two.  With + the
 * instruction and the data address of each event are looked for.  INTERVAL is a number, or hi, on
 * or lo: a tenth of the counter's default interval, the default, or ten times as much.  NAME may
 * have colons itself.  A counter that is unknown, that this machine cannot count, or not together
 * with the others, is an error that says why.
 *
 * The kernel chooses the registers: REGISTER is checked only, so that what the Collector refuses is
 * refused here too.
 */
struct prof_error *prof_counters_read(const char *text, struct prof_counters *ret) PROF_MUST_CHECK;

/* Frees what COUNTERS holds; all zeroes is fine. */
void prof_counters_deinit(struct prof_counters *counters);

#endif
