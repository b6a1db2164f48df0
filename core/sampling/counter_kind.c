/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/counter_kind.h"

#include "sampling/counter_open.h"
#include "target/arch.h"

#include <stdlib.h>
#include <string.h>

/* The first of these need neither libraries nor files. */
static struct prof_error *(*const finds[])(const char *, struct prof_counter_entry *, bool *) = {
	prof_counter_alias_find,
	prof_counter_software_find,
	prof_counter_code_find,
	prof_counter_raw_find,
	prof_counter_tracepoint_find,
};

void prof_counter_entry_deinit(struct prof_counter_entry *entry)
{
	free(entry->raw);
	free(entry->title);
	free(entry->counter.name);
}

void prof_counter_list_deinit(struct prof_counter_list *list)
{
	for (size_t i = 0; i < list->entries.count; i++)
		prof_counter_entry_deinit(&list->entries.items[i]);
	free(list->entries.items);
	for (size_t i = 0; i < PROF_COUNTER_KINDS; i++)
		prof_error_destroy(list->missing[i]);
	*list = (struct prof_counter_list){0};
}

struct prof_counter_entry *prof_counter_list_add(struct prof_counter_list *list,
	enum prof_counter_kind kind, const char *name, const char *raw, const char *title)
{
	AUTO_COUNTER_ENTRY struct prof_counter_entry made = {
		.kind = kind,
		.raw = raw ? strdup(raw) : NULL,
		.title = title ? strdup(title) : NULL,
		.counter.name = strdup(name),
		.counter.reg = -1,
	};

	if (!made.counter.name || (raw && !made.raw) || (title && !made.title))
		return NULL;
	struct prof_counter_entry *entry = prof_array_push(&list->entries);
	if (entry) {
		*entry = made;
		made = (struct prof_counter_entry){0};
	}
	return entry;
}

struct prof_error *prof_counter_find(const char *name, struct prof_counter_entry *ret, bool *found)
{
	*ret = (struct prof_counter_entry){.counter.reg = -1};
	*found = false;
	for (size_t i = 0; !*found && i < PROF_COUNT(finds); i++) {
		struct prof_error *error = finds[i](name, ret, found);
		if (error)
			return error;
	}
	return NULL;
}

/* Removes the entries from FIRST on that the kernel refuses from LIST. */
static void drop_refused(struct prof_counter_list *list, size_t first, enum prof_perf_scope scope)
{
	size_t kept = first;

	for (size_t i = first; i < list->entries.count; i++) {
		struct prof_counter_entry *entry = &list->entries.items[i];
		if (prof_counter_try(entry, scope))
			prof_counter_entry_deinit(entry);
		else
			list->entries.items[kept++] = *entry;
	}
	list->entries.count = kept;
}

/* Lists what the CPU can count, or why it cannot. */
static struct prof_error *read_hardware(struct prof_counter_list *list, enum prof_perf_scope scope)
{
	if (!prof_counter_is_there(scope)) {
		list->missing[PROF_COUNTER_ALIAS] = prof_counter_absent();
		list->missing[PROF_COUNTER_RAW] = prof_counter_absent();
		return NULL;
	}
	list->registers = prof_counter_raw_registers();
	if (!list->registers)
		list->registers = prof_counter_room(scope);
	struct prof_error *error = prof_counter_alias_list(list);
	if (!error)
		error = prof_counter_raw_list(list);
	if (error)
		return error;
	drop_refused(list, 0, scope);
	if (!list->entries.count ||
		list->entries.items[list->entries.count - 1].kind != PROF_COUNTER_RAW)
		list->missing[PROF_COUNTER_RAW] = prof_error_create(PROF_ERROR_UNSUPPORTED,
			"libpfm4 has no names for the counters of this CPU: give numeric codes, such as r00c0.");
	return NULL;
}

/* Lists tracepoints.  If the kernel refuses the first one, it refuses all. */
static struct prof_error *read_tracepoints(
	struct prof_counter_list *list, enum prof_perf_scope scope)
{
	size_t first = list->entries.count;
	struct prof_error *error = prof_counter_tracepoint_list(list);

	if (error || list->entries.count == first)
		return error;
	struct prof_counter_entry sample;
	bool found;
	error = prof_counter_find(list->entries.items[first].counter.name, &sample, &found);
	int reason = !error && found ? prof_counter_try(&sample, scope) : 0;
	if (error || reason) {
		list->missing[PROF_COUNTER_TRACEPOINT] =
			error ? error : prof_counter_refused(&sample.counter, reason, scope);
		while (list->entries.count > first)
			prof_counter_entry_deinit(&list->entries.items[--list->entries.count]);
	}
	return NULL;
}

struct prof_error *prof_counter_list_read(struct prof_counter_list *ret)
{
	PROF_AUTO(prof_counter_list_deinit) struct prof_counter_list list = {0};
	struct prof_error *why = NULL;
	const struct prof_arch *arch = prof_arch_native();
	enum prof_perf_scope scope = arch ? prof_perf_scope(arch, &why) : PROF_PERF_NOTHING;

	for (size_t i = 0; scope == PROF_PERF_NOTHING && why && i < PROF_COUNTER_KINDS; i++)
		list.missing[i] =
			prof_error_create(PROF_ERROR_UNSUPPORTED, "%s", prof_error_message(why));
	prof_error_destroy(why);
	struct prof_error *error = NULL;
	if (scope != PROF_PERF_NOTHING) {
		error = read_hardware(&list, scope);
		size_t first = list.entries.count;
		if (!error)
			error = prof_counter_software_list(&list);
		drop_refused(&list, first, scope);
		if (!error)
			error = read_tracepoints(&list, scope);
	}
	if (error)
		return error;
	*ret = list;
	list = (struct prof_counter_list){0};
	return NULL;
}
