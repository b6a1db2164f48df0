/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/counted_functions.h"

#include "plugin/calls/call_breakpoints.h"
#include "plugin/calls/counted_objects.h"
#include "plugin/calls/counted_patches.h"
#include "plugin/calls/recorded_calls.h"
#include "plugin/calls/callers.h"
#include "plugin/calls/symbol_words.h"
#include "plugin/gdb/entries.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/naming.h"
#include "plugin/gdb/python.h"
#include "target/arch.h"
#include "target/indirect.h"

#include <stdlib.h>
#include <string.h>

/* A word of --count. */
struct counted_word {
	const char *text;
	pid_t recorded; /* the process as in callers.h */
	bool found;     /* the function was found */
};

/* There is one GDB, so one set of counted functions. */
static struct {
	char **words;
	struct counted_word *items; /* one for each word */
	size_t count;
	PROF_ARRAY(char *) refused; /* names of functions that are called too often */
} counted;

/* May one of the words stand for a load object? */
static bool may_be_objects(void)
{
	bool any = false;

	for (size_t i = 0; i < counted.count; i++)
		any |= counted_objects_may_be(counted.words[i]);
	return any;
}

struct prof_error *counted_functions_begin(const char *list)
{
	struct prof_error *error = entries_split(list, &counted.words, &counted.count);

	if (error)
		return error;
	counted.items = calloc(counted.count, sizeof *counted.items);
	if (!counted.items)
		return prof_error_nomem();
	for (size_t i = 0; i < counted.count; i++)
		counted.items[i].text = counted.words[i];
	symbol_words_begin(counted.words, counted.count);
	counted_patches_begin(may_be_objects());
	return NULL;
}

void counted_functions_end(void)
{
	symbol_words_end();
	counted_objects_end();
	if (counted.words)
		entries_free(counted.words, counted.count);
	for (size_t i = 0; i < counted.refused.count; i++)
		free(counted.refused.items[i]);
	free(counted.refused.items);
	free(counted.items);
	counted = (__typeof__(counted)){0};
}

void counted_functions_refuse(const char *name)
{
	char **refused = prof_array_push(&counted.refused);

	if (refused && !(*refused = strdup(name)))
		counted.refused.count--;
}

/* Is the function at ADDRESS of SPACE already counted? */
static bool is_counted(uint64_t address, PyObject *space)
{
	const struct call_breakpoint *point;

	if (counted_patches_has(address))
		return true;
	for (size_t i = 0; (point = call_breakpoints_at(i)); i++) {
		if (point->address == address && point->space == space && point->traced == SIZE_MAX)
			return true;
	}
	return false;
}

/* The same of ENTRY, or was that given up? */
static bool is_known(const struct entry *entry, PyObject *space)
{
	if (is_counted(entry->address, space))
		return true;
	for (size_t i = 0; i < counted.refused.count; i++) {
		if (!strcmp(counted.refused.items[i], entry->name))
			return true;
	}
	return false;
}

/* Is there code at ADDRESS?  A program may not be at its final address yet. */
static bool has_code(uint64_t address)
{
	char byte;

	return host_read(address, &byte, 1);
}

static void add_entry(void *context, const struct entry *entry)
{
	AUTO_PY PyObject *space = host_space();
	struct counted_word *word = context;

	word->found = true;
	if (!space || !host_process() || is_known(entry, space) || !has_code(entry->address))
		return;
	bool later;
	const char *why =
		counted_patches_add(host_process(), entry->address, entry->name, false, &later);
	struct call_breakpoint *point =
		why ? call_breakpoints_set(entry->address, entry->name, SIZE_MAX) : NULL;
	if (why && !point)
		return;
	if (point) {
		point->why = why;
		point->later = later;
	}
	/* Recorded calls count themselves. */
	if (!recorded_calls_are_wanted())
		callers_report_kind(word->recorded, entry->address, PROF_ARC_BEGIN);
	else if (word->recorded)
		callers_note_objects(word->recorded);
}

/* Counts the calls of the function at ADDRESS, which WORD selects. */
static void add_chosen(uint64_t address, struct counted_word *word)
{
	const struct entry entry = {address, word->text};

	/* Without debug information the C library's own name for it is unknown. */
	naming_note(address, word->text);
	add_entry(word, &entry);
}

