/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/traced_functions.h"

#include "plugin/calls/callers.h"
#include "plugin/collect/notes.h"
#include "plugin/calls/wrappable.h"
#include "plugin/gdb/entries.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/prototype.h"
#include "plugin/gdb/python.h"
#include "base/time_unit.h"
#include "target/dynamic.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A value of each call that is recorded. */
struct value {
	unsigned char number; /* see struct prof_traced_function */
	char *name;
};

struct traced_function {
	char *name;      /* as the user has written it */
	char *prototype; /* as the user has written it; NULL: not given */
	int64_t limit;
	struct value values[PROF_CALL_VALUES];
	char letters[PROF_CALL_VALUES]; /* of their types, once they are known */
	unsigned value_count;

	/* Once the function is known: its types, see struct prototype, and its entry. */
	char *types;
	uint64_t address;
};

/* Of the current recording, or the next one. */
static PROF_ARRAY(struct traced_function) functions;

static void traced_function_deinit(struct traced_function *traced)
{
	free(traced->name);
	free(traced->prototype);
	free(traced->types);
	for (unsigned i = 0; i < traced->value_count; i++)
		free(traced->values[i].name);
	*traced = (struct traced_function){0};
}

void traced_functions_end(void)
{
	for (size_t i = 0; i < functions.count; i++)
		traced_function_deinit(&functions.items[i]);
	free(functions.items);
	functions.items = NULL;
	functions.count = functions.capacity = 0;
}

size_t traced_functions_count(void)
{
	return functions.count;
}

void traced_functions_describe(size_t number, struct prof_traced_hook *hook)
{
	const struct traced_function *traced = &functions.items[number];

	if (number >= functions.count)
		return;
	hook->count = traced->value_count;
	for (unsigned i = 0; i < traced->value_count; i++) {
		hook->letters[i] = traced->letters[i];
		strcpy(hook->names[i], traced->values[i].name);
	}
}

/*
 * The DWARF number of the register with argument NUMBER when a function of TYPES is entered, by the
 * ABI of x86-64; -1: none, or unknown.
 */
static int place_of(const char *types, unsigned number)
{
	static const int words[] = {5, 4, 1, 2, 8, 9};
	size_t used = 0;

	/* A struct may be passed in registers, or need one for the address of the result. */
	if (*types == '{')
		return -1;
	for (unsigned i = 1; i < number; i++) {
		if (types[i] == '{')
			return -1;
		used += !strchr("fdD", types[i]);
	}
	if (strchr("fdD{", types[number]) || used >= PROF_COUNT(words))
		return -1;
	return words[used];
}

void traced_functions_find_places(size_t number, struct traced_places *ret)
{
	const struct traced_function *traced = &functions.items[number];
	struct prof_traced_hook *hook = &ret->hook;

	*ret = (struct traced_places){.whole = true};
	for (unsigned i = 0; traced->types && i < traced->value_count; i++) {
		const struct value *value = &traced->values[i];
		bool returned = value->number == PROF_CALL_RETURNED;
		int place = returned ? 0 : place_of(traced->types, value->number);
		if (returned && strchr("fdD{", traced->types[0]))
			place = -1;
		ret->whole &= place >= 0;
		if (place < 0)
			continue;
		ret->registers[hook->count] = place;
		ret->returned[hook->count] = returned;
		hook->letters[hook->count] = traced->letters[i];
		strcpy(hook->names[hook->count++], value->name);
	}
}

void traced_functions_resolve(size_t number, pid_t process, uint64_t address)
{
	if (number >= functions.count || !address)
		return;
	functions.items[number].address = address;
	if (functions.items[number].limit)
		callers_report_kind(process, address, PROF_ARC_PART);
}

int64_t traced_functions_limit(size_t number)
{
	return functions.items[number].limit;
}

const char *traced_functions_name(size_t traced)
{
	return functions.items[traced].name;
}

uint64_t traced_functions_address(size_t traced)
{
	return functions.items[traced].address;
}

/* Reads one "NUMBER:NAME", which ends at END, as the next value of TRACED. */
static struct prof_error *read_value(
	struct traced_function *traced, const char *text, const char *end)
{
	static const char returned[] = "returned:";
	const char *colon = memchr(text, ':', (size_t)(end - text));
	unsigned long number = 0;
	char *after = NULL;

	if (!strncmp(text, returned, sizeof returned - 1))
		number = PROF_CALL_RETURNED;
	else if (isdigit((unsigned char)*text))
		number = strtoul(text, &after, 10);
	if (!colon || colon + 1 == end || !number || (after && after != colon) ||
		(number >= PROF_CALL_RETURNED && after))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%.*s\" names no argument: give its number, from 1 on, or \"returned\", and a name for it, as 1:size.",
			(int)(end - text), text);
	if (traced->value_count == PROF_CALL_VALUES)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"gdbprof records at most %d values of a call: give fewer to --arg.",
			PROF_CALL_VALUES);
	if (end - colon > PROF_ARGUMENT_NAME)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"\"%.*s\" is too long a name for an argument: give at most %d bytes.",
			(int)(end - colon - 1), colon + 1, PROF_ARGUMENT_NAME - 1);
	struct value *value = &traced->values[traced->value_count];
	value->number = (unsigned char)number;
	value->name = strndup(colon + 1, (size_t)(end - colon - 1));
	if (!value->name)
		return prof_error_nomem();
	traced->value_count++;
	return NULL;
}

