/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Statistics of heaps by size, and the allocation sites of the memory at the peak, or at a mark. */
#include "base/time_unit.h"
#include "view/print.h"

#include "metric/live.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/traced_rows.h"
#include "report/number.h"
#include "view/options.h"
#include "view/stack.h"

#include <inttypes.h>
#include <stdio.h>

struct heap_choice {
	const char *mark; /* label; NULL: at the peak.  Borrowed */
	uint64_t limit;   /* stacks; 0: all */
};

enum { RULE = 55 }; /* dashes */

static void print_rule(struct prof_text *text)
{
	for (int i = 0; i < RULE; i++)
		prof_text_bytes(text, "-", 1);
	prof_text_bytes(text, "\n", 1);
}

static void print_number(struct prof_text *text, const char *what, int64_t number)
{
	prof_text_print(text, "%-33s %" PRId64 "\n", what, number);
}

/* SIZE in the form of the classes: "8KB". */
static void print_size(char *buffer, size_t length, uint64_t size)
{
	static const char *const units[] = {"KB", "MB", "GB", "TB"};
	size_t unit = 0;

	for (size >>= 10; size && size % 1024 == 0 && unit + 1 < PROF_COUNT(units); size >>= 10)
		unit++;
	snprintf(buffer, length, "%" PRIu64 "%s", size, units[unit]);
}

/* Allocations or leaks of one heap: how many are in each class, and their statistics. */
struct statistics {
	const char *title, *range, *column, *word, *total;
	const int64_t *classes;
	int64_t smallest, largest;
};

static void print_classes(const struct statistics *statistics, struct prof_text *text)
{
	int64_t total = 0;

	prof_text_print(text, "\n%s Statistics\n%-33s %s\n", statistics->title, statistics->range,
		statistics->column);
	print_rule(text);
	for (unsigned i = 0; i < PROF_HEAP_CLASSES; i++) {
		char low[24], high[24], range[64];
		if (!statistics->classes[i])
			continue;
		print_size(low, sizeof low, prof_heap_class(i));
		print_size(high, sizeof high,
			i + 1 < PROF_HEAP_CLASSES ? prof_heap_class(i + 1) : UINT64_C(10) << 40);
		snprintf(range, sizeof range, "  %s - %s", low, high);
		print_number(text, range, statistics->classes[i]);
		total += statistics->classes[i];
	}
	prof_text_print(text, "\n");
	if (total) {
		char name[64];
		snprintf(name, sizeof name, "Smallest %s bytes", statistics->word);
		print_number(text, name, statistics->smallest);
		snprintf(name, sizeof name, "Largest %s bytes", statistics->word);
		print_number(text, name, statistics->largest);
	}
	print_number(text, statistics->total, total);
}

/* The sum of QUANTITY; if there are several heaps, over all of them. */
static int64_t sum_up(const struct prof_experiment *experiment, enum prof_traced_value value)
{
	struct prof_traced_rows_place place = {0};
	prof_value sum = 0;

	for (size_t i = 0; i < experiment->traced.count; i++)
		sum += prof_value_of(
			prof_traced_rows_get(&experiment->traced, &place, i)->values[value]);
	return (int64_t)(sum / PROF_VALUE_ONE);
}

/* Adds FROM's statistics to TO's. */
static void add_heap(struct prof_heap *to, const struct prof_heap *from)
{
	for (int i = 0; i < PROF_HEAP_CLASSES; i++) {
		to->allocations[i] += from->allocations[i];
		to->leaks[i] += from->leaks[i];
	}
	if (to->smallest < 0 || (from->smallest >= 0 && from->smallest < to->smallest))
		to->smallest = from->smallest;
	if (to->leak_smallest < 0 ||
		(from->leak_smallest >= 0 && from->leak_smallest < to->leak_smallest))
		to->leak_smallest = from->leak_smallest;
	if (from->largest > to->largest)
		to->largest = from->largest;
	if (from->leak_largest > to->leak_largest)
		to->leak_largest = from->leak_largest;
	to->unmatched += from->unmatched;
}

