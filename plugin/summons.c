#include "plugin/summons.h"

#include "plugin/catchpoint.h"
#include "plugin/host.h"
#include "plugin/marks.h"
#include "plugin/type.h"

#include <stdio.h>
#include <string.h>

/* GDB is one, and so is the signal. */
static struct {
	char name[24]; /* "": none */
	struct handling before;
	struct catchpoint catchpoint;
} summons;

/* Implementation of $_prof_summons () -> 0, so that the catchpoint does not stop. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	(void)self;
	(void)arguments;
	if (*summons.name)
		host_forget(marks_automatic(PROF_MARK_SIGNAL, summons.name));
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

struct prof_error *summons_watch(const char *name)
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
	if (!error)
		error = catchpoint_set(&summons.catchpoint, summons.name);
	if (error)
		summons_unwatch();
	return error;
}

void summons_keep(void)
{
	if (*summons.name)
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
