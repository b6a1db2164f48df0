/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tests make files of versions before 9, which have a row for each sample. */
#ifndef PROF_TESTS_EXPERIMENT_OLD_H
#define PROF_TESTS_EXPERIMENT_OLD_H

#include "base/text.h"
#include "experiment_hostile.h"
#include "store/schema.h"

/* Adds what makes the row of `sample` that ROW was. */
static inline void print_old_row(const struct prof_sample_row *row, struct prof_text *sql)
{
	const struct prof_sample *sample = &row->sample;

	prof_text_print(sql, "INSERT INTO sample VALUES (%u,%lld,%u,%u,%d", row->number,
		(long long)sample->time, sample->thread, sample->path,
		sample->state == PROF_STATE_TEXT ? PROF_STATE_FAULT : sample->state);
	for (int i = 0; i < PROF_QUANTITY_SPENT + PROF_STATE_TEXT; i++)
		prof_text_print(sql, ",%lld,%d", (long long)(row->values[i] / PROF_VALUE_ONE),
			(int)(row->values[i] % PROF_VALUE_ONE));
	prof_text_print(sql, ");");
}

/* And of the tables beside it. */
static inline void print_old_parts(const struct prof_sample_row *row, struct prof_text *sql)
{
	prof_value text = row->values[PROF_QUANTITY_SPENT + PROF_STATE_TEXT];

	prof_text_print(sql, "INSERT INTO cpu VALUES (%u,%d);", row->number, row->sample.cpu - 1);
	prof_text_print(sql, "INSERT INTO text_fault VALUES (%u,%d,%lld,%d);", row->number,
		row->sample.state == PROF_STATE_TEXT, (long long)(text / PROF_VALUE_ONE),
		(int)(text % PROF_VALUE_ONE));
	for (int i = 0; i < PROF_EVENTS; i++) {
		prof_value value = row->values[PROF_QUANTITY_EVENT + i];
		if (value)
			prof_text_print(sql,
				"INSERT OR REPLACE INTO event_sample VALUES (%u,%d,%lld);",
				row->number, i, (long long)(value / PROF_VALUE_ONE));
	}
	prof_text_print(sql, "INSERT OR IGNORE INTO event_sample SELECT %u,0,0 FROM event LIMIT 1;",
		row->number);
}

/* Makes the file PATH, which has EXPERIMENT, one of version 8, without what later ones have
 * besides. */
static inline void make_old(const char *path, const struct prof_experiment *experiment)
{
	AUTO_CURSOR struct prof_cursor cursor = {.experiment = experiment};
	AUTO_TEXT struct prof_text sql = {0};

	prof_text_print(&sql, "BEGIN; DROP TABLE sample_block; PRAGMA user_version=8;");
	for (int i = PROF_TABLE_DATA; i < PROF_TABLES; i++)
		prof_text_print(&sql, "DROP TABLE IF EXISTS %s;", prof_schema[i].name);
	while (prof_cursor_next(&cursor)) {
		print_old_row(&cursor.row, &sql);
		print_old_parts(&cursor.row, &sql);
	}
	prof_text_print(&sql, "COMMIT");
	tamper(path, prof_text_get(&sql));
}

/* The same as write_random(), of version 8. */
static inline void write_old_random(const char *path, size_t count)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, count);

	write_random(path, count);
	make_old(path, experiment);
}

#endif
