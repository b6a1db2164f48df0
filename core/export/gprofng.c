/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/gprofng.h"

#include "metric/collapse.h"
#include "metric/descent.h"
#include "metric/functions.h"
#include "metric/metric.h"
#include "metric/profile.h"
#include "model/experiment.h"
#include "report/number.h"
#include "report/sheet.h"
#include "report/shown.h"

#include <stdlib.h>
#include <string.h>

enum {
	PERCENT_WIDTH = 6,
	SECONDS_WIDTH = 5, /* of the titles above */
	GAP = 2,           /* between the columns of two metrics */
	NAME_GAP = 3,      /* before names */
};

/* What gprofng, and the Analyzer before it, call the metrics. */
static const struct words {
	const char *metric, *title, *head, *more; /* the last two: the title above columns */
} all_words[] = {
	{"samples", "Samples", "Samples", ""},
	{"cpu", "Total CPU Time", "Total", "CPU"},
	{"wall", "Total Thread Time", "Total", "Thread"},
	{"wallclock", "Wall Clock Time", "Wall", "Clock"},
	{"user", "User CPU Time", "User CPU", ""},
	{"system", "System CPU Time", "System", "CPU"},
	{"runqueue", "Wait CPU Time", "Wait CPU", ""},
	{"lock", "User Lock Time", "User Lock", ""},
	{"fault", "Page Fault Time", "Page Fault", ""},
	{"text-fault", "Text Page Fault Time", "Text", "Page Fault"},
	{"data-fault", "Data Page Fault Time", "Data", "Page Fault"},
	{"other", "Other Wait Time", "Other", "Wait"},
	{"allocs", "Allocations", "Alloc.", "Count"},
	{"bytes", "Bytes Allocated", "Bytes", "Allocated"},
	{"leaks", "Leaks", "Leaks", ""},
	{"leaked", "Bytes Leaked", "Bytes", "Leaked"},
	{"peak", "Bytes at Peak", "Bytes", "at Peak"},
	{"temporary", "Temporary Allocations", "Temporary", "Count"},
	{"sync-events", "Sync Delay Events", "Sync Delay", "Events"},
	{"sync-wait", "Sync Wait Time", "Sync Wait", "Time"},
	{"calls", "Traced Calls", "Traced", "Calls"},
	{"inside", "Traced Time", "Traced", "Time"},
	{"mpi-time", "MPI Time", "MPI", "Time"},
	{"mpi-sends", "MPI Sends", "MPI", "Sends"},
	{"mpi-sent", "MPI Bytes Sent", "MPI Bytes", "Sent"},
	{"mpi-receives", "MPI Receives", "MPI", "Receives"},
	{"mpi-received", "MPI Bytes Received", "MPI Bytes", "Received"},
	{"mpi-other", "Other MPI Events", "Other MPI", "Events"},
};

struct writer {
	const struct prof_profile *profile; /* borrowed */
	const struct prof_metric *metric;
	struct words words;
	struct prof_functions *functions;
	struct prof_text *text; /* borrowed */
	int width;              /* of values */

	/* Of the tree. */
	struct prof_collapsed *tree;
	struct prof_descent descent;
	PROF_ARRAY(uint32_t) rows;   /* nodes, as they are printed */
	bool *last;                  /* by node: it is the last callee of its caller */
	PROF_ARRAY(char) prefix;     /* the prefix of the current row */
	PROF_ARRAY(size_t) prefixes; /* by level: how much of it */
};

static void writer_deinit(struct writer *writer)
{
	prof_functions_destroy(writer->functions);
	prof_descent_deinit(&writer->descent);
	prof_collapse_destroy(writer->tree);
	free(writer->rows.items);
	free(writer->last);
	free(writer->prefix.items);
	free(writer->prefixes.items);
}

/* The words for METRIC; events have only their names. */
static struct words find_words(const struct prof_metric *metric)
{
	for (size_t i = 0; i < PROF_COUNT(all_words); i++) {
		if (!strcmp(all_words[i].metric, metric->name))
			return all_words[i];
	}
	return (struct words){metric->name, metric->title, metric->title, ""};
}

