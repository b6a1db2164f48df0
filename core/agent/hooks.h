/*
 * Hooks: the functions whose calls the agent can take.  A family has a list of them here, and a
 * file with their wrappers, which are called prof_agent_NAME.
 */
#ifndef PROF_AGENT_HOOKS_H
#define PROF_AGENT_HOOKS_H

#include "agent/record.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PROF_HOOKS(hook)                                                                      \
	hook(HEAP, malloc) hook(HEAP, calloc) hook(HEAP, realloc) hook(HEAP, reallocarray)    \
		hook(HEAP, free) hook(HEAP, valloc) hook(HEAP, pvalloc) hook(HEAP, memalign)  \
			hook(HEAP, aligned_alloc) hook(HEAP, posix_memalign) hook(HEAP, mmap) \
				hook(HEAP, mmap64) hook(HEAP, mremap) hook(HEAP, munmap)

#define PROF_HOOK_WRAPPER(family, name) extern __typeof__(name) prof_agent_##name;

PROF_HOOKS(PROF_HOOK_WRAPPER)

#define PROF_HOOK_NUMBER(family, name) PROF_HOOK_##name,

enum prof_hook_number { PROF_HOOKS(PROF_HOOK_NUMBER) PROF_HOOK_COUNT };

extern struct prof_hook prof_agent_hooks[PROF_HOOK_COUNT];

/* Finds the real functions. */
void prof_agent_hooks_find(void);

/* The real function NAME. */
#define PROF_REAL(name) ((__typeof__(name) *)prof_agent_hooks[PROF_HOOK_##name].real)

#endif
