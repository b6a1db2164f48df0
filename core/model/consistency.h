/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The consistency of a recording: what its figures must satisfy, whatever was recorded.
 *
 * It holds once a recording has ended.  While it goes on, samples are in the experiment before the
 * figures that they belong to.
 */
#ifndef PROF_MODEL_CONSISTENCY_H
#define PROF_MODEL_CONSISTENCY_H

#include "base/error.h"

struct prof_experiment;

/*
 * Checks the figures of EXPERIMENT against each other: a thread has no more samples than there were
 * rounds, no more time than the program ran, the threads' CPU times add up to the whole, and no
 * part is larger than its whole.  Returns an error of the code PROF_ERROR_DAMAGED that names the
 * first contradiction; NULL if there is none, or if EXPERIMENT was not sampled.
 */
struct prof_error *prof_consistency_check(const struct prof_experiment *experiment) PROF_MUST_CHECK;

#endif
