/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many entries each table of an experiment has, and which of them have changed. */
#include "model/single_calls.h"
#include "store/private.h"

#include <string.h>

/* The number of EXPERIMENT's events up to the last counter. */
static size_t count_counters(const struct prof_experiment *experiment)
{
	size_t count = experiment->events.count;

	while (count && experiment->events.items[count - 1].unit == PROF_EVENT_SAMPLES)
		count--;
	return count;
}

/* The field of EXPERIMENT at OFFSET. */
static const void *at(const struct prof_experiment *experiment, size_t offset)
{
	return (const char *)experiment + offset;
}

size_t prof_store_entries(const struct prof_experiment *experiment, enum prof_schema_table table)
{
	const size_t *count = at(experiment, prof_schema[table].count);

	if (table == PROF_TABLE_COUNTER)
		return count_counters(experiment);
	if (table == PROF_TABLE_GMON)
		return experiment->gmon.word != 0;
	if (!prof_schema[table].count)
		return 0;
	if (table == PROF_TABLE_CALL_BLOCK)
		return *count / PROF_SINGLE_CALLS_BLOCK;
	return table == PROF_TABLE_HEAP_CLASS ? *count * PROF_HEAP_CLASSES : *count;
}

/* The entry NUMBER of TABLE, whose rows are in an array. */
static const void *entry(
	const struct prof_experiment *experiment, enum prof_schema_table table, size_t number)
{
	const char *const *items = at(experiment, prof_schema[table].items);

	return *items + number * prof_schema[table].size;
}

static struct prof_heap_class_row heap_class(
	const struct prof_experiment *experiment, size_t number)
{
	size_t class = number % PROF_HEAP_CLASSES;
	uint32_t heap = (uint32_t)(number / PROF_HEAP_CLASSES);
	const struct prof_heap *of = &experiment->heaps.items[heap].heap;

	return (struct prof_heap_class_row){
		heap, (int64_t) class, of->allocations[class], of->leaks[class]};
}

struct prof_traced_mpi_row prof_store_traced_mpi(const struct prof_traced_row *traced)
{
	struct prof_traced_mpi_row row = {
		.rank = (int64_t)traced->rank - 1, .peer = (int64_t)traced->peer - 1};

	memcpy(row.values, traced->values, sizeof row.values);
	return row;
}

struct prof_traced_omp_row prof_store_traced_omp(const struct prof_traced_row *traced)
{
	struct prof_traced_omp_row row;

	memcpy(row.values, traced->values, sizeof row.values);
	return row;
}

const void *prof_store_row(const struct prof_experiment *experiment, enum prof_schema_table table,
	size_t number, struct prof_store_place *place)
{
	const struct prof_gmon *gmon = &experiment->gmon;
	const struct prof_event *event;

	switch (table) {
	case PROF_TABLE_THREAD:
		place->row.thread = prof_experiment_thread_row(experiment, (uint32_t)number);
		return &place->row;
	case PROF_TABLE_OWNER:
		place->row.owner = prof_experiment_owner_row(experiment, (uint32_t)number);
		return &place->row;
	case PROF_TABLE_TRACED:
	case PROF_TABLE_TRACED_LAST:
		return prof_traced_rows_get(&experiment->traced, &place->traced, number);
	case PROF_TABLE_TRACED_MPI:
		place->row.traced_mpi = prof_store_traced_mpi(
			prof_traced_rows_get(&experiment->traced, &place->traced, number));
		return &place->row;
	case PROF_TABLE_TRACED_OMP:
	case PROF_TABLE_TRACED_LOOP:
		place->row.traced_omp = prof_store_traced_omp(
			prof_traced_rows_get(&experiment->traced, &place->traced, number));
		return &place->row;
	case PROF_TABLE_HEAP_CLASS:
		place->row.heap_class = heap_class(experiment, number);
		return &place->row;
	case PROF_TABLE_COUNTER:
		event = &experiment->events.items[number];
		place->row.counter = (struct prof_counter_row){*event, event->unit};
		if (event->unit == PROF_EVENT_SAMPLES)
			place->row.counter.unit = -1;
		return &place->row;
	case PROF_TABLE_GMON:
		place->row.gmon = (struct prof_gmon_row){
			gmon->word, gmon->rate, gmon->big_endian, gmon->dimension, gmon->unit};
		return &place->row;
	default:
		return entry(experiment, table, number);
	}
}

/* When the entry NUMBER of TABLE was last changed; 0: never since it was added. */
static uint64_t changed(
	const struct prof_experiment *experiment, enum prof_schema_table table, size_t number)
{
	const struct prof_schema *schema = &prof_schema[table];

	switch (table) {
	case PROF_TABLE_THREAD:
		return prof_packed_rows_changed(&experiment->threads, number);
	case PROF_TABLE_TRACED:
	case PROF_TABLE_TRACED_LAST:
	case PROF_TABLE_TRACED_MPI:
	case PROF_TABLE_TRACED_OMP:
	case PROF_TABLE_TRACED_LOOP:
		return prof_traced_rows_changed(&experiment->traced, number);
	case PROF_TABLE_ARGUMENT:
		number = experiment->arguments.items[number].traced;
		return prof_traced_rows_changed(&experiment->traced, number);
	case PROF_TABLE_COUNTER:
		return experiment->events.items[number].changed;
	case PROF_TABLE_HEAP_CLASS:
		return experiment->heaps.items[number / PROF_HEAP_CLASSES].changed;
	default:
		return schema->changed
			? *(const uint64_t *)((const char *)entry(experiment, table, number) +
				  schema->changed)
			: 0;
	}
}

/* The changes of TABLE by block; NULL: the table stays small, and all its entries are checked. */
static const struct prof_row_changes *changes_of(
	const struct prof_experiment *experiment, enum prof_schema_table table)
{
	size_t changes = prof_schema[table].row_changes;

	return changes ? at(experiment, changes) : NULL;
}

size_t prof_store_next_changed(const struct prof_experiment *experiment,
	enum prof_schema_table table, size_t number, size_t end, uint64_t since)
{
	const struct prof_row_changes *changes = changes_of(experiment, table);

	for (; number < end; number++) {
		if (changes)
			number = prof_row_changes_next(changes, number, since);
		if (number < end && changed(experiment, table, number) > since)
			return number;
	}
	return end;
}

bool prof_store_pending(const struct prof_store *store, const struct prof_experiment *experiment)
{
	for (size_t i = 0; i < PROF_TABLES; i++) {
		if (prof_store_entries(experiment, (enum prof_schema_table)i) !=
			store->done.entries[i])
			return true;
	}
	for (size_t i = 0; i < experiment->modules.count; i++) {
		if (experiment->modules.items[i].ranges.count != prof_store_ranges(store, i))
			return true;
	}
	return experiment->changes != store->done.changes ||
		experiment->samples.changes != store->done.sampled ||
		experiment->calls.count != store->done.calls;
}
