/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Expressions of GDB's own language. */
#ifndef PROF_PLUGIN_GDB_EXPRESSION_H
#define PROF_PLUGIN_GDB_EXPRESSION_H

#include "base/error.h"

#include <stddef.h>

/*
 * The length of the word at TEXT, like strcspn(): up to the first byte of SEPARATORS that is in no
 * quotes and no brackets.
 */
size_t expression_span(const char *text, const char *separators);

/* Is EXPRESSION true, where the selected frame is?  1 or 0; negative: GDB cannot evaluate it. */
int expression_holds(const char *expression);

/*
 * Does GDB take EXPRESSION for the condition of a breakpoint at LOCATION?  GDB parses it at its
 * place, as the condition of an internal breakpoint, which it then deletes.  NULL: it does, or GDB
 * does not know the location, which the caller finds out itself; else an error in GDB's words.
 */
struct prof_error *expression_check(const char *location, const char *expression) PROF_MUST_CHECK;

#endif
