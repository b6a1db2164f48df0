/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/arguments.h"

#include "model/traced.h"

#include <string.h>

static prof_value bounded(prof_value value)
{
	if (value > PROF_ARGUMENT_MOST)
		return PROF_ARGUMENT_MOST;
	return value < -PROF_ARGUMENT_MOST ? -PROF_ARGUMENT_MOST : value;
}

static prof_value of_double(double number)
{
	const double most = (double)PROF_ARGUMENT_MOST;
	double scaled = number * PROF_VALUE_ONE;

	if (scaled != scaled)
		return 0;
	if (scaled >= most)
		return PROF_ARGUMENT_MOST;
	if (scaled <= -most)
		return -PROF_ARGUMENT_MOST;
	return (prof_value)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

prof_value prof_argument_value(char letter, uint64_t word)
{
	double number;

	if (strchr("fdD", letter)) {
		memcpy(&number, &word, sizeof number);
		return of_double(number);
	}
	if (strchr("bhil", letter))
		return bounded(prof_value_of((int64_t)word));
	return bounded((prof_value)word * PROF_VALUE_ONE);
}

void prof_argument_add(struct prof_argument_sum *sum, prof_value value, bool first)
{
	if (first)
		*sum = (struct prof_argument_sum){0, value, value};
	sum->sum = bounded(sum->sum + value);
	if (value < sum->least)
		sum->least = value;
	if (value > sum->most)
		sum->most = value;
}
