/* The tree's table, shared by tree.c, which fills it, and tree_text.c, which prints it. */
#ifndef PROF_VIEW_TREE_H
#define PROF_VIEW_TREE_H

#include "view/table.h"
#include "view/view.h"

/* The columns; those behind the stub are empty where it is 1. */
enum {
	PROF_TREE_LEVEL,
	PROF_TREE_NAME,
	PROF_TREE_STUB,
	PROF_TREE_DIRECT,
	PROF_TREE_INDIRECT,
	PROF_TREE_IN_ONLY,
	PROF_TREE_PERCENT,
	PROF_TREE_PARENT_PERCENT,
	PROF_TREE_WIDTH,
};

/* Prints TABLE of PROFILE with the chosen COLUMNS. */
void prof_tree_text(const struct prof_profile *profile, const struct prof_table *table,
	enum prof_columns columns, struct prof_text *text);

#endif
