/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What patches.c keeps of a process, and patch_writer.c writes to it. */
#ifndef PROF_PATCHING_PATCHES_PRIVATE_H
#define PROF_PATCHING_PATCHES_PRIVATE_H

#include "base/map.h"
#include "patching/entries.h"
#include "patching/functions.h"
#include "patching/patches.h"

enum { PROF_PATCH_JUMPS = 2 };

struct prof_patches_function {
	uint64_t address;
	uint32_t object; /* its index */
	uint32_t stub;   /* its index in the object's island */
	uint8_t state;   /* enum prof_patches_state */
	/*
	 * It was in when threads last went on: since then no thread can have been interrupted in
	 * the middle of what the patch takes.
	 */
	bool was_in;
	uint8_t taken, jump_count;
	struct prof_stub_jump jumps[PROF_PATCH_JUMPS];
	unsigned char under[PROF_PATCH_JUMPS][5];  /* the original bytes of JUMPS */
	unsigned char code[PROF_RELOCATION_TAKEN]; /* the TAKEN original bytes */
};

/* Has the process mapped an island, or the control area? */
enum prof_patches_mapped {
	PROF_PATCHES_LACKED, /* not yet */
	PROF_PATCHES_THERE,
	PROF_PATCHES_REFUSED, /* it cannot */
};

/* A load object with functions that have stubs. */
struct prof_patches_object {
	struct prof_elf *elf;
	struct prof_island_range range; /* all of it that is mapped */
	struct prof_entries entries;    /* by the file's addresses */
	struct prof_island island;
	uint64_t size;  /* bytes of the island's mapping; 0: there is no room for one */
	size_t written; /* so many bytes of the island are in the process */
	uint8_t mapped; /* enum prof_patches_mapped */
	bool gone;
};

struct prof_patches {
	pid_t process;
	struct prof_stub_settings settings;
	uint8_t control; /* enum prof_patches_mapped */
	PROF_ARRAY(struct prof_patches_object) objects;
	PROF_ARRAY(struct prof_patches_function) functions;
	struct prof_map numbers; /* index of a function that is not gone, by its address */
	struct prof_map hops;    /* index of any function, by where its second jump is */
};

#endif
