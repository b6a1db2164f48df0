/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number_range.h"

#include <stddef.h>

/* Reads the number at *AT and advances *AT behind it.  False: there is no number. */
static bool read_number(const char **at, uint64_t *ret)
{
	const char *digit = *at;
	uint64_t number = 0;

	for (; *digit >= '0' && *digit <= '9'; digit++)
		number = number < UINT64_MAX / 20 ? number * 10 + (uint64_t)(*digit - '0')
						  : UINT64_MAX;
	bool any = digit > *at;
	*at = digit;
	*ret = number;
	return any;
}

bool prof_number_range_read(const char **text, struct prof_number_range *ret)
{
	const char *at = *text;

	if (!read_number(&at, &ret->first))
		return false;
	ret->last = ret->first;
	if (*at == '-') {
		at++;
		if (!read_number(&at, &ret->last))
			return false;
	}
	if (*at && *at != ',')
		return false;
	*text = *at ? at + 1 : NULL;
	return true;
}
