/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format json: all that an experiment holds. */
#include "view_whole.h"

#include "call_events.h"

#include "gmon_support.h"
#include "experiment_support.h"
#include "random_experiment.h"
#include "store/schema.h"

#include <jansson.h>

/* The arrays in which the rows of tables are, or a part of them. */
static const struct {
	enum prof_schema_table table;
	const char *array;
} arrays[] = {
	{PROF_TABLE_MODULE, "objects"},
	{PROF_TABLE_RANGE, "objects"},
	{PROF_TABLE_THREAD, "threads"},
	{PROF_TABLE_OWNER, "threads"},
	{PROF_TABLE_FUNCTION, "functions"},
	{PROF_TABLE_FRAME, "frames"},
	{PROF_TABLE_LOCATION, "frames"},
	{PROF_TABLE_PATH, "stacks"},
	{PROF_TABLE_MARK, "marks"},
	{PROF_TABLE_COUNTED, "counted"},
	{PROF_TABLE_OBJECT, "locks"},
	{PROF_TABLE_TRACED, "samples"},
	{PROF_TABLE_TRACED_LAST, "samples"},
	{PROF_TABLE_HELD, "held"},
	{PROF_TABLE_HEAP, "heaps"},
	{PROF_TABLE_HEAP_CLASS, "heaps"},
	{PROF_TABLE_EVENT, "events"},
	{PROF_TABLE_COUNTER, "events"},
	{PROF_TABLE_DATA, "samples"},
	{PROF_TABLE_GMON, "gmon"},
	{PROF_TABLE_GMON_HISTOGRAM, "histograms"},
	{PROF_TABLE_GMON_BIN, "bins"},
	{PROF_TABLE_GMON_ARC, "arcs"},
	{PROF_TABLE_GMON_SYMBOL, "symbols"},
	{PROF_TABLE_GMON_LINE, "lines"},
	{PROF_TABLE_RANK, "ranks"},
	{PROF_TABLE_TRACED_MPI, "samples"},
	{PROF_TABLE_OPERATION, "operations"},
	{PROF_TABLE_TRACED_OMP, "samples"},
	{PROF_TABLE_TRACED_LOOP, "samples"},
};

/* Tables whose rows are told in other ways, or that only the file has. */
static const enum prof_schema_table others[] = {
	PROF_TABLE_INFO,      /* the recording */
	PROF_TABLE_STRING,    /* where they are used */
	PROF_TABLE_ARC_VALUE, /* calls */
	/* Samples. */
	PROF_TABLE_SAMPLE,
	PROF_TABLE_CPU,
	PROF_TABLE_TEXT,
	PROF_TABLE_EVENT_SAMPLE,
	PROF_TABLE_SAMPLE_BLOCK,
	PROF_TABLE_CALL_BLOCK,
	/* Arguments, and what is read from code, which the format does without. */
	PROF_TABLE_ARGUMENT,
	PROF_TABLE_CALL_TARGET,
	PROF_TABLE_SOURCE,
	PROF_TABLE_EXTENT,
	PROF_TABLE_BLOCK,
};

/* Columns that have another key, or none, because where the object stands says it. */
static const struct {
	enum prof_schema_table table;
	const char *column, *key;
} renamed[] = {
	{PROF_TABLE_RANGE, "module", NULL},
	{PROF_TABLE_RANGE, "file_offset", "offset"},
	{PROF_TABLE_THREAD, "tid", "id"},
	{PROF_TABLE_OWNER, "thread", NULL},
	{PROF_TABLE_FUNCTION, "module", "object"},
	{PROF_TABLE_FRAME, "module", "object"},
	{PROF_TABLE_LOCATION, "frame", NULL},
	{PROF_TABLE_LOCATION, "function_offset", "offset"},
	{PROF_TABLE_TRACED, "sample", NULL},
	{PROF_TABLE_TRACED, "object", "lock"},
	{PROF_TABLE_TRACED_LAST, "time", "last"},
	{PROF_TABLE_TRACED_MPI, "time", "mpi_time"},
	{PROF_TABLE_TRACED_MPI, "sends", "mpi_sends"},
	{PROF_TABLE_TRACED_MPI, "sent", "mpi_sent"},
	{PROF_TABLE_TRACED_MPI, "receives", "mpi_receives"},
	{PROF_TABLE_TRACED_MPI, "received", "mpi_received"},
	{PROF_TABLE_TRACED_MPI, "other", "mpi_other"},
	{PROF_TABLE_TRACED_OMP, "regions", "omp_regions"},
	{PROF_TABLE_TRACED_OMP, "inside", "omp_inside"},
	{PROF_TABLE_TRACED_OMP, "explicit", "omp_explicit"},
	{PROF_TABLE_TRACED_OMP, "implicit", "omp_implicit"},
	{PROF_TABLE_TRACED_OMP, "critical", "omp_critical"},
	{PROF_TABLE_TRACED_OMP, "lock", "omp_lock"},
	{PROF_TABLE_TRACED_OMP, "taskwait", "omp_taskwait"},
	{PROF_TABLE_TRACED_OMP, "tasks", "omp_tasks"},
	{PROF_TABLE_TRACED_OMP, "task", "omp_task"},
	{PROF_TABLE_TRACED_LOOP, "loops", "omp_loops"},
	{PROF_TABLE_TRACED_LOOP, "sections", "omp_sections"},
	{PROF_TABLE_TRACED_LOOP, "singles", "omp_singles"},
	{PROF_TABLE_TRACED_LOOP, "time", "omp_loop"},
	{PROF_TABLE_TRACED_LOOP, "wait", "omp_loop_wait"},
	{PROF_TABLE_HELD, "traced", "stack"},
	{PROF_TABLE_HEAP_CLASS, "heap", NULL},
	{PROF_TABLE_HEAP_CLASS, "class", NULL},
	{PROF_TABLE_DATA, "sample", NULL},
	{PROF_TABLE_OPERATION, "sample", NULL},
};

