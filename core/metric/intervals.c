/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/intervals.h"

#include "base/number_range.h"
#include "base/search.h"
#include "base/strings.h"
#include "base/text.h"
#include "metric/filter.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/rank.h"
#include "model/sample_row.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The growth of FIGURE from START to STOP; negative: unknown. */
static prof_value figure_between(
	const struct prof_mark *start, const struct prof_mark *stop, int figure)
{
	int64_t first = start->usage.figures[figure];
	int64_t last = stop->usage.figures[figure];

	if (prof_usage_table[figure].kind != PROF_USAGE_GROWS)
		return prof_value_of(last);
	return first < 0 || last < first ? prof_value_of(PROF_USAGE_UNKNOWN)
					 : prof_value_of(last - first);
}

/* Replaces the figures in each of the sorted marks by the sums over all ranks at its time. */
static struct prof_error *add_up_ranks(struct prof_intervals *intervals)
{
	const struct prof_experiment *experiment = intervals->experiment;
	const struct prof_rank *rows = experiment->ranks.items;
	/* By row of the ranks plus 1: the last figures; 0: marks that are of no rank. */
	AUTO_FREE struct prof_usage *last = calloc(experiment->ranks.count + 1, sizeof *last);
	prof_value sums[PROF_USAGES] = {0};

	if (!last)
		return prof_error_nomem();
	for (size_t i = 0; i < experiment->marks.count; i++) {
		const struct prof_rank *rank = intervals->ranks[i];
		struct prof_usage *before = rank ? &last[rank - rows + 1] : &last[0];
		for (int j = 0; j < PROF_USAGES; j++) {
			int64_t *figure = &intervals->marks[i].usage.figures[j];
			if (prof_usage_table[j].kind != PROF_USAGE_GROWS ||
				*figure == PROF_USAGE_UNKNOWN)
				continue;
			sums[j] += *figure - before->figures[j];
			before->figures[j] = *figure;
			*figure = sums[j] < PROF_USAGE_LARGEST ? (int64_t)sums[j]
							       : PROF_USAGE_LARGEST;
		}
	}
	return NULL;
}

/* The marks of the experiment, by time. */
static struct prof_error *sort_marks(struct prof_intervals *intervals)
{
	const struct prof_experiment *experiment = intervals->experiment;
	size_t count = experiment->marks.count;
	AUTO_FREE const struct prof_mark **marks = calloc(count + 1, sizeof *marks);

	intervals->marks = calloc(count + 1, sizeof *intervals->marks);
	intervals->ranks = calloc(count + 1, sizeof *intervals->ranks);
	if (!marks || !intervals->marks || !intervals->ranks)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++)
		marks[i] = &experiment->marks.items[i];
	qsort(marks, count, sizeof *marks, prof_mark_compare);
	for (size_t i = 0; i < count; i++) {
		intervals->marks[i] = *marks[i];
		intervals->ranks[i] = prof_rank_of_mark(
			experiment, (uint32_t)(marks[i] - experiment->marks.items));
	}
	return experiment->ranks.count ? add_up_ranks(intervals) : NULL;
}

static struct prof_error *add_intervals(struct prof_intervals *intervals)
{
	size_t count = intervals->experiment->marks.count;
	struct prof_error *error = sort_marks(intervals);

	if (!error && !prof_array_reserve(&intervals->items, count))
		error = prof_error_nomem();
	for (size_t i = 1; i < count && !error; i++) {
		struct prof_interval interval = {
			.start = &intervals->marks[i - 1],
			.stop = &intervals->marks[i],
		};
		interval.begin = interval.start->time;
		interval.end = interval.stop->time;
		interval.duration = interval.end - interval.begin;
		for (int j = 0; j < PROF_USAGES; j++)
			interval.figures[j] = figure_between(interval.start, interval.stop, j);
		intervals->items.items[intervals->items.count++] = interval;
	}
	return error;
}

const struct prof_rank *prof_intervals_rank(
	const struct prof_intervals *intervals, const struct prof_mark *mark)
{
	return intervals->ranks[mark - intervals->marks];
}

struct prof_error *prof_intervals_count(struct prof_intervals *intervals,
	const struct prof_selection *selection, const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = intervals->experiment,
		.blocks = prof_selection_blocks(selection),
		.progress = progress,
		.doing = "Adding up samples"};

	while (prof_cursor_next(&rows)) {
		const struct prof_sample_row *row = &rows.row;
		size_t number = prof_intervals_at(intervals, row->sample.time);
		if (!number || !prof_selection_has(selection, row->number))
			continue;
		struct prof_interval *interval = &intervals->items.items[number - 1];
		interval->samples += prof_selection_value(selection, row, PROF_QUANTITY_SAMPLES);
		for (int j = 0; j < PROF_STATES; j++)
			interval->spent[j] += prof_selection_value(
				selection, row, (enum prof_quantity)(PROF_QUANTITY_SPENT + j));
	}
	return prof_cursor_error(&rows);
}

