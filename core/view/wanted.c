/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/wanted.h"

#include "base/error.h"
#include "base/strings.h"
#include "metric/groups.h"
#include "metric/items.h"
#include "metric/names.h"
#include "model/experiment.h"
#include "report/sheet.h"
#include "view/named.h"

#include <stdlib.h>
#include <string.h>

void prof_wanted_deinit(struct prof_wanted *wanted)
{
	free(wanted->functions);
	free(wanted->files);
	*wanted = (struct prof_wanted){0};
}

static void add_function(struct prof_wanted *wanted, uint32_t function)
{
	wanted->count += !wanted->functions[function];
	wanted->functions[function] = true;
}

/* Adds the function with the largest exclusive or, with ties, inclusive metric. */
static struct prof_error *find_hottest(struct prof_wanted *wanted, const struct prof_sheet *sheet)
{
	AUTO_GROUPING struct prof_grouping grouping = {0};
	size_t items = prof_items_count(&sheet->items);
	size_t functions = prof_experiment_functions(sheet->experiment);
	AUTO_FREE prof_value *exclusive = calloc(functions + 1, sizeof *exclusive);
	AUTO_FREE prof_value *inclusive = calloc(functions + 1, sizeof *inclusive);
	uint32_t hottest = 0;
	struct prof_error *error = prof_grouping_init(&grouping, items, functions);

	if (!error && (!exclusive || !inclusive))
		error = prof_error_nomem();
	for (uint32_t i = 0; !error && i < items; i++)
		grouping.own[i] = grouping.within[i] = prof_items_function(&sheet->items, i);
	if (!error)
		error = prof_groups_measure(sheet->profiles[0], &grouping, exclusive, inclusive);
	if (error)
		return error;
	for (uint32_t i = 1; i < functions; i++) {
		if (exclusive[i] > exclusive[hottest] ||
			(exclusive[i] == exclusive[hottest] && inclusive[i] > inclusive[hottest]))
			hottest = i;
	}
	if (functions && inclusive[hottest])
		add_function(wanted, hottest);
	return NULL;
}

/* Is NAME the path FILE, or the end of it? */
static bool is_end(const char *file, const char *name)
{
	size_t length = strlen(file);
	size_t part = strlen(name);

	return part && part <= length && !strcmp(file + length - part, name) &&
		(part == length || file[length - part - 1] == '/');
}

/* Adds the files named NAME, and the functions with code from there. */
static struct prof_error *find_files(
	struct prof_wanted *wanted, const struct prof_sheet *sheet, const char *name)
{
	const struct prof_strings *strings = &sheet->experiment->strings;
	const struct prof_items *items = &sheet->items;

	wanted->files = calloc(strings->texts.count + 1, sizeof *wanted->files);
	if (!wanted->files)
		return prof_error_nomem();
	for (size_t i = 0; i < items->lines.count; i++) {
		const struct prof_line *line = &items->lines.items[i];
		if (!line->line || !is_end(prof_strings_get(strings, line->file), name))
			continue;
		wanted->files[line->file] = true;
		add_function(wanted, line->function);
	}
	return NULL;
}

struct prof_error *prof_wanted_find(
	struct prof_wanted *wanted, const struct prof_sheet *sheet, const char *name)
{
	const struct prof_experiment *experiment = sheet->experiment;

	*wanted =
		(struct prof_wanted){.functions = calloc(prof_experiment_functions(experiment) + 1,
					     sizeof *wanted->functions)};
	if (!wanted->functions)
		return prof_error_nomem();
	if (!name)
		return find_hottest(wanted, sheet);
	wanted->count = prof_names_find(experiment, NULL, name, wanted->functions);
	if (wanted->count)
		return NULL;
	struct prof_error *error = find_files(wanted, sheet, name);
	if (error || wanted->count)
		return error;
	return prof_named_unknown(experiment, NULL,
		sheet->items.kind == PROF_KIND_LINES ? "function and no source file" : "function",
		name);
}
