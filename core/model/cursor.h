/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A cursor over the rows of an experiment, which unpacks them one by one.
 *
 *	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
 *	while (prof_cursor_next(&rows))
 *		... rows.row ...
 *	return prof_cursor_error(&rows);
 */
#ifndef PROF_MODEL_CURSOR_H
#define PROF_MODEL_CURSOR_H

#include "base/progress.h"
#include "model/sample_row.h"
#include "model/traced_rows.h"

struct prof_experiment;

/* All but the first four are private. */
struct prof_cursor {
	const struct prof_experiment *experiment;
	/* A bit for each block, the lowest first: prof_cursor_next() goes past the rows of others.
	   NULL: to all rows. */
	const unsigned char *blocks;
	const struct prof_progress *progress; /* learns of each step, as DOING; or NULL */
	const char *doing;
	struct prof_sample_row row; /* at hand; values of what is traced are as they are now */
	struct prof_error *error;
	size_t next;   /* the number of the row behind that at hand */
	size_t traced; /* of the traced rows, the first of no earlier sample than NEXT */
	struct prof_traced_rows_place place;
	const unsigned char *at, *end;
	unsigned char *bytes; /* of a block that the experiment does not hold */
	size_t capacity;
};

/* Goes on to the next row, the first one at first.  False: there is none, or an error. */
bool prof_cursor_next(struct prof_cursor *rows);

/*
 * Goes to the row NUMBER, which is there; fast if that is not far behind the one at hand.  NULL: an
 * error.
 */
const struct prof_sample_row *prof_cursor_at(struct prof_cursor *rows, size_t number);

/* Hands over what went wrong, or NULL. */
struct prof_error *prof_cursor_error(struct prof_cursor *rows) PROF_MUST_CHECK;

/* Frees what ROWS holds, for the guard. */
void prof_cursor_deinit(struct prof_cursor *rows);
#define AUTO_CURSOR PROF_AUTO(prof_cursor_deinit)

#endif
