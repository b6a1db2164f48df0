/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/event_threads.h"

#include "formats/damage.h"
#include "model/calls.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <stdlib.h>
#include <string.h>

void prof_event_threads_deinit(struct prof_event_threads *threads)
{
	for (size_t i = 0; i < threads->threads.count; i++)
		prof_builder_deinit(&threads->threads.items[i].builder);
	free(threads->threads.items);
	prof_map_deinit(&threads->index);
}

struct prof_error *prof_event_threads_enter(
	struct prof_event_threads *threads, int64_t id, const char *name, size_t length)
{
	struct prof_event_thread thread = {0};

	threads->current = prof_map_get(&threads->index, (uint64_t)id);
	if (threads->current != PROF_NONE)
		return NULL;
	AUTO_FREE char *copy = strndup(name, length);
	if (!copy || !prof_array_reserve(&threads->threads, 1))
		return prof_error_nomem();
	struct prof_error *error =
		prof_experiment_thread(threads->experiment, id, copy, &thread.number);
	if (!error)
		error = prof_builder_init(&thread.builder);
	if (error)
		return error;
	threads->current = (uint32_t)threads->threads.count;
	threads->threads.items[threads->threads.count++] = thread;
	return prof_map_add(&threads->index, (uint64_t)id, threads->current) ? NULL
									     : prof_error_nomem();
}

struct prof_builder *prof_event_threads_builder(struct prof_event_threads *threads)
{
	return &threads->threads.items[threads->current].builder;
}

struct prof_error *prof_event_threads_finish(struct prof_event_threads *threads, const char *path,
	int64_t begin, const struct prof_progress *progress)
{
	struct prof_experiment *experiment = threads->experiment;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < threads->threads.count; i++) {
		struct prof_event_thread *thread = &threads->threads.items[i];
		const struct prof_calls_terms terms = {
			thread->number, threads->timed, begin, {1, 1}};
		experiment->recording.open_calls += prof_builder_finish(&thread->builder, 0, 0);
		experiment->recording.extra_ends += thread->builder.extra_ends;
		error = prof_calls_add(experiment, &thread->builder.tree, &terms, progress);
	}
	if (!error && !experiment->samples.count)
		error = prof_damage_without(path, "calls", "Record longer");
	return error;
}
