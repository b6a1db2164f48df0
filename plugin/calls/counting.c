/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/counting.h"

#include "base/clock.h"
#include "plugin/calls/call_breakpoints.h"
#include "plugin/calls/call_reader.h"
#include "plugin/calls/callers.h"
#include "plugin/collect/collector.h"
#include "plugin/calls/counted_functions.h"
#include "plugin/calls/counted_patches.h"
#include "plugin/calls/counting_choice.h"
#include "plugin/calls/counting_ways.h"
#include "plugin/collect/inferiors.h"
#include "plugin/collect/notes.h"
#include "plugin/calls/recorded_calls.h"
#include "plugin/calls/traced_functions.h"
#include "plugin/calls/visits.h"
#include "plugin/collect/request.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/hit_variables.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_stack.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/repeats.h"
#include "plugin/gdb/stepping.h"
#include "sampling/overhead.h"
#include "target/arch.h"
#include "target/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* There is one GDB, so one of these. */
static struct {
	struct prof_queue *queue;
	bool on; /* functions are counted or visited */
	struct prof_overhead overhead;
	bool blind;    /* the engine does not report the program's own signals */
	bool native;   /* registers and memory can be read without GDB */
	bool remote;   /* see callers.h */
	bool later;    /* breakpoints must be set or deleted once the target has stopped */
	bool posted;   /* clean() was posted to GDB */
	bool given_up; /* counting has ended */
	bool met;      /* a call was met at a breakpoint */
} counting;

/* Is anything counted? */
static bool goes_on(void)
{
	return counting.on;
}

/* Only breakpoints need it, so the user's setting remains while there are none. */
static void adapt_stepping(void)
{
	if (call_breakpoints_at(0))
		stepping_change();
	else
		stepping_restore();
}

/* Removes the functions for which IS_OLD holds. */
static void remove_breakpoints(
	bool (*is_old)(const struct call_breakpoint *, const void *context), const void *context)
{
	/* They have other numbers now. */
	if (!call_breakpoints_remove(is_old, context))
		return;
	prof_overhead_begin(&counting.overhead, prof_clock());
	adapt_stepping();
}

/* Must the target be stopped to change breakpoints? */
static bool must_wait(void)
{
	return counting.remote && host_process() && !host_stands_still(host_process());
}

static bool is_refused(const struct call_breakpoint *point, const void *context)
{
	(void)context;
	return point->refused;
}

/* Posted to GDB, because a breakpoint cannot be deleted while it is being reported. */
static PyObject *clean(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	counting.posted = false;
	if (must_wait())
		counting.later = true;
	else
		remove_breakpoints(is_refused, NULL);
	Py_RETURN_NONE;
}

static PyMethodDef clean_method = {"gdbprof", clean, METH_NOARGS, NULL};

static void post_cleaning(void)
{
	if (counting.posted)
		return;
	struct prof_error *error = host_post(&clean_method);
	counting.posted = !error;
	host_forget(error);
}

/* The end of TRACED's calls is not seen either. */
static void refuse_traced(size_t traced)
{
	struct call_breakpoint *point;

	for (size_t i = 0; (point = call_breakpoints_at(i)); i++)
		point->refused |= point->traced == traced;
}

/* POINT's function is called too often: stop counting it in this recording. */
static void refuse(struct call_breakpoint *point, pid_t process)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	counted_functions_refuse(point->name);
	point->refused = true;
	/* Where a traced function is left is in the function, too. */
	callers_report_kind(process, point->address, PROF_ARC_PART);
	if (point->traced != SIZE_MAX)
		refuse_traced(point->traced);
	prof_text_print(&text,
		"%s is called too often: gdbprof stopped %s after %lu calls (\"set prof count-limit\").",
		point->name, point->traced == SIZE_MAX ? "counting" : "tracing", point->calls);
	notes_add(prof_text_get(&text));
	post_cleaning();
}

/* Reads REGISTERS of the selected THREAD.  False: they cannot be read without GDB. */
static bool read_registers(pid_t thread, struct prof_registers *registers)
{
	struct prof_error *error = NULL;

	*registers = (struct prof_registers){0};
	if (counting.native)
		error = prof_process_registers(thread, registers);
	bool good = counting.native && !error;
	prof_error_destroy(error);
	return good;
}

