/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The function that the call instruction of a frame calls, where stacks do not show it: a function
 * that has jumped to another one has no frame of its own.  The name of a function that waits at
 * a barrier of OpenMP may end in the kind of the barrier: "GOMP_barrier (explicit)".
 */
#ifndef PROF_MODEL_CALL_TARGET_H
#define PROF_MODEL_CALL_TARGET_H

#include "base/error.h"

#include <stdint.h>

struct prof_experiment;

/* Sets the function NAME that FRAME has called, which was not known. */
struct prof_error *prof_call_target_add(
	struct prof_experiment *experiment, uint32_t frame, const char *name) PROF_MUST_CHECK;

/* The name of the function that FRAME has called, borrowed, not to be trusted; NULL: not known. */
const char *prof_call_target_of(const struct prof_experiment *experiment, uint32_t frame);

/* Adds what FROM knows to INTO; FRAMES by number in FROM are those of INTO. */
struct prof_error *prof_call_target_merge(struct prof_experiment *into,
	const struct prof_experiment *from, const uint32_t *frames) PROF_MUST_CHECK;

#endif
