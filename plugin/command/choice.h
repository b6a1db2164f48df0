/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What views have the user choose: options that several commands have, read and obeyed. */
#ifndef PROF_PLUGIN_COMMAND_CHOICE_H
#define PROF_PLUGIN_COMMAND_CHOICE_H

#include "plugin/option/filter.h"
#include "plugin/option/option.h"
#include "plugin/option/word.h"
#include "view/view.h"

/* Rows of tables of options. */

#define WORDS(names) .words = (names), .words_count = PROF_COUNT(names)

#define FORMAT_OPTION                                                          \
	{                                                                      \
		.name = "format", .value = "FORMAT", WORDS(prof_format_names), \
		.describe = "Choose the format of the output.  "               \
			    "Numbers in csv and json have full precision.  "   \
			    "The default is text."                             \
	}
#define OUTPUT_OPTION                                              \
	{                                                          \
		.name = "output", .value = "FILE",                 \
		.describe = "Write to FILE instead of the screen." \
	}
#define LIMIT_OPTION                                             \
	{                                                        \
		.name = "limit", .value = "N",                   \
		.describe = "Show at most N rows.  "             \
			    "The default is 0, which shows all." \
	}
#define METRIC_OPTION                                                                      \
	{                                                                                  \
		.name = "metric", .value = "METRIC", .word = word_of_metric, .open = true, \
		.describe = "Choose what is counted; prof-metrics lists the names.  "      \
			    "The default is samples."                                      \
	}
#define METRICS_OPTION                                                                                                           \
	{                                                                                                                        \
		.name = "metric", .value = "METRIC,...", .word = word_of_metric, .open = true,                                   \
		.describe =                                                                                                      \
			"Choose what is counted: several metrics stand side by side, and prof-metrics lists their names.  "      \
			"The default is samples.  "                                                                              \
			"e.cpu:i%wall shows the exclusive CPU time in seconds, and the inclusive percentage of the thread time." \
	}
#define INLINE_OPTION                                                                                                                        \
	{                                                                                                                                    \
		.name = "inline", .value = "on|off", .words = choice_inline_words,                                                           \
		.words_count = 2,                                                                                                            \
		.describe =                                                                                                                  \
			"Choose whether inlined code belongs to the function that it comes from (on), or to the function around it (off).  " \
			"The default is on."                                                                                                 \
	}
/* What every view has. */
#define VIEW_OPTIONS FORMAT_OPTION, OUTPUT_OPTION, LIMIT_OPTION, FILTER_OPTIONS
#define SORT_OPTION                                                                                   \
	{                                                                                             \
		.name = "sort", .value = "ORDER", .words = prof_sort_names + PROF_SORT_FIRST,         \
		.words_count = PROF_SORTS - PROF_SORT_FIRST,                                          \
		.describe =                                                                           \
			"Choose the order of the rows; first is the order in which gdbprof met them." \
	}
#define COLLAPSE_OPTION                                                                       \
	{                                                                                     \
		.name = "collapse", .value = "DEGREE", WORDS(prof_degree_names),              \
		.describe = "Choose where recursion is collapsed.  "                          \
			    "none: nowhere.  "                                                \
			    "direct: where a function calls itself.  "                        \
			    "conservative: where no other function is lost from the chain.  " \
			    "full: wherever a function has an instance further up.  "         \
			    "The default is \"set prof collapse\"."                           \
	}
#define MAX_LEVEL_OPTION                                           \
	{                                                          \
		.name = "max-level", .value = "N",                 \
		.describe = "Leave out nodes deeper than level N." \
	}
#define MIN_PERCENT_OPTION                                                           \
	{                                                                            \
		.name = "min-percent", .value = "P",                                 \
		.describe = "Leave out nodes with less than P percent of the total." \
	}

#define BARS_OPTION                                                                     \
	{                                                                               \
		.name = "bars",                                                         \
		.describe = "Also show shares as bars, on a terminal that has UTF-8.  " \
			    "Files have no bars."                                       \
	}

extern const char *const choice_inline_words[2];

/* What was chosen.  All zeroes before it is read. */
struct choice {
	struct prof_choice choice; /* its function is the caller's to set */

	/* Private part: holds the texts of the filter. */
	struct filter filter;
};

/* Reads the options in VALUES, of which a command may have some only, and settings. */
struct prof_error *choice_read(
	const struct option_values *values, struct choice *ret) PROF_MUST_CHECK;

/* Frees what CHOICE holds. */
void choice_deinit(struct choice *choice);

/* The index of the option's value, 0 if it was not given, or the command has no such option. */
unsigned choice_index(const struct option_values *values, const char *name);

/* Writes TEXT to the file that VALUES names, or to the screen. */
struct prof_error *choice_write(
	const struct option_values *values, const struct prof_text *text) PROF_MUST_CHECK;

/* Says that the file PATH is written. */
struct prof_error *choice_say_written(const char *path) PROF_MUST_CHECK;

#endif
