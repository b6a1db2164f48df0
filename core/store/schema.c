/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/schema.h"

#include "model/experiment.h"
#include "model/single_calls.h"

#define FIELD(row, field) offsetof(row, field), sizeof(((row *)NULL)->field)

/* Columns: the NAME, and the FIELD of the struct ROW with its contents. */
#define NUMBER(name, row, field, least, most)                                            \
	{                                                                                \
		name, PROF_COLUMN_NUMBER, FIELD(row, field), 0, PROF_TABLES, least, most \
	}
#define WORD(name, row, field) NUMBER(name, row, field, INT64_MIN, INT64_MAX)
#define COUNT(name, row, field) NUMBER(name, row, field, 0, INT64_MAX)
#define SIZE(name, row, field) NUMBER(name, row, field, -1, INT64_MAX)
#define TIME(name, row, field) NUMBER(name, row, field, -PROF_TIME_MOST, PROF_TIME_MOST)
#define REFERENCE(name, row, field, table)                                     \
	{                                                                      \
		name, PROF_COLUMN_REFERENCE, FIELD(row, field), 0, table, 0, 0 \
	}
#define OPTION(name, row, field, table)                                     \
	{                                                                   \
		name, PROF_COLUMN_OPTION, FIELD(row, field), 0, table, 0, 0 \
	}
#define KNOWN(name, row, field, known)                                                            \
	{                                                                                         \
		name, PROF_COLUMN_KNOWN, FIELD(row, field), offsetof(row, known), PROF_TABLES, 0, \
			0                                                                         \
	}
#define VALUE(name, row, field, least, most)                                            \
	{                                                                               \
		name, PROF_COLUMN_VALUE, FIELD(row, field), 0, PROF_TABLES, least, most \
	}
#define TEXT(name, row, field)                                                  \
	{                                                                       \
		name, PROF_COLUMN_TEXT, FIELD(row, field), 0, PROF_TABLES, 0, 0 \
	}
#define PACKED(name, row, field)                                                  \
	{                                                                         \
		name, PROF_COLUMN_PACKED, FIELD(row, field), 0, PROF_TABLES, 0, 0 \
	}
#define OWN(name, kind)                                \
	{                                              \
		name, kind, 0, 0, 0, PROF_TABLES, 0, 0 \
	}
#define END                                                       \
	{                                                         \
		NULL, PROF_COLUMN_ANY, 0, 0, 0, PROF_TABLES, 0, 0 \
	}

static const struct prof_column info_columns[] = {
	TEXT("key", union prof_row, text),
	OWN("value", PROF_COLUMN_ANY),
	END,
};

static const struct prof_column string_columns[] = {
	TEXT("text", union prof_row, text),
	END,
};

static const struct prof_column module_columns[] = {
	REFERENCE("path", struct prof_module, path, PROF_TABLE_STRING),
	REFERENCE("build_id", struct prof_module, build_id, PROF_TABLE_STRING),
	END,
};

static const struct prof_column range_columns[] = {
	REFERENCE("module", struct prof_range_row, module, PROF_TABLE_MODULE),
	WORD("low", struct prof_range_row, range.low),
	WORD("high", struct prof_range_row, range.high),
	WORD("file_offset", struct prof_range_row, range.offset),
	END,
};

static const struct prof_column thread_columns[] = {
	WORD("tid", struct prof_thread, id),
	REFERENCE("name", struct prof_thread, name, PROF_TABLE_STRING),
	END,
};

static const struct prof_column function_columns[] = {
	REFERENCE("name", struct prof_function, name, PROF_TABLE_STRING),
	REFERENCE("module", struct prof_function, module, PROF_TABLE_MODULE),
	END,
};

static const struct prof_column frame_columns[] = {
	REFERENCE("module", struct prof_frame, module, PROF_TABLE_MODULE),
	WORD("address", struct prof_frame, address),
	END,
};

static const struct prof_column location_columns[] = {
	REFERENCE("frame", struct prof_location_row, frame, PROF_TABLE_FRAME),
	REFERENCE("function", struct prof_location_row, location.function, PROF_TABLE_FUNCTION),
	REFERENCE("file", struct prof_location_row, location.file, PROF_TABLE_STRING),
	NUMBER("line", struct prof_location_row, location.line, 0, UINT32_MAX),
	WORD("function_offset", struct prof_location_row, location.offset),
	END,
};

