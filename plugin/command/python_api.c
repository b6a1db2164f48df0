/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/python_api.h"

#include "base/strings.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "plugin/command/command.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/option/filter.h"
#include "plugin/session/session.h"

#include <stdlib.h>
#include <string.h>

/* The current experiment, and the samples that were asked for. */
struct asked {
	const struct prof_experiment *experiment; /* borrowed until asked_end(); NULL: none */
	struct prof_selection *selection;
	size_t count; /* of the chosen samples */
};

static void asked_end(struct asked *asked)
{
	if (asked->experiment)
		session_return();
	prof_selection_destroy(asked->selection);
}

/*
 * Borrows the experiment, with the stacks that FILTER asks for, options as users type them, and
 * chooses its samples.
 */
static struct prof_error *asked_begin(struct asked *asked, const char *filter)
{
	PROF_AUTO(filter_deinit) struct filter read = {0};
	enum prof_stacks stacks;
	struct prof_error *error = filter_parse(filter, &read, &stacks);

	if (!error)
		error = session_borrow_stacks(stacks, NULL, &asked->experiment);
	if (!error)
		error = prof_selection_create(asked->experiment, &read.filter, &asked->selection);
	if (!error)
		asked->count = asked->selection ? asked->selection->count
						: asked->experiment->samples.count;
	return error;
}

/* A new bytes object of COUNT items of SIZE, to be filled in at *ITEMS; NULL: an exception. */
static PyObject *bytes_of(size_t count, size_t size, void *items)
{
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * size));

	if (bytes)
		*(void **)items = PyBytes_AsString(bytes);
	return bytes;
}

/* Untrusted text as a string; bytes that are not UTF-8 are replaced. */
static PyObject *text_of(const struct prof_experiment *experiment, uint32_t string)
{
	const char *text = prof_strings_get(&experiment->strings, string);

	return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* The names of the functions of FRAME as a tuple, the outermost first; NULL: an exception. */
static PyObject *names_of(const struct prof_experiment *experiment, const struct prof_frame *frame)
{
	AUTO_PY PyObject *names = PyTuple_New((Py_ssize_t)frame->locations);

	for (uint32_t i = 0; names && i < frame->locations; i++) {
		const struct prof_location *location =
			&experiment->locations
				 .items[frame->first_location + frame->locations - 1 - i];
		PyObject *name =
			text_of(experiment, experiment->functions.items[location->function].name);
		if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name))
			return NULL;
	}
	return steal(&names);
}

/*
 * The stacks of EXPERIMENT as (parents, frames, names): the first two by path, of which 0 is the
 * empty stack, and the last by frame; NULL: an exception.
 */
static PyObject *stacks_of(const struct prof_experiment *experiment)
{
	size_t count = experiment->paths.count;
	uint32_t *parents = NULL, *frames = NULL;
	AUTO_PY PyObject *parent = bytes_of(count, sizeof *parents, &parents);
	AUTO_PY PyObject *frame = bytes_of(count, sizeof *frames, &frames);
	AUTO_PY PyObject *names = PyList_New(0);

	if (!parent || !frame || !names)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		parents[i] = experiment->paths.items[i].parent;
		frames[i] = experiment->paths.items[i].frame;
	}
	for (size_t i = 0; i < experiment->frames.count; i++) {
		AUTO_PY PyObject *name = names_of(experiment, &experiment->frames.items[i]);
		if (!name || PyList_Append(names, name))
			return NULL;
	}
	return PyTuple_Pack(3, parent, frame, names);
}

/* Implementation of samples (filter) -> (times in ns, threads, states, paths, stacks). */
static PyObject *samples(PyObject *self, PyObject *arguments)
{
	PROF_AUTO(asked_end) struct asked asked = {0};
	const char *filter;
	int64_t *times = NULL;
	uint32_t *threads = NULL, *paths = NULL;
	uint8_t *states = NULL;
	size_t at = 0;

	(void)self;
	if (!PyArg_ParseTuple(arguments, "s", &filter))
		return NULL;
	struct prof_error *error = asked_begin(&asked, filter);
	if (error)
		return host_raise(error);
	AUTO_PY PyObject *time = bytes_of(asked.count, sizeof *times, &times);
	AUTO_PY PyObject *thread = bytes_of(asked.count, sizeof *threads, &threads);
	AUTO_PY PyObject *state = bytes_of(asked.count, sizeof *states, &states);
	AUTO_PY PyObject *path = bytes_of(asked.count, sizeof *paths, &paths);
	if (!time || !thread || !state || !path)
		return NULL;
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = asked.experiment, .blocks = prof_selection_blocks(asked.selection)};
	while (prof_cursor_next(&rows)) {
		const struct prof_sample *sample = &rows.row.sample;
		if (!prof_selection_has(asked.selection, rows.row.number))
			continue;
		times[at] = sample->time;
		threads[at] = sample->thread;
		states[at] = sample->state;
		paths[at++] = sample->path;
	}
	error = prof_cursor_error(&rows);
	if (error)
		return host_raise(error);
	AUTO_PY PyObject *stacks = stacks_of(asked.experiment);
	return stacks ? PyTuple_Pack(5, time, thread, state, path, stacks) : NULL;
}

