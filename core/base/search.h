/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Binary search. */
#ifndef PROF_BASE_SEARCH_H
#define PROF_BASE_SEARCH_H

#include <stddef.h>

/*
 * Sets RET, a size_t, to how many of COUNT entries come before what is looked for: the index of the
 * first one that does not, or COUNT.  BEFORE is an expression: does the entry with the index AT, a
 * name that this defines, come before it?  It must hold for some entries at the beginning, and for
 * none behind these.
 */
#define PROF_SEARCH(ret, count, at, before)                          \
	do {                                                         \
		size_t low_ = 0, high_ = (count);                    \
		while (low_ < high_) {                               \
			const size_t at = low_ + (high_ - low_) / 2; \
			if (before)                                  \
				low_ = at + 1;                       \
			else                                         \
				high_ = at;                          \
		}                                                    \
		(ret) = low_;                                        \
	} while (0)

#endif
