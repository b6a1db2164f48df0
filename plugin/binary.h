/* The file that a load object of an experiment was mapped from. */
#ifndef PROF_PLUGIN_BINARY_H
#define PROF_PLUGIN_BINARY_H

#include "experiment/experiment.h"
#include "target/elf.h"

/* One at a time is kept open.  All zeroes: none. */
struct binary {
	struct prof_elf *file; /* NULL: it can't be had */
	bool tried;            /* and whose it is: */
	uint32_t module;
	struct prof_range range;
};

/* The range of MODULE of EXPERIMENT that holds ADDRESS, borrowed, or NULL. */
const struct prof_range *binary_range(
	const struct prof_experiment *experiment, uint32_t module, uint64_t address);

/*
 * The file of MODULE as it was mapped at ADDRESS, if it is still the same; NULL: it is not, or that
 * is not known.  BINARY keeps it until another is asked for.
 */
struct prof_elf *binary_open(struct binary *binary, const struct prof_experiment *experiment,
	uint32_t module, uint64_t address);

/* Closes what is open. */
void binary_close(struct binary *binary);

#endif
