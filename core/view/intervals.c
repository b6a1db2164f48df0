/* The list of intervals, and what the whole program has used in each of them. */
#include "view/print.h"

#include "metric/intervals.h"
#include "report/grid.h"
#include "report/number.h"

#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000000)

/* Columns of both views; those of the figures follow in the overview. */
enum { NUMBER, START, START_LABEL, END, END_LABEL, DURATION, SAMPLES, THREAD_TIME, LISTED };

/* Of thread time, what is not on a CPU: the kernel knows better what is. */
static const struct {
	enum prof_state state;
	const char *name, *title;
} waits[] = {
	{PROF_STATE_RUNQUEUE, "runqueue", "Wait for a CPU"},
	{PROF_STATE_LOCK, "lock", "Wait for a lock"},
	{PROF_STATE_TEXT, "text_fault", "Wait for a page of code"},
	{PROF_STATE_FAULT, "data_fault", "Wait for a page of data"},
	{PROF_STATE_OTHER, "other", "Other wait"},
};

enum { WAITS = LISTED, FIGURES = WAITS + (int)PROF_COUNT(waits), WIDTH = FIGURES + PROF_USAGES };

/* What both views are made from. */
struct data {
	const struct prof_experiment *experiment;
	struct prof_intervals *intervals;
	struct prof_interval_set set;
	size_t chosen; /* intervals of SET */
	size_t listed; /* of these, the first, that are shown one by one */
	const char *columns[WIDTH];
	struct prof_table table;
};

static void data_deinit(struct data *data)
{
	prof_intervals_destroy(data->intervals);
	prof_interval_set_deinit(&data->set);
	prof_table_deinit(&data->table);
}

static void name_columns(const char **columns)
{
	static const char *const listed[LISTED] = {
		[NUMBER] = "interval",
		[START] = "start",
		[START_LABEL] = "start_label",
		[END] = "end",
		[END_LABEL] = "end_label",
		[DURATION] = "duration",
		[SAMPLES] = "samples",
		[THREAD_TIME] = "thread_time",
	};

	memcpy(columns, listed, sizeof listed);
	for (size_t i = 0; i < PROF_COUNT(waits); i++)
		columns[WAITS + i] = waits[i].name;
	for (size_t i = 0; i < PROF_USAGES; i++)
		columns[FIGURES + i] = prof_usage_table[i].name;
}

static struct prof_error *data_init(
	struct data *data, const struct prof_sheet *sheet, const struct prof_choice *choice)
{
	data->experiment = sheet->experiment;
	struct prof_error *error = prof_intervals_create(sheet->experiment, &data->intervals);

	if (!error)
		error = prof_intervals_count(data->intervals, sheet->selection, sheet->progress);
	if (!error)
		error = prof_interval_set_filter(data->intervals, &choice->filter, &data->set);
	if (error)
		return error;
	name_columns(data->columns);
	data->table = (struct prof_table){.key = "rows", .columns = data->columns, .width = WIDTH};
	for (size_t i = 1; i <= data->set.count; i++)
		data->chosen += data->set.has[i];
	bool all = !choice->limit || choice->limit > data->chosen;
	data->listed = all ? data->chosen : choice->limit;
	return NULL;
}

static const char *label(const struct data *data, const struct prof_mark *mark)
{
	return mark ? prof_strings_get(&data->experiment->strings, mark->label) : "";
}

/* NUMBER 0 is the total. */
static bool add_row(struct data *data, size_t number, const struct prof_interval *interval)
{
	struct prof_cell *row = prof_table_row(&data->table);

	if (!row)
		return false;
	if (number)
		row[NUMBER] = prof_cell_integer((int64_t)number);
	row[START] = prof_cell_value_in(prof_value_of(interval->begin), SECOND);
	row[START_LABEL] = prof_cell_name(label(data, interval->start));
	row[END] = prof_cell_value_in(prof_value_of(interval->end), SECOND);
	row[END_LABEL] = prof_cell_name(label(data, interval->stop));
	row[DURATION] = prof_cell_value_in(prof_value_of(interval->duration), SECOND);
	row[SAMPLES] = prof_cell_value_in(interval->samples, 1);
	row[THREAD_TIME] = prof_cell_value_in(prof_interval_thread_time(interval), SECOND);
	for (size_t i = 0; i < PROF_COUNT(waits); i++)
		row[WAITS + i] = prof_cell_value_in(interval->spent[waits[i].state], SECOND);
	for (size_t i = 0; i < PROF_USAGES; i++) {
		if (interval->figures[i] >= 0)
			row[FIGURES + i] =
				prof_cell_value_in(interval->figures[i], prof_usage_table[i].units);
	}
	return true;
}

static struct prof_error *fill(struct data *data)
{
	size_t listed = 0;

	for (size_t i = 1; i <= data->set.count && listed < data->listed; i++) {
		if (!data->set.has[i])
			continue;
		if (!add_row(data, i, &data->intervals->items.items[i - 1]))
			return prof_error_nomem();
		listed++;
	}
	return NULL;
}

static struct prof_error *fill_total(struct data *data)
{
	struct prof_interval total;

	prof_intervals_total(data->intervals, &data->set, &total);
	return !data->chosen || add_row(data, 0, &total) ? NULL : prof_error_nomem();
}

/* Says that there is nothing to be shown, if so. */
static bool print_nothing(
	const struct data *data, const struct prof_choice *choice, struct prof_text *text)
{
	if (choice->format != PROF_FORMAT_TEXT || data->chosen)
		return false;
	if (data->set.count)
		prof_text_print(text, "The filter leaves no interval.\n");
	else
		prof_text_print(
			text, "No intervals: they lie between marks; see help prof-mark.\n");
	return true;
}

