/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/counting.h"

#include "base/clock.h"
#include "plugin/collect/callers.h"
#include "plugin/collect/gate.h"
#include "plugin/collect/inferiors.h"
#include "plugin/collect/traces.h"
#include "plugin/collect/visits.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/entries.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/hit_variables.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_stack.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/naming.h"
#include "plugin/gdb/repeats.h"
#include "plugin/gdb/stepping.h"
#include "plugin/gdb/type.h"
#include "sampling/overhead.h"
#include "target/arch.h"
#include "target/indirect.h"
#include "target/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GDB looks at all breakpoints at each stop. */
enum { MOST = 5000 };

/* GDB is one, and so is what it counts. */
static struct {
	PyObject *type;
	struct counting_request request;
	bool on;      /* something is counted, or visited */
	char **words; /* of --count; NULL: nothing is counted */
	size_t words_count;
	bool *found; /* by word: there was such a function */
	PROF_ARRAY(struct gate) gates;
	PROF_ARRAY(char *) refused; /* names of functions that are called too often */
	struct prof_overhead overhead;
	bool native;   /* registers and memory can be read past GDB */
	bool remote;   /* see callers.h */
	bool later;    /* breakpoints wait to be set or deleted until the target stands still */
	bool posted;   /* GDB is going to call clean() */
	bool crowded;  /* there are too many functions */
	bool given_up; /* nothing is counted any more */
} counting;

bool counting_goes_on(void)
{
	return counting.on;
}

/* Takes those out for which IS_OLD holds. */
static void remove_gates(
	bool (*is_old)(const struct gate *gate, const void *context), const void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < counting.gates.count; i++) {
		struct gate *gate = &counting.gates.items[i];
		if (is_old(gate, context))
			gate_deinit(gate);
		else
			counting.gates.items[kept++] = *gate;
	}
	/* Their numbers are others now. */
	if (kept < counting.gates.count)
		prof_overhead_begin(&counting.overhead, prof_clock());
	counting.gates.count = kept;
}

static bool is_any(const struct gate *gate, const void *context)
{
	(void)gate;
	(void)context;
	return true;
}

/* Does the target have to stand still for breakpoints to be changed? */
static bool must_wait(void)
{
	return counting.remote && host_process() && !host_stands_still(host_process());
}

static bool is_refused(const struct gate *gate, const void *context)
{
	(void)context;
	return gate->refused;
}

/* Posted to GDB: a breakpoint must not be deleted where it is reached. */
static PyObject *clean(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	counting.posted = false;
	if (must_wait())
		counting.later = true;
	else
		remove_gates(is_refused, NULL);
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

/* Nor is it seen how the calls of TRACE end. */
static void refuse_trace(size_t trace)
{
	for (size_t i = 0; i < counting.gates.count; i++) {
		if (counting.gates.items[i].trace == trace)
			counting.gates.items[i].refused = true;
	}
}

/* GATE's function is called too often: it is not counted any more, in this recording. */
static void refuse(struct gate *gate, pid_t process)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	char **name = prof_array_push(&counting.refused);

	if (name && !(*name = strdup(gate->name)))
		counting.refused.count--;
	gate->refused = true;
	if (gate->trace == SIZE_MAX)
		callers_tell_kind(process, gate->address, PROF_COUNTED_PART);
	else
		refuse_trace(gate->trace);
	prof_text_print(&text,
		"%s is called too often: after %lu calls no more are counted, as \"set prof count-limit\" demands.",
		gate->name, gate->calls);
	counting.request.note(prof_text_get(&text));
	post_cleaning();
}

/* Reads REGISTERS of the selected THREAD.  False: they can't be had past GDB. */
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

void counting_signalled(pid_t thread)
{
	struct prof_registers registers;

	if (counting_goes_on() && read_registers(thread, &registers))
		repeats_signal(thread, &registers);
}

/* THREAD has come to GATE, of a trace, which has taken COST ns. */
static void visit(struct gate *gate, pid_t process, pid_t thread,
	const struct prof_registers *registers, int64_t cost)
{
	callers_pay(cost);
	if (!registers)
		return;
	gate->calls++;
	if (gate->exit)
		visits_leave(gate->trace, thread, registers);
	else
		visits_enter(gate->trace, process, thread, registers);
}

