/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_old.h"
#include "ranks.h"
#include "same_experiment.h"
#include "store/schema.h"
#include "store/store.h"

#include <sqlite3.h>

static bool is_loaded(const char *path)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_ERROR struct prof_error *error = prof_store_load(path, NULL, &experiment);

	return !error;
}

START_TEST(table_on_the_root_of_another_is_refused)
{
	enter_scratch();
	write_random("x", 10);
	tamper("x",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage ="
		" (SELECT rootpage FROM sqlite_schema WHERE name = 'thread')"
		" WHERE name = 'sample'");
	assert_refused("x", PROF_ERROR_DAMAGED, "\"x\" is damaged");
}
END_TEST

/* Every number and text that the schema lets through, and that means nothing. */
START_TEST(rows_that_refer_to_nothing_are_refused)
{
	static const struct {
		const char *sql, *table;
	} changes[] = {
		{"UPDATE path SET parent = id WHERE id = 5", "path"},
		{"UPDATE path SET parent = -1 WHERE id = 5", "path"},
		{"UPDATE path SET frame = 100000 WHERE id = 5", "path"},
		{"UPDATE path SET (parent, frame) = (SELECT parent, frame FROM path WHERE id = 4)"
		 " WHERE id = 5",
			"path"},
		{"DELETE FROM path WHERE id = 5", "path"},
		{"INSERT INTO path VALUES (0, 0, 0)", "path"},
		{"INSERT INTO path VALUES (-1, 0, 0)", "path"},
		{"INSERT INTO path VALUES (9223372036854775807, 0, 0)", "path"},
		{"UPDATE sample SET path = 1000000 WHERE id = 3", "sample"},
		{"UPDATE sample SET thread = 100000 WHERE id = 3", "sample"},
		{"UPDATE sample SET state = 6 WHERE id = 3", "sample"},
		{"UPDATE sample SET time = -9223372036854775808 WHERE id = 3", "sample"},
		{"UPDATE sample SET samples = -1 WHERE id = 3", "sample"},
		{"UPDATE sample SET user_millionths = 1000000 WHERE id = 3", "sample"},
		{"UPDATE sample SET other_millionths = -1 WHERE id = 3", "sample"},
		{"DELETE FROM sample WHERE id = 3", "sample"},
		{"UPDATE cpu SET cpu = -2 WHERE id = 3", "sample"},
		{"UPDATE cpu SET cpu = 65535 WHERE id = 3", "sample"},
		{"UPDATE text_fault SET now = 2 WHERE id = 3", "sample"},
		{"UPDATE text_fault SET time = -1 WHERE id = 3", "sample"},
		{"DELETE FROM cpu WHERE id = 3", "cpu"},
		{"INSERT INTO cpu SELECT max(id) + 1, 0 FROM sample", "cpu"},
		{"DELETE FROM text_fault WHERE id = 3", "text_fault"},
		{"INSERT INTO text_fault SELECT max(id) + 1, 0, 0, 0 FROM sample", "text_fault"},
		{"DELETE FROM event_sample WHERE id = 3", "event_sample"},
		{"INSERT INTO event_sample SELECT max(id) + 1, 0, 0 FROM sample", "event_sample"},
		{"UPDATE event_sample SET event = 8 WHERE id = 3", "sample"},
		{"UPDATE event_sample SET event = 7, samples = 1 WHERE id = 3", "event"},
		{"UPDATE event_sample SET event = 7, samples = 0 WHERE id = 3", "event_sample"},
		{"DELETE FROM mark WHERE id = 0", "mark"},
		{"UPDATE mark SET label = 4294967296 WHERE id = 1", "mark"},
		{"UPDATE mark SET time = 9223372036854775807 WHERE id = 1", "mark"},
		{"UPDATE mark SET kind = 12 WHERE id = 1", "mark"},
		{"UPDATE mark SET kind = -1 WHERE id = 1", "mark"},
		{"UPDATE mark SET user = -2 WHERE id = 1", "mark"},
		{"UPDATE mark SET threads = 9223372036854775807 WHERE id = 1", "mark"},
		{"UPDATE object SET name = 100000 WHERE id = 0", "object"},
		{"UPDATE object SET address = 0", "object"},
		{"UPDATE traced SET sample = 100000 WHERE id = 1", "traced"},
		{"UPDATE traced SET sample = 0", "traced"},
		{"UPDATE traced SET object = 100000 WHERE id = 1", "traced"},
		{"UPDATE traced SET object = -1 WHERE id = 1", "traced"},
		{"UPDATE traced SET holder = 100000 WHERE id = 1", "traced"},
		{"UPDATE traced SET longest = -1 WHERE id = 1", "traced"},
		{"UPDATE traced SET leaked = -1 WHERE id = 1", "traced"},
		{"UPDATE traced SET inside = -1 WHERE id = 1", "traced"},
		{"DELETE FROM traced WHERE id = 0", "traced"},
		{"UPDATE held SET time = -5 WHERE id = 1", "held"},
		{"UPDATE held SET traced = 100000 WHERE id = 1", "held"},
		{"UPDATE held SET bytes = -1 WHERE id = 1", "held"},
		{"UPDATE heap SET peak = -1 WHERE id = 0", "heap"},
		{"UPDATE heap SET peak_time = 9223372036854775807 WHERE id = 0", "heap"},
		{"UPDATE heap SET smallest = -2 WHERE id = 0", "heap"},
		{"UPDATE owner SET thread = 100000 WHERE id = 0", "owner"},
		{"UPDATE owner SET process = 0 WHERE id = 0", "owner"},
		{"INSERT INTO owner SELECT id + 1, thread, process FROM owner ORDER BY id DESC "
		 "LIMIT 1",
			"owner"},
		{"UPDATE heap_class SET heap = 100000 WHERE id = 0", "heap_class"},
		{"UPDATE heap_class SET class = 14 WHERE id = 0", "heap_class"},
		{"UPDATE heap_class SET class = 1 WHERE id = 0", "heap_class"},
		{"UPDATE heap_class SET leaks = -1 WHERE id = 0", "heap_class"},
		{"UPDATE event SET name = 100000 WHERE id = 0", "event"},
		{"UPDATE event SET name = (SELECT name FROM event WHERE id = 1) WHERE id = 0",
			"event"},
		{"DELETE FROM event WHERE id = 0", "event"},
		{"INSERT INTO event SELECT 2, 0; INSERT INTO event SELECT 3, 1; INSERT INTO event "
		 "SELECT 4, 2; INSERT INTO event SELECT 5, 3; INSERT INTO event SELECT 6, 4; "
		 "INSERT INTO event SELECT 7, 5; INSERT INTO event SELECT 8, 6",
			"event"},
		{"UPDATE event_sample SET samples = -1 WHERE id = 0", "sample"},
		{"UPDATE counter SET unit = 3 WHERE id = 0", "counter"},
		{"UPDATE counter SET unit = -2 WHERE id = 0", "counter"},
		{"UPDATE counter SET unit = -1 WHERE id = 0", "counter"},
		{"UPDATE counter SET unit = -1, interval = 0 WHERE id = 0", "counter"},
		{"UPDATE counter SET clock = -1 WHERE id = 1", "counter"},
		{"UPDATE counter SET clock = 999999 WHERE id = 1", "counter"},
		{"UPDATE counter SET clock = 2000000000 WHERE id = 0", "counter"},
		{"UPDATE counter SET interval = -1 WHERE id = 0", "counter"},
		{"UPDATE counter SET overflows = -1, lost = -1 WHERE id = 0", "counter"},
		{"UPDATE counter SET lost = overflows + 1 WHERE id = 0", "counter"},
		{"UPDATE counter SET lost = -1 WHERE id = 0", "counter"},
		{"DELETE FROM counter WHERE id = 0", "counter"},
		{"INSERT INTO counter SELECT 2, 0, 0, 1, 0, 0", "counter"},
		{"UPDATE module SET path = 100000 WHERE id = 1", "module"},
		{"UPDATE module SET (path, build_id) = (0, 1) WHERE id = 1", "module"},
		{"UPDATE module SET path = 1 WHERE id = 0", "module"},
		{"UPDATE module_range SET module = 1000 WHERE id = 0", "module_range"},
		{"UPDATE module_range SET high = low WHERE id = 0", "module_range"},
		{"UPDATE thread SET name = -1 WHERE id = 0", "thread"},
		{"UPDATE function SET name = 100000 WHERE id = 0", "function"},
		{"UPDATE function SET module = 100000 WHERE id = 0", "function"},
		{"UPDATE function SET (name, module) = (SELECT name, module FROM function WHERE"
		 " id = 1) WHERE id = 0",
			"function"},
		{"UPDATE frame SET module = 100000 WHERE id = 0", "frame"},
		{"UPDATE frame SET address = 0 WHERE id = (SELECT min(id) FROM frame WHERE address "
		 "<> 0)",
			"location"},
		{"UPDATE location SET frame = 100000 WHERE id = 0", "location"},
		{"UPDATE location SET frame = (SELECT max(frame) FROM location) WHERE id = 0",
			"location"},
		{"INSERT INTO location SELECT max(id) + 1, (SELECT frame FROM location l JOIN frame"
		 " f ON f.id = l.frame WHERE address <> 0 LIMIT 1), 0, 1, 0, 0 FROM location",
			"location"},
		{"INSERT INTO function SELECT max(id) + 1, 0, 0 FROM function;"
		 " INSERT INTO frame SELECT max(id) + 1, 0, 0 FROM frame;"
		 " INSERT INTO location SELECT (SELECT max(id) + 1 FROM location),"
		 " (SELECT max(id) FROM frame), max(id), 1, 0, -1 << 63 FROM function;"
		 " INSERT INTO location SELECT max(id) + 1, frame, function, file, line,"
		 " function_offset FROM location",
			"location"},
		{"UPDATE location SET function = 100000 WHERE id = 0", "location"},
		{"UPDATE location SET file = 100000 WHERE id = 0", "location"},
		{"UPDATE location SET line = 4294967296 WHERE id = 0", "location"},
		{"UPDATE location SET function_offset = 0 WHERE frame IN (SELECT id FROM frame"
		 " WHERE address = 0)",
			"location"},
		{"UPDATE string SET text = (SELECT text FROM string WHERE id = 3) WHERE id = 4",
			"string"},
		{"UPDATE string SET text = 'a' || char(0) || 'b' WHERE id = 4", "string"},
		{"UPDATE string SET text = 'other' WHERE id = 0", "string"},
		{"UPDATE info SET value = 5 WHERE key = 'program'", "info"},
		{"UPDATE info SET value = 'x' WHERE key = 'duration'", "info"},
		{"UPDATE info SET value = -1 WHERE key = 'duration'", "info"},
		{"UPDATE info SET value = 9e999 WHERE key = 'rate_asked'", "info"},
		{"UPDATE info SET value = -1.0 WHERE key = 'rate_asked'", "info"},
		{"UPDATE info SET key = 'other' WHERE key = 'ticks'", "info"},
		{"INSERT INTO info SELECT max(id) + 1, 'more', 1 FROM info", "info"},
	};
	char expected[64];

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		write_old_random("x", 30);
		tamper("x", changes[i].sql);
		snprintf(expected, sizeof expected, "damaged: table \"%s\"", changes[i].table);
		assert_refused("x", PROF_ERROR_DAMAGED, expected);
		unlink("x");
	}
}
END_TEST

