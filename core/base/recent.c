/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/recent.h"

void prof_recent_deinit(struct prof_recent *recent)
{
	prof_map_deinit(&recent->numbers);
}

bool prof_recent_add(struct prof_recent *recent, uint64_t number)
{
	if (prof_map_get(&recent->numbers, number) != PROF_NONE)
		return false;
	if (recent->numbers.count == PROF_RECENT_MOST)
		prof_map_deinit(&recent->numbers);
	(void)prof_map_add(&recent->numbers, number, 0);
	return true;
}
