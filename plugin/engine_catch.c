/*
 * The engine for a GDB whose import slots can't be used: documented means only.
 *
 * A catchpoint for the tick's signal has a condition, the function $_prof_tick(), which samples and
 * answers 0, so that GDB goes on.  GDB itself walks the frames.  It costs twice as much as the stop
 * engine, and `info breakpoints` shows the catchpoint.
 *
 * A tick that comes in the middle of stepi or nexti ends it, so that the thread may not have moved:
 * GDB takes the catchpoint for the end of the step.
 */
#include "plugin/engine.h"

#include "plugin/host.h"
#include "sample/mappings.h"
#include "target/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* $_prof_tick() is called without a context: there is one of these. */
static struct {
	struct engine_request request;
	uint64_t *frames;
	char *handling;	 /* how GDB treated the signal before: "nostop noprint pass" */
	long catchpoint; /* its number, 0: none */

	struct prof_ticker *ticker; /* NULL: there is no process */
	struct prof_process process;
	struct prof_target target;
	bool maps_told; /* the recorder knows what is mapped */
} catcher;

/* Executes COMMAND, and does not want to know what it prints. */
static struct prof_error *quietly(const char *command)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	return host_execute(command, &text);
}

/*
 * How GDB treats SIGURG now, as `handle` would be told, from a table row of `info signals`:
 * "SIGURG        No	No	Yes		Urgent I/O condition".
 */
static struct prof_error *read_handling(char **ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	struct prof_error *error = host_execute("info signals SIGURG", &text);
	char stop[8], print[8], pass[8];
	char *handling;

	if (error)
		return error;
	const char *row = strstr(prof_text_get(&text), "\nSIGURG");
	if (!row || sscanf(row, " SIGURG %7s %7s %7s", stop, print, pass) != 3)
		return prof_error_create(
			PROF_ERROR_UNSUPPORTED, "This GDB does not tell how it handles SIGURG.");
	if (asprintf(&handling, "handle SIGURG %s %s %s", stop[0] == 'Y' ? "stop" : "nostop",
		    print[0] == 'Y' ? "print" : "noprint", pass[0] == 'Y' ? "pass" : "nopass") < 0)
		return prof_error_nomem();
	*ret = handling;
	return NULL;
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

/* Sets the catchpoint; the user's $bpnum stays as it was. */
static struct prof_error *set_catchpoint(void)
{
	char command[64];
	long before = breakpoint_number();
	struct prof_error *error = quietly("catch signal SIGURG");

	if (error)
		return error;
	catcher.catchpoint = breakpoint_number();
	snprintf(command, sizeof command, "condition %ld $_prof_tick()", catcher.catchpoint);
	error = quietly(command);
	if (!error) {
		if (before)
			snprintf(command, sizeof command, "set $bpnum = %ld", before);
		error = quietly(before ? command : "set $bpnum = (void) 0");
	}
	return error;
}

static void delete_catchpoint(void)
{
	char command[32];

	snprintf(command, sizeof command, "delete %ld", catcher.catchpoint);
	/* The user may have deleted it before. */
	host_forget(quietly(command));
	catcher.catchpoint = 0;
}

/* The user may have deleted or disabled all breakpoints, and ours with them. */
static void keep_catchpoint(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	char command[64];

	snprintf(command, sizeof command, "info breakpoints %ld", catcher.catchpoint);
	struct prof_error *error = host_execute(command, &text);
	bool refused = error;
	host_forget(error);
	if (refused || !strstr(prof_text_get(&text), "$_prof_tick")) {
		host_forget(set_catchpoint());
		return;
	}
	snprintf(command, sizeof command, "enable %ld", catcher.catchpoint);
	host_forget(quietly(command));
}

/* Tells the recorder what is mapped, if that has changed. */
static void tell_maps(void)
{
	struct prof_maps maps = {0};

	if (catcher.maps_told)
		return;
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, catcher.process.pid);
	if (!error)
		prof_mappings_put(catcher.request.queue, catcher.process.pid, &catcher.target, &maps);
	prof_maps_deinit(&maps);
	catcher.maps_told = true;
}

void engine_catch_tick(void)
{
	struct prof_record record = {.kind = PROF_RECORD_LOOK};
	size_t depth = catcher.request.max_depth;
	bool whole = true;
	int note;
	pid_t thread = host_thread();

	if (!catcher.ticker || !prof_ticker_meet(catcher.ticker, thread, SIGURG, &note))
		return;
	tell_maps();
	struct prof_error *error = host_walk(catcher.frames, &depth, &whole);
	bool failed = error;
	/* A Ctrl-C is meant for the program. */
	host_forget(error);
	prof_ticker_settle(catcher.ticker, thread, &record.look);
	record.look.depth = (uint32_t)depth;
	record.look.end = failed ? PROF_STACK_FAILED :
		whole		 ? PROF_STACK_WHOLE :
				   PROF_STACK_TRUNCATED;
	record.size = (uint32_t)(depth * sizeof *catcher.frames);
	prof_queue_put(catcher.request.queue, &record, catcher.frames);
}

static struct prof_error *catch_available(void)
{
	return NULL; /* GDB has had catch signal since 7.6 */
}

static void catch_detach(void)
{
	prof_ticker_destroy(catcher.ticker);
	catcher.ticker = NULL;
}

static void catch_stop(void)
{
	catch_detach();
	if (catcher.catchpoint)
		delete_catchpoint();
	if (catcher.handling)
		host_forget(quietly(catcher.handling));
	free(catcher.handling);
	catcher.handling = NULL;
}

static struct prof_error *catch_start(const struct engine_request *request)
{
	free(catcher.frames);
	catcher.frames = malloc(request->max_depth * sizeof *catcher.frames);
	if (!catcher.frames)
		return prof_error_nomem();
	catcher.request = *request;
	struct prof_error *error = read_handling(&catcher.handling);
	if (!error)
		error = quietly("handle SIGURG nostop noprint nopass");
	if (!error)
		error = set_catchpoint();
	if (error)
		catch_stop();
	return error;
}

static struct prof_error *catch_attach(pid_t process)
{
	struct prof_ticker_options options = {
		.process = process,
		.rate = catcher.request.rate,
		.max_stopped = catcher.request.max_stopped,
		.discover = true,
		.signal = SIGURG,
		.queue = catcher.request.queue,
	};

	prof_process_init(&catcher.process, process);
	catcher.target = prof_process_target(&catcher.process);
	catcher.maps_told = false;
	return prof_ticker_create(&options, &catcher.ticker);
}

static void catch_release(void)
{
	if (!catcher.ticker)
		return;
	keep_catchpoint();
	prof_ticker_release(catcher.ticker);
}

static void catch_hold(void)
{
	if (catcher.ticker)
		prof_ticker_hold(catcher.ticker);
}

static void catch_objects_changed(void)
{
	catcher.maps_told = false;
}

static void catch_tell(void)
{
	if (catcher.ticker)
		prof_ticker_tell(catcher.ticker);
}

const struct engine engine_catch = {
	.name = "catch",
	.describe = "Catch the tick's signal by a catchpoint with a condition; GDB walks the frames.",
	.unwinder = "gdb",
	.available = catch_available,
	.start = catch_start,
	.attach = catch_attach,
	.release = catch_release,
	.hold = catch_hold,
	.objects_changed = catch_objects_changed,
	.detach = catch_detach,
	.stop = catch_stop,
	.tell = catch_tell,
};
