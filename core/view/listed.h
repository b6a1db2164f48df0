/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of source as a debugger lists them, with the shares of the lines before them. */
#ifndef PROF_VIEW_LISTED_H
#define PROF_VIEW_LISTED_H

#include "base/error.h"
#include "base/text.h"

struct prof_choice;
struct prof_experiment;
struct prof_progress;

/*
 * Adds LISTED with the exclusive and inclusive percentages that lines have of EXPERIMENT: each
 * begins with its number, which may be styled, and a tab.  They are lines of FILE, until a line as
 * `file: "x.c", line number: 12, symbol: "f"` names another.
 */
struct prof_error *prof_listed_print(const struct prof_experiment *experiment,
	const struct prof_choice *choice, const char *file, const char *listed,
	const struct prof_progress *progress, struct prof_text *text) PROF_MUST_CHECK;

#endif