/* Rows of a table that files of before version 9 do not have. */
START_TEST(accesses_that_can_not_be_are_refused)
{
	static const char *const changes[] = {
		"UPDATE data SET sample = 100000 WHERE id = 1",
		"UPDATE data SET sample = (SELECT sample FROM data WHERE id = 0) WHERE id = 1",
		"UPDATE data SET trigger = 0 WHERE id = 1",
		"UPDATE data SET trigger = 7 WHERE id = 1",
		"UPDATE data SET access = 5 WHERE id = 1",
		"UPDATE data SET access = -1 WHERE id = 1",
		"UPDATE data SET trigger = 2, skid = 17 WHERE id = 1",
		"UPDATE data SET trigger = 2, skid = 0 WHERE id = 1",
		"UPDATE data SET trigger = 1, skid = 1 WHERE id = 1",
		"DELETE FROM data WHERE id = 0",
	};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		write_random("x", 30);
		tamper("x", changes[i]);
		assert_refused("x", PROF_ERROR_DAMAGED, "damaged: table \"data\"");
		unlink("x");
	}
}
END_TEST

/* An experiment of a callgrind file: the calls of f from main, and of main, have costs. */
static struct prof_experiment *make_costs(void)
{
	static const char *const names[] = {"main", "f"};
	struct prof_experiment *experiment;
	uint32_t function, frames[2];
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(7) + 5};

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		ck_assert_ok(prof_experiment_function(
			experiment, names[i], strlen(names[i]), 0, &function));
		ck_assert_ok(prof_experiment_frame_of(experiment, function, &frames[i]));
	}
	ck_assert_ok(prof_experiment_arc_cost(experiment, PROF_NONE, frames[0], 1, values));
	values[PROF_QUANTITY_SPENT + PROF_STATE_USER] = PROF_VALUE_MOST;
	ck_assert_ok(prof_experiment_arc_cost(experiment, frames[0], frames[1], INT64_MAX, values));
	return experiment;
}

