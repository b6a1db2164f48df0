/* Where GDB's own walk goes astray, by rules that doc/engine.md tells. */
#ifndef PROF_PLUGIN_ENGINE_ASTRAY_H
#define PROF_PLUGIN_ENGINE_ASTRAY_H

#include "sampling/walker.h"

/*
 * Whether GDB, which has found the frames of HOST, is known to be wrong from frame FIRST on, the
 * innermost one in which they differ from those of OWN; either may end there.
 */
bool astray_at(struct prof_walker *walker, const struct prof_stack *own,
	const struct prof_stack *host, size_t first);

#endif
