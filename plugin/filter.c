#include "plugin/filter.h"

#include "plugin/settings.h"

static const struct option_row rows[] = {FILTER_OPTIONS{.name = NULL}};

static struct prof_error *parse(const char *text, struct option_values *ret)
{
	struct prof_error *error = option_parse("set prof filter", rows, text, ret);

	if (!error && ret->count)
		error = prof_error_create(PROF_ERROR_USAGE,
			"A filter is written as the options of a view, as in --thread=12; \"%s\" "
			"is "
			"none.",
			ret->arguments[0]);
	return error;
}

struct prof_error *filter_check(const char *text)
{
	PROF_AUTO(option_values_deinit) struct option_values values = {0};

	return parse(text, &values);
}

struct prof_error *filter_read(const struct option_values *values, struct filter *ret)
{
	AUTO_FREE char *setting = NULL;
	struct prof_error *error = settings_get("filter", &setting);

	if (!error)
		error = parse(setting, &ret->setting);
	for (int i = 0; !error && i < PROF_CONDITIONS; i++) {
		const char *name = prof_condition_names[i];
		const char *given = option_get(values, name);
		ret->filter.values[i] = given ? given : option_get(&ret->setting, name);
	}
	return error;
}

void filter_deinit(struct filter *filter)
{
	option_values_deinit(&filter->setting);
}
