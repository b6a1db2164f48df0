/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/gprof.h"

#include "callgraph/callgraph.h"
#include "metric/calltree.h"
#include "metric/cuts.h"
#include "metric/profile.h"
#include "model/contents.h"
#include "report/json.h"
#include "report/number.h"
#include "view/counted.h"
#include "view/gnu.h"
#include "view/options.h"
#include "view/print.h"

#include <stdlib.h>

const char *const prof_style_names[PROF_STYLES] = {
	[PROF_STYLE_MANUAL] = "manual",
	[PROF_STYLE_GNU] = "gnu",
};

enum { ENTRY, ROLE, NAME, CYCLE, PERCENT, SELF, CHILDREN, CALLED, OF, COUNTED, WIDTH };

static const char *const columns[WIDTH] = {
	[ENTRY] = "entry",
	[ROLE] = "role",
	[NAME] = "name",
	[CYCLE] = "cycle",
	[PERCENT] = "percent",
	[SELF] = "self",
	[CHILDREN] = "children",
	[CALLED] = "called",
	[OF] = "of",
	[COUNTED] = "counted",
};

static const char *const roles[] = {
	[PROF_GPROF_SPONTANEOUS] = "caller",
	[PROF_GPROF_CALLER] = "caller",
	[PROF_GPROF_PRIMARY] = "primary",
	[PROF_GPROF_MEMBER] = "member",
	[PROF_GPROF_CALLEE] = "callee",
};

/* Both tables, and the names that they need in addition to those of functions. */
struct tables {
	struct prof_table flat, graph;
	char (*cycles)[PROF_GPROF_NAME]; /* by cycle: its number less 1 */
};

static void tables_deinit(struct tables *tables)
{
	prof_table_deinit(&tables->flat);
	prof_table_deinit(&tables->graph);
	free(tables->cycles);
}

struct prof_cell prof_gprof_calls(const struct prof_callgraph *graph, prof_value calls)
{
	return graph->counted ? prof_cell_count(calls) : prof_cell_value(calls);
}

const char *prof_gprof_calls_text(
	const struct prof_callgraph *graph, prof_value calls, enum prof_known known, char *buffer)
{
	bool more = known == PROF_KNOWN_PART;

	if (!graph->counted)
		return prof_number_value(calls, graph->metric, buffer);
	*buffer = '>';
	prof_value_print(calls, 1, buffer + more);
	return buffer;
}

struct prof_cell prof_gprof_counted(enum prof_known known)
{
	static const char *const names[] = {
		[PROF_KNOWN_NONE] = "no",
		[PROF_KNOWN_PART] = "part",
		[PROF_KNOWN_ALL] = "all",
	};

	return prof_cell_name(names[known]);
}

/* Adds the calls and times of LINE to ROW. */
static void fill_numbers(const struct prof_callgraph *graph, const struct prof_gprof_line *line,
	struct prof_cell *row)
{
	if (line->role == PROF_GPROF_SPONTANEOUS)
		return;
	if (line->known)
		row[CALLED] = prof_gprof_calls(graph, line->called);
	if (graph->partly)
		row[COUNTED] = prof_gprof_counted(line->known);
	if (line->place != PROF_GPROF_OUTSIDE)
		return;
	row[SELF] = prof_cell_value(line->self);
	row[CHILDREN] = prof_cell_value(line->children);
	if (line->of_known && (line->role != PROF_GPROF_MEMBER || line->of))
		row[OF] = prof_gprof_calls(graph, line->of);
	if (line->role == PROF_GPROF_PRIMARY)
		row[PERCENT] = prof_cell_real(
			prof_value_percent(line->self + line->children, graph->total));
}

static struct prof_error *fill_graph(const struct prof_gprof *gprof, struct tables *tables)
{
	const struct prof_callgraph *graph = gprof->graph;
	size_t cycles = graph->entries.count - graph->functions;

