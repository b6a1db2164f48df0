/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The rows of options that several views have.  A view's own rows stand in its file.
 *
 * The members of the first ones are in struct prof_choice.  Those of the others are in the struct
 * of the view, which has the type TYPE and names the member as the option.
 */
#ifndef PROF_VIEW_OPTIONS_H
#define PROF_VIEW_OPTIONS_H

#include "base/option.h"
#include "metric/collapse.h"
#include "metric/filter.h"
#include "view/view.h"

enum prof_sort {
	PROF_SORT_DEFAULT, /* the view's own */
	PROF_SORT_FIRST,   /* first encounter */
	PROF_SORT_INCLUSIVE,
	PROF_SORT_EXCLUSIVE,
	PROF_SORT_NAME,
	PROF_SORTS,
};

extern const char *const prof_sort_names[PROF_SORTS];

/* Options of a view whose only own option is --limit. */
struct prof_rows_choice {
	uint64_t limit; /* rows; 0: all */
};

/* How many of COUNT rows --limit shows; LIMIT is its value, 0: all. */
static inline size_t prof_rows_limited(uint64_t limit, size_t count)
{
	return limit && limit < count ? (size_t)limit : count;
}

/* A table of no more than what every view of rows has; it fills struct prof_rows_choice. */
extern const struct prof_options prof_rows_options;

/* Members of rows. */

#define PROF_OPTION_WORDS(names) .words = (names), .words_count = PROF_COUNT(names)
#define PROF_OPTION_COMMON(member) .common = true, .offset = offsetof(struct prof_choice, member)

/* What every view has. */

#define PROF_FORMAT_OPTION                                                                         \
	{                                                                                          \
		.name = "format", .value = "FORMAT", .words = prof_format_names,                   \
		.words_count = PROF_FORMATS, .kind = PROF_OPTION_WORD, PROF_OPTION_COMMON(format), \
		.describe = "Choose the format of the output.  "                                   \
			    "Numbers in csv and json have full precision.  "                       \
			    "The default is text."                                                 \
	}
/* Of views that draw THING, too. */
#define PROF_DRAWN_FORMAT_OPTION(thing)                                                                    \
	{                                                                                                  \
		.name = "format", .value = "FORMAT", PROF_OPTION_WORDS(prof_format_names),                 \
		.kind = PROF_OPTION_WORD, PROF_OPTION_COMMON(format),                                      \
		.describe =                                                                                \
			"Choose the format of the output.  Numbers in csv and json have full precision.  " \
			"svg is " thing                                                                    \
			" as a picture for a web browser: write it with --output=FILE.svg.  "              \
			"The default is text.",                                                            \
	}
/* Whoever prints the text writes it to the file. */
#define PROF_OUTPUT_OPTION                                         \
	{                                                          \
		.name = "output", .value = "FILE",                 \
		.describe = "Write to FILE instead of the screen." \
	}
#define PROF_NAMES_OPTION                                                                            \
	{                                                                                            \
		.name = "names", .value = "full|short", PROF_OPTION_WORDS(prof_names_words),         \
		.kind = PROF_OPTION_WORD, .least = PROF_NAMES_FULL,                                  \
		PROF_OPTION_COMMON(markup.names),                                                    \
		.describe =                                                                          \
			"Choose whether names in text are shown in full.  "                          \
			"short: without template arguments, and cut so that lines fit the screen.  " \
			"The default is short on the screen, and full in files.  "                   \
			"Names in csv and json are always full.",                                    \
	}
/* Whoever prints the text joins these with the setting. */
#define PROF_FILTER_OPTION(id, name_, value_, describe_) \
	{.name = (name_), .value = (value_), .describe = (describe_)},
#define PROF_FILTER_OPTIONS PROF_CONDITION_TABLE(PROF_FILTER_OPTION)

#define PROF_METRIC_ROW(value_, describe_)                                                      \
	{                                                                                       \
		.name = "metric", .value = (value_), .word = prof_metric_word, .open = true,    \
		.kind = PROF_OPTION_TEXT, PROF_OPTION_COMMON(metrics), .describe = (describe_), \
	}
#define PROF_METRIC_OPTION                                                \
	PROF_METRIC_ROW("METRIC",                                         \
		"Choose what is counted; prof-metrics lists the names.  " \
		"The default is samples.")
/* Of views that show several metrics, by DEFAULTS, a sentence. */
#define PROF_METRICS_ROW(defaults)    \
	PROF_METRIC_ROW("METRIC,...", \
		"Choose what is counted: several metrics stand side by side, and prof-metrics lists their names.  " defaults)