/* THREAD has stopped by SIGNAL, which GDB knows, or will know.  Uses no Python. */
static void signalled(pid_t thread, int signal)
{
	struct prof_registers registers;

	(void)signal;
	if (goes_on() && read_registers(thread, &registers))
		repeats_signal(thread, &registers);
}

static void ticked(void)
{
	if (goes_on())
		signalled(host_thread(), 0);
}

/* THREAD has reached POINT, of a traced function; the stop has cost COST ns. */
static void visit(struct call_breakpoint *point, pid_t process, pid_t thread,
	const struct prof_registers *registers, int64_t cost)
{
	callers_pay(cost);
	if (!registers)
		return;
	point->calls++;
	if (point->exit)
		visits_leave(point->traced, thread, registers);
	else
		visits_enter(point->traced, process, thread, registers);
}

static void reach(struct call_breakpoint *point)
{
	pid_t process = host_process();
	pid_t thread = host_thread();
	pid_t known = counting.remote ? 0 : process;
	struct prof_registers registers;
	bool direct = read_registers(thread, &registers);
	int64_t now = prof_clock();
	uint32_t number;

	/*
	 * A call that GDB makes for the user is not one of the program's.  And in a child that GDB
	 * holds together with its parent, the breakpoints of both are hit.
	 */
	if (point->refused || !inferiors_samples(process) || !host_is_current(point->space))
		return;
	if (point->resolver) {
		if (direct)
			counted_functions_resolve(point, known, thread, &registers);
		return;
	}
	if (direct && repeats_is_one(thread, point->address, &registers))
		return;
	/* GDB sets the breakpoint of a child in its parent, too, which has a patch. */
	if (point->traced == SIZE_MAX && counted_patches_has(point->address))
		return;
	counting.met = true;
	int64_t cost = prof_overhead_pay(&counting.overhead,
		(uint32_t)call_breakpoints_number(point), known, counting.remote ? 0 : thread, now);
	if (point->traced == SIZE_MAX)
		point->calls += callers_count(known, point->address,
			callers_find(process, direct ? &registers : NULL), cost);
	else
		visit(point, process, thread, direct ? &registers : NULL, cost);
	while ((number = prof_overhead_refuse(&counting.overhead, now)) != PROF_NONE) {
		struct call_breakpoint *costly = call_breakpoints_at(number);
		if (costly && !costly->refused)
			refuse(costly, known);
	}
}

static bool load(PyObject *module)
{
	return call_breakpoints_register(module, reach);
}

/* Finds out what kind of target it is, and whether its program is for this machine. */
static void find_out(void)
{
	AUTO_FREE char *connection = NULL;
	AUTO_FREE char *program = NULL;
	struct prof_error *error = host_connection(&connection);

	if (!error)
		error = host_program(&program);
	counting.remote = !error && !host_is_native(connection);
	counting.native = !error && !counting.remote && prof_arch_native() &&
		(!*program || prof_arch_of_file(program) == prof_arch_native());
	host_forget(error);
}

/*
 * GDB sets a breakpoint at an address in all program spaces: in another program it would be in the
 * middle of an instruction.
 */
static const char only_one[] = "gdbprof counts calls only while GDB has one program.";

/* Not all calls of what patches have counted will have been counted. */
static void report_parts(void)
{
	uint64_t address;

	for (size_t i = 0;
		!recorded_calls_are_wanted() && (counted_patches_at(i, &address) || address); i++)
		callers_report_kind(host_process(), address, PROF_ARC_PART);
}

static void give_up(void)
{
	const struct call_breakpoint *point;

	for (size_t i = 0; (point = call_breakpoints_at(i)); i++)
		callers_report_kind(
			counting.remote ? 0 : host_process(), point->address, PROF_ARC_PART);
	counted_patches_report();
	report_parts();
	counted_patches_end();
	remove_breakpoints(call_breakpoint_is_any, NULL);
	counting.given_up = true;
	notes_add(only_one);
}

static bool is_patched(const struct call_breakpoint *point, const void *context)
{
	(void)context;
	return point->patched;
}

/* The calls of the function NAME at ADDRESS were not counted: the program has changed its code. */
static void lose(uint64_t address, const char *name)
{
	struct call_breakpoint *point = call_breakpoints_set(address, name, SIZE_MAX);

	callers_report_kind(host_process(), address, PROF_ARC_PART);
	if (point)
		point->lost = true;
}

