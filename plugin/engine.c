#include "plugin/engine.h"

#include "plugin/host.h"
#include "target/arch.h"

#include <string.h>

const struct engine *const engines[] = {
	&engine_stop, &engine_perf, &engine_catch, &engine_interrupt, &engine_none, NULL};

static struct prof_error *unknown(const char *name)
{
	PROF_AUTO(prof_text_deinit) struct prof_text names = {0};

	for (size_t i = 0; engines[i]; i++)
		prof_text_print(&names, ", %s", engines[i]->name);
	return prof_error_create(PROF_ERROR_USAGE, "There is no engine \"%s\"; there are auto%s.",
		name, prof_text_get(&names));
}

bool engine_is_native(const char *connection)
{
	return !*connection || !strcmp(connection, "native");
}

struct prof_error *engine_not_native(const char *name, const char *connection)
{
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The engine %s needs a native process; the target is \"%s\".", name, connection);
}

struct prof_error *engine_check_machine(const char *name)
{
	AUTO_FREE char *program = NULL;
	struct prof_error *error = host_program(&program);

	if (error)
		return error;
	if (!prof_arch_native())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The %s engine does not know this machine's call frames yet.", name);
	if (*program && prof_arch_of_file(program) != prof_arch_native())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine %s does not know the call frames of the machine that %s is "
			"for.",
			name, program);
	return NULL;
}

struct prof_error *engine_choose(const char *name, const char *unwinder, const char *connection,
	struct prof_text *why, const struct engine **ret)
{
	bool automatic = !strcmp(name, "auto");
	bool any = !strcmp(unwinder, "auto");

	for (size_t i = 0; engines[i]; i++) {
		if (!automatic && strcmp(name, engines[i]->name) != 0)
			continue;
		bool fits = any || !strcmp(unwinder, engines[i]->unwinder);
		if (automatic && (!fits || engines[i]->asked_only))
			continue;
		if (!fits)
			return prof_error_create(PROF_ERROR_USAGE,
				"The engine %s walks stacks with the unwinder %s, not %s.", name,
				engines[i]->unwinder, unwinder);
		struct prof_error *error = engines[i]->available(connection);
		if (!error) {
			*ret = engines[i]->variant ? engines[i]->variant() : engines[i];
			return NULL;
		}
		if (!automatic)
			return error;
		prof_text_print(why, "%s%s", why->length ? "  " : "", prof_error_message(error));
		prof_error_destroy(error);
	}
	if (!automatic)
		return unknown(name);
	return prof_error_create(
		PROF_ERROR_UNSUPPORTED, "No engine can work here.  %s", prof_text_get(why));
}
