/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows that experiments have: what merges, stores and loads them keeps each column. */
#include "suite.h"

#include "experiment_support.h"
#include "random_experiment.h"
#include "same_experiment.h"
#include "model/merge.h"
#include "model/mpi_operation.h"
#include "store/entries.h"
#include "store/store.h"

/* Have entries of TABLE a row each? */
static bool has_rows(enum prof_schema_table table)
{
	return table == PROF_TABLE_COUNTER || table == PROF_TABLE_HEAP_CLASS ||
		table == PROF_TABLE_TRACED || table == PROF_TABLE_TRACED_LAST ||
		prof_schema[table].items;
}

/* What ROW has in COLUMN: in NUMBER, or in a text, not the caller's.  NULL: it is a number. */
static const char *text_of(const struct prof_experiment *experiment,
	const struct prof_column *column, const void *row, prof_value *number)
{
	const void *field = (const char *)row + column->offset;

	if (column->kind == PROF_COLUMN_TEXT || column->kind == PROF_COLUMN_PACKED)
		return *(const char *const *)field;
	if (column->kind == PROF_COLUMN_VALUE) {
		*number = *(const prof_value *)field;
		return NULL;
	}
	*number = prof_column_integer(column, row);
	if (column->table == PROF_TABLE_STRING)
		return prof_strings_get(&experiment->strings, (uint32_t)*number);
	if (column->table == PROF_TABLE_OBJECT && *number != PROF_NONE)
		*number = (prof_value)experiment->objects.items[*number].address;
	return NULL;
}

/* The rows NUMBER of TABLE of A and B are the same.  Does COLUMN have anything? */
static bool same_column(const struct prof_experiment *a, const struct prof_experiment *b,
	enum prof_schema_table table, const struct prof_column *column, size_t number)
{
	struct prof_store_place places[2] = {0};
	prof_value numbers[2] = {0};
	const char *x =
		text_of(a, column, prof_store_row(a, table, number, &places[0]), &numbers[0]);
	const char *y =
		text_of(b, column, prof_store_row(b, table, number, &places[1]), &numbers[1]);

	ck_assert_msg(x ? !strcmp(x, y) : numbers[0] == numbers[1], "%s.%s, row %zu",
		prof_schema[table].name, column->name, number);
	return x ? *x : numbers[0] != 0;
}

/* A and B have the same rows; each column has something that is neither 0 nor "". */
static void assert_same_rows(const struct prof_experiment *a, const struct prof_experiment *b)
{
	for (int i = 0; i < PROF_TABLES; i++) {
		enum prof_schema_table table = (enum prof_schema_table)i;
		size_t count = prof_store_entries(a, table);
		const struct prof_column *column = prof_schema[i].columns;
		if (!has_rows(table) || table == PROF_TABLE_STRING || table == PROF_TABLE_ARC_VALUE)
			continue;
		/* Where there are samples there is no gmon.out: see rows_gmon.c and merge_gmon.c.
		 */
		if (table >= PROF_TABLE_GMON && table <= PROF_TABLE_GMON_LINE)
			continue;
		/* Merging adds that the calls of functions are not all. */
		ck_assert_msg(prof_store_entries(b, table) == count || table == PROF_TABLE_COUNTED,
			"%s", prof_schema[i].name);
		for (; column->name; column++) {
			bool any = false;
			for (size_t j = table == PROF_TABLE_PATH; j < count; j++)
				any |= same_column(a, b, table, column, j);
			ck_assert_msg(any, "%s.%s", prof_schema[i].name, column->name);
		}
	}
}

/* What has rows in all tables. */
static struct prof_experiment *create_whole(void)
{
	const struct prof_rank_request rank = {1, 2, "MPICH", "7", "a", "k", 5, 6};
	struct prof_experiment *experiment = random_experiment(8, 300);

	ck_assert_ok(prof_rank_add(experiment, &rank));
	const struct prof_mpi_operation operation = {.sample = 1,
		.thread = 1,
		.number = 2,
		.kind = PROF_OPERATION_SEND,
		.rank = 1,
		.peer = 3,
		.tag = 4,
		.comm = 5,
		.bytes = 6,
		.posted = 7,
		.begin = 8,
		.end = 9};
	ck_assert_ok(prof_mpi_operation_add(experiment, &operation));
	return experiment;
}

START_TEST(merging_keeps_every_column)
{
	struct prof_experiment *from = create_whole(), *into;

	ck_assert_ok(prof_experiment_create(&into));
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	assert_same_rows(from, into);
	prof_experiment_destroy(from);
	prof_experiment_destroy(into);
}
END_TEST

START_TEST(files_keep_every_column)
{
	struct prof_experiment *from = create_whole(), *back;

	enter_scratch();
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		void *at = prof_recording_at(&from->recording, field);
		if (field->type == PROF_FIELD_TEXT) {
			free(*(char **)at);
			*(char **)at = strdup(field->name);
		} else if (field->type == PROF_FIELD_RATE) {
			*(double *)at = 1.5 + (double)i;
		} else {
			*(int64_t *)at = 1 + (int64_t)i;
		}
	}
	ck_assert_ok(prof_store_save("x", from, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &back));
	assert_same_rows(from, back);
	assert_same_recording(&from->recording, &back->recording);
	prof_experiment_destroy(from);
	prof_experiment_destroy(back);
}
END_TEST

RUN_TESTS("entries", merging_keeps_every_column, files_keep_every_column)
