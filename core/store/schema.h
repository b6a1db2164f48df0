/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The schema of an experiment's file: by what it is known, and its tables.
 *
 * Every table has one row per entry of the experiment's table of the same name; `id` is its number
 * there, counted without gaps.  Path 0, the empty stack, has no row.  The table `info` has a row
 * for each of prof_recording_fields, of as many as the file's version has: the others are 0.
 *
 * A file has the oldest version that can hold what is in it, so that older readers refuse, by its
 * number, only what they would take for damaged.  Version 4 adds to version 3
 *
 * - the rows of `info` that are of that version;
 * - frames without an address whose location has a file or a line;
 *
 * version 5 its rows of `info`, and the table `counted`; version 6, of what was traced, its rows of
 * `info`, and its tables; and version 7, of several processes or of threads that were not watched,
 * its row of `info`, and of these, of CPUs, of waits for pages of code, of when traced events were,
 * of several events that perf has sampled, and with an archive, its tables; and version 8, of
 * counters, the table `counter`.  It has a row for each of `event`, as far as the last counter; the
 * `unit` of those that are no counters is -1.  Version 10 adds, of accesses to memory, the table
 * `data`; version 11, of short runs on a CPU, its row of `info`; version 12, of files of callgrind,
 * the table `arc_value`, and in `counted` the kinds of calls that have a cost; version 13, of a
 * gmon.out and the symbols of its program, the tables `gmon...`; and version 14, of parallel
 * programs, the tables `call_target`, `rank` and `traced_mpi`, and of MPI its row of `info`.  The
 * table `traced_mpi` has a row for each of `traced`, as far as the last one of MPI; a rank that is
 * not known is -1.  Version 15 adds, of what was traced of MPI, the table `operation`; and
 * version 16, of operations that were lost, its row of `info`; and version 17, of clocks that were
 * moved, its row of `info`.  Version 18 adds, of what was traced of OpenMP, the table `traced_omp`,
 * as far as the last row of `traced` of it; version 19, of its loops, the table `traced_loop`,
 * likewise; and version 20, of single calls, the table `call_block`, packed as model/single_calls.h
 * says.  The `quantity` of an `arc_value` is the number of the bit that the value has in the mask
 * of a packed sample.
 *
 * Up to version 8 each sample has a row in `sample`, and what was added later in `cpu`,
 * `text_fault` and `event_sample`, under the same id.  Version 9 has none there: a row of
 * `sample_block` has PROF_SAMPLES_BLOCK samples, the last one perhaps less, packed as
 * model/sample_row.h says.  A sample takes 10 to 20 bytes so, and is read in as many ns.
 *
 * A text of the archive is packed by zlib unless it has as many bytes as its `size`.
 */
#ifndef PROF_STORE_SCHEMA_H
#define PROF_STORE_SCHEMA_H

#include "base/text.h"
#include "model/experiment.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	PROF_SCHEMA_APPLICATION = 0x67646270, /* "gdbp": PRAGMA application_id */
	PROF_SCHEMA_OLDEST = 3,               /* that is read: of PRAGMA user_version */
	PROF_SCHEMA_VERSION = 20,             /* the newest */
};

/* A table's rows refer to those of earlier tables, or to earlier rows of their own. */
enum prof_schema_table {
	PROF_TABLE_INFO,
	PROF_TABLE_STRING,
	PROF_TABLE_MODULE,
	PROF_TABLE_RANGE,
	PROF_TABLE_THREAD,
	PROF_TABLE_FUNCTION,
	PROF_TABLE_FRAME,
	PROF_TABLE_LOCATION,
	PROF_TABLE_PATH,
	PROF_TABLE_SAMPLE,
	PROF_TABLE_MARK,
	PROF_TABLE_COUNTED,
	PROF_TABLE_OBJECT,
	PROF_TABLE_TRACED,
	PROF_TABLE_ARGUMENT,
	PROF_TABLE_HELD,
	PROF_TABLE_HEAP,
	PROF_TABLE_HEAP_CLASS, /* PROF_HEAP_CLASSES rows for each of the table before */
	PROF_TABLE_OWNER,
	PROF_TABLE_CPU,         /* of each sample; none where no CPU is known */
	PROF_TABLE_TEXT,        /* of each sample; none where none waited for code */
	PROF_TABLE_TRACED_LAST, /* a row for each of PROF_TABLE_TRACED */
	PROF_TABLE_EVENT,
	PROF_TABLE_EVENT_SAMPLE,
	PROF_TABLE_SOURCE,
	PROF_TABLE_EXTENT,
	PROF_TABLE_BLOCK,
	PROF_TABLE_COUNTER,
	PROF_TABLE_SAMPLE_BLOCK, /* in place of PROF_TABLE_SAMPLE, and read after it */
	PROF_TABLE_DATA,
	PROF_TABLE_ARC_VALUE,
	PROF_TABLE_GMON, /* one row; none: there is no gmon.out, and no rows of the next tables */
	PROF_TABLE_GMON_HISTOGRAM,
	PROF_TABLE_GMON_BIN,
	PROF_TABLE_GMON_ARC,
	PROF_TABLE_GMON_SYMBOL,
	PROF_TABLE_GMON_LINE,
	PROF_TABLE_CALL_TARGET,
	PROF_TABLE_RANK,
	PROF_TABLE_TRACED_MPI,
	PROF_TABLE_OPERATION,
	PROF_TABLE_TRACED_OMP,
	PROF_TABLE_TRACED_LOOP,
	PROF_TABLE_CALL_BLOCK,
	PROF_TABLES,
};

/* The quantities with columns in the table of samples: all but that of PROF_STATE_TEXT. */
enum { PROF_SCHEMA_QUANTITIES = PROF_QUANTITY_SPENT + PROF_STATE_TEXT };

