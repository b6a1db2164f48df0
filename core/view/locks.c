/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Waits for locks: objects by the time that threads waited for them. */
#include "base/time_unit.h"
#include "view/print.h"

#include "base/strings.h"
#include "metric/locks.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "view/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { OBJECT, ADDRESS, THREAD, THREAD_ID, HOLDER, HOLDER_ID, EVENTS, WAIT, LONGEST, WIDTH };

static const char *const columns[WIDTH] = {
	[OBJECT] = "object",
	[ADDRESS] = "address",
	[THREAD] = "thread",
	[THREAD_ID] = "thread_id",
	[HOLDER] = "holder",
	[HOLDER_ID] = "holder_id",
	[EVENTS] = "sync_events",
	[WAIT] = "sync_wait",
	[LONGEST] = "longest",
};

static const char *name_of(const struct prof_experiment *experiment, uint32_t object)
{
	if (object == PROF_NONE)
		return PROF_UNKNOWN;
	return prof_strings_get(&experiment->strings, experiment->objects.items[object].name);
}

static const char *thread_name(const struct prof_experiment *experiment, uint32_t thread)
{
	return prof_experiment_text(
		experiment, prof_experiment_thread_row(experiment, thread).name);
}

/* Fills in a row of data for WAIT; ADDRESS is its object's as text. */
static void fill_row(const struct prof_experiment *experiment, const struct prof_locks_wait *wait,
	const char *address, struct prof_cell *row)
{
	row[OBJECT] = prof_cell_name(name_of(experiment, wait->object));
	row[ADDRESS] = prof_cell_name(address);
	row[THREAD] = prof_cell_name(thread_name(experiment, wait->thread));
	row[THREAD_ID] = prof_cell_integer(prof_experiment_thread_row(experiment, wait->thread).id);
	if (wait->holder != PROF_NONE) {
		row[HOLDER] = prof_cell_name(thread_name(experiment, wait->holder));
		row[HOLDER_ID] =
			prof_cell_integer(prof_experiment_thread_row(experiment, wait->holder).id);
	}
	row[EVENTS] = prof_cell_count(wait->events);
	row[WAIT] = prof_cell_value_in(wait->wait, PROF_NS_PER_SECOND);
	row[LONGEST] = prof_cell_value_in(prof_value_of(wait->longest), PROF_NS_PER_SECOND);
}

static struct prof_error *print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_locks *locks, size_t count,
	struct prof_text *text)
{
	enum { ADDRESS_TEXT = 24 };
	const struct prof_experiment *experiment = sheet->experiment;
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};
	AUTO_FREE char *addresses = calloc(count + 1, ADDRESS_TEXT);

	if (!addresses)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++) {
		const struct prof_locks_object *object = &locks->objects.items[i];
		char *address = addresses + i * ADDRESS_TEXT;
		if (object->object != PROF_NONE)
			snprintf(address, ADDRESS_TEXT, "0x%" PRIx64,
				experiment->objects.items[object->object].address);
		for (size_t j = 0; j < object->count; j++) {
			struct prof_cell *row = prof_table_row(&table);
			if (!row)
				return prof_error_nomem();
			fill_row(experiment, &locks->waits.items[object->first + j], address, row);
		}
	}
	return prof_print_table("locks", sheet, &table, choice->format, text);
}

static void add_numbers(
	struct prof_grid *grid, prof_value wait, prof_value events, prof_value longest)
{
	prof_grid_number(grid, wait, PROF_NS_PER_SECOND, 6);
	prof_grid_number(grid, events, 1, 0);
	prof_grid_number(grid, longest, PROF_NS_PER_SECOND, 6);
}

/* The waiting thread, and the one that held the object. */
static void add_wait(const struct prof_experiment *experiment, const struct prof_locks_wait *wait,
	struct prof_grid *grid)
{
	AUTO_TEXT struct prof_text line = {0};

	add_numbers(grid, wait->wait, wait->events, prof_value_of(wait->longest));
	prof_text_print(&line, "  %" PRId64 " %s waited",
		prof_experiment_thread_row(experiment, wait->thread).id,
		thread_name(experiment, wait->thread));
	if (wait->holder != PROF_NONE)
		prof_text_print(&line, " for %" PRId64 " %s",
			prof_experiment_thread_row(experiment, wait->holder).id,
			thread_name(experiment, wait->holder));
	prof_grid_name(grid, "", prof_text_get(&line), "");
}

static void add_object(const struct prof_experiment *experiment, const struct prof_locks *locks,
	const struct prof_locks_object *object, struct prof_grid *grid)
{
	const char *name = name_of(experiment, object->object);
	char address[32] = "";

	if (object->object != PROF_NONE)
		snprintf(address, sizeof address, *name ? " (0x%" PRIx64 ")" : "0x%" PRIx64,
			experiment->objects.items[object->object].address);
	add_numbers(grid, object->wait, object->events, prof_value_of(object->longest));
	prof_grid_name(grid, "", name, address);
	for (size_t i = 0; i < object->count; i++)
		add_wait(experiment, &locks->waits.items[object->first + i], grid);
}

static void print_text(const struct prof_experiment *experiment, const struct prof_locks *locks,
	size_t count, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{"Sync Wait", "Time", "sec."}, true},
		{{"Sync Delay", "Events", NULL}, true},
		{{"Longest", "Wait", "sec."}, true},
		{{NULL, NULL, "Object"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	prof_value events = 0, wait = 0;
	int64_t longest = 0;

	for (size_t i = 0; i < locks->objects.count; i++) {
		const struct prof_locks_object *object = &locks->objects.items[i];
		events += object->events;
		wait += object->wait;
		longest = object->longest > longest ? object->longest : longest;
	}
	add_numbers(&grid, wait, events, prof_value_of(longest));
	prof_grid_cell(&grid, PROF_SHEET_TOTAL);
	for (size_t i = 0; i < count; i++)
		add_object(experiment, locks, &locks->objects.items[i], &grid);
	prof_grid_print(&grid, text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;
	AUTO_LOCKS struct prof_locks locks = {0};
	struct prof_error *error = prof_locks_init(&locks, sheet->experiment, sheet->selection);

	if (error)
		return error;
	size_t count = prof_rows_limited(own->limit, locks.objects.count);
	if (choice->format != PROF_FORMAT_TEXT)
		return print_data(sheet, choice, &locks, count, text);
	if (!locks.objects.count)
		prof_text_print(
			text, "No waits for other threads: prof-start --sync records them.\n");
	else
		print_text(sheet->experiment, &locks, count, text);
	return prof_text_error(text);
}

const struct prof_view prof_view_locks = {
	.name = "locks",
	.describe =
		"List what threads waited for, who waited, and who held it.\n"
		"The longest time comes first.  "
		"Record with prof-start --sync, which sets the threshold that a wait must exceed to be recorded.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_COSTS,
};