static struct prof_error *read_values(struct traced_function *traced, const char *text)
{
	struct prof_error *error = NULL;

	while (text && !error) {
		const char *end = strchrnul(text, ',');
		error = read_value(traced, text, end);
		text = *end ? end + 1 : NULL;
	}
	return error;
}

/* What GDB knows about the name that was given. */
struct found {
	const char *wanted;
	unsigned count;
	bool exact;       /* one of the functions has exactly that name */
	uint64_t address; /* of that one, or otherwise of the first */
	char *name;       /* the same */

	/* Known once the dynamic linker's tables were searched, too. */
	PyObject *symbol; /* of the function, an own reference; NULL: GDB has none */
	char *linkage;    /* the dynamic linker's name for it */
	bool mangled;     /* that name is one of C++ */
	bool indirect;    /* the function at ADDRESS returns the address of the function */
};

static void found_deinit(struct found *found)
{
	free(found->name);
	free(found->linkage);
	Py_CLEAR(found->symbol);
}

static void find(void *context, const struct entry *entry)
{
	struct found *found = context;
	bool exact = !strcmp(entry->name, found->wanted);

	if (found->count++ && (found->exact || !exact))
		return;
	found->exact |= exact;
	found->address = entry->address;
	free(found->name);
	found->name = strdup(entry->name);
}

/* The letter in LETTERS, see struct prototype, for value NUMBER. */
static char letter_of(const struct prototype *prototype, unsigned number)
{
	const char *letters = prof_text_get(&prototype->letters);

	if (number == PROF_CALL_RETURNED)
		return letters[0];
	return number <= prototype->arguments ? letters[number] : 0;
}

static struct prof_error *check_values(
	struct traced_function *traced, const struct prototype *prototype)
{
	for (unsigned i = 0; i < traced->value_count; i++) {
		char letter = letter_of(prototype, traced->values[i].number);
		if (!letter)
			return prof_error_create(PROF_ERROR_MISSING,
				"%s has no argument %u: it takes %zu.", traced->name,
				traced->values[i].number, prototype->arguments);
		if (letter == 'v' || letter == '{')
			return prof_error_create(PROF_ERROR_USAGE,
				"\"%s\" of %s is not a number, so gdbprof cannot record it.",
				traced->values[i].name, traced->name);
		traced->letters[i] = letter;
	}
	return NULL;
}

/*
 * Finds the function NAME.  The program calls the function that the dynamic linker finds, which may
 * differ from the first one that GDB finds: the linker has a memset() of its own.
 */
static struct prof_error *locate(const char *name, struct found *ret)
{
	*ret = (struct found){.wanted = name};
	entries_find(name, find, ret);
	ret->symbol = ret->address ? entries_symbol(ret->address) : NULL;
	ret->linkage = ret->symbol ? host_string(ret->symbol, "linkage_name") : NULL;
	ret->mangled = ret->linkage && !strncmp(ret->linkage, "_Z", 2);
	if (!ret->mangled) {
		free(ret->linkage);
		ret->linkage = strdup(name);
		if (!ret->linkage)
			return prof_error_nomem();
	}
	struct prof_exported exported = {0};
	if (host_process())
		exported = prof_dynamic_find_in(host_process(), ret->linkage);
	if (!exported.address)
		return NULL;
	ret->indirect = exported.indirect;
	if (exported.address == ret->address && !exported.indirect)
		return NULL;
	ret->address = exported.address;
	Py_CLEAR(ret->symbol);
	/* The type of an indirect function is not the type of the function that it returns. */
	if (!exported.indirect)
		ret->symbol = entries_symbol(exported.address);
	return NULL;
}

/*
 * Fills *RET with what the agent must know about TRACED, except the limit.  *KNOWN: GDB knows such
 * a function; if it does not, an error says why.
 */
static struct prof_error *describe(
	struct traced_function *traced, bool *known, struct prof_traced_function *ret)
{
	PROF_AUTO(prototype_deinit) struct prototype prototype = {0};
	PROF_AUTO(found_deinit) struct found found;
	struct prof_error *error = locate(traced->name, &found);

