/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/budget.h"

#include <math.h>

const double prof_budget_limit = 0.05;

/*
 * ns: short, because there is no limit until its end; but long enough for a share to mean
 * something.
 */
static const int64_t WINDOW = 50000000;

void prof_budget_init(struct prof_budget *budget)
{
	*budget = (struct prof_budget){.stride = 1};
}

void prof_budget_restart(struct prof_budget *budget, int64_t now, int64_t used)
{
	budget->begin = now;
	budget->used = used;
	budget->turns = 0;
}

int64_t prof_budget_adjust(struct prof_budget *budget, int64_t now, int64_t used, uint64_t largest)
{
	int64_t elapsed = now - budget->begin;
	int64_t more = used - budget->used;

	if (elapsed < WINDOW)
		return 0;
	/* Turns get what the rest leaves, but are not given up if the rest alone takes too much. */
	double allowed = (double)elapsed * prof_budget_limit;
	double left = fmax(allowed - (double)(more - budget->turns), allowed / 4);
	/*
	 * Far from its target, the period changes in several steps: a moment may be unusually
	 * expensive.
	 */
	double share = (double)budget->turns / left;
	if (share > 1)
		budget->stride = (uint64_t)ceil((double)budget->stride * fmin(share, 4));
	else if (share < 0.67)
		budget->stride -= 1 + budget->stride / 3;
	/* 1 would become 0. */
	budget->stride = budget->stride > largest ? largest : budget->stride;
	budget->stride = budget->stride < 1 ? 1 : budget->stride;
	budget->begin = now;
	budget->used = used;
	budget->turns = 0;
	return more;
}

int64_t prof_budget_rest(int64_t used, int64_t least)
{
	int64_t rest = (int64_t)((double)used / (prof_budget_limit / 5));

	return rest > least ? rest : least;
}
