/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Waits for locks: objects by the time that threads waited for them. */
#include "base/time_unit.h"
#include "view/print.h"

#include "base/file.h"
#include "base/strings.h"
#include "metric/locks.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "report/markup.h"
#include "report/number.h"
#include "view/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On the screen so many objects, and of one so many rows of threads, if nobody asks for a number.
 */
enum { OBJECTS_MOST = 10, WAITS_MOST = 4 };

enum {
	OBJECT,
	ADDRESS,
	THREAD,
	THREAD_ID,
	HOLDER,
	HOLDER_ID,
	EVENTS,
	WAIT,
	LONGEST,
	FUNCTION,
	FILE_,
	LINE,
	HOLDER_FUNCTION,
	HOLDER_FILE,
	HOLDER_LINE,
	WIDTH,
};

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
	[FUNCTION] = "function",
	[FILE_] = "file",
	[LINE] = "line",
	[HOLDER_FUNCTION] = "holder_function",
	[HOLDER_FILE] = "holder_file",
	[HOLDER_LINE] = "holder_line",
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

/* Is FUNCTION one of libraries of locks, so that who calls it is what matters? */
static bool is_library(const struct prof_experiment *experiment, uint32_t function)
{
	static const char *const modules[] = {
		"libc.so", "libc-", "libpthread", "libstdc++.", "libprofagent.", "ld-linux"};
	static const char *const functions[] = {"std::", "__gthread", "pthread_", "__gnu_cxx::"};
	const struct prof_function *row = &experiment->functions.items[function];
	const char *path =
		prof_strings_get(&experiment->strings, experiment->modules.items[row->module].path);
	const char *name = prof_strings_get(&experiment->strings, row->name);
	bool is = false;

	for (size_t i = 0; i < PROF_COUNT(modules); i++)
		is = is || !strncmp(prof_file_base_name(path), modules[i], strlen(modules[i]));
	for (size_t i = 0; i < PROF_COUNT(functions); i++)
		is = is || !strncmp(name, functions[i], strlen(functions[i]));
	return is;
}

/* The innermost place of PATH in the program's own code, or NULL. */
static const struct prof_location *find_place(
	const struct prof_experiment *experiment, uint32_t path)
{
	for (; path && path != PROF_NONE; path = experiment->paths.items[path].parent) {
		const struct prof_frame *frame =
			&experiment->frames.items[experiment->paths.items[path].frame];
		for (uint32_t i = 0; i < frame->locations; i++) {
			const struct prof_location *place =
				&experiment->locations.items[frame->first_location + i];
			if (!is_library(experiment, place->function))
				return place;
		}
	}
	return NULL;
}

