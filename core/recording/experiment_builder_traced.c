/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages of what was traced. */
#include "recording/experiment_builder_private.h"

#include "model/cursor.h"
#include "model/experiment.h"
#include "model/mpi_operation.h"
#include "model/samples.h"
#include "recording/look.h"
#include "recording/queue.h"
#include "recording/traced_message.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The table of the numbers that READER, in its process, has assigned; NULL: no memory. */
static struct prof_experiment_builder_reader *find_reader(
	struct prof_experiment_builder *builder, uint64_t reader)
{
	for (size_t i = 0; i < builder->readers.count; i++) {
		if (builder->readers.items[i].number == reader)
			return &builder->readers.items[i];
	}
	struct prof_experiment_builder_reader *added = prof_array_push(&builder->readers);
	if (added)
		*added = (struct prof_experiment_builder_reader){
			.number = reader, .heap = PROF_NONE};
	return added;
}

/* The traced row of TOTAL, or PROF_NONE. */
static uint32_t find_total(const struct prof_experiment_builder_reader *reader, uint32_t total)
{
	return total < reader->totals.count ? reader->totals.items[total] : PROF_NONE;
}

/* Makes the number TOTAL of READER refer to the traced row TRACED.  False: no memory. */
static bool set_total(
	struct prof_experiment_builder_reader *reader, uint32_t total, uint32_t traced)
{
	while (reader->totals.count <= total) {
		uint32_t *added = prof_array_push(&reader->totals);
		if (!added)
			return false;
		*added = PROF_NONE;
	}
	reader->totals.items[total] = traced;
	return true;
}

/* Keep times in a range in which any two can be subtracted. */
static int64_t relative(const struct prof_experiment_builder *builder, int64_t time)
{
	time = prof_experiment_builder_time(builder, time);
	if (time > PROF_TIME_MOST)
		return PROF_TIME_MOST;
	return time < -PROF_TIME_MOST ? -PROF_TIME_MOST : time;
}

/* Fills in what the total TOTAL waited for, and who held it. */
static struct prof_error *find_object(struct prof_experiment_builder *builder,
	const struct prof_total_message *total, struct prof_traced_row *traced)
{
	struct prof_experiment_builder_thread *holder;
	struct prof_error *error = NULL;

	if (total->object)
		error = prof_experiment_object(builder->experiment, total->object, &traced->object);
	if (!error && total->holder > 0) {
		error = prof_experiment_builder_thread(
			builder, total->holder, NULL, false, &holder);
		traced->holder = error ? PROF_NONE : holder->thread;
	}
	return error;
}

/* The argument NUMBER of those that follow TOTAL. */
static struct prof_argument_message argument_at(
	const struct prof_total_message *total, unsigned number)
{
	const unsigned char *at =
		(const unsigned char *)(total + 1) + total->depth * sizeof(uint64_t);
	struct prof_argument_message argument;

	memcpy(&argument, at + number * sizeof argument, sizeof argument);
	return argument;
}

static struct prof_error *add_argument(
	struct prof_experiment *experiment, uint32_t traced, const char *name)
{
	struct prof_argument argument = {.traced = traced};
	struct prof_error *error = prof_experiment_string(experiment, name, &argument.name);

	return error ? error : prof_experiment_argument(experiment, &argument);
}

/* A new total: a sample without samples and without time, which has the traced values. */
static struct prof_error *add_total(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_total_message *total,
	const uint64_t *frames, uint32_t *ret)
{
	static const prof_value none[PROF_QUANTITIES];
	struct prof_experiment *experiment = builder->experiment;
	const struct prof_look look = {
		.process = message->total.process, .depth = total->depth, .end = total->end};
	struct prof_traced_row traced = {
		.object = PROF_NONE, .holder = PROF_NONE, .rank = total->rank, .peer = total->peer};
	struct prof_sample sample = {
		.time = relative(builder, message->total.time),
		.state = total->state,
		.cpu = total->cpu,
	};
	struct prof_experiment_builder_thread *thread;
	struct prof_error *error = find_object(builder, total, &traced);

	if (!error)
		error = prof_experiment_builder_thread(
			builder, message->total.thread, NULL, false, &thread);
	if (!error)
		error = prof_experiment_builder_own(builder, thread, message->total.process);
	if (error)
		return error;
	sample.thread = thread->thread;
	error = prof_experiment_builder_path(builder, &look, frames, &sample.path);
	if (error)
		return error;
	traced.sample = (uint32_t)experiment->samples.count;
	error = prof_experiment_sample(experiment, &sample, none);
	if (!error)
		error = prof_experiment_traced(experiment, &traced);
	*ret = (uint32_t)experiment->traced.count - 1;
	for (unsigned i = 0; i < total->arguments && !error; i++)
		error = add_argument(experiment, *ret, argument_at(total, i).name);
	return error;
}

/* Brings the arguments of the traced row NUMBER up to those of TOTAL. */
static void add_up(
	struct prof_experiment *experiment, uint32_t number, const struct prof_total_message *total)
{
	struct prof_traced_rows_place place = {0};
	uint32_t first = prof_traced_rows_get(&experiment->traced, &place, number)->first_argument;

	for (unsigned i = 0; i < total->arguments; i++) {
		struct prof_argument_message argument = argument_at(total, i);
		prof_experiment_add_up(experiment, first + i, &argument.sum);
	}
}

