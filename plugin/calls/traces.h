/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions whose calls are traced with what they are given, as prof-trace asks for them, on
 * their way to the agent (struct prof_trace in tracing/ring.h).
 */
#ifndef PROF_PLUGIN_CALLS_TRACES_H
#define PROF_PLUGIN_CALLS_TRACES_H

#include "base/error.h"
#include "base/text.h"
#include "recording/told.h"
#include "tracing/hook.h"
#include "tracing/ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked for; all borrowed. */
struct traces_request {
	const char *const *functions; /* as `break` knows them */
	size_t count;
	const char *prototype; /* of all of them; NULL: debug information has it */
	const char *values;    /* "1:size,returned:bytes"; NULL: none */
	int64_t limit;         /* ns: a call that takes longer is recorded */
};

/*
 * Adds what REQUEST asks for, or, if that is not right, nothing.  Functions that GDB does not know
 * yet are looked for when the program is there.
 */
struct prof_error *traces_add(const struct traces_request *request) PROF_MUST_CHECK;

/* How many there are. */
size_t traces_count(void);

/*
 * Fills in what the agent is asked for, from the trace number FIRST on, as many as there is room
 * for up to PROF_TRACES; CLOCK_RATE is how many clock units make a ns.  Returns the number of all.
 * What can't be traced gets no signature, and it is noted why.
 */
uint32_t traces_fill(struct prof_trace traces[PROF_TRACES], uint32_t first, double clock_rate);

/* Fills in, of HOOK, what the trace TRACE records of its calls, as last told to an agent. */
void traces_describe(size_t trace, struct prof_traced_hook *hook);

/* The agent has found the function of the trace TRACE at ADDRESS, or not at all if that is 0. */
void traces_resolve(size_t trace, uint64_t address);

/* Where the values of a trace are when its function is entered, or left. */
struct traces_places {
	struct prof_traced_hook hook;  /* the values that registers tell; others are left out */
	int registers[PROF_ARGUMENTS]; /* of each: its DWARF number */
	bool returned[PROF_ARGUMENTS]; /* it is there when the function is left */
	bool whole;                    /* none was left out */
};

/* Those of the trace TRACE, of which the function is known. */
void traces_find_places(size_t trace, struct traces_places *ret);

/* A call of the trace TRACE has to take longer than so many ns to be recorded. */
int64_t traces_limit(size_t trace);

/* The name of the trace TRACE as it was asked for, and where its function is entered; 0: unknown.
 */
const char *traces_name(size_t trace);
uint64_t traces_address(size_t trace);

/* Notes that the agent does not trace the function of TRACE, unless it is noted why. */
void traces_refused(size_t trace);

/*
 * Notes that the calls of the trace TRACE, whose function is called through no table, are met at
 * breakpoints, if that CAN be.
 */
void traces_visited(size_t trace, bool can);

/* Adds a list of them. */
void traces_list(struct prof_text *text);

/* Forgets them. */
void traces_end(void);

#endif