/* Fills in three cells of ROW for PATH. */
static void fill_place(
	const struct prof_experiment *experiment, uint32_t path, struct prof_cell *row)
{
	const struct prof_location *place = find_place(experiment, path);

	if (!place)
		return;
	row[0] = prof_cell_name(prof_experiment_function_name(experiment, place->function));
	if (!place->line)
		return;
	row[1] = prof_cell_name(prof_strings_get(&experiment->strings, place->file));
	row[2] = prof_cell_integer(place->line);
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
	fill_place(experiment, wait->path, &row[FUNCTION]);
	fill_place(experiment, wait->holder_path, &row[HOLDER_FUNCTION]);
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

static const struct prof_grid_column heads[] = {
	{{NULL, NULL, "%"}, true},
	{{"Sync Wait", "Time", "sec."}, true},
	{{"Delay", "Events", NULL}, true},
	{{"Longest", "Wait", "sec."}, true},
	{{NULL, NULL, "Object"}, false},
};

/* What is printed. */
struct printed {
	const struct prof_experiment *experiment;
	const struct prof_locks *locks;
	size_t objects, waits; /* how many of these are shown, the latter of each object */
	prof_value total;      /* ns */
	struct prof_grid *grid;
};

static void add_numbers(
	struct printed *printed, prof_value wait, prof_value events, int64_t longest)
{
	char buffer[PROF_NUMBER_TEXT];
	double percent = prof_value_percent(wait, printed->total);

	prof_grid_cell(printed->grid, prof_number_percent(percent, false, buffer));
	prof_grid_number(printed->grid, wait, PROF_NS_PER_SECOND, 6);
	prof_grid_number(printed->grid, events, 1, 0);
	prof_grid_number(printed->grid, prof_value_of(longest), PROF_NS_PER_SECOND, 6);
}

/* Adds a line on what a thread does WHERE, in PATH, if that is known. */
static void add_place(struct printed *printed, const char *where, uint32_t path)
{
	const struct prof_location *place = find_place(printed->experiment, path);
	AUTO_TEXT struct prof_text line = {0};

	if (!place)
		return;
	for (size_t i = 0; i + 1 < printed->grid->width; i++)
		prof_grid_cell(printed->grid, "");
	prof_text_print(&line, "    %s in ", where);
	prof_markup_name(
		&line, prof_experiment_function_name(printed->experiment, place->function));
	if (place->line) {
		const char *file = prof_strings_get(&printed->experiment->strings, place->file);
		prof_text_print(&line, " at ");
		prof_markup_begin(&line, PROF_MARKUP_FILE);
		prof_text_name(&line, prof_file_base_name(file));
		prof_markup_end(&line);
		prof_text_print(&line, ":%" PRIu32, place->line);
	}
	prof_grid_cell(printed->grid, prof_text_get(&line));
	printed->grid->cells.failed |= line.failed;
}

/* The waiting thread, and the one that held the object; below them the places of both. */
static void add_wait(struct printed *printed, const struct prof_locks_wait *wait)
{
	const struct prof_experiment *experiment = printed->experiment;
	AUTO_TEXT struct prof_text line = {0};

	add_numbers(printed, wait->wait, wait->events, wait->longest);
	prof_text_print(&line, "  %" PRId64 " %s waited",
		prof_experiment_thread_row(experiment, wait->thread).id,
		thread_name(experiment, wait->thread));
	if (wait->holder != PROF_NONE)
		prof_text_print(&line, " for %" PRId64 " %s",
			prof_experiment_thread_row(experiment, wait->holder).id,
			thread_name(experiment, wait->holder));
	prof_grid_name(printed->grid, "", prof_text_get(&line), "");
	add_place(printed, "waits", wait->path);
	add_place(printed, "taken", wait->holder_path);
}

static void add_object(struct printed *printed, const struct prof_locks_object *object)
{
	const struct prof_experiment *experiment = printed->experiment;
	const struct prof_locks_wait *waits = printed->locks->waits.items + object->first;
	size_t shown = prof_rows_limited(printed->waits, object->count);
	prof_value wait = 0, events = 0;
	const char *name = name_of(experiment, object->object);
	char text[48] = "";

	if (object->object != PROF_NONE)
		snprintf(text, sizeof text, *name ? " (0x%" PRIx64 ")" : "0x%" PRIx64,
			experiment->objects.items[object->object].address);
	add_numbers(printed, object->wait, object->events, object->longest);
	prof_grid_name(printed->grid, "", name, text);
	/* One that is left would take as much room as a row on all that are left. */
	if (shown + 1 == object->count)
		shown++;
	for (size_t i = 0; i < shown; i++)
		add_wait(printed, &waits[i]);
	if (shown == object->count)
		return;
	int64_t longest = 0;
	for (size_t i = shown; i < object->count; i++) {
		wait += waits[i].wait;
		events += waits[i].events;
		longest = waits[i].longest > longest ? waits[i].longest : longest;
	}
	add_numbers(printed, wait, events, longest);
	snprintf(text, sizeof text, "  <%zu other rows>", object->count - shown);
	prof_grid_cell(printed->grid, text);
}

/* Adds a row for the objects from FIRST on, called NAME. */
static void add_sum(struct printed *printed, size_t first, const char *name)
{
	prof_value events = 0, wait = 0;
	int64_t longest = 0;

	for (size_t i = first; i < printed->locks->objects.count; i++) {
		const struct prof_locks_object *object = &printed->locks->objects.items[i];
		events += object->events;
		wait += object->wait;
		longest = object->longest > longest ? object->longest : longest;
	}
	if (!first)
		printed->total = wait;
	add_numbers(printed, wait, events, longest);
	prof_grid_cell(printed->grid, name);
}

static void print_text(struct printed *printed, struct prof_text *text)
{
	size_t count = printed->locks->objects.count;
	char name[48];

	add_sum(printed, 0, PROF_SHEET_TOTAL);
	for (size_t i = 0; i < printed->objects; i++)
		add_object(printed, &printed->locks->objects.items[i]);
	if (printed->waits && printed->objects < count) {
		snprintf(name, sizeof name, "<%zu other objects>", count - printed->objects);
		add_sum(printed, printed->objects, name);
	}
	prof_grid_print(printed->grid, text);
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
	bool summed = choice->markup.screen && !own->limit;
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	struct printed printed = {.experiment = sheet->experiment,
		.locks = &locks,
		.objects = summed ? prof_rows_limited(OBJECTS_MOST, count) : count,
		.waits = summed ? WAITS_MOST : 0,
		.grid = &grid};
	if (choice->format != PROF_FORMAT_TEXT)
		return print_data(sheet, choice, &locks, count, text);
	if (!locks.objects.count)
		prof_text_print(
			text, "No waits for other threads: prof-start --sync records them.\n");
	else
		print_text(&printed, text);
	return prof_text_error(text);
}

const struct prof_view prof_view_locks = {
	.name = "locks",
	.describe =
		"List what threads waited for, who waited, and who held it.\n"
		"The longest time comes first, and on the screen the rest is summed up unless you give --limit.  "
		"Below each wait are the place where the thread waits most, and the place where the holder takes the object; gdbprof knows the latter only if the holder had to wait for the object, too.  "
		"Record with prof-start --sync, which sets the threshold that a wait must exceed to be recorded.",
	.options = &prof_rows_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_COSTS,
};
