/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Which numbers were met lately, such as the ids of threads whose names the recorder has.  However
 * many there are, the set stays small: once it is full it is emptied, and they are new again.
 */
#ifndef PROF_BASE_RECENT_H
#define PROF_BASE_RECENT_H

#include "base/map.h"

enum { PROF_RECENT_MOST = 4096 };

/* All zeroes is the empty set. */
struct prof_recent {
	struct prof_map numbers;
};

void prof_recent_deinit(struct prof_recent *recent);

/* Adds NUMBER.  False: it was met lately.  Without memory, it will be new the next time too. */
bool prof_recent_add(struct prof_recent *recent, uint64_t number);

#endif