START_TEST(costs_of_calls_are_saved_and_added_up)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_costs();
	AUTO_EXPERIMENT struct prof_experiment *loaded = NULL;

	enter_scratch();
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	prof_experiment_check(loaded);
	assert_same(experiment, loaded);
	ck_assert_ok(prof_experiment_merge(loaded, experiment, NULL));
	prof_experiment_check(loaded);
	ck_assert_uint_eq(prof_arc_costs_count(loaded), 4);
}
END_TEST

START_TEST(ranks_are_saved)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create_rank_on(0, "a", "k", 100);
	AUTO_EXPERIMENT struct prof_experiment *loaded = NULL;

	merge_rank(experiment, create_rank_on(3, "b", "l", 101));
	enter_scratch();
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	prof_experiment_check(loaded);
	assert_same(experiment, loaded);
}
END_TEST

START_TEST(ranks_that_can_not_be_are_refused)
{
	static const char *const changes[] = {
		"UPDATE rank SET rank = -2 WHERE id = 0",
		"UPDATE rank SET size = -1 WHERE id = 0",
		"UPDATE rank SET host = 100000 WHERE id = 0",
		"UPDATE rank SET launcher = -1 WHERE id = 0",
		"UPDATE rank SET first_thread = 5 WHERE id = 1",
		"UPDATE rank SET first_thread = 1 WHERE id = 1; UPDATE rank SET first_thread = 2 WHERE id = 0",
		"UPDATE rank SET first_mark = 5 WHERE id = 1",
		"UPDATE rank SET first_mark = 3 WHERE id = 0",
		"UPDATE rank SET monotonic = 9223372036854775807 WHERE id = 0",
		"UPDATE rank SET realtime = -9223372036854775807 WHERE id = 0",
		"DELETE FROM rank WHERE id = 0",
	};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment =
			create_rank_on(0, "a", "k", 100);
		merge_rank(experiment, create_rank_on(3, "b", "l", 101));
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		tamper("x", changes[i]);
		assert_refused("x", PROF_ERROR_DAMAGED, "damaged: table \"rank\"");
		unlink("x");
	}
}
END_TEST

