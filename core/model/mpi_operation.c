/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_operation.h"

#include "model/experiment.h"

#include <assert.h>

const char *const prof_mpi_operation_names[PROF_OPERATIONS] = {
	[0] = "",
	[PROF_OPERATION_INIT] = "init",
	[PROF_OPERATION_SEND] = "send",
	[PROF_OPERATION_BUFFERED] = "buffered_send",
	[PROF_OPERATION_SENT] = "sent",
	[PROF_OPERATION_RECEIVE] = "receive",
	[PROF_OPERATION_BARRIER] = "barrier",
	[PROF_OPERATION_ALL] = "all_to_all",
	[PROF_OPERATION_FROM_ROOT] = "one_to_all",
	[PROF_OPERATION_TO_ROOT] = "all_to_one",
	[PROF_OPERATION_FINALIZE] = "finalize",
};

bool prof_mpi_operation_is_valid(const struct prof_mpi_operation *operation)
{
	return operation->kind >= PROF_OPERATION_INIT && operation->kind < PROF_OPERATIONS &&
		operation->rank >= -1 && operation->peer >= -1 && operation->bytes >= 0 &&
		operation->begin <= operation->end && operation->posted <= operation->end;
}

struct prof_error *prof_mpi_operation_add(
	struct prof_experiment *experiment, const struct prof_mpi_operation *operation)
{
	assert(prof_mpi_operation_is_valid(operation));
	assert(operation->sample < experiment->samples.count &&
		operation->thread < experiment->threads.count);
	if (experiment->operations.count >= PROF_OPERATIONS_MERGED) {
		experiment->recording.operations_lost++;
		return NULL;
	}
	struct prof_mpi_operation *added = prof_array_push(&experiment->operations);
	if (!added)
		return prof_error_nomem();
	*added = *operation;
	return NULL;
}

struct prof_error *prof_mpi_operation_merge(struct prof_experiment *into,
	const struct prof_experiment *from, struct prof_mpi_operation_shift shift)
{
	size_t count = from->operations.count;
	struct prof_error *error = NULL;

	if (into->operations.count + count > PROF_OPERATIONS_MERGED) {
		into->recording.operations_lost += count;
		return NULL;
	}
	for (size_t i = 0; i < count && !error; i++) {
		struct prof_mpi_operation operation = from->operations.items[i];
		operation.sample += (uint32_t)shift.samples;
		operation.thread += (uint32_t)shift.threads;
		operation.posted += shift.time;
		operation.begin += shift.time;
		operation.end += shift.time;
		error = prof_mpi_operation_add(into, &operation);
	}
	return error;
}
