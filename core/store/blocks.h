/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The blocks of samples in an experiment's file: where an experiment reads those it does not hold.
 */
#ifndef PROF_STORE_BLOCKS_H
#define PROF_STORE_BLOCKS_H

#include "base/error.h"

#include <sqlite3.h>

struct prof_samples;

/*
 * Has SAMPLES read the blocks that it does not hold from DATABASE, the file NAME.  DATABASE is
 * closed when SAMPLES are destroyed, or at once if there is an error.
 */
struct prof_error *prof_store_blocks_attach(
	struct prof_samples *samples, sqlite3 *database, const char *name) PROF_MUST_CHECK;

#endif
