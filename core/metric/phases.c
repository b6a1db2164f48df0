/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/phases.h"

#include "base/error.h"
#include "metric/selection.h"
#include "metric/sequence.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <stdlib.h>

void prof_phases_destroy(struct prof_phases *phases)
{
	if (!phases)
		return;
	free(phases->items.items);
	free(phases->of);
	free(phases);
}

/* The outermost function of each path, in a new array. */
static struct prof_error *find_outermost(struct prof_items *items, uint32_t **ret)
{
	const struct prof_experiment *experiment = items->experiment;
	const struct prof_path *paths = experiment->paths.items;
	size_t count = experiment->paths.count;
	AUTO_FREE uint32_t *functions = malloc(count * sizeof *functions);

	if (!functions)
		return prof_error_nomem();
	struct prof_error *error = prof_items_of_nothing(items, &functions[0]);
	for (size_t i = 1; !error && i < count; i++) {
		uint32_t frame = paths[i].frame;
		if (paths[i].parent)
			functions[i] = functions[paths[i].parent];
		else
			error = prof_items_of(
				items, frame, prof_items_depth(items, frame) - 1, &functions[i]);
	}
	if (!error)
		*ret = steal(&functions);
	return error;
}

/* Does the next sample, SAMPLE of FUNCTION, begin a new phase? */
static bool begins(const struct prof_experiment *experiment, const struct prof_phases *phases,
	const struct prof_sample *sample, uint32_t function)
{
	if (!phases->items.count)
		return true;
	const struct prof_phase *phase = &phases->items.items[phases->items.count - 1];
	bool alone = !experiment->paths.items[sample->path].parent;
	return phase->thread != sample->thread || phase->function != function ||
		(alone && !prof_experiment_is_sampled(experiment));
}

static struct prof_error *divide(struct prof_phases *phases,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	const uint32_t *functions)
{
	AUTO_FREE struct prof_sequence_sample *order = NULL;
	struct prof_error *error = prof_sequence_create(experiment, &order);

	for (size_t i = 0; !error && i < experiment->samples.count; i++) {
		const struct prof_sample *sample = &order[i].sample;
		uint32_t number = order[i].number;
		uint32_t function = functions[sample->path];
		if (begins(experiment, phases, sample, function)) {
			struct prof_phase *phase = prof_array_push(&phases->items);
			if (!phase)
				return prof_error_nomem();
			*phase = (struct prof_phase){sample->thread, function, 0};
		}
		phases->of[number] = (uint32_t)phases->items.count - 1;
		phases->items.items[phases->items.count - 1].samples +=
			prof_selection_has(selection, number);
	}
	return error;
}

struct prof_error *prof_phases_create(
	struct prof_items *items, const struct prof_selection *selection, struct prof_phases **ret)
{
	AUTO_FREE uint32_t *functions = NULL;
	struct prof_error *error = find_outermost(items, &functions);

	if (error)
		return error;
	struct prof_phases *phases = calloc(1, sizeof *phases);
	if (phases)
		phases->of = malloc((items->experiment->samples.count + 1) * sizeof *phases->of);
	if (!phases || !phases->of)
		error = prof_error_nomem();
	else
		error = divide(phases, items->experiment, selection, functions);
	if (error)
		prof_phases_destroy(phases);
	else
		*ret = phases;
	return error;
}
