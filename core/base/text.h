/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text that grows: what views are printed into. */
#ifndef PROF_BASE_TEXT_H
#define PROF_BASE_TEXT_H

#include "base/error.h"
#include "base/progress.h"

/*
 * All zeroes is the empty text.  Running out of memory, over its bound, or being interrupted is
 * remembered in `failed`, so that printing needs no check at each step: prof_text_error() at the
 * end tells.
 */
/* Bytes: browsers, and other tools that show texts, hold none that is larger. */
enum { PROF_TEXT_SHOWN = 1 << 28 };

struct prof_text {
	char *bytes; /* NUL at [length], or NULL while nothing was added */
	size_t length, capacity;
	size_t most; /* bytes that it may have: a small file can make a large text; 0: any number */
	bool failed, full, interrupted;
	const struct prof_progress
		*progress; /* gets the length now and then; NULL: nobody asks for it */
	size_t told;       /* the length that PROGRESS got last */
};

void prof_text_deinit(struct prof_text *text);

/* Adds what printf() would print. */
void prof_text_print(struct prof_text *text, const char *format, ...) PROF_PRINTF(2, 3);

/* Adds LENGTH bytes. */
void prof_text_bytes(struct prof_text *text, const char *bytes, size_t length);

/* Adds NUMBER spaces; none where it is not positive. */
void prof_text_spaces(struct prof_text *text, long number);

/*
 * Adds PROSE, indented by INDENT spaces, in lines that fit a terminal of 80 columns.  A blank line
 * in it begins a paragraph, and a line that begins with "- " an item of a list; all other white
 * space only separates words.  There is no newline at the end.
 */
void prof_text_prose(struct prof_text *text, int indent, const char *prose);

/*
 * Adds NAME so that a terminal shows it and obeys nothing in it: bytes that are no valid UTF-8,
 * control characters (C0, DEL, C1) and those that turn the writing direction become \xNN or
 * \uNNNN.  Names come from programs and files, and are not to be trusted.
 */
void prof_text_name(struct prof_text *text, const char *name);

/* The same, but NAME is as it is if it is valid UTF-8: for files that are not shown to anybody. */
void prof_text_utf8(struct prof_text *text, const char *name);

/* Are the LENGTH bytes at TEXT the WORD? */
bool prof_text_is(const char *word, const char *text, size_t length);

/* The number of columns that NAME takes when printed by prof_text_name(). */
size_t prof_text_width(const char *name);

/* NULL, out of memory, interrupted, or that it would be larger than its bound. */
struct prof_error *prof_text_error(const struct prof_text *text) PROF_MUST_CHECK;

/* The bytes, never NULL, borrowed. */
const char *prof_text_get(const struct prof_text *text);

/* Frees TEXT's bytes, for the guard. */
#define AUTO_TEXT PROF_AUTO(prof_text_deinit)

#endif
