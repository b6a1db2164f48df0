/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How MPI is traced: the settings `prof mpi-...`.  VampirTrace's environment variables are their
 * first values, because the jobs of many sites have them.
 */
#ifndef PROF_PLUGIN_OPTION_MPI_SETTINGS_H
#define PROF_PLUGIN_OPTION_MPI_SETTINGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* How much prof-status reports of it. */
enum mpi_verbosity {
	MPI_QUIET,   /* nothing but what views report */
	MPI_WARNING, /* what is amiss */
	MPI_STATUS,  /* and how it goes */
};

struct mpi_settings {
	bool stacks;
	uint64_t buffer;  /* bytes */
	uint64_t flushes; /* how often the buffer may be filled; 0: any number of times */
	enum mpi_verbosity verbosity;
};

/* The words of `mpi-stacks` and `mpi-verbose`; NULL behind the last. */
const char *mpi_settings_stacks_word(size_t index);
const char *mpi_settings_verbose_word(size_t index);

/* The environment variable whose value the setting NAME has at first; NULL: there is none. */
const char *mpi_settings_variable(const char *name);

/* Can TEXT be the size of the buffer, or the number of flushes? */
struct prof_error *mpi_settings_check_buffer(const char *text) PROF_MUST_CHECK;
struct prof_error *mpi_settings_check_flushes(const char *text) PROF_MUST_CHECK;

/* What the settings say. */
struct prof_error *mpi_settings_get(struct mpi_settings *ret) PROF_MUST_CHECK;

#endif