static const struct prof_column path_columns[] = {
	REFERENCE("parent", struct prof_path, parent, PROF_TABLE_PATH),
	REFERENCE("frame", struct prof_path, frame, PROF_TABLE_FRAME),
	END,
};

#define VALUE_OF(name, quantity) \
	VALUE(name, struct prof_old_sample_row, values[quantity], 0, INT64_MAX)
#define SPENT(name, state) VALUE_OF(name, PROF_QUANTITY_SPENT + (int)(state))

static const struct prof_column sample_columns[] = {
	TIME("time", struct prof_old_sample_row, sample.time),
	REFERENCE("thread", struct prof_old_sample_row, sample.thread, PROF_TABLE_THREAD),
	REFERENCE("path", struct prof_old_sample_row, sample.path, PROF_TABLE_PATH),
	NUMBER("state", struct prof_old_sample_row, sample.state, 0, PROF_STATE_TEXT - 1),
	VALUE_OF("samples", PROF_QUANTITY_SAMPLES),
	SPENT("user", PROF_STATE_USER),
	SPENT("system", PROF_STATE_SYSTEM),
	SPENT("runqueue", PROF_STATE_RUNQUEUE),
	SPENT("lock", PROF_STATE_LOCK),
	SPENT("fault", PROF_STATE_FAULT),
	SPENT("other", PROF_STATE_OTHER),
	END,
};

#define FIGURE(name, figure)                                                                 \
	{                                                                                    \
		name, PROF_COLUMN_FIGURE, FIELD(struct prof_mark, usage.figures[figure]), 0, \
			PROF_TABLES, PROF_USAGE_UNKNOWN, PROF_USAGE_LARGEST                  \
	}

static const struct prof_column mark_columns[] = {
	TIME("time", struct prof_mark, time),
	REFERENCE("label", struct prof_mark, label, PROF_TABLE_STRING),
	NUMBER("kind", struct prof_mark, kind, 0, PROF_MARK_KINDS - 1),
	FIGURE("running", PROF_USAGE_RUNNING),
	FIGURE("user", PROF_USAGE_USER),
	FIGURE("system", PROF_USAGE_SYSTEM),
	FIGURE("minor_faults", PROF_USAGE_MINOR),
	FIGURE("major_faults", PROF_USAGE_MAJOR),
	FIGURE("voluntary_switches", PROF_USAGE_VOLUNTARY),
	FIGURE("involuntary_switches", PROF_USAGE_INVOLUNTARY),
	FIGURE("block_input", PROF_USAGE_BLOCKS_IN),
	FIGURE("block_output", PROF_USAGE_BLOCKS_OUT),
	FIGURE("char_input", PROF_USAGE_READ),
	FIGURE("char_output", PROF_USAGE_WRITTEN),
	FIGURE("resident", PROF_USAGE_RESIDENT),
	FIGURE("peak", PROF_USAGE_PEAK),
	FIGURE("threads", PROF_USAGE_THREADS),
	END,
};

static const struct prof_column counted_columns[] = {
	TIME("time", struct prof_arc, time),
	REFERENCE("callee", struct prof_arc, callee, PROF_TABLE_FRAME),
	REFERENCE("caller", struct prof_arc, caller, PROF_TABLE_FRAME),
	COUNT("calls", struct prof_arc, calls),
	NUMBER("kind", struct prof_arc, kind, 0, PROF_ARC_KINDS - 1),
	END,
};

static const struct prof_column object_columns[] = {
	WORD("address", struct prof_object, address),
	REFERENCE("name", struct prof_object, name, PROF_TABLE_STRING),
	END,
};

#define TRACED(name, value) COUNT(name, struct prof_traced_row, values[value])

