/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GNU gprof's flat profile. */
#include "base/text.h"
#include "callgraph/gnu.h"
#include "model/gmon.h"
#include "model/image_symbols.h"
#include "view/gnu.h"
#include "view/gprof.h"

#include <stdlib.h>
#include <string.h>

/* Prefixes of the unit of time per call. */
static const struct prefix {
	char letter;
	double scale;
} prefixes[] = {{'T', 1e-12}, {'G', 1e-9}, {'M', 1e-6}, {'K', 1e-3}, {' ', 1}, {'m', 1e3},
	{'u', 1e6}, {'n', 1e9}, {'p', 1e12}, {'f', 1e15}, {'a', 1e18}};

/* By time, then calls, then name. */
static int compare_symbols(const void *left, const void *right, void *context)
{
	const struct prof_gnu *gnu = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	const struct prof_gnu_symbol *one = &gnu->symbols.items[a];
	const struct prof_gnu_symbol *other = &gnu->symbols.items[b];

	if (one->time != other->time)
		return one->time > other->time ? -1 : 1;
	if (one->calls != other->calls)
		return one->calls > other->calls ? -1 : 1;
	int result = strcmp(
		prof_gnu_text(gnu, one->place->name), prof_gnu_text(gnu, other->place->name));
	return result ? result : (a > b) - (a < b);
}

/* The prefix that makes the longest time per call at least 1 and less than 1000. */
static const struct prefix *find_prefix(const struct prof_gnu *gnu)
{
	double most = 0;

	for (size_t i = 0; i < gnu->places; i++) {
		const struct prof_gnu_symbol *symbol = &gnu->symbols.items[i];
		double each = symbol->calls
			? (symbol->time + symbol->child_time) / (double)symbol->calls
			: 0;
		most = each > most ? each : most;
	}
	most /= gnu->gmon->rate;
	for (size_t i = 0; most > 0 && i < PROF_COUNT(prefixes); i++) {
		double shown = prefixes[i].scale * most;
		if (shown >= 1 && shown < 1000)
			return &prefixes[i];
	}
	return &prefixes[0];
}

static void print_heading(
	const struct prof_gnu *gnu, const struct prefix *prefix, struct prof_text *text)
{
	const struct prof_gmon *gmon = gnu->gmon;
	const char unit[] = {prefix->letter, *gmon->unit, '/', 'c', 'a', 'l', 'l', '\0'};

	prof_text_print(text, "Flat profile:\n\nEach sample counts as %g %s.\n", 1.0 / gmon->rate,
		gmon->dimension);
	if (gnu->total <= 0)
		prof_text_print(text, " no time accumulated\n\n");
	prof_text_print(text, "  %%   cumulative   self              self     total           \n");
	prof_text_print(text, " time %9.9s  %8.8s    calls %8.8s %8.8s  name    \n",
		gmon->dimension, gmon->dimension, unit, unit);
}

static struct prof_error *print_row(const struct prof_gnu *gnu, uint32_t number, double cumulative,
	const struct prefix *prefix, struct prof_text *text)
{
	const struct prof_gnu_symbol *symbol = &gnu->symbols.items[number];
	double rate = gnu->gmon->rate;
	AUTO_FREE char *name = prof_gnu_name(gnu, number);

	if (!name)
		return prof_error_nomem();
	prof_text_print(text, "%6.2f %9.2f %8.2f",
		100 * symbol->time / (gnu->total > 0 ? gnu->total : 1), cumulative / rate,
		symbol->time / rate);
	if (symbol->calls)
		prof_text_print(text, " %8llu %8.2f %8.2f  ", (unsigned long long)symbol->calls,
			prefix->scale * symbol->time / rate / (double)symbol->calls,
			prefix->scale * (symbol->time + symbol->child_time) / rate /
				(double)symbol->calls);
	else
		prof_text_spaces(text, 29);
	prof_text_name(text, name);
	prof_text_print(text, "\n");
	return NULL;
}

struct prof_error *prof_gnu_flat(
	const struct prof_gnu *gnu, const struct prof_gprof_choice *choice, struct prof_text *text)
{
	AUTO_FREE uint32_t *order = malloc((gnu->places + 1) * sizeof *order);
	const struct prefix *prefix = find_prefix(gnu);
	struct prof_error *error = order ? NULL : prof_error_nomem();
	double cumulative = 0;
	uint64_t rows = 0;

	if (error)
		return error;
	for (uint32_t i = 0; i < gnu->places; i++)
		order[i] = i;
	qsort_r(order, gnu->places, sizeof *order, compare_symbols, (void *)gnu);
	print_heading(gnu, prefix, text);
	for (size_t i = 0; !error && i < gnu->places; i++) {
		const struct prof_gnu_symbol *symbol = &gnu->symbols.items[order[i]];
		bool nothing = !symbol->calls && symbol->time == 0;
		if ((nothing && !choice->all) || !prof_gnu_is_flat(gnu, order[i]))
			continue;
		if (choice->limit && rows++ == choice->limit)
			break;
		cumulative += symbol->time;
		error = print_row(gnu, order[i], cumulative, prefix, text);
	}
	return error;
}
