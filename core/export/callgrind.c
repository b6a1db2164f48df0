/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/callgrind.h"

#include "base/map.h"
#include "base/search.h"
#include "base/strings.h"
#include "base/value.h"
#include "base/version.h"
#include "export/places.h"
#include "metric/calltree.h"
#include "metric/items.h"
#include "metric/metric.h"
#include "metric/profile.h"
#include "metric/walk.h"
#include "model/experiment.h"
#include "report/sheet.h"
#include "report/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Calls from CALLER, an item (PROF_NONE: from outside), to the function CALLEE. */
struct arc {
	uint32_t caller, callee;
	uint64_t calls;
	prof_value *values; /* by metric */
};

/* Names that were already written, and are now referred to by their numbers. */
enum name { NAME_OBJECT, NAME_FILE, NAME_FUNCTION, NAMES };

struct writer {
	const struct prof_sheet *sheet; /* borrowed */
	const struct prof_experiment *experiment;
	struct prof_text *text; /* borrowed */
	size_t metrics, items;
	prof_value *self; /* by item, and metric */
	PROF_ARRAY(struct arc) arcs;
	struct prof_map index;     /* caller, callee -> arc */
	struct prof_place *places; /* by function */
	uint32_t *order;           /* the items, by function and file */
	bool *written[NAMES];      /* by module, string, function */
	uint32_t file;             /* string: of the lines that follow */
};

static void writer_deinit(struct writer *writer)
{
	for (size_t i = 0; i < writer->arcs.count; i++)
		free(writer->arcs.items[i].values);
	for (int i = 0; i < NAMES; i++)
		free(writer->written[i]);
	free(writer->arcs.items);
	free(writer->self);
	free(writer->places);
	free(writer->order);
	prof_map_deinit(&writer->index);
}

static const struct prof_line *line_of(const struct writer *writer, uint32_t item)
{
	return &writer->sheet->items.lines.items[item];
}

static struct prof_error *writer_init(
	struct writer *writer, const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;

	*writer = (struct writer){
		.sheet = sheet,
		.experiment = experiment,
		.text = text,
		.metrics = sheet->shown.count,
		.items = prof_items_count(&sheet->items),
	};
	writer->places = prof_places_create(experiment);
	if (!writer->places)
		return prof_error_nomem();
	const size_t counts[NAMES] = {experiment->modules.count, experiment->strings.texts.count,
		prof_experiment_functions(experiment) + 1};
	for (int i = 0; i < NAMES; i++) {
		writer->written[i] = calloc(counts[i], sizeof **writer->written);
		if (!writer->written[i])
			return prof_error_nomem();
	}
	writer->self = calloc(writer->items * writer->metrics + 1, sizeof *writer->self);
	writer->order = calloc(writer->items + 1, sizeof *writer->order);
	return writer->self && writer->order ? NULL : prof_error_nomem();
}

/* Adds VALUE of METRIC to the arc from CALLER to CALLEE, *RET; it has no calls if it is new. */
static struct prof_error *add_arc(struct writer *writer, uint32_t caller, uint32_t callee,
	size_t metric, prof_value value, struct arc **ret)
{
	uint64_t key = prof_map_pair(caller, callee);
	uint32_t number = prof_map_get(&writer->index, key);

	if (number == PROF_NONE) {
		prof_value *values = calloc(writer->metrics, sizeof *values);
		*ret = values ? prof_map_push(&writer->index, key, &writer->arcs) : NULL;
		if (!*ret) {
			free(values);
			return prof_error_nomem();
		}
		**ret = (struct arc){caller, callee, 0, values};
	} else {
		*ret = &writer->arcs.items[number];
	}
	(*ret)->values[metric] += value;
	return NULL;
}

/* Adds the calls that the profile of METRIC has, which has no stacks. */
static struct prof_error *add_calls(
	struct writer *writer, const struct prof_profile *profile, size_t metric)
{
	struct prof_error *error = NULL;
	struct arc *arc;

	for (size_t i = 0; !error && i < profile->calls.count; i++) {
		const struct prof_profile_call *call = &profile->calls.items[i];
		error = add_arc(writer, call->caller, call->function, metric, call->value, &arc);
		if (!error && !metric)
			arc->calls += call->calls;
	}
	return error;
}

