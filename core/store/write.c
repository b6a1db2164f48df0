/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/archive.h"
#include "store/private.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	struct prof_store *store;
	const struct prof_experiment *experiment;
	const struct prof_progress *progress;
	struct prof_store_done done; /* the store's, once all is committed */
	int version;                 /* the same */
	uint64_t rows, total;        /* of this transaction */
	struct prof_error *error;
	struct prof_tracings_place place; /* of the traced row that was written last */
};

/* Steps the insert into TABLE, all but its id bound.  False: WRITER's error says why not. */
static bool insert_row(struct writer *writer, enum prof_schema_table table)
{
	struct prof_store *store = writer->store;
	sqlite3_stmt *insert = store->insert[table];

	sqlite3_bind_int64(insert, 1, writer->done.rows[table]++);
	if (sqlite3_step(insert) != SQLITE_DONE)
		writer->error = prof_database_error(store->database, store->name, "written");
	sqlite3_reset(insert);
	if (++writer->rows % PROF_PROGRESS_STEP == 0 && !writer->error)
		writer->error = prof_progress_report(
			writer->progress, "Writing", writer->rows, writer->total);
	return !writer->error;
}

/* Inserts a row into TABLE, that has COLUMNS behind its id. */
static bool insert_numbers(
	struct writer *writer, enum prof_schema_table table, const int64_t *columns)
{
	for (int i = 1; i < prof_schema[table].columns; i++)
		sqlite3_bind_int64(writer->store->insert[table], i + 1, columns[i - 1]);
	return insert_row(writer, table);
}

/* The number of another table's row, or nothing, for COLUMN. */
static void bind_reference(sqlite3_stmt *insert, int column, uint32_t number)
{
	if (number == PROF_NONE)
		sqlite3_bind_null(insert, column);
	else
		sqlite3_bind_int64(insert, column, number);
}

static bool write_string(struct writer *writer, size_t id)
{
	const char *text = prof_strings_get(&writer->experiment->strings, (uint32_t)id);

	if (sqlite3_bind_text(
		    writer->store->insert[PROF_TABLE_STRING], 2, text, -1, SQLITE_STATIC)) {
		writer->error = prof_database_error(
			writer->store->database, writer->store->name, "written");
		return false;
	}
	return insert_row(writer, PROF_TABLE_STRING);
}

static bool write_module(struct writer *writer, size_t id)
{
	const struct prof_module *module = &writer->experiment->modules.items[id];
	const int64_t columns[] = {module->path, module->build_id};

	return insert_numbers(writer, PROF_TABLE_MODULE, columns);
}

static bool write_thread(struct writer *writer, size_t id)
{
	const struct prof_thread *thread = &writer->experiment->threads.items[id];
	const int64_t columns[] = {thread->id, thread->name};

	return insert_numbers(writer, PROF_TABLE_THREAD, columns);
}

static bool write_function(struct writer *writer, size_t id)
{
	const struct prof_function *function = &writer->experiment->functions.items[id];
	const int64_t columns[] = {function->name, function->module};

	return insert_numbers(writer, PROF_TABLE_FUNCTION, columns);
}

static bool write_frame(struct writer *writer, size_t id)
{
	const struct prof_frame *frame = &writer->experiment->frames.items[id];
	const int64_t columns[] = {frame->module, (int64_t)frame->address};

	return insert_numbers(writer, PROF_TABLE_FRAME, columns);
}

/* The file is of VERSION, or a later one. */
static void demand(struct writer *writer, int version)
{
	if (writer->version < version)
		writer->version = version;
}

/* The locations of the frame that was resolved as the NUMBER-th. */
static bool write_locations(struct writer *writer, size_t number)
{
	const struct prof_experiment *experiment = writer->experiment;
	uint32_t id = experiment->resolved.items[number];
	const struct prof_frame *frame = &experiment->frames.items[id];

	for (uint32_t i = 0; i < frame->locations; i++) {
		const struct prof_location *location =
			&experiment->locations.items[frame->first_location + i];
		const int64_t columns[] = {
			id, location->function, location->file, location->line, location->offset};
		if (!insert_numbers(writer, PROF_TABLE_LOCATION, columns))
			return false;
		if (!frame->address &&
			(location->line || *prof_strings_get(&experiment->strings, location->file)))
			demand(writer, 4);
	}
	return true;
}

static bool write_path(struct writer *writer, size_t id)
{
	const struct prof_path *path = &writer->experiment->paths.items[id];
	const int64_t columns[] = {path->parent, path->frame};

	return insert_numbers(writer, PROF_TABLE_PATH, columns);
}

