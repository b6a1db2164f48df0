/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/engine.h"

#include "base/list.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "target/arch.h"

#include <string.h>

const struct engine *const engines[] = {&engine_perf, &engine_stop, &engine_catch,
	&engine_interrupt, &engine_pcsr, &engine_none, NULL};

static struct prof_error *unknown(const char *name)
{
	PROF_AUTO(prof_text_deinit) struct prof_text names = {0};

	prof_list_add(&names, "auto");
	for (size_t i = 0; engines[i]; i++)
		prof_list_add(&names, engines[i]->name);
	return prof_list_lacks(&names, PROF_ERROR_USAGE, "engine", name, strlen(name));
}

bool engines_ticked(void)
{
	bool stops = false;

	for (size_t i = 0; engines[i]; i++)
		stops |= engines[i]->ticked && engines[i]->ticked();
	/* It has no row of its own, and may still be recording when GDB's settings have changed. */
	stops |= engine_nonstop.ticked();
	return stops;
}

struct prof_error *engine_not_native(const char *name, const char *connection)
{
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The engine %s needs a native process; the target is \"%s\".", name, connection);
}

struct prof_error *engine_check_remote(
	const char *name, const char *targets, const char *connection)
{
	if (host_is_native(connection))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine %s is for %s that GDB reaches by target remote: leave out --engine.",
			name, targets);
	if (strcmp(connection, "remote") != 0 && strcmp(connection, "extended-remote") != 0)
		return engine_not_native(name, connection);
	return NULL;
}

struct prof_error *engine_check_machine(const char *name)
{
	AUTO_FREE char *program = NULL;
	struct prof_error *error = host_program(&program);

	if (error)
		return error;
	if (!prof_arch_native())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine %s does not know the call frames of this machine.", name);
	if (*program && prof_arch_of_file(program) != prof_arch_native())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine %s does not know the call frames of the machine that %s is for.",
			name, program);
	return NULL;
}

/* Why ENGINE does not work for WISH or, for "auto", another one is better; NULL: it works. */
static struct prof_error *refuse(
	const struct engine *engine, const struct engine_wish *wish, bool automatic)
{
	struct prof_error *error = engine->available(wish->connection);

	return error || !automatic || !engine->yields ? error : engine->yields(wish->verify);
}

/* Adds SENTENCE to WHY. */
static void explain(struct prof_text *why, const char *sentence)
{
	prof_text_print(why, "%s%s", why->length ? "  " : "", sentence);
}

/*
 * Adds to WHY, as its first sentence, the engines in the list NATIVE, for which the reason is the
 * same.
 */
static void explain_native(
	struct prof_text *why, const struct prof_text *native, const char *connection)
{
	PROF_AUTO(prof_text_deinit) struct prof_text all = {0};

	if (!native->length)
		return;
	prof_text_print(&all, "These engines need a native process: %s; the target is \"%s\".",
		prof_text_get(native), connection);
	if (why->length)
		explain(&all, prof_text_get(why));
	prof_text_deinit(why);
	*why = all;
	all = (struct prof_text){0};
}

struct prof_error *engine_choose(
	const struct engine_wish *wish, struct prof_text *why, const struct engine **ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text native = {0};
	bool automatic = !strcmp(wish->name, "auto");
	bool any = !strcmp(wish->unwinder, "auto");
	bool here = host_is_native(wish->connection);

	for (size_t i = 0; engines[i]; i++) {
		const struct engine *engine = engines[i];
		if (!automatic && strcmp(wish->name, engine->name) != 0)
			continue;
		bool fits = any || !strcmp(wish->unwinder, engine->unwinder);
		if (automatic && (!fits || engine->asked_only))
			continue;
		if (automatic && engine->native && !here) {
			prof_list_add(&native, engine->name);
			continue;
		}
		if (!fits)
			return prof_error_create(PROF_ERROR_UNSUPPORTED,
				"The engine %s walks stacks with the unwinder %s, not %s: leave out --engine or --unwinder.",
				wish->name, engine->unwinder, wish->unwinder);
		struct prof_error *error = refuse(engine, wish, automatic);
		if (!error) {
			explain_native(why, &native, wish->connection);
			*ret = engine->variant ? engine->variant() : engine;
			return NULL;
		}
		if (!automatic)
			return error;
		explain(why, prof_error_message(error));
		prof_error_destroy(error);
	}
	if (!automatic)
		return unknown(wish->name);
	explain_native(why, &native, wish->connection);
	return prof_error_create(
		PROF_ERROR_UNSUPPORTED, "No engine can work here.  %s", prof_text_get(why));
}
