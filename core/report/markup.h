/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How the text of a view looks on a screen: names as long as there is room for, lines that fit.
 *
 * Views print names with marks around them, which are control characters that no name has when
 * prof_text_name() has printed it.  When a view is complete, prof_markup_print() replaces the
 * marks.
 */
#ifndef PROF_REPORT_MARKUP_H
#define PROF_REPORT_MARKUP_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum prof_names {
	PROF_NAMES_DEFAULT, /* short on a screen, and full elsewhere */
	PROF_NAMES_FULL,
	PROF_NAMES_SHORT,
	PROF_NAMES,
};

/* The words for them from PROF_NAMES_FULL on. */
extern const char *const prof_names_words[PROF_NAMES - PROF_NAMES_FULL];

/* What is marked. */
enum prof_markup_kind {
	PROF_MARKUP_NAME = 1, /* of anything: it is made shorter, and cut in its middle */
	PROF_MARKUP_LINE,     /* of source or of instructions: it is cut at its end */
	PROF_MARKUP_FUNCTION, /* the name of a function, or what stands in its place: as a name */
	PROF_MARKUP_FILE, /* a file of source and a line; it is not cut, and so are the others */
	PROF_MARKUP_HOT,  /* a figure that matters */
	PROF_MARKUP_KINDS,
};

/* The longest escape sequence of a style, its NUL included. */
enum { PROF_MARKUP_STYLE = 24 };

/* What takes the place of the marks. */
struct prof_markup {
	enum prof_names names;
	bool screen;    /* a screen shows it */
	size_t columns; /* of the screen; 0: any number */
	/* By kind, a terminal's escape sequence that begins its style; "": none. */
	char styles[PROF_MARKUP_KINDS][PROF_MARKUP_STYLE];
};

/* Begins and ends a marked part of TEXT, within a line. */
void prof_markup_begin(struct prof_text *text, enum prof_markup_kind kind);
void prof_markup_end(struct prof_text *text);

/* Adds NAME, that of a function, as prof_text_name() does, marked as such. */
void prof_markup_name(struct prof_text *text, const char *name);

/* Adds MARKED without its marks, or without those of what is made shorter. */
void prof_markup_strip(struct prof_text *text, const char *marked);
void prof_markup_keep(struct prof_text *text, const char *marked);

/* Adds MARKED as it is to be seen by MARKUP, without marks. */
void prof_markup_print(
	const struct prof_markup *markup, const char *marked, struct prof_text *text);

#endif
