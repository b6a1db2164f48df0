/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/host_stack.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "sampling/standing.h"
#include "target/arch.h"

#include <string.h>

/* The number that the method NAME of OBJECT returns.  False: an exception. */
static bool call_number(PyObject *object, const char *name, uint64_t *ret)
{
	AUTO_PY PyObject *number = PyObject_CallMethod(object, name, NULL);

	if (!number)
		return false;
	*ret = PyLong_AsUnsignedLongLong(number);
	return !PyErr_Occurred();
}

/* One of gdb's constants. */
static uint64_t constant(const char *name)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *value = gdb ? PyObject_GetAttrString(gdb, name) : NULL;
	uint64_t number = value ? PyLong_AsUnsignedLongLong(value) : UINT64_MAX;

	host_drop();
	return number;
}

/* The register NAME of FRAME.  False: its value is lost. */
static bool read_register(PyObject *frame, const char *name, uint64_t *ret)
{
	AUTO_PY PyObject *value = PyObject_CallMethod(frame, "read_register", "s", name);
	/* Only this turns pointers to code and data into numbers. */
	AUTO_PY PyObject *number = value ? PyNumber_Long(value) : NULL;

	/* Pointers are signed on some machines. */
	*ret = number ? PyLong_AsUnsignedLongLongMask(number) : 0;
	bool known = number && !PyErr_Occurred();
	host_drop();
	return known;
}

/* Fills REST from FRAME, the outermost one. */
static void read_rest(PyObject *frame, uint64_t lookup, struct host_rest *rest)
{
	const struct prof_arch *arch = rest->arch;

	rest->registers = (struct prof_registers){.pc = lookup};
	for (unsigned i = 0; arch && i < arch->registers; i++) {
		bool wanted = i == arch->sp || arch->saved >> i & 1;
		if (wanted && read_register(frame, arch->names[i], &rest->registers.value[i]))
			rest->registers.valid |= UINT64_C(1) << i;
	}
}

/* Why is FRAME the last one?  LOOKUP is its address. */
static enum prof_stack_end classify_end(PyObject *frame, uint64_t lookup, struct host_rest *rest)
{
	uint64_t reason;

	if (!call_number(frame, "unwind_stop_reason", &reason))
		return PROF_STACK_FAILED;
	/* The first of the reasons that are errors. */
	if (reason >= constant("FRAME_UNWIND_UNAVAILABLE"))
		return PROF_STACK_FAILED;
	if (rest && reason == constant("FRAME_UNWIND_NO_REASON")) {
		rest->is_left = true;
		read_rest(frame, lookup, rest);
	}
	return PROF_STACK_WHOLE;
}

struct prof_error *host_walk(
	uint64_t *frames, size_t *depth, enum prof_stack_end *end, struct host_rest *rest)
{
	PyObject *gdb = host_gdb();
	uint64_t inlined = constant("INLINE_FRAME");
	uint64_t tail_call = constant("TAILCALL_FRAME");
	uint64_t signal_frame = constant("SIGTRAMP_FRAME");
	size_t room = *depth;
	bool interrupted = true; /* the frame was interrupted, so its pc is no return address */
	PyObject *frame = gdb ? PyObject_CallMethod(gdb, "newest_frame", NULL) : NULL;

	*depth = 0;
	*end = PROF_STACK_FAILED;
	if (rest)
		rest->is_left = false;
	while (frame && frame != Py_None) {
		AUTO_PY PyObject *held = frame;
		uint64_t pc, type;
		if (!call_number(frame, "pc", &pc) || !call_number(frame, "type", &type))
			return host_error();
		/* GDB shows the frame with a return address of 0, which was to end the stack. */
		if (!pc && !interrupted) {
			*end = PROF_STACK_WHOLE;
			return NULL;
		}
		/*
		 * Inlined functions and tail calls have no frames of their own; symbols know what
		 * is inlined at a pc.
		 */
		if (type != inlined && type != tail_call) {
			if (*depth == room) {
				*end = PROF_STACK_TRUNCATED;
				return NULL;
			}
			frames[(*depth)++] = interrupted ? pc : pc - 1;
			interrupted = type == signal_frame;
		}
		frame = PyObject_CallMethod(held, "older", NULL);
		if (frame == Py_None)
			*end = classify_end(held, *depth ? frames[*depth - 1] : pc, rest);
	}
	Py_XDECREF(frame);
	return PyErr_Occurred() ? host_error() : NULL;
}

bool host_is_entering(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *frame = gdb ? PyObject_CallMethod(gdb, "newest_frame", NULL) : NULL;
	PyObject *block = frame ? PyObject_CallMethod(frame, "block", NULL) : NULL;
	uint64_t pc = 0;
	bool entering = false;

	if (block && !call_number(frame, "pc", &pc))
		Py_CLEAR(block);
	while (block) {
		AUTO_PY PyObject *held = block;
		AUTO_PY PyObject *function = host_attribute(held, "function");
		if (function) {
			uint64_t begin = host_number(held, "start");
			entering = pc - begin < PROF_PROLOGUE;
			block = NULL;
		} else {
			block = host_attribute(held, "superblock");
		}
	}
	host_drop();
	return entering;
}

/* Does OBJECT have an unwinder that is enabled? */
static bool has_unwinder(PyObject *object)
{
	AUTO_PY PyObject *list = PyObject_GetAttrString(object, "frame_unwinders");
	Py_ssize_t count = list ? PyList_Size(list) : 0;
	bool found = false;

	for (Py_ssize_t i = 0; i < count && !found; i++) {
		AUTO_PY PyObject *enabled =
			PyObject_GetAttrString(PyList_GetItem(list, i), "enabled");
		/* GDB itself takes one that cannot be disabled as enabled. */
		found = !enabled || PyObject_IsTrue(enabled) == 1;
		host_drop();
	}
	host_drop();
	return found;
}

/* Was OBJECT created from code that the program says it has compiled? */
static bool is_compiled(PyObject *object)
{
	AUTO_PY PyObject *name = PyObject_GetAttrString(object, "filename");
	const char *file = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
	bool compiled = file &&
		(!strncmp(file, "<in-memory", 10) || !strncmp(file, "<< JIT compiled code", 20));

	host_drop();
	return compiled;
}

bool host_has_unwinders(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *space = host_space();
	AUTO_PY PyObject *list = gdb ? PyObject_CallMethod(gdb, "objfiles", NULL) : NULL;
	Py_ssize_t count = list ? PyList_Size(list) : 0;
	bool found = (gdb && has_unwinder(gdb)) || (space && has_unwinder(space));

	for (Py_ssize_t i = 0; i < count && !found; i++) {
		PyObject *object = PyList_GetItem(list, i);
		found = is_compiled(object) || has_unwinder(object);
	}
	host_drop();
	return found;
}

bool host_has_compiler(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *found = gdb
		? PyObject_CallMethod(gdb, "parse_and_eval", "s", "&__jit_debug_register_code")
		: NULL;

	host_drop();
	return found;
}
