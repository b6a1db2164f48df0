/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/division.h"

void prof_division_skip(struct prof_division *division, const struct prof_account *account)
{
	division->left_out.user += account->user - division->last.user;
	division->left_out.system += account->system - division->last.system;
	division->last = *account;
}

struct prof_cpu prof_division_add(struct prof_division *division,
	const struct prof_account *account, int64_t cpu, bool in_call)
{
	int64_t grain = prof_account_grain();
	int64_t accounted = account->system - division->left_out.system;
	int64_t all = accounted + account->user - division->left_out.user;
	int64_t system = in_call ? cpu : 0;

	division->last = *account;
	division->divided += cpu;
	/* An account that is older by no more than the rounding of its two sums is not older. */
	int64_t later = division->divided - all - 2 * grain;
	int64_t least = accounted - grain - division->system;
	int64_t most = accounted + grain + (later > 0 ? later : 0) - division->system;
	if (system < least)
		system = least < cpu ? least : cpu;
	else if (system > most)
		system = most > 0 ? most : 0;
	division->system += system;
	return (struct prof_cpu){.user = cpu - system, .system = system};
}
