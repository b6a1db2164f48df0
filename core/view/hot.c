/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hot path, with the lines of source that it goes through. */
#include "view/print.h"

#include "base/strings.h"
#include "metric/hot_lines.h"
#include "metric/hot_path.h"
#include "metric/profile.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "report/markup.h"
#include "report/number.h"
#include "view/code.h"
#include "view/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of the last function so many lines are shown, and none with less than this percent of it. */
enum { OWN_LINES = 3, OWN_LEAST = 10 };

enum { LEVEL, NAME, VALUE, IN_ONLY, PERCENT, ONLY_PERCENT, FILE_, LINE, LINE_VALUE, TEXT, WIDTH };

static const char *const columns[WIDTH] = {
	[LEVEL] = "level",
	[NAME] = "name",
	[VALUE] = "in_or_under",
	[IN_ONLY] = "in_only",
	[PERCENT] = "percent",
	[ONLY_PERCENT] = "in_only_percent",
	[FILE_] = "file",
	[LINE] = "line",
	[LINE_VALUE] = "line_value",
	[TEXT] = "source",
};

struct file {
	uint32_t name; /* string */
	struct prof_code_source source;
};

struct hot {
	const struct prof_sheet *sheet;
	const struct prof_profile *profile;
	struct prof_code *code; /* or NULL */
	struct prof_hot_lines path;
	PROF_ARRAY(struct file) files; /* that were read */
};

static void hot_deinit(struct hot *hot)
{
	for (size_t i = 0; i < hot->files.count; i++)
		prof_code_source_deinit(&hot->files.items[i].source);
	free(hot->files.items);
	prof_hot_lines_deinit(&hot->path);
}

static const struct prof_line *line_of(const struct hot *hot, const struct prof_hot_line *line)
{
	return &hot->profile->items->lines.items[line->item];
}

static const char *file_name(const struct hot *hot, const struct prof_line *line)
{
	return prof_strings_get(&hot->sheet->experiment->strings, line->file);
}

/* The file of LINE, read once; NULL: memory is short, or *ERROR is set. */
static struct prof_code_source *find_file(
	struct hot *hot, const struct prof_line *line, struct prof_error **error)
{
	for (size_t i = 0; i < hot->files.count; i++) {
		if (hot->files.items[i].name == line->file)
			return &hot->files.items[i].source;
	}
	struct file *file = prof_array_push(&hot->files);
	if (!file)
		return NULL;
	*file = (struct file){.name = line->file};
	struct prof_text *notes = &hot->code->notes;
	size_t noted = notes->length;
	*error = hot->code->source(
		hot->code, hot->sheet->experiment, file_name(hot, line), &file->source);
	/* Of the C library nobody expects the source: the number of the line is there without it.
	 */
	if (!file->source.lines.count && notes->length > noted)
		notes->bytes[notes->length = noted] = '\0';
	return *error ? NULL : &file->source;
}

/* Sets *RET to the text of LINE, borrowed until the next call, or to NULL where it is not known. */
static struct prof_error *find_text(
	struct hot *hot, const struct prof_line *line, const struct prof_code_line **ret)
{
	struct prof_error *error = NULL;

	*ret = NULL;
	if (!hot->code || !line->line)
		return NULL;
	const struct prof_code_source *source = find_file(hot, line, &error);
	if (!source)
		return error ? error : prof_error_nomem();
	if (line->line <= source->lines.count)
		*ret = &source->lines.items[line->line - 1];
	return NULL;
}

/* How many lines of step NUMBER are shown: one that calls the next step, or some of the last. */
static size_t lines_shown(const struct hot *hot, size_t number)
{
	const struct prof_hot_step *step = &hot->path.steps.items[number];
	const struct prof_hot_line *lines = hot->path.lines.items + step->first;
	size_t most = number + 1 < hot->path.steps.count ? 1 : OWN_LINES;
	size_t count = 0;

	while (count < step->lines && count < most && line_of(hot, &lines[count])->line &&
		(!count || lines[count].value >= step->in_only / 100 * OWN_LEAST))
		count++;
	return count;
}

static const char *function_name(const struct hot *hot, const struct prof_hot_step *step)
{
	return prof_experiment_function_name(hot->sheet->experiment, step->function);
}

