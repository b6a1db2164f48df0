/*
 * The dynamic section of a load object, and what it exports, from the memory of a process, which
 * may say anything.
 */
#ifndef PROF_TARGET_DYNAMIC_H
#define PROF_TARGET_DYNAMIC_H

#include "target/linkmap.h"
#include "target/target.h"

#include <stdint.h>

/* A table; the address 0: there is none. */
struct prof_dynamic_table {
	uint64_t address;
	uint64_t size; /* bytes */
};

struct prof_dynamic {
	struct prof_dynamic_table jumps, others; /* relocations: of the linkage table, of data */
	struct prof_dynamic_table strings;
	uint64_t symbols, hash; /* addresses; the hash table is GNU's */
};

/* What LINKED has, as far as it can be read. */
struct prof_dynamic prof_dynamic_read(
	const struct prof_target *target, const struct prof_linked *linked);

/* The address of what LINKED itself has by NAME for others to use; 0: none. */
uint64_t prof_dynamic_find(
	const struct prof_target *target, const struct prof_linked *linked, const char *name);

/* The same of the first object of MAP that has it. */
uint64_t prof_dynamic_find_any(
	const struct prof_target *target, const struct prof_linkmap *map, const char *name);

#endif
