/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Python module _prof: the part of the plugin that Python sees. */
#include "plugin/collect/collector.h"
#include "plugin/command/command.h"
#include "plugin/command/convenience.h"
#include "plugin/command/python_api.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/trap.h"
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

PyMODINIT_FUNC PyInit__prof(void)
{
	static struct PyModuleDef definition = {
		PyModuleDef_HEAD_INIT,
		.m_name = "_prof",
		.m_doc = "The C core of gdbprof, a profiler inside GDB.",
		.m_size = -1,
	};
	AUTO_PY PyObject *module = PyModule_Create(&definition);

	if (!module || !settings_register() || !version_register() || !tick_register() ||
		!trap_register(module) || !collectors_load(module) || !convenience_register() ||
		!python_api_register(module) || !command_register_all())
		return NULL;
	save_memory();
	return steal(&module);
}
