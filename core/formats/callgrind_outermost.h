/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The outermost functions of what callgrind has written. */
#ifndef PROF_FORMATS_CALLGRIND_OUTERMOST_H
#define PROF_FORMATS_CALLGRIND_OUTERMOST_H

#include "model/experiment.h"

/*
 * Adds to EXPERIMENT, which has costs of calls, a call from outside of each function that nobody
 * calls but itself: for all that it and its calls cost.
 */
struct prof_error *prof_callgrind_add_outermost(struct prof_experiment *experiment) PROF_MUST_CHECK;

#endif
