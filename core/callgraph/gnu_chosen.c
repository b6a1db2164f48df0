/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which symbols the user has chosen, and which calls, as GNU gprof sees it. */
#include "callgraph/gnu.h"

#include "base/ranges.h"
#include "metric/cuts.h"

#include <stdlib.h>
#include <string.h>

/* Functions that gather the profile themselves. */
static const char *const profiling[] = {
	"_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup"};

static void stretches_deinit(struct prof_gnu_stretches *stretches)
{
	free(stretches->items);
}

bool prof_gnu_choice_is_set(const struct prof_gnu_choice *choice)
{
	return choice->lines || choice->cut || choice->only || choice->without ||
		choice->only_time || choice->without_time;
}

static int compare_stretches(const void *left, const void *right)
{
	const struct prof_gnu_stretch *a = left;
	const struct prof_gnu_stretch *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

/*
 * Adds BIT to all symbols that begin in STRETCHES.  A stretch ends where the next one begins, if
 * not before; of several that begin together, the longest counts.
 */
static void flag(struct prof_gnu *gnu, struct prof_gnu_stretches *stretches, uint8_t bit)
{
	if (!stretches->count)
		return;
	qsort(stretches->items, stretches->count, sizeof *stretches->items, compare_stretches);
	for (uint32_t i = 0; i < gnu->places; i++) {
		if (prof_ranges_find(stretches->items, stretches->count, sizeof *stretches->items,
			    gnu->symbols.items[i].place->low))
			gnu->chosen[i] |= bit;
	}
}

/* Adds BIT to all symbols that LIST names.  LIST may be NULL. */
static struct prof_error *flag_list(struct prof_gnu *gnu, const char *list, unsigned bit)
{
	PROF_AUTO(stretches_deinit) struct prof_gnu_stretches stretches = {0};
	AUTO_FREE char *copy = list ? strdup(list) : NULL;
	struct prof_error *error = list && !copy ? prof_error_nomem() : NULL;
	char *rest = copy;

	while (!error && rest)
		error = prof_gnu_find(gnu, strsep(&rest, ","), &stretches);
	if (!error)
		flag(gnu, &stretches, (uint8_t)bit);
	return error;
}

/* Hides the functions that gather the profile, if the program has them. */
static struct prof_error *hide_profiling(struct prof_gnu *gnu)
{
	const unsigned hidden =
		1 << PROF_GNU_WITHOUT | 1 << PROF_GNU_WITHOUT_TIME | 1 << PROF_GNU_WITHOUT_FLAT;

	for (size_t i = 0; i < PROF_COUNT(profiling); i++) {
		struct prof_error *error = flag_list(gnu, profiling[i], hidden);
		if (error && prof_error_code(error) != PROF_ERROR_MISSING)
			return error;
		prof_error_destroy(error);
	}
	return NULL;
}

struct prof_error *prof_gnu_choose(struct prof_gnu *gnu, const struct prof_gnu_choice *choice)
{
	gnu->chosen = calloc(gnu->places + 1, sizeof *gnu->chosen);
	if (!gnu->chosen)
		return prof_error_nomem();
	gnu->any_only = choice->only || choice->only_time;
	gnu->any_only_time = choice->only_time;
	struct prof_error *error = hide_profiling(gnu);
	if (!error)
		error = flag_list(gnu, choice->only, 1 << PROF_GNU_ONLY);
	if (!error)
		error = flag_list(gnu, choice->without, 1 << PROF_GNU_WITHOUT);
	if (!error)
		error = flag_list(
			gnu, choice->only_time, 1 << PROF_GNU_ONLY | 1 << PROF_GNU_ONLY_TIME);
	if (!error)
		error = flag_list(gnu, choice->without_time,
			1 << PROF_GNU_WITHOUT | 1 << PROF_GNU_WITHOUT_TIME);
	return error;
}

bool prof_gnu_is_wanted(const struct prof_gnu *gnu, uint32_t symbol, enum prof_gnu_table only,
	enum prof_gnu_table without)
{
	bool any = only == PROF_GNU_ONLY ? gnu->any_only : gnu->any_only_time;

	return any ? gnu->chosen[symbol] & 1 << only : !(gnu->chosen[symbol] & 1 << without);
}

struct cut {
	struct prof_gnu_stretches from, to;
};

struct prof_gnu_cuts {
	PROF_ARRAY(struct cut) list;
};

static struct prof_error *add_cut(
	const struct prof_gnu *gnu, char *text, struct prof_gnu_cuts *cuts)
{
	char *slash = strchr(text, '/');

	if (!slash)
		return prof_cuts_refuse(text);
	struct cut *cut = prof_array_push(&cuts->list);
	if (!cut)
		return prof_error_nomem();
	*cut = (struct cut){0};
	*slash = '\0';
	struct prof_error *error = prof_gnu_find(gnu, text, &cut->from);
	return error ? error : prof_gnu_find(gnu, slash + 1, &cut->to);
}

struct prof_error *prof_gnu_cuts_create(
	const struct prof_gnu *gnu, const char *cut, struct prof_gnu_cuts **ret)
{
	struct prof_gnu_cuts *cuts = calloc(1, sizeof *cuts);
	AUTO_FREE char *copy = cut ? strdup(cut) : NULL;
	struct prof_error *error = NULL;
	char *rest = copy;

	if (!cuts || (cut && !copy))
		error = prof_error_nomem();
	while (!error && rest)
		error = add_cut(gnu, strsep(&rest, ","), cuts);
	if (error)
		prof_gnu_cuts_destroy(cuts);
	else
		*ret = cuts;
	return error;
}

void prof_gnu_cuts_destroy(struct prof_gnu_cuts *cuts)
{
	if (!cuts)
		return;
	for (size_t i = 0; i < cuts->list.count; i++) {
		stretches_deinit(&cuts->list.items[i].from);
		stretches_deinit(&cuts->list.items[i].to);
	}
	free(cuts->list.items);
	free(cuts);
}

/* Is the code from LOW to HIGH in one of STRETCHES? */
static bool holds(const struct prof_gnu_stretches *stretches, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < stretches->count; i++) {
		if (low >= stretches->items[i].low && high <= stretches->items[i].high)
			return true;
	}
	return false;
}

bool prof_gnu_cuts_have(const struct prof_gnu_cuts *cuts, const struct prof_image_symbol *caller,
	const struct prof_image_symbol *callee)
{
	for (size_t i = 0; i < cuts->list.count; i++) {
		if (holds(&cuts->list.items[i].from, caller->low, caller->low + 1) &&
			holds(&cuts->list.items[i].to, callee->low, callee->high))
			return true;
	}
	return false;
}
