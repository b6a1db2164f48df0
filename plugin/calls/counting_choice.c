/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/counting_choice.h"

#include "base/memory.h"
#include "plugin/calls/counted_patches.h"
#include "plugin/option/amount.h"
#include "plugin/option/settings.h"

#include <stddef.h>

static const struct prof_option rows[] = {
	{.name = "count",
		.value = "FUNCTION,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct counting_choice, functions),
		.describe =
			"Count the calls of these functions, by caller, for prof-gprof.  "
			"FILE.c:* and FILE.so:* stand for all functions of a file, and the word all for those of the program and its libraries.  "
			"gdbprof stops counting functions that are called too often; see \"set prof count-limit\"."},
	{.name = "calls",
		.value = "FUNCTION,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct counting_choice, calls),
		.describe =
			"Record each call of these functions and its return, with times, instead of samples.  Name functions as for --count.  "
			"gdbprof only counts functions that are called too often; see \"set prof calls-limit\".  "
			"See prof-calls, prof-gprof and \"prof-flame --chart\"."},
	{.name = NULL},
};

const struct prof_options counting_options = PROF_OPTIONS(rows, struct counting_choice);

struct prof_error *counting_choice_read(void *own)
{
	struct counting_choice *choice = own;
	AUTO_FREE char *limit = NULL;
	AUTO_FREE char *calls_limit = NULL;
	struct prof_error *error = settings_get("count-limit", &limit);

	if (!error)
		error = amount_read_share(limit, &choice->limit);
	if (!error)
		error = settings_get("calls-limit", &calls_limit);
	return error ? error : amount_read_share(calls_limit, &choice->calls_limit);
}

struct prof_error *counting_choice_check(const void *own)
{
	const struct counting_choice *choice = own;

	if (choice->functions && choice->calls)
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-start takes either --count or --calls, not both: --calls counts, too.");
	return counted_patches_check();
}

void counting_choice_source(const void *own, struct prof_text *text)
{
	const struct counting_choice *choice = own;

	if (choice->calls)
		prof_text_print(text, "%scalls", text->length ? ", " : "");
}
