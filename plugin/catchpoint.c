#include "plugin/catchpoint.h"

#include "plugin/host.h"

#include <stdio.h>
#include <string.h>

/* Executes COMMAND, and does not want to know what it prints. */
static struct prof_error *quietly(const char *command)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	return host_execute(command, &text);
}

/* From a table row: "SIGURG        No	No	Yes		Urgent I/O condition". */
struct prof_error *handling_read(const char *signal, struct handling *ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	char command[32], stop[8], print[8], pass[8];

	snprintf(command, sizeof command, "info signals %s", signal);
	struct prof_error *error = host_execute(command, &text);
	if (error)
		return error;
	snprintf(command, sizeof command, "\n%s ", signal);
	const char *row = strstr(prof_text_get(&text), command);
	if (!row || sscanf(row, "%*s %7s %7s %7s", stop, print, pass) != 3)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"This GDB does not tell how it handles %s.", signal);
	*ret = (struct handling){stop[0] == 'Y', print[0] == 'Y', pass[0] == 'Y'};
	return NULL;
}

struct prof_error *handling_set(const char *signal, struct handling handling)
{
	char command[64];

	snprintf(command, sizeof command, "handle %s %sstop %sprint %spass", signal,
		handling.stop ? "" : "no", handling.print ? "" : "no", handling.pass ? "" : "no");
	return quietly(command);
}

/* The number in $bpnum; 0 if there is none. */
static long breakpoint_number(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *value =
		gdb ? PyObject_CallMethod(gdb, "convenience_variable", "s", "bpnum") : NULL;
	AUTO_PY PyObject *number = value && value != Py_None ? PyNumber_Long(value) : NULL;
	long result = number ? PyLong_AsLong(number) : 0;

	host_drop();
	return result;
}

struct prof_error *catchpoint_set(struct catchpoint *catchpoint, const char *signal)
{
	char command[64];
	long before = breakpoint_number();

	snprintf(command, sizeof command, "catch signal %s", signal);
	struct prof_error *error = quietly(command);
	if (error)
		return error;
	catchpoint->signal = signal;
	catchpoint->number = breakpoint_number();
	snprintf(command, sizeof command, "condition %ld $_prof_tick()", catchpoint->number);
	error = quietly(command);
	if (!error) {
		if (before)
			snprintf(command, sizeof command, "set $bpnum = %ld", before);
		error = quietly(before ? command : "set $bpnum = (void) 0");
	}
	return error;
}

/* Executes VERB for its number; false: GDB refuses. */
static bool execute(const struct catchpoint *catchpoint, const char *verb, struct prof_text *text)
{
	char command[64];

	snprintf(command, sizeof command, "%s %ld", verb, catchpoint->number);
	struct prof_error *error = host_execute(command, text);
	bool done = !error;
	host_forget(error);
	return done;
}

void catchpoint_keep(struct catchpoint *catchpoint)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (execute(catchpoint, "info breakpoints", &text) &&
		strstr(prof_text_get(&text), "$_prof_tick")) {
		execute(catchpoint, "enable", &text);
		return;
	}
	host_forget(catchpoint_set(catchpoint, catchpoint->signal));
}

void catchpoint_disable(const struct catchpoint *catchpoint)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	execute(catchpoint, "disable", &text);
}

void catchpoint_delete(struct catchpoint *catchpoint)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	/* The user may have deleted it before. */
	if (catchpoint->number)
		execute(catchpoint, "delete", &text);
	catchpoint->number = 0;
}
