/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statements of SQL that follow from the table of columns, and that old files hold. */
#include "suite.h"

#include "model/usage.h"
#include "store/schema.h"

/* What files of all versions hold, to the letter: it must stay as it is, or they cannot be read. */
static const struct {
	const char *sql;
	int columns, version;
} tables[PROF_TABLES] = {
	{"CREATE TABLE info (id INTEGER PRIMARY KEY, key TEXT NOT NULL, "
	 "value ANY NOT NULL) STRICT",
		3, 3},
	{"CREATE TABLE string (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT", 2, 3},
	{"CREATE TABLE module (id INTEGER PRIMARY KEY, "
	 "path INTEGER NOT NULL REFERENCES string, "
	 "build_id INTEGER NOT NULL REFERENCES string) STRICT",
		3, 3},
	{"CREATE TABLE module_range (id INTEGER PRIMARY KEY, "
	 "module INTEGER NOT NULL REFERENCES module, low INTEGER NOT NULL, "
	 "high INTEGER NOT NULL, file_offset INTEGER NOT NULL) STRICT",
		5, 3},
	{"CREATE TABLE thread (id INTEGER PRIMARY KEY, tid INTEGER NOT NULL, "
	 "name INTEGER NOT NULL REFERENCES string) STRICT",
		3, 3},
	{"CREATE TABLE function (id INTEGER PRIMARY KEY, "
	 "name INTEGER NOT NULL REFERENCES string, "
	 "module INTEGER NOT NULL REFERENCES module) STRICT",
		3, 3},
	{"CREATE TABLE frame (id INTEGER PRIMARY KEY, "
	 "module INTEGER NOT NULL REFERENCES module, address INTEGER NOT NULL) STRICT",
		3, 3},
	{"CREATE TABLE location (id INTEGER PRIMARY KEY, "
	 "frame INTEGER NOT NULL REFERENCES frame, "
	 "function INTEGER NOT NULL REFERENCES function, "
	 "file INTEGER NOT NULL REFERENCES string, line INTEGER NOT NULL, "
	 "function_offset INTEGER NOT NULL) STRICT",
		6, 3},
	{"CREATE TABLE path (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, "
	 "frame INTEGER NOT NULL REFERENCES frame) STRICT",
		3, 3},
	{"CREATE TABLE sample (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, "
	 "thread INTEGER NOT NULL REFERENCES thread, path INTEGER NOT NULL, "
	 "state INTEGER NOT NULL, samples INTEGER NOT NULL, "
	 "samples_millionths INTEGER NOT NULL, user INTEGER NOT NULL, "
	 "user_millionths INTEGER NOT NULL, system INTEGER NOT NULL, "
	 "system_millionths INTEGER NOT NULL, runqueue INTEGER NOT NULL, "
	 "runqueue_millionths INTEGER NOT NULL, lock INTEGER NOT NULL, "
	 "lock_millionths INTEGER NOT NULL, fault INTEGER NOT NULL, "
	 "fault_millionths INTEGER NOT NULL, other INTEGER NOT NULL, "
	 "other_millionths INTEGER NOT NULL) STRICT",
		19, 3},
	{"CREATE TABLE mark (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, "
	 "label INTEGER NOT NULL REFERENCES string, kind INTEGER NOT NULL, "
	 "running INTEGER NOT NULL, user INTEGER NOT NULL, system INTEGER NOT NULL, "
	 "minor_faults INTEGER NOT NULL, major_faults INTEGER NOT NULL, "
	 "voluntary_switches INTEGER NOT NULL, involuntary_switches INTEGER NOT NULL, "
	 "block_input INTEGER NOT NULL, block_output INTEGER NOT NULL, "
	 "char_input INTEGER NOT NULL, char_output INTEGER NOT NULL, "
	 "resident INTEGER NOT NULL, peak INTEGER NOT NULL, "
	 "threads INTEGER NOT NULL) STRICT",
		18, 3},
	{"CREATE TABLE counted (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, "
	 "callee INTEGER NOT NULL REFERENCES frame, "
	 "caller INTEGER NOT NULL REFERENCES frame, calls INTEGER NOT NULL, "
	 "kind INTEGER NOT NULL) STRICT",
		6, 5},
	{"CREATE TABLE object (id INTEGER PRIMARY KEY, address INTEGER NOT NULL, "
	 "name INTEGER NOT NULL REFERENCES string) STRICT",
		3, 6},
	{"CREATE TABLE traced (id INTEGER PRIMARY KEY, "
	 "sample INTEGER NOT NULL REFERENCES sample, object INTEGER REFERENCES object, "
	 "holder INTEGER REFERENCES thread, longest INTEGER NOT NULL, "
	 "allocations INTEGER NOT NULL, bytes INTEGER NOT NULL, leaks INTEGER NOT NULL, "
	 "leaked INTEGER NOT NULL, peak INTEGER NOT NULL, temporary INTEGER NOT NULL, "
	 "delays INTEGER NOT NULL, waited INTEGER NOT NULL, calls INTEGER NOT NULL, "
	 "inside INTEGER NOT NULL) STRICT",
		15, 6},
	{"CREATE TABLE argument (id INTEGER PRIMARY KEY, "
	 "traced INTEGER NOT NULL REFERENCES traced, "
	 "name INTEGER NOT NULL REFERENCES string, sum INTEGER NOT NULL, "
	 "sum_millionths INTEGER NOT NULL, least INTEGER NOT NULL, "
	 "least_millionths INTEGER NOT NULL, most INTEGER NOT NULL, "
	 "most_millionths INTEGER NOT NULL) STRICT",
		9, 6},
	{"CREATE TABLE held (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, "
	 "traced INTEGER NOT NULL REFERENCES traced, blocks INTEGER NOT NULL, "
	 "bytes INTEGER NOT NULL) STRICT",
		5, 6},
	{"CREATE TABLE heap (id INTEGER PRIMARY KEY, process INTEGER NOT NULL, "
	 "peak INTEGER NOT NULL, peak_time INTEGER NOT NULL, "
	 "unmatched INTEGER NOT NULL, smallest INTEGER NOT NULL, "
	 "largest INTEGER NOT NULL, leak_smallest INTEGER NOT NULL, "
	 "leak_largest INTEGER NOT NULL) STRICT",
		9, 6},
	{"CREATE TABLE heap_class (id INTEGER PRIMARY KEY, "
	 "heap INTEGER NOT NULL REFERENCES heap, class INTEGER NOT NULL, "
	 "allocations INTEGER NOT NULL, leaks INTEGER NOT NULL) STRICT",
		5, 6},
	{"CREATE TABLE owner (id INTEGER PRIMARY KEY, "
	 "thread INTEGER NOT NULL REFERENCES thread, process INTEGER NOT NULL) STRICT",
		3, 7},
	{"CREATE TABLE cpu (id INTEGER PRIMARY KEY, cpu INTEGER NOT NULL) STRICT", 2, 7},
	{"CREATE TABLE text_fault (id INTEGER PRIMARY KEY, now INTEGER NOT NULL, "
	 "time INTEGER NOT NULL, time_millionths INTEGER NOT NULL) STRICT",
		4, 7},
	{"CREATE TABLE traced_last (id INTEGER PRIMARY KEY, "
	 "time INTEGER NOT NULL) STRICT",
		2, 7},
	{"CREATE TABLE event (id INTEGER PRIMARY KEY, "
	 "name INTEGER NOT NULL REFERENCES string) STRICT",
		2, 7},
	{"CREATE TABLE event_sample (id INTEGER PRIMARY KEY, "
	 "event INTEGER NOT NULL REFERENCES event, samples INTEGER NOT NULL) STRICT",
		3, 7},
	{"CREATE TABLE archived_source (id INTEGER PRIMARY KEY, "
	 "file INTEGER NOT NULL REFERENCES string, "
	 "path INTEGER NOT NULL REFERENCES string, newer INTEGER NOT NULL, "
	 "size INTEGER NOT NULL, text BLOB NOT NULL) STRICT",
		6, 7},
	{"CREATE TABLE archived_extent (id INTEGER PRIMARY KEY, "
	 "function INTEGER NOT NULL REFERENCES function, "
	 "file INTEGER NOT NULL REFERENCES string, first_line INTEGER NOT NULL, "
	 "last_line INTEGER NOT NULL) STRICT",
		5, 7},
	{"CREATE TABLE archived_block (id INTEGER PRIMARY KEY, "
	 "frame INTEGER NOT NULL REFERENCES frame, size INTEGER NOT NULL, "
	 "text BLOB NOT NULL) STRICT",
		4, 7},
	{"CREATE TABLE counter (id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, "
	 "clock INTEGER NOT NULL, interval INTEGER NOT NULL, "
	 "overflows INTEGER NOT NULL, lost INTEGER NOT NULL) STRICT",
		6, 8},
	{"CREATE TABLE sample_block (id INTEGER PRIMARY KEY, samples INTEGER NOT NULL, "
	 "packed BLOB NOT NULL) STRICT",
		3, 9},
	{"CREATE TABLE data (id INTEGER PRIMARY KEY, "
	 "sample INTEGER NOT NULL REFERENCES sample, trigger INTEGER NOT NULL, "
	 "access INTEGER NOT NULL, skid INTEGER NOT NULL, address INTEGER) STRICT",
		6, 10},
	{"CREATE TABLE arc_value (id INTEGER PRIMARY KEY, "
	 "arc INTEGER NOT NULL REFERENCES counted, quantity INTEGER NOT NULL, "
	 "value INTEGER NOT NULL, value_millionths INTEGER NOT NULL) STRICT",
		5, 12},
	{"CREATE TABLE gmon (id INTEGER PRIMARY KEY, word INTEGER NOT NULL, "
	 "big_endian INTEGER NOT NULL, rate INTEGER NOT NULL, "
	 "dimension TEXT NOT NULL, unit TEXT NOT NULL) STRICT",
		6, 13},
	{"CREATE TABLE gmon_histogram (id INTEGER PRIMARY KEY, low INTEGER NOT NULL, "
	 "high INTEGER NOT NULL, parts INTEGER NOT NULL) STRICT",
		4, 13},
	{"CREATE TABLE gmon_bin (id INTEGER PRIMARY KEY, "
	 "histogram INTEGER NOT NULL REFERENCES gmon_histogram, "
	 "part INTEGER NOT NULL, ticks INTEGER NOT NULL) STRICT",
		4, 13},
	{"CREATE TABLE gmon_arc (id INTEGER PRIMARY KEY, caller INTEGER NOT NULL, "
	 "callee INTEGER NOT NULL, calls INTEGER NOT NULL) STRICT",
		4, 13},
	{"CREATE TABLE gmon_symbol (id INTEGER PRIMARY KEY, low INTEGER NOT NULL, "
	 "high INTEGER NOT NULL, name INTEGER NOT NULL REFERENCES string, "
	 "file INTEGER REFERENCES string, line INTEGER NOT NULL, "
	 "local INTEGER NOT NULL, marked INTEGER NOT NULL, "
	 "function INTEGER NOT NULL REFERENCES function) STRICT",
		9, 13},
	{"CREATE TABLE gmon_line (id INTEGER PRIMARY KEY, low INTEGER NOT NULL, "
	 "high INTEGER NOT NULL, name INTEGER NOT NULL REFERENCES string, "
	 "file INTEGER REFERENCES string, line INTEGER NOT NULL, "
	 "local INTEGER NOT NULL, marked INTEGER NOT NULL) STRICT",
		8, 13},
	{"CREATE TABLE call_target (id INTEGER PRIMARY KEY, "
	 "frame INTEGER NOT NULL REFERENCES frame, "
	 "name INTEGER NOT NULL REFERENCES string) STRICT",
		3, 14},
	{"CREATE TABLE rank (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, "
	 "size INTEGER NOT NULL, launcher INTEGER NOT NULL REFERENCES string, "
	 "job INTEGER NOT NULL REFERENCES string, host INTEGER NOT NULL REFERENCES string, "
	 "kernel INTEGER NOT NULL REFERENCES string, first_thread INTEGER NOT NULL, "
	 "first_mark INTEGER NOT NULL, monotonic INTEGER NOT NULL, realtime INTEGER NOT NULL) STRICT",
		11, 14},
	{"CREATE TABLE traced_mpi (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, "
	 "peer INTEGER NOT NULL, time INTEGER NOT NULL, sends INTEGER NOT NULL, "
	 "sent INTEGER NOT NULL, receives INTEGER NOT NULL, received INTEGER NOT NULL, "
	 "other INTEGER NOT NULL) STRICT",
		9, 14},
	{"CREATE TABLE operation (id INTEGER PRIMARY KEY, "
	 "sample INTEGER NOT NULL REFERENCES sample, "
	 "thread INTEGER NOT NULL REFERENCES thread, number INTEGER NOT NULL, "
	 "rank INTEGER NOT NULL, peer INTEGER NOT NULL, tag INTEGER NOT NULL, "
	 "kind INTEGER NOT NULL, comm INTEGER NOT NULL, bytes INTEGER NOT NULL, "
	 "posted INTEGER NOT NULL, begin INTEGER NOT NULL, end INTEGER NOT NULL) STRICT",
		13, 15},
	{"CREATE TABLE traced_omp (id INTEGER PRIMARY KEY, regions INTEGER NOT NULL, "
	 "inside INTEGER NOT NULL, explicit INTEGER NOT NULL, implicit INTEGER NOT NULL, "
	 "critical INTEGER NOT NULL, lock INTEGER NOT NULL, taskwait INTEGER NOT NULL, "
	 "tasks INTEGER NOT NULL, task INTEGER NOT NULL) STRICT",
		10, 18},
	{"CREATE TABLE traced_loop (id INTEGER PRIMARY KEY, loops INTEGER NOT NULL, "
	 "sections INTEGER NOT NULL, singles INTEGER NOT NULL, time INTEGER NOT NULL, "
	 "wait INTEGER NOT NULL) STRICT",
		6, 19},
	{"CREATE TABLE call_block (id INTEGER PRIMARY KEY, calls INTEGER NOT NULL, "
	 "packed BLOB NOT NULL) STRICT",
		3, 20},
};

