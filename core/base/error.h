/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Errors are values: a function that can fail returns NULL for success, or an error that its
 * caller owns.  It then has changed nothing that its caller can see.
 */
#ifndef PROF_BASE_ERROR_H
#define PROF_BASE_ERROR_H

#include "base/compiler.h"
#include "base/memory.h"

enum prof_error_code {
	PROF_ERROR_NOMEM,     /* out of memory */
	PROF_ERROR_USAGE,     /* words of the user's are malformed, or exclude each other */
	PROF_ERROR_MISSING,   /* the experiment, the program or the machine has none of that name */
	PROF_ERROR_STATE,     /* not now: something else must be done first, or ended */
	PROF_ERROR_MISMATCH,  /* two things that are given do not fit each other */
	PROF_ERROR_TOO_LARGE, /* a limit is exceeded: less of it would do */
	PROF_ERROR_SYSTEM,    /* the operating system refused: the message says what and why */
	PROF_ERROR_DAMAGED,   /* a file or a record is not what it should be */
	PROF_ERROR_UNSUPPORTED, /* this machine, GDB, program or engine cannot do it */
	PROF_ERROR_INTERRUPTED, /* the user asked to stop */
};

struct prof_error;

/*
 * A new error with a message made as printf() does.  A message is a full sentence that ends in a
 * full stop, without a newline, and names the thing.  Never NULL: without memory it is
 * prof_error_nomem().
 */
struct prof_error *prof_error_create(enum prof_error_code code, const char *format, ...)
	PROF_PRINTF(2, 3) PROF_MUST_CHECK;

/* The error "out of memory", which takes no memory. */
struct prof_error *prof_error_nomem(void) PROF_MUST_CHECK;

/* The error that the user asked to stop, which takes no memory either. */
struct prof_error *prof_error_interrupted(void) PROF_MUST_CHECK;

/* Frees ERROR; NULL is fine. */
void prof_error_destroy(struct prof_error *error);

/* What kind of error ERROR is. */
enum prof_error_code prof_error_code(const struct prof_error *error);

/* Borrowed, valid as long as ERROR. */
const char *prof_error_message(const struct prof_error *error);

/* Destroys *ERROR, for the guard. */
void prof_error_auto(struct prof_error **error);
#define AUTO_ERROR PROF_AUTO(prof_error_auto)

#endif
