/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Brackets and operators in the names of functions of C++ and its like. */
#ifndef PROF_METRIC_NAME_GROUPS_H
#define PROF_METRIC_NAME_GROUPS_H

#include <stdbool.h>

/* Can CHARACTER be part of an identifier?  Anything outside of ASCII can. */
bool prof_name_is_word(char character);

/* Does TEXT begin with WITH? */
bool prof_name_begins(const char *text, const char *with);

/*
 * What follows the operator's symbol, where TEXT begins with the word "operator" and such a symbol,
 * as "operator<<".  NULL: it does not, as in "operators" and "operator int".
 */
const char *prof_name_skip_symbol(const char *text);

/* What follows the group in brackets at AT; NULL: it has no end, or is nested too deeply. */
const char *prof_name_skip_group(const char *at);

#endif