struct prof_error *prof_intervals_create(
	const struct prof_experiment *experiment, struct prof_intervals **ret)
{
	AUTO_INTERVALS struct prof_intervals *intervals = calloc(1, sizeof *intervals);

	if (!intervals)
		return prof_error_nomem();
	intervals->experiment = experiment;
	struct prof_error *error = add_intervals(intervals);
	if (!error)
		*ret = steal(&intervals);
	return error;
}

void prof_intervals_destroy(struct prof_intervals *intervals)
{
	if (!intervals)
		return;
	free(intervals->items.items);
	free(intervals->marks);
	free(intervals->ranks);
	free(intervals);
}

void prof_intervals_auto(struct prof_intervals **intervals)
{
	prof_intervals_destroy(*intervals);
}

size_t prof_intervals_at(const struct prof_intervals *intervals, int64_t time)
{
	const struct prof_interval *items = intervals->items.items;
	size_t count = intervals->items.count, first;

	if (!count || time < items[0].begin || time > items[count - 1].end)
		return 0;
	PROF_SEARCH(first, count, i, items[i].end < time);
	return first + 1;
}

void prof_interval_set_deinit(struct prof_interval_set *set)
{
	free(set->has);
	*set = (struct prof_interval_set){0};
}

/* Makes SET, which is empty, contain none of the intervals. */
static struct prof_error *init_set(
	const struct prof_intervals *intervals, struct prof_interval_set *set)
{
	set->count = intervals->items.count;
	set->has = calloc(set->count + 1, sizeof *set->has);
	return set->has ? NULL : prof_error_nomem();
}

/* Adds the intervals from FIRST to LAST. */
static void add_range(struct prof_interval_set *set, size_t first, size_t last)
{
	for (size_t i = first; i <= last; i++)
		set->has[i] = true;
}

struct prof_error *prof_interval_set_all(
	const struct prof_intervals *intervals, struct prof_interval_set *ret)
{
	struct prof_error *error = init_set(intervals, ret);

	if (!error)
		add_range(ret, 1, ret->count);
	return error;
}

static struct prof_error *not_a_list(const char *text)
{
	return prof_error_create(PROF_ERROR_USAGE,
		"\"%s\" is not a list of intervals: give numbers and ranges, such as 2-4,7.", text);
}

static struct prof_error *check_range(const struct prof_interval_set *set,
	const struct prof_number_range *range, const char *text)
{
	if (range->first > range->last)
		return prof_error_create(PROF_ERROR_USAGE,
			"The range %" PRIu64 "-%" PRIu64 " in \"%s\" is reversed: write %" PRIu64
			"-%" PRIu64 ".",
			range->first, range->last, text, range->last, range->first);
	if (!set->count)
		return prof_error_create(
			PROF_ERROR_MISSING, "There are no intervals: they lie between marks.");
	if (range->first < 1 || range->last > set->count)
		return prof_error_create(PROF_ERROR_MISSING,
			"There is no interval %" PRIu64 ": they are numbered from 1 to %zu.",
			range->first < 1 ? range->first : range->last, set->count);
	return NULL;
}

static struct prof_error *add_list(struct prof_interval_set *set, const char *text)
{
	struct prof_number_range range;

	for (const char *at = text; at;) {
		if (!prof_number_range_read(&at, &range))
			return not_a_list(text);
		struct prof_error *error = check_range(set, &range, text);
		if (error)
			return error;
		add_range(set, range.first, range.last);
	}
	return NULL;
}

struct prof_error *prof_interval_set_parse(
	const struct prof_intervals *intervals, const char *text, struct prof_interval_set *ret)
{
	AUTO_INTERVAL_SET struct prof_interval_set set = {0};
	struct prof_error *error = init_set(intervals, &set);

	if (!error)
		error = add_list(&set, text);
	if (error)
		return error;
	*ret = set;
	set = (struct prof_interval_set){0};
	return NULL;
}

/* Is the label of MARK the LENGTH bytes at TEXT? */
static bool is_labelled(const struct prof_intervals *intervals, const struct prof_mark *mark,
	const char *text, size_t length)
{
	const char *label = prof_strings_get(&intervals->experiment->strings, mark->label);

	return prof_text_is(label, text, length);
}

static bool has_label(const struct prof_intervals *intervals, const char *text, size_t length)
{
	const struct prof_experiment *experiment = intervals->experiment;

	for (size_t i = 0; i < experiment->marks.count; i++) {
		if (is_labelled(intervals, &experiment->marks.items[i], text, length))
			return true;
	}
	return false;
}

/*
 * The comma in TEXT between two labels that exist, otherwise the first comma.  NULL: there is no
 * comma.
 */
static const char *find_comma(const struct prof_intervals *intervals, const char *text)
{
	const char *first = strchr(text, ',');

	for (const char *comma = first; comma; comma = strchr(comma + 1, ',')) {
		if (has_label(intervals, text, (size_t)(comma - text)) &&
			has_label(intervals, comma + 1, strlen(comma + 1)))
			return comma;
	}
	return first;
}

/*
 * Adds to SET each stretch from a mark labelled with the LENGTH bytes at FROM to the next one
 * labelled TO.
 */
