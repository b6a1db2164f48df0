/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"

#include "base/strings.h"
#include "metric/metric.h"
#include "model/experiment.h"
#include "report/recording.h"

#include <jansson.h>
#include <string.h>

/* Drops a reference when its scope ends. */
static void drop(json_t **json)
{
	json_decref(*json);
}

/* The nearest JSON number: an integer if VALUE / UNITS is one. */
static json_t *number(prof_value value, int64_t units)
{
	prof_value one = (prof_value)units * PROF_VALUE_ONE;
	prof_value whole = value / one;

	if (value % one == 0 && whole >= INT64_MIN && whole <= INT64_MAX)
		return json_integer((json_int_t)whole);
	return json_real(prof_value_double(value) / (double)units);
}

static json_t *string(const char *name)
{
	json_t *json = json_string(name);
	AUTO_TEXT struct prof_text clean = {0};

	if (json)
		return json;
	/* NAME is not UTF-8, or, if cleaning it changes nothing, memory was short. */
	prof_text_name(&clean, name);
	if (clean.failed || !strcmp(prof_text_get(&clean), name))
		return NULL;
	return json_string(prof_text_get(&clean));
}

static json_t *cell_value(const struct prof_table *table, const struct prof_cell *cell)
{
	switch (cell->kind) {
	case PROF_CELL_NAME:
	case PROF_CELL_LINE:
	case PROF_CELL_STYLED:
		return string(cell->name);
	case PROF_CELL_INTEGER:
		return json_integer(cell->integer);
	case PROF_CELL_VALUE:
		return number(cell->value, cell->units ? cell->units : table->units);
	case PROF_CELL_COUNT:
		return number(cell->value, 1);
	case PROF_CELL_REAL:
		return json_real(cell->real);
	case PROF_CELL_EMPTY:
		break;
	}
	return json_null();
}

/* The rows of TABLE as an array, or NULL if memory is short. */
static json_t *rows_of(const struct prof_table *table)
{
	PROF_AUTO(drop) json_t *rows = json_array();
	bool good = rows;

	for (size_t i = 0; good && i < prof_table_rows(table); i++) {
		const struct prof_cell *cells = prof_table_get(table, i);
		json_t *row = json_object();
		good = row && !json_array_append_new(rows, row);
		for (size_t j = 0; good && j < table->width; j++)
			good = !json_object_set_new(
				row, table->columns[j], cell_value(table, &cells[j]));
	}
	return good ? steal(&rows) : NULL;
}

static json_t *rate_reached(const struct prof_recording *recording)
{
	return prof_recording_has_rate(recording) ? json_real(prof_recording_rate(recording))
						  : json_null();
}

static json_t *counter_of(const struct prof_experiment *experiment, const struct prof_event *event)
{
	json_t *counter = json_object();
	const char *name = prof_strings_get(&experiment->strings, event->name);

	if (counter && !json_object_set_new(counter, "name", string(name)) &&
		!json_object_set_new(counter, "unit", json_string(prof_event_units[event->unit])) &&
		!json_object_set_new(counter, "interval", json_integer(event->interval)) &&
		!json_object_set_new(counter, "overflows", json_integer(event->overflows)) &&
		!json_object_set_new(counter, "lost", json_integer(event->lost)))
		return counter;
	json_decref(counter);
	return NULL;
}

/* Adds the counters, if there are any. */
static bool add_counters(json_t *object, const struct prof_experiment *experiment)
{
	PROF_AUTO(drop) json_t *counters = json_array();

	for (size_t i = 0; i < experiment->events.count; i++) {
		const struct prof_event *event = &experiment->events.items[i];
		if (event->unit != PROF_EVENT_SAMPLES &&
			json_array_append_new(counters, counter_of(experiment, event)))
			return false;
	}
	return counters &&
		(!json_array_size(counters) || !json_object_set(object, "counters", counters));
}

/* What readers must know about the recording, as prof_view_heading() prints it. */
static bool add_recording(json_t *object, const struct prof_experiment *experiment)
{
	const struct prof_recording *recording = &experiment->recording;
	bool sum = recording->experiments > 1;

	if (sum &&
		json_object_set_new(
			object, "experiments", json_integer((json_int_t)recording->experiments)))
		return false;
	if (!add_counters(object, experiment))
		return false;
	if (!prof_recording_sampled(recording))
		return true;
	return !json_object_set_new(object, "rate_asked", json_real(recording->rate_asked)) &&
		!json_object_set_new(object, "rate_reached", rate_reached(recording)) &&
		!json_object_set_new(
			object, "ticks_lost", json_integer((json_int_t)recording->ticks_lost)) &&
		!json_object_set_new(
			object, "stopped_percent", json_real(prof_recording_stopped(recording))) &&
		!json_object_set_new(
			object, "delayed_percent", json_real(prof_recording_delayed(recording)));
}

static bool add_metric(json_t *object, const struct prof_metric *metric)
{
	return !json_object_set_new(object, "metric", json_string(metric->name)) &&
		!json_object_set_new(object, "unit", json_string(metric->unit));
}

static bool add_side(json_t *object, const char *key, const struct prof_json_side *side,
	const struct prof_metric *metric)
{
	json_t *part = json_object();

	return part && !json_object_set_new(object, key, part) &&
		!json_object_set_new(part, "file", string(side->file)) &&
		!json_object_set_new(part, "total", number(side->total, metric->units)) &&
		add_recording(part, side->experiment);
}

/* Adds the fields of HEAD. */
static bool add_head(json_t *object, const struct prof_json_head *head)
{
	const struct prof_metric *metric = head->metric;

	if (json_object_set_new(object, "view", json_string(head->view)) ||
		(metric && !add_metric(object, metric)))
		return false;
	if (head->sides)
		return !json_object_set_new(object, "by", json_string(head->by)) &&
			!json_object_set_new(
				object, "normalized", json_boolean(head->normalized)) &&
			add_side(object, "a", &head->sides[0], metric) &&
			add_side(object, "b", &head->sides[1], metric);
	if (metric && json_object_set_new(object, "total", number(head->total, metric->units)))
		return false;
	return !head->experiment || add_recording(object, head->experiment);
}

/*
 * Prints numbers with as many digits in each version of the library: from 2.15 on it would print
 * fewer by default.
 */
enum { FLAGS = JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17) };

/*
 * Takes the text of json_dump_callback().  The library leaves DEL, an ASCII character, as it is; it
 * can only occur in strings.
 */
static int take(const char *bytes, size_t length, void *context)
{
	struct prof_text *text = context;

	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\x7f')
			prof_text_print(text, "\\u007f");
		else
			prof_text_bytes(text, &bytes[i], 1);
	}
	return text->failed ? -1 : 0;
}

struct prof_error *prof_json_print(const struct prof_json_head *head,
	const struct prof_table *const *tables, size_t count, struct prof_text *text)
{
	PROF_AUTO(drop) json_t *object = json_object();
	bool good = object && add_head(object, head);

	for (size_t i = 0; good && i < count; i++)
		good = !json_object_set_new(object, tables[i]->key, rows_of(tables[i]));
	if (!good || json_dump_callback(object, take, text, FLAGS))
		return prof_error_nomem();
	prof_text_bytes(text, "\n", 1);
	return prof_text_error(text);
}

struct prof_error *prof_json_string(const char *name, struct prof_text *text)
{
	PROF_AUTO(drop) json_t *json = string(name);

	if (!json || json_dump_callback(json, take, text, FLAGS | JSON_ENCODE_ANY))
		return prof_error_nomem();
	return NULL;
}