static bool write_mark(struct writer *writer, size_t id)
{
	const struct prof_mark *mark = &writer->experiment->marks.items[id];
	int64_t columns[3 + PROF_USAGES] = {mark->time, mark->label, mark->kind};

	memcpy(&columns[3], mark->usage.figures, sizeof mark->usage.figures);
	return insert_numbers(writer, PROF_TABLE_MARK, columns);
}

static bool write_counted(struct writer *writer, size_t id)
{
	const struct prof_arc *counted = &writer->experiment->arcs.items[id];
	const int64_t columns[] = {counted->time, counted->callee, counted->caller,
		(int64_t)counted->calls, counted->kind};

	return insert_numbers(writer, PROF_TABLE_COUNTED, columns);
}

static bool write_object(struct writer *writer, size_t id)
{
	const struct prof_object *object = &writer->experiment->objects.items[id];
	const int64_t columns[] = {(int64_t)object->address, object->name};

	return insert_numbers(writer, PROF_TABLE_OBJECT, columns);
}

static bool write_traced(struct writer *writer, size_t id)
{
	const struct prof_tracing *tracing =
		prof_tracings_get(&writer->experiment->traced, &writer->place, id);
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_TRACED];

	sqlite3_bind_int64(insert, 2, tracing->sample);
	bind_reference(insert, 3, tracing->object);
	bind_reference(insert, 4, tracing->holder);
	sqlite3_bind_int64(insert, 5, tracing->longest);
	for (int i = 0; i < PROF_TRACED_VALUES; i++)
		sqlite3_bind_int64(insert, 6 + i, tracing->values[i]);
	return insert_row(writer, PROF_TABLE_TRACED);
}

static bool write_argument(struct writer *writer, size_t id)
{
	const struct prof_argument *argument = &writer->experiment->arguments.items[id];
	const prof_value values[] = {argument->sum.sum, argument->sum.least, argument->sum.most};
	int64_t columns[2 + 2 * PROF_COUNT(values)] = {argument->traced, argument->name};

	for (size_t i = 0; i < PROF_COUNT(values); i++) {
		columns[2 + 2 * i] = (int64_t)(values[i] / PROF_VALUE_ONE);
		columns[3 + 2 * i] = (int64_t)(values[i] % PROF_VALUE_ONE);
	}
	return insert_numbers(writer, PROF_TABLE_ARGUMENT, columns);
}

static bool write_held(struct writer *writer, size_t id)
{
	const struct prof_held *held = &writer->experiment->held.items[id];
	const int64_t columns[] = {held->time, held->traced, held->blocks, held->bytes};

	return insert_numbers(writer, PROF_TABLE_HELD, columns);
}

static bool write_heap(struct writer *writer, size_t id)
{
	const struct prof_heap_of *of = &writer->experiment->heaps.items[id];
	const struct prof_heap *heap = &of->heap;
	const int64_t columns[] = {of->process, heap->peak, heap->peak_time, heap->unmatched,
		heap->smallest, heap->largest, heap->leak_smallest, heap->leak_largest};

	return insert_numbers(writer, PROF_TABLE_HEAP, columns);
}

static bool write_heap_class(struct writer *writer, size_t id)
{
	size_t heap = id / PROF_HEAP_CLASSES;
	size_t class = id % PROF_HEAP_CLASSES;
	const struct prof_heap *of = &writer->experiment->heaps.items[heap].heap;
	const int64_t columns[] = {
		(int64_t)heap, (int64_t) class, of->allocations[class], of->leaks[class]};

	return insert_numbers(writer, PROF_TABLE_HEAP_CLASS, columns);
}

static bool write_owner(struct writer *writer, size_t id)
{
	const struct prof_owner *owner = &writer->experiment->owners.items[id];
	const int64_t columns[] = {owner->thread, owner->process};

	return insert_numbers(writer, PROF_TABLE_OWNER, columns);
}

static bool write_traced_last(struct writer *writer, size_t id)
{
	const int64_t columns[] = {
		prof_tracings_get(&writer->experiment->traced, &writer->place, id)->last};

	return insert_numbers(writer, PROF_TABLE_TRACED_LAST, columns);
}

static bool write_event(struct writer *writer, size_t id)
{
	const int64_t columns[] = {writer->experiment->events.items[id].name};

	return insert_numbers(writer, PROF_TABLE_EVENT, columns);
}

