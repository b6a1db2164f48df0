/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/call_breakpoints.h"

#include "base/memory.h"
#include "base/text.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/methods.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"
#include "target/process.h"
#include "target/procfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GDB looks at all breakpoints at each stop. */
enum { MOST = 5000 };

/* GDB calls a breakpoint's stop() without a context, so there is only one of these. */
static struct {
	PyObject *type;
	void (*reached)(struct call_breakpoint *met);
	PROF_ARRAY(struct call_breakpoint) items;
	bool crowded; /* more than MOST were asked for */
} points;

/* The instruction that GDB writes as a breakpoint. */
#ifdef __x86_64__
static const unsigned char trap[] = {0xcc};
#else
static const unsigned char trap[] = {0x00, 0x00, 0x20, 0xd4};
#endif

/* The file of the load object that has ADDRESS in SPACE, in a new string; or NULL. */
static char *object_at(PyObject *space, uint64_t address)
{
	AUTO_PY PyObject *name = methods_space_at(space, "solib_name", address);
	const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;

	host_drop();
	return text ? strdup(text) : host_string(space, "filename");
}

/*
 * GDB before 12 writes breakpoints by ptrace(), which fails while the thread runs.  If GDB deletes
 * a breakpoint then, the instruction stays, and the program would end by SIGTRAP there.  So this
 * removes the instruction first, while GDB still handles a thread that executes it.  If the user
 * has a breakpoint at the same address, GDB inserts it again when it next resumes the program.
 */
static void take_out(const struct call_breakpoint *point)
{
	unsigned char there[sizeof trap];
	pid_t process = host_process();

	if (!point->known || !process || !host_is_current(point->space) ||
		host_stands_still(process) || prof_procfs_tracer(process) != getpid())
		return;
	if (prof_process_read(process, point->address, there, sizeof there) &&
		!memcmp(there, trap, sizeof trap))
		prof_error_destroy(
			prof_process_write(process, point->address, point->code, sizeof trap));
}

static void point_deinit(struct call_breakpoint *point)
{
	if (point->breakpoint) {
		take_out(point);
		methods_breakpoint_delete(point->breakpoint);
	}
	Py_XDECREF(point->breakpoint);
	Py_XDECREF(point->space);
	free(point->name);
	free(point->object);
	*point = (struct call_breakpoint){0};
}

/* Sets POINT, an internal breakpoint.  False: it cannot be set. */
static bool point_init(
	struct call_breakpoint *point, PyObject *type, uint64_t address, const char *name)
{
	AUTO_PY PyObject *space = host_space();

	if (!space)
		return false;
	*point = (struct call_breakpoint){
		.address = address,
		.name = strdup(name),
		.object = object_at(space, address),
		.space = python_hold(space),
		.traced = SIZE_MAX,
	};
	point->known = host_version() < 12 && host_read(address, point->code, CALL_BREAKPOINT_CODE);
	point->breakpoint = methods_breakpoint_set(type, address);
	if (point->breakpoint && point->name && point->object)
		return true;
	point_deinit(point);
	return false;
}

struct call_breakpoint *call_breakpoints_set(uint64_t address, const char *name, size_t traced)
{
	points.crowded |= points.items.count >= MOST;
	if (points.crowded || !prof_array_reserve(&points.items, 1))
		return NULL;
	struct call_breakpoint *point = &points.items.items[points.items.count];
	if (!point_init(point, points.type, address, name))
		return NULL;
	point->traced = traced;
	points.items.count++;
	return point;
}

bool call_breakpoints_are_crowded(void)
{
	return points.crowded;
}

size_t call_breakpoints_most(void)
{
	return MOST;
}

struct call_breakpoint *call_breakpoints_at(size_t index)
{
	return index < points.items.count ? &points.items.items[index] : NULL;
}

size_t call_breakpoints_number(const struct call_breakpoint *of)
{
	return (size_t)(of - points.items.items);
}

bool call_breakpoints_remove(
	bool (*is_old)(const struct call_breakpoint *, const void *context), const void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < points.items.count; i++) {
		struct call_breakpoint *point = &points.items.items[i];
		if (is_old(point, context))
			point_deinit(point);
		else
			points.items.items[kept++] = *point;
	}
	bool any = kept < points.items.count;
	points.crowded &= !any;
	points.items.count = kept;
	return any;
}

bool call_breakpoint_is_any(const struct call_breakpoint *of, const void *unused)
{
	(void)of;
	(void)unused;
	return true;
}

void call_breakpoints_end(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	/* A command hides the warning of GDB if a process has ended that it takes for running. */
	if (points.items.count)
		host_forget(host_execute(
			"python __import__(\"_prof\").CallBreakpoint.remove()", &text));
	call_breakpoints_remove(call_breakpoint_is_any, NULL);
	free(points.items.items);
	points.items = (__typeof__(points.items)){0};
	points.crowded = false;
}

/* Implementation of _prof.CallBreakpoint.stop (self) -> False. */
static PyObject *stop(PyObject *self, PyObject *arguments)
{
	(void)arguments;
	for (size_t i = 0; i < points.items.count; i++) {
		if (points.items.items[i].breakpoint == self) {
			points.reached(&points.items.items[i]);
			break;
		}
	}
	return PyBool_FromLong(0);
}

/* Implementation of _prof.CallBreakpoint.remove () -> None, which removes all breakpoints. */
static PyObject *remove_all(PyObject *type, PyObject *unused)
{
	(void)type;
	(void)unused;
	call_breakpoints_remove(call_breakpoint_is_any, NULL);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"stop", stop, METH_VARARGS, NULL},
	{"remove", remove_all, METH_NOARGS | METH_CLASS, NULL},
	{NULL, NULL, 0, NULL},
};

bool call_breakpoints_register(PyObject *module, void (*reached)(struct call_breakpoint *met))
{
	points.reached = reached;
	points.type = type_create("_prof.CallBreakpoint", "Breakpoint", methods,
		"Where a function is entered whose calls gdbprof counts.");

	return points.type && !PyObject_SetAttrString(module, "CallBreakpoint", points.type);
}

/* Does any inferior except that of process BUT have a process in POINT's program space? */
struct use {
	const struct call_breakpoint *point;
	pid_t but;
	bool found;
};

static void look_for_use(void *context, pid_t process)
{
	struct use *use = context;
	AUTO_PY PyObject *space = host_program_space(process);

	use->found |= process != use->but && space == use->point->space;
}

bool call_breakpoint_is_unused(const struct call_breakpoint *point, const void *process)
{
	struct use use = {point, *(const pid_t *)process, false};

	host_each_process(look_for_use, &use);
	return !use.found;
}

bool call_breakpoint_is_of_object(const struct call_breakpoint *point, const void *object)
{
	return !strcmp(point->object, object);
}
