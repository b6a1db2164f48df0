/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The dynamic section of a load object (System V ABI, chapter 5), and what it exports, from the
 * memory of a process, which may say anything.
 */
#ifndef PROF_TARGET_DYNAMIC_H
#define PROF_TARGET_DYNAMIC_H

#include "target/target.h"

#include <stdint.h>
#include <sys/types.h>

struct prof_linked;
struct prof_linkmap;

/* A table; the address 0: there is none. */
struct prof_dynamic_table {
	uint64_t address;
	uint64_t size; /* bytes */
};

struct prof_dynamic {
	struct prof_dynamic_table jumps, others; /* relocations: of the linkage table, of data */
	struct prof_dynamic_table strings;
	uint64_t symbols, versions, hash; /* addresses; the hash table is GNU's */
};

/* What an object exports by a name. */
struct prof_exported {
	uint64_t address; /* 0: it exports nothing by that name */
	bool indirect; /* the function there returns the address of the function (STT_GNU_IFUNC) */
};

/* Reads the dynamic section of LINKED, as far as it can be read. */
struct prof_dynamic prof_dynamic_read(
	const struct prof_target *target, const struct prof_linked *linked);

/*
 * What LINKED itself exports by NAME, in the version that is the default; an older version that is
 * kept for older programs does not count.
 */
struct prof_exported prof_dynamic_find(
	const struct prof_target *target, const struct prof_linked *linked, const char *name);

/*
 * The same of the first object of MAP that has it, the kernel's own (vDSO) left out: the dynamic
 * linker does not look for functions there.
 */
struct prof_exported prof_dynamic_find_any(
	const struct prof_target *target, const struct prof_linkmap *map, const char *name);

/* The same in the process PID; address 0 also if its objects cannot be read. */
struct prof_exported prof_dynamic_find_in(pid_t pid, const char *name);

#endif