/* Adds the calls in the stack that ends at NODE; FUNCTION has not occurred in the stack before. */
static struct prof_error *add_call(struct writer *writer, const struct prof_profile *profile,
	uint32_t node, uint32_t function, size_t metric)
{
	const struct prof_call *calls = profile->tree.nodes.items;
	struct arc *arc;

	if (!profile->inclusive[node] || profile->calls.count)
		return NULL;
	struct prof_error *error = add_arc(writer, calls[calls[node].parent].function, function,
		metric, profile->inclusive[node], &arc);
	if (!error)
		arc->calls = 1;
	return error;
}

/* Adds the costs of the profile of METRIC. */
static struct prof_error *add_profile(struct writer *writer, size_t metric)
{
	const struct prof_profile *profile = writer->sheet->profiles[metric];
	const struct prof_call *calls = profile->tree.nodes.items;
	AUTO_FREE uint32_t *inside =
		calloc(prof_experiment_functions(writer->experiment) + 1, sizeof *inside);
	AUTO_WALK struct prof_walk walk = {0};
	struct prof_error *error =
		inside ? prof_walk_init(&walk, &profile->tree) : prof_error_nomem();

	while (!error && prof_walk_next(&walk)) {
		uint32_t node = walk.node;
		if (!node)
			continue;
		uint32_t item = calls[node].function;
		uint32_t function = line_of(writer, item)->function;
		if (!walk.entering) {
			inside[function]--;
			continue;
		}
		writer->self[item * writer->metrics + metric] += profile->self[node];
		if (!inside[function]++)
			error = add_call(writer, profile, node, function, metric);
	}
	return error ? error : add_calls(writer, profile, metric);
}

/* Writes `KEY=(NUMBER) NAME`, with the name only the first time. */
static void print_name(
	struct writer *writer, const char *key, enum name kind, uint32_t number, const char *name)
{
	prof_text_print(writer->text, "%s=(%" PRIu32 ")", key, number + 1);
	if (!writer->written[kind][number]) {
		prof_text_bytes(writer->text, " ", 1);
		if (name[strspn(name, " ")])
			prof_text_name(writer->text, name);
		else
			prof_text_bytes(writer->text, "?", 1);
	}
	writer->written[kind][number] = true;
	prof_text_bytes(writer->text, "\n", 1);
}

static void print_file(struct writer *writer, const char *key, uint32_t file)
{
	const char *name = prof_experiment_text(writer->experiment, file);

	print_name(writer, key, NAME_FILE, file, *name ? name : "???");
}

/* Writes where FUNCTION is, and its name, under the keys KEYS. */
static void print_function(struct writer *writer, const char *const keys[3], uint32_t function)
{
	uint32_t module = prof_experiment_function_row(writer->experiment, function).module;

	print_name(writer, keys[0], NAME_OBJECT, module,
		prof_experiment_text(
			writer->experiment, writer->experiment->modules.items[module].path));
	print_file(writer, keys[1], writer->places[function].file);
	print_name(writer, keys[2], NAME_FUNCTION, function,
		prof_experiment_function_name(writer->experiment, function));
}

/* Writes VALUES as whole numbers, which end the line. */
static void print_values(struct writer *writer, const prof_value *values)
{
	char number[PROF_VALUE_TEXT];

	for (size_t i = 0; i < writer->metrics; i++) {
		prof_value whole = (values[i] + PROF_VALUE_ONE / 2) / PROF_VALUE_ONE;
		prof_text_print(
			writer->text, " %s", prof_value_print(whole * PROF_VALUE_ONE, 1, number));
	}
	prof_text_bytes(writer->text, "\n", 1);
}

static void print_call(struct writer *writer, const struct arc *arc, uint32_t line)
{
	static const char *const keys[] = {"cob", "cfi", "cfn"};

	print_function(writer, keys, arc->callee);
	prof_text_print(writer->text, "calls=%" PRIu64 " %" PRIu32 "\n%" PRIu32, arc->calls,
		writer->places[arc->callee].line, line);
	print_values(writer, arc->values);
}

/* By function, file and line: those of the function's own file first. */
static int compare_items(const void *left, const void *right, void *context)
{
	const struct writer *writer = context;
	const struct prof_line *a = line_of(writer, *(const uint32_t *)left);
	const struct prof_line *b = line_of(writer, *(const uint32_t *)right);
	uint32_t own = writer->places[a->function].file;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->file != b->file) {
		if (a->file == own || b->file == own)
			return a->file == own ? -1 : 1;
		return a->file < b->file ? -1 : 1;
	}
	return (a->line > b->line) - (a->line < b->line);
}

