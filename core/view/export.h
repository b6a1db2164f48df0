/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exports: what users choose of one, and the files of other tools as they have chosen them. */
#ifndef PROF_VIEW_EXPORT_H
#define PROF_VIEW_EXPORT_H

#include "base/option.h"
#include "export/export.h"
#include "view/view.h"

/* What an export has users choose. */
struct prof_export_choice {
	const char *format; /* NULL: the first; borrowed */
};

/* The options of prof-export, which fill struct prof_export_choice. */
extern const struct prof_options prof_export_options;

/* The format that CHOICE asks for, whose `own` is a struct prof_export_choice. */
struct prof_error *prof_export_choose(
	const struct prof_choice *choice, const struct prof_export **ret) PROF_MUST_CHECK;

/*
 * Prints EXPERIMENT into TEXT in FORMAT, as CHOICE has it.  NOTE gets what the file has no room
 * for: the filter, and how much it lets pass.
 */
struct prof_error *prof_export_print(const struct prof_experiment *experiment,
	const struct prof_export *format, const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text,
	struct prof_text *note) PROF_MUST_CHECK;

#endif