	*known = found.address;
	if (error)
		return error;
	if (!found.address && !traced->prototype)
		return prof_error_create(PROF_ERROR_MISSING,
			"There is no function %s; see \"info functions\".", traced->name);
	/* If others share the name, the dynamic linker finds the right one. */
	if (found.count > 1 && !found.exact && found.mangled)
		return prof_error_create(PROF_ERROR_USAGE,
			"%s matches %u functions: name one of them, as in \"%s\".", traced->name,
			found.count, found.name);
	error = wrappable_check(found.linkage);
	if (!error)
		error = prototype_read(traced->name, found.symbol, traced->prototype, &prototype);
	if (!error)
		error = check_values(traced, &prototype);
	if (error)
		return error;
	free(traced->types);
	traced->types = strdup(prof_text_get(&prototype.letters));
	traced->address = found.indirect ? 0 : found.address;
	if (strlen(found.linkage) >= PROF_TRACED_NAME ||
		prototype.signature.length >= PROF_SIGNATURE)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"%s cannot be traced: its name or its prototype is too long.",
			traced->name);
	*ret = (struct prof_traced_function){.real = found.address,
		.indirect = found.indirect,
		.value_count = traced->value_count};
	strcpy(ret->name, found.linkage);
	strcpy(ret->signature, prof_text_get(&prototype.signature));
	for (unsigned i = 0; i < traced->value_count; i++)
		ret->values[i] = traced->values[i].number;
	return NULL;
}

static bool is_traced(const char *name)
{
	for (size_t i = 0; i < functions.count; i++) {
		if (!strcmp(functions.items[i].name, name))
			return true;
	}
	return false;
}

/* Creates a traced function NAME from REQUEST, checked as far as possible now. */
static struct prof_error *add(const char *name, const struct traced_functions_request *request)
{
	struct traced_function traced = {.limit = request->limit, .name = strdup(name)};
	struct prof_traced_function described;
	bool known = false;
	struct prof_error *error = traced.name ? NULL : prof_error_nomem();

	if (!error && is_traced(name))
		error = prof_error_create(
			PROF_ERROR_STATE, "%s is traced already: prof-stop ends that.", name);
	if (!error && request->prototype) {
		traced.prototype = strdup(request->prototype);
		error = traced.prototype ? NULL : prof_error_nomem();
	}
	if (!error)
		error = read_values(&traced, request->values);
	if (!error)
		error = describe(&traced, &known, &described);
	/* Its library may not be loaded yet. */
	if (error && !known && !traced.prototype && traced.name && !host_process()) {
		prof_error_destroy(error);
		error = NULL;
	}
	struct traced_function *added = error ? NULL : prof_array_push(&functions);
	if (!added) {
		traced_function_deinit(&traced);
		return error ? error : prof_error_nomem();
	}
	*added = traced;
	return NULL;
}

struct prof_error *traced_functions_add(const struct traced_functions_request *request)
{
	size_t before = functions.count;
	struct prof_error *error = NULL;

	if (before + request->count > PROF_TRACED_FUNCTIONS)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"gdbprof traces at most %d functions at a time: name fewer.",
			PROF_TRACED_FUNCTIONS);
	for (size_t i = 0; !error && i < request->count; i++)
		error = add(request->functions[i], request);
	while (error && functions.count > before)
		traced_function_deinit(&functions.items[--functions.count]);
	return error;
}

uint32_t traced_functions_fill(struct prof_traced_function filled[PROF_TRACED_FUNCTIONS],
	uint32_t first, double clock_rate)
{
	for (size_t i = first; i < functions.count && i < PROF_TRACED_FUNCTIONS; i++) {
		struct traced_function *traced = &functions.items[i];
		bool known;
		struct prof_error *error = describe(traced, &known, &filled[i]);
		if (error) {
			/*
			 * Without a signature, the agent knows that it cannot trace the function.
			 */
			filled[i] = (struct prof_traced_function){0};
			notes_error(error);
		}
		filled[i].limit = (uint64_t)((double)traced->limit * clock_rate);
	}
	return (uint32_t)functions.count;
}

void traced_functions_refused(size_t number)
{
	AUTO_TEXT struct prof_text text = {0};
	const struct traced_function *traced = &functions.items[number];

	if (!traced->types)
		return;
	prof_text_print(&text,
		"%s is not traced on its own: --heap or --sync trace it already, or libffi cannot pass its arguments on.",
		traced->name);
	notes_add(prof_text_get(&text));
}

void traced_functions_visited(size_t number, bool can)
{
	AUTO_TEXT struct prof_text text = {0};
	struct traced_places places;
	const struct traced_function *traced = &functions.items[number];

	prof_text_print(&text, "%s is not called through a table: gdbprof %s.", traced->name,
		can ? "meets its calls at breakpoints, each of which takes GDB some time"
		    : "cannot trace it, not even at breakpoints");
	notes_add(prof_text_get(&text));
	traced_functions_find_places(number, &places);
	if (!can || places.whole)
		return;
	prof_text_deinit(&text);
	prof_text_print(&text, "%s: breakpoints record only integers in registers.", traced->name);
	notes_add(prof_text_get(&text));
}

void traced_functions_list(struct prof_text *text)
{
	for (size_t i = 0; i < functions.count; i++) {
		const struct traced_function *traced = &functions.items[i];
		prof_text_name(text, traced->name);
		if (traced->limit)
			prof_text_print(text, ", if longer than %g us",
				(double)traced->limit / PROF_NS_PER_US);
		for (unsigned j = 0; j < traced->value_count; j++) {
			prof_text_print(text, j ? ", " : ", with ");
			prof_text_name(text, traced->values[j].name);
		}
		prof_text_print(text, "\n");
	}
}