/* Is ENTRY counted already, or not any more? */
static bool is_known(const struct entry *entry, PyObject *space)
{
	for (size_t i = 0; i < counting.gates.count; i++) {
		const struct gate *gate = &counting.gates.items[i];
		if (gate->address == entry->address && gate->space == space &&
			gate->trace == SIZE_MAX)
			return true;
	}
	for (size_t i = 0; i < counting.refused.count; i++) {
		if (!strcmp(counting.refused.items[i], entry->name))
			return true;
	}
	return false;
}

/* A gate at ADDRESS of the function NAME, for TRACE or not; NULL: it can't be. */
static struct gate *set_gate(uint64_t address, const char *name, size_t trace)
{
	counting.crowded |= counting.gates.count >= MOST;
	if (counting.crowded || !prof_array_reserve(&counting.gates, 1))
		return NULL;
	struct gate *gate = &counting.gates.items[counting.gates.count];
	if (!gate_init(gate, counting.type, address, name))
		return NULL;
	gate->trace = trace;
	counting.gates.count++;
	return gate;
}

static void add_gate(void *context, const struct entry *entry)
{
	AUTO_PY PyObject *space = host_space();

	if (context)
		*(bool *)context = true;
	if (!space || !host_process() || is_known(entry, space) || !gate_has_code(entry->address) ||
		!set_gate(entry->address, entry->name, SIZE_MAX))
		return;
	callers_tell_kind(counting.remote ? 0 : host_process(), entry->address, PROF_COUNTED_BEGIN);
}

/* Counts the calls of the function at ADDRESS, which was chosen for NAME. */
static void add_chosen(uint64_t address, const char *name, bool *found)
{
	const struct entry entry = {address, name};

	/* Without debug information the C library does not tell what it calls this one. */
	naming_note(address, name);
	add_gate(found, &entry);
}

/* The gate where RESOLVER's function is left to ADDRESS; NULL: it can't be. */
static struct gate *exit_of(const struct gate *resolver, uint64_t address)
{
	for (size_t i = 0; i < counting.gates.count; i++) {
		struct gate *gate = &counting.gates.items[i];
		if (gate->resolver && gate->exit && gate->address == address &&
			gate->space == resolver->space && !strcmp(gate->name, resolver->name))
			return gate;
	}
	struct gate *gate = set_gate(address, resolver->name, SIZE_MAX);
	if (gate)
		gate->resolver = gate->exit = true;
	return gate;
}

/*
 * THREAD has come to GATE, of a function that returns the one to be counted: now it is known where
 * it returns to, or what it returns.  This happens before that is called for the first time.
 */
static void resolve(
	struct gate *gate, pid_t process, pid_t thread, const struct prof_registers *registers)
{
	if (!gate->exit) {
		uint64_t call = callers_find(process, registers);
		struct gate *left = call ? exit_of(gate, call + 1) : NULL;
		if (left)
			left->awaited = thread;
		return;
	}
	/* The dynamic linker calls all such functions from one place. */
	if (gate->awaited != thread)
		return;
	gate->awaited = 0;
	add_chosen(registers->value[prof_arch_native()->result], gate->name, NULL);
}

static void reach(struct gate *gate)
{
	pid_t process = host_process();
	pid_t thread = host_thread();
	pid_t known = counting.remote ? 0 : process;
	struct prof_registers registers;
	bool direct = read_registers(thread, &registers);
	int64_t now = prof_clock();
	uint32_t number;

	/*
	 * A function that GDB calls for the user is none of the program's calls.  And in a child
	 * that GDB holds beside its parent the breakpoints of both are met.
	 */
	if (gate->refused || !inferiors_samples(process) || !host_is_current(gate->space))
		return;
	if (gate->resolver) {
		if (direct)
			resolve(gate, process, thread, &registers);
		return;
	}
	if (direct && repeats_is_one(thread, gate->address, &registers))
		return;
	int64_t cost = prof_overhead_pay(&counting.overhead,
		(uint32_t)(gate - counting.gates.items), known, counting.remote ? 0 : thread, now);
	if (gate->trace == SIZE_MAX)
		gate->calls += callers_count(known, gate->address,
			callers_find(process, direct ? &registers : NULL), cost);
	else
		visit(gate, process, thread, direct ? &registers : NULL, cost);
	while ((number = prof_overhead_refuse(&counting.overhead, now)) != PROF_NONE) {
		if (number < counting.gates.count && !counting.gates.items[number].refused)
			refuse(&counting.gates.items[number], known);
	}
}