static const struct prof_column traced_columns[] = {
	REFERENCE("sample", struct prof_traced_row, sample, PROF_TABLE_SAMPLE),
	OPTION("object", struct prof_traced_row, object, PROF_TABLE_OBJECT),
	OPTION("holder", struct prof_traced_row, holder, PROF_TABLE_THREAD),
	COUNT("longest", struct prof_traced_row, longest),
	TRACED("allocations", PROF_TRACED_ALLOCATIONS),
	TRACED("bytes", PROF_TRACED_BYTES),
	TRACED("leaks", PROF_TRACED_LEAKS),
	TRACED("leaked", PROF_TRACED_LEAKED),
	TRACED("peak", PROF_TRACED_PEAK),
	TRACED("temporary", PROF_TRACED_TEMPORARY),
	TRACED("delays", PROF_TRACED_DELAYS),
	TRACED("waited", PROF_TRACED_WAITED),
	TRACED("calls", PROF_TRACED_CALLS),
	TRACED("inside", PROF_TRACED_INSIDE),
	END,
};

#define SUM(name, field) \
	VALUE(name, struct prof_argument, sum.field, -(INT64_MAX / 2), INT64_MAX / 2)

static const struct prof_column argument_columns[] = {
	REFERENCE("traced", struct prof_argument, traced, PROF_TABLE_TRACED),
	REFERENCE("name", struct prof_argument, name, PROF_TABLE_STRING),
	SUM("sum", sum),
	SUM("least", least),
	SUM("most", most),
	END,
};

static const struct prof_column held_columns[] = {
	TIME("time", struct prof_held, time),
	REFERENCE("traced", struct prof_held, traced, PROF_TABLE_TRACED),
	COUNT("blocks", struct prof_held, blocks),
	COUNT("bytes", struct prof_held, bytes),
	END,
};

static const struct prof_column heap_columns[] = {
	WORD("process", struct prof_heap_of, process),
	COUNT("peak", struct prof_heap_of, heap.peak),
	TIME("peak_time", struct prof_heap_of, heap.peak_time),
	COUNT("unmatched", struct prof_heap_of, heap.unmatched),
	SIZE("smallest", struct prof_heap_of, heap.smallest),
	COUNT("largest", struct prof_heap_of, heap.largest),
	SIZE("leak_smallest", struct prof_heap_of, heap.leak_smallest),
	COUNT("leak_largest", struct prof_heap_of, heap.leak_largest),
	END,
};

static const struct prof_column heap_class_columns[] = {
	REFERENCE("heap", struct prof_heap_class_row, heap, PROF_TABLE_HEAP),
	NUMBER("class", struct prof_heap_class_row, class, 0, PROF_HEAP_CLASSES - 1),
	COUNT("allocations", struct prof_heap_class_row, allocations),
	COUNT("leaks", struct prof_heap_class_row, leaks),
	END,
};

static const struct prof_column owner_columns[] = {
	REFERENCE("thread", struct prof_owner, thread, PROF_TABLE_THREAD),
	WORD("process", struct prof_owner, process),
	END,
};

static const struct prof_column rank_columns[] = {
	NUMBER("rank", struct prof_rank, rank, PROF_RANK_NONE, INT64_MAX),
	COUNT("size", struct prof_rank, size),
	REFERENCE("launcher", struct prof_rank, launcher, PROF_TABLE_STRING),
	REFERENCE("job", struct prof_rank, job, PROF_TABLE_STRING),
	REFERENCE("host", struct prof_rank, host, PROF_TABLE_STRING),
	REFERENCE("kernel", struct prof_rank, kernel, PROF_TABLE_STRING),
	/* These may be one past the end, so they are not references. */
	NUMBER("first_thread", struct prof_rank, first_thread, 0, UINT32_MAX),
	NUMBER("first_mark", struct prof_rank, first_mark, 0, UINT32_MAX),
	TIME("monotonic", struct prof_rank, monotonic),
	TIME("realtime", struct prof_rank, realtime),
	END,
};

static const struct prof_column cpu_columns[] = {
	NUMBER("cpu", struct prof_old_cpu_row, cpu, -1, UINT16_MAX - 1),
	END,
};

static const struct prof_column text_columns[] = {
	NUMBER("now", struct prof_old_text_row, now, 0, 1),
	VALUE("time", struct prof_old_text_row, time, 0, INT64_MAX),
	END,
};

