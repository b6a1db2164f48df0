/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The address space of a process, as /proc/PID/maps lists it. */
#ifndef PROF_TARGET_MAPS_H
#define PROF_TARGET_MAPS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One mapping of a file (or of [vdso]) that can be executed; others are left out. */
struct prof_mapping {
	uint64_t low, high;     /* first byte, and the byte after the last */
	uint64_t offset;        /* of LOW in the file */
	uint64_t device, inode; /* of the file */
	char *path; /* as the kernel prints it, " (deleted)" taken off; "" if anonymous */
};

/* All zeroes is the empty address space.  Mappings are sorted by address. */
struct prof_maps {
	PROF_ARRAY(struct prof_mapping) mappings;
};

/* Frees what MAPS holds, and leaves it empty. */
void prof_maps_deinit(struct prof_maps *maps);

/* Replaces MAPS by what process PID has mapped now. */
struct prof_error *prof_maps_read(struct prof_maps *maps, pid_t pid) PROF_MUST_CHECK;

/* The contents of that file of process PID, in a new string. */
struct prof_error *prof_maps_text(pid_t pid, char **ret) PROF_MUST_CHECK;

/* Replaces MAPS by the mappings that TEXT, the contents of such a file, lists. */
struct prof_error *prof_maps_parse(struct prof_maps *maps, const char *text) PROF_MUST_CHECK;

/* Makes TO, which is empty, a copy of FROM. */
struct prof_error *prof_maps_copy(
	struct prof_maps *to, const struct prof_maps *from) PROF_MUST_CHECK;

/*
 * MAPPING, whose path is copied, is mapped now in place of what was there.  Its path is as the
 * kernel names a mapping to others than its process: anonymous memory is "//anon".
 */
struct prof_error *prof_maps_map(
	struct prof_maps *maps, const struct prof_mapping *mapping) PROF_MUST_CHECK;

/* The mapping that holds ADDRESS, borrowed until the next read, or NULL. */
const struct prof_mapping *prof_maps_find(const struct prof_maps *maps, uint64_t address);

/* The address behind the vdso; 0: there is none. */
uint64_t prof_maps_vdso_end(const struct prof_maps *maps);

/* Is the file PATH mapped at ADDRESS? */
bool prof_maps_has(const struct prof_maps *maps, uint64_t address, const char *path);

/* Is one of COUNT ADDRESSES, all of code, of no file? */
bool prof_maps_generated(const struct prof_maps *maps, const uint64_t *addresses, size_t count);

#endif