#define PROF_METRICS_OPTION                 \
	PROF_METRICS_ROW(                   \
		"The default is samples.  " \
		"e.cpu:i%wall shows the exclusive CPU time in seconds, and the inclusive percentage of the thread time.")
#define PROF_INLINE_OPTION                                                                                                                   \
	{                                                                                                                                    \
		.name = "inline", .value = "on|off", .words = prof_inline_names, .words_count = 2,                                           \
		.kind = PROF_OPTION_SECOND, PROF_OPTION_COMMON(folded),                                                                      \
		.describe =                                                                                                                  \
			"Choose whether inlined code belongs to the function that it comes from (on), or to the function around it (off).  " \
			"The default is on."                                                                                                 \
	}

/* Whoever has the text printed gives the view the experiment that has these stacks. */
#define PROF_STACKS_OPTION                                                                                                                                      \
	{                                                                                                                                                       \
		.name = "stacks", .value = "user|machine", PROF_OPTION_WORDS(prof_stacks_names),                                                                \
		.kind = PROF_OPTION_WORD, PROF_OPTION_COMMON(stacks),                                                                                           \
		.describe =                                                                                                                                     \
			"Choose the stacks of programs with OpenMP.  "                                                                                          \
			"user: a worker's stack continues that of the thread that has opened the region, and the runtime is one function such as <OMP-idle>.  " \
			"machine: the stacks as gdbprof recorded them.  "                                                                                       \
			"The default is user."                                                                                                                  \
	}
/* What views of stacks have. */
#define PROF_STACK_OPTIONS PROF_INLINE_OPTION, PROF_STACKS_OPTION

/* What several have. */

#define PROF_LIMIT_OPTION(type)                                            \
	{                                                                  \
		.name = "limit", .value = "N", .kind = PROF_OPTION_NUMBER, \
		.offset = offsetof(type, limit),                           \
		.describe = "Show at most N rows.  "                       \
			    "The default is 0, which shows all."           \
	}
#define PROF_SORT_OPTION(type)                                                                                        \
	{                                                                                                             \
		.name = "sort", .value = "ORDER", .words = prof_sort_names + PROF_SORT_FIRST,                         \
		.words_count = PROF_SORTS - PROF_SORT_FIRST, .kind = PROF_OPTION_WORD,                                \
		.least = PROF_SORT_FIRST, .offset = offsetof(type, sort),                                             \
		.describe =                                                                                           \
			"Choose the order of the rows; first lists them in the order in which gdbprof recorded them." \
	}
#define PROF_BARS_OPTION(type)                                                            \
	{                                                                                 \
		.name = "bars", .kind = PROF_OPTION_FLAG, .offset = offsetof(type, bars), \
		.describe = "Also show shares as bars, on a terminal that has UTF-8.  "   \
			    "Files have no bars."                                         \
	}
#define PROF_COLLAPSE_OPTION(type)                                                            \
	{                                                                                     \
		.name = "collapse", .value = "DEGREE", PROF_OPTION_WORDS(prof_degree_names),  \
		.setting = "collapse", .kind = PROF_OPTION_WORD,                              \
		.offset = offsetof(type, collapse),                                           \
		.describe = "Choose where recursion is collapsed.  "                          \
			    "none: nowhere.  "                                                \
			    "direct: where a function calls itself.  "                        \
			    "conservative: where no other function is lost from the chain.  " \
			    "full: wherever a function has an instance further up.  "         \
			    "The default is \"set prof collapse\"."                           \
	}
#define PROF_MAX_LEVEL_OPTION(type)                                                        \
	{                                                                                  \
		.name = "max-level", .value = "N", .kind = PROF_OPTION_NUMBER, .least = 1, \
		.offset = offsetof(type, max_level),                                       \
		.describe = "Leave out nodes deeper than level N."                         \
	}
#define PROF_MIN_PERCENT_OPTION(type)                                                \
	{                                                                            \
		.name = "min-percent", .value = "P", .kind = PROF_OPTION_PERCENT,    \
		.offset = offsetof(type, min_percent),                               \
		.describe = "Leave out nodes with less than P percent of the total." \
	}

/* What every view of rows ends with. */
#define PROF_ROWS_OPTIONS(type)                                                             \
	PROF_FORMAT_OPTION, PROF_OUTPUT_OPTION, PROF_NAMES_OPTION, PROF_LIMIT_OPTION(type), \
		PROF_FILTER_OPTIONS

#endif