/* Implementation of _prof.Gate.stop (self) -> False. */
static PyObject *stop(PyObject *self, PyObject *arguments)
{
	(void)arguments;
	for (size_t i = 0; i < counting.gates.count; i++) {
		if (counting.gates.items[i].breakpoint == self) {
			reach(&counting.gates.items[i]);
			break;
		}
	}
	return PyBool_FromLong(0);
}

/* Implementation of _prof.Gate.remove () -> None, which takes all breakpoints out. */
static PyObject *remove_all(PyObject *type, PyObject *unused)
{
	(void)type;
	(void)unused;
	remove_gates(is_any, NULL);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"stop", stop, METH_VARARGS, NULL},
	{"remove", remove_all, METH_NOARGS | METH_CLASS, NULL},
	{NULL, NULL, 0, NULL},
};

bool counting_register(PyObject *module)
{
	counting.type = type_create("_prof.Gate", "Breakpoint", methods,
		"Where a function is entered whose calls gdbprof counts.");

	return counting.type && !PyObject_SetAttrString(module, "Gate", counting.type);
}

/* What kind of target it is, and whether it is a program for this machine. */
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
 * GDB sets a breakpoint at an address in all program spaces: in another program it would stand in
 * the middle of an instruction.
 */
static const char only_one[] = "Calls are counted only while GDB has one program.";

static void give_up(void)
{
	for (size_t i = 0; i < counting.gates.count; i++)
		callers_tell_kind(counting.remote ? 0 : host_process(),
			counting.gates.items[i].address, PROF_COUNTED_PART);
	remove_gates(is_any, NULL);
	counting.given_up = true;
	counting.request.note(only_one);
}

/*
 * If WORD is a function that is chosen when the program runs, that is counted, and *FOUND true.
 */
static void set_resolver(const char *word, bool *found)
{
	AUTO_PY PyObject *space = host_space();
	struct prof_indirect indirect;

	if (!counting.native || !space || !host_process() ||
		!prof_indirect_find(host_process(), word, &indirect))
		return;
	const struct entry resolver = {indirect.resolver, word};
	struct gate *gate =
		is_known(&resolver, space) ? NULL : set_gate(indirect.resolver, word, SIZE_MAX);
	if (gate)
		gate->resolver = true;
	if (indirect.function)
		add_chosen(indirect.function, word, found);
	*found = true;
}

/* Sets the breakpoints that there are none of yet; without a process it looks for functions only.
 */
static void set_gates(void)
{
	if (counting.given_up)
		return;
	if (host_has_programs()) {
		give_up();
		return;
	}
	find_out();
	counting.later = must_wait();
	for (size_t i = 0; i < counting.words_count && !counting.later; i++) {
		set_resolver(counting.words[i], &counting.found[i]);
		entries_find(counting.words[i], add_gate, &counting.found[i]);
	}
}

/*
 * Another inferior, which is no child of a counted process, may get a process of any program, or of
 * the same one at other addresses: before GDB has that it would stumble over the breakpoints.
 */
static void on_inferior(const struct event *event)
{
	AUTO_PY PyObject *inferior = host_attribute(event->told, "inferior");
	AUTO_PY PyObject *pid = inferior ? host_attribute(inferior, "pid") : NULL;

	if (pid && PyLong_AsLong(pid) == 0 && !counting.given_up)
		give_up();
	host_drop();
}

static const struct event_handler handlers[] = {
	{"new_inferior", on_inferior, false},
	{NULL, NULL, false},
};

/* Begins with what breakpoints need. */
static void turn_on(void)
{
	if (counting.on)
		return;
	counting.on = true;
	callers_begin(counting.request.queue);
	hit_variables_begin();
	stepping_change();
	host_forget(events_connect(handlers));
}