START_TEST(tables_are_made_as_ever)
{
	for (int i = 0; i < PROF_TABLES; i++) {
		AUTO_TEXT struct prof_text sql = {0};
		prof_schema_print(&prof_schema[i], true, &sql);
		ck_assert_str_eq(prof_text_get(&sql), tables[i].sql);
		ck_assert_int_eq(prof_schema[i].version, tables[i].version);
	}
}
END_TEST

/* Before SQLite 3.37. */
START_TEST(tables_that_are_not_strict_have_no_type_any)
{
	AUTO_TEXT struct prof_text info = {0}, string = {0};

	prof_schema_print(&prof_schema[PROF_TABLE_INFO], false, &info);
	ck_assert_str_eq(prof_text_get(&info),
		"CREATE TABLE info (id INTEGER PRIMARY KEY, key TEXT NOT NULL, value BLOB NOT NULL)");
	prof_schema_print(&prof_schema[PROF_TABLE_STRING], false, &string);
	ck_assert_str_eq(prof_text_get(&string),
		"CREATE TABLE string (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
}
END_TEST

START_TEST(rows_have_all_columns)
{
	int widest = 0;

	for (int i = 0; i < PROF_TABLES; i++) {
		int columns = prof_schema_columns(&prof_schema[i]);
		ck_assert_int_eq(columns, tables[i].columns);
		widest = columns > widest ? columns : widest;
	}
	ck_assert_int_eq(widest, PROF_TABLE_COLUMNS);
}
END_TEST

START_TEST(rows_that_change_are_replaced)
{
	AUTO_TEXT struct prof_text thread = {0}, path = {0};

	prof_schema_print_insert(&prof_schema[PROF_TABLE_THREAD], &thread);
	ck_assert_str_eq(prof_text_get(&thread), "INSERT OR REPLACE INTO thread VALUES (?,?,?)");
	prof_schema_print_insert(&prof_schema[PROF_TABLE_PATH], &path);
	ck_assert_str_eq(prof_text_get(&path), "INSERT OR ABORT INTO path VALUES (?,?,?)");
}
END_TEST

/* Views and the format json name the figures of marks as the file does. */
START_TEST(figures_of_marks_have_one_name)
{
	const struct prof_column *column = prof_schema[PROF_TABLE_MARK].columns + 3;

	for (int i = 0; i < PROF_USAGES; i++, column++) {
		ck_assert_str_eq(column->name, prof_usage_table[i].name);
		ck_assert_uint_eq(column->offset, offsetof(struct prof_mark, usage.figures[i]));
	}
	ck_assert_ptr_null(column->name);
}
END_TEST

RUN_TESTS("schema", tables_are_made_as_ever, tables_that_are_not_strict_have_no_type_any,
	rows_have_all_columns, rows_that_change_are_replaced, figures_of_marks_have_one_name)
