/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/message_waits.h"

#include "base/time_unit.h"
#include "metric/exchanges.h"
#include "metric/waits.h"
#include "report/grid.h"
#include "report/sheet.h"
#include "report/table.h"
#include "view/options.h"
#include "view/print.h"
#include "view/view.h"

#include <inttypes.h>

enum { CAUSE, RANK, OTHER, WAITS, WAIT, LONGEST, WIDTH };

static const char *const columns[WIDTH] = {
	[CAUSE] = "cause",
	[RANK] = "rank",
	[OTHER] = "for_rank",
	[WAITS] = "waits",
	[WAIT] = "wait",
	[LONGEST] = "longest",
};

static struct prof_error *print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_waits *waits, size_t count,
	struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};

	for (size_t i = 0; i < count; i++) {
		const struct prof_wait_sum *sum = &waits->list.items[i];
		struct prof_cell *row = prof_table_row(&table);
		if (!row)
			return prof_error_nomem();
		row[CAUSE] = prof_cell_name(prof_wait_words[sum->cause]);
		row[RANK] = prof_cell_integer(sum->rank);
		row[OTHER] = prof_cell_integer(sum->other);
		row[WAITS] = prof_cell_count(sum->waits);
		row[WAIT] = prof_cell_value_in(sum->time, PROF_NS_PER_SECOND);
		row[LONGEST] = prof_cell_value_in(prof_value_of(sum->longest), PROF_NS_PER_SECOND);
	}
	return prof_print_table("messages", sheet, &table, choice->format, text);
}

static void add_row(struct prof_grid *grid, const struct prof_wait_sum *sum, const char *name)
{
	prof_grid_number(grid, sum->time, PROF_NS_PER_SECOND, 6);
	prof_grid_number(grid, sum->waits, 1, 0);
	prof_grid_number(grid, prof_value_of(sum->longest), PROF_NS_PER_SECOND, 6);
	prof_grid_cell(grid, name);
}

static void print_list(const struct prof_waits *waits, size_t count, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{"Wait", "Time", "sec."}, true},
		{{NULL, "Waits", NULL}, true},
		{{"Longest", "Wait", "sec."}, true},
		{{NULL, NULL, "Cause"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};

	add_row(&grid, &waits->total, PROF_SHEET_TOTAL);
	for (size_t i = 0; i < count; i++) {
		const struct prof_wait_sum *sum = &waits->list.items[i];
		AUTO_TEXT struct prof_text line = {0};
		prof_text_print(&line, "%s: rank %" PRId64 " waits for rank %" PRId64,
			prof_wait_names[sum->cause], sum->rank, sum->other);
		add_row(&grid, sum, prof_text_get(&line));
	}
	prof_grid_print(&grid, text);
}

/*
 * How many messages EXPERIMENT has: more than its operations, where there were too many to keep all
 * of these.
 */
static struct prof_error *count_messages(const struct prof_experiment *experiment,
	const struct prof_mpi_matches *matches, uint64_t *ret)
{
	AUTO_EXCHANGES struct prof_exchanges exchanges = {0};
	struct prof_error *error = prof_exchanges_init(&exchanges, experiment, NULL);
	prof_value count = 0;

	for (size_t i = 0; i < exchanges.list.count; i++) {
		const struct prof_exchange *exchange = &exchanges.list.items[i];
		count +=
			exchange->sends > exchange->receives ? exchange->sends : exchange->receives;
	}
	*ret = (uint64_t)(count / PROF_VALUE_ONE);
	if (*ret < matches->messages)
		*ret = matches->messages;
	return error;
}

/* Which share of the MESSAGES and of the collective operations the waits are based on. */
static void print_matches(
	const struct prof_mpi_matches *matches, uint64_t messages, struct prof_text *text)
{
	if (matches->several) {
		prof_text_print(text,
			"No messages are matched, because the ranks are of several jobs, or one was loaded twice.  Load one file for each rank of one job.\n");
		return;
	}
	prof_text_print(text,
		"Matched: %zu of %" PRIu64 " messages, %zu of %" PRIu64 " collective operations.\n",
		matches->list.count, messages, matches->collectives.count,
		matches->all_collectives);
}

struct prof_error *prof_message_waits_print(const struct prof_sheet *sheet,
	const struct prof_choice *choice, uint64_t limit, struct prof_text *text)
{
	AUTO_WAITS struct prof_waits waits = {0};
	struct prof_error *error = prof_waits_init(&waits, sheet->experiment, sheet->selection);

	if (error)
		return error;
	size_t count = prof_rows_limited(limit, waits.list.count);
	if (choice->format != PROF_FORMAT_TEXT)
		return print_data(sheet, choice, &waits, count, text);
	uint64_t messages;
	error = count_messages(sheet->experiment, &waits.matches, &messages);
	if (error)
		return error;
	print_matches(&waits.matches, messages, text);
	print_list(&waits, count, text);
	return prof_text_error(text);
}