/* Writes VALUE and its share of the total. */
static void print_value(struct writer *writer, prof_value value)
{
	char number[PROF_NUMBER_TEXT], percent[PROF_NUMBER_TEXT];

	prof_text_print(writer->text, "%*s %*s", writer->width,
		prof_number_value(value, writer->metric, number), PERCENT_WIDTH,
		prof_number_percent(
			prof_value_percent(value, writer->functions->total), false, percent));
}

/* Writes the headings of the COUNT columns whose first words are given, and of the names. */
static void print_heads(struct writer *writer, const char *const *kinds, int count)
{
	bool time = writer->metric->units != 1;
	int width = writer->width + 1 + PERCENT_WIDTH;

	for (int i = 0; i < count; i++) {
		size_t start = writer->text->length;
		prof_text_print(writer->text, "%s %s", kinds[i], writer->words.head);
		prof_text_spaces(writer->text, width - (long)(writer->text->length - start));
		prof_text_spaces(writer->text, i + 1 < count ? GAP : NAME_GAP);
	}
	prof_text_print(writer->text, "Name\n");
	for (int i = 0; *writer->words.more && i < count; i++)
		prof_text_print(writer->text, "%-*s%*s", i + 1 < count ? width : 0,
			writer->words.more, i + 1 < count ? GAP : 0, "");
	if (*writer->words.more)
		prof_text_bytes(writer->text, "\n", 1);
	for (int i = 0; i < count; i++)
		prof_text_print(writer->text, "%*s %*s%*s", writer->width, time ? "sec." : "",
			PERCENT_WIDTH, "%", i + 1 < count ? GAP : 0, "");
	prof_text_bytes(writer->text, "\n", 1);
}

static const char *name_of(const struct writer *writer, uint32_t function)
{
	return prof_experiment_function_name(writer->profile->experiment, function);
}

/* By the exclusive metric, largest first; then by name. */
static int compare_functions(const void *left, const void *right, void *context)
{
	const struct writer *writer = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const prof_value *exclusive = writer->functions->exclusive;

	if (exclusive[a] != exclusive[b])
		return exclusive[a] > exclusive[b] ? -1 : 1;
	return strcmp(name_of(writer, a), name_of(writer, b));
}

static void print_function(
	struct writer *writer, prof_value exclusive, prof_value inclusive, const char *name)
{
	print_value(writer, exclusive);
	prof_text_spaces(writer->text, GAP);
	print_value(writer, inclusive);
	prof_text_spaces(writer->text, NAME_GAP);
	prof_text_name(writer->text, name);
	prof_text_bytes(writer->text, "\n", 1);
}

static struct prof_error *print_functions(struct writer *writer)
{
	static const char *const kinds[] = {"Excl.", "Incl."};
	const struct prof_functions *functions = writer->functions;
	AUTO_FREE uint32_t *order = calloc(functions->count + 1, sizeof *order);
	size_t count = 0;

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < functions->count; i++) {
		if (functions->seen[i])
			order[count++] = i;
	}
	qsort_r(order, count, sizeof *order, compare_functions, writer);
	prof_text_print(
		writer->text, "Functions sorted by metric: Exclusive %s\n\n", writer->words.title);
	print_heads(writer, kinds, PROF_COUNT(kinds));
	print_function(writer, functions->total, functions->total, PROF_SHEET_TOTAL);
	for (size_t i = 0; i < count; i++)
		print_function(writer, functions->exclusive[order[i]],
			functions->inclusive[order[i]], name_of(writer, order[i]));
	return NULL;
}

/* Largest first; then by name. */
static int compare_nodes(uint32_t a, uint32_t b, const void *context)
{
	const struct writer *writer = context;
	const struct prof_collapsed_node *nodes = writer->tree->nodes.items;

	if (nodes[a].direct != nodes[b].direct)
		return nodes[a].direct > nodes[b].direct ? -1 : 1;
	return strcmp(name_of(writer, nodes[a].function), name_of(writer, nodes[b].function));
}

static bool is_cut(const void *context, uint32_t node)
{
	(void)context, (void)node;
	return false;
}

static bool add_row(void *context, uint32_t node)
{
	struct writer *writer = context;
	uint32_t *row = prof_array_push(&writer->rows);

	if (row)
		*row = node;
	return row != NULL;
}

/* Finds the nodes that are the last of their siblings. */
static struct prof_error *find_last(struct writer *writer)
{
	const struct prof_collapsed_node *nodes = writer->tree->nodes.items;
	AUTO_FREE bool *followed = calloc(writer->tree->nodes.count + 2, sizeof *followed);