/* Adds "start .. end", the labels of ROW. */
static void print_labels(const struct prof_cell *row, struct prof_text *text)
{
	prof_text_name(text, row[START_LABEL].name);
	prof_text_print(text, " .. ");
	prof_text_name(text, row[END_LABEL].name);
}

/* The value of CELL with PLACES decimals. */
static const char *number(const struct prof_cell *cell, int places, char *buffer)
{
	if (cell->kind == PROF_CELL_EMPTY)
		return "unknown";
	return prof_number_fixed(cell->value, cell->units, places, buffer);
}

static struct prof_error *print_list(const struct data *data, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{NULL, NULL, "Interval"}, true},
		{{NULL, "Start", "sec."}, true},
		{{NULL, "Duration", "sec."}, true},
		{{NULL, NULL, "Samples"}, true},
		{{NULL, "Thread time", "sec."}, true},
		{{NULL, NULL, "Marks"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	char buffer[PROF_NUMBER_TEXT];

	for (size_t i = 0; i < prof_table_rows(&data->table); i++) {
		const struct prof_cell *row = prof_table_get(&data->table, i);
		AUTO_TEXT struct prof_text labels = {0};
		print_labels(row, &labels);
		snprintf(buffer, sizeof buffer, "%lld", (long long)row[NUMBER].integer);
		prof_grid_cell(&grid, buffer);
		prof_grid_cell(&grid, number(&row[START], 3, buffer));
		prof_grid_cell(&grid, number(&row[DURATION], 3, buffer));
		prof_grid_cell(&grid, number(&row[SAMPLES], 0, buffer));
		prof_grid_cell(&grid, number(&row[THREAD_TIME], 3, buffer));
		prof_grid_cell(&grid, prof_text_get(&labels));
		if (labels.failed)
			return prof_error_nomem();
	}
	prof_grid_print(&grid, text);
	return prof_text_error(text);
}

/* Adds a line of a block: TITLE, the value of CELL, and UNIT. */
static void add_line(struct prof_grid *grid, const char *title, const struct prof_cell *cell,
	int places, const char *unit)
{
	char buffer[PROF_NUMBER_TEXT];

	prof_grid_cell(grid, title);
	prof_grid_cell(grid, number(cell, places, buffer));
	prof_grid_cell(grid, cell->kind == PROF_CELL_EMPTY ? "" : unit);
}

/* Adds the block of ROW. */
static void print_block(const struct prof_cell *row, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {{{NULL, NULL, NULL}, false},
		{{NULL, NULL, NULL}, true}, {{NULL, NULL, NULL}, false}};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	const struct prof_cell *figures = &row[FIGURES];

	add_line(&grid, "  Duration", &row[DURATION], 3, "sec.");
	for (int i = 0; i < PROF_USAGES; i++) {
		AUTO_TEXT struct prof_text title = {0};
		const struct prof_usage_row *usage = &prof_usage_table[i];
		prof_text_print(&title, "  %s", usage->title);
		add_line(&grid, prof_text_get(&title), &figures[i], usage->places, usage->unit);
		if (i != PROF_USAGE_RUNNING)
			continue;
		add_line(&grid, "  Thread time", &row[THREAD_TIME], 3, "sec.");
		for (size_t j = 0; j < PROF_COUNT(waits); j++) {
			AUTO_TEXT struct prof_text wait = {0};
			prof_text_print(&wait, "    %s", waits[j].title);
			add_line(&grid, prof_text_get(&wait), &row[WAITS + j], 3, "sec.");
		}
	}
	prof_grid_print(&grid, text);
}

/* Has FILTER conditions of which the kernel's figures know nothing? */
static bool filters_samples(const struct prof_filter *filter)
{
	struct prof_filter others = *filter;

	others.values[PROF_CONDITION_INTERVAL] = NULL;
	others.values[PROF_CONDITION_BETWEEN] = NULL;
	return prof_filter_is_set(&others);
}

static void print_overview(
	const struct data *data, const struct prof_filter *filter, struct prof_text *text)
{
	char begin[PROF_NUMBER_TEXT], end[PROF_NUMBER_TEXT];

	if (filters_samples(filter))
		prof_text_print(text,
			"The filter is for thread time, and the waits that are part "
			"of it; all else is of the whole program.\n\n");
	for (size_t i = 0; i < prof_table_rows(&data->table); i++) {
		const struct prof_cell *row = prof_table_get(&data->table, i);
		if (row[NUMBER].kind == PROF_CELL_EMPTY)
			prof_text_print(text, "Total of %zu interval%s", data->chosen,
				data->chosen == 1 ? "" : "s");
		else
			prof_text_print(text, "\nInterval %lld", (long long)row[NUMBER].integer);
		prof_text_print(text, ", %s to %s sec.: ", number(&row[START], 3, begin),
			number(&row[END], 3, end));
		print_labels(row, text);
		prof_text_print(text, "\n");
		print_block(row, text);
	}
}

struct prof_error *prof_print_intervals(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(data_deinit) struct data data = {0};
	struct prof_error *error = data_init(&data, sheet, choice);

	if (error || print_nothing(&data, choice, text))
		return error;
	error = fill(&data);
	if (error)
		return error;
	if (choice->format == PROF_FORMAT_TEXT)
		return print_list(&data, text);
	return prof_print_table("intervals", sheet, &data.table, choice->format, text);
}

struct prof_error *prof_print_overview(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(data_deinit) struct data data = {0};
	struct prof_error *error = data_init(&data, sheet, choice);

	if (error || print_nothing(&data, choice, text))
		return error;
	error = fill_total(&data);
	if (!error)
		error = fill(&data);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("overview", sheet, &data.table, choice->format, text);
	print_overview(&data, &choice->filter, text);
	return prof_text_error(text);
}