static const char *key_of(enum prof_schema_table table, const char *column)
{
	for (size_t i = 0; i < PROF_COUNT(renamed); i++) {
		if (renamed[i].table == table && !strcmp(renamed[i].column, column))
			return renamed[i].key;
	}
	return column;
}

/* Has an object in ARRAY, or in one that is in there, KEY? */
static bool has_key(const json_t *array, const char *key)
{
	const json_t *element, *value;
	const char *name;
	size_t i;

	json_array_foreach(array, i, element)
	{
		json_object_foreach((json_t *)element, name, value)
		{
			if (!strcmp(name, key) || has_key(value, key))
				return true;
		}
	}
	return false;
}

/* Asserts that WHOLE has the columns of all tables from FIRST on that come before END. */
static void assert_columns(const json_t *whole, int first, int end)
{
	for (size_t i = 0; i < PROF_COUNT(arrays); i++) {
		const json_t *array = json_object_get(whole, arrays[i].array);
		const struct prof_column *column = prof_schema[arrays[i].table].columns;
		if ((int)arrays[i].table < first || (int)arrays[i].table >= end)
			continue;
		for (; column->name; column++) {
			const char *key = key_of(arrays[i].table, column->name);
			ck_assert_msg(!key || has_key(array, key), "%s.%s", arrays[i].array,
				column->name);
		}
	}
}

/* A table that is added to the file is added to the format too, or to what it does without. */
START_TEST(every_table_has_an_array)
{
	int known[PROF_TABLES] = {0};

	for (size_t i = 0; i < PROF_COUNT(arrays); i++)
		known[arrays[i].table]++;
	for (size_t i = 0; i < PROF_COUNT(others); i++)
		known[others[i]]++;
	for (int i = 0; i < PROF_TABLES; i++)
		ck_assert_msg(known[i] == 1, "%s", prof_schema[i].name);
}
END_TEST

/* A column that is added to the file is added here too. */
START_TEST(every_column_has_a_key)
{
	const int64_t mpi[PROF_TRACED_VALUES] = {[PROF_TRACED_MPI_TIME] = 1,
		[PROF_TRACED_MPI_SENDS] = 1,
		[PROF_TRACED_MPI_SENT] = 1,
		[PROF_TRACED_MPI_RECEIVES] = 1,
		[PROF_TRACED_MPI_RECEIVED] = 1,
		[PROF_TRACED_MPI_OTHER] = 1,
		[PROF_TRACED_OMP_REGIONS] = 1,
		[PROF_TRACED_OMP_INSIDE] = 1,
		[PROF_TRACED_OMP_EXPLICIT] = 1,
		[PROF_TRACED_OMP_IMPLICIT] = 1,
		[PROF_TRACED_OMP_CRITICAL] = 1,
		[PROF_TRACED_OMP_LOCK] = 1,
		[PROF_TRACED_OMP_TASKWAIT] = 1,
		[PROF_TRACED_OMP_TASKS] = 1,
		[PROF_TRACED_OMP_TASK] = 1,
		[PROF_TRACED_OMP_LOOPS] = 1,
		[PROF_TRACED_OMP_SECTIONS] = 1,
		[PROF_TRACED_OMP_SINGLES] = 1,
		[PROF_TRACED_OMP_LOOP] = 1,
		[PROF_TRACED_OMP_LOOP_WAIT] = 1};
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(8, 300);
	const struct prof_rank_request rank = {1, 2, "MPICH", "", "a", "k", 5, 6};

	ck_assert_ok(prof_rank_add(experiment, &rank));
	prof_experiment_traced_values(experiment, 0, mpi, 0);
	prof_experiment_ranks(experiment, 0, 1, 2);
	ck_assert_ok(prof_mpi_operation_add(experiment,
		&(struct prof_mpi_operation){.kind = PROF_OPERATION_SEND, .rank = 1, .peer = 2}));
	AUTO_FREE char *text = whole_print(experiment, "json", "samples", true);
	json_t *whole = json_loads(text, JSON_DECODE_INT_AS_REAL, NULL);
	ck_assert_ptr_nonnull(whole);
	assert_columns(whole, 0, PROF_TABLE_GMON);
	assert_columns(whole, PROF_TABLE_RANK, PROF_TABLES);
	ck_assert_ptr_null(json_object_get(whole, "gmon"));
	const json_t *recording = json_object_get(whole, "recording");
	for (size_t i = 0; i < prof_recording_field_count; i++)
		ck_assert_ptr_nonnull(json_object_get(recording, prof_recording_fields[i].name));
	json_decref(whole);
}
END_TEST