/* The breakpoint at ADDRESS, to which RESOLVER's function returns; NULL: it cannot be set. */
static struct call_breakpoint *exit_of(const struct call_breakpoint *resolver, uint64_t address)
{
	struct call_breakpoint *point;

	for (size_t i = 0; (point = call_breakpoints_at(i)); i++) {
		if (point->resolver && point->exit && point->address == address &&
			point->space == resolver->space && !strcmp(point->name, resolver->name))
			return point;
	}
	point = call_breakpoints_set(address, resolver->name, SIZE_MAX);
	if (point)
		point->resolver = point->exit = true;
	return point;
}

void counted_functions_resolve(struct call_breakpoint *point, pid_t process, pid_t thread,
	const struct prof_registers *registers)
{
	if (!point->exit) {
		uint64_t call = callers_find(process, registers);
		struct call_breakpoint *left = call ? exit_of(point, call + 1) : NULL;
		if (left)
			left->awaited = thread;
		return;
	}
	/* The dynamic linker calls all such functions from one place. */
	if (point->awaited != thread)
		return;
	point->awaited = 0;
	counted_patches_anew();
	struct counted_word chosen = {.text = point->name, .recorded = process};
	add_chosen(registers->value[prof_arch_native()->result], &chosen);
}

/* If WORD names a function that is chosen when the program runs, counts the chosen one. */
static void set_resolver(struct counted_word *word)
{
	AUTO_PY PyObject *space = host_space();
	struct prof_indirect indirect;

	if (!space || !host_process() || !prof_indirect_find(host_process(), word->text, &indirect))
		return;
	const struct entry resolver = {indirect.resolver, word->text};
	struct call_breakpoint *point = is_known(&resolver, space)
		? NULL
		: call_breakpoints_set(indirect.resolver, word->text, SIZE_MAX);
	if (point)
		point->resolver = true;
	if (indirect.function)
		add_chosen(indirect.function, word);
	word->found = true;
}

/* Counts the calls of the function at ADDRESS, which WORD is the name of. */
static void add_named(struct counted_word *word, uint64_t address)
{
	AUTO_PY PyObject *space = host_space();

	bool left_out = call_breakpoints_are_crowded() && counted_patches_refuse();

	if (left_out || (space && is_counted(address, space)))
		word->found = true;
	else
		entries_at(address, add_entry, word);
}

/* Counts all functions of the load objects of PROCESS, the selected inferior's, that are meant. */
static void add_objects(pid_t process)
{
	counted_objects_anew();
	for (size_t i = 0; i < counted.count; i++) {
		struct counted_word *word = &counted.items[i];
		word->found |= counted_objects_add(word->text, process);
	}
}

void counted_functions_retry(void)
{
	if (counted_objects_wait())
		add_objects(host_process());
}

void counted_functions_find(pid_t recorded, bool native)
{
	counted_patches_anew();
	pid_t process = native ? host_process() : 0;
	AUTO_FREE struct prof_symbol_meaning *meanings =
		process ? symbol_words_find(process) : NULL;

	if (process)
		add_objects(process);
	for (size_t i = 0; i < counted.count; i++) {
		struct counted_word *word = &counted.items[i];
		if (counted_objects_are_all(word->text))
			continue;
		uint64_t address = meanings ? prof_symbol_meaning_function(&meanings[i]) : 0;
		word->recorded = recorded;
		if (address) {
			add_named(word, address);
			continue;
		}
		if (native)
			set_resolver(word);
		entries_find(word->text, add_entry, word);
	}
}

void counted_functions_say(struct prof_text *text, bool ended)
{
	for (size_t i = 0; i < counted.count; i++) {
		bool all = counted_objects_are_all(counted.items[i].text);
		if (counted.items[i].found || (all && !ended))
			continue;
		prof_text_print(text, "There %s no function \"", ended ? "was" : "is");
		prof_text_name(text, counted.items[i].text);
		prof_text_print(text,
			ended ? "\": gdbprof counted no calls of it.\n"
			      : "\" yet: gdbprof counts its calls once it is loaded.\n");
	}
}
