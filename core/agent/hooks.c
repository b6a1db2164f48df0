#include "agent/hooks.h"

#include <dlfcn.h>

#define ROW(family, name) {#name, (void *)prof_agent_##name, NULL, PROF_FAMILY_##family},
struct prof_hook prof_agent_hooks[PROF_HOOK_COUNT + PROF_TRACES] = {PROF_HOOKS(ROW)};

/* What the program itself calls by that name: it may have a heap of its own. */
void prof_agent_hooks_find(void)
{
	for (unsigned i = 0; i < PROF_HOOK_COUNT; i++)
		prof_agent_hooks[i].real = dlsym(RTLD_DEFAULT, prof_agent_hooks[i].name);
}