struct prof_error *prof_experiment_builder_total(struct prof_experiment_builder *builder,
	const struct prof_message *message, const void *data)
{
	const struct prof_total_message *total = data;
	struct prof_experiment_builder_reader *reader = find_reader(builder, message->total.reader);
	struct prof_error *error = NULL;
	uint32_t number;

	assert(message->size ==
		sizeof *total + total->depth * sizeof(uint64_t) +
			total->arguments * sizeof(struct prof_argument_message));
	if (!reader)
		return prof_error_nomem();
	number = total->is_new ? PROF_NONE : find_total(reader, total->number);
	if (number == PROF_NONE) {
		uint32_t before = find_total(reader, total->number);
		if (before != PROF_NONE)
			prof_experiment_close(builder->experiment, before);
		if (!set_total(reader, total->number, PROF_NONE))
			return prof_error_nomem();
		error = add_total(builder, message, total, (const uint64_t *)(total + 1), &number);
		if (!error)
			reader->totals.items[total->number] = number;
	}
	if (error)
		return error;
	add_up(builder->experiment, number, total);
	prof_experiment_last(builder->experiment, number, relative(builder, total->last));
	prof_experiment_traced_values(builder->experiment, number, total->values, total->longest);
	return NULL;
}

struct prof_error *prof_experiment_builder_held(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_held_message *held)
{
	struct prof_experiment_builder_reader *reader = find_reader(builder, message->held.reader);
	struct prof_error *error = NULL;

	assert(message->size % sizeof *held == 0);
	if (!reader)
		return prof_error_nomem();
	for (size_t i = 0; i < message->size / sizeof *held && !error; i++) {
		struct prof_held row = {
			.time = relative(builder, message->held.time),
			.traced = find_total(reader, held[i].total),
			.blocks = (int64_t)held[i].blocks,
			.bytes = (int64_t)held[i].bytes,
		};
		if (row.traced != PROF_NONE)
			error = prof_experiment_held(builder->experiment, &row);
	}
	return error;
}

/* The operation in MESSAGE, of the call of SAMPLE by THREAD. */
static struct prof_mpi_operation make_operation(const struct prof_experiment_builder *builder,
	const struct prof_operation_message *message, uint32_t sample, uint32_t thread)
{
	return (struct prof_mpi_operation){.sample = sample,
		.thread = thread,
		.number = message->number,
		.rank = message->rank,
		.peer = message->peer,
		.tag = message->tag,
		.kind = message->kind,
		.comm = message->comm,
		.bytes = message->bytes,
		.posted = relative(builder, message->posted),
		.begin = relative(builder, message->begin),
		.end = relative(builder, message->end)};
}

/*
 * Adds the operation in MESSAGE, of a call in the row TRACED, unless a damaged ring has made it
 * invalid.  ROWS reads the samples.
 */
static struct prof_error *add_operation(struct prof_experiment_builder *builder,
	struct prof_cursor *rows, const struct prof_operation_message *message, uint32_t traced)
{
	struct prof_experiment *experiment = builder->experiment;
	struct prof_traced_rows_place place = {0};
	uint32_t sample = prof_traced_rows_get(&experiment->traced, &place, traced)->sample;
	const struct prof_sample_row *row = prof_cursor_at(rows, sample);

	if (!row)
		return prof_cursor_error(rows);
	const struct prof_mpi_operation operation =
		make_operation(builder, message, sample, row->sample.thread);
	if (prof_mpi_operation_is_valid(&operation))
		return prof_mpi_operation_add(experiment, &operation);
	experiment->recording.operations_lost++;
	return NULL;
}

struct prof_error *prof_experiment_builder_operations(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_operation_message *operations)
{
	struct prof_experiment *experiment = builder->experiment;
	/* One for all: operations of a call have one sample, and each would unpack its block. */
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct prof_experiment_builder_reader *reader =
		find_reader(builder, message->operations.reader);
	struct prof_error *error = NULL;

	assert(message->size % sizeof *operations == 0);
	if (!reader)
		return prof_error_nomem();
	for (size_t i = 0; i < message->size / sizeof *operations && !error; i++) {
		uint32_t traced = find_total(reader, operations[i].total);
		if (traced != PROF_NONE && experiment->operations.count < PROF_OPERATIONS_MOST)
			error = add_operation(builder, &rows, &operations[i], traced);
		else
			experiment->recording.operations_lost++;
	}
	return error;
}

struct prof_error *prof_experiment_builder_heap(struct prof_experiment_builder *builder,
	const struct prof_message *message, const struct prof_heap *heap)
{
	struct prof_experiment_builder_reader *reader = find_reader(builder, message->heap.reader);
	struct prof_heap known = *heap;

	assert(message->size == sizeof *heap);
	if (!reader)
		return prof_error_nomem();
	known.peak_time = relative(builder, heap->peak_time);
	return prof_experiment_heap(
		builder->experiment, message->heap.process, &known, &reader->heap);
}

void prof_experiment_builder_reader_end(struct prof_experiment_builder *builder, uint64_t reader)
{
	size_t at = 0;

	while (at < builder->readers.count && builder->readers.items[at].number != reader)
		at++;
	if (at == builder->readers.count)
		return;
	struct prof_experiment_builder_reader *ended = &builder->readers.items[at];
	for (size_t i = 0; i < ended->totals.count; i++) {
		if (ended->totals.items[i] != PROF_NONE)
			prof_experiment_close(builder->experiment, ended->totals.items[i]);
	}
	free(ended->totals.items);
	*ended = builder->readers.items[--builder->readers.count];
}
