/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The address space of one process: what is mapped where, and the objects, opened as needed. */
#ifndef PROF_TARGET_SPACE_H
#define PROF_TARGET_SPACE_H

#include "target/maps.h"

struct prof_arch;
struct prof_elf;
struct prof_target;

struct prof_space_object {
	struct prof_elf *module; /* NULL: not opened */
	bool tried;              /* opening it again would not help */
};

struct prof_space {
	pid_t pid;                        /* 0: of what was recorded; the maps are as they are */
	const struct prof_target *target; /* borrowed */
	const struct prof_arch *arch;
	struct prof_maps maps;
	struct prof_space_object *objects; /* one for each of the mappings */
	uint64_t generation;               /* changes with the maps */
};

/* The space of process PID, of ARCH, whose memory TARGET, borrowed, reads; nothing is read yet. */
void prof_space_init(struct prof_space *space, pid_t pid, const struct prof_target *target,
	const struct prof_arch *arch);
void prof_space_deinit(struct prof_space *space);

/*
 * Replaces the maps by MAPS, which is taken; *OLD is what they were, and the caller's.  Objects
 * that are still there, the same, stay open.  False: out of memory, and MAPS is left.
 */
bool prof_space_replace(struct prof_space *space, struct prof_maps *maps, struct prof_maps *old);

/*
 * Reads the maps again.  True: something has changed, and they were replaced.  False also where
 * it cannot be read.
 */
bool prof_space_read(struct prof_space *space, struct prof_maps *old);

/* The opened object of MAPPING, one of SPACE's, or NULL: it has no call frame information. */
struct prof_elf *prof_space_module(struct prof_space *space, const struct prof_mapping *mapping);

/* Whether code at ADDRESS is the same in the maps OLD as it is in SPACE now. */
bool prof_space_kept(const struct prof_space *space, const struct prof_maps *old, uint64_t address);

#endif
