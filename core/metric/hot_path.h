/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The hot path of a collapsed tree: from the root down to the child with the most, again and
 * again.  It ends at a node whose own value is no less than that of each child, or whose children
 * all have less than PROF_HOT_PATH_LEAST percent of the total.
 */
#ifndef PROF_METRIC_HOT_PATH_H
#define PROF_METRIC_HOT_PATH_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

struct prof_collapsed;
struct prof_collapsed_node;

enum { PROF_HOT_PATH_LEAST = 10 };

/* Nodes from the outermost function on, without the root; none where nothing has a value. */
struct prof_hot_path {
	PROF_ARRAY(uint32_t) nodes;
};

/* Fills PATH, all zeroes, with that of TREE. */
struct prof_error *prof_hot_path_find(
	struct prof_hot_path *path, const struct prof_collapsed *tree) PROF_MUST_CHECK;

/* Frees what PATH holds; all zeroes is fine. */
void prof_hot_path_deinit(struct prof_hot_path *path);
#define AUTO_HOT_PATH PROF_AUTO(prof_hot_path_deinit)

#endif
