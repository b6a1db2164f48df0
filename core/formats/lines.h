/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lines of a text file that is imported, one after the other. */
#ifndef PROF_FORMATS_LINES_H
#define PROF_FORMATS_LINES_H

#include "base/memory.h"
#include "base/progress.h"
#include "formats/part.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_lines {
	const char *path;      /* of the file; borrowed */
	struct prof_part line; /* the one at hand, without its end; valid until the next one */
	uint64_t number;       /* of the line, from 1 */

	/* Private part. */
	int fd;
	bool open, ended;               /* there is FD; nothing follows what BYTES has */
	PROF_ARRAY(char) bytes;         /* of the file, with the line at hand among them */
	size_t at;                      /* of them, where the next line begins */
	uint64_t done, total, reported; /* bytes */
};

/* Opens the file PATH, before its first line. */
struct prof_error *prof_lines_open(struct prof_lines *lines, const char *path) PROF_MUST_CHECK;

/* Frees what LINES holds; all zeroes is fine. */
void prof_lines_close(struct prof_lines *lines);
#define AUTO_LINES PROF_AUTO(prof_lines_close)

/*
 * Reads all lines except blank ones and comments, which begin with '#'.  Calls TAKE with CONTEXT
 * for each, without blanks at its end, until it fails.
 */
struct prof_error *prof_lines_read(struct prof_lines *lines, const struct prof_progress *progress,
	struct prof_error *(*take)(void *context), void *context) PROF_MUST_CHECK;

/* The error that the file is damaged: its line at hand does what FORMAT says, "has no weight". */
struct prof_error *prof_lines_damaged(const struct prof_lines *lines, const char *format, ...)
	PROF_PRINTF(2, 3) PROF_MUST_CHECK;

/*
 * For probes: finds the next line in LENGTH BYTES that is neither blank nor a comment, from *AT on.
 * Returns its size without blanks at its end, with its begin in *LINE, and moves *AT behind it; 0:
 * there is none.
 */
size_t prof_lines_cut(const char *bytes, size_t length, size_t *at, const char **line);

/* How many of SIZE bytes of a line an error shows, for "%.*s": not all where they are many. */
int prof_lines_shown(size_t size);

/* Places of seconds that count: a time is in ns. */
enum { PROF_LINES_SECONDS = 9 };

/*
 * Reads TEXT of LENGTH bytes, a decimal of which up to PLACES places count, as 10^PLACES times its
 * value.  If PLACES is 0, it has no point.  False: it is not such a number, or more than MOST.
 */
bool prof_lines_number(const char *text, size_t length, int places, int64_t most, int64_t *ret);

#endif