static bool write_counter(struct writer *writer, size_t id)
{
	const struct prof_event *event = &writer->experiment->events.items[id];
	const int64_t columns[] = {event->unit == PROF_EVENT_SAMPLES ? -1 : event->unit,
		event->clock, event->interval, event->overflows, event->lost};

	return insert_numbers(writer, PROF_TABLE_COUNTER, columns);
}

static bool write_data(struct writer *writer, size_t id)
{
	const struct prof_data *data = &writer->experiment->data.items[id];
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_DATA];
	const int64_t columns[] = {data->sample, data->trigger, data->access, data->skid};

	for (int i = 0; i < (int)PROF_COUNT(columns); i++)
		sqlite3_bind_int64(insert, 2 + i, columns[i]);
	if (data->addressed)
		sqlite3_bind_int64(insert, 6, (int64_t)data->address);
	else
		sqlite3_bind_null(insert, 6);
	return insert_row(writer, PROF_TABLE_DATA);
}

/* Inserts a row into TABLE, whose last columns are the size of TEXT, and TEXT, packed. */
static bool insert_packed(struct writer *writer, enum prof_schema_table table, const char *text)
{
	sqlite3_stmt *insert = writer->store->insert[table];
	int columns = prof_schema[table].columns;
	size_t length;
	char *packed = prof_archive_pack(text, &length);

	if (!packed) {
		writer->error = prof_error_nomem();
		return false;
	}
	sqlite3_bind_int64(insert, columns - 1, (int64_t)strlen(text));
	if (sqlite3_bind_blob64(insert, columns, packed, length, free)) {
		writer->error = prof_database_error(
			writer->store->database, writer->store->name, "written");
		return false;
	}
	return insert_row(writer, table);
}

static bool write_source(struct writer *writer, size_t id)
{
	const struct prof_archived_source *source = &writer->experiment->archived_sources.items[id];
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_SOURCE];

	sqlite3_bind_int64(insert, 2, source->file);
	sqlite3_bind_int64(insert, 3, source->path);
	sqlite3_bind_int64(insert, 4, source->newer);
	return insert_packed(writer, PROF_TABLE_SOURCE, source->text);
}

static bool write_extent(struct writer *writer, size_t id)
{
	const struct prof_archived_extent *extent = &writer->experiment->archived_extents.items[id];
	const int64_t columns[] = {extent->function, extent->file, extent->first, extent->last};

	return insert_numbers(writer, PROF_TABLE_EXTENT, columns);
}

static bool write_block(struct writer *writer, size_t id)
{
	const struct prof_archived_block *block = &writer->experiment->archived_blocks.items[id];

	sqlite3_bind_int64(writer->store->insert[PROF_TABLE_BLOCK], 2, block->frame);
	return insert_packed(writer, PROF_TABLE_BLOCK, block->text);
}

/* Inserts a block of SAMPLES, which are BYTES, that are freed. */
static bool insert_block(struct writer *writer, size_t samples, unsigned char *bytes, uint32_t size)
{
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_SAMPLE_BLOCK];

	sqlite3_bind_int64(insert, 2, (int64_t)samples);
	if (sqlite3_bind_blob64(insert, 3, bytes, size, free)) {
		writer->error = prof_database_error(
			writer->store->database, writer->store->name, "written");
		return false;
	}
	return insert_row(writer, PROF_TABLE_SAMPLE_BLOCK);
}

/* In place of the tail, if that was written with the same number. */
static bool write_block_of_samples(struct writer *writer, size_t number)
{
	const struct prof_samples *samples = &writer->experiment->samples;
	const struct prof_samples_block *block = &samples->blocks.items[number];
	unsigned char *bytes = malloc(block->size);

	if (!bytes)
		writer->error = prof_error_nomem();
	else if (block->bytes)
		memcpy(bytes, block->bytes, block->size);
	else
		writer->error =
			samples->source.read(samples->source.context, number, bytes, block->size);
	if (!writer->error)
		return insert_block(writer, PROF_SAMPLES_BLOCK, bytes, block->size);
	free(bytes);
	return false;
}

/* The samples that are in no block yet are one in the file, that is written anew each time. */
static bool write_tail(struct writer *writer)
{
	const struct prof_samples *samples = &writer->experiment->samples;
	int64_t rows = writer->done.rows[PROF_TABLE_SAMPLE_BLOCK];

	if (!samples->tail.count || writer->done.sampled == samples->changes) {
		writer->done.sampled = samples->changes;
		return true;
	}
	unsigned char *bytes = malloc(prof_samples_room(samples));
	if (!bytes) {
		writer->error = prof_error_nomem();
		return false;
	}
	uint32_t size = prof_samples_pack(samples, bytes).size;
	bool written = insert_block(writer, samples->tail.count, bytes, size);
	writer->done.sampled = samples->changes;
	writer->done.rows[PROF_TABLE_SAMPLE_BLOCK] = rows;
	return written;
}

