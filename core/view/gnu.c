/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/gnu.h"

#include "base/demangle.h"
#include "base/map.h"
#include "base/text.h"
#include "base/value.h"
#include "callgraph/callgraph.h"
#include "callgraph/gnu.h"
#include "metric/call_counts.h"
#include "metric/metric.h"
#include "model/experiment.h"
#include "model/gmon.h"
#include "model/image_symbols.h"
#include "report/sheet.h"
#include "view/gprof.h"
#include "view/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *prof_gnu_name(const struct prof_gnu *gnu, uint32_t symbol)
{
	const struct prof_image_symbol *place = gnu->symbols.items[symbol].place;
	const char *mangled = prof_gnu_text(gnu, place->name);
	AUTO_FREE char *demangled = prof_demangle(mangled);
	const char *name = demangled ? demangled : mangled;
	char *line;

	if (!gnu->lines || place->file == PROF_NONE)
		return strdup(name);
	if (asprintf(&line, "%s (%s:%" PRIu32 " @ %" PRIx64 ")", name,
		    file_name(prof_gnu_text(gnu, place->file)), place->line, place->low) < 0)
		return NULL;
	return line;
}

/* The lists of calls, and each function's own time in ns, from the exact call graph. */
struct exact {
	prof_value *self;
	PROF_ARRAY(struct prof_call_count) calls;
};

static void exact_deinit(struct exact *exact)
{
	free(exact->self);
	free(exact->calls.items);
}

/* The function of SYMBOL in the experiment. */
static uint32_t function_of(const struct prof_gnu *gnu, uint32_t symbol)
{
	return gnu->symbols.items[symbol].place->function;
}

static struct prof_error *make_exact(
	const struct prof_gnu *gnu, const struct prof_experiment *experiment, struct exact *exact)
{
	const struct prof_gmon *gmon = gnu->gmon;
	long double ns = 1e9L * PROF_VALUE_ONE / (gmon->rate ? gmon->rate : 1);

	exact->self = calloc(prof_experiment_functions(experiment) + 1, sizeof *exact->self);
	if (!exact->self || !prof_array_reserve(&exact->calls, gnu->arcs.count))
		return prof_error_nomem();
	for (size_t i = 0; i < gnu->places; i++)
		exact->self[function_of(gnu, (uint32_t)i)] +=
			(prof_value)roundl(ns * gnu->symbols.items[i].time);
	for (size_t i = 0; i < gnu->arcs.count; i++) {
		const struct prof_gnu_arc *arc = &gnu->arcs.items[i];
		exact->calls.items[exact->calls.count++] =
			(struct prof_call_count){.caller = function_of(gnu, arc->caller),
				.callee = function_of(gnu, arc->callee),
				.calls = (prof_value)arc->calls * PROF_VALUE_ONE};
	}
	return NULL;
}

/* Prints any other style or format, as for every other call graph. */
static struct prof_error *print_exact(const struct prof_gnu *gnu, const struct prof_sheet *sheet,
	const struct prof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(exact_deinit) struct exact exact = {0};
	struct prof_metric metric;
	struct prof_callgraph *graph;
	struct prof_error *error = prof_metric_find(sheet->experiment, "cpu", &metric);

	if (!error)
		error = make_exact(gnu, sheet->experiment, &exact);
	if (!error)
		error = prof_callgraph_from_calls(sheet->experiment, &metric, exact.self,
			exact.calls.items, exact.calls.count, &graph);
	if (error)
		return error;
	error = prof_gprof_print(graph, choice, text);
	prof_callgraph_destroy(graph);
	return error;
}

static struct prof_error *print_gnu(
	const struct prof_gnu *gnu, const struct prof_gprof_choice *choice, struct prof_text *text)
{
	bool both = choice->flat == choice->graph;
	bool flat = choice->flat || (both && gnu->gmon->histograms.count);
	bool graph = choice->graph || (both && gnu->gmon->arcs.count);
	struct prof_error *error = NULL;

	if (flat)
		error = prof_gnu_flat(gnu, choice, text);
	if (!error && flat && graph)
		prof_text_print(text, "\f\n");
	if (!error && graph)
		error = prof_gnu_graph(gnu, choice, text);
	if (!error && graph)
		error = prof_gnu_index(gnu, choice, text);
	return error ? error : prof_text_error(text);
}

struct prof_error *prof_gnu_refuse_options(const struct prof_gprof_choice *choice)
{
	struct prof_gnu_choice others = choice->counted;

	others.cut = NULL;
	if (!choice->all && !prof_gnu_choice_is_set(&others))
		return NULL;
	return prof_error_create(PROF_ERROR_USAGE,
		"--all, --line, --only, --without, --only-time and --without-time need a gmon.out, and text with --style=gnu.");
}

static struct prof_error *check(const struct prof_sheet *sheet, const struct prof_choice *choice)
{
	const struct prof_gprof_choice *own = choice->own;
	const struct prof_gmon *gmon = &sheet->experiment->gmon;
	bool gnu = own->style == PROF_STYLE_GNU && choice->format == PROF_FORMAT_TEXT;

	if (!gmon->functions.count)
		return prof_error_create(PROF_ERROR_MISSING,
			"gdbprof does not know the program of the gmon.out: use prof-load GMON PROGRAM.");
	if (choice->metrics)
		return prof_error_create(
			PROF_ERROR_USAGE, "A gmon.out has only one metric: leave out --metric.");
	struct prof_error *error = gnu ? NULL : prof_gnu_refuse_options(own);
	if (error)
		return error;
	if (!gmon->histograms.count && !gmon->arcs.count)
		return prof_error_create(PROF_ERROR_MISSING,
			"The gmon.out has no histogram and no calls: compile the program with -pg.");
	if (own->flat && !gmon->histograms.count)
		return prof_error_create(
			PROF_ERROR_MISSING, "The gmon.out has no histogram: use --graph.");
	if (own->graph && !gmon->arcs.count)
		return prof_error_create(PROF_ERROR_MISSING,
			"The gmon.out has no calls: compile the program with -pg, or use --flat.");
	return NULL;
}

struct prof_error *prof_gnu_print(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_gprof_choice *own = choice->own;
	struct prof_error *error = check(sheet, choice);
	struct prof_gnu *gnu;

	if (!error)
		error = prof_gnu_create(sheet->experiment, &own->counted, &gnu);
	if (error)
		return error;
	if (own->style == PROF_STYLE_GNU && choice->format == PROF_FORMAT_TEXT)
		error = print_gnu(gnu, own, text);
	else
		error = print_exact(gnu, sheet, choice, text);
	prof_gnu_destroy(gnu);
	return error;
}