START_TEST(costs_of_calls_that_can_not_be_are_refused)
{
	static const struct {
		const char *change, *table;
	} changes[] = {
		{"UPDATE arc_value SET arc = 2", "arc_value"},
		{"UPDATE arc_value SET quantity = 0", "arc_value"},
		{"UPDATE arc_value SET quantity = 99", "arc_value"},
		{"UPDATE arc_value SET value = -1", "arc_value"},
		{"UPDATE counted SET kind = 0, caller = callee", "arc_value"},
		{"UPDATE counted SET kind = 5", "counted"},
		{"UPDATE counted SET kind = 4", "counted"},
		{"INSERT INTO path VALUES (1, 0, 0), (2, 1, 1)", "arc_value"},
		{"DROP TABLE arc_value; PRAGMA user_version = 11", "counted"},
	};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_costs();

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		char part[64];
		snprintf(part, sizeof part, "table \"%s\"", changes[i].table);
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		tamper("x", changes[i].change);
		assert_refused("x", PROF_ERROR_DAMAGED, part);
		unlink("x");
	}
}
END_TEST

START_TEST(types_that_the_schema_forbids_are_refused)
{
	enter_scratch();
	write_random("x", 30);
	tamper("x",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
		" replace(sql, ' STRICT', '') WHERE name = 'path'");
	tamper("x",
		"UPDATE path SET frame = 'text' WHERE id = 2; PRAGMA writable_schema=ON;"
		" UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'path'");
	/* An older SQLite cannot read strict tables at all. */
	if (sqlite3_libversion_number() < 3037000)
		assert_refused("x", PROF_ERROR_UNSUPPORTED, "needs SQLite 3.37 or later");
	else
		assert_refused("x", PROF_ERROR_DAMAGED, "table \"path\" is wrong in row 2");
}
END_TEST