/* By caller, as an item, the outside last; then by callee. */
static int compare_arcs(const void *left, const void *right)
{
	const struct arc *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

/* The first arc, in order, whose caller is not before ITEM. */
static size_t first_arc(const struct writer *writer, uint32_t item)
{
	size_t first;

	PROF_SEARCH(first, writer->arcs.count, i, writer->arcs.items[i].caller < item);
	return first;
}

static bool any_value(const struct writer *writer, uint32_t item)
{
	for (size_t i = 0; i < writer->metrics; i++) {
		if (writer->self[item * writer->metrics + i])
			return true;
	}
	return false;
}

/* Writes the costs of the line ITEM and of its calls; *FUNCTION is the current function. */
static void print_item(struct writer *writer, uint32_t item, uint32_t *function)
{
	static const char *const keys[] = {"ob", "fl", "fn"};
	const struct prof_line *line = line_of(writer, item);
	size_t arc = first_arc(writer, item);
	bool calls = arc < writer->arcs.count && writer->arcs.items[arc].caller == item;

	if (!calls && !any_value(writer, item))
		return;
	if (line->function != *function) {
		*function = line->function;
		writer->file = writer->places[line->function].file;
		prof_text_bytes(writer->text, "\n", 1);
		print_function(writer, keys, line->function);
	}
	if (line->file != writer->file)
		print_file(writer, "fi", line->file);
	writer->file = line->file;
	if (any_value(writer, item)) {
		prof_text_print(writer->text, "%" PRIu32, line->line);
		print_values(writer, &writer->self[item * writer->metrics]);
	}
	for (; arc < writer->arcs.count && writer->arcs.items[arc].caller == item; arc++)
		print_call(writer, &writer->arcs.items[arc], line->line);
}

/* Writes the calls of outermost functions, as calls of a function after all others. */
static void print_outside(struct writer *writer)
{
	const struct prof_experiment *experiment = writer->experiment;
	uint32_t total = (uint32_t)prof_experiment_functions(experiment);
	size_t arc = first_arc(writer, PROF_NONE);

	if (arc == writer->arcs.count)
		return;
	prof_text_bytes(writer->text, "\n", 1);
	print_name(writer, "ob", NAME_OBJECT, 0,
		prof_experiment_text(writer->experiment, experiment->modules.items[0].path));
	print_file(writer, "fl", prof_experiment_no_string(experiment));
	print_name(writer, "fn", NAME_FUNCTION, total, PROF_SHEET_TOTAL);
	for (; arc < writer->arcs.count; arc++)
		print_call(writer, &writer->arcs.items[arc], 0);
}

static void print_head(struct writer *writer)
{
	const struct prof_recording *recording = &writer->experiment->recording;

	prof_text_print(writer->text,
		"# callgrind format\nversion: 1\ncreator: gdbprof-" PROF_VERSION "\ncmd: ");
	prof_text_name(writer->text, *recording->source ? recording->source : recording->program);
	prof_text_print(writer->text, "\npositions: line\nevents:");
	for (size_t i = 0; i < writer->metrics; i++)
		prof_text_print(writer->text, " %s", writer->sheet->shown.items[i].metric.name);
	prof_text_bytes(writer->text, "\n", 1);
}

static void print_totals(struct writer *writer)
{
	prof_value totals[PROF_COUNT(writer->sheet->shown.items)] = {0};

	for (size_t i = 0; i < writer->metrics; i++)
		totals[i] = writer->sheet->profiles[i]->inclusive[0];
	prof_text_print(writer->text, "\ntotals:");
	print_values(writer, totals);
}

struct prof_error *prof_callgrind_print(const struct prof_sheet *sheet, struct prof_text *text)
{
	PROF_AUTO(writer_deinit) struct writer writer = {0};
	struct prof_error *error = writer_init(&writer, sheet, text);
	uint32_t function = PROF_NONE;

	for (size_t i = 0; !error && i < writer.metrics; i++)
		error = add_profile(&writer, i);
	if (error)
		return error;
	for (uint32_t i = 0; i < writer.items; i++)
		writer.order[i] = i;
	qsort_r(writer.order, writer.items, sizeof *writer.order, compare_items, &writer);
	if (writer.arcs.count)
		qsort(writer.arcs.items, writer.arcs.count, sizeof *writer.arcs.items,
			compare_arcs);
	print_head(&writer);
	print_outside(&writer);
	for (size_t i = 0; i < writer.items; i++)
		print_item(&writer, writer.order[i], &function);
	print_totals(&writer);
	return prof_text_error(text);
}
