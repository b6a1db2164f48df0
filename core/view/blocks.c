/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/blocks.h"

#include "model/experiment.h"
#include "report/grid.h"
#include "report/table.h"
#include "view/options.h"
#include "view/print.h"
#include "view/stack.h"

#include <inttypes.h>
#include <stdlib.h>

/* The metric NAME of SHEET, by path. */
static struct prof_error *measure(
	const struct prof_sheet *sheet, const char *name, prof_value **ret)
{
	struct prof_metric metric;
	struct prof_error *error = prof_metric_find(sheet->experiment, name, &metric);

	if (error)
		return error;
	return prof_metric_by_path(
		sheet->experiment, &metric, sheet->selection, sheet->progress, ret);
}

static void print_text(const struct prof_sheet *sheet, const struct prof_blocks_kind *kind,
	const struct prof_choice *choice, const struct prof_stack_rows *rows,
	struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;

	prof_text_print(text,
		"Summary Results: Distinct %s = %zu, Total Instances = %" PRId64
		", Total %s = %" PRId64 "\n",
		kind->many, rows->list.count, prof_stack_whole(rows->second), kind->bytes,
		prof_stack_whole(rows->first));
	for (size_t i = 0; i < prof_rows_limited(own->limit, rows->list.count); i++) {
		const struct prof_stack_row *row = &rows->list.items[i];
		prof_text_print(text, "\n%s #%zu, Instances = %" PRId64 ", %s = %" PRId64 "\n",
			kind->one, i + 1, prof_stack_whole(row->second), kind->bytes,
			prof_stack_whole(row->first));
		prof_stack_print(sheet->experiment, row->path, choice->folded, text);
	}
}

struct prof_error *prof_print_stack_rows(const char *view, const struct prof_sheet *sheet,
	const struct prof_choice *choice, uint64_t limit, const struct prof_stack_rows *rows,
	struct prof_text *text)
{
	static const char *const columns[] = {"instances", "bytes", "stack"};
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = PROF_COUNT(columns), .units = 1};
	size_t count = prof_rows_limited(limit, rows->list.count);
	AUTO_FREE struct prof_text *stacks = calloc(count + 1, sizeof *stacks);
	struct prof_error *error = stacks ? NULL : prof_error_nomem();

	for (size_t i = 0; i < count && !error; i++) {
		const struct prof_stack_row *row = &rows->list.items[i];
		struct prof_cell *cell = prof_table_row(&table);
		prof_stack_join(sheet->experiment, row->path, choice->folded, &stacks[i]);
		error = cell ? prof_text_error(&stacks[i]) : prof_error_nomem();
		if (error)
			break;
		if (rows->second)
			cell[0] = prof_cell_integer(prof_stack_whole(row->second));
		cell[1] = prof_cell_integer(prof_stack_whole(row->first));
		cell[2] = prof_cell_name(prof_text_get(&stacks[i]));
	}
	if (!error)
		error = prof_print_table(view, sheet, &table, choice->format, text);
	for (size_t i = 0; stacks && i < count; i++)
		prof_text_deinit(&stacks[i]);
	return error;
}

struct prof_error *prof_blocks_print(const struct prof_sheet *sheet,
	const struct prof_blocks_kind *kind, const struct prof_choice *choice,
	struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;
	AUTO_FREE prof_value *counts = NULL;
	AUTO_FREE prof_value *bytes = NULL;
	AUTO_STACK_ROWS struct prof_stack_rows rows = {0};
	struct prof_error *error = measure(sheet, kind->count_metric, &counts);

	if (!error)
		error = measure(sheet, kind->bytes_metric, &bytes);
	if (!error)
		error = prof_stack_rows_init(
			&rows, sheet->experiment, &(struct prof_stacks_values){bytes, counts});
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_stack_rows(kind->view, sheet, choice, own->limit, &rows, text);
	if (!sheet->experiment->heaps.count)
		prof_text_print(text, PROF_PRINT_NO_HEAP);
	else
		print_text(sheet, kind, choice, &rows, text);
	return prof_text_error(text);
}

static const struct prof_option option_rows[] = {
	PROF_STACK_OPTIONS, PROF_ROWS_OPTIONS(struct prof_rows_choice){.name = NULL}};

const struct prof_options prof_blocks_options = PROF_OPTIONS(option_rows, struct prof_rows_choice);
