/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/counted.h"

#include "base/list.h"
#include "base/map.h"
#include "base/time_unit.h"
#include "base/value.h"
#include "metric/call_counts.h"
#include "model/arc_kind.h"
#include "model/arcs.h"
#include "model/experiment.h"

#include <stdlib.h>

/* With more functions than this, only their number is printed. */
enum { NAMED = 12 };

struct counted {
	const struct prof_experiment *experiment;
	PROF_ARRAY(uint32_t) callees; /* frames, in the order of first encounter */
	PROF_ARRAY(bool) part;        /* by callee: some of its calls were not counted */
	struct prof_map index;
	prof_value calls;
};

static void counted_deinit(struct counted *counted)
{
	free(counted->callees.items);
	free(counted->part.items);
	prof_map_deinit(&counted->index);
}

static bool add(struct counted *counted, const struct prof_arc *row)
{
	uint32_t at = prof_map_get(&counted->index, row->callee);

	/* What has no other arc was not counted. */
	if (at == PROF_NONE && row->kind == PROF_ARC_PART)
		return true;
	if (at == PROF_NONE) {
		at = (uint32_t)counted->callees.count;
		uint32_t *callee = prof_array_push(&counted->callees);
		bool *part = prof_array_push(&counted->part);
		if (!callee || !part || !prof_map_add(&counted->index, row->callee, at))
			return false;
		*callee = row->callee;
		*part = false;
	}
	counted->part.items[at] |= row->kind == PROF_ARC_PART;
	counted->calls += prof_value_of((int64_t)row->calls);
	return true;
}

/* False: no memory. */
static bool gather(struct counted *counted, const struct prof_experiment *experiment)
{
	counted->experiment = experiment;
	if (experiment->arc_values.count)
		return true; /* they come from a file */
	for (int parts = 0; parts < 2; parts++) {
		for (size_t i = 0; i < experiment->arcs.count; i++) {
			const struct prof_arc *arc = &experiment->arcs.items[i];
			if ((arc->kind == PROF_ARC_PART) == parts && !add(counted, arc))
				return false;
		}
	}
	return true;
}

/* How many functions were counted, completely or, if PART, in part. */
static size_t count_of(const struct counted *counted, bool part)
{
	size_t count = 0;

	for (size_t i = 0; i < counted->part.count; i++)
		count += !part || counted->part.items[i];
	return count;
}

static bool is_named(const struct counted *counted)
{
	for (size_t i = 0; i < counted->callees.count; i++) {
		uint32_t frame = counted->callees.items[i];
		if (!counted->experiment->frames.items[frame].locations)
			return false;
	}
	return true;
}

/* Adds the names of the functions or, if PART, of those that were counted in part. */
static void print_names(const struct counted *counted, bool part, struct prof_text *text)
{
	const struct prof_experiment *experiment = counted->experiment;
	struct prof_list_names names = {.text = text, .most = NAMED};

	if (!is_named(counted)) { /* frames have no names until a view resolves them */
		prof_text_print(text, "%zu function%s", count_of(counted, part),
			count_of(counted, part) == 1 ? "" : "s");
		return;
	}
	for (size_t i = 0; i < counted->callees.count; i++) {
		const struct prof_frame *frame =
			&experiment->frames.items[counted->callees.items[i]];
		if (part && !counted->part.items[i])
			continue;
		prof_list_name(&names,
			prof_experiment_function_name(experiment,
				experiment->locations
					.items[frame->first_location + frame->locations - 1]
					.function));
	}
	prof_list_end(&names);
}

void prof_counted_print(const struct prof_experiment *experiment, struct prof_text *text)
{
	PROF_AUTO(counted_deinit) struct counted counted = {0};
	char calls[PROF_VALUE_TEXT];

	if (!gather(&counted, experiment)) {
		text->failed = true;
		return;
	}
	if (!counted.callees.count)
		return;
	prof_text_print(text, "Counted calls of ");
	print_names(&counted, false, text);
	prof_text_print(text, ": %s.\n", prof_value_print(counted.calls, 1, calls));
	if (!count_of(&counted, true))
		return;
	prof_text_print(text, "Some calls of ");
	print_names(&counted, true, text);
	prof_text_print(text, " were not counted.\n");
}

void prof_counted_print_cost(const struct prof_experiment *experiment, struct prof_text *text)
{
	PROF_AUTO(counted_deinit) struct counted counted = {0};
	double cost = (double)experiment->recording.counting;
	double duration = (double)experiment->recording.duration;

	if (!gather(&counted, experiment)) {
		text->failed = true;
		return;
	}
	if (!counted.calls && cost > 0)
		prof_text_print(text,
			"Breakpoints of prof-trace kept threads stopped for %.3f s.\n",
			cost / PROF_NS_PER_SECOND);
	if (!counted.calls || duration <= 0 || cost <= 0)
		return;
	prof_text_print(text,
		"Breakpoints that count calls kept threads stopped for %.3f s, %.2f %% of the program's time.\n",
		cost / PROF_NS_PER_SECOND, 100 * cost / duration);
}

/*
 * Adds the names of the traced functions of CALLS or, if PART, of those that were traced in part.
 * Returns how many these are.
 */
static size_t print_traced_names(const struct prof_experiment *experiment,
	const struct prof_call_counts *calls, bool part, struct prof_text *text)
{
	struct prof_list_names names = {.text = text, .most = NAMED};

	for (size_t i = calls->functions.count - calls->traced; i < calls->functions.count; i++) {
		uint32_t function = calls->functions.items[i];
		if (!part || prof_call_counts_known(calls, function) == PROF_KNOWN_PART)
			prof_list_name(&names, prof_experiment_function_name(experiment, function));
	}
	prof_list_end(&names);
	return names.count;
}

void prof_counted_print_traced(const struct prof_experiment *experiment,
	const struct prof_call_counts *calls, struct prof_text *text)
{
	AUTO_TEXT struct prof_text parts = {0};
	char number[PROF_VALUE_TEXT];
	prof_value sum = 0;

	if (!calls->traced)
		return;
	for (size_t i = calls->counted; i < calls->list.count; i++)
		sum += calls->list.items[i].calls;
	prof_text_print(text, experiment->traced.count ? "Traced calls of " : "Recorded calls of ");
	print_traced_names(experiment, calls, false, text);
	prof_text_print(text, ": %s.\n", prof_value_print(sum, 1, number));
	if (print_traced_names(experiment, calls, true, &parts))
		prof_text_print(text, "Some calls of %s were not %s.\n", prof_text_get(&parts),
			experiment->traced.count ? "traced" : "recorded");
	text->failed |= parts.failed;
}
