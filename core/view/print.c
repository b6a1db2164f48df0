/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/print.h"

#include "base/time_unit.h"
#include "metric/profile.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "report/json.h"
#include "report/recording.h"

#include <inttypes.h>
#include <strings.h>

/* The CPU time in seconds of SHEET's samples. */
static double cpu_time(const struct prof_sheet *sheet)
{
	static const enum prof_state states[] = {PROF_STATE_USER, PROF_STATE_SYSTEM};
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = sheet->experiment, .blocks = prof_selection_blocks(sheet->selection)};
	prof_value sum = 0;

	while (prof_cursor_next(&rows)) {
		for (size_t i = 0; i < PROF_COUNT(states); i++)
			sum += prof_selection_has(sheet->selection, rows.row.number)
				? rows.row.values[PROF_QUANTITY_SPENT + (int)states[i]]
				: 0;
	}
	return (double)sum / (double)PROF_VALUE_ONE / PROF_NS_PER_SECOND;
}

/* Was no tick due at RECORDING's rate, or hardly any? */
static bool is_short(const struct prof_recording *recording, double seconds)
{
	return !recording->rounds || recording->rate_asked * seconds < 3;
}

/* Why RECORDING has no samples of threads that used CPU seconds of CPU time. */
static void print_why_unmet(
	const struct prof_recording *recording, double cpu, struct prof_text *text)
{
	prof_text_print(text, "No samples, although threads used %.3g s of CPU time: ", cpu);
	if ((double)recording->blocked / PROF_NS_PER_SECOND > cpu / 2)
		prof_text_print(text, "they blocked the signal that takes samples.");
	else if (recording->ticks_lost && recording->ticks_lost >= recording->ticks)
		prof_text_print(text, "all ticks (%" PRIu64 ") were lost.", recording->ticks_lost);
	else if (is_short(recording, cpu))
		prof_text_print(text,
			"that is too short for a rate of %.4g Hz.  Record longer, or at a higher rate.",
			recording->rate_asked);
	else
		prof_text_print(text, "no tick met them while they ran.");
	prof_text_print(text, "  --metric=cpu shows this time.\n");
}

/* Why there are no samples at all. */
static void print_why_no_sample(const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_recording *recording = &sheet->experiment->recording;
	double cpu = cpu_time(sheet), duration = (double)recording->duration / PROF_NS_PER_SECOND;

	if (cpu > 0)
		print_why_unmet(recording, cpu, text);
	else if (is_short(recording, duration))
		prof_text_print(text,
			"No samples: a recording of %.3g s is too short for a rate of %.4g Hz.\n",
			duration, recording->rate_asked);
	else if (recording->unread)
		prof_text_print(text,
			"No samples: no thread that was watched was on a CPU, and %" PRIu64
			" could not be watched.\n",
			recording->unread);
	else
		prof_text_print(text,
			"No samples: no thread was on a CPU.  --metric=wall shows where they waited.\n");
}

/* The counter of EXPERIMENT whose metric is METRIC; NULL: it is no counter's. */
static const struct prof_event *find_counter(
	const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	uint32_t number;

	if (!prof_metric_is_event(metric, &number) || number >= experiment->events.count)
		return NULL;
	const struct prof_event *event = &experiment->events.items[number];
	return event->unit == PROF_EVENT_SAMPLES ? NULL : event;
}

static void print_why_no_overflow(
	const struct prof_metric *metric, const struct prof_event *counter, struct prof_text *text)
{
	prof_text_print(text, "Counter %s did not overflow", metric->title);
	if (counter->interval > 1)
		prof_text_print(text, ": a sample needs %" PRId64 " %s of one thread",
			counter->interval, prof_event_units[counter->unit]);
	prof_text_print(text, ".\n");
}

void prof_print_why_nothing(const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	const struct prof_recording *recording = &experiment->recording;
	const struct prof_metric *metric = &sheet->shown.items[0].metric;
	const struct prof_event *counter = find_counter(experiment, metric);
	bool sampled = prof_recording_sampled(recording);

	if (sheet->selection && !sheet->selection->count && experiment->samples.count)
		prof_text_print(text, PROF_PRINT_ALL_FILTERED);
	else if (sampled && !recording->duration && !experiment->samples.count)
		prof_text_print(
			text, "No samples: the program did not run while it was recorded.\n");
	else if (sampled && prof_metric_is_samples(metric))
		print_why_no_sample(sheet, text);
	else if (counter && !counter->overflows)
		print_why_no_overflow(metric, counter, text);
	else if (!experiment->samples.count)
		prof_text_print(text, "No samples.\n");
	else
		prof_text_print(text, "All values of the metric \"%s\" are 0.\n", metric->name);
}

bool prof_print_nothing(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	if (choice->format != PROF_FORMAT_TEXT)
		return false;
	for (size_t i = 0; i < sheet->shown.count; i++) {
		if (sheet->profiles[i]->inclusive[0])
			return false;
	}
	prof_print_why_nothing(sheet, text);
	return true;
}

struct prof_error *prof_print_table(const char *view, const struct prof_sheet *sheet,
	const struct prof_table *table, enum prof_format format, struct prof_text *text)
{
	const struct prof_profile *profile = sheet->profiles[0];
	struct prof_json_head head = {
		.view = view,
		.experiment = sheet->experiment,
		.metric = profile ? profile->metric : NULL,
		.total = profile ? profile->inclusive[0] : 0,
	};

	if (format == PROF_FORMAT_JSON)
		return prof_json_print(&head, &table, 1, text);
	prof_table_csv(table, text);
	return prof_text_error(text);
}

void prof_print_heads(const char *what, const struct prof_metric *metric, const char **heads)
{
	/* A unit with the name of its metric needs no line of its own. */
	bool same = !strcasecmp(metric->title, metric->unit);

	heads[0] = same ? NULL : what;
	heads[1] = same ? what : metric->title;
	heads[2] = same ? metric->title : metric->unit;
}