static const struct prof_column traced_last_columns[] = {
	TIME("time", struct prof_traced_row, last),
	END,
};

#define MPI(name, value) COUNT(name, struct prof_traced_mpi_row, values[value])

static const struct prof_column traced_mpi_columns[] = {
	NUMBER("rank", struct prof_traced_mpi_row, rank, -1, INT32_MAX),
	NUMBER("peer", struct prof_traced_mpi_row, peer, -1, INT32_MAX),
	MPI("time", PROF_TRACED_MPI_TIME),
	MPI("sends", PROF_TRACED_MPI_SENDS),
	MPI("sent", PROF_TRACED_MPI_SENT),
	MPI("receives", PROF_TRACED_MPI_RECEIVES),
	MPI("received", PROF_TRACED_MPI_RECEIVED),
	MPI("other", PROF_TRACED_MPI_OTHER),
	END,
};

#define OMP(name, value) COUNT(name, struct prof_traced_omp_row, values[value])

static const struct prof_column traced_omp_columns[] = {
	OMP("regions", PROF_TRACED_OMP_REGIONS),
	OMP("inside", PROF_TRACED_OMP_INSIDE),
	OMP("explicit", PROF_TRACED_OMP_EXPLICIT),
	OMP("implicit", PROF_TRACED_OMP_IMPLICIT),
	OMP("critical", PROF_TRACED_OMP_CRITICAL),
	OMP("lock", PROF_TRACED_OMP_LOCK),
	OMP("taskwait", PROF_TRACED_OMP_TASKWAIT),
	OMP("tasks", PROF_TRACED_OMP_TASKS),
	OMP("task", PROF_TRACED_OMP_TASK),
	END,
};

static const struct prof_column traced_loop_columns[] = {
	OMP("loops", PROF_TRACED_OMP_LOOPS),
	OMP("sections", PROF_TRACED_OMP_SECTIONS),
	OMP("singles", PROF_TRACED_OMP_SINGLES),
	OMP("time", PROF_TRACED_OMP_LOOP),
	OMP("wait", PROF_TRACED_OMP_LOOP_WAIT),
	END,
};

static const struct prof_column operation_columns[] = {
	REFERENCE("sample", struct prof_mpi_operation, sample, PROF_TABLE_SAMPLE),
	REFERENCE("thread", struct prof_mpi_operation, thread, PROF_TABLE_THREAD),
	NUMBER("number", struct prof_mpi_operation, number, 0, UINT32_MAX),
	NUMBER("rank", struct prof_mpi_operation, rank, -1, INT32_MAX),
	NUMBER("peer", struct prof_mpi_operation, peer, -1, INT32_MAX),
	NUMBER("tag", struct prof_mpi_operation, tag, INT32_MIN, INT32_MAX),
	NUMBER("kind", struct prof_mpi_operation, kind, PROF_OPERATION_INIT, PROF_OPERATIONS - 1),
	WORD("comm", struct prof_mpi_operation, comm),
	COUNT("bytes", struct prof_mpi_operation, bytes),
	TIME("posted", struct prof_mpi_operation, posted),
	TIME("begin", struct prof_mpi_operation, begin),
	TIME("end", struct prof_mpi_operation, end),
	END,
};

static const struct prof_column event_columns[] = {
	REFERENCE("name", struct prof_event, name, PROF_TABLE_STRING),
	END,
};

static const struct prof_column event_sample_columns[] = {
	REFERENCE("event", struct prof_old_event_row, event, PROF_TABLE_EVENT),
	COUNT("samples", struct prof_old_event_row, samples),
	END,
};

static const struct prof_column source_columns[] = {
	REFERENCE("file", struct prof_archived_source, file, PROF_TABLE_STRING),
	REFERENCE("path", struct prof_archived_source, path, PROF_TABLE_STRING),
	NUMBER("newer", struct prof_archived_source, newer, 0,
		PROF_NEWER_RECORDING | PROF_NEWER_PROGRAM),
	PACKED("text", struct prof_archived_source, text),
	END,
};