bool counting_visit(size_t trace)
{
	uint64_t address = traces_address(trace);
	size_t count;

	if (!address || !host_is_single())
		return false;
	turn_on();
	find_out();
	AUTO_FREE uint64_t *exits = visits_find_exits(host_process(), address, &count);
	if (!counting.native || !set_gate(address, traces_name(trace), trace))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct gate *gate = set_gate(exits[i], traces_name(trace), trace);
		if (gate)
			gate->exit = true;
	}
	return true;
}

struct prof_error *counting_begin(const struct counting_request *request)
{
	counting_end();
	counting.request = *request;
	counting.overhead.limit = request->limit;
	visits_begin(request->queue, request->max_depth);
	if (!request->what)
		return NULL;
	if (!host_is_single())
		return prof_error_create(PROF_ERROR_USAGE, "%s", only_one);
	struct prof_error *error =
		entries_split(request->what, &counting.words, &counting.words_count);
	if (error)
		return error;
	counting.found = calloc(counting.words_count, sizeof *counting.found);
	if (!counting.found) {
		counting_end();
		return prof_error_nomem();
	}
	turn_on();
	set_gates();
	return NULL;
}

void counting_end(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PyObject *type = counting.type;

	/* As a command, since GDB warns where a process has ended, and it does not know it yet. */
	if (counting.gates.count)
		host_forget(host_execute("python __import__(\"_prof\").Gate.remove()", &text));
	remove_gates(is_any, NULL);
	if (counting.on)
		visits_end();
	callers_end();
	hit_variables_end();
	events_disconnect(handlers);
	repeats_clear();
	stepping_restore();
	prof_overhead_deinit(&counting.overhead);
	if (counting.words)
		entries_free(counting.words, counting.words_count);
	for (size_t i = 0; i < counting.refused.count; i++)
		free(counting.refused.items[i]);
	free(counting.refused.items);
	free(counting.gates.items);
	free(counting.found);
	memset(&counting, 0, sizeof counting);
	counting.type = type;
}

void counting_go_on(void)
{
	const pid_t none = 0;

	if (!counting_goes_on())
		return;
	prof_overhead_begin(&counting.overhead, prof_clock());
	/* One that was detached from tells nobody. */
	remove_gates(gate_is_unused, &none);
}

void counting_stand(PyObject *event)
{
	if (!counting_goes_on())
		return;
	hit_variables_mend(event);
	if (!counting.later || must_wait())
		return;
	remove_gates(is_refused, NULL);
	set_gates();
}

void counting_objects_changed(void)
{
	if (!counting_goes_on())
		return;
	callers_objects_changed();
	visits_objects_changed();
	set_gates();
}

void counting_object_going(const char *object)
{
	if (!counting_goes_on())
		return;
	callers_objects_changed();
	if (object)
		remove_gates(gate_is_of_object, object);
}

void counting_exited(pid_t process, PyObject *event)
{
	if (!counting_goes_on())
		return;
	hit_variables_mend(event);
	callers_objects_changed();
	visits_gone(process);
	remove_gates(gate_is_unused, &process);
}

void counting_tell(void)
{
	if (counting_goes_on())
		callers_tell();
}

bool counting_has_breakpoints(void)
{
	return counting.gates.count;
}

void counting_say(struct prof_text *text, bool ended)
{
	if (!counting_goes_on())
		return;
	for (size_t i = 0; i < counting.words_count; i++) {
		if (counting.found[i])
			continue;
		prof_text_print(text, "There %s no function \"", ended ? "was" : "is");
		prof_text_name(text, counting.words[i]);
		prof_text_print(text,
			ended ? "\": no calls of it were counted.\n"
			      : "\" yet: its calls are counted once it is loaded.\n");
	}
	if (counting.crowded)
		prof_text_print(text, "Of more than %d functions calls are not counted.\n", MOST);
	if (counting.later && !ended)
		prof_text_print(
			text, "Breakpoints wait to be changed until the target stands still.\n");
	if (counting.request.blind)
		prof_text_print(text,
			"A call at which a signal of the program's own comes can be counted again: prefer the\nengine stop.\n");
}