/* A gmon.out has tables of its own. */
START_TEST(every_column_of_counts_has_a_key)
{
	static const struct call calls[] = {{'m', 'a', 2}, {0, 0, 0}};
	static const unsigned samples[] = {1, 2};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_gmon("ma", samples, calls);
	struct prof_image_symbol *symbol = &experiment->gmon.functions.items[1];
	struct prof_image_symbol *line = prof_array_push(&experiment->gmon.lines);

	ck_assert_ok(prof_experiment_string(experiment, "a.c", &symbol->file));
	*line = *symbol;
	AUTO_FREE char *text = whole_print(experiment, "json", "samples", true);
	json_t *whole = json_loads(text, 0, NULL);
	ck_assert_ptr_nonnull(whole);
	assert_columns(whole, PROF_TABLE_GMON, PROF_TABLE_RANK);
	ck_assert_ptr_null(json_object_get(whole, "ranks"));
	ck_assert_ptr_nonnull(strstr(text, "\"bins\":[\n{\"histogram\":0,\"part\":0,\"ticks\":1}"));
	ck_assert_ptr_nonnull(strstr(
		text, "\"arcs\":[\n{\"caller\":\"0x1003\",\"callee\":\"0x1010\",\"calls\":2}]"));
	json_decref(whole);
}
END_TEST

START_TEST(everything_is_there_in_tables)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = whole_create();

	check_golden(whole_print(experiment, "json", "samples", true), "dump.json");
}
END_TEST

START_TEST(calls_without_stacks_are_there)
{
	struct prof_text costs = {0};

	prof_text_print(&costs,
		"events: samples cpu\nfl=a.c\nfn=<Total>\ncfn=f\ncalls=2 3\n0 5 9\nfn=f\n3 5 9\n");
	AUTO_EXPERIMENT struct prof_experiment *experiment = trip_read(&costs);
	prof_text_deinit(&costs);
	AUTO_FREE char *text = whole_print(experiment, "json", "samples", true);
	ck_assert_ptr_nonnull(strstr(text,
		"\"calls\":[\n{\"caller\":null,\"callee\":0,\"calls\":2,\"samples\":5,\"user\":9}"
		"]"));
}
END_TEST

START_TEST(single_calls_are_samples_with_a_duration)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("f(3 g(5! ");
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	add_stack(experiment, "f", ';', values);
	add_calls_of(experiment, 2, 1, "h(0)");
	AUTO_FREE char *text = whole_print(experiment, "json", "samples", true);
	ck_assert_ptr_nonnull(strstr(text,
		"\"user\":3,\"duration\":8,\"end\":\"open\"},\n{\"time\":3,\"thread\":0,\"stack\":2,"
		"\"state\":\"user\",\"samples\":5,\"user\":5,\"duration\":5,\"end\":\"left\"},\n"
		"{\"time\":0,\"thread\":0,\"stack\":1,\"state\":\"user\",\"samples\":1},\n"
		"{\"time\":0,\"thread\":1,\"stack\":3,\"state\":\"user\",\"duration\":0,"
		"\"end\":\"returned\"}]"));
}
END_TEST

START_TEST(what_caused_an_event_is_there)
{
	const struct prof_event event = {.unit = PROF_COUNTER_EVENTS, .interval = 1};
	const struct prof_data data[] = {
		{.sample = 0,
			.trigger = PROF_TRIGGER_FOUND,
			.access = PROF_ACCESS_LOAD,
			.skid = 2,
			.addressed = true,
			.address = 0x5008},
		{.sample = 1, .trigger = PROF_TRIGGER_UNRESOLVABLE},
	};
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {0};
	uint32_t number;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_counter(experiment, "dcrm", &event, &number));
	values[PROF_QUANTITY_EVENT] = prof_value_of(1);
	for (size_t i = 0; i < PROF_COUNT(data); i++) {
		add_stack(experiment, "main", ';', values);
		ck_assert_ok(prof_experiment_data(experiment, &data[i]));
	}
	AUTO_FREE char *text = whole_print(experiment, "json", "dcrm", true);
	ck_assert_ptr_nonnull(strstr(text,
		"\"event\":0,\"event_count\":1,\"trigger\":\"found\",\"access\":\"load\",\"skid\":"
		"2,"
		"\"address\":\"0x5008\"}"));
	ck_assert_ptr_nonnull(strstr(text, "\"event_count\":1,\"trigger\":\"Unresolvable\"}"));
}
END_TEST

RUN_TESTS("dump", every_table_has_an_array, every_column_has_a_key,
	every_column_of_counts_has_a_key, single_calls_are_samples_with_a_duration,
	what_caused_an_event_is_there, everything_is_there_in_tables,
	calls_without_stacks_are_there)
