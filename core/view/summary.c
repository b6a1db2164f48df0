/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/summary.h"

#include "base/time_unit.h"
#include "metric/metric.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "report/recording.h"
#include "view/counted.h"
#include "view/view.h"

/* Adds "1 thread" or "2 threads", and AFTER. */
static void print_count(struct prof_text *text, size_t count, const char *what, const char *after)
{
	prof_text_print(text, "%zu %s%s%s", count, what, count == 1 ? "" : "s", after);
}

static void print_samples(const struct prof_experiment *experiment, struct prof_text *text)
{
	char samples[PROF_VALUE_TEXT];
	prof_value total = experiment->samples.totals[PROF_QUANTITY_SAMPLES];

	prof_text_print(text, "%s sample%s", prof_value_print(total, 1, samples),
		total == prof_value_of(1) ? "" : "s");
}

/* How many overflows all counters had. */
static void print_overflows(const struct prof_experiment *experiment, struct prof_text *text)
{
	char overflows[PROF_VALUE_TEXT];
	prof_value total = 0;

	for (size_t i = 0; i < experiment->events.count; i++)
		total += prof_value_of(experiment->events.items[i].overflows);
	prof_text_print(text, "%s overflow%s", prof_value_print(total, 1, overflows),
		total == prof_value_of(1) ? "" : "s");
}

void prof_summary_print(const struct prof_experiment *experiment, struct prof_text *text)
{
	struct prof_metric metric;

	prof_metric_default(experiment, &metric);
	if (experiment->calls.count && !experiment->samples.totals[PROF_QUANTITY_SAMPLES])
		print_count(text, experiment->calls.count, "call", "");
	else if (prof_metric_is_samples(&metric))
		print_samples(experiment, text);
	else
		print_overflows(experiment, text);
	if (experiment->recording.duration)
		prof_text_print(text, " in %.3f s",
			(double)experiment->recording.duration / PROF_NS_PER_SECOND);
	prof_text_print(text, "; ");
	print_count(text, experiment->threads.count, "thread", ", ");
	print_count(text, experiment->marks.count, "mark", ".\n");
	prof_view_heading(experiment, text);
	prof_recording_print_cost(&experiment->recording, text);
	prof_counted_print(experiment, text);
	prof_counted_print_cost(experiment, text);
}
