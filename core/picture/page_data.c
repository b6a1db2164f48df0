/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/page_data.h"

#include "base/file.h"
#include "base/map.h"
#include "metric/calltree.h"
#include "metric/items.h"
#include "metric/metric.h"
#include "metric/names.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "picture/page.h"
#include "report/json.h"
#include "report/sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	METRICS_MOST = 64, /* a sample's are the bits of a number */
	NS_PER_US = 1000,
};

/* What the tables are made of. */
struct data {
	const struct prof_page *page;
	const struct prof_experiment *experiment;
	struct prof_items items;
	struct prof_calltree tree;
	uint32_t *nodes; /* by path: its node */
	PROF_ARRAY(struct prof_metric) metrics;
	PROF_ARRAY(uint32_t) files;  /* strings */
	struct prof_map file_index;  /* string -> number in the files */
	PROF_ARRAY(uint64_t) shapes; /* bits: the metrics that samples have values of */
	struct prof_text columns[5]; /* of samples: node, thread, time, state, shape */
	struct prof_text values;     /* of samples */
	int64_t time;                /* us: of the sample before */
	struct prof_text *text;
};

static const char *const sample_columns[] = {"node", "thread", "time", "state", "shape"};

static void data_deinit(struct data *data)
{
	prof_items_deinit(&data->items);
	prof_calltree_deinit(&data->tree);
	free(data->nodes);
	free(data->metrics.items);
	free(data->files.items);
	prof_map_deinit(&data->file_index);
	free(data->shapes.items);
	for (size_t i = 0; i < PROF_COUNT(data->columns); i++)
		prof_text_deinit(&data->columns[i]);
	prof_text_deinit(&data->values);
}

/* Adds NAME, as a terminal shows it, as a string. */
static struct prof_error *print_name(struct data *data, const char *name)
{
	AUTO_TEXT struct prof_text shown = {0};

	prof_text_name(&shown, name);
	struct prof_error *error = prof_text_error(&shown);
	return error ? error : prof_json_string(prof_text_get(&shown), data->text);
}

/* The node below PARENT for FRAME; of the items at its place, the outermost comes first. */
static struct prof_error *add_frame(
	struct data *data, uint32_t parent, uint32_t frame, uint32_t *ret)
{
	struct prof_error *error = NULL;

	for (uint32_t i = prof_items_depth(&data->items, frame); !error && i-- > 0;) {
		uint32_t item;
		error = prof_items_of(&data->items, frame, i, &item);
		if (!error)
			error = prof_calltree_child(&data->tree, parent, item, &parent);
	}
	*ret = parent;
	return error;
}

/* Gives each path its node; the empty one gets its node when it is met. */
static struct prof_error *build_tree(struct data *data)
{
	const struct prof_path *paths = data->experiment->paths.items;
	size_t count = data->experiment->paths.count;
	struct prof_error *error = prof_calltree_init(&data->tree);

	data->nodes = calloc(count, sizeof *data->nodes);
	if (!error && !data->nodes)
		error = prof_error_nomem();
	for (size_t i = 1; !error && i < count; i++)
		error = add_frame(
			data, data->nodes[paths[i].parent], paths[i].frame, &data->nodes[i]);
	return error;
}

/* The node where stacks of PATH end. */
static struct prof_error *node_of(struct data *data, uint32_t path, uint32_t *ret)
{
	struct prof_error *error = NULL;

	*ret = data->nodes[path];
	if (!*ret) {
		uint32_t item;
		error = prof_items_of_nothing(&data->items, &item);
		if (!error)
			error = prof_calltree_child(&data->tree, 0, item, ret);
	}
	return error;
}

/* Lists the metrics that have values. */
static struct prof_error *list_metrics(struct data *data)
{
	const struct prof_sheet *sheet = data->page->sheet;
	struct prof_metric metric;
	size_t place = 0;

	while (data->metrics.count < METRICS_MOST &&
		prof_metric_next(data->experiment, &place, &metric)) {
		AUTO_FREE prof_value *values = NULL;
		struct prof_error *error = prof_metric_by_thread(
			data->experiment, &metric, sheet->selection, sheet->progress, &values);
		if (error)
			return error;
		prof_value total = 0;
		for (size_t i = 0; i < data->experiment->threads.count; i++)
			total += values[i];
		if (!total)
			continue;
		struct prof_metric *kept = prof_array_push(&data->metrics);
		if (!kept)
			return prof_error_nomem();
		*kept = metric;
	}
	return NULL;
}

/* The number of the shape with these BITS, added if new. */
static struct prof_error *shape_of(struct data *data, uint64_t bits, size_t *ret)
{
	for (*ret = 0; *ret < data->shapes.count; ++*ret) {
		if (data->shapes.items[*ret] == bits)
			return NULL;
	}
	uint64_t *shape = prof_array_push(&data->shapes);
	if (!shape)
		return prof_error_nomem();
	*shape = bits;
	return NULL;
}

/* Adds the number VALUE to the array TEXT. */
static void add_number(struct prof_text *text, int64_t value)
{
	prof_text_print(text, "%s%" PRId64, text->length ? "," : "", value);
}