/* Adds the row of step NUMBER with LINE, or with none, to TABLE. */
static struct prof_error *add_row(
	struct hot *hot, size_t number, const struct prof_hot_line *line, struct prof_table *table)
{
	const struct prof_hot_step *step = &hot->path.steps.items[number];
	struct prof_cell *row = prof_table_row(table);
	prof_value total = hot->profile->inclusive[0];
	const struct prof_code_line *text;

	if (!row)
		return prof_error_nomem();
	row[LEVEL] = prof_cell_integer((int64_t)number + 1);
	row[NAME] = prof_cell_name(function_name(hot, step));
	row[VALUE] = prof_cell_value(step->in_or_under);
	row[IN_ONLY] = prof_cell_value(step->in_only);
	row[PERCENT] = prof_cell_real(prof_value_percent(step->in_or_under, total));
	row[ONLY_PERCENT] = prof_cell_real(prof_value_percent(step->in_only, total));
	if (!line)
		return NULL;
	row[FILE_] = prof_cell_name(file_name(hot, line_of(hot, line)));
	row[LINE] = prof_cell_integer(line_of(hot, line)->line);
	row[LINE_VALUE] = prof_cell_value(line->value);
	struct prof_error *error = find_text(hot, line_of(hot, line), &text);
	if (!error && text)
		row[TEXT] = prof_cell_line(text->text);
	return error;
}

/* Prints the path as CSV or JSON. */
static struct prof_error *print_data(
	struct hot *hot, enum prof_format format, struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {
		"rows", columns, WIDTH, hot->profile->metric->units, {0}};
	struct prof_error *error = NULL;

	for (size_t i = 0; i < hot->path.steps.count && !error; i++) {
		const struct prof_hot_step *step = &hot->path.steps.items[i];
		size_t count = lines_shown(hot, i);
		if (!count)
			error = add_row(hot, i, NULL, &table);
		for (size_t j = 0; j < count && !error; j++)
			error = add_row(hot, i, &hot->path.lines.items[step->first + j], &table);
	}
	return error ? error : prof_print_table("hot", hot->sheet, &table, format, text);
}

/* Adds the cell of VALUE in percent of the total; nothing where it is 0. */
static void print_percent(const struct hot *hot, prof_value value, struct prof_grid *grid)
{
	char buffer[PROF_NUMBER_TEXT];
	double percent = prof_value_percent(value, hot->profile->inclusive[0]);

	prof_grid_cell(grid, value ? prof_number_percent(percent, hot->sheet->few, buffer) : "");
}

/* The same of what code has itself. */
static void print_own(const struct hot *hot, prof_value value, struct prof_grid *grid)
{
	double percent = prof_value_percent(value, hot->profile->inclusive[0]);
	char buffer[PROF_NUMBER_TEXT];

	if (percent >= PROF_HOT_PATH_LEAST)
		prof_grid_hot(grid, prof_number_percent(percent, hot->sheet->few, buffer));
	else
		print_percent(hot, value, grid);
}

static void print_step(const struct hot *hot, size_t number, struct prof_grid *grid)
{
	const struct prof_hot_step *step = &hot->path.steps.items[number];
	AUTO_TEXT struct prof_text cell = {0};
	char buffer[PROF_NUMBER_TEXT];

	prof_grid_cell(grid, prof_number_value(step->in_or_under, hot->profile->metric, buffer));
	print_percent(hot, step->in_or_under, grid);
	print_own(hot, step->in_only, grid);
	prof_markup_name(&cell, function_name(hot, step));
	if (lines_shown(hot, number)) {
		const struct prof_line *line = line_of(hot, &hot->path.lines.items[step->first]);
		const char *path = file_name(hot, line);
		const char *slash = strrchr(path, '/');
		prof_text_print(&cell, " at ");
		prof_markup_begin(&cell, PROF_MARKUP_FILE);
		prof_text_name(&cell, slash ? slash + 1 : path);
		prof_markup_end(&cell);
		prof_text_print(&cell, ":%" PRIu32, line->line);
	}
	prof_grid_cell(grid, prof_text_get(&cell));
	grid->cells.failed |= cell.failed;
}

/* Prints LINE of step NUMBER with its text, if that is known. */
static struct prof_error *print_line(
	struct hot *hot, size_t number, const struct prof_hot_line *line, struct prof_grid *grid)
{
	bool last = number + 1 == hot->path.steps.count;
	const struct prof_code_line *source;
	AUTO_TEXT struct prof_text cell = {0};
	struct prof_error *error = find_text(hot, line_of(hot, line), &source);

