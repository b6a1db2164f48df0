/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text that grows: what views are printed into. */
#ifndef PROF_BASE_TEXT_H
#define PROF_BASE_TEXT_H

#include "base/error.h"
#include "base/progress.h"

/*
 * All zeroes is the empty text.  `failed` remembers that memory was short, the bound was exceeded
 * or the user has interrupted: printing need not be checked at each step, because prof_text_error()
 * returns the error at the end.
 */
/* The most bytes of a text: browsers, and other tools that show texts, cannot hold more. */
enum { PROF_TEXT_SHOWN = 1 << 28 };

struct prof_text {
	char *bytes; /* NUL at [length], or NULL while nothing was added */
	size_t length, capacity;
	size_t most; /* bytes that it may have: a small file can make a large text; 0: any number */
	bool failed, full, interrupted;
	const struct prof_progress
		*progress; /* gets the length now and then; NULL: nobody asks for it */
	size_t reported;   /* the length that PROGRESS got last */
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

/* The same, but valid UTF-8 stays as it is: for files that no terminal shows. */
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
