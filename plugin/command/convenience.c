/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/convenience.h"

#include "base/time_unit.h"
#include "metric/filter.h"
#include "metric/fragment.h"
#include "metric/functions.h"
#include "metric/names.h"
#include "metric/profile.h"
#include "metric/selection.h"
#include "metric/stops.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/samples.h"
#include "plugin/command/since.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/methods.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"
#include "plugin/session/session.h"
#include "report/sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last result: a condition asks again and again, and often nothing has changed. */
static struct {
	int64_t start;             /* start of the recording, which no other has */
	struct prof_metric metric; /* its title must not be used: it may be freed */
	uint64_t samples;          /* changes of them */
	uint64_t changes;          /* of other rows that were there */
	size_t count;              /* functions that there were */
	uint64_t version;          /* of the stacks */
	int64_t since;             /* time of the stop that samples are later than; -1: none */
	struct prof_profile *profile;
	struct prof_functions *functions;
} known;

/* Which samples count: those since the stop NUMBER stops ago, at TIME; or all, where that is -1. */
struct since {
	uint64_t number;
	int64_t time;
};

static const struct since always = {.time = -1};

static void selection_auto(struct prof_selection **selection)
{
	prof_selection_destroy(*selection);
}

static struct prof_error *select_since(const struct prof_experiment *experiment,
	const struct since *since, struct prof_selection **ret)
{
	char stop[32];
	const struct prof_filter filter = {{[PROF_CONDITION_SINCE] = stop}};

	if (since->time < 0)
		return NULL;
	snprintf(stop, sizeof stop, "stop:%" PRIu64, since->number);
	return prof_selection_create(experiment, &filter, ret);
}

static struct prof_error *work_out(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct since *since)
{
	PROF_AUTO(selection_auto) struct prof_selection *selection = NULL;
	struct prof_profile_request request = {.metric = &known.metric};
	uint64_t version = session_stacks_version(PROF_STACKS_USER);
	bool same = !strcmp(known.metric.name, metric->name) && known.version == version &&
		known.since == since->time;

	if (known.functions && known.start == experiment->recording.start && known.start && same &&
		known.samples == experiment->samples.changes &&
		known.changes == experiment->changes && known.count == experiment->functions.count)
		return NULL;
	prof_functions_destroy(known.functions);
	prof_profile_destroy(known.profile);
	known.functions = NULL;
	known.profile = NULL;
	known.metric = *metric;
	known.since = since->time;
	struct prof_error *error = select_since(experiment, since, &selection);
	request.selection = selection;
	if (!error)
		error = prof_profile_create(experiment, &request, NULL, &known.profile);
	if (!error)
		error = prof_functions_create(known.profile, &known.functions);
	known.start = experiment->recording.start;
	known.samples = experiment->samples.changes;
	known.changes = experiment->changes;
	known.count = experiment->functions.count;
	known.version = version;
	return error;
}

/* The metric of all functions in FOUND together: each sample counts once. */
static struct prof_error *measure(const bool *found, size_t count, bool inclusive, prof_value *ret)
{
	const struct prof_functions *functions = known.functions;
	const struct prof_fragment_request request = {&found, 1};
	struct prof_fragment *fragment;

	*ret = 0;
	for (size_t i = 0; i < functions->count && (!inclusive || count == 1); i++) {
		if (found[i])
			*ret += inclusive ? functions->inclusive[i] : functions->exclusive[i];
	}
	if (!inclusive || count <= 1)
		return NULL;
	struct prof_error *error = prof_fragment_create(known.profile, &request, &fragment);
	if (error)
		return error;
	*ret = fragment->inclusive;
	prof_fragment_destroy(fragment);
	return NULL;
}

/* The same of samples SINCE, of EXPERIMENT. */
static struct prof_error *measure_in(const struct prof_experiment *experiment, const char *name,
	const char *asked, bool inclusive, const struct since *since, double *ret)
{
	struct prof_metric metric;
	prof_value sum = 0;
	size_t functions = prof_experiment_functions(experiment);
	AUTO_FREE bool *found = calloc(functions + 1, sizeof *found);
	struct prof_error *error = found ? NULL : prof_error_nomem();

	if (asked && !error)
		error = prof_metric_find(experiment, asked, &metric);
	else
		prof_metric_default(experiment, &metric);
	if (!error)
		error = work_out(experiment, &metric, since);
	if (!error && !strcmp(name, PROF_SHEET_TOTAL))
		sum = known.profile->inclusive[0];
	else if (!error)
		error = measure(
			found, prof_names_find(experiment, NULL, name, found), inclusive, &sum);
	if (!error)
		*ret = prof_value_double(sum) / (double)metric.units;
	return error;
}

/* Is there anything at hand? */
static bool has_experiment(void)
{
	bool any = session_peek();

	session_return();
	return any;
}

struct prof_error *convenience_measure(
	const char *name, const char *asked, bool inclusive, double *ret)
{
	const struct prof_experiment *experiment;

	*ret = 0;
	if (!has_experiment())
		return NULL;
	struct prof_error *error = session_borrow_stacks(PROF_STACKS_USER, NULL, &experiment);
	if (error)
		return error;
	error = measure_in(experiment, name, asked, inclusive, &always, ret);
	session_return();
	return error;
}