/* An interior page all of whose children are one page would give the same rows again and again. */
START_TEST(pages_that_are_used_twice_are_refused)
{
	size_t length;
	int found = 0;

	enter_scratch();
	write_random("x", 300);
	AUTO_FREE char *bytes = read_bytes("x", &length);
	for (size_t page = 4096; page < length; page += 4096) {
		unsigned char *header = (unsigned char *)bytes + page;
		if (header[0] != 5)
			continue;
		found++;
		size_t cells = (size_t)header[3] << 8 | header[4];
		size_t first = (size_t)header[12] << 8 | header[13];
		for (size_t i = 1; i < cells; i++) {
			size_t cell = (size_t)header[12 + 2 * i] << 8 | header[13 + 2 * i];
			memcpy(header + cell, header + first, 4);
		}
		memcpy(header + 8, header + first, 4);
	}
	ck_assert_int_gt(found, 0);
	write_text("y", bytes, length);
	assert_refused("y", PROF_ERROR_DAMAGED, "\"y\" is damaged");
}
END_TEST

/* A text of this length leaves less of itself in its cell than most: all cells are on one page. */
enum { BIG_TEXTS = 6, BIG_LENGTH = 998940 };

/* Finds where, behind the part of the text NUMBER that its cell holds, the rest is said to be. */
static char *find_overflow(char *bytes, size_t length, int number)
{
	char start[32];

	snprintf(start, sizeof start, "<%d>xxx", number);
	char *at = memmem(bytes, length, start, strlen(start));
	ck_assert_ptr_nonnull(at);
	for (at += 3; *at == 'x';)
		at++;
	return at;
}