	writer->last = calloc(writer->tree->nodes.count, sizeof *writer->last);
	if (!followed || !writer->last)
		return prof_error_nomem();
	/*
	 * From the last row up: no row after a node is a sibling of the deeper rows before it.
	 */
	for (size_t i = writer->rows.count; i-- > 0;) {
		uint32_t node = writer->rows.items[i], level = nodes[node].level;
		writer->last[node] = !followed[level];
		followed[level] = true;
		followed[level + 1] = false;
	}
	return NULL;
}

/* Writes the row of a node of LEVEL, and notes the prefix of the rows that it calls. */
static struct prof_error *print_row(
	struct writer *writer, uint32_t level, prof_value value, const char *name, bool last)
{
	const char *line = last ? "  " : "|  ";
	size_t length = strlen(line);

	writer->prefix.count = level ? writer->prefixes.items[level - 1] : 0;
	writer->prefixes.count = level;
	print_value(writer, value);
	prof_text_spaces(writer->text, NAME_GAP);
	if (writer->prefix.count)
		prof_text_bytes(writer->text, writer->prefix.items, writer->prefix.count);
	prof_text_print(writer->text, "+-");
	prof_text_name(writer->text, name);
	prof_text_bytes(writer->text, "\n", 1);
	if (writer->text->length > PROF_TEXT_SHOWN)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"The call tree is more than %d bytes of text: leave out some of it with a filter.",
			PROF_TEXT_SHOWN);
	size_t *mine = prof_array_push(&writer->prefixes);
	if (!mine || !prof_array_reserve(&writer->prefix, length))
		return prof_error_nomem();
	memcpy(writer->prefix.items + writer->prefix.count, line, length);
	writer->prefix.count += length;
	*mine = writer->prefix.count;
	return NULL;
}

static struct prof_error *print_rows(struct writer *writer)
{
	const struct prof_collapsed_node *nodes = writer->tree->nodes.items;
	struct prof_error *error =
		print_row(writer, 0, writer->functions->total, PROF_SHEET_TOTAL, true);

	for (size_t i = 0; !error && i < writer->rows.count; i++) {
		uint32_t node = writer->rows.items[i];
		error = print_row(writer, nodes[node].level, nodes[node].direct,
			name_of(writer, nodes[node].function), writer->last[node]);
	}
	return error;
}

static struct prof_error *print_tree(struct writer *writer)
{
	static const char *const kinds[] = {"Attr."};
	const struct prof_descent_visit visit = {is_cut, add_row, NULL, writer};
	struct prof_error *error = prof_collapse_create(
		&writer->profile->tree, writer->profile->self, PROF_COLLAPSE_NONE, &writer->tree);

	if (!error)
		error = prof_descent_init(&writer->descent, writer->tree, compare_nodes, writer);
	if (!error)
		error = prof_descent_walk(&writer->descent, &visit, 0);
	if (!error)
		error = find_last(writer);
	if (error)
		return error;
	prof_text_print(writer->text, "\nFunctions Call Tree. Metric: Attributed %s\n\n",
		writer->words.title);
	print_heads(writer, kinds, PROF_COUNT(kinds));
	return print_rows(writer);
}

struct prof_error *prof_gprofng_print(const struct prof_sheet *sheet, struct prof_text *text)
{
	PROF_AUTO(writer_deinit) struct writer writer = {.text = text};
	char number[PROF_NUMBER_TEXT];

	writer.profile = sheet->profiles[0];
	writer.metric = &sheet->shown.items[0].metric;
	writer.words = find_words(writer.metric);
	struct prof_error *error = prof_functions_create(writer.profile, &writer.functions);
	if (error)
		return error;
	/* As wide as the largest value, and with its share at least as wide as the words above. */
	int width = (int)strlen(prof_number_value(writer.functions->total, writer.metric, number));
	int head = (int)strlen("Excl. ") + (int)strlen(writer.words.head) - 1 - PERCENT_WIDTH;
	writer.width = width > SECONDS_WIDTH ? width : SECONDS_WIDTH;
	writer.width = writer.width > head ? writer.width : head;
	error = print_functions(&writer);
	if (!error)
		error = print_tree(&writer);
	return error ? error : prof_text_error(text);
}