/*
 * Sets *RET to the inclusive metric ASKED of NAME since the last stop, or, where NAME is NULL, to
 * the seconds that the program has run since; 0 if it has not run since the recording began.
 */
static struct prof_error *measure_since(const char *name, const char *asked, double *ret)
{
	const struct prof_experiment *experiment;
	struct prof_stop_span stretch;
	struct since since = {.number = since_number(1)};

	*ret = 0;
	if (!has_experiment())
		return NULL;
	struct prof_error *error = session_borrow_stacks(PROF_STACKS_USER, NULL, &experiment);
	if (error)
		return error;
	error = prof_stops_since(experiment, since.number, &stretch);
	if (!error && !name) {
		int64_t begin = stretch.begin->usage.figures[PROF_USAGE_RUNNING];
		*ret = (double)(experiment->recording.duration - (begin > 0 ? begin : 0)) /
			PROF_NS_PER_SECOND;
	} else if (!error) {
		since.time = stretch.begin->time;
		error = measure_in(experiment, name, asked, true, &since, ret);
	} else if (prof_error_code(error) == PROF_ERROR_MISSING && experiment->marks.count) {
		prof_error_destroy(error);
		error = NULL;
	}
	session_return();
	return error;
}

/* The text of ARGUMENTS' item INDEX, a gdb.Value, as a new reference; NULL: an exception. */
static PyObject *string_of(PyObject *arguments, Py_ssize_t index)
{
	PyObject *value = PyTuple_GetItem(arguments, index);

	return value ? methods_value_text(value) : NULL;
}

/* The value of a function with ARGUMENTS: a name, and a metric unless it is the default. */
static PyObject *measure_call(PyObject *arguments, bool inclusive)
{
	Py_ssize_t count = PyTuple_Size(arguments);
	double sum = 0;

	if (count != 1 && count != 2)
		return host_raise(prof_error_create(PROF_ERROR_USAGE,
			"%s takes the name of a function and, if you like, the name of a metric.",
			inclusive ? "$_prof_inclusive" : "$_prof_exclusive"));
	AUTO_PY PyObject *name = string_of(arguments, 0);
	AUTO_PY PyObject *of = name && count == 2 ? string_of(arguments, 1) : NULL;
	const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
	const char *of_text = of ? PyUnicode_AsUTF8AndSize(of, NULL) : NULL;

	if (!text || (count == 2 && !of_text))
		return host_raise(host_error());
	struct prof_error *error = convenience_measure(text, of_text, inclusive, &sum);
	return error ? host_raise(error) : PyFloat_FromDouble(sum);
}

static PyObject *invoke_inclusive(PyObject *self, PyObject *arguments)
{
	(void)self;
	return measure_call(arguments, true);
}

static PyObject *invoke_exclusive(PyObject *self, PyObject *arguments)
{
	(void)self;
	return measure_call(arguments, false);
}

/* Reads ARGUMENTS of NAME, at most MOST texts, into TEXTS; those not given are NULL. */
static bool read_texts(PyObject *arguments, const char *name, Py_ssize_t most, PyObject **objects,
	const char **texts)
{
	Py_ssize_t count = PyTuple_Size(arguments);

	if (count > most) {
		host_raise(prof_error_create(PROF_ERROR_USAGE,
			"%s has too many arguments; see \"help function %s\".", name, name + 2));
		return false;
	}
	for (Py_ssize_t i = 0; i < count; i++) {
		objects[i] = string_of(arguments, i);
		texts[i] = objects[i] ? PyUnicode_AsUTF8AndSize(objects[i], NULL) : NULL;
		if (!texts[i]) {
			host_raise(host_error());
			return false;
		}
	}
	return true;
}

/* The value of the function NAME: the inclusive METRIC of a function, or of all of them. */
static PyObject *measure_metric(PyObject *arguments, const char *name, const char *metric)
{
	AUTO_PY PyObject *object = NULL;
	const char *text = NULL;
	double value = 0;

	if (!read_texts(arguments, name, 1, &object, &text))
		return NULL;
	struct prof_error *error =
		convenience_measure(text ? text : PROF_SHEET_TOTAL, metric, true, &value);
	return error ? host_raise(error) : PyFloat_FromDouble(value);
}

/* Implementation of $_prof_seconds ([function]) -> seconds of CPU time. */
static PyObject *invoke_seconds(PyObject *self, PyObject *arguments)
{
	(void)self;
	return measure_metric(arguments, "$_prof_seconds", "cpu");
}

/* Implementation of $_prof_live_bytes ([function]) -> bytes that were not freed. */
static PyObject *invoke_live_bytes(PyObject *self, PyObject *arguments)
{
	(void)self;
	return measure_metric(arguments, "$_prof_live_bytes", "leaked");
}