/* A small file could hold endless text, if the rest of one were the rest of all. */
START_TEST(text_that_is_used_twice_is_refused)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_FREE char *text = malloc(BIG_LENGTH + 1);
	size_t length;
	uint32_t id;

	enter_scratch();
	ck_assert_ok(prof_experiment_create(&experiment));
	memset(text, 'x', BIG_LENGTH);
	text[BIG_LENGTH] = 0;
	for (int i = 0; i < BIG_TEXTS; i++) {
		snprintf(text, BIG_LENGTH, "<%d>", i);
		text[3] = 'x';
		ck_assert_ok(prof_experiment_string(experiment, text, &id));
	}
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	AUTO_FREE char *bytes = read_bytes("x", &length);
	const char *first = find_overflow(bytes, length, 0);
	const char *next = find_overflow(bytes, length, 1);
	size_t second = (size_t)(unsigned char)next[2] << 8 | (unsigned char)next[3];
	for (int i = 1; i < BIG_TEXTS; i++)
		memcpy(find_overflow(bytes, length, i), first, 4);
	write_text("y", bytes, length);
	ck_assert(is_loaded("y"));
	/* Now without the pages that nothing leads to: those from the second text's rest on. */
	bytes[28] = bytes[29] = 0;
	bytes[30] = (char)((second - 1) >> 8);
	bytes[31] = (char)(second - 1);
	write_text("y", bytes, (second - 1) * 4096);
	assert_refused("y", PROF_ERROR_DAMAGED, "table \"string\" is wrong in row 3");
}
END_TEST

/* Ten traced rows, of which the fifth and the eighth are of MPI. */
static struct prof_experiment *make_mpi(void)
{
	const struct prof_sample sample = {.thread = 0};
	const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_CALLS] = 2,
		[PROF_TRACED_MPI_TIME] = 1,
		[PROF_TRACED_MPI_SENDS] = 2,
		[PROF_TRACED_MPI_SENT] = INT64_MAX,
		[PROF_TRACED_MPI_RECEIVES] = 4,
		[PROF_TRACED_MPI_RECEIVED] = 5,
		[PROF_TRACED_MPI_OTHER] = 6};
	static const prof_value none[PROF_QUANTITIES];
	struct prof_experiment *experiment;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 7, "main", &thread));
	for (uint32_t i = 0; i < 10; i++) {
		const struct prof_traced_row row = {
			.sample = i, .object = PROF_NONE, .holder = PROF_NONE};
		ck_assert_ok(prof_experiment_sample(experiment, &sample, none));
		ck_assert_ok(prof_experiment_traced(experiment, &row));
	}
	prof_experiment_traced_values(experiment, 4, values, 9);
	prof_experiment_ranks(experiment, 7, 12345, 0);
	return experiment;
}

START_TEST(openmp_is_saved)
{
	const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_CALLS] = 2,
		[PROF_TRACED_MPI_TIME] = 1,
		[PROF_TRACED_OMP_REGIONS] = 3,
		[PROF_TRACED_OMP_INSIDE] = INT64_MAX,
		[PROF_TRACED_OMP_TASK] = 7,
		[PROF_TRACED_OMP_LOOPS] = 8,
		[PROF_TRACED_OMP_LOOP_WAIT] = INT64_MAX};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_mpi();
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	struct prof_traced_rows_place place = {0};

	enter_scratch();
	prof_experiment_traced_values(experiment, 5, values, 9);
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(experiment, loaded);
	ck_assert_uint_eq(loaded->traced.omp, 6);
	ck_assert_uint_eq(loaded->traced.loops, 6);
	const struct prof_traced_row *row = prof_traced_rows_get(&loaded->traced, &place, 5);
	ck_assert_mem_eq(row->values, values, sizeof values);
	tamper("x", "UPDATE traced_omp SET task = -1");
	assert_refused("x", PROF_ERROR_DAMAGED, "table \"traced_omp");
}
END_TEST

START_TEST(calls_of_mpi_are_saved)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_mpi();
	AUTO_EXPERIMENT struct prof_experiment *loaded;

	enter_scratch();
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(experiment, loaded);
	ck_assert_uint_eq(loaded->traced.mpi, 8);
}
END_TEST

