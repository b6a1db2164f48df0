/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many columns of a terminal a text takes: one that prof_text_name() has made harmless. */
#ifndef PROF_BASE_COLUMNS_H
#define PROF_BASE_COLUMNS_H

#include <stddef.h>

/*
 * The columns that the LENGTH bytes at TEXT take: two for a wide character, none for a combining
 * one, a control character, or an escape sequence that sets a style.
 */
size_t prof_columns_of(const char *text, size_t length);

/* The bytes at the beginning of TEXT that take no more than COLUMNS columns. */
size_t prof_columns_skip(const char *text, size_t columns);

/* The bytes at the beginning of TEXT that take at least COLUMNS columns, if all of it does. */
size_t prof_columns_skip_to(const char *text, size_t columns);

#endif