/* Has calls that are met at breakpoints counted by patches, where that has become possible. */
static void patch(void)
{
	struct call_breakpoint *point;
	bool any = false;

	if (!counting.native || !host_process()) {
		adapt_stepping();
		return;
	}
	counted_patches_anew();
	counted_patches_look(lose);
	for (size_t i = 0; (point = call_breakpoints_at(i)); i++) {
		bool settled = point->why && !point->later;
		if (settled || point->traced != SIZE_MAX || point->resolver || point->refused ||
			point->lost)
			continue;
		point->why = counted_patches_add(
			host_process(), point->address, point->name, true, &point->later);
		point->patched = !point->why;
		any |= point->patched;
	}
	if (any)
		remove_breakpoints(is_patched, NULL);
	counted_functions_retry();
	adapt_stepping();
}

/* Sets the breakpoints that are missing; without a process, only looks up functions. */
static void set_breakpoints(void)
{
	if (counting.given_up)
		return;
	if (host_has_programs()) {
		give_up();
		return;
	}
	find_out();
	counting.later = must_wait();
	if (counting.later)
		return;
	counted_functions_find(counting.remote ? 0 : host_process(), counting.native);
	bool crowded = call_breakpoints_are_crowded();
	patch();
	/* Patches may have made room. */
	if (crowded && !call_breakpoints_are_crowded())
		set_breakpoints();
}

/*
 * Another inferior that is no child of a counted process may get any program, or the same one at
 * other addresses.  Breakpoints must be gone before GDB inserts them there.
 */
static void on_inferior(const struct event *event)
{
	AUTO_PY PyObject *inferior = host_attribute(event->python, "inferior");
	AUTO_PY PyObject *pid = inferior ? host_attribute(inferior, "pid") : NULL;

	if (pid && PyLong_AsLong(pid) == 0 && !counting.given_up)
		give_up();
	host_drop();
}

static const struct event_handler handlers[] = {
	{"new_inferior", on_inferior, false},
	{NULL, NULL, false},
};

/* Prepares what breakpoints need. */
static void turn_on(void)
{
	if (counting.on)
		return;
	counting.on = true;
	hit_variables_begin();
	host_forget(events_connect(handlers));
}

bool counting_visit(size_t traced)
{
	uint64_t address = traced_functions_address(traced);
	size_t count;

	if (!address || !host_is_single())
		return false;
	turn_on();
	find_out();
	AUTO_FREE uint64_t *exits = visits_find_exits(host_process(), address, &count);
	if (!counting.native ||
		!call_breakpoints_set(address, traced_functions_name(traced), traced))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct call_breakpoint *point =
			call_breakpoints_set(exits[i], traced_functions_name(traced), traced);
		if (point)
			point->exit = true;
	}
	adapt_stepping();
	return true;
}

struct prof_error *counting_check_tracing(void)
{
	return recorded_calls_are_wanted()
		? prof_error_create(PROF_ERROR_UNSUPPORTED,
			  "gdbprof cannot trace anything while it records calls (--calls), because the agent does not find the callers of recorded functions: record one after the other.")
		: NULL;
}

/* Begins to count, in what is loaded now and what will be. */
static struct prof_error *begin(const struct collector_request *request, const void *own)
{
	const struct counting_choice *choice = own;

	counting.queue = request->queue;
	counting.blind = !request->engine->reports_signals;
	counting.overhead.limit = choice->limit;
	callers_begin(request->queue);
	visits_begin(request->queue, request->asked->max_depth);
	if (choice->calls && request->engine != &engine_none)
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-start cannot take samples while --calls records calls: leave out --engine, --rate, --interval and --clock.");
	if (!choice->functions && !choice->calls)
		return NULL;
	if (choice->calls)
		recorded_calls_begin(&(struct call_reader_settings){.queue = request->queue,
			.recorder = request->recorder,
			.limit = choice->calls_limit < 1 ? choice->calls_limit : 0,
			.count_only = counted_patches_count_only});
	if (!host_is_single())
		return prof_error_create(PROF_ERROR_UNSUPPORTED, "%s", only_one);
	struct prof_error *error =
		counted_functions_begin(choice->calls ? choice->calls : choice->functions);
	if (error)
		return error;
	turn_on();
	set_breakpoints();
	return NULL;
}

