/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/hooks.h"

#include "plugin/calls/traced_functions.h"
#include "plugin/gdb/hooknames.h"
#include "plugin/tracing/redirections.h"
#include "target/dynamic.h"
#include "target/linkmap.h"
#include "target/process.h"

#include <stdlib.h>
#include <string.h>

void hooks_deinit(struct hooks *hooks)
{
	for (size_t i = 0; i < hooks->count; i++)
		free(hooks->list[i].name);
	free(hooks->list);
	free(hooks->all);
	*hooks = (struct hooks){0};
}

static size_t read_memory(pid_t pid, uint64_t address, void *buffer, size_t length)
{
	struct prof_process process;

	prof_process_init(&process, pid);
	const struct prof_target target = prof_process_target(&process);
	return target.read_memory(target.context, address, buffer, length);
}

/* Reads the name at ADDRESS, in a new string. */
static char *read_name(pid_t process, uint64_t address)
{
	char name[PROF_TRACED_NAME];

	name[read_memory(process, address, name, sizeof name - 1)] = '\0';
	return strdup(name);
}

static bool has_name(const struct hooks *hooks, const char *name)
{
	for (size_t i = 0; i < hooks->count; i++) {
		if (!strcmp(hooks->list[i].name, name))
			return true;
	}
	return false;
}

/* Uses HOOK, of PROCESS and at PLACE, unless it is TRACED and belongs to a family already. */
static struct prof_error *use(struct hooks *hooks, pid_t process, const struct prof_hook *hook,
	const struct prof_hook *place, bool traced)
{
	AUTO_FREE char *name = read_name(process, (uintptr_t)hook->name);

	if (!name)
		return prof_error_nomem();
	if (traced && (!hook->wrapper || has_name(hooks, name)))
		return NULL;
	if (traced)
		hooks->traced[hooks->traced_count - 1] = hooks->count;
	/* GDB has a better name for a C++ function. */
	if (strncmp(name, "_Z", 2) != 0)
		hooknames_note((uintptr_t)hook->real, name);
	hooks->list[hooks->count++] = (struct redirections_hook){
		.name = steal(&name),
		.real = (uintptr_t)hook->real,
		.wrapper = (uintptr_t)hook->wrapper,
		.place = (uintptr_t)&place->real,
		.mpi = hook->family == PROF_FAMILY_MPI,
		.number = hooks->all_count - 1,
	};
	return NULL;
}

/* Reads HOOK, the next one, from PLACE; TRACED: it is for a function that is traced. */
static struct prof_error *add(struct hooks *hooks, pid_t process, const struct prof_hook *hook,
	const struct prof_hook *place, uint32_t families, bool traced)
{
	struct prof_traced_hook *known = &hooks->all[hooks->all_count++];

	*known = (struct prof_traced_hook){.function = (uintptr_t)hook->real};
	if (traced) {
		traced_functions_describe(hooks->traced_count, known);
		traced_functions_resolve(hooks->traced_count, process, (uintptr_t)hook->real);
		hooks->traced[hooks->traced_count++] = SIZE_MAX;
	}
	return hook->family & families ? use(hooks, process, hook, place, traced) : NULL;
}

static bool make_room(struct hooks *hooks)
{
	if (!hooks->list)
		hooks->list = calloc(HOOKS_MOST, sizeof *hooks->list);
	if (!hooks->all)
		hooks->all = calloc(HOOKS_MOST, sizeof *hooks->all);
	return hooks->list && hooks->all;
}

struct prof_error *hooks_read(
	struct hooks *hooks, pid_t process, const struct prof_agent *data, uint32_t families)
{
	AUTO_FREE struct prof_hook *read = calloc(HOOKS_MOST, sizeof *read);
	size_t first = hooks->all_count, size;
	struct prof_error *error = NULL;

	if (!read || !make_room(hooks))
		return prof_error_nomem();
	size = (data->hook_count - first) * sizeof *read;
	if (data->hook_count > HOOKS_MOST || data->hook_count < first ||
		data->traced_built > PROF_TRACED_FUNCTIONS ||
		data->traced_built > data->hook_count ||
		read_memory(process, (uintptr_t)(data->hooks + first), read, size) < size)
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The agent in process %d does not report what it can trace.", (int)process);
	for (size_t i = first; !error && i < data->hook_count; i++)
		error = add(hooks, process, &read[i - first], &data->hooks[i], families,
			i >= data->hook_count - data->traced_built);
	return error;
}

/* The number in the list of the hook that says whether there is an MPI library. */
static size_t find_init(const struct hooks *hooks)
{
	size_t i = 0;

	while (i < hooks->count && strcmp(hooks->list[i].name, "MPI_Init") != 0)
		i++;
	return i;
}

/* HOOK is for the function at ADDRESS, from now on. */
static struct prof_error *set_real(
	struct hooks *hooks, pid_t process, struct redirections_hook *hook, uint64_t address)
{
	hook->real = address;
	hooks->all[hook->number].function = address;
	if (address)
		hooknames_note(address, hook->name);
	return prof_process_write(process, hook->place, &address, sizeof address);
}

static struct prof_error *find_functions(struct hooks *hooks, pid_t process,
	const struct prof_target *target, const struct prof_linkmap *map)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < hooks->count && !error; i++) {
		struct redirections_hook *hook = &hooks->list[i];
		if (hook->mpi)
			error = set_real(hooks, process, hook,
				prof_dynamic_find_any(target, map, hook->name).address);
	}
	return error;
}

struct prof_error *hooks_find_late(struct hooks *hooks, pid_t pid, bool *found)
{
	size_t init = find_init(hooks);
	struct prof_process process;
	struct prof_linkmap map = {0};

	*found = false;
	if (init == hooks->count || (hooks->list[init].real && !hooks->late))
		return NULL;
	prof_process_init(&process, pid);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error = prof_linkmap_of_process(&map, &target, pid);
	if (!error)
		*found = prof_dynamic_find_any(&target, &map, "MPI_Init").address !=
			hooks->list[init].real;
	if (*found) {
		hooks->late = true;
		error = find_functions(hooks, pid, &target, &map);
	}
	prof_linkmap_deinit(&map);
	return error;
}

bool hooks_copy(struct hooks *copy, const struct hooks *hooks)
{
	if (!make_room(copy))
		return false;
	for (size_t i = 0; i < hooks->count; i++) {
		copy->list[i] = hooks->list[i];
		copy->list[i].name = strdup(hooks->list[i].name);
		if (!copy->list[i].name)
			return false;
		copy->count++;
	}
	return true;
}