	if (error || !source)
		return error;
	/* What the next function has altogether stands there. */
	bool all = !last && line->value == hot->path.steps.items[number + 1].in_or_under;
	const char *shown = source->styled ? source->styled : source->text;
	shown += strspn(shown, " ");
	prof_grid_cell(grid, "");
	print_percent(hot, last || all ? 0 : line->value, grid);
	print_own(hot, last ? line->value : 0, grid);
	prof_text_print(&cell, "  %-6" PRIu32, line_of(hot, line)->line);
	prof_markup_begin(&cell, PROF_MARKUP_LINE);
	if (source->styled)
		prof_text_bytes(&cell, shown, strlen(shown));
	else
		prof_text_name(&cell, shown);
	prof_markup_end(&cell);
	prof_grid_cell(grid, prof_text_get(&cell));
	grid->cells.failed |= cell.failed;
	return NULL;
}

/* Adds why the path ends where it ends, unless its last function calls nothing. */
static void print_end(const struct hot *hot, struct prof_text *text)
{
	size_t count = hot->path.steps.count;
	prof_value total = hot->profile->inclusive[0];
	char buffer[PROF_NUMBER_TEXT];
	const char *most = prof_number_percent(
		prof_value_percent(hot->path.next, total), hot->sheet->few, buffer);

	if (!count) {
		prof_text_print(text, "No outermost function has %d %% of the total.\n",
			PROF_HOT_PATH_LEAST);
		return;
	}
	if (!hot->path.next)
		return;
	if (hot->path.steps.items[count - 1].in_only >= hot->path.next)
		prof_text_print(text,
			"\nThe path ends here: the callee with the most has %s %% of the total.\n",
			most);
	else
		prof_text_print(text,
			"\nThe path ends here: no callee has %d %% of the total, the most is %s %%.\n",
			PROF_HOT_PATH_LEAST, most);
}

static struct prof_error *print_text(struct hot *hot, struct prof_text *text)
{
	struct prof_grid_column heads[] = {{.right = true}, {{NULL, NULL, "%"}, true},
		{{NULL, "In Only", "%"}, true}, {{NULL, NULL, "Hot path"}, false}};
	AUTO_GRID struct prof_grid grid = {
		.columns = heads, .width = PROF_COUNT(heads), .underline = true};
	struct prof_error *error = NULL;

	prof_print_heads("In or Under", hot->profile->metric, heads[0].heads);
	for (size_t i = 0; i < hot->path.steps.count && !error; i++) {
		const struct prof_hot_step *step = &hot->path.steps.items[i];
		print_step(hot, i, &grid);
		for (size_t j = 0; j < lines_shown(hot, i) && !error; j++)
			error = print_line(hot, i, &hot->path.lines.items[step->first + j], &grid);
	}
	if (error)
		return error;
	if (hot->code && hot->code->notes.length)
		prof_text_print(text, "%s\n", prof_text_get(&hot->code->notes));
	if (hot->path.steps.count)
		prof_grid_print(&grid, text);
	print_end(hot, text);
	return prof_text_error(text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(hot_deinit)
	struct hot hot = {.sheet = sheet, .profile = sheet->profiles[0], .code = choice->code};

	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	struct prof_error *error = prof_hot_lines_find(&hot.path, hot.profile);
	if (error)
		return error;
	return choice->format == PROF_FORMAT_TEXT ? print_text(&hot, text)
						  : print_data(&hot, choice->format, text);
}

static const struct prof_option option_rows[] = {PROF_METRIC_OPTION, PROF_STACK_OPTIONS,
	PROF_FORMAT_OPTION, PROF_OUTPUT_OPTION, PROF_NAMES_OPTION,
	PROF_FILTER_OPTIONS{.name = NULL}};

static const struct prof_options options = {.rows = option_rows};

const struct prof_view prof_view_hot = {
	.name = "hot",
	.describe =
		"Show the hot path: where most of the time goes, line by line.\n"
		"It goes from the outermost function to the callee with the most, and on to the callee of that with the most.  "
		"It ends at a function that has as much by itself as any of its callees, or whose callees all have less than 10 percent of the total.  "
		"Below each function is the line of source that calls the next one most; below the last one are the lines where it spends most.  "
		"Recursion is collapsed as by \"prof-tree --collapse=conservative\".",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_LINES,
	.want = PROF_WANT_ONE,
	.needs = PROF_HAS_STACKS,
};
