/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files that load objects of an experiment were mapped from. */
#ifndef PROF_PLUGIN_GDB_BINARY_H
#define PROF_PLUGIN_GDB_BINARY_H

#include "model/experiment.h"

struct prof_elf;

/* The most that are kept open at a time. */
enum { BINARIES = 16 };

struct binary {
	struct prof_elf *file; /* NULL: it cannot be opened */
	char *split;     /* file with its debugging information, or NULL: it has that itself */
	bool tried;      /* and whose it is: */
	uint32_t module; /* of the experiment */
	struct prof_range range;
};

/* All zeroes: none. */
struct binaries {
	char *folders; /* where GDB looks for such files, with a colon between two; NULL: not asked
			*/
	struct binary items[BINARIES];
	size_t next; /* the one that is closed when there are more */
};

/* The range of MODULE of EXPERIMENT that holds ADDRESS, borrowed, or NULL. */
const struct prof_range *binary_range(
	const struct prof_experiment *experiment, uint32_t module, uint64_t address);

/*
 * The binary of MODULE as it was mapped at ADDRESS, if it is still the same; NULL: it is not, or
 * that is not known.  Borrowed until the next call.
 */
const struct binary *binaries_open(struct binaries *binaries,
	const struct prof_experiment *experiment, uint32_t module, uint64_t address);

/* Closes what is open. */
void binaries_close(struct binaries *binaries);

#endif
