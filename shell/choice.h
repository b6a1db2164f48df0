/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What users choose of a view, an export or a comparison, and where its text goes. */
#ifndef PROF_SHELL_CHOICE_H
#define PROF_SHELL_CHOICE_H

#include "base/option.h"
#include "base/option_values.h"
#include "base/text.h"
#include "view/view.h"

/* Bytes that may be printed, like set prof max-output: a small file can produce a lot. */
enum { CHOICE_MOST = 64 << 20 };

/*
 * A table of the COUNT OWN rows and those of OPTIONS, if not NULL, which the caller frees; NULL:
 * out of memory.
 */
struct prof_option *choice_rows(
	const struct prof_option *own, size_t count, const struct prof_options *options);

/*
 * Fills CHOICE, and OWN, the struct of OPTIONS, which the caller frees behind the choice, from
 * VALUES.
 */
struct prof_error *choice_read(const struct prof_option_values *values,
	const struct prof_options *options, struct prof_choice *choice, void **own) PROF_MUST_CHECK;

/* Writes TEXT, WHAT, to the output that VALUES name. */
struct prof_error *choice_write(const struct prof_option_values *values,
	const struct prof_text *text, const char *what) PROF_MUST_CHECK;

#endif
