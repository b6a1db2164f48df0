/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is known of accesses to memory that made counters overflow. */
#ifndef PROF_MODEL_DATA_H
#define PROF_MODEL_DATA_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_data;
struct prof_experiment;

/* Does DATA hold together, apart from its sample? */
bool prof_data_is_valid(const struct prof_data *data);

/* Adds the rows of FROM to INTO, which has its samples behind BEFORE of its own. */
struct prof_error *prof_data_merge(struct prof_experiment *into, const struct prof_experiment *from,
	size_t before) PROF_MUST_CHECK;

#endif