	tables->cycles = calloc(cycles + 1, sizeof *tables->cycles);
	if (!tables->cycles)
		return prof_error_nomem();
	for (size_t i = 0; i < gprof->lines.count; i++) {
		const struct prof_gprof_line *line = &gprof->lines.items[i];
		struct prof_cell *row = prof_table_row(&tables->graph);
		const char *name = "<spontaneous>";
		uint32_t cycle = 0;
		if (!row)
			return prof_error_nomem();
		if (line->named != PROF_NONE) {
			cycle = graph->entries.items[line->named].cycle;
			name = prof_gprof_name(
				graph, line->named, tables->cycles[cycle ? cycle - 1 : 0]);
		}
		row[ENTRY] = prof_cell_integer(gprof->index[line->entry]);
		row[ROLE] = prof_cell_name(roles[line->role]);
		row[NAME] = prof_cell_name(name);
		row[CYCLE] = prof_cell_integer(cycle);
		fill_numbers(graph, line, row);
	}
	return NULL;
}

static struct prof_error *print_json(const struct prof_callgraph *graph,
	const struct prof_table *const *parts, size_t count, struct prof_text *text)
{
	const struct prof_json_head head = {.view = "gprof",
		.experiment = graph->experiment,
		.metric = graph->metric,
		.total = graph->total};

	return prof_json_print(&head, parts, count, text);
}

/* A note on the tables: if no calls were counted, their column has something else. */
static void print_note(const struct prof_callgraph *graph, const struct prof_gprof_choice *choice,
	struct prof_text *text)
{
	const struct prof_metric *metric = graph->metric;

	if (choice->counted.cut) {
		prof_text_print(text, "Calls that --cut leaves out: ");
		prof_text_name(text, choice->counted.cut);
		prof_text_print(text, ".\n\n");
	}

	if (graph->partly) {
		prof_counted_print(graph->experiment, text);
		prof_text_print(text,
			"The columns \"called\" and \"calls\" are of functions whose calls were counted or traced, and empty for all others.\nCalls are those of the whole recording, without any filter.\n\n");
	}
	if (graph->counted)
		return;
	prof_text_print(text, "The columns \"called\" and \"calls\" hold ");
	if (metric->units == 1)
		prof_text_print(text, "%s", metric->unit);
	else
		prof_text_print(text, "%s in %s", metric->title, metric->unit);
	prof_text_print(text, ": stacks do not count calls.\n\n");
}

/* Prints the COUNT PARTS, which are tables; the last may be that of GPROF's lines. */
static struct prof_error *print_parts(const struct prof_gprof *gprof,
	const struct prof_choice *choice, const struct tables *tables,
	const struct prof_table *const *parts, size_t count, struct prof_text *text)
{
	if (choice->format == PROF_FORMAT_JSON)
		return print_json(gprof->graph, parts, count, text);
	if (choice->format == PROF_FORMAT_TEXT)
		print_note(gprof->graph, choice->own, text);
	for (size_t i = 0; i < count; i++) {
		if (i)
			prof_text_bytes(text, "\n", 1);
		if (choice->format == PROF_FORMAT_CSV)
			prof_table_csv(parts[i], text);
		else if (parts[i] == &tables->flat)
			prof_gprof_flat_text(gprof->graph, parts[i], text);
		else
			prof_gprof_text(gprof, text);
	}
	return prof_text_error(text);
}

