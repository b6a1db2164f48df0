/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/data.h"

#include "base/search.h"
#include "model/access.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <assert.h>

bool prof_data_is_valid(const struct prof_data *data)
{
	bool found = data->trigger == PROF_TRIGGER_FOUND;

	return data->trigger > PROF_TRIGGER_NONE && data->trigger < PROF_TRIGGERS &&
		data->access < PROF_ACCESSES && data->skid <= PROF_TRIGGER_REACH &&
		(data->skid > 0) == found && (data->addressed || !data->address);
}

struct prof_error *prof_experiment_data(
	struct prof_experiment *experiment, const struct prof_data *data)
{
	size_t count = experiment->data.count;

	assert(prof_data_is_valid(data) && data->sample < experiment->samples.count);
	assert(!count || experiment->data.items[count - 1].sample < data->sample);
	struct prof_data *added = prof_array_push(&experiment->data);
	if (!added)
		return prof_error_nomem();
	*added = *data;
	return NULL;
}

const struct prof_data *prof_experiment_data_of(
	const struct prof_experiment *experiment, uint32_t sample)
{
	size_t at;

	PROF_SEARCH(at, experiment->data.count, i, experiment->data.items[i].sample < sample);
	return at < experiment->data.count && experiment->data.items[at].sample == sample
		? &experiment->data.items[at]
		: NULL;
}

struct prof_error *prof_data_merge(
	struct prof_experiment *into, const struct prof_experiment *from, size_t before)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < from->data.count && !error; i++) {
		struct prof_data data = from->data.items[i];
		data.sample += (uint32_t)before;
		error = prof_experiment_data(into, &data);
	}
	return error;
}
