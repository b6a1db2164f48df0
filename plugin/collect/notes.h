/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Notes: what users must know of a recording besides its figures, in sentences. */
#ifndef PROF_PLUGIN_COLLECT_NOTES_H
#define PROF_PLUGIN_COLLECT_NOTES_H

#include "base/error.h"
#include "base/text.h"

/* Notes SENTENCE, which may hold names of files, once. */
void notes_add(const char *sentence);

/* Notes ERROR, which it takes; NULL is fine.  A Ctrl-C is not noted, but comes again. */
void notes_error(struct prof_error *error);

/* All of them, a line each, borrowed until notes_clear(); what is added there is noted too. */
struct prof_text *notes_text(void);

/* Forgets them. */
void notes_clear(void);

#endif