START_TEST(calls_of_mpi_that_can_not_be_are_refused)
{
	static const char *const changes[] = {
		"UPDATE traced_mpi SET sent = -1",
		"UPDATE traced_mpi SET rank = -2",
		"DELETE FROM traced WHERE id > 3",
	};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_mpi();

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		tamper("x", changes[i]);
		assert_refused("x", PROF_ERROR_DAMAGED, "table \"traced_");
		unlink("x");
	}
}
END_TEST

/* Adds COUNT samples, each a call. */
static void add_calls(struct prof_experiment *experiment, size_t count)
{
	const prof_value values[PROF_QUANTITIES] = {0};
	const struct prof_sample sample = {0};

	for (size_t i = 0; i < count; i++) {
		const struct prof_single_call call = {.sample = (uint32_t)experiment->samples.count,
			.end = i % PROF_CALL_ENDS,
			.duration = i % 3 ? (int64_t)i * 1000 : PROF_TIME_MOST};
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
		ck_assert_ok(prof_single_call_add(experiment, &call));
	}
}

/* The last block is written again until it is whole. */
START_TEST(single_calls_are_saved_as_they_come)
{
	static const size_t parts[] = {
		1, 10, PROF_SINGLE_CALLS_BLOCK - 11, 1, 2 * PROF_SINGLE_CALLS_BLOCK, 5};
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(7, 100);
	struct prof_store *store;

	enter_scratch();
	ck_assert_ok(prof_store_create("x", &store));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	for (size_t i = 0; i < PROF_COUNT(parts); i++) {
		AUTO_EXPERIMENT struct prof_experiment *loaded;
		add_calls(experiment, parts[i]);
		ck_assert(prof_store_pending(store, experiment));
		ck_assert_ok(prof_store_write(store, experiment, NULL));
		ck_assert(!prof_store_pending(store, experiment));
		ck_assert_ok(prof_store_load("x", NULL, &loaded));
		prof_experiment_check(loaded);
		assert_same(experiment, loaded);
	}
	prof_store_close(store);
}
END_TEST

START_TEST(single_calls_that_can_not_be_are_refused)
{
	static const char *const changes[] = {
		"UPDATE call_block SET calls = calls + 1 WHERE id = 1",
		"UPDATE call_block SET calls = calls - 1 WHERE id = 1",
		"UPDATE call_block SET calls = 0 WHERE id = 1",
		"UPDATE call_block SET calls = 2049 WHERE id = 0",
		"UPDATE call_block SET packed = x'' WHERE id = 1",
		"UPDATE call_block SET packed = x'00' WHERE id = 1",
		/* no such sample, an older one, and ends and times that are none */
		"UPDATE call_block SET calls = 1, packed = x'ffffff0f00' WHERE id = 1",
		"UPDATE call_block SET calls = 1, packed = x'0000' WHERE id = 1",
		"UPDATE call_block SET calls = 1, packed = x'c11003' WHERE id = 1",
		"DELETE FROM call_block WHERE id = 0",
		"INSERT INTO call_block VALUES (2, 1, x'd01000')",
	};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(7, 100);
		add_calls(experiment, PROF_SINGLE_CALLS_BLOCK + 20);
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		ck_assert(is_loaded("x"));
		tamper("x", changes[i]);
		assert_refused("x", PROF_ERROR_DAMAGED, "table \"call_block\"");
	}
}
END_TEST

RUN_TESTS("store rows", single_calls_are_saved_as_they_come,
	single_calls_that_can_not_be_are_refused, costs_of_calls_are_saved_and_added_up,
	calls_of_mpi_are_saved, openmp_is_saved, calls_of_mpi_that_can_not_be_are_refused,
	ranks_are_saved, ranks_that_can_not_be_are_refused,
	costs_of_calls_that_can_not_be_are_refused, table_on_the_root_of_another_is_refused,
	rows_that_refer_to_nothing_are_refused, accesses_that_can_not_be_are_refused,
	types_that_the_schema_forbids_are_refused, pages_that_are_used_twice_are_refused,
	text_that_is_used_twice_is_refused)
