/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The load objects of a process, as its dynamic linker lists them.
 *
 * All is read from the memory of the process, which may say anything: lists without end, tables
 * that are nowhere.
 */
#ifndef PROF_TARGET_LINKMAP_H
#define PROF_TARGET_LINKMAP_H

#include "base/error.h"
#include "target/target.h"

#include <sys/types.h>

struct prof_linked {
	uint64_t bias;    /* what is added to the addresses in its file */
	uint64_t dynamic; /* address of its dynamic section */
	char *path;       /* as the linker has it, not to be trusted; "" for the program */
};

/* All zeroes is the empty list. */
struct prof_linkmap {
	PROF_ARRAY(struct prof_linked) items;
	uint64_t linker;   /* bias of the dynamic linker itself */
	char *interpreter; /* its file, as the program asks for it */
};

/* Frees what MAP holds, and leaves it empty. */
void prof_linkmap_deinit(struct prof_linkmap *map);

/*
 * Replaces MAP by what is linked now in a program of 64 bits whose COUNT program headers are at
 * HEADERS.  PROF_ERROR_UNSUPPORTED: the program has no dynamic linker; PROF_ERROR_STATE: that has
 * not begun yet; PROF_ERROR_DAMAGED: what it has is no list.
 */
struct prof_error *prof_linkmap_read(struct prof_linkmap *map, const struct prof_target *target,
	uint64_t headers, size_t count) PROF_MUST_CHECK;

/* The same of the process PID, whose auxiliary vector has the address of the program headers. */
struct prof_error *prof_linkmap_of_process(
	struct prof_linkmap *map, const struct prof_target *target, pid_t pid) PROF_MUST_CHECK;

#endif
