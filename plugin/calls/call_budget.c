/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/call_budget.h"

#include <stdlib.h>
#include <string.h>

/* ns of CPU time that a call and its return take in the program. */
static const double COST = 40;

void call_budget_deinit(struct call_budget *budget)
{
	free(budget->functions.items);
	*budget = (struct call_budget){0};
}

void call_budget_add(struct call_budget *budget, uint32_t number)
{
	if (number > budget->functions.count) {
		size_t more = number - budget->functions.count;
		if (!prof_array_reserve(&budget->functions, more))
			return;
		memset(budget->functions.items + budget->functions.count, 0,
			more * sizeof *budget->functions.items);
		budget->functions.count += more;
	}
	budget->functions.items[number - 1].calls++;
	budget->calls++;
}

/* The index of the function that was called most often and is recorded; SIZE_MAX: there is none. */
static size_t find_most(const struct call_budget *budget)
{
	uint64_t calls = 0;
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < budget->functions.count; i++) {
		const struct call_budget_function *function = &budget->functions.items[i];
		if (function->counted || function->calls <= calls)
			continue;
		found = i;
		calls = function->calls;
	}
	return found;
}

size_t call_budget_look(
	struct call_budget *budget, int64_t cpu, uint64_t lost, uint32_t *numbers, size_t most)
{
	double calls = (double)budget->calls, all = calls + (double)lost;
	double room = budget->limit * (double)cpu / COST;
	size_t count = 0, found;

	if (lost && room > all / 2)
		room = all / 2;
	/* Those that were lost are likely of the same functions. */
	if (lost)
		room *= calls / all;
	while (budget->limit > 0 && calls > room && count < most &&
		(found = find_most(budget)) != SIZE_MAX) {
		calls -= (double)budget->functions.items[found].calls;
		budget->functions.items[found].counted = true;
		numbers[count++] = (uint32_t)found + 1;
	}
	for (size_t i = 0; i < budget->functions.count; i++)
		budget->functions.items[i].calls = 0;
	budget->calls = 0;
	return count;
}