struct prof_error *prof_gprof_print(const struct prof_callgraph *graph,
	const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_gprof_choice *own = choice->own;
	bool both = own->flat == own->graph;
	int64_t units = graph->metric->units;
	PROF_AUTO(tables_deinit)
	struct tables tables = {
		.graph = {both ? "graph" : "rows", columns, WIDTH - !graph->partly, units, {0}},
	};
	AUTO_GPROF struct prof_gprof gprof = {.graph = graph};
	const struct prof_table *parts[2];
	struct prof_error *error = NULL;
	size_t count = 0;

	if (both || own->flat) {
		error = prof_gprof_flat(graph, own, &tables.flat);
		tables.flat.key = both ? "flat" : "rows";
		parts[count++] = &tables.flat;
	}
	if (!error && (both || own->graph)) {
		error = prof_gprof_init(&gprof, graph, own);
		if (!error && choice->format != PROF_FORMAT_TEXT)
			error = fill_graph(&gprof, &tables);
		parts[count++] = &tables.graph;
	}
	return error ? error : print_parts(&gprof, choice, &tables, parts, count, text);
}

/* Makes the graph of PROFILE's calls, which have costs, without those that CUTS excludes. */
static struct prof_error *make_from_costs(const struct prof_profile *profile,
	const struct prof_cuts *cuts, struct prof_callgraph **ret)
{
	size_t functions = prof_experiment_functions(profile->experiment);
	AUTO_FREE prof_value *self = calloc(functions + 1, sizeof *self);
	AUTO_CALL_COUNTS struct prof_call_counts calls = {0};

	if (!self || !prof_array_reserve(&calls.list, profile->calls.count))
		return prof_error_nomem();
	for (size_t i = 1; i < profile->tree.nodes.count; i++)
		self[profile->tree.nodes.items[i].function] += profile->self[i];
	for (size_t i = 0; i < profile->calls.count; i++) {
		const struct prof_profile_call *call = &profile->calls.items[i];
		calls.list.items[calls.list.count++] = (struct prof_call_count){call->caller,
			call->function, prof_value_of((int64_t)call->calls), call->value};
	}
	prof_cuts_calls(cuts, &calls);
	return prof_callgraph_from_costs(profile->experiment, profile->metric, self,
		calls.list.items, calls.list.count, ret);
}

/* Prints the graph of what callgrind has measured. */
static struct prof_error *print_costs(const struct prof_profile *profile,
	const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_gprof_choice *own = choice->own;
	AUTO_CUTS struct prof_cuts cuts = {0};
	struct prof_callgraph *graph = NULL;
	struct prof_error *error = prof_cuts_init(&cuts, profile->experiment, own->counted.cut);

	if (!error)
		error = make_from_costs(profile, &cuts, &graph);
	if (!error)
		error = prof_gprof_print(graph, choice, text);
	prof_callgraph_destroy(graph);
	return error;
}

/*
 * Prints the graph of PROFILE and of the calls that were COUNTED, without those that CHOICE
 * excludes.
 */
static struct prof_error *print_stacks(const struct prof_profile *profile,
	struct prof_call_counts *counted, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_gprof_choice *own = choice->own;
	AUTO_CUTS struct prof_cuts cuts = {0};
	struct prof_profile *cut = NULL;
	struct prof_callgraph *graph = NULL;
	struct prof_error *error = prof_cuts_init(&cuts, profile->experiment, own->counted.cut);

	if (!error && cuts.list.count)
		error = prof_cuts_stacks(&cuts, profile, &cut);
	if (error)
		return error;
	prof_cuts_calls(&cuts, counted);
	if (choice->format == PROF_FORMAT_TEXT)
		prof_counted_print_traced(profile->experiment, counted, text);
	error = prof_callgraph_from_stacks(cut ? cut : profile, counted, &graph);
	if (!error)
		error = prof_gprof_print(graph, choice, text);
	prof_callgraph_destroy(graph);
	prof_profile_destroy(cut);
	return error;
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	AUTO_CALL_COUNTS struct prof_call_counts counted = {0};

	if (prof_experiment_has(sheet->experiment) & PROF_HAS_GMON)
		return prof_gnu_print(sheet, choice, text);
	struct prof_error *error = prof_gnu_refuse_options(choice->own);
	if (error)
		return error;
	if (!(prof_experiment_has(sheet->experiment) & PROF_HAS_STACKS))
		return print_costs(sheet->profiles[0], choice, text);
	error = prof_call_counts_init(&counted, sheet->experiment, !choice->folded);
	if (error || (!counted.functions.count && prof_print_nothing(sheet, choice, text)))
		return error;
	return print_stacks(sheet->profiles[0], &counted, choice, text);
}

