/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command that draws flame graphs, or writes the text that they are drawn from. */
#include "plugin/command/command.h"

#include "model/contents.h"
#include "plugin/command/choice.h"
#include "plugin/gdb/host.h"
#include "plugin/command/picture.h"
#include "plugin/session/session.h"
#include "plugin/option/settings.h"
#include "metric/comparison.h"
#include "picture/flame.h"
#include "view/flame.h"
#include "view/print.h"

#include <string.h>

/* The request, and its result. */
struct graph {
	struct choice choice;
	struct prof_flame flame;
	struct prof_text text;
	struct prof_text notes; /* lines that are not part of the graph */
};

static void graph_deinit(struct graph *graph)
{
	choice_deinit(&graph->choice);
	prof_text_deinit(&graph->text);
	prof_text_deinit(&graph->notes);
}

static struct prof_error *read_graph(const struct option_values *values, struct graph *graph)
{
	struct prof_error *error = choice_read(values, &prof_flame_options, &graph->choice);

	if (!error)
		error = settings_bound(&graph->text);
	if (error)
		return error;
	const struct prof_flame_choice *own = graph->choice.choice.own;
	graph->flame.max_depth = own->max_depth;
	graph->flame.chart = own->chart;
	return NULL;
}

static struct prof_error *print_sheet(const struct prof_sheet *sheet, struct graph *graph)
{
	struct prof_error *error = prof_flame_print(sheet, &graph->flame, &graph->text);

	if (error)
		return error;
	prof_view_filter(sheet, &graph->choice.choice.filter, &graph->notes);
	prof_flame_left_out(sheet, &graph->flame, &graph->notes);
	if (!graph->text.length && !graph->flame.left_out)
		prof_print_why_nothing(sheet, &graph->notes);
	return prof_text_error(&graph->notes);
}

static struct prof_error *print(const struct prof_progress *progress, struct graph *graph)
{
	const struct prof_choice *choice = &graph->choice.choice;
	const struct prof_sheet_request request = {
		.metrics = choice->metrics,
		.filter = &choice->filter,
		.kind = PROF_KIND_FUNCTIONS,
		.inlined = !choice->folded,
		.want = PROF_WANT_NOTHING,
		.needs = PROF_HAS_STACKS,
		.who = "A flame graph",
	};
	AUTO_SHEET struct prof_sheet sheet = {0};
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(choice->stacks, progress, &experiment);

	if (error)
		return error;
	error = prof_sheet_init(&sheet, experiment, &request, progress);
	if (!error)
		error = print_sheet(&sheet, graph);
	session_return();
	return error;
}

/* On the screen, notes follow the graph as comments, which tools skip. */
static void append_notes(struct graph *graph)
{
	const char *at = prof_text_get(&graph->notes);

	while (*at) {
		const char *end = strchrnul(at, '\n');
		prof_text_print(&graph->text, "# %.*s\n", (int)(end - at), at);
		at = *end ? end + 1 : end;
	}
	graph->notes.length = 0;
}

static struct prof_error *run_flame(
	const struct command *command, const struct option_values *values)
{
	PROF_AUTO(graph_deinit) struct graph graph = {0};
	struct host_progress progress;
	bool screen = !option_get(values, "output");

	(void)command;
	if (values->given.count)
		return picture_draw(values);
	struct prof_error *error = picture_refuse(values);
	if (!error)
		error = read_graph(values, &graph);
	if (error)
		return error;
	host_progress_begin(&progress);
	graph.text.progress = &progress.progress;
	error = filter_explain(print(&progress.progress, &graph));
	host_progress_end(&progress);
	graph.text.progress = NULL;
	if (!error && screen)
		append_notes(&graph);
	if (!error)
		error = prof_text_error(&graph.text);
	if (!error)
		error = choice_write(values, &graph.text);
	return error || screen ? error : host_write(prof_text_get(&graph.notes));
}

const struct command command_flame = {
	.name = "prof-flame",
	.group = COMMAND_SAMPLES,
	.category = "COMMAND_DATA",
	.usage = "[FILE.svg [A [B]]]",
	.describe =
		"Draw a flame graph, or print the folded stacks of one.\n"
		"With FILE.svg it writes a picture for a web browser: a click or Enter zooms in, Esc zooms out, \"/\" or Ctrl-F searches.  "
		"With the files A and B, the picture shows how the experiment in B differs from that in A; without B, how the experiment at hand differs from A.  "
		"With --color=difference and a filter that is given twice, as in --interval=2 --interval=5, it shows how the second part of the experiment at hand differs from the first.\n\n"
		"Without FILE.svg it prints a line \"root;...;leaf WEIGHT\" for each stack, as flamegraph.pl reads it.  "
		"Times are in ns.",
	.options = &prof_flame_options,
	.arguments = COMMAND_FILES,
	.most = 1 + PROF_COMPARISON_SIDES,
	.repeats = true,
	.run = run_flame,
};
