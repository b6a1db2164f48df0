/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/entries.h"

#include "base/text.h"
#include "plugin/gdb/expression.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Copies the word that ends at END, without blanks around it, to *TO. */
static struct prof_error *copy_word(const char *word, const char *end, char **to)
{
	while (word < end && isspace((unsigned char)*word))
		word++;
	while (end > word && isspace((unsigned char)end[-1]))
		end--;
	/* Lines, addresses, offsets and options of `break` are not functions. */
	if (word == end || strchr("0123456789*+-$,", *word))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%.*s\" names no functions: --count takes FUNCTION, FILE.c:*, FILE.so:* or all, with commas between several.",
			(int)(end - word), word);
	*to = strndup(word, (size_t)(end - word));
	return *to ? NULL : prof_error_nomem();
}

struct prof_error *entries_split(const char *text, char ***ret, size_t *count)
{
	size_t most = 1;

	for (const char *at = text; *at; at++)
		most += *at == ',';
	char **words = calloc(most, sizeof *words);
	struct prof_error *error = words ? NULL : prof_error_nomem();

	*count = 0;
	for (const char *at = text; !error; at++) {
		const char *end = at + expression_span(at, ",");
		error = copy_word(at, end, &words[*count]);
		*count += !error;
		at = end;
		if (!*at)
			break;
	}
	if (error)
		entries_free(words, *count);
	else
		*ret = words;
	return error;
}

void entries_free(char **words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(words[i]);
	free(words);
}

/* GDB's places for the linespec TEXT, a tuple of gdb.Symtab_and_line; NULL: none. */
static PyObject *decode(const char *text)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *result = gdb ? PyObject_CallMethod(gdb, "decode_line", "s", text) : NULL;
	PyObject *rest = result ? PyTuple_GetItem(result, 0) : NULL;
	PyObject *places = rest == Py_None ? PyTuple_GetItem(result, 1) : NULL;

	host_drop(); /* there is no such place yet */
	return places && places != Py_None ? python_hold(places) : NULL;
}

/* The entry of SYMBOL, a function; 0: unknown. */
static uint64_t entry_of(PyObject *symbol)
{
	AUTO_PY PyObject *value = PyObject_CallMethod(symbol, "value", NULL);
	AUTO_PY PyObject *pointer = value ? host_attribute(value, "address") : NULL;
	AUTO_PY PyObject *number = pointer ? PyNumber_Long(pointer) : NULL;
	uint64_t address = number ? PyLong_AsUnsignedLongLongMask(number) : 0;

	host_drop();
	return address;
}

/*
 * The symbol of the function around ADDRESS that is not inlined there, a new reference; NULL:
 * unknown.  *NESTED: it is defined within another function.  No exception.
 */
static PyObject *symbol_around(uint64_t address, bool *nested)
{
	PyObject *gdb = host_gdb();
	PyObject *block = gdb ? PyObject_CallMethod(gdb, "block_for_pc", "K", address) : NULL;
	PyObject *outermost = NULL;

	*nested = false;
	while (block && block != Py_None) {
		AUTO_PY PyObject *held = block;
		PyObject *function = host_attribute(block, "function");
		/*
		 * The code of a nested function is elsewhere than that of the function that
		 * contains it.
		 */
		if (function && outermost &&
			(address < host_number(block, "start") ||
				address >= host_number(block, "end"))) {
			*nested = true;
			Py_CLEAR(function);
		}
		if (function) {
			Py_XDECREF(outermost);
			outermost = function;
		}
		block = PyObject_GetAttrString(block, "superblock");
	}
	Py_XDECREF(block);
	host_drop();
	return outermost;
}

PyObject *entries_symbol(uint64_t address)
{
	bool nested;
	PyObject *symbol = symbol_around(address, &nested);

	if (symbol && entry_of(symbol) != address)
		Py_CLEAR(symbol);
	return symbol;
}

/*
 * Does a symbol of the symbol table begin at ADDRESS, and not that of a stub?  TEXT gets its name,
 * from the output of `info symbol`: "NAME in section .text of FILE".
 */
static bool symbol_at(uint64_t address, struct prof_text *text)
{
	struct prof_error *error = host_symbol(address, text);
	const char *end = error ? NULL : strstr(prof_text_get(text), " in section ");

	host_forget(error);
	if (!end || !strncmp(end, " in section .plt", 16))
		return false;
	size_t length = (size_t)(end - prof_text_get(text));
	text->bytes[length] = '\0';
	text->length = length;
	return !strstr(prof_text_get(text), " + ");
}

struct search {
	void (*visit)(void *context, const struct entry *entry);
	void *context;
};

/* Visits ADDRESS, of the current program space, if it is the entry of a function. */
static void visit_address(const struct search *search, uint64_t address)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	bool nested;
	AUTO_PY PyObject *symbol = symbol_around(address, &nested);
	AUTO_FREE char *name = symbol ? host_string(symbol, "print_name") : NULL;

	if (!address || (symbol && entry_of(symbol) != address) ||
		(!symbol && !symbol_at(address, &text)))
		return;
	const struct entry entry = {address, name ? name : prof_text_get(&text)};
	search->visit(search->context, &entry);
}

/* Is SYMBOL, of a block of the file of TABLE, a function that is defined there? */
static bool is_of_file(PyObject *symbol, PyObject *table)
{
	AUTO_PY PyObject *function = host_attribute(symbol, "is_function");
	AUTO_PY PyObject *own = host_attribute(symbol, "symtab");
	AUTO_FREE char *file = own ? host_string(own, "filename") : NULL;
	AUTO_FREE char *wanted = host_string(table, "filename");

	return function && PyObject_IsTrue(function) == 1 && file && wanted &&
		!strcmp(file, wanted);
}

