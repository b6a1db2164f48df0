#include "plugin/engine.h"

#include <string.h>

const struct engine *const engines[] = {&engine_stop, &engine_catch, NULL};

static struct prof_error *unknown(const char *name)
{
	PROF_AUTO(prof_text_deinit) struct prof_text names = {0};

	for (size_t i = 0; engines[i]; i++)
		prof_text_print(&names, ", %s", engines[i]->name);
	return prof_error_create(PROF_ERROR_USAGE, "There is no engine \"%s\"; there are auto%s.",
		name, prof_text_get(&names));
}

struct prof_error *engine_choose(
	const char *name, struct prof_text *why, const struct engine **ret)
{
	bool automatic = !strcmp(name, "auto");

	for (size_t i = 0; engines[i]; i++) {
		if (!automatic && strcmp(name, engines[i]->name) != 0)
			continue;
		struct prof_error *error = engines[i]->available();
		if (!error) {
			*ret = engines[i];
			return NULL;
		}
		if (!automatic)
			return error;
		prof_text_print(why, "%s%s", why->length ? "  " : "", prof_error_message(error));
		prof_error_destroy(error);
	}
	if (!automatic)
		return unknown(name);
	return prof_error_create(PROF_ERROR_UNSUPPORTED, "No engine can work here.  %s",
		prof_text_get(why));
}
