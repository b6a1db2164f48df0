/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The SVG of a communication matrix: how many bytes each rank sent to each other rank. */
#ifndef PROF_PICTURE_MATRIX_H
#define PROF_PICTURE_MATRIX_H

#include "base/text.h"

struct prof_exchanges;

/* Rows and columns: of more ranks, several share a row and a column. */
enum { PROF_MATRIX_MOST = 256 };

/* What is drawn; all of it is borrowed. */
struct prof_matrix {
	const struct prof_exchanges *exchanges;
	const char *title; /* a line; names in it are not trusted */
	const char *notes; /* lines below the matrix */
};

/*
 * Prints into TEXT a row for each sender and a column for each receiver.  The color of a cell is
 * that of its bytes, in steps of equal ratio, 2 or more, below the most; cells without messages are
 * blank.
 */
struct prof_error *prof_matrix_print(
	const struct prof_matrix *matrix, struct prof_text *text) PROF_MUST_CHECK;

#endif
