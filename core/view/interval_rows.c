/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/interval_rows.h"

#include "base/strings.h"
#include "base/time_unit.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "report/number.h"
#include "report/sheet.h"
#include "view/options.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

const struct prof_interval_wait prof_interval_waits[PROF_INTERVAL_WAIT_COUNT] = {
	{PROF_STATE_RUNQUEUE, "runqueue", "Wait for a CPU"},
	{PROF_STATE_LOCK, "lock", "Wait for a lock"},
	{PROF_STATE_TEXT, "text_fault", "Wait for a page of code"},
	{PROF_STATE_FAULT, "data_fault", "Wait for a page of data"},
	{PROF_STATE_OTHER, "other", "Other wait"},
};

void prof_interval_rows_deinit(struct prof_interval_rows *rows)
{
	prof_intervals_destroy(rows->intervals);
	prof_interval_set_deinit(&rows->set);
	prof_table_deinit(&rows->table);
	for (size_t i = 0; i < rows->labels.count; i++)
		free(rows->labels.items[i]);
	free(rows->labels.items);
}

static void name_columns(const char **columns)
{
	static const char *const listed[PROF_INTERVAL_LISTED] = {
		[PROF_INTERVAL_NUMBER] = "interval",
		[PROF_INTERVAL_START] = "start",
		[PROF_INTERVAL_START_LABEL] = "start_label",
		[PROF_INTERVAL_END] = "end",
		[PROF_INTERVAL_END_LABEL] = "end_label",
		[PROF_INTERVAL_DURATION] = "duration",
		[PROF_INTERVAL_SAMPLES] = "samples",
		[PROF_INTERVAL_THREAD_TIME] = "thread_time",
	};

	memcpy(columns, listed, sizeof listed);
	for (size_t i = 0; i < PROF_INTERVAL_WAIT_COUNT; i++)
		columns[PROF_INTERVAL_WAITS + i] = prof_interval_waits[i].name;
	for (size_t i = 0; i < PROF_USAGES; i++)
		columns[PROF_INTERVAL_FIGURES + i] = prof_usage_table[i].name;
}

struct prof_error *prof_interval_rows_init(struct prof_interval_rows *rows,
	const struct prof_sheet *sheet, const struct prof_choice *choice)
{
	const struct prof_rows_choice *own = choice->own;

	rows->experiment = sheet->experiment;
	struct prof_error *error = prof_intervals_create(sheet->experiment, &rows->intervals);

	if (!error)
		error = prof_intervals_count(rows->intervals, sheet->selection, sheet->progress);
	if (!error)
		error = prof_interval_set_filter(rows->intervals, &choice->filter, &rows->set);
	if (error)
		return error;
	name_columns(rows->columns);
	rows->table = (struct prof_table){
		.key = "rows", .columns = rows->columns, .width = PROF_INTERVAL_WIDTH};
	for (size_t i = 1; i <= rows->set.count; i++)
		rows->chosen += rows->set.has[i];
	bool all = !own->limit || own->limit > rows->chosen;
	rows->listed = all ? rows->chosen : own->limit;
	return NULL;
}

/* The name of MARK, "rank 3: start" if it is a rank's.  NULL if memory is short. */
static const char *label(struct prof_interval_rows *rows, const struct prof_mark *mark)
{
	const struct prof_rank *rank = mark ? prof_intervals_rank(rows->intervals, mark) : NULL;
	const char *own = mark ? prof_strings_get(&rows->experiment->strings, mark->label) : "";
	AUTO_TEXT struct prof_text text = {0};

	if (!rank)
		return own;
	prof_rank_print(rank, &text);
	prof_text_print(&text, "%s", own);
	char **kept = text.failed ? NULL : prof_array_push(&rows->labels);
	if (!kept)
		return NULL;
	*kept = text.bytes;
	text = (struct prof_text){0};
	return *kept;
}

/* PROF_INTERVAL_NUMBER 0 is the total. */
static bool add_row(
	struct prof_interval_rows *rows, size_t number, const struct prof_interval *interval)
{
	struct prof_cell *row = prof_table_row(&rows->table);
	const char *start = label(rows, interval->start), *end = label(rows, interval->stop);

	if (!row || !start || !end)
		return false;
	if (number)
		row[PROF_INTERVAL_NUMBER] = prof_cell_integer((int64_t)number);
	row[PROF_INTERVAL_START] =
		prof_cell_value_in(prof_value_of(interval->begin), PROF_NS_PER_SECOND);
	row[PROF_INTERVAL_START_LABEL] = prof_cell_name(start);
	row[PROF_INTERVAL_END] =
		prof_cell_value_in(prof_value_of(interval->end), PROF_NS_PER_SECOND);
	row[PROF_INTERVAL_END_LABEL] = prof_cell_name(end);
	row[PROF_INTERVAL_DURATION] =
		prof_cell_value_in(prof_value_of(interval->duration), PROF_NS_PER_SECOND);
	row[PROF_INTERVAL_SAMPLES] = prof_cell_value_in(interval->samples, 1);
	row[PROF_INTERVAL_THREAD_TIME] =
		prof_cell_value_in(prof_interval_thread_time(interval), PROF_NS_PER_SECOND);
	for (size_t i = 0; i < PROF_INTERVAL_WAIT_COUNT; i++)
		row[PROF_INTERVAL_WAITS + i] = prof_cell_value_in(
			interval->spent[prof_interval_waits[i].state], PROF_NS_PER_SECOND);
	for (size_t i = 0; i < PROF_USAGES; i++) {
		if (interval->figures[i] >= 0)
			row[PROF_INTERVAL_FIGURES + i] =
				prof_cell_value_in(interval->figures[i], prof_usage_table[i].units);
	}
	return true;
}

struct prof_error *prof_interval_rows_fill(struct prof_interval_rows *rows)
{
	size_t listed = 0;

	for (size_t i = 1; i <= rows->set.count && listed < rows->listed; i++) {
		if (!rows->set.has[i])
			continue;
		if (!add_row(rows, i, &rows->intervals->items.items[i - 1]))
			return prof_error_nomem();
		listed++;
	}
	return NULL;
}

struct prof_error *prof_interval_rows_total(struct prof_interval_rows *rows)
{
	struct prof_interval total;

	prof_intervals_total(rows->intervals, &rows->set, &total);
	return !rows->chosen || add_row(rows, 0, &total) ? NULL : prof_error_nomem();
}

bool prof_interval_rows_nothing(const struct prof_interval_rows *rows,
	const struct prof_choice *choice, struct prof_text *text)
{
	if (choice->format != PROF_FORMAT_TEXT || rows->chosen)
		return false;
	if (rows->set.count)
		prof_text_print(text, "The filter leaves no interval.\n");
	else
		prof_text_print(
			text, "No intervals: they lie between marks; see help prof-mark.\n");
	return true;
}

void prof_interval_rows_labels(const struct prof_cell *row, struct prof_text *text)
{
	prof_text_name(text, row[PROF_INTERVAL_START_LABEL].name);
	prof_text_print(text, " .. ");
	prof_text_name(text, row[PROF_INTERVAL_END_LABEL].name);
}

const char *prof_interval_rows_number(const struct prof_cell *cell, int places, char *buffer)
{
	if (cell->kind == PROF_CELL_EMPTY)
		return "unknown";
	return prof_number_fixed(cell->value, cell->units, places, buffer);
}