enum { PROF_TABLE_COLUMNS = 19 }; /* of the widest table, the id included */

/* What a column holds; unless it says otherwise, never NULL. */
enum prof_column_kind {
	PROF_COLUMN_NUMBER, /* an integer from LEAST to MOST */
	PROF_COLUMN_FIGURE, /* the same; PROF_USAGE_UNKNOWN, which is LEAST, if it is not known */
	PROF_COLUMN_REFERENCE, /* the number of an entry of TABLE */
	PROF_COLUMN_OPTION,    /* such a number; NULL where the field is PROF_NONE */
	PROF_COLUMN_KNOWN,     /* 64 bits; NULL where the bool KNOWN of the row is false */
	/* A prof_value in two columns: NAME, whole units from LEAST to MOST, and NAME_millionths.
	 */
	PROF_COLUMN_VALUE,
	PROF_COLUMN_TEXT, /* a string */
	/* A string in two columns: "size", its bytes, and NAME, the same bytes as they are stored:
	   see prof_archive_pack(). */
	PROF_COLUMN_PACKED,
	PROF_COLUMN_BLOB, /* no field: the table's own code reads and writes it */
	PROF_COLUMN_ANY,  /* the same, of any type */
};

/* A column, and the field that holds it in a row of the table as the program has it. */
struct prof_column {
	const char *name;
	enum prof_column_kind kind;
	uint16_t offset, size; /* bytes: the field in the row */
	uint16_t known;        /* bytes: where in the row the bool is */
	enum prof_schema_table table;
	int64_t least, most;
};

/*
 * The tables.  All that creates, writes, reads, checks and dumps a file follows them.
 *
 * ITEMS, COUNT, CHANGED and CHANGES are offsets: an array of struct prof_experiment and its length,
 * the number of a row's last change in the row, and the table's prof_row_changes in the experiment.
 * 0 is none of them, as each has something else in front.
 */
extern const struct prof_schema {
	const char *name;
	int version;                       /* the first that has it */
	bool changes;                      /* its rows may be written again */
	const struct prof_column *columns; /* all but the id; the last one has no name */
	size_t items, count;
	size_t size; /* bytes of a row in the array */
	size_t changed, row_changes;
} prof_schema[PROF_TABLES];

/* The rows of tables whose entries are no structs of the model. */
struct prof_range_row {
	uint32_t module;
	struct prof_range range;
};

struct prof_location_row {
	uint32_t frame;
	struct prof_location location;
};

struct prof_old_sample_row {
	struct prof_sample sample;
	prof_value values[PROF_SCHEMA_QUANTITIES];
};

struct prof_heap_class_row {
	uint32_t heap;
	int64_t class, allocations, leaks;
};

struct prof_traced_mpi_row {
	int64_t rank, peer; /* -1: not known, or no messages */
	int64_t values[PROF_TRACED_VALUES];
};

struct prof_traced_omp_row {
	int64_t values[PROF_TRACED_VALUES];
};

struct prof_old_cpu_row {
	int64_t cpu; /* -1: not known */
};

struct prof_old_text_row {
	int64_t now;
	prof_value time;
};

struct prof_old_event_row {
	uint32_t event;
	int64_t samples;
};

struct prof_counter_row {
	struct prof_event event;
	int64_t unit; /* -1: it is no counter */
};

struct prof_call_block_row {
	int64_t calls;
};

struct prof_gmon_row {
	uint32_t word, rate;
	bool big_endian;
	const char *dimension, *unit; /* borrowed */
};

/* A row of any table. */
union prof_row {
	const char *text; /* of `string`, and the key of `info` */
	struct prof_module module;
	struct prof_range_row range;
	struct prof_thread thread;
	struct prof_function function;
	struct prof_frame frame;
	struct prof_location_row location;
	struct prof_path path;
	struct prof_old_sample_row sample;
	struct prof_mark mark;
	struct prof_arc counted;
	struct prof_object object;
	struct prof_traced_row traced; /* of `traced_last` too */
	struct prof_traced_mpi_row traced_mpi;
	struct prof_traced_omp_row traced_omp;
	struct prof_argument argument;
	struct prof_held held;
	struct prof_heap_of heap;
	struct prof_heap_class_row heap_class;
	struct prof_owner owner;
	struct prof_old_cpu_row cpu;
	struct prof_old_text_row text_fault;
	struct prof_event event;
	struct prof_old_event_row event_sample;
	struct prof_archived_source source;
	struct prof_archived_extent extent;
	struct prof_archived_block block;
	struct prof_counter_row counter;
	struct prof_data data;
	struct prof_arc_value arc_value;
	struct prof_gmon_row gmon;
	struct prof_histogram gmon_histogram;
	struct prof_bin gmon_bin;
	struct prof_gmon_arc gmon_arc;
	struct prof_call_target call_target;
	struct prof_image_symbol gmon_symbol; /* of `gmon_line` too */
	struct prof_rank rank;
	struct prof_mpi_operation operation;
	struct prof_call_block_row call_block;
};

/* The integer that ROW has in COLUMN, which is a number, a reference, an option or one that is
 * known.
 */
int64_t prof_column_integer(const struct prof_column *column, const void *row);

/* How many columns SCHEMA has, the id included. */
int prof_schema_columns(const struct prof_schema *schema);

/*
 * Adds to SQL the statement that makes the table SCHEMA.  SQLite before 3.37 needs one that is not
 * STRICT: it does not check the types of values, but keeps those of ours.
 */
void prof_schema_print(const struct prof_schema *schema, bool strict, struct prof_text *sql);

/* Adds to SQL the statement that inserts a row into the table SCHEMA. */
void prof_schema_print_insert(const struct prof_schema *schema, struct prof_text *sql);

#endif
