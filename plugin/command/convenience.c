/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/convenience.h"

#include "metric/fragment.h"
#include "metric/functions.h"
#include "metric/names.h"
#include "metric/profile.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/methods.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"
#include "plugin/session/session.h"
#include "report/sheet.h"

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
	struct prof_profile *profile;
	struct prof_functions *functions;
} known;

static struct prof_error *work_out(
	const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	const struct prof_profile_request request = {.metric = &known.metric};
	uint64_t version = session_stacks_version(PROF_STACKS_USER);
	bool same = !strcmp(known.metric.name, metric->name) && known.version == version;

	if (known.functions && known.start == experiment->recording.start && known.start && same &&
		known.samples == experiment->samples.changes &&
		known.changes == experiment->changes && known.count == experiment->functions.count)
		return NULL;
	prof_functions_destroy(known.functions);
	prof_profile_destroy(known.profile);
	known.functions = NULL;
	known.profile = NULL;
	known.metric = *metric;
	struct prof_error *error = prof_profile_create(experiment, &request, NULL, &known.profile);
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

struct prof_error *convenience_measure(
	const char *name, const char *asked, bool inclusive, double *ret)
{
	struct prof_metric metric;
	bool any = session_peek();
	const struct prof_experiment *experiment;
	prof_value sum = 0;

	session_return();
	*ret = 0;
	if (!any)
		return NULL;
	struct prof_error *error = session_borrow_stacks(PROF_STACKS_USER, NULL, &experiment);
	if (error)
		return error;
	size_t functions = prof_experiment_functions(experiment);
	AUTO_FREE bool *found = calloc(functions + 1, sizeof *found);
	error = found ? NULL : prof_error_nomem();
	if (asked && !error)
		error = prof_metric_find(experiment, asked, &metric);
	else
		prof_metric_default(experiment, &metric);
	if (!error)
		error = work_out(experiment, &metric);
	if (!error && !strcmp(name, PROF_SHEET_TOTAL))
		sum = known.profile->inclusive[0];
	else if (!error)
		error = measure(
			found, prof_names_find(experiment, NULL, name, found), inclusive, &sum);
	session_return();
	if (!error)
		*ret = prof_value_double(sum) / (double)metric.units;
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