static bool add_between(const struct prof_intervals *intervals, const char *from, size_t length,
	const char *to, struct prof_interval_set *set)
{
	size_t begun = 0;
	bool any = false;

	for (size_t i = 1; i <= set->count; i++) {
		const struct prof_interval *interval = &intervals->items.items[i - 1];
		if (!begun && is_labelled(intervals, interval->start, from, length))
			begun = i;
		if (!begun || !is_labelled(intervals, interval->stop, to, strlen(to)))
			continue;
		add_range(set, begun, i);
		begun = 0;
		any = true;
	}
	return any;
}

struct prof_error *prof_interval_set_between(
	const struct prof_intervals *intervals, const char *text, struct prof_interval_set *ret)
{
	AUTO_INTERVAL_SET struct prof_interval_set set = {0};
	const char *comma = find_comma(intervals, text);

	if (!comma || comma == text || !comma[1])
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a pair of labels: give two, with a comma between them.",
			text);
	size_t length = (size_t)(comma - text);
	for (int i = 0; i < 2; i++) {
		const char *label = i ? comma + 1 : text;
		size_t size = i ? strlen(label) : length;
		if (!has_label(intervals, label, size))
			return prof_error_create(PROF_ERROR_MISSING,
				"There is no mark labelled \"%.*s\"; see prof-intervals.",
				(int)size, label);
	}
	struct prof_error *error = init_set(intervals, &set);
	if (error)
		return error;
	if (!add_between(intervals, text, length, comma + 1, &set))
		return prof_error_create(PROF_ERROR_MISSING,
			"No mark labelled \"%s\" comes after one labelled \"%.*s\"; see prof-intervals.",
			comma + 1, (int)length, text);
	*ret = set;
	set = (struct prof_interval_set){0};
	return NULL;
}

struct prof_error *prof_interval_set_filter(const struct prof_intervals *intervals,
	const struct prof_filter *filter, struct prof_interval_set *ret)
{
	const char *list = filter->values[PROF_CONDITION_INTERVAL];
	const char *between = filter->values[PROF_CONDITION_BETWEEN];
	AUTO_INTERVAL_SET struct prof_interval_set others = {0};
	AUTO_INTERVAL_SET struct prof_interval_set set = {0};
	struct prof_error *error = list ? prof_interval_set_parse(intervals, list, &set)
					: prof_interval_set_all(intervals, &set);

	if (!error && between)
		error = prof_interval_set_between(intervals, between, &others);
	if (error)
		return error;
	for (size_t i = 1; between && i <= set.count; i++)
		set.has[i] &= others.has[i];
	*ret = set;
	set = (struct prof_interval_set){0};
	return NULL;
}

static prof_value add_figure(int figure, prof_value total, prof_value value)
{
	switch (prof_usage_table[figure].kind) {
	case PROF_USAGE_GROWS:
		return total < 0 || value < 0 ? prof_value_of(PROF_USAGE_UNKNOWN) : total + value;
	case PROF_USAGE_LEVEL:
		return value;
	case PROF_USAGE_MOST:
		break;
	}
	if (total < 0 || value < 0)
		return prof_value_of(PROF_USAGE_UNKNOWN);
	return total > value ? total : value;
}

/* Does INTERVAL begin or end where an experiment begins, which may have been added to another? */
static bool is_at_start(const struct prof_interval *interval)
{
	return interval->start->kind == PROF_MARK_START || interval->stop->kind == PROF_MARK_START;
}

/*
 * Does interval NUMBER of SET follow directly on the one before it, with the same running figures?
 */
static bool goes_on(
	const struct prof_intervals *intervals, const struct prof_interval_set *set, size_t number)
{
	return number > 1 && number <= set->count && set->has[number] && set->has[number - 1] &&
		!is_at_start(&intervals->items.items[number - 1]);
}

/* Adds the samples and the time of INTERVAL to TOTAL. */
static void add_samples(struct prof_interval *total, const struct prof_interval *interval)
{
	total->duration += interval->duration;
	total->samples += interval->samples;
	for (int i = 0; i < PROF_STATES; i++)
		total->spent[i] += interval->spent[i];
}

void prof_intervals_total(const struct prof_intervals *intervals,
	const struct prof_interval_set *set, struct prof_interval *ret)
{
	const struct prof_interval *first = NULL;

	*ret = (struct prof_interval){0};
	for (size_t i = 1; i <= set->count; i++) {
		const struct prof_interval *interval = &intervals->items.items[i - 1];
		if (!set->has[i])
			continue;
		if (!ret->start) {
			ret->begin = interval->begin;
			ret->start = interval->start;
		}
		ret->end = interval->end;
		ret->stop = interval->stop;
		add_samples(ret, interval);
		if (!goes_on(intervals, set, i))
			first = interval;
		/* For a stretch without a gap, subtract the figures at its ends. */
		for (int j = 0; j < PROF_USAGES && !goes_on(intervals, set, i + 1); j++)
			ret->figures[j] = add_figure(j, ret->figures[j],
				figure_between(first->start, interval->stop, j));
	}
}

prof_value prof_interval_thread_time(const struct prof_interval *interval)
{
	prof_value time = 0;

	for (int i = 0; i < PROF_STATES; i++)
		time += interval->spent[i];
	return time;
}