/* If calls were counted, the metric next to them is time by default. */
static const char *default_metrics(const struct prof_experiment *experiment)
{
	return prof_call_counts_exist(experiment) ? "cpu" : NULL;
}

/* GNU gprof does not name the files that it has added up. */
static bool is_bare(const struct prof_experiment *experiment, const struct prof_choice *choice)
{
	const struct prof_gprof_choice *own = choice->own;

	return prof_experiment_has(experiment) & PROF_HAS_GMON && own->style == PROF_STYLE_GNU;
}

static bool is_exact(const struct prof_choice *choice)
{
	return ((const struct prof_gprof_choice *)choice->own)->style == PROF_STYLE_GNU;
}

static const struct prof_option option_rows[] = {
	{.name = "flat",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_gprof_choice, flat),
		.describe = "Print only the flat profile."},
	{.name = "graph",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_gprof_choice, graph),
		.describe = "Print only the call graph."},
	{.name = "style",
		.value = "STYLE",
		PROF_OPTION_WORDS(prof_style_names),
		.kind = PROF_OPTION_WORD,
		.offset = offsetof(struct prof_gprof_choice, style),
		.describe =
			"Choose the form: manual is that of gprof's manual, gnu that of GNU gprof.  "
			"The default is manual."},
	{.name = "all",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_gprof_choice, all),
		.describe =
			"Also list functions that were never called.  "
			"This option and --line, --only, --without, --only-time and --without-time need a gmon.out and --style=gnu."},
	{.name = "line",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_gprof_choice, counted.lines),
		.describe = "List source lines instead of functions."},
	{.name = "cut",
		.value = "FROM/TO,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct prof_gprof_choice, counted.cut),
		.describe =
			"Leave out the calls of TO by FROM.  "
			"Without FROM, leave out all calls of TO; without TO, all calls by FROM.  "
			"A stack goes on at an instance of TO further out, or is cut in two."},
	{.name = "only",
		.value = "FUNCTION,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct prof_gprof_choice, counted.only),
		.describe = "List only the entries of these functions and of what they call.  "
			    "FILE:FUNCTION, FILE:LINE and FILE: name functions too."},
	{.name = "without",
		.value = "FUNCTION,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct prof_gprof_choice, counted.without),
		.describe =
			"Leave out the entries of these functions, and of what they alone call."},
	{.name = "only-time",
		.value = "FUNCTION,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct prof_gprof_choice, counted.only_time),
		.describe = "Like --only, and count only the time of those entries."},
	{.name = "without-time",
		.value = "FUNCTION,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct prof_gprof_choice, counted.without_time),
		.describe = "Like --without, and leave out the time of those entries."},
	PROF_METRIC_OPTION, PROF_STACK_OPTIONS,
	PROF_ROWS_OPTIONS(struct prof_gprof_choice){.name = NULL}};

static const struct prof_options options = PROF_OPTIONS(option_rows, struct prof_gprof_choice);

const struct prof_view prof_view_gprof = {
	.name = "gprof",
	.describe =
		"Show the flat profile and the call graph as gprof does.\n"
		"Times come from the stacks.  "
		"The column \"called\" counts calls if prof-start --count recorded them, and otherwise samples.\n\n"
		"For a gmon.out, gdbprof divides times among callers in proportion to their calls, as gprof does.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_ONE,
	.needs = PROF_HAS_STACKS | PROF_HAS_COSTS | PROF_HAS_GMON,
	.metrics = default_metrics,
	.is_bare = is_bare,
	.is_exact = is_exact,
};