/* Implementation of $_prof_since ([function [, metric]]) -> seconds, or a metric. */
static PyObject *invoke_since(PyObject *self, PyObject *arguments)
{
	PyObject *objects[2] = {NULL, NULL};
	const char *texts[2] = {NULL, NULL};
	double value = 0;
	bool read = read_texts(arguments, "$_prof_since", 2, objects, texts);
	struct prof_error *error = read ? measure_since(texts[0], texts[1], &value) : NULL;

	(void)self;
	for (size_t i = 0; i < PROF_COUNT(objects); i++)
		Py_XDECREF(objects[i]);
	if (!read)
		return NULL;
	return error ? host_raise(error) : PyFloat_FromDouble(value);
}

/* Implementation of $_prof_samples () -> the number of samples. */
static PyObject *invoke_samples(PyObject *self, PyObject *arguments)
{
	const struct prof_experiment *experiment = session_peek();
	prof_value sum = experiment ? experiment->samples.totals[PROF_QUANTITY_SAMPLES] : 0;

	(void)self;
	(void)arguments;
	session_return();
	return PyFloat_FromDouble(prof_value_double(sum));
}

/* Implementation of $_prof_mark (label) -> 1, or 0 if nothing is being recorded. */
static PyObject *invoke_mark(PyObject *self, PyObject *arguments)
{
	(void)self;
	if (PyTuple_Size(arguments) > 1)
		return host_raise(prof_error_create(
			PROF_ERROR_USAGE, "$_prof_mark takes one label or nothing."));
	AUTO_PY PyObject *label =
		PyTuple_Size(arguments) ? string_of(arguments, 0) : PyUnicode_FromString("");
	const char *text = label ? PyUnicode_AsUTF8AndSize(label, NULL) : NULL;

	if (!text)
		return host_raise(host_error());
	if (!session_records())
		return PyLong_FromLong(0);
	AUTO_TEXT struct prof_text said = {0};
	struct prof_error *error = session_mark(text, &said);
	return error ? host_raise(error) : PyLong_FromLong(1);
}

/* The table; ends with a row without a name. */
static struct {
	const char *name, *describe;
	PyMethodDef methods[2];
} rows[] = {
	{"_prof_inclusive",
		"Return the inclusive metric of a function in the experiment at hand.\n"
		"Usage: $_prof_inclusive (\"FUNCTION\" [, \"METRIC\"])\n\n"
		"The METRIC is a name that prof-metrics lists, by default \"samples\"; times are in\n"
		"seconds.  The value is 0 if no sample has FUNCTION, or nothing was recorded.  The\n"
		"FUNCTION \"<Total>\" stands for all functions together.",
		{{"invoke", invoke_inclusive, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_exclusive",
		"Return the exclusive metric of a function in the experiment at hand.\n"
		"Usage: $_prof_exclusive (\"FUNCTION\" [, \"METRIC\"])\n\n"
		"The METRIC is a name that prof-metrics lists, by default \"samples\"; times are in\n"
		"seconds.  The value is 0 if no sample has FUNCTION, or nothing was recorded.  The\n"
		"FUNCTION \"<Total>\" stands for all functions together.",
		{{"invoke", invoke_exclusive, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_seconds",
		"Return the CPU time in seconds that a function and all that it called have taken.\n"
		"Usage: $_prof_seconds ([\"FUNCTION\"])\n\n"
		"Without FUNCTION it is the CPU time of the whole program.  The value is 0 if no\n"
		"sample has FUNCTION, or nothing was recorded.  This is the metric \"cpu\".",
		{{"invoke", invoke_seconds, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_live_bytes",
		"Return the number of bytes that were allocated and not freed.\n"
		"Usage: $_prof_live_bytes ([\"FUNCTION\"])\n\n"
		"With FUNCTION, those that it and all that it called have allocated.  The value is 0\n"
		"unless prof-start --heap records allocations.  This is the metric \"leaked\".",
		{{"invoke", invoke_live_bytes, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_since",
		"Return what the program has done since its last stop.\n"
		"Usage: $_prof_since ([\"FUNCTION\" [, \"METRIC\"]])\n\n"
		"Without arguments it is the time in seconds that the program has run.  With FUNCTION\n"
		"it is its inclusive METRIC, as that of $_prof_inclusive.  While the program stands at a\n"
		"stop, the stop before counts, as for prof-since.  This needs \"set prof mark-stops\".",
		{{"invoke", invoke_since, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_samples",
		"Return the number of samples in the experiment at hand.\n"
		"Usage: $_prof_samples ()\n\n"
		"The value is 0 if nothing was recorded or loaded.",
		{{"invoke", invoke_samples, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_mark",
		"Mark this point in time of the recording, as prof-mark does.\n"
		"Usage: $_prof_mark ([\"LABEL\"])\n\n"
		"The value is 1, or 0 if nothing is being recorded.",
		{{"invoke", invoke_mark, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{NULL, NULL, {{NULL, NULL, 0, NULL}}},
};

bool convenience_register(void)
{
	for (size_t i = 0; rows[i].name; i++) {
		if (!type_add_function(
			    "_prof.Function", rows[i].name, rows[i].methods, rows[i].describe))
			return false;
	}
	return true;
}
