/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/choice.h"

#include "base/file.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"

#include <stdlib.h>
#include <string.h>

/* Does the command of VALUES have the option NAME? */
static bool has_option(const struct option_values *values, const char *name)
{
	for (const struct prof_option *row = values->rows; row->name; row++) {
		if (!strcmp(row->name, name))
			return true;
	}
	return false;
}

unsigned choice_index(const struct option_values *values, const char *name)
{
	int index = has_option(values, name) ? option_index(values, name) : -1;

	return index < 0 ? 0 : (unsigned)index;
}

static bool is_given(const struct option_values *values, const char *name)
{
	return has_option(values, name) && option_get(values, name);
}

/* The option's value, or NULL. */
static const char *text_of(const struct option_values *values, const char *name)
{
	return has_option(values, name) ? option_get(values, name) : NULL;
}

static struct prof_error *read_degree(const struct option_values *values, enum prof_degree *ret)
{
	AUTO_FREE char *setting = NULL;

	if (is_given(values, "collapse")) {
		*ret = (enum prof_degree)choice_index(values, "collapse");
		return NULL;
	}
	struct prof_error *error = settings_get("collapse", &setting);
	for (unsigned i = 0; !error && i < PROF_DEGREES; i++) {
		if (!strcmp(setting, prof_degree_names[i]))
			*ret = (enum prof_degree)i;
	}
	return error;
}

static struct prof_error *read_percent(const struct option_values *values, double *ret)
{
	const char *text =
		is_given(values, "min-percent") ? option_get(values, "min-percent") : "0";
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end || !(percent >= 0 && percent <= 100))
		return prof_error_create(PROF_ERROR_USAGE,
			"--min-percent takes a number from 0 to 100, not \"%s\".", text);
	*ret = percent;
	return NULL;
}

static struct prof_error *read_level(const struct option_values *values, uint64_t *ret)
{
	unsigned long level = 0;
	struct prof_error *error = has_option(values, "max-level")
		? option_number(values, "max-level", 1, 0, &level)
		: NULL;

	*ret = level;
	return error;
}

/* What there is to choose of counts. */
static void read_counted(const struct option_values *values, struct prof_choice *choice)
{
	choice->all = is_given(values, "all");
	choice->counted.lines = is_given(values, "line");
	choice->counted.cut = text_of(values, "cut");
	choice->counted.only = text_of(values, "only");
	choice->counted.without = text_of(values, "without");
	choice->counted.only_time = text_of(values, "only-time");
	choice->counted.without_time = text_of(values, "without-time");
}

static struct prof_error *read_choice(
	const struct option_values *values, struct prof_choice *choice)
{
	unsigned long limit = 0;
	struct prof_error *error =
		has_option(values, "limit") ? option_number(values, "limit", 0, 0, &limit) : NULL;

	if (!error)
		error = read_degree(values, &choice->collapse);
	if (!error)
		error = read_percent(values, &choice->min_percent);
	if (!error)
		error = read_level(values, &choice->max_level);
	choice->limit = limit;
	choice->metrics = text_of(values, "metric");
	choice->format = (enum prof_format)choice_index(values, "format");
	choice->columns = (enum prof_columns)choice_index(values, "columns");
	choice->unit = (enum prof_data_unit)choice_index(values, "unit");
	choice->style = (enum prof_style)choice_index(values, "style");
	if (is_given(values, "sort"))
		choice->sort = (enum prof_sort)(PROF_SORT_FIRST + choice_index(values, "sort"));
	choice->folded = choice_index(values, "inline") == 1;
	choice->bars =
		is_given(values, "bars") && !is_given(values, "output") && host_shows_blocks();
	read_counted(values, choice);
	choice->mark = text_of(values, "mark");
	choice->flat = is_given(values, "flat");
	choice->graph = is_given(values, "graph");
	return error;
}

struct prof_error *choice_read(const struct option_values *values, struct choice *ret)
{
	struct prof_error *error = read_choice(values, &ret->choice);

	if (!error)
		error = filter_read(values, &ret->filter);
	ret->choice.filter = ret->filter.filter;
	return error;
}

void choice_deinit(struct choice *choice)
{
	filter_deinit(&choice->filter);
}

struct prof_error *choice_write(const struct option_values *values, const struct prof_text *text)
{
	const char *output = option_get(values, "output");

	return output ? prof_file_write(output, prof_text_get(text), text->length)
		      : host_write(prof_text_get(text));
}

struct prof_error *choice_say_written(const char *path)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_name(&text, path);
	prof_text_print(&text, " is written.\n");
	struct prof_error *error = prof_text_error(&text);
	return error ? error : host_write(prof_text_get(&text));
}
