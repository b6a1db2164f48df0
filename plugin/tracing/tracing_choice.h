/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of prof-start that only tracing reads, and the request that they make. */
#ifndef PROF_PLUGIN_TRACING_TRACING_CHOICE_H
#define PROF_PLUGIN_TRACING_TRACING_CHOICE_H

#include "base/option.h"
#include "plugin/tracing/tracing.h"

#include <stdbool.h>

struct tracing_choice {
	bool heap;
	const char *sync; /* the waits, as the user has typed them, borrowed; NULL: none */
	const char *mpi;  /* NULL: not; empty, or "handshake" */
	bool omp;
	struct tracing_request request; /* tracing_choice_read() fills it in */
};

extern const struct prof_options tracing_choice_options;

/* Reads the other fields of OWN, a struct tracing_choice, and the settings into its request. */
struct prof_error *tracing_choice_read(void *own) PROF_MUST_CHECK;

#endif