static const struct prof_column extent_columns[] = {
	REFERENCE("function", struct prof_archived_extent, function, PROF_TABLE_FUNCTION),
	REFERENCE("file", struct prof_archived_extent, file, PROF_TABLE_STRING),
	NUMBER("first_line", struct prof_archived_extent, first, 1, UINT32_MAX - 1),
	NUMBER("last_line", struct prof_archived_extent, last, 1, UINT32_MAX - 1),
	END,
};

static const struct prof_column block_columns[] = {
	REFERENCE("frame", struct prof_archived_block, frame, PROF_TABLE_FRAME),
	PACKED("text", struct prof_archived_block, text),
	END,
};

static const struct prof_column counter_columns[] = {
	NUMBER("unit", struct prof_counter_row, unit, -1, PROF_COUNTER_UNITS - 1),
	COUNT("clock", struct prof_counter_row, event.clock),
	COUNT("interval", struct prof_counter_row, event.interval),
	COUNT("overflows", struct prof_counter_row, event.overflows),
	COUNT("lost", struct prof_counter_row, event.lost),
	END,
};

static const struct prof_column sample_block_columns[] = {
	NUMBER("samples", struct prof_old_event_row, samples, 1, PROF_SAMPLES_BLOCK),
	OWN("packed", PROF_COLUMN_BLOB),
	END,
};

static const struct prof_column call_block_columns[] = {
	NUMBER("calls", struct prof_call_block_row, calls, 1, PROF_SINGLE_CALLS_BLOCK),
	OWN("packed", PROF_COLUMN_BLOB),
	END,
};

static const struct prof_column arc_value_columns[] = {
	REFERENCE("arc", struct prof_arc_value, arc, PROF_TABLE_COUNTED),
	NUMBER("quantity", struct prof_arc_value, quantity, 0, PROF_QUANTITIES - 1),
	VALUE("value", struct prof_arc_value, value, 0, INT64_MAX),
	END,
};

static const struct prof_column data_columns[] = {
	REFERENCE("sample", struct prof_data, sample, PROF_TABLE_SAMPLE),
	NUMBER("trigger", struct prof_data, trigger, 0, PROF_TRIGGERS - 1),
	NUMBER("access", struct prof_data, access, 0, PROF_ACCESSES - 1),
	NUMBER("skid", struct prof_data, skid, 0, PROF_TRIGGER_REACH),
	KNOWN("address", struct prof_data, address, addressed),
	END,
};

static const struct prof_column gmon_columns[] = {
	NUMBER("word", struct prof_gmon_row, word, 4, 8),
	NUMBER("big_endian", struct prof_gmon_row, big_endian, 0, 1),
	NUMBER("rate", struct prof_gmon_row, rate, 0, UINT32_MAX),
	TEXT("dimension", struct prof_gmon_row, dimension),
	TEXT("unit", struct prof_gmon_row, unit),
	END,
};

static const struct prof_column gmon_histogram_columns[] = {
	WORD("low", struct prof_histogram, low),
	WORD("high", struct prof_histogram, high),
	NUMBER("parts", struct prof_histogram, parts, 1, UINT32_MAX),
	END,
};

static const struct prof_column gmon_bin_columns[] = {
	REFERENCE("histogram", struct prof_bin, histogram, PROF_TABLE_GMON_HISTOGRAM),
	NUMBER("part", struct prof_bin, part, 0, UINT32_MAX),
	NUMBER("ticks", struct prof_bin, samples, 1, UINT32_MAX),
	END,
};

static const struct prof_column gmon_arc_columns[] = {
	WORD("caller", struct prof_gmon_arc, from),
	WORD("callee", struct prof_gmon_arc, to),
	NUMBER("calls", struct prof_gmon_arc, calls, 0, UINT32_MAX),
	END,
};

#define SYMBOL_COLUMNS                                                                            \
	WORD("low", struct prof_image_symbol, low), WORD("high", struct prof_image_symbol, high), \
		REFERENCE("name", struct prof_image_symbol, name, PROF_TABLE_STRING),             \
		OPTION("file", struct prof_image_symbol, file, PROF_TABLE_STRING),                \
		NUMBER("line", struct prof_image_symbol, line, 0, UINT32_MAX),                    \
		NUMBER("local", struct prof_image_symbol, local, 0, 1),                           \
		NUMBER("marked", struct prof_image_symbol, marked, 0, 1)

