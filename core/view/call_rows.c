/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/call_rows.h"

#include "base/time_unit.h"
#include "metric/call_list.h"
#include "model/experiment.h"
#include "report/grid.h"
#include "report/markup.h"
#include "report/number.h"
#include "view/print.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	CALL,
	START,
	DURATION,
	END,
	THREAD,
	CALLER,
	FUNCTION,
	CALLEE,
	CALLEE_CALLS,
	CALLEE_TIME,
	WIDTH,
};

static const char *const columns[WIDTH] = {
	[CALL] = "call",
	[START] = "start",
	[DURATION] = "duration",
	[END] = "end",
	[THREAD] = "thread",
	[CALLER] = "caller",
	[FUNCTION] = "function",
	[CALLEE] = "callee",
	[CALLEE_CALLS] = "callee_calls",
	[CALLEE_TIME] = "callee_time",
};

/* The callees of a call that text lists. */
enum { CALLEES_SHOWN = 5 };

/* What text adds to a call that has not returned. */
static const char *const notes[PROF_CALL_ENDS] = {
	[PROF_CALL_END_RETURNED] = "",
	[PROF_CALL_END_LEFT] = " (left by a jump or an exception)",
	[PROF_CALL_END_OPEN] = " (not returned)",
};

/* The function whose code made CALL, an inlined one where that did; NULL: nobody called it. */
static const char *caller_of(
	const struct prof_experiment *experiment, const struct prof_listed_call *call)
{
	uint32_t parent = call->path ? experiment->paths.items[call->path].parent : 0;

	if (!parent)
		return NULL;
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[parent].frame];
	uint32_t function = frame->locations
		? experiment->locations.items[frame->first_location].function
		: prof_experiment_unknown(experiment);
	return prof_experiment_function_name(experiment, function);
}

static const char *name_of(const struct prof_experiment *experiment, uint32_t function)
{
	return prof_experiment_function_name(experiment, function);
}

static prof_value ns_of(int64_t time)
{
	return prof_value_of(time);
}

/* Adds a row of the call NUMBER, with CALLEE, or NULL.  False: no memory. */
static bool add_row(struct prof_table *table, const struct prof_experiment *experiment,
	const struct prof_call_list *list, size_t number, const struct prof_call_callee *callee)
{
	const struct prof_listed_call *call = &list->items.items[number];
	const char *caller = caller_of(experiment, call);
	struct prof_cell *row = prof_table_row(table);

	if (!row)
		return false;
	row[CALL] = prof_cell_integer((int64_t)number + 1);
	row[START] = prof_cell_value_in(ns_of(call->begin), PROF_NS_PER_SECOND);
	row[DURATION] = prof_cell_value_in(ns_of(call->duration), PROF_NS_PER_SECOND);
	row[END] = prof_cell_name(prof_call_end_names[call->end]);
	row[THREAD] = prof_cell_integer(prof_experiment_thread_row(experiment, call->thread).id);
	if (caller)
		row[CALLER] = prof_cell_name(caller);
	row[FUNCTION] = prof_cell_name(name_of(experiment, call->function));
	if (!callee)
		return true;
	row[CALLEE] = prof_cell_name(name_of(experiment, callee->function));
	row[CALLEE_CALLS] = prof_cell_integer((int64_t)callee->calls);
	row[CALLEE_TIME] = prof_cell_value_in(callee->time, PROF_NS_PER_SECOND);
	return true;
}

struct prof_error *prof_call_rows_print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_call_list *list, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};
	bool added = true;

	for (size_t i = 0; i < list->items.count && added; i++) {
		const struct prof_listed_call *call = &list->items.items[i];
		if (!call->callees)
			added = add_row(&table, experiment, list, i, NULL);
		for (size_t j = 0; j < call->callees && added; j++)
			added = add_row(
				&table, experiment, list, i, &list->callees.items[call->first + j]);
	}
	if (!added)
		return prof_error_nomem();
	return prof_print_table("calls", sheet, &table, choice->format, text);
}

/* Adds the row of CALL: when, how long, in which thread, and who called what. */
static bool add_call(struct prof_grid *grid, const struct prof_experiment *experiment,
	const struct prof_listed_call *call)
{
	const char *caller = caller_of(experiment, call);
	AUTO_TEXT struct prof_text line = {0};
	char thread[32];

	snprintf(thread, sizeof thread, "%" PRId64,
		prof_experiment_thread_row(experiment, call->thread).id);
	if (caller) {
		prof_markup_name(&line, caller);
		prof_text_print(&line, " calls ");
	}
	prof_markup_name(&line, name_of(experiment, call->function));
	prof_text_print(&line, "%s", notes[call->end]);
	prof_grid_number(grid, ns_of(call->begin), PROF_NS_PER_SECOND, 6);
	prof_grid_number(grid, ns_of(call->duration), PROF_NS_PER_US, 3);
	prof_grid_cell(grid, thread);
	prof_grid_cell(grid, prof_text_get(&line));
	return !line.failed;
}

/* Adds a row below a call, which has but the last cell: LINE. */
static void add_below(struct prof_grid *grid, const char *line)
{
	for (int i = 0; i < 3; i++)
		prof_grid_cell(grid, "");
	prof_grid_cell(grid, line);
}

/* Adds a row for CALLEE. */
static bool add_callee(struct prof_grid *grid, const struct prof_experiment *experiment,
	const struct prof_call_callee *callee)
{
	AUTO_TEXT struct prof_text line = {0};
	char buffer[PROF_NUMBER_TEXT];

	prof_text_print(&line, "  ");
	prof_markup_name(&line, name_of(experiment, callee->function));
	prof_text_print(&line, ": %" PRIu64 " call%s, %s us", callee->calls,
		callee->calls == 1 ? "" : "s",
		prof_number_fixed(callee->time, PROF_NS_PER_US, 3, buffer));
	add_below(grid, prof_text_get(&line));
	return !line.failed;
}

static bool add_callees(struct prof_grid *grid, const struct prof_experiment *experiment,
	const struct prof_call_list *list, const struct prof_listed_call *call)
{
	size_t shown = call->callees > CALLEES_SHOWN + 1 ? CALLEES_SHOWN : call->callees;
	bool added = true;
	char line[48];

	for (size_t i = 0; i < shown; i++)
		added &= add_callee(grid, experiment, &list->callees.items[call->first + i]);
	if (shown < call->callees) {
		snprintf(line, sizeof line, "  %zu other functions", call->callees - shown);
		add_below(grid, line);
	}
	return added;
}

void prof_call_rows_print(
	const struct prof_sheet *sheet, const struct prof_call_list *list, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{NULL, "Start", "sec."}, true},
		{{NULL, "Duration", "us"}, true},
		{{NULL, NULL, "Thread"}, true},
		{{NULL, NULL, "Call"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	bool added = true;

	for (size_t i = 0; i < list->items.count; i++) {
		const struct prof_listed_call *call = &list->items.items[i];
		added &= add_call(&grid, sheet->experiment, call);
		added &= add_callees(&grid, sheet->experiment, list, call);
	}
	text->failed |= !added;
	prof_grid_print(&grid, text);
}
