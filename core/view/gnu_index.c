/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GNU gprof's index of functions: three columns, each read downwards. */
#include "base/map.h"
#include "base/text.h"
#include "callgraph/gnu.h"
#include "model/image_symbols.h"
#include "view/gnu.h"
#include "view/gprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS = 3, COLUMN = 26, INDEX = 5 };

static int compare_names(const void *left, const void *right, void *context)
{
	const struct prof_gnu *gnu = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	int result = strcmp(prof_gnu_text(gnu, gnu->symbols.items[a].place->name),
		prof_gnu_text(gnu, gnu->symbols.items[b].place->name));

	return result ? result : (a > b) - (a < b);
}

/* The text behind the index of SYMBOL, in a new string; NULL: no memory. */
static char *describe(const struct prof_gnu *gnu, uint32_t symbol)
{
	const struct prof_gnu_symbol *of = &gnu->symbols.items[symbol];
	char *text;

	if (!of->place) {
		if (asprintf(&text, "<cycle %u>", of->cycle) < 0)
			return NULL;
		return text;
	}
	AUTO_FREE char *name = prof_gnu_name(gnu, symbol);
	if (!name || gnu->lines || !of->place->local || of->place->file == PROF_NONE)
		return steal(&name);
	const char *path = prof_gnu_text(gnu, of->place->file);
	const char *slash = strrchr(path, '/');
	if (asprintf(&text, "%s (%s)", name, slash ? slash + 1 : path) < 0)
		return NULL;
	return text;
}

/*
 * Prints SYMBOL, and its index before it, in the column that begins at START.  *AT is the current
 * column, without the blanks around the index.
 */
static struct prof_error *print_symbol(
	const struct prof_gnu *gnu, uint32_t symbol, long start, long *at, struct prof_text *text)
{
	const struct prof_gnu_symbol *of = &gnu->symbols.items[symbol];
	AUTO_FREE char *described = describe(gnu, symbol);
	char index[16];

	if (!described)
		return prof_error_nomem();
	*at += snprintf(index, sizeof index, of->shown ? "[%u]" : "(%u)", of->index);
	if (*at < start + INDEX) {
		prof_text_spaces(text, start + INDEX - *at);
		*at = start + INDEX;
	}
	prof_text_print(text, " %s ", index);
	prof_text_name(text, described);
	*at += (long)strlen(described);
	return NULL;
}

/* The symbols in the order of the index: the functions by name, then the cycles. */
static size_t list_symbols(
	const struct prof_gnu *gnu, const struct prof_gprof_choice *choice, uint32_t *list)
{
	size_t count = 0;

	for (uint32_t i = 0; i < gnu->places; i++) {
		const struct prof_gnu_symbol *symbol = &gnu->symbols.items[i];
		if (choice->all || symbol->calls || symbol->time != 0)
			list[count++] = i;
	}
	qsort_r(list, count, sizeof *list, compare_names, (void *)gnu);
	for (uint32_t i = (uint32_t)gnu->places; i < gnu->symbols.count; i++)
		list[count++] = i;
	return count;
}

struct prof_error *prof_gnu_index(
	const struct prof_gnu *gnu, const struct prof_gprof_choice *choice, struct prof_text *text)
{
	AUTO_FREE uint32_t *list = malloc((gnu->symbols.count + 1) * sizeof *list);
	struct prof_error *error = NULL;

	if (!list)
		return prof_error_nomem();
	size_t count = list_symbols(gnu, choice, list);
	size_t rows = (count + ACROSS - 1) / ACROSS;
	prof_text_print(text, "\f\nIndex by function name\n\n");
	for (size_t row = 0; !error && row < rows; row++) {
		long start = 0, at = 0;
		for (size_t i = row; !error && i < count; i += rows, start += COLUMN)
			error = print_symbol(gnu, list[i], start, &at, text);
		prof_text_print(text, "\n");
	}
	return error;
}
