/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/tree_chains.h"

#include "base/columns.h"
#include "metric/short_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char arrow[] = " > ";

/* Lines shorten no more names than these. */
enum { NAMES_MOST = 6 };

/* Of the columns beside the figures, chains are indented by no more than this share. */
enum { INDENT_SHARE = 3, INDENT_MOST = 63 };

void prof_tree_chains_deinit(struct prof_tree_chains *chains)
{
	free(chains->rows.items);
	free(chains->names.items);
	*chains = (struct prof_tree_chains){0};
}

bool prof_tree_chains_begin(
	struct prof_tree_chains *chains, const struct prof_tree_chain *chain, const char *name)
{
	struct prof_tree_chain *row = prof_array_push(&chains->rows);

	if (!row)
		return false;
	*row = *chain;
	row->first = chains->names.count;
	return prof_tree_chains_join(chains, name);
}

bool prof_tree_chains_join(struct prof_tree_chains *chains, const char *name)
{
	const char **added = prof_array_push(&chains->names);

	if (added)
		*added = name;
	return added;
}

/* The names of chain NUMBER end before this one. */
static size_t end_of(const struct prof_tree_chains *chains, size_t number)
{
	return number + 1 < chains->rows.count ? chains->rows.items[number + 1].first
					       : chains->names.count;
}

/* The columns of NAME as LOOK has it. */
static size_t columns_of(const struct prof_markup *markup, const char *name)
{
	AUTO_TEXT struct prof_text plain = {0};
	AUTO_TEXT struct prof_text shown = {0};

	prof_text_name(&plain, name);
	if (markup->names == PROF_NAMES_FULL)
		prof_text_bytes(&shown, prof_text_get(&plain), plain.length);
	else
		prof_short_names_print(prof_text_get(&plain), true, &shown);
	return prof_columns_of(prof_text_get(&shown), shown.length);
}

/* The digits of the deepest level. */
static int digits_of(const struct prof_tree_chains *chains)
{
	uint32_t deepest = 0;

	for (size_t i = 0; i < chains->rows.count; i++)
		deepest = chains->rows.items[i].level > deepest ? chains->rows.items[i].level
								: deepest;
	return snprintf(NULL, 0, "%u", deepest);
}

/* By how much a chain below DEPTH others is indented in ROOM columns; 0: any number. */
static int indent_of(uint32_t depth, size_t room)
{
	size_t most = room && room / INDENT_SHARE < INDENT_MOST ? room / INDENT_SHARE : INDENT_MOST;

	return (int)(depth < most ? depth : most);
}

/* Ends the line LINE of GRID, and begins another in the last column. */
static void break_line(struct prof_grid *grid, int indent, struct prof_text *line)
{
	prof_text_print(line, "%s", " >");
	prof_grid_cell(grid, prof_text_get(line));
	for (size_t i = 0; i + 1 < grid->width; i++)
		prof_grid_cell(grid, "");
	prof_text_deinit(line);
	*line = (struct prof_text){0};
	prof_text_print(line, "%*s", indent, "");
}

void prof_tree_chains_print(const struct prof_tree_chains *chains, size_t number,
	const struct prof_markup *markup, size_t before, struct prof_grid *grid)
{
	const struct prof_tree_chain *row = &chains->rows.items[number];
	AUTO_TEXT struct prof_text line = {0};
	int digits = digits_of(chains);
	size_t room = markup->screen && markup->columns > before ? markup->columns - before : 0;
	int indent = digits + 2 + indent_of(row->depth, room);
	size_t used = (size_t)indent, names = 0;

	prof_grid_hot(grid, row->hot ? "*" : "");
	prof_text_print(&line, "%*u%*s", -digits, row->level, indent - digits, "");
	for (size_t i = row->first; i < end_of(chains, number); i++) {
		size_t width = columns_of(markup, chains->names.items[i]);
		bool full = room && used + strlen(arrow) + width + strlen(arrow) > room;
		if (names && (full || names == NAMES_MOST)) {
			break_line(grid, indent + 2, &line);
			used = (size_t)indent + 2;
			names = 0;
		} else if (names) {
			prof_text_print(&line, "%s", arrow);
			used += strlen(arrow);
		}
		prof_markup_name(&line, chains->names.items[i]);
		used += width;
		names++;
	}
	if (row->stub)
		prof_text_print(&line, "...");
	prof_grid_cell(grid, prof_text_get(&line));
	grid->cells.failed |= line.failed;
}