/* How an entry is written; `info` and the ranges have their own way. */
static bool (*const write_entry[PROF_TABLES])(struct writer *writer, size_t entry) = {
	[PROF_TABLE_STRING] = write_string,
	[PROF_TABLE_MODULE] = write_module,
	[PROF_TABLE_THREAD] = write_thread,
	[PROF_TABLE_FUNCTION] = write_function,
	[PROF_TABLE_FRAME] = write_frame,
	[PROF_TABLE_LOCATION] = write_locations,
	[PROF_TABLE_PATH] = write_path,
	[PROF_TABLE_MARK] = write_mark,
	[PROF_TABLE_COUNTED] = write_counted,
	[PROF_TABLE_OBJECT] = write_object,
	[PROF_TABLE_TRACED] = write_traced,
	[PROF_TABLE_ARGUMENT] = write_argument,
	[PROF_TABLE_HELD] = write_held,
	[PROF_TABLE_HEAP] = write_heap,
	[PROF_TABLE_HEAP_CLASS] = write_heap_class,
	[PROF_TABLE_OWNER] = write_owner,
	[PROF_TABLE_TRACED_LAST] = write_traced_last,
	[PROF_TABLE_EVENT] = write_event,
	[PROF_TABLE_SOURCE] = write_source,
	[PROF_TABLE_EXTENT] = write_extent,
	[PROF_TABLE_BLOCK] = write_block,
	[PROF_TABLE_COUNTER] = write_counter,
	[PROF_TABLE_SAMPLE_BLOCK] = write_block_of_samples,
	[PROF_TABLE_DATA] = write_data,
};

/* Writes the entries of TABLE again that were written before and have changed since. */
static bool rewrite(struct writer *writer, enum prof_schema_table table)
{
	int64_t rows = writer->done.rows[table];

	if (!prof_schema[table].changes || writer->experiment->changes == writer->done.changes)
		return true;
	for (size_t i = 0, end = writer->done.entries[table];; i++) {
		i = prof_store_next_changed(
			writer->experiment, table, i, end, writer->done.changes);
		if (i == end)
			break;
		/* A row's id is its entry's number. */
		writer->done.rows[table] = (int64_t)i;
		if (!write_entry[table](writer, i))
			return false;
	}
	writer->done.rows[table] = rows;
	return true;
}

static bool write_ranges(struct writer *writer)
{
	for (size_t i = 0; i < writer->experiment->modules.count; i++) {
		const struct prof_module *module = &writer->experiment->modules.items[i];
		for (size_t j = prof_store_ranges(writer->store, i); j < module->ranges.count;
			j++) {
			const struct prof_range *range = &module->ranges.items[j];
			const int64_t columns[] = {(int64_t)i, (int64_t)range->low,
				(int64_t)range->high, (int64_t)range->offset};
			if (!insert_numbers(writer, PROF_TABLE_RANGE, columns))
				return false;
		}
	}
	return true;
}

static int bind_info(sqlite3_stmt *insert, const struct prof_schema_info *info,
	const struct prof_recording *recording)
{
	const void *field = (const char *)recording + info->offset;

	switch (info->type) {
	case PROF_SCHEMA_TEXT:
		return sqlite3_bind_text(insert, 3, *(char *const *)field, -1, SQLITE_STATIC);
	case PROF_SCHEMA_TIME:
		return sqlite3_bind_int64(insert, 3, *(const int64_t *)field);
	case PROF_SCHEMA_NUMBER:
		return sqlite3_bind_int64(insert, 3, (int64_t) * (const uint64_t *)field);
	case PROF_SCHEMA_RATE:
		return sqlite3_bind_double(insert, 3, *(const double *)field);
	}
	assert(!"a type of struct prof_schema_info");
	return SQLITE_MISUSE;
}

/* Does RECORDING have something for the row INFO? */
static bool is_set(const struct prof_schema_info *info, const struct prof_recording *recording)
{
	const void *field = (const char *)recording + info->offset;

	switch (info->type) {
	case PROF_SCHEMA_TEXT:
		return **(char *const *)field;
	case PROF_SCHEMA_TIME:
	case PROF_SCHEMA_NUMBER:
		return *(const uint64_t *)field;
	case PROF_SCHEMA_RATE:
		return *(const double *)field != 0;
	}
	assert(!"a type of struct prof_schema_info");
	return false;
}

