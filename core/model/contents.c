/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/contents.h"

#include "model/experiment.h"
#include "model/gmon.h"

unsigned prof_experiment_has(const struct prof_experiment *experiment)
{
	if (experiment->gmon.word)
		return PROF_HAS_GMON;
	if (experiment->arc_values.count)
		return PROF_HAS_COSTS;
	return PROF_HAS_STACKS | PROF_HAS_COSTS | (experiment->calls.count ? PROF_HAS_CALLS : 0);
}
