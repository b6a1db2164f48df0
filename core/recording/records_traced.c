/* Records of what was traced. */
#include "recording/records_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The table that DRAIN, in its process, has its numbers from; NULL: no memory. */
static struct prof_records_drain *find_drain(struct prof_records *records, uint64_t drain)
{
	for (size_t i = 0; i < records->drains.count; i++) {
		if (records->drains.items[i].number == drain)
			return &records->drains.items[i];
	}
	struct prof_records_drain *added = prof_array_push(&records->drains);
	if (added)
		*added = (struct prof_records_drain){.number = drain, .heap = PROF_NONE};
	return added;
}

/* The traced row of CELL, or PROF_NONE. */
static uint32_t find_cell(const struct prof_records_drain *drain, uint32_t cell)
{
	return cell < drain->cells.count ? drain->cells.items[cell] : PROF_NONE;
}

/* Has the number CELL of DRAIN lead to the traced row TRACED.  False: no memory. */
static bool set_cell(struct prof_records_drain *drain, uint32_t cell, uint32_t traced)
{
	while (drain->cells.count <= cell) {
		uint32_t *added = prof_array_push(&drain->cells);
		if (!added)
			return false;
		*added = PROF_NONE;
	}
	drain->cells.items[cell] = traced;
	return true;
}

/* Times are kept as far apart as any two can be subtracted. */
static int64_t relative(const struct prof_records *records, int64_t time)
{
	time = prof_records_time(records, time);
	if (time > PROF_TIME_MOST)
		return PROF_TIME_MOST;
	return time < -PROF_TIME_MOST ? -PROF_TIME_MOST : time;
}

/* Fills in what the cell TOLD waited for, and who had it. */
static struct prof_error *find_object(struct prof_records *records,
	const struct prof_told_cell *told, struct prof_tracing *tracing)
{
	struct prof_records_thread *holder;
	struct prof_error *error = NULL;

	if (told->object)
		error = prof_experiment_object(records->experiment, told->object, &tracing->object);
	if (!error && told->holder > 0) {
		error = prof_records_thread(records, told->holder, NULL, false, &holder);
		tracing->holder = error ? PROF_NONE : holder->thread;
	}
	return error;
}

/* The argument NUMBER of those behind TOLD. */
static struct prof_told_argument argument_at(const struct prof_told_cell *told, unsigned number)
{
	const unsigned char *at =
		(const unsigned char *)(told + 1) + told->depth * sizeof(uint64_t);
	struct prof_told_argument argument;

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

/* A new cell: a sample without samples and without time, that has what was traced. */
static struct prof_error *add_cell(struct prof_records *records, const struct prof_record *record,
	const struct prof_told_cell *told, const uint64_t *frames, uint32_t *ret)
{
	static const prof_value none[PROF_QUANTITIES];
	struct prof_experiment *experiment = records->experiment;
	const struct prof_look look = {
		.process = record->cell.process, .depth = told->depth, .end = told->end};
	struct prof_tracing tracing = {.object = PROF_NONE, .holder = PROF_NONE};
	struct prof_sample sample = {
		.time = relative(records, record->cell.time),
		.state = told->state,
		.cpu = told->cpu,
	};
	struct prof_records_thread *thread;
	struct prof_error *error = find_object(records, told, &tracing);

	if (!error)
		error = prof_records_thread(records, record->cell.thread, NULL, false, &thread);
	if (!error)
		error = prof_records_own(records, thread, record->cell.process);
	if (error)
		return error;
	sample.thread = thread->thread;
	error = prof_records_path(records, &look, frames, &sample.path);
	if (error)
		return error;
	tracing.sample = (uint32_t)experiment->samples.count;
	error = prof_experiment_sample(experiment, &sample, none);
	if (!error)
		error = prof_experiment_traced(experiment, &tracing);
	*ret = (uint32_t)experiment->traced.count - 1;
	for (unsigned i = 0; i < told->arguments && !error; i++)
		error = add_argument(experiment, *ret, argument_at(told, i).name);
	return error;
}

/* The arguments of the traced row NUMBER add up to what TOLD has. */
static void add_up(
	struct prof_experiment *experiment, uint32_t number, const struct prof_told_cell *told)
{
	struct prof_tracings_place place = {0};
	uint32_t first = prof_tracings_get(&experiment->traced, &place, number)->first_argument;

	for (unsigned i = 0; i < told->arguments; i++) {
		struct prof_told_argument argument = argument_at(told, i);
		prof_experiment_add_up(experiment, first + i, &argument.sum);
	}
}

struct prof_error *prof_records_cell(
	struct prof_records *records, const struct prof_record *record, const void *data)
{
	const struct prof_told_cell *told = data;
	struct prof_records_drain *drain = find_drain(records, record->cell.drain);
	struct prof_error *error = NULL;
	uint32_t number;

	assert(record->size ==
		sizeof *told + told->depth * sizeof(uint64_t) +
			told->arguments * sizeof(struct prof_told_argument));
	if (!drain)
		return prof_error_nomem();
	number = told->is_new ? PROF_NONE : find_cell(drain, told->number);
	if (number == PROF_NONE) {
		uint32_t before = find_cell(drain, told->number);
		if (before != PROF_NONE)
			prof_experiment_close(records->experiment, before);
		if (!set_cell(drain, told->number, PROF_NONE))
			return prof_error_nomem();
		error = add_cell(records, record, told, (const uint64_t *)(told + 1), &number);
		if (!error)
			drain->cells.items[told->number] = number;
	}
	if (error)
		return error;
	add_up(records->experiment, number, told);
	prof_experiment_last(records->experiment, number, relative(records, told->last));
	prof_experiment_trace(records->experiment, number, told->values, told->longest);
	return NULL;
}

struct prof_error *prof_records_held(struct prof_records *records, const struct prof_record *record,
	const struct prof_told_held *held)
{
	struct prof_records_drain *drain = find_drain(records, record->held.drain);
	struct prof_error *error = NULL;

	assert(record->size % sizeof *held == 0);
	if (!drain)
		return prof_error_nomem();
	for (size_t i = 0; i < record->size / sizeof *held && !error; i++) {
		struct prof_held row = {
			.time = relative(records, record->held.time),
			.traced = find_cell(drain, held[i].cell),
			.blocks = (int64_t)held[i].blocks,
			.bytes = (int64_t)held[i].bytes,
		};
		if (row.traced != PROF_NONE)
			error = prof_experiment_held(records->experiment, &row);
	}
	return error;
}

struct prof_error *prof_records_heap(struct prof_records *records, const struct prof_record *record,
	const struct prof_heap *heap)
{
	struct prof_records_drain *drain = find_drain(records, record->heap.drain);
	struct prof_heap known = *heap;

	assert(record->size == sizeof *heap);
	if (!drain)
		return prof_error_nomem();
	known.peak_time = relative(records, heap->peak_time);
	return prof_experiment_heap(
		records->experiment, record->heap.process, &known, &drain->heap);
}

void prof_records_drained(struct prof_records *records, uint64_t drain)
{
	size_t at = 0;

	while (at < records->drains.count && records->drains.items[at].number != drain)
		at++;
	if (at == records->drains.count)
		return;
	struct prof_records_drain *ended = &records->drains.items[at];
	for (size_t i = 0; i < ended->cells.count; i++) {
		if (ended->cells.items[i] != PROF_NONE)
			prof_experiment_close(records->experiment, ended->cells.items[i]);
	}
	free(ended->cells.items);
	*ended = records->drains.items[--records->drains.count];
}
