/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/gate.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "target/process.h"
#include "target/procfs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The instruction that GDB writes as a breakpoint. */
#ifdef __x86_64__
static const unsigned char trap[] = {0xcc};
#else
static const unsigned char trap[] = {0x00, 0x00, 0x20, 0xd4};
#endif

/* A new internal breakpoint at ADDRESS of the current program space, or NULL. */
static PyObject *set_breakpoint(PyObject *type, uint64_t address)
{
	char place[32];
	snprintf(place, sizeof place, "*0x%" PRIx64, address);
	AUTO_PY PyObject *arguments = Py_BuildValue("(s)", place);
	AUTO_PY PyObject *options = Py_BuildValue("{sO}", "internal", Py_True);
	PyObject *breakpoint =
		arguments && options ? PyObject_Call(type, arguments, options) : NULL;

	host_drop();
	return breakpoint;
}

/* The file of the load object that has ADDRESS in SPACE, in a new string; or NULL. */
static char *object_at(PyObject *space, uint64_t address)
{
	AUTO_PY PyObject *name =
		PyObject_CallMethod(space, "solib_name", "K", (unsigned long long)address);
	const char *text = name && name != Py_None ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;

	host_drop();
	return text ? strdup(text) : host_string(space, "filename");
}

bool gate_init(struct gate *gate, PyObject *type, uint64_t address, const char *name)
{
	AUTO_PY PyObject *space = host_space();

	if (!space)
		return false;
	*gate = (struct gate){
		.address = address,
		.name = strdup(name),
		.object = object_at(space, address),
		.space = python_hold(space),
		.trace = SIZE_MAX,
	};
	gate->known = host_version() < 12 && host_read(address, gate->code, GATE_CODE);
	gate->breakpoint = set_breakpoint(type, address);
	if (gate->breakpoint && gate->name && gate->object)
		return true;
	gate_deinit(gate);
	return false;
}

static void delete_breakpoint(PyObject *breakpoint)
{
	AUTO_PY PyObject *done = PyObject_CallMethod(breakpoint, "delete", NULL);

	host_drop(); /* it may be gone */
}

/*
 * GDB before 12 writes breakpoints by ptrace(), which fails while the thread runs.  If GDB deletes
 * a breakpoint then, the instruction stays, and the program would end by SIGTRAP there.  So this
 * removes the instruction first, while GDB still handles a thread that executes it.  If the user
 * has a breakpoint at the same address, GDB inserts it again when it next resumes the program.
 */
static void take_out(const struct gate *gate)
{
	unsigned char there[sizeof trap];
	pid_t process = host_process();
	struct prof_process memory;

	if (!gate->known || !process || !host_is_current(gate->space) ||
		host_stands_still(process) || prof_procfs_tracer(process) != getpid())
		return;
	prof_process_init(&memory, process);
	const struct prof_target target = prof_process_target(&memory);
	if (target.read_memory(target.context, gate->address, there, sizeof there) ==
			sizeof there &&
		!memcmp(there, trap, sizeof trap))
		prof_error_destroy(
			prof_process_write(process, gate->address, gate->code, sizeof trap));
}

void gate_deinit(struct gate *gate)
{
	if (gate->breakpoint) {
		take_out(gate);
		delete_breakpoint(gate->breakpoint);
	}
	Py_XDECREF(gate->breakpoint);
	Py_XDECREF(gate->space);
	free(gate->name);
	free(gate->object);
	*gate = (struct gate){0};
}

bool gate_has_code(uint64_t address)
{
	char byte;

	return host_read(address, &byte, 1);
}

/* Does an inferior other than the process BUT have a process in GATE's program space? */
struct use {
	const struct gate *gate;
	pid_t but;
	bool found;
};

static void look_for_use(void *context, pid_t process)
{
	struct use *use = context;
	AUTO_PY PyObject *space = host_program_space(process);

	use->found |= process != use->but && space == use->gate->space;
}

bool gate_is_unused(const struct gate *gate, const void *process)
{
	struct use use = {gate, *(const pid_t *)process, false};

	host_each_process(look_for_use, &use);
	return !use.found;
}

bool gate_is_of_object(const struct gate *gate, const void *object)
{
	return !strcmp(gate->object, object);
}
