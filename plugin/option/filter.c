/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/filter.h"

#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "view/options.h"

#include <stdlib.h>
#include <string.h>

static const struct prof_option rows[] = {PROF_FILTER_OPTIONS{.name = NULL}};

static struct prof_error *parse(const char *text, struct option_values *ret)
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

	return parse(text, &values);
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
		error = parse(setting, &ret->setting);
	if (error)
		return error;
	take(&ret->filter, &ret->setting);
	take(&ret->filter, values);
	return NULL;
}

struct prof_error *filter_parse(const char *text, struct filter *ret)
{
	struct prof_error *error = parse(text, &ret->given);

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