static void end(void)
{
	counted_patches_end();
	call_breakpoints_end();
	if (counting.on)
		visits_end();
	callers_end();
	hit_variables_end();
	events_disconnect(handlers);
	repeats_clear();
	stepping_restore();
	prof_overhead_deinit(&counting.overhead);
	counted_functions_end();
	recorded_calls_end();
	memset(&counting, 0, sizeof counting);
}

static void resume_all(void)
{
	const pid_t none = 0;

	if (!goes_on())
		return;
	prof_overhead_begin(&counting.overhead, prof_clock());
	/* Nothing reports the end of a process that was detached from. */
	remove_breakpoints(call_breakpoint_is_unused, &none);
}

static void stop_all(const struct event *event)
{
	if (!goes_on())
		return;
	hit_variables_mend(event->python);
	if (counting.later && !must_wait()) {
		remove_breakpoints(is_refused, NULL);
		set_breakpoints();
	}
	/*
	 * Not when the program goes on: a breakpoint that is set where a thread stands would be met
	 * then.  What kind of target it is is known since the last load object came: GDB 10 is
	 * asked by a command, and forgets at a stop that it is about to go on if it executes one.
	 */
	patch();
}

static void objects_come(void)
{
	if (!goes_on())
		return;
	counted_patches_report();
	callers_objects_changed();
	visits_objects_changed();
	set_breakpoints();
	counted_patches_help();
}

static void object_going(const char *object)
{
	if (!goes_on())
		return;
	counted_patches_report();
	counted_patches_prune();
	callers_objects_changed();
	if (object)
		remove_breakpoints(call_breakpoint_is_of_object, object);
}

/* Has the process ended by itself, as EVENT shows? */
static bool has_exited(const struct event *event)
{
	AUTO_PY PyObject *code = host_attribute(event->python, "exit_code");

	return code != NULL;
}

static void gone(pid_t process, const struct event *event)
{
	if (!goes_on())
		return;
	hit_variables_mend(event->python);
	callers_objects_changed();
	visits_gone(process);
	/* When GDB detaches from a parent because its child of vfork() has ended, GDB fails if it
	 * is asked for the program space of the child.  Breakpoints then go when a process is
	 * resumed. */
	if (has_exited(event) || host_is_single())
		remove_breakpoints(call_breakpoint_is_unused, &process);
}

static void report(void)
{
	if (!goes_on())
		return;
	counted_patches_report();
	callers_report();
}

static void release(pid_t process)
{
	counted_patches_allow(process, true);
}

static void hold(pid_t process)
{
	counted_patches_allow(process, false);
}

/* Are breakpoints set in the program, to count calls or to trace functions? */
static const char *breakpoints(void)
{
	return call_breakpoints_at(0) ? "counted calls" : NULL;
}

static void say(struct prof_text *text, enum collector_phase phase)
{
	bool ended = phase == COLLECTOR_ENDED;

	if (!goes_on())
		return;
	counted_functions_say(text, ended);
	recorded_calls_say(text);
	if (phase == COLLECTOR_RUNS)
		counting_ways_say(text);
	if (call_breakpoints_are_crowded())
		prof_text_print(text,
			"gdbprof counts the calls of at most %zu functions, and leaves out the others.\n",
			call_breakpoints_most());
	if (counting.later && !ended)
		prof_text_print(
			text, "gdbprof changes its breakpoints when the target stops next.\n");
	if (counting.blind && (!ended ? call_breakpoints_at(0) != NULL : counting.met))
		prof_text_print(text,
			"gdbprof may count a call twice if the program gets a signal there: prefer the engine stop.\n");
}

const struct collector collector_counting = {
	.name = "counting",
	.options = &counting_options,
	.read = counting_choice_read,
	.source = counting_choice_source,
	.load = load,
	.check = counting_choice_check,
	.begin = begin,
	.end = end,
	.release = release,
	.hold = hold,
	.resume = resume_all,
	.stop = stop_all,
	.gone = gone,
	.object_going = object_going,
	.objects_come = objects_come,
	.signalled = signalled,
	.ticked = ticked,
	.report = report,
	.breakpoints = breakpoints,
	.say = say,
};
