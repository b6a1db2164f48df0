/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions whose calls are counted, as --count names them: found in what is loaded, and met at
 * breakpoints where they are entered.  A function that is chosen when the program runs (an IFUNC)
 * is found by the function that chooses it, its resolver.
 */
#ifndef PROF_PLUGIN_CALLS_COUNTED_FUNCTIONS_H
#define PROF_PLUGIN_CALLS_COUNTED_FUNCTIONS_H

#include "base/error.h"
#include "base/text.h"
#include "target/target.h"

#include <stdbool.h>
#include <sys/types.h>

struct call_breakpoint;

/* Begins with those of LIST, words with commas between them. */
struct prof_error *counted_functions_begin(const char *list) PROF_MUST_CHECK;

/* Forgets them.  May be called twice. */
void counted_functions_end(void);

/*
 * Sets breakpoints at those that have none yet.  Without a process it only looks whether there are
 * such functions.  RECORDED is the process for callers.h; NATIVE: memory can be read past GDB.
 */
void counted_functions_find(pid_t recorded, bool native);

/* Tries again to count all functions of load objects, where that was not possible. */
void counted_functions_retry(void);

/* The function NAME is called too often: sets no breakpoint there any more. */
void counted_functions_refuse(const char *name);

/*
 * THREAD of PROCESS, with REGISTERS, has come to POINT, of a resolver: finds out where the resolver
 * returns to, or what it returns.  This happens before the chosen function is called for the first
 * time.
 */
void counted_functions_resolve(struct call_breakpoint *point, pid_t process, pid_t thread,
	const struct prof_registers *registers);

/* Adds those that do not exist, in sentences; ENDED: no more calls will be counted. */
void counted_functions_say(struct prof_text *text, bool ended);

#endif
