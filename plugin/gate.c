#include "plugin/gate.h"

#include "plugin/host.h"
#include "plugin/host_target.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		.breakpoint = set_breakpoint(type, address),
		.address = address,
		.name = strdup(name),
		.object = object_at(space, address),
		.space = python_hold(space),
		.trace = SIZE_MAX,
	};
	if (gate->breakpoint && gate->name && gate->object)
		return true;
	gate_deinit(gate);
	return false;
}

void gate_deinit(struct gate *gate)
{
	AUTO_PY PyObject *done =
		gate->breakpoint ? PyObject_CallMethod(gate->breakpoint, "delete", NULL) : NULL;

	host_drop(); /* it may be gone */
	Py_XDECREF(gate->breakpoint);
	Py_XDECREF(gate->space);
	free(gate->name);
	free(gate->object);
	*gate = (struct gate){0};
}

bool gate_has_code(uint64_t address)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *inferior =
		gdb ? PyObject_CallMethod(gdb, "selected_inferior", NULL) : NULL;
	AUTO_PY PyObject *memory = inferior
		? PyObject_CallMethod(inferior, "read_memory", "Ki", (unsigned long long)address, 1)
		: NULL;

	host_drop();
	return memory;
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