/* Visits the functions of the block that METHOD of TABLE returns. */
static void visit_block(const struct search *search, PyObject *table, const char *method)
{
	AUTO_PY PyObject *block = PyObject_CallMethod(table, method, NULL);
	AUTO_PY PyObject *symbols = block ? PyObject_GetIter(block) : NULL;

	while (symbols) {
		AUTO_PY PyObject *symbol = PyIter_Next(symbols);
		if (!symbol)
			break;
		if (is_of_file(symbol, table))
			visit_address(search, entry_of(symbol));
	}
	host_drop();
}

/*
 * Visits the functions that are defined within functions of the file of TABLE, like lambdas: GDB
 * does not list them, but the line table has their code.  Any line at the entry is enough: gcc 10
 * does not write in which file a lambda is, and GDB then names the file that was compiled.
 */
static void visit_nested(const struct search *search, PyObject *table)
{
	AUTO_PY PyObject *lines = PyObject_CallMethod(table, "linetable", NULL);
	AUTO_PY PyObject *entries = lines ? PyObject_GetIter(lines) : NULL;
	uint64_t last = 0;

	while (entries) {
		AUTO_PY PyObject *line = PyIter_Next(entries);
		bool nested = false;
		if (!line)
			break;
		uint64_t address = host_number(line, "pc");
		AUTO_PY PyObject *symbol = symbol_around(address, &nested);
		uint64_t entry = nested ? entry_of(symbol) : 0;
		if (entry != address && entry && !is_of_file(symbol, table))
			entry = 0;
		if (entry && entry != last)
			visit_address(search, entry);
		last = entry ? entry : last;
	}
	host_drop();
}

/* The lowest line, LEAST or above, in ROWS, which GDB's MI lists for a file; 0: none. */
static long line_from(PyObject *rows, long least)
{
	Py_ssize_t count = rows ? PySequence_Size(rows) : 0;
	long lowest = 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		AUTO_PY PyObject *row = PySequence_GetItem(rows, i);
		AUTO_PY PyObject *number = row ? PyMapping_GetItemString(row, "line") : NULL;
		long line = number ? PyLong_AsLong(number) : 0;
		if (line >= least && (!lowest || line < lowest))
			lowest = line;
	}
	host_drop();
	return lowest;
}

/* The places of the first line with code in the file NAME, of LENGTH; NULL: none. */
static PyObject *decode_file(const char *name, size_t length)
{
	PyObject *gdb = host_gdb();
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	prof_text_print(&text, "%.*s:1", (int)length, name);
	PyObject *places = decode(prof_text_get(&text));
	if (places)
		return places;
	/*
	 * Since GDB 15, line 1 does not stand for the first function below it; Python can use MI
	 * since GDB 14.
	 */
	AUTO_PY PyObject *listed = gdb ? PyObject_CallMethod(gdb, "execute_mi", "ss#",
						 "-symbol-list-lines", name, (Py_ssize_t)length)
				       : NULL;
	AUTO_PY PyObject *rows = listed ? PyMapping_GetItemString(listed, "lines") : NULL;
	host_drop();
	for (long line = line_from(rows, 1); line && !places; line = line_from(rows, line + 1)) {
		text.length = 0;
		prof_text_print(&text, "%.*s:%ld", (int)length, name, line);
		places = decode(prof_text_get(&text));
	}
	return places;
}

static void visit_file(const struct search *search, const char *what, size_t length)
{
	AUTO_PY PyObject *places = decode_file(what, length);
	Py_ssize_t count = places ? PyTuple_Size(places) : 0;
	for (Py_ssize_t i = 0; i < count; i++) {
		AUTO_PY PyObject *table = host_attribute(PyTuple_GetItem(places, i), "symtab");
		if (!table)
			continue;
		visit_block(search, table, "global_block");
		visit_block(search, table, "static_block");
		visit_nested(search, table);
	}
}

void entries_find(
	const char *what, void (*visit)(void *context, const struct entry *entry), void *context)
{
	const struct search search = {visit, context};
	size_t length = strlen(what);

	if (length > 2 && !strcmp(what + length - 2, ":*")) {
		visit_file(&search, what, length - 2);
		return;
	}
	AUTO_PY PyObject *places = decode(what);
	Py_ssize_t count = places ? PyTuple_Size(places) : 0;
	for (Py_ssize_t i = 0; i < count; i++)
		visit_address(&search, host_number(PyTuple_GetItem(places, i), "pc"));
}

void entries_at(
	uint64_t address, void (*visit)(void *context, const struct entry *entry), void *context)
{
	const struct search search = {visit, context};

	visit_address(&search, address);
}

void entries_objects(
	void (*visit)(void *context, const char *file, const char *owner), void *context)
{
	AUTO_PY PyObject *space = host_space();
	AUTO_PY PyObject *list = space ? PyObject_CallMethod(space, "objfiles", NULL) : NULL;
	Py_ssize_t count = list ? PyList_Size(list) : 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *object = PyList_GetItem(list, i);
		AUTO_PY PyObject *whole = host_attribute(object, "owner");
		AUTO_FREE char *owner = whole ? host_string(whole, "filename") : NULL;
		AUTO_FREE char *file = host_string(object, "filename");
		visit(context, file, owner);
	}
	host_drop();
}