/* The file is to have all tables that get rows, and infos. */
static bool prepare_tables(struct writer *writer)
{
	for (size_t i = 0; i < prof_schema_infos; i++) {
		if (is_set(&prof_schema_info[i], &writer->experiment->recording))
			demand(writer, prof_schema_info[i].version);
	}
	for (size_t i = 0; i < PROF_TABLES; i++) {
		if (prof_store_entries(writer->experiment, (enum prof_schema_table)i))
			demand(writer, prof_schema[i].version);
	}
	if (writer->experiment->samples.count)
		demand(writer, prof_schema[PROF_TABLE_SAMPLE_BLOCK].version);
	writer->error = prof_store_tables(writer->store, writer->store->version, writer->version);
	return !writer->error;
}

/* Gives the file the version that all written so far demands. */
static bool write_version(struct writer *writer)
{
	struct prof_store *store = writer->store;
	char pragma[64];

	if (writer->version == store->version)
		return true;
	snprintf(pragma, sizeof pragma, "PRAGMA user_version=%d", writer->version);
	if (sqlite3_exec(store->database, pragma, NULL, NULL, NULL))
		writer->error = prof_database_error(store->database, store->name, "written");
	return !writer->error;
}

static bool write_infos(struct writer *writer)
{
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_INFO];

	writer->done.rows[PROF_TABLE_INFO] = 0;
	for (size_t i = 0; i < prof_schema_infos; i++) {
		const struct prof_schema_info *info = &prof_schema_info[i];
		if (info->version > writer->version)
			continue;
		int code = sqlite3_bind_text(insert, 2, info->key, -1, SQLITE_STATIC);
		if (!code)
			code = bind_info(insert, info, &writer->experiment->recording);
		if (code) {
			writer->error = prof_database_error(
				writer->store->database, writer->store->name, "written");
			return false;
		}
		if (!insert_row(writer, PROF_TABLE_INFO))
			return false;
	}
	return true;
}

static bool write_tables(struct writer *writer)
{
	if (!prepare_tables(writer))
		return false;
	for (size_t i = 0; i < PROF_TABLES; i++) {
		size_t count = prof_store_entries(writer->experiment, (enum prof_schema_table)i);
		if (!rewrite(writer, (enum prof_schema_table)i))
			return false;
		for (size_t j = writer->done.entries[i]; j < count; j++) {
			if (!write_entry[i](writer, j))
				return false;
		}
		writer->done.entries[i] = count;
	}
	writer->done.changes = writer->experiment->changes;
	return write_tail(writer) && write_ranges(writer) && write_version(writer) &&
		write_infos(writer);
}

static uint64_t count_rows(const struct writer *writer)
{
	uint64_t rows = prof_schema_infos;

	for (size_t i = 0; i < PROF_TABLES; i++)
		rows += prof_store_entries(writer->experiment, (enum prof_schema_table)i) -
			writer->done.entries[i];
	return rows;
}

static bool busy(const struct prof_store *store)
{
	return (sqlite3_errcode(store->database) & 0xff) == SQLITE_BUSY;
}

/* Takes over into the store what is in the file now. */
static void note_done(struct writer *writer)
{
	struct prof_store *store = writer->store;

	store->done = writer->done;
	store->version = writer->version;
	for (size_t i = 0; i < writer->experiment->modules.count; i++)
		store->ranges.items[i] = writer->experiment->modules.items[i].ranges.count;
	store->ranges.count = writer->experiment->modules.count;
}

struct prof_error *prof_store_write(struct prof_store *store,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	struct writer writer = {
		store, experiment, progress, .done = store->done, .version = store->version};
	size_t modules = experiment->modules.count - store->ranges.count;

	if (!prof_array_reserve(&store->ranges, modules))
		return prof_error_nomem();
	writer.total = count_rows(&writer);

	int code = sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (!code && write_tables(&writer))
		code = sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL);
	if (!code && !writer.error) {
		note_done(&writer);
		return NULL;
	}

	bool later = busy(store);
	if (!writer.error)
		writer.error = prof_database_error(store->database, store->name, "written");
	sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
	if (later) {
		prof_error_destroy(writer.error);
		writer.error = NULL;
	}
	return writer.error;
}
