/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The functions through which programs enter the runtimes of OpenMP, libgomp and libomp. */
#ifndef PROF_PARALLEL_OPENMP_CALLS_H
#define PROF_PARALLEL_OPENMP_CALLS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { PROF_OPENMP_WORDS = 3 };

/* What such a function is called for. */
enum prof_construct {
	PROF_CONSTRUCT_NONE,      /* it is no function of a runtime */
	PROF_CONSTRUCT_INSIDE,    /* one inside of the runtime, which programs do not call */
	PROF_CONSTRUCT_REGION,    /* to open a parallel region, and to wait for its end */
	PROF_CONSTRUCT_FORK,      /* to open one; its end is waited for elsewhere */
	PROF_CONSTRUCT_OVERHEAD,  /* for what does not wait for other threads */
	PROF_CONSTRUCT_CREATION,  /* to create a task, and to execute it if need be */
	PROF_CONSTRUCT_REDUCTION, /* to add up what threads have, and to wait for them meanwhile */
	/* What follows waits. */
	PROF_CONSTRUCT_BARRIER,  /* explicit or implicit: compilers call the same function */
	PROF_CONSTRUCT_EXPLICIT, /* a barrier that the program has asked for */
	PROF_CONSTRUCT_IMPLICIT, /* at the end of a loop, of sections, or of other code that is
				    shared out */
	PROF_CONSTRUCT_JOIN,     /* for the end of a region, in the thread that has opened it */
	PROF_CONSTRUCT_LOCK,
	PROF_CONSTRUCT_CRITICAL,
	PROF_CONSTRUCT_ATOMIC,
	PROF_CONSTRUCT_ORDERED,
	PROF_CONSTRUCT_TASKS,   /* waits for tasks */
	PROF_CONSTRUCT_UNKNOWN, /* nothing shows which one it is */
	PROF_CONSTRUCTS,
};

/* What the function NAME is called for, by its name alone, or by what was added to it. */
enum prof_construct prof_openmp_construct(const char *name);

/*
 * Adds to TEXT the NAME of a function that is called for a barrier, and which kind of barrier that
 * is: PROF_CONSTRUCT_BARRIER, EXPLICIT or IMPLICIT.
 */
void prof_openmp_add_barrier(const char *name, enum prof_construct kind, struct prof_text *text);

/*
 * The kind of barrier for which a function of libomp is called.  WORDS are the beginning of its
 * first argument, a structure that clang makes for each call.
 */
enum prof_construct prof_openmp_barrier_of_words(const uint32_t words[PROF_OPENMP_WORDS]);

/* The kind of barrier at LINE, the line of source that calls a function of libgomp. */
enum prof_construct prof_openmp_barrier_of_line(const char *line);

/* Code that is shared out among the threads of a region. */
enum prof_shared_code {
	PROF_SHARED_NONE,
	PROF_SHARED_LOOP,
	PROF_SHARED_SECTIONS,
	PROF_SHARED_SINGLE,
	PROF_SHARED_CODES,
};

/* What the function NAME shares out, or waits at the end of, by its name alone. */
enum prof_shared_code prof_openmp_shared_code(const char *name);

/* Has a compiler made the function NAME of the code of a region or a task? */
bool prof_openmp_is_outlined(const char *name);

/* Adds to TEXT, of the name of such a function, that of the one whose code it is, as far as it has
 * it. */
void prof_openmp_outlined_of(const char *name, struct prof_text *text);

/* Is PATH the file of a runtime's shared library? */
bool prof_openmp_is_runtime(const char *path);

/*
 * Is PATH the file of a library that runtimes call to start threads and to wait, of the agent,
 * which they report to, or the kernel?  Below a frame of the runtime such a frame is the runtime's.
 */
bool prof_openmp_is_system(const char *path);

#endif
