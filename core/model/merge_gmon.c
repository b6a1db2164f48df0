/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/merge.h"

#include "base/map.h"
#include "base/strings.h"
#include "model/experiment.h"
#include "model/gmon.h"
#include "model/image_symbols.h"

#include <string.h>

static struct prof_error *cannot_add(const char *path, const char *what, const char *why)
{
	return prof_error_create(PROF_ERROR_MISMATCH,
		"The counts of \"%s\" cannot be added to those before them: %s%s.", path, what,
		why);
}

/* Does FROM count the same as INTO?  INTO takes over what it does not know yet. */
static struct prof_error *check_kind(
	struct prof_gmon *into, const struct prof_gmon *from, const char *path)
{
	if (from->word != into->word || from->big_endian != into->big_endian)
		return cannot_add(path, "they are of another kind of machine", "");
	if (!from->histograms.count)
		return NULL;
	if (!into->histograms.count) {
		into->rate = from->rate;
		memcpy(into->unit, from->unit, sizeof into->unit);
		memcpy(into->dimension, from->dimension, sizeof into->dimension);
	}
	if (strcmp(into->dimension, from->dimension) != 0 || strcmp(into->unit, from->unit) != 0)
		return cannot_add(path, "their histogram counts something else", "");
	return NULL;
}

static struct prof_error *merge_histograms(
	struct prof_gmon *into, const struct prof_gmon *from, const char *path)
{
	const struct prof_bin *bin = from->bins.items;
	const struct prof_bin *end = bin + from->bins.count;

	for (uint32_t i = 0; i < from->histograms.count; i++) {
		const struct prof_histogram *histogram = &from->histograms.items[i];
		const char *wrong;
		uint32_t number;
		struct prof_error *error = prof_gmon_histogram(
			into, histogram->low, histogram->high, histogram->parts, &number, &wrong);
		if (!error && wrong)
			error = cannot_add(path, "their histogram ", wrong);
		for (; !error && bin < end && bin->histogram == i; bin++)
			error = prof_gmon_sample(into, number, bin->part, bin->samples);
		if (error)
			return error;
	}
	return prof_gmon_add_up(into) ? NULL
				      : cannot_add(path, "together they have too many samples", "");
}

static struct prof_error *merge_calls(struct prof_gmon *into, const struct prof_gmon *from)
{
	if (!prof_array_reserve(&into->arcs, from->arcs.count))
		return prof_error_nomem();
	if (from->arcs.count)
		memcpy(into->arcs.items + into->arcs.count, from->arcs.items,
			from->arcs.count * sizeof *from->arcs.items);
	into->arcs.count += from->arcs.count;
	return NULL;
}

/* The state of a merge, with the number in INTO of each function of FROM. */
struct move {
	struct prof_experiment *into;
	const struct prof_experiment *from;
	const uint32_t *functions;
};

static struct prof_error *move_string(const struct move *move, uint32_t *string)
{
	if (*string == PROF_NONE)
		return NULL;
	return prof_experiment_string(
		move->into, prof_strings_get(&move->from->strings, *string), string);
}

/* Copies FROM to INTO, which has no symbols. */
static struct prof_error *move_symbols(const struct move *move, struct prof_image_symbols *into,
	const struct prof_image_symbols *from)
{
	struct prof_error *error = NULL;

	if (!prof_array_reserve(into, from->count))
		return prof_error_nomem();
	for (size_t i = 0; i < from->count && !error; i++) {
		struct prof_image_symbol *symbol = &into->items[into->count++];
		*symbol = from->items[i];
		if (symbol->function != PROF_NONE)
			symbol->function = move->functions[symbol->function];
		error = move_string(move, &symbol->name);
		if (!error)
			error = move_string(move, &symbol->file);
	}
	return error;
}

/* If both know the program, it must be the same; if one does, it is the program of both. */
static struct prof_error *merge_program(const struct move *move)
{
	struct prof_gmon *into = &move->into->gmon;
	const struct prof_gmon *from = &move->from->gmon;
	const struct prof_strings *strings = &move->into->strings;
	const struct prof_strings *others = &move->from->strings;

	if (!from->functions.count)
		return NULL;
	if (!into->functions.count) {
		struct prof_error *error = move_symbols(move, &into->functions, &from->functions);
		return error ? error : move_symbols(move, &into->lines, &from->lines);
	}
	if (prof_image_symbols_are_same(&into->functions, strings, &from->functions, others) &&
		prof_image_symbols_are_same(&into->lines, strings, &from->lines, others))
		return NULL;
	return cannot_add(move->from->recording.source,
		"they are of another program, or of another build of it", "");
}

struct prof_error *prof_merge_gmon(
	struct prof_experiment *into, const struct prof_experiment *from, const uint32_t *functions)
{
	const struct move move = {into, from, functions};
	const char *source = from->recording.source;
	struct prof_error *error = check_kind(&into->gmon, &from->gmon, source);

	if (!error)
		error = merge_program(&move);
	if (!error)
		error = merge_histograms(&into->gmon, &from->gmon, source);
	return error ? error : merge_calls(&into->gmon, &from->gmon);
}
