/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * GDB's program spaces, those of the processes that are sampled: which of them knows an address.
 * Processes can have other load objects at the same address.
 */
#ifndef PROF_PLUGIN_SESSION_SPACES_H
#define PROF_PLUGIN_SESSION_SPACES_H

#include "base/memory.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct engine;
struct prof_perf_map;

/* A load object that GDB is letting go of: nobody must ask about it. */
struct going {
	const char *file; /* "": it is not known */
	PyObject *space;  /* the gdb.Progspace that it goes from, borrowed; NULL: any */
};

struct space {
	pid_t process;
	PyObject *space; /* a gdb.Progspace, an own reference */
	bool whole;      /* it has a main program, and GDB is not letting go of that */
	/* Its load objects, as their true paths; not listed before they are needed. */
	PROF_ARRAY(char *) objects;
	bool listed;
	const char *name;                /* the object that was looked for last; NULL: none yet */
	bool found;                      /* it is one of them */
	struct prof_perf_map *generated; /* see spaces_generated() */
	bool mapped;                     /* it was looked for */
};

struct spaces {
	const struct engine *engine;
	const struct going *going; /* see spaces_init() */
	PROF_ARRAY(struct space) items;
};

/*
 * All that there are while ENGINE samples; GOING, which may be NULL, is left out of the space that
 * it goes from: in those of other processes the same file stays.
 */
void spaces_init(struct spaces *spaces, const struct engine *engine, const struct going *going);
void spaces_deinit(struct spaces *spaces);

/*
 * The one that knows the load object PATH (which must not change until spaces_deinit(); "" for
 * generated code) at ADDRESS, or NULL.
 */
struct space *spaces_find(struct spaces *spaces, const char *path, uint64_t address);

/*
 * What the program in SPACE itself calls the function at ADDRESS, in code that it has generated: a
 * name that is borrowed until spaces_deinit(), and where the function begins in *LOW.  NULL: it
 * does not say.  If it is EARLY, a large list is left for later: reading it again and again would
 * keep GDB busy.
 */
const char *spaces_generated(struct space *space, uint64_t address, bool early, uint64_t *low);

#endif
