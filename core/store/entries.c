/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much of an experiment each table of its file has, and what has changed of it. */
#include "store/private.h"

/* The number of EXPERIMENT's events up to the last that is a counter. */
static size_t count_counters(const struct prof_experiment *experiment)
{
	size_t count = experiment->events.count;

	while (count && experiment->events.items[count - 1].unit == PROF_EVENT_SAMPLES)
		count--;
	return count;
}

size_t prof_store_entries(const struct prof_experiment *experiment, enum prof_schema_table table)
{
	switch (table) {
	case PROF_TABLE_STRING:
		return experiment->strings.texts.count;
	case PROF_TABLE_MODULE:
		return experiment->modules.count;
	case PROF_TABLE_THREAD:
		return experiment->threads.count;
	case PROF_TABLE_FUNCTION:
		return experiment->functions.count;
	case PROF_TABLE_FRAME:
		return experiment->frames.count;
	case PROF_TABLE_LOCATION:
		return experiment->resolved.count;
	case PROF_TABLE_PATH:
		return experiment->paths.count;
	case PROF_TABLE_MARK:
		return experiment->marks.count;
	case PROF_TABLE_COUNTED:
		return experiment->arcs.count;
	case PROF_TABLE_OBJECT:
		return experiment->objects.count;
	case PROF_TABLE_TRACED:
		return experiment->traced.count;
	case PROF_TABLE_ARGUMENT:
		return experiment->arguments.count;
	case PROF_TABLE_HELD:
		return experiment->held.count;
	case PROF_TABLE_HEAP:
		return experiment->heaps.count;
	case PROF_TABLE_HEAP_CLASS:
		return experiment->heaps.count * PROF_HEAP_CLASSES;
	case PROF_TABLE_OWNER:
		return experiment->owners.count;
	case PROF_TABLE_TRACED_LAST:
		return experiment->traced.count;
	case PROF_TABLE_EVENT:
		return experiment->events.count;
	case PROF_TABLE_SOURCE:
		return experiment->archived_sources.count;
	case PROF_TABLE_EXTENT:
		return experiment->archived_extents.count;
	case PROF_TABLE_BLOCK:
		return experiment->archived_blocks.count;
	case PROF_TABLE_COUNTER:
		return count_counters(experiment);
	case PROF_TABLE_SAMPLE_BLOCK:
		return experiment->samples.blocks.count;
	case PROF_TABLE_DATA:
		return experiment->data.count;
	default:
		return 0;
	}
}

/* When the entry NUMBER of TABLE has last changed; 0: never, since it was added. */
static uint64_t changed(
	const struct prof_experiment *experiment, enum prof_schema_table table, size_t number)
{
	switch (table) {
	case PROF_TABLE_THREAD:
		return experiment->threads.items[number].changed;
	case PROF_TABLE_OBJECT:
		return experiment->objects.items[number].changed;
	case PROF_TABLE_TRACED:
	case PROF_TABLE_TRACED_LAST:
		return prof_tracings_changed(&experiment->traced, number);
	case PROF_TABLE_ARGUMENT:
		number = experiment->arguments.items[number].traced;
		return prof_tracings_changed(&experiment->traced, number);
	case PROF_TABLE_HEAP:
		return experiment->heaps.items[number].changed;
	case PROF_TABLE_COUNTER:
		return experiment->events.items[number].changed;
	case PROF_TABLE_HEAP_CLASS:
		return experiment->heaps.items[number / PROF_HEAP_CLASSES].changed;
	default:
		return 0;
	}
}

/* The changes of TABLE by block; NULL: the table stays small, and all its entries are looked at. */
static const struct prof_row_changes *changes_of(
	const struct prof_experiment *experiment, enum prof_schema_table table)
{
	switch (table) {
	case PROF_TABLE_THREAD:
		return &experiment->thread_changes;
	case PROF_TABLE_OBJECT:
		return &experiment->object_changes;
	case PROF_TABLE_TRACED:
	case PROF_TABLE_TRACED_LAST:
		return &experiment->traced.changes;
	case PROF_TABLE_ARGUMENT:
		return &experiment->argument_changes;
	default:
		return NULL;
	}
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
		experiment->samples.changes != store->done.sampled;
}
