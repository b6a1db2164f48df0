/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/thread_index.h"

#include "base/error.h"
#include "model/experiment.h"

/* The key of a thread. */
struct wanted {
	const struct prof_experiment *experiment;
	int64_t id;
	uint32_t name;
};

void prof_thread_index_deinit(struct prof_thread_index *index)
{
	prof_map_deinit(&index->map);
}

static bool is_thread(const void *context, uint32_t number)
{
	const struct wanted *wanted = context;
	const struct prof_thread thread = prof_experiment_thread_row(wanted->experiment, number);

	return thread.id == wanted->id && thread.name == wanted->name;
}

struct prof_error *prof_thread_index_get(struct prof_thread_index *index,
	struct prof_experiment *experiment, int64_t id, const char *name, uint32_t *ret)
{
	struct wanted wanted = {experiment, id, PROF_NONE};
	struct prof_error *error = prof_experiment_string(experiment, name, &wanted.name);
	const int64_t words[] = {id, wanted.name};
	uint64_t key = prof_map_hash(words, sizeof words);

	if (error)
		return error;
	*ret = prof_map_find(&index->map, key, is_thread, &wanted);
	if (*ret != PROF_NONE)
		return NULL;
	error = prof_experiment_thread(experiment, id, name, ret);
	if (error)
		return error;
	return prof_map_add(&index->map, key, *ret) ? NULL : prof_error_nomem();
}