static void print_statistics(const struct prof_experiment *experiment, struct prof_text *text)
{
	const struct prof_heap_of *highest = &experiment->heaps.items[0];
	struct prof_heap all = {.smallest = -1, .leak_smallest = -1};
	char time[PROF_NUMBER_TEXT];

	for (size_t i = 0; i < experiment->heaps.count; i++) {
		const struct prof_heap_of *heap = &experiment->heaps.items[i];
		add_heap(&all, &heap->heap);
		if (heap->heap.peak > highest->heap.peak)
			highest = heap;
	}
	prof_text_print(text, "Process With Highest Peak Memory Usage\n");
	print_rule(text);
	print_number(text, "Heap size bytes", highest->heap.peak);
	print_number(text, "Process Id", highest->process);
	prof_number_fixed(prof_value_of(highest->heap.peak_time), PROF_NS_PER_SECOND, 3, time);
	prof_text_print(text, "%-33s %s (secs.)\n", "Time of peak", time);
	print_classes(&(struct statistics){"Memory Allocations", "Allocation Size Range",
			      "Allocations", "allocation", "Total allocations", all.allocations,
			      all.smallest, all.largest},
		text);
	print_number(text, "Total bytes", sum_up(experiment, PROF_TRACED_BYTES));
	print_number(text, "Temporary allocations", sum_up(experiment, PROF_TRACED_TEMPORARY));
	print_classes(&(struct statistics){"Memory Leaks", "Leak Size Range", "Leaks", "leaked",
			      "Total leaked", all.leaks, all.leak_smallest, all.leak_largest},
		text);
	print_number(text, "Total bytes", sum_up(experiment, PROF_TRACED_LEAKED));
	if (all.unmatched)
		print_number(text, "Frees of what was allocated unseen", all.unmatched);
}

/* The allocation sites of the memory at the peak, or at the chosen mark. */
static struct prof_error *find_rows(
	const struct prof_sheet *sheet, const struct heap_choice *own, struct prof_stack_rows *rows)
{
	AUTO_LIVE struct prof_live live = {0};
	struct prof_metric peak;
	int64_t time;
	struct prof_error *error;

	if (own->mark) {
		error = prof_live_mark(sheet->experiment, own->mark, &time);
		if (!error)
			error = prof_live_at(sheet->experiment, sheet->selection, time, &live);
	} else {
		error = prof_metric_find(sheet->experiment, "peak", &peak);
		if (!error)
			error = prof_metric_by_path(sheet->experiment, &peak, sheet->selection,
				sheet->progress, &live.bytes);
	}
	if (error)
		return error;
	return prof_stack_rows_init(
		rows, sheet->experiment, &(struct prof_stacks_values){live.bytes, live.blocks});
}

/* Prints BYTES and, if it is known, the number of blocks. */
static void print_amount(
	const struct heap_choice *own, prof_value bytes, prof_value blocks, struct prof_text *text)
{
	prof_text_print(text, "%s = %" PRId64, "Bytes", prof_stack_whole(bytes));
	if (own->mark)
		prof_text_print(text, ", Blocks = %" PRId64, prof_stack_whole(blocks));
	prof_text_print(text, "\n");
}

static void print_rows(const struct prof_sheet *sheet, const struct prof_choice *choice,
	const struct prof_stack_rows *rows, struct prof_text *text)
{
	const struct heap_choice *own = choice->own;
	size_t count = prof_rows_limited(own->limit, rows->list.count);

	if (own->mark) {
		prof_text_print(text, "\nNot freed at mark \"");
		prof_text_name(text, own->mark);
		prof_text_print(text, "\": Distinct Stacks = %zu, ", rows->list.count);
	} else {
		prof_text_print(text, "\nAt the peak: Distinct Stacks = %zu, ", rows->list.count);
	}
	print_amount(own, rows->first, rows->second, text);
	for (size_t i = 0; i < count; i++) {
		const struct prof_stack_row *row = &rows->list.items[i];
		prof_text_print(text, "\nStack #%zu, ", i + 1);
		print_amount(own, row->first, row->second, text);
		prof_stack_print(sheet->experiment, row->path, choice->folded, text);
	}
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct heap_choice *own = choice->own;
	AUTO_STACK_ROWS struct prof_stack_rows rows = {0};
	struct prof_error *error = find_rows(sheet, own, &rows);

	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_stack_rows("heap", sheet, choice, own->limit, &rows, text);
	if (!sheet->experiment->heaps.count) {
		prof_text_print(text, PROF_PRINT_NO_HEAP);
		return prof_text_error(text);
	}
	if (sheet->selection)
		prof_text_print(
			text, "The statistics cover whole processes, whatever the filter.\n\n");
	print_statistics(sheet->experiment, text);
	print_rows(sheet, choice, &rows, text);
	return prof_text_error(text);
}

static const struct prof_option option_rows[] = {
	{.name = "mark",
		.value = "MARK",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct heap_choice, mark),
		.describe =
			"Show which stacks held memory at MARK instead of at the peak: the label of a mark, or the number of the interval that it ends."},
	PROF_STACK_OPTIONS, PROF_ROWS_OPTIONS(struct heap_choice){.name = NULL}};

static const struct prof_options options = PROF_OPTIONS(option_rows, struct heap_choice);

const struct prof_view prof_view_heap = {
	.name = "heap",
	.describe =
		"Show allocation sizes, leaks, and who held memory at its peak.\n"
		"Temporary allocations are those that the program freed before the next allocation of the same thread.  "
		"Record with prof-start --heap.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_COSTS,
};