static const struct prof_column gmon_symbol_columns[] = {
	SYMBOL_COLUMNS,
	REFERENCE("function", struct prof_image_symbol, function, PROF_TABLE_FUNCTION),
	END,
};

static const struct prof_column gmon_line_columns[] = {
	SYMBOL_COLUMNS,
	END,
};

static const struct prof_column call_target_columns[] = {
	REFERENCE("frame", struct prof_call_target, frame, PROF_TABLE_FRAME),
	REFERENCE("name", struct prof_call_target, name, PROF_TABLE_STRING),
	END,
};

/* Where an experiment keeps the rows of a table: its ARRAY, of the struct ROW. */
#define ROWS(array, row)                               \
	offsetof(struct prof_experiment, array.items), \
		offsetof(struct prof_experiment, array.count), sizeof(row)
/* The experiment only knows how many there are; prof_store_row() makes the rows. */
#define MADE(count) 0, offsetof(struct prof_experiment, count), 0
#define NOWHERE 0, 0, 0
#define IN_EXPERIMENT(field) offsetof(struct prof_experiment, field)

/*
 * A table that files have must stay as it is: any change of a column needs a new
 * PROF_SCHEMA_OLDEST.
 */
const struct prof_schema prof_schema[PROF_TABLES] = {
	[PROF_TABLE_INFO] = {"info", 3, true, info_columns, NOWHERE, 0, 0},
	[PROF_TABLE_STRING] = {"string", 3, false, string_columns, ROWS(strings.texts, char *), 0,
		0},
	[PROF_TABLE_MODULE] = {"module", 3, false, module_columns,
		ROWS(modules, struct prof_module), 0, 0},
	[PROF_TABLE_RANGE] = {"module_range", 3, false, range_columns, NOWHERE, 0, 0},
	[PROF_TABLE_THREAD] = {"thread", 3, true, thread_columns, MADE(threads.count), 0,
		IN_EXPERIMENT(thread_changes)},
	[PROF_TABLE_FUNCTION] = {"function", 3, false, function_columns,
		ROWS(functions, struct prof_function), 0, 0},
	[PROF_TABLE_FRAME] = {"frame", 3, false, frame_columns, ROWS(frames, struct prof_frame), 0,
		0},
	[PROF_TABLE_LOCATION] = {"location", 3, false, location_columns, MADE(resolved.count), 0,
		0},
	[PROF_TABLE_PATH] = {"path", 3, false, path_columns, ROWS(paths, struct prof_path), 0, 0},
	[PROF_TABLE_SAMPLE] = {"sample", 3, false, sample_columns, NOWHERE, 0, 0},
	[PROF_TABLE_MARK] = {"mark", 3, false, mark_columns, ROWS(marks, struct prof_mark), 0, 0},
	[PROF_TABLE_COUNTED] = {"counted", 5, false, counted_columns, ROWS(arcs, struct prof_arc),
		0, 0},
	[PROF_TABLE_OBJECT] = {"object", 6, true, object_columns, ROWS(objects, struct prof_object),
		offsetof(struct prof_object, changed), IN_EXPERIMENT(object_changes)},
	[PROF_TABLE_TRACED] = {"traced", 6, true, traced_columns, MADE(traced.count), 0,
		IN_EXPERIMENT(traced.changes)},
	[PROF_TABLE_ARGUMENT] = {"argument", 6, true, argument_columns,
		ROWS(arguments, struct prof_argument), 0, IN_EXPERIMENT(argument_changes)},
	[PROF_TABLE_HELD] = {"held", 6, false, held_columns, ROWS(held, struct prof_held), 0, 0},
	[PROF_TABLE_HEAP] = {"heap", 6, true, heap_columns, ROWS(heaps, struct prof_heap_of),
		offsetof(struct prof_heap_of, changed), 0},
	[PROF_TABLE_HEAP_CLASS] = {"heap_class", 6, true, heap_class_columns, MADE(heaps.count), 0,
		0},
	[PROF_TABLE_OWNER] = {"owner", 7, false, owner_columns, MADE(owners.count), 0, 0},
	[PROF_TABLE_CPU] = {"cpu", 7, false, cpu_columns, NOWHERE, 0, 0},
	[PROF_TABLE_TEXT] = {"text_fault", 7, false, text_columns, NOWHERE, 0, 0},
	[PROF_TABLE_TRACED_LAST] = {"traced_last", 7, true, traced_last_columns, MADE(traced.count),
		0, IN_EXPERIMENT(traced.changes)},
	[PROF_TABLE_EVENT] = {"event", 7, false, event_columns, ROWS(events, struct prof_event), 0,
		0},
	[PROF_TABLE_EVENT_SAMPLE] = {"event_sample", 7, false, event_sample_columns, NOWHERE, 0, 0},
	[PROF_TABLE_SOURCE] = {"archived_source", 7, false, source_columns,
		ROWS(archived_sources, struct prof_archived_source), 0, 0},
	[PROF_TABLE_EXTENT] = {"archived_extent", 7, false, extent_columns,
		ROWS(archived_extents, struct prof_archived_extent), 0, 0},
	[PROF_TABLE_BLOCK] = {"archived_block", 7, false, block_columns,
		ROWS(archived_blocks, struct prof_archived_block), 0, 0},
	[PROF_TABLE_COUNTER] = {"counter", 8, true, counter_columns, MADE(events.count), 0, 0},
	[PROF_TABLE_SAMPLE_BLOCK] = {"sample_block", 9, true, sample_block_columns,
		MADE(samples.blocks.count), 0, 0},
	[PROF_TABLE_DATA] = {"data", 10, false, data_columns, ROWS(data, struct prof_data), 0, 0},
	[PROF_TABLE_ARC_VALUE] = {"arc_value", 12, false, arc_value_columns,
		ROWS(arc_values, struct prof_arc_value), 0, 0},
	[PROF_TABLE_GMON] = {"gmon", 13, false, gmon_columns, NOWHERE, 0, 0},
	[PROF_TABLE_GMON_HISTOGRAM] = {"gmon_histogram", 13, false, gmon_histogram_columns,
		ROWS(gmon.histograms, struct prof_histogram), 0, 0},
	[PROF_TABLE_GMON_BIN] = {"gmon_bin", 13, false, gmon_bin_columns,
		ROWS(gmon.bins, struct prof_bin), 0, 0},
	[PROF_TABLE_GMON_ARC] = {"gmon_arc", 13, false, gmon_arc_columns,
		ROWS(gmon.arcs, struct prof_gmon_arc), 0, 0},
	[PROF_TABLE_GMON_SYMBOL] = {"gmon_symbol", 13, false, gmon_symbol_columns,
		ROWS(gmon.functions, struct prof_image_symbol), 0, 0},
	[PROF_TABLE_GMON_LINE] = {"gmon_line", 13, false, gmon_line_columns,
		ROWS(gmon.lines, struct prof_image_symbol), 0, 0},
	[PROF_TABLE_CALL_TARGET] = {"call_target", 14, false, call_target_columns,
		ROWS(call_targets, struct prof_call_target), 0, 0},
	[PROF_TABLE_RANK] = {"rank", 14, false, rank_columns, ROWS(ranks, struct prof_rank), 0, 0},
	[PROF_TABLE_TRACED_MPI] = {"traced_mpi", 14, true, traced_mpi_columns, MADE(traced.mpi), 0,
		IN_EXPERIMENT(traced.changes)},
	[PROF_TABLE_OPERATION] = {"operation", 15, false, operation_columns,
		ROWS(operations, struct prof_mpi_operation), 0, 0},
	[PROF_TABLE_TRACED_OMP] = {"traced_omp", 18, true, traced_omp_columns, MADE(traced.omp), 0,
		IN_EXPERIMENT(traced.changes)},
	[PROF_TABLE_TRACED_LOOP] = {"traced_loop", 19, true, traced_loop_columns,
		MADE(traced.loops), 0, IN_EXPERIMENT(traced.changes)},
	[PROF_TABLE_CALL_BLOCK] = {"call_block", 20, true, call_block_columns, MADE(calls.count), 0,
		0},
};