/* Adds the values of ROW; *RET gets the bits of the metrics that it has. */
static void add_values(struct data *data, const struct prof_sample_row *row, uint64_t *ret)
{
	char number[PROF_VALUE_TEXT];

	*ret = 0;
	for (size_t i = 0; i < data->metrics.count; i++) {
		prof_value value = prof_metric_of(data->experiment, &data->metrics.items[i],
			data->page->sheet->selection, row);
		if (!value)
			continue;
		*ret |= UINT64_C(1) << i;
		prof_text_print(&data->values, "%s%s", data->values.length ? "," : "",
			prof_value_print(value, 1, number));
	}
}

static struct prof_error *add_sample(struct data *data, const struct prof_sample_row *row)
{
	uint64_t bits;
	uint32_t node;
	size_t shape;

	add_values(data, row, &bits);
	if (!bits)
		return NULL;
	struct prof_error *error = node_of(data, row->sample.path, &node);
	if (!error)
		error = shape_of(data, bits, &shape);
	if (error)
		return error;
	int64_t time = row->sample.time / NS_PER_US;
	const int64_t columns[] = {
		node - 1, row->sample.thread, time - data->time, row->sample.state, (int64_t)shape};
	data->time = time;
	for (size_t i = 0; i < PROF_COUNT(columns); i++)
		add_number(&data->columns[i], columns[i]);
	return prof_text_error(&data->values);
}

static struct prof_error *add_samples(struct data *data)
{
	const struct prof_sheet *sheet = data->page->sheet;
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = data->experiment,
		.blocks = prof_selection_blocks(sheet->selection),
		.progress = sheet->progress,
		.doing = "Writing samples",
	};
	struct prof_error *error = NULL;

	while (!error && prof_cursor_next(&rows)) {
		if (prof_selection_has(sheet->selection, rows.row.number))
			error = add_sample(data, &rows.row);
	}
	return error ? error : prof_cursor_error(&rows);
}

/* Lists the files that places are in. */
static struct prof_error *list_files(struct data *data)
{
	for (size_t i = 0; i < data->items.lines.count; i++) {
		uint32_t file = data->items.lines.items[i].file;
		if (prof_map_get(&data->file_index, file) != PROF_NONE)
			continue;
		uint32_t *listed = prof_array_push(&data->files);
		if (!listed ||
			!prof_map_add(&data->file_index, file, (uint32_t)data->files.count - 1))
			return prof_error_nomem();
		*listed = file;
	}
	return NULL;
}

/*
 * The columns.  Each function prints the entry number I.
 */

static struct prof_error *print_number(struct data *data, int64_t number)
{
	prof_text_print(data->text, "%" PRId64, number);
	return NULL;
}

static struct prof_error *metric_name(struct data *data, size_t i)
{
	return print_name(data, data->metrics.items[i].name);
}

static struct prof_error *metric_title(struct data *data, size_t i)
{
	return print_name(data, data->metrics.items[i].title);
}

static struct prof_error *metric_unit(struct data *data, size_t i)
{
	return print_name(data, data->metrics.items[i].unit);
}

static struct prof_error *metric_units(struct data *data, size_t i)
{
	return print_number(data, data->metrics.items[i].units);
}

static struct prof_error *module_name(struct data *data, size_t i)
{
	return print_name(data,
		prof_file_base_name(prof_experiment_text(
			data->experiment, data->experiment->modules.items[i].path)));
}

static struct prof_error *function_name(struct data *data, size_t i)
{
	return print_name(data, prof_experiment_function_name(data->experiment, (uint32_t)i));
}

static struct prof_error *function_short(struct data *data, size_t i)
{
	const char *begin;
	size_t length = prof_names_base(
		prof_experiment_function_name(data->experiment, (uint32_t)i), &begin);
	AUTO_FREE char *name = strndup(begin, length);

	return name ? print_name(data, name) : prof_error_nomem();
}

static struct prof_error *function_module(struct data *data, size_t i)
{
	return print_number(
		data, prof_experiment_function_row(data->experiment, (uint32_t)i).module);
}

static struct prof_error *file_name(struct data *data, size_t i)
{
	return print_name(data, prof_experiment_text(data->experiment, data->files.items[i]));
}

static struct prof_error *place_function(struct data *data, size_t i)
{
	return print_number(data, data->items.lines.items[i].function);
}

static struct prof_error *place_file(struct data *data, size_t i)
{
	return print_number(data, prof_map_get(&data->file_index, data->items.lines.items[i].file));
}

static struct prof_error *place_line(struct data *data, size_t i)
{
	return print_number(data, data->items.lines.items[i].line);
}

static struct prof_error *node_parent(struct data *data, size_t i)
{
	return print_number(data, data->tree.nodes.items[i + 1].parent);
}

static struct prof_error *node_place(struct data *data, size_t i)
{
	return print_number(data, data->tree.nodes.items[i + 1].function);
}

static struct prof_error *thread_name(struct data *data, size_t i)
{
	struct prof_thread thread = prof_experiment_thread_row(data->experiment, (uint32_t)i);

	return print_name(data, prof_experiment_text(data->experiment, thread.name));
}