/* The metric NAME of EXPERIMENT, or its default if NAME is empty. */
static struct prof_error *find_metric(
	const struct prof_experiment *experiment, const char *name, struct prof_metric *ret)
{
	if (*name)
		return prof_metric_find(experiment, name, ret);
	prof_metric_default(experiment, ret);
	return NULL;
}

/* Implementation of values (metric, filter) -> doubles, one for each sample, times in seconds. */
static PyObject *values(PyObject *self, PyObject *arguments)
{
	PROF_AUTO(asked_end) struct asked asked = {0};
	struct prof_metric metric;
	const char *name, *filter;
	double *numbers = NULL;
	size_t at = 0;

	(void)self;
	if (!PyArg_ParseTuple(arguments, "ss", &name, &filter))
		return NULL;
	struct prof_error *error = asked_begin(&asked, filter);
	if (!error)
		error = find_metric(asked.experiment, name, &metric);
	if (error)
		return host_raise(error);
	AUTO_PY PyObject *bytes = bytes_of(asked.count, sizeof *numbers, &numbers);
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = asked.experiment, .blocks = prof_selection_blocks(asked.selection)};
	while (bytes && prof_cursor_next(&rows)) {
		if (!prof_selection_has(asked.selection, rows.row.number))
			continue;
		prof_value sum = prof_metric_of(asked.experiment, &metric, NULL, &rows.row);
		numbers[at++] = prof_value_double(sum) / (double)metric.units;
	}
	error = prof_cursor_error(&rows);
	return error ? host_raise(error) : steal(&bytes);
}

/* Implementation of sums (metric, filter) -> (doubles, one for each path, stacks). */
static PyObject *sums(PyObject *self, PyObject *arguments)
{
	PROF_AUTO(asked_end) struct asked asked = {0};
	AUTO_FREE prof_value *added = NULL;
	struct prof_metric metric;
	const char *name, *filter;
	double *numbers = NULL;

	(void)self;
	if (!PyArg_ParseTuple(arguments, "ss", &name, &filter))
		return NULL;
	struct prof_error *error = asked_begin(&asked, filter);
	if (!error)
		error = find_metric(asked.experiment, name, &metric);
	if (!error)
		error = prof_metric_by_path(
			asked.experiment, &metric, asked.selection, NULL, &added);
	if (error)
		return host_raise(error);
	size_t count = asked.experiment->paths.count;
	AUTO_PY PyObject *bytes = bytes_of(count, sizeof *numbers, &numbers);
	for (size_t i = 0; bytes && i < count; i++)
		numbers[i] = prof_value_double(added[i]) / (double)metric.units;
	AUTO_PY PyObject *stacks = bytes ? stacks_of(asked.experiment) : NULL;
	return stacks ? PyTuple_Pack(2, bytes, stacks) : NULL;
}

/* Implementation of threads () -> [(id, name), ...]: by the number that samples have. */
static PyObject *threads(PyObject *self, PyObject *unused)
{
	PROF_AUTO(asked_end) struct asked asked = {0};

	(void)self;
	(void)unused;
	struct prof_error *error = asked_begin(&asked, "");
	if (error)
		return host_raise(error);
	AUTO_PY PyObject *list = PyList_New(0);
	for (uint32_t i = 0; list && i < asked.experiment->threads.count; i++) {
		const struct prof_thread thread = prof_experiment_thread_row(asked.experiment, i);
		AUTO_PY PyObject *id = PyLong_FromLongLong(thread.id);
		AUTO_PY PyObject *name = text_of(asked.experiment, thread.name);
		AUTO_PY PyObject *pair = id && name ? PyTuple_Pack(2, id, name) : NULL;
		if (!pair || PyList_Append(list, pair))
			return NULL;
	}
	return steal(&list);
}

/* Implementation of commands () -> [(name, can it print JSON), ...]. */
static PyObject *list_commands(PyObject *self, PyObject *unused)
{
	size_t count;
	const struct command *const *commands = command_rows(&count);
	AUTO_PY PyObject *list = PyList_New(0);

	(void)self;
	(void)unused;
	for (size_t i = 0; list && i < count; i++) {
		if (!command_name_rest(commands[i]->name))
			continue;
		AUTO_PY PyObject *name = PyUnicode_FromString(commands[i]->name);
		AUTO_PY PyObject *json = PyBool_FromLong(command_has_json(commands[i]));
		AUTO_PY PyObject *pair = name && json ? PyTuple_Pack(2, name, json) : NULL;
		if (!pair || PyList_Append(list, pair))
			return NULL;
	}
	return steal(&list);
}

static PyMethodDef rows[] = {
	{"commands", list_commands, METH_NOARGS, NULL},
	{"samples", samples, METH_VARARGS, NULL},
	{"values", values, METH_VARARGS, NULL},
	{"sums", sums, METH_VARARGS, NULL},
	{"threads", threads, METH_NOARGS, NULL},
	{NULL, NULL, 0, NULL},
};

bool python_api_register(PyObject *module)
{
	return !PyModule_AddFunctions(module, rows);
}
