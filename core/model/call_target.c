/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/call_target.h"

#include "base/map.h"
#include "model/experiment.h"

#include <assert.h>

struct prof_error *prof_call_target_add(
	struct prof_experiment *experiment, uint32_t frame, const char *name)
{
	uint32_t string;
	struct prof_error *error = prof_experiment_string(experiment, name, &string);

	assert(!prof_call_target_of(experiment, frame));
	if (error)
		return error;
	struct prof_call_target *target =
		prof_map_push(&experiment->target_index, frame, &experiment->call_targets);
	if (!target)
		return prof_error_nomem();
	*target = (struct prof_call_target){frame, string};
	return NULL;
}

const char *prof_call_target_of(const struct prof_experiment *experiment, uint32_t frame)
{
	uint32_t number = prof_map_get(&experiment->target_index, frame);

	return number == PROF_NONE
		? NULL
		: prof_experiment_text(experiment, experiment->call_targets.items[number].name);
}

struct prof_error *prof_call_target_merge(
	struct prof_experiment *into, const struct prof_experiment *from, const uint32_t *frames)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < from->call_targets.count && !error; i++) {
		const struct prof_call_target *target = &from->call_targets.items[i];
		if (!prof_call_target_of(into, frames[target->frame]))
			error = prof_call_target_add(into, frames[target->frame],
				prof_experiment_text(from, target->name));
	}
	return error;
}
