/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Python module _prof: the part of the plugin that Python sees. */
#include "plugin/collect/collector.h"
#include "plugin/command/annotate.h"
#include "plugin/command/command.h"
#include "plugin/command/convenience.h"
#include "plugin/command/python_api.h"
#include "plugin/command/tips.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/trap.h"
#include "plugin/interpose/group_signals.h"
#include "plugin/option/settings.h"
#include "plugin/option/version.h"
#include "plugin/session/tick.h"

#include <malloc.h>
#include <sys/resource.h>

/*
 * Importing the module registers the commands and settings with GDB, and changes nothing else; the
 * contents of the module are for the plugin alone.
 */
PyMODINIT_FUNC PyInit__prof(void);

/*
 * If address space is limited, threads share one heap: otherwise the C library reserves 64 MB for
 * each thread, which GDB would lack.
 */
static void save_memory(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
		mallopt(M_ARENA_MAX, 1);
}

/* Implementation of ignore_group_signals (notes) -> None, for record.py. */
static PyObject *ignore_group_signals(PyObject *self, PyObject *notes)
{
	long file = PyLong_AsLong(notes);

	(void)self;
	if (file == -1 && PyErr_Occurred())
		return NULL;
	group_signals_ignore((int)file);
	Py_RETURN_NONE;
}

PyMODINIT_FUNC PyInit__prof(void)
{
	static PyMethodDef methods[] = {
		{"ignore_group_signals", ignore_group_signals, METH_O, NULL},
		{NULL, NULL, 0, NULL},
	};
	static struct PyModuleDef definition = {
		PyModuleDef_HEAD_INIT,
		.m_name = "_prof",
		.m_doc = "The C core of gdbprof, a profiler inside GDB.",
		.m_size = -1,
		.m_methods = methods,
	};
	AUTO_PY PyObject *module = PyModule_Create(&definition);

	if (!module || !settings_register() || !version_register() || !tick_register() ||
		!trap_register(module) || !collectors_load(module) || !convenience_register() ||
		!python_api_register(module) || !command_register_all())
		return NULL;
	tips_register();
	annotate_register();
	save_memory();
	return steal(&module);
}
