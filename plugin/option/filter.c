/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/filter.h"

#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "view/options.h"

#include <stdlib.h>
#include <string.h>

static const struct prof_option filter_rows[] = {PROF_FILTER_OPTIONS{.name = NULL}};

/* Where stacks are wanted, too. */
static const struct prof_option rows_with_stacks[] = {
	PROF_FILTER_OPTIONS PROF_STACKS_OPTION, {.name = NULL}};

static struct prof_error *parse(
	const struct prof_option *rows, const char *text, struct option_values *ret)
{
	struct prof_error *error = option_parse("set prof filter", rows, text, ret);

	if (!error && ret->given.count)
		error = prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a filter: give filter options, such as --thread=12.",
			ret->given.arguments[0]);
	return error;
}

struct prof_error *filter_check(const char *text)
{
	PROF_AUTO(option_values_deinit) struct option_values values = {0};

	return parse(filter_rows, text, &values);
}

/* Moves the options of VALUES into FILTER, replacing what is there. */
static void take(struct prof_filter *filter, const struct option_values *values)
{
	for (int i = 0; i < PROF_CONDITIONS; i++) {
		const char *given = option_get(values, prof_condition_names[i]);
		if (given)
			filter->values[i] = given;
	}
}

struct prof_error *filter_read(const struct option_values *values, struct filter *ret)
{
	AUTO_FREE char *setting = NULL;
	struct prof_error *error = settings_get("filter", &setting);

	if (!error)
		error = parse(filter_rows, setting, &ret->setting);
	if (error)
		return error;
	take(&ret->filter, &ret->setting);
	take(&ret->filter, values);
	return NULL;
}

struct prof_error *filter_parse(const char *text, struct filter *ret, enum prof_stacks *stacks)
{
	struct prof_error *error = parse(rows_with_stacks, text, &ret->given);
	const char *word = error ? NULL : option_get(&ret->given, "stacks");

	*stacks = PROF_STACKS_USER;
	for (int i = 0; word && i < PROF_STACKS_MODES; i++) {
		if (!strcmp(word, prof_stacks_names[i]))
			*stacks = (enum prof_stacks)i;
	}
	return error ? error : filter_read(&ret->given, ret);
}

struct prof_error *filter_explain(struct prof_error *error)
{
	AUTO_FREE char *setting = NULL;

	if (!error || prof_error_code(error) != PROF_ERROR_MISSING)
		return error;
	host_forget(settings_get("filter", &setting));
	if (!setting || !*setting)
		return error;
	AUTO_ERROR struct prof_error *taken = error;
	const char *message = prof_error_message(taken);
	size_t length = strlen(message);
	/* The text goes before the full stop. */
	return prof_error_create(PROF_ERROR_MISSING, "%.*s (filtered by set prof filter %s).",
		(int)(length - (length && message[length - 1] == '.')), message, setting);
}

void filter_deinit(struct filter *filter)
{
	option_values_deinit(&filter->setting);
	option_values_deinit(&filter->given);
}
