/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Hooks: the functions whose calls the agent can take.  A family has a list of them here, and a
 * file with their wrappers, which are called prof_agent_NAME.
 */
#ifndef PROF_AGENT_HOOKS_H
#define PROF_AGENT_HOOKS_H

#include "agent/mpi_functions.h"
#include "agent/record.h"

#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>

/* clang-format off */
#define PROF_HOOKS(hook) \
	hook(HEAP, malloc) \
	hook(HEAP, calloc) \
	hook(HEAP, realloc) \
	hook(HEAP, reallocarray) \
	hook(HEAP, free) \
	hook(HEAP, valloc) \
	hook(HEAP, pvalloc) \
	hook(HEAP, memalign) \
	hook(HEAP, aligned_alloc) \
	hook(HEAP, posix_memalign) \
	hook(HEAP, mmap) \
	hook(HEAP, mmap64) \
	hook(HEAP, mremap) \
	hook(HEAP, munmap) \
	hook(SYNC, pthread_mutex_lock) \
	hook(SYNC, pthread_mutex_timedlock) \
	hook(SYNC, pthread_mutex_clocklock) \
	hook(SYNC, pthread_rwlock_rdlock) \
	hook(SYNC, pthread_rwlock_timedrdlock) \
	hook(SYNC, pthread_rwlock_clockrdlock) \
	hook(SYNC, pthread_rwlock_wrlock) \
	hook(SYNC, pthread_rwlock_timedwrlock) \
	hook(SYNC, pthread_rwlock_clockwrlock) \
	hook(SYNC, pthread_cond_wait) \
	hook(SYNC, pthread_cond_timedwait) \
	hook(SYNC, pthread_cond_clockwait) \
	hook(SYNC, pthread_join) \
	hook(SYNC, pthread_timedjoin_np) \
	hook(SYNC, pthread_clockjoin_np) \
	hook(SYNC, sem_wait) \
	hook(SYNC, sem_timedwait) \
	hook(SYNC, sem_clockwait) \
	hook(SYNC, pthread_barrier_wait)
/* clang-format on */

#define PROF_HOOK_WRAPPER(family, name) extern __typeof__(name) prof_agent_##name;

PROF_HOOKS(PROF_HOOK_WRAPPER)

#define PROF_HOOK_NUMBER(family, name) PROF_HOOK_##name,
#define PROF_HOOK_MPI_NUMBER(name, words, class) PROF_HOOK_MPI_##name,
#define PROF_HOOK_PMPI_NUMBER(name, words, class) PROF_HOOK_PMPI_##name,

/* The functions of MPI follow, under their two names. */
enum prof_hook_number {
	PROF_HOOKS(PROF_HOOK_NUMBER) PROF_HOOK_MPI,
	PROF_HOOK_MPI_BEFORE = PROF_HOOK_MPI - 1,
	PROF_MPI_FUNCTIONS(PROF_HOOK_MPI_NUMBER) PROF_HOOK_PMPI,
	PROF_HOOK_PMPI_BEFORE = PROF_HOOK_PMPI - 1,
	PROF_MPI_FUNCTIONS(PROF_HOOK_PMPI_NUMBER) PROF_HOOK_COUNT
};

/* The hooks of traced functions, which follow those of the list: see agent/traced_functions.h. */
extern struct prof_hook prof_agent_hooks[PROF_HOOK_COUNT + PROF_TRACED_FUNCTIONS];

/*
 * Is FOUND, a result of dlsym(), not the function but a jump to it in the program?  A program at
 * fixed addresses has such a jump where it takes the function's address; it goes through the table
 * that the agent changes.
 */
bool prof_agent_hooks_is_jump(void *found);

/* Finds the real functions of FAMILIES, bits of enum prof_family. */
void prof_agent_hooks_find(uint32_t families);

/* The real function NAME. */
#define PROF_REAL(name) ((__typeof__(name) *)prof_agent_hooks[PROF_HOOK_##name].real)

#endif
