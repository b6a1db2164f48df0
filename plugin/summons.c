#include "plugin/summons.h"

#include "plugin/catchpoint.h"
#include "plugin/host.h"
#include "plugin/marks.h"
#include "plugin/type.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GDB is one, and so is the signal. */
static struct {
	char name[24]; /* "": none */
	int number;    /* of which the engine tells; 0: the catchpoint is there instead */
	struct handling before;
	struct catchpoint catchpoint;
} summons;

static void mark(void)
{
	prof_error_destroy(marks_automatic(PROF_MARK_SIGNAL, summons.name));
}

/* Implementation of $_prof_summons () -> 0, so that the catchpoint does not stop. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	(void)self;
	(void)arguments;
	if (*summons.name)
		mark();
	return PyLong_FromLong(0);
}

static PyMethodDef methods[] = {
	{"invoke", invoke, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

bool summons_register(void)
{
	AUTO_PY PyObject *type = type_create("_prof.Summons", "Function", methods,
		"Mark the recording, for prof-start --mark-signal.\n"
		"Usage: $_prof_summons ()\n\n"
		"The condition of the catchpoint that prof-start makes.  The value is 0.");
	AUTO_PY PyObject *function =
		type ? PyObject_CallFunction(type, "s", "_prof_summons") : NULL;

	return function != NULL;
}

/* Writes NAME with its "SIG" into FULL of SIZE bytes. */
static void complete(const char *name, char *full, size_t size)
{
	snprintf(full, size, "%s%s", strncmp(name, "SIG", 3) ? "SIG" : "", name);
}

struct prof_error *summons_check(const char *name)
{
	static const char *const taken[] = {"SIGINT", "SIGTRAP", "SIGKILL", "SIGSTOP", "SIGCONT",
		"SIGURG", "SIGWINCH", "SIGCHLD"};
	char full[sizeof summons.name];
	struct handling handling;

	complete(name, full, sizeof full);
	for (size_t i = 0; i < PROF_COUNT(taken); i++) {
		if (!strcmp(full, taken[i]))
			return prof_error_create(PROF_ERROR_USAGE,
				"%s can't ask for marks: GDB or sampling needs it.", full);
	}
	bool known = strspn(full, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == strlen(full);
	struct prof_error *error = known ? handling_read(full, &handling) : NULL;
	if (known && !error)
		return NULL;
	prof_error_destroy(error);
	return prof_error_create(PROF_ERROR_USAGE,
		"There is no signal \"%s\": --mark-signal takes a name such as SIGUSR2.", name);
}

/* The number of the signal NAME on this machine, as Python knows it, or GDB: "SIG34"; 0: unknown.
 */
static int number_of(const char *name)
{
	AUTO_PY PyObject *module = PyImport_ImportModule("signal");
	AUTO_PY PyObject *value = module ? host_attribute(module, name) : NULL;
	long number = value ? PyLong_AsLong(value) : strtol(name + strlen("SIG"), NULL, 10);

	host_drop();
	return number > 0 && number < NSIG ? (int)number : 0;
}

struct prof_error *summons_watch(const char *name, bool told)
{
	summons_unwatch();
	complete(name, summons.name, sizeof summons.name);
	summons.catchpoint.condition = "$_prof_summons()";
	struct prof_error *error = handling_read(summons.name, &summons.before);
	if (error) {
		*summons.name = '\0';
		return error;
	}
	error = handling_set(summons.name, (struct handling){0});
	summons.number = told ? number_of(summons.name) : 0;
	if (!error && !summons.number)
		error = catchpoint_set(&summons.catchpoint, summons.name);
	if (error)
		summons_unwatch();
	return error;
}

void summons_signalled(int number)
{
	if (number == summons.number && *summons.name)
		mark();
}

void summons_keep(void)
{
	if (*summons.name && !summons.number)
		catchpoint_keep(&summons.catchpoint);
}

void summons_unwatch(void)
{
	if (!*summons.name)
		return;
	catchpoint_delete(&summons.catchpoint);
	host_forget(handling_set(summons.name, summons.before));
	*summons.name = '\0';
}
