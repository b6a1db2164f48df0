/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Tracing, beside or instead of sampling, while something is recorded: which processes have the
 * agent in them, how it gets there, and out again.
 *
 * A program that GDB starts has the agent preloaded; tracing.c brings it into a process that is
 * there while that stands still (inject.h).  A child that a traced process makes is not traced, but
 * is known for its redirections.
 */
#ifndef PROF_PLUGIN_TRACING_TRACING_H
#define PROF_PLUGIN_TRACING_TRACING_H

#include "base/error.h"
#include "plugin/option/mpi_settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is traced. */
struct tracing_request {
	uint32_t families; /* enum prof_family; 0: nothing is traced */
	size_t memory;     /* bytes that events wait in until they are taken */
	bool calibrate;    /* the shortest wait that is recorded is measured */
	int64_t threshold; /* ns: else it is more than this */
	struct mpi_settings mpi;
	bool mpi_handshake; /* the ranks of a job compare their clocks */
	bool children;      /* processes that traced ones make are traced, too, if GDB keeps them */
};

/* Can what REQUEST asks for be traced here?  NULL: it can; else why not.  Changes nothing. */
struct prof_error *tracing_check(const struct tracing_request *request) PROF_MUST_CHECK;

/*
 * There are functions to be traced (traced_functions.h): begins as REQUEST says, if nothing is
 * traced yet, and has the selected inferior's process, if there is one, trace them.
 */
struct prof_error *tracing_more(const struct tracing_request *request) PROF_MUST_CHECK;

#endif
