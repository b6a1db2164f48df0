/* The Python module _prof: all of the plugin that Python sees. */
#include "plugin/command.h"
#include "plugin/counting.h"
#include "plugin/functions.h"
#include "plugin/objects.h"
#include "plugin/settings.h"
#include "plugin/spots.h"
#include "plugin/summons.h"
#include "plugin/tick.h"
#include "plugin/trap.h"

/*
 * Importing the module makes the commands and settings known to GDB, and changes nothing else; the
 * module's own contents are for the plugin alone.
 */
PyMODINIT_FUNC PyInit__prof(void);

PyMODINIT_FUNC PyInit__prof(void)
{
	static struct PyModuleDef definition = {
		PyModuleDef_HEAD_INIT,
		.m_name = "_prof",
		.m_doc = "The C core of gdbprof, a profiler inside GDB.",
		.m_size = -1,
	};
	AUTO_PY PyObject *module = PyModule_Create(&definition);

	if (!module || !settings_register() || !tick_register() || !summons_register() ||
		!trap_register(module) || !spots_register(module) || !counting_register(module) ||
		!functions_register() || !objects_register(module) || !command_register_all())
		return NULL;
	return steal(&module);
}
