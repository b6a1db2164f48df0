/* The command that writes what flame graphs are drawn of. */
#include "plugin/command.h"

#include "base/file.h"
#include "plugin/choice.h"
#include "plugin/host.h"
#include "plugin/session.h"
#include "view/flame.h"
#include "view/picture.h"
#include "view/print.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row flame_options[] = {
	{.name = "chart",
		.describe = "In the order of time, thread by thread, instead of equal stacks added "
			    "up."},
	{.name = "inverted",
		.describe = "In a picture, begin with what was running, and show below each what "
			    "called it."},
	{.name = "max-depth",
		.value = "N",
		.describe = "Leave out what is deeper; outermost functions have depth 0."},
	METRIC_OPTION, INLINE_OPTION, OUTPUT_OPTION, FILTER_OPTIONS{.name = NULL}};

/* What was asked for, and what came of it. */
struct graph {
	struct choice choice;
	char *file; /* of a picture; NULL: text */
	bool inverted;
	struct prof_flame flame;
	struct prof_text text;
	struct prof_text notes; /* lines that are no part of the graph */
};

static void graph_deinit(struct graph *graph)
{
	choice_deinit(&graph->choice);
	free(graph->file);
	prof_text_deinit(&graph->text);
	prof_text_deinit(&graph->notes);
}

/* Refuses what only a picture can be. */
static struct prof_error *check_text(const struct option_values *values)
{
	static const char *const options[] = {"inverted"};

	for (size_t i = 0; i < PROF_COUNT(options); i++) {
		if (option_get(values, options[i]))
			return prof_error_create(PROF_ERROR_USAGE,
				"--%s is for pictures: prof-flame FILE.svg --%s.", options[i],
				options[i]);
	}
	return NULL;
}

/* Reads the argument, the file that a picture is written to. */
static struct prof_error *read_file(const struct option_values *values, struct graph *graph)
{
	static const char ending[] = ".svg";

	if (!values->count)
		return check_text(values);
	size_t length = strlen(values->arguments[0]);
	if (length < sizeof ending ||
		strcmp(values->arguments[0] + length + 1 - sizeof ending, ending))
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-flame draws into a file whose name ends in .svg, which \"%s\" does "
			"not.",
			values->arguments[0]);
	if (option_get(values, "output"))
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-flame writes either a picture, or text with --output.");
	return command_file(values, 0, &graph->file);
}

static struct prof_error *read_graph(const struct option_values *values, struct graph *graph)
{
	unsigned long depth;
	struct prof_error *error = choice_read(values, &graph->choice);

	if (!error)
		error = read_file(values, graph);
	if (!error)
		error = option_number(values, "max-depth", 0, ULONG_MAX, &depth);
	if (error)
		return error;
	graph->flame.max_depth = depth == ULONG_MAX ? PROF_FLAME_DEEPEST : depth;
	graph->flame.chart = option_get(values, "chart") != NULL;
	graph->inverted = option_get(values, "inverted") != NULL;
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

static struct prof_error *draw_sheet(const struct prof_sheet *sheet, struct graph *graph)
{
	struct prof_error *error;

	prof_view_filter(sheet, &graph->choice.choice.filter, &graph->notes);
	prof_view_heading(sheet->experiment, &graph->notes);
	if (!sheet->profiles[0]->inclusive[0])
		prof_print_why_nothing(sheet, &graph->notes);
	error = prof_text_error(&graph->notes);
	if (error)
		return error;
	const struct prof_picture_request request = {
		.inverted = graph->inverted,
		.max_depth = graph->flame.max_depth,
		.notes = prof_text_get(&graph->notes),
	};
	return prof_picture_print(sheet, &request, &graph->text);
}

static struct prof_error *print(const struct prof_progress *progress, struct graph *graph)
{
	const struct prof_choice *choice = &graph->choice.choice;
	const struct prof_sheet_request request = {
		.shown = &choice->shown,
		.filter = &choice->filter,
		.kind = PROF_KIND_FUNCTIONS,
		.inlined = !choice->folded,
		.want = graph->file ? PROF_WANT_ONE : PROF_WANT_NOTHING,
	};
	AUTO_SHEET struct prof_sheet sheet = {0};
	struct prof_experiment *experiment;
	struct prof_error *error = session_borrow(progress, &experiment);

	if (error)
		return error;
	error = prof_sheet_init(&sheet, experiment, &request, progress);
	if (!error)
		error = graph->file ? draw_sheet(&sheet, graph) : print_sheet(&sheet, graph);
	session_return();
	return error;
}

/* On the screen notes stand behind the graph, as comments: tools skip them. */
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
	struct prof_error *error = read_graph(values, &graph);
	if (error)
		return error;
	host_progress_begin(&progress);
	error = filter_explain(print(&progress.progress, &graph));
	host_progress_end(&progress);
	if (!error && screen && !graph.file)
		append_notes(&graph);
	if (!error)
		error = prof_text_error(&graph.text);
	if (!error && graph.file)
		return prof_file_write(graph.file, prof_text_get(&graph.text), graph.text.length);
	if (!error)
		error = choice_write(values, &graph.text);
	return error || screen ? error : host_write(prof_text_get(&graph.notes));
}

const struct command commands_flame[] = {
	{
		.name = "prof-flame",
		.category = "COMMAND_DATA",
		.usage = "[FILE.svg]",
		.describe =
			"Draw a flame graph, or show what it is drawn of: a line for each stack.\n"
			"FILE.svg is a picture for a browser: a click or Enter zooms, `/' or "
			"Ctrl-F\n"
			"searches, Esc goes back.  Without a file there is text.\n"
			"It is folded text, `root;...;leaf WEIGHT', as flamegraph.pl reads it; "
			"times are in\n"
			"ns.  Equal stacks are added up and sorted; --chart keeps them as they "
			"came.",
		.options = flame_options,
		.arguments = COMMAND_FILES,
		.most = 1,
		.repeats = true,
		.run = run_flame,
	},
	{.name = NULL},
};
