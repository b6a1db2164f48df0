/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions whose calls prof-trace records with their values, on their way to the agent (struct
 * prof_traced_function in tracing/ring.h).
 */
#ifndef PROF_PLUGIN_CALLS_TRACED_FUNCTIONS_H
#define PROF_PLUGIN_CALLS_TRACED_FUNCTIONS_H

#include "base/error.h"
#include "base/text.h"
#include "recording/traced_message.h"
#include "tracing/hook.h"
#include "tracing/ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What is asked for; all borrowed. */
struct traced_functions_request {
	const char *const *functions; /* as `break` knows them */
	size_t count;                 /* of the functions */
	const char *prototype;        /* of all of them; NULL: debug information has it */
	const char *values;           /* "1:size,returned:bytes"; NULL: none */
	int64_t limit;                /* ns: a call that takes longer is recorded */
};

/*
 * Adds what REQUEST asks for, or, if that is not right, nothing.  Functions that GDB does not know
 * yet are looked for when the program is there.
 */
struct prof_error *traced_functions_add(
	const struct traced_functions_request *request) PROF_MUST_CHECK;

/* How many there are. */
size_t traced_functions_count(void);

/*
 * Fills in the request to the agent, from the function number FIRST on, as many as there is room
 * for up to PROF_TRACED_FUNCTIONS; CLOCK_RATE is how many clock units make a ns.  Returns the
 * number of all. A function that cannot be traced gets no signature, and a note why.
 */
uint32_t traced_functions_fill(struct prof_traced_function functions[PROF_TRACED_FUNCTIONS],
	uint32_t first, double clock_rate);

/* Fills in HOOK with what is recorded of calls of the function NUMBER, as an agent last got it. */
void traced_functions_describe(size_t number, struct prof_traced_hook *hook);

/*
 * The agent in PROCESS, which stands still, has found the function NUMBER at ADDRESS, or not at all
 * if that is 0.
 */
void traced_functions_resolve(size_t number, pid_t process, uint64_t address);

/* Where the values of a traced function's calls are when it is entered, or left. */
struct traced_places {
	struct prof_traced_hook hook;  /* the values that registers hold; others are left out */
	int registers[PROF_ARGUMENTS]; /* of each: its DWARF number */
	bool returned[PROF_ARGUMENTS]; /* it is there when the function is left */
	bool whole;                    /* none was left out */
};

/* Finds the places of the function NUMBER, which is known. */
void traced_functions_find_places(size_t number, struct traced_places *ret);

/* The ns that a call of the function NUMBER must exceed to be recorded. */
int64_t traced_functions_limit(size_t number);

/* The name of the function NUMBER as it was asked for, borrowed until traced_functions_end(), and
 * where it is entered; 0: unknown. */
const char *traced_functions_name(size_t number);
uint64_t traced_functions_address(size_t number);

/* Notes that the agent does not trace the function NUMBER, unless there is a note why. */
void traced_functions_refused(size_t number);

/*
 * Notes that the calls of the function NUMBER, which is called through no table, are met at
 * breakpoints, if they CAN be.
 */
void traced_functions_visited(size_t number, bool can);

/* Adds a list of them. */
void traced_functions_list(struct prof_text *text);

/* Forgets them. */
void traced_functions_end(void);

#endif
