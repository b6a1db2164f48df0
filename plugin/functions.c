#include "plugin/functions.h"

#include "metric/functions.h"
#include "plugin/host.h"
#include "plugin/session.h"
#include "plugin/type.h"

#include <string.h>

/* What was worked out last: a condition asks again and again, and not always is there more. */
static struct {
	int64_t start; /* of the recording, which no other has */
	const struct prof_metric *metric;
	size_t samples;
	struct prof_functions *functions;
} known;

static struct prof_error *work_out(
	struct prof_experiment *experiment, const struct prof_metric *metric)
{
	const struct prof_profile_request request = {.metric = metric};
	struct prof_profile *profile;

	if (known.functions && known.start == experiment->recording.start && known.start &&
		known.metric == metric && known.samples == experiment->samples.count)
		return NULL;
	struct prof_error *error = prof_profile_create(experiment, &request, NULL, &profile);
	if (error)
		return error;
	prof_functions_destroy(known.functions);
	known.functions = NULL;
	error = prof_functions_create(profile, &known.functions);
	known.start = experiment->recording.start;
	known.metric = metric;
	known.samples = experiment->samples.count;
	prof_profile_destroy(profile);
	return error;
}

/* Adds up METRIC of all functions called NAME; 0 where none was met yet. */
static struct prof_error *add_up(
	const char *name, const struct prof_metric *metric, bool inclusive, double *ret)
{
	bool any = session_peek();
	struct prof_experiment *experiment;
	prof_value sum = 0;

	session_return();
	*ret = 0;
	if (!any)
		return NULL;
	struct prof_error *error = session_borrow(NULL, &experiment);
	if (error)
		return error;
	error = work_out(experiment, metric);
	for (uint32_t i = 0; !error && i < known.functions->count; i++) {
		const struct prof_functions *functions = known.functions;
		if (!strcmp(prof_experiment_function_name(experiment, i), name))
			sum += inclusive ? functions->inclusive[i] : functions->exclusive[i];
	}
	session_return();
	*ret = prof_value_double(sum) / (double)metric->units;
	return error;
}

/* The text of ARGUMENTS' item INDEX, a gdb.Value, as a new reference; NULL: an exception. */
static PyObject *string_of(PyObject *arguments, Py_ssize_t index)
{
	PyObject *value = PyTuple_GetItem(arguments, index);

	return value ? PyObject_CallMethod(value, "string", NULL) : NULL;
}

/* The value of a function of ARGUMENTS: its name, and that of a metric if it is not the first. */
static PyObject *tell(PyObject *arguments, bool inclusive)
{
	Py_ssize_t count = PyTuple_Size(arguments);
	const struct prof_metric *metric = &prof_metrics[0];
	double sum = 0;

	if (count != 1 && count != 2)
		return host_raise(prof_error_create(PROF_ERROR_USAGE,
			"It takes the name of a function, and perhaps that of a metric."));
	AUTO_PY PyObject *name = string_of(arguments, 0);
	AUTO_PY PyObject *of = name && count == 2 ? string_of(arguments, 1) : NULL;
	const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
	const char *of_text = of ? PyUnicode_AsUTF8AndSize(of, NULL) : NULL;

	if (!text || (count == 2 && !of_text))
		return host_raise(host_error());
	struct prof_error *error = of_text ? prof_metric_find(of_text, &metric) : NULL;
	if (!error)
		error = add_up(text, metric, inclusive, &sum);
	return error ? host_raise(error) : PyFloat_FromDouble(sum);
}

static PyObject *invoke_inclusive(PyObject *self, PyObject *arguments)
{
	(void)self;
	return tell(arguments, true);
}

static PyObject *invoke_exclusive(PyObject *self, PyObject *arguments)
{
	(void)self;
	return tell(arguments, false);
}

/* Implementation of $_prof_samples () -> how many samples there are. */
static PyObject *invoke_samples(PyObject *self, PyObject *arguments)
{
	const struct prof_experiment *experiment = session_peek();
	prof_value sum = 0;

	(void)self;
	(void)arguments;
	for (size_t i = 0; experiment && i < experiment->samples.count; i++)
		sum += prof_experiment_value(experiment, PROF_QUANTITY_SAMPLES, i);
	session_return();
	return PyFloat_FromDouble(prof_value_double(sum));
}

/* Implementation of $_prof_mark (label) -> 1, or 0 where nothing is being recorded. */
static PyObject *invoke_mark(PyObject *self, PyObject *arguments)
{
	(void)self;
	if (PyTuple_Size(arguments) > 1)
		return host_raise(
			prof_error_create(PROF_ERROR_USAGE, "It takes a label, or nothing."));
	AUTO_PY PyObject *label =
		PyTuple_Size(arguments) ? string_of(arguments, 0) : PyUnicode_FromString("");
	const char *text = label ? PyUnicode_AsUTF8AndSize(label, NULL) : NULL;

	if (!text)
		return host_raise(host_error());
	if (!session_records())
		return PyLong_FromLong(0);
	struct prof_error *error = session_mark(text);
	return error ? host_raise(error) : PyLong_FromLong(1);
}

/* The table; ends with a row without a name. */
static struct {
	const char *name, *describe;
	PyMethodDef methods[2];
} rows[] = {
	{"_prof_inclusive",
		"Tell the inclusive metric of a function in the experiment at hand.\n"
		"Usage: $_prof_inclusive (\"FUNCTION\" [, \"METRIC\"])\n\n"
		"Samples, or what else METRIC is: times are in seconds.  0 where it was not met.",
		{{"invoke", invoke_inclusive, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_exclusive",
		"Tell the exclusive metric of a function in the experiment at hand.\n"
		"Usage: $_prof_exclusive (\"FUNCTION\" [, \"METRIC\"])\n\n"
		"Samples, or what else METRIC is: times are in seconds.  0 where it was not met.",
		{{"invoke", invoke_exclusive, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_samples",
		"Tell how many samples the experiment at hand has.\n"
		"Usage: $_prof_samples ()",
		{{"invoke", invoke_samples, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{"_prof_mark",
		"Mark this point in time of the recording, as prof-mark does.\n"
		"Usage: $_prof_mark ([\"LABEL\"])\n\n"
		"The value is 1; it is 0 where nothing is being recorded.",
		{{"invoke", invoke_mark, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}}},
	{NULL, NULL, {{NULL, NULL, 0, NULL}}},
};

bool functions_register(void)
{
	for (size_t i = 0; rows[i].name; i++) {
		AUTO_PY PyObject *type = type_create(
			"_prof.Function", "Function", rows[i].methods, rows[i].describe);
		AUTO_PY PyObject *function =
			type ? PyObject_CallFunction(type, "s", rows[i].name) : NULL;
		if (!function)
			return false;
	}
	return true;
}