static struct prof_error *thread_id(struct data *data, size_t i)
{
	return print_number(data, prof_experiment_thread_row(data->experiment, (uint32_t)i).id);
}

static struct prof_error *mark_time(struct data *data, size_t i)
{
	return print_number(data, data->experiment->marks.items[i].time / NS_PER_US);
}

static struct prof_error *mark_label(struct data *data, size_t i)
{
	return print_name(data,
		prof_experiment_text(data->experiment, data->experiment->marks.items[i].label));
}

static struct prof_error *state_name(struct data *data, size_t i)
{
	return print_name(data, prof_state_names[i]);
}

/* The metrics of the shape, as an array. */
static struct prof_error *shape_metrics(struct data *data, size_t i)
{
	AUTO_TEXT struct prof_text metrics = {0};

	for (size_t j = 0; j < data->metrics.count; j++) {
		if (data->shapes.items[i] >> j & 1)
			add_number(&metrics, (int64_t)j);
	}
	prof_text_print(data->text, "[%s]", prof_text_get(&metrics));
	return prof_text_error(&metrics);
}

static struct prof_error *source_file(struct data *data, size_t i)
{
	return print_number(data, prof_map_get(&data->file_index, data->page->sources[i].file));
}

static struct prof_error *source_text(struct data *data, size_t i)
{
	return prof_json_string(data->page->sources[i].text, data->text);
}

/* The COUNT entries of the column NAME. */
struct column {
	const char *name;
	size_t count;
	struct prof_error *(*print)(struct data *data, size_t i);
};

static struct prof_error *print_column(struct data *data, const struct column *column)
{
	struct prof_error *error = NULL;

	prof_text_print(data->text, "\"%s\":[", column->name);
	for (size_t i = 0; !error && i < column->count; i++) {
		if (i)
			prof_text_bytes(data->text, ",", 1);
		error = column->print(data, i);
	}
	prof_text_print(data->text, "],\n");
	return error;
}

static struct prof_error *print_columns(struct data *data)
{
	const struct prof_experiment *experiment = data->experiment;
	size_t functions = prof_experiment_functions(experiment);
	size_t places = data->items.lines.count, nodes = data->tree.nodes.count - 1;
	const struct column columns[] = {
		{"metric_name", data->metrics.count, metric_name},
		{"metric_title", data->metrics.count, metric_title},
		{"metric_unit", data->metrics.count, metric_unit},
		{"metric_units", data->metrics.count, metric_units},
		{"module_name", experiment->modules.count, module_name},
		{"function_name", functions, function_name},
		{"function_short", functions, function_short},
		{"function_module", functions, function_module},
		{"file_name", data->files.count, file_name},
		{"place_function", places, place_function},
		{"place_file", places, place_file},
		{"place_line", places, place_line},
		{"node_parent", nodes, node_parent},
		{"node_place", nodes, node_place},
		{"thread_name", experiment->threads.count, thread_name},
		{"thread_id", experiment->threads.count, thread_id},
		{"mark_time", experiment->marks.count, mark_time},
		{"mark_label", experiment->marks.count, mark_label},
		{"state_name", PROF_STATES, state_name},
		{"shape_metrics", data->shapes.count, shape_metrics},
		{"source_file", data->page->source_count, source_file},
		{"source_text", data->page->source_count, source_text},
	};
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < PROF_COUNT(columns); i++)
		error = print_column(data, &columns[i]);
	return error;
}

/* The columns of samples, which were made before. */
static struct prof_error *print_samples(struct data *data)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < PROF_COUNT(data->columns); i++) {
		prof_text_print(data->text, "\"sample_%s\":[", sample_columns[i]);
		prof_text_bytes(
			data->text, prof_text_get(&data->columns[i]), data->columns[i].length);
		prof_text_print(data->text, "],\n");
		error = prof_text_error(&data->columns[i]);
	}
	prof_text_print(data->text, "\"values\":[");
	prof_text_bytes(data->text, prof_text_get(&data->values), data->values.length);
	prof_text_print(data->text, "]");
	return error ? error : prof_text_error(&data->values);
}

struct prof_error *prof_page_data_print(const struct prof_page *page, struct prof_text *text)
{
	const struct prof_sheet *sheet = page->sheet;
	PROF_AUTO(data_deinit)
	struct data data = {.page = page, .experiment = sheet->experiment, .text = text};

	prof_items_init(&data.items, sheet->experiment, PROF_KIND_LINES, sheet->items.inlined);
	struct prof_error *error = build_tree(&data);
	if (!error)
		error = list_metrics(&data);
	if (!error)
		error = add_samples(&data);
	if (!error)
		error = list_files(&data);
	if (error)
		return error;
	prof_text_print(text, "{");
	error = print_columns(&data);
	if (!error)
		error = print_samples(&data);
	prof_text_print(text, ",\n\"title\":");
	if (!error)
		error = print_name(&data, page->title);
	prof_text_print(text, ",\n\"summary\":");
	if (!error)
		error = prof_json_string(page->summary, text);
	prof_text_print(text, "}\n");
	return error ? error : prof_text_error(text);
}
