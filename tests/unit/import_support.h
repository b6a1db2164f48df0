/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of imported files share. */
#ifndef PROF_TESTS_IMPORT_SUPPORT_H
#define PROF_TESTS_IMPORT_SUPPORT_H

#include "experiment_support.h"
#include "formats/import.h"

#include <string.h>

typedef struct prof_error *file_reader(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret);

/* The experiment that READ makes of a file that has TEXT. */
static inline struct prof_experiment *read_by(file_reader *read, const char *text)
{
	struct prof_experiment *experiment;

	enter_scratch();
	write_text("x", text, strlen(text));
	ck_assert_ok(read("x", NULL, &experiment));
	prof_experiment_check(experiment);
	return experiment;
}

/* The same of any format. */
static inline struct prof_experiment *import_text(const char *text)
{
	return read_by(prof_import_read, text);
}

/* Adds to TEXT the names of PATH's stack, "f;g". */
static inline void print_path(
	const struct prof_experiment *experiment, uint32_t path, struct prof_text *text)
{
	const struct prof_path *at = &experiment->paths.items[path];
	const struct prof_frame *frame = &experiment->frames.items[at->frame];

	if (at->parent) {
		print_path(experiment, at->parent, text);
		prof_text_print(text, ";");
	}
	prof_text_print(text, "%s",
		prof_experiment_function_name(
			experiment, experiment->locations.items[frame->first_location].function));
}

#endif
