/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/naming.h"

#include "base/file.h"
#include "plugin/gdb/hooknames.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <stdlib.h>
#include <string.h>

void naming_address(uint64_t address, struct prof_text *text)
{
	size_t length = 0;
	struct prof_error *refused = host_symbol(address, text);

	if (refused) {
		host_forget(refused);
		text->length = 0;
	}
	/* Two load objects with the same contents give two lines. */
	if (text->length)
		text->bytes[strcspn(text->bytes, "\n")] = '\0';
	const char *name = prof_text_get(text);
	for (const char *at = name; (at = strstr(at, " in section ")); at++)
		length = (size_t)(at - name);
	if (text->length)
		text->bytes[length] = '\0';
	text->length = length;
}

void naming_note(uint64_t address, const char *name)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	naming_address(address, &text);
	if (!text.length || strstr(prof_text_get(&text), " + "))
		hooknames_note(address, name);
}

/* Does GDB call other functions NAME, too?  It leaves out where functions within functions are. */
static bool is_shared(const char *name)
{
	return !strncmp(name, "operator()", strlen("operator()")) || strstr(name, "<lambda");
}

/* NAME without the return type, which the symbol table has for templates. */
static const char *without_type(const char *name)
{
	const char *begin = name;
	int depth = 0;

	if (strstr(name, "operator "))
		return name;
	for (const char *at = name; *at && (depth || *at != '('); at++) {
		depth += strchr("<({[", *at) != NULL;
		depth -= strchr(">)}]", *at) != NULL;
		if (*at == ' ' && !depth)
			begin = at + 1;
	}
	return begin;
}

/* The naming_symbol() by GDB itself. */
static void find_by_host(void *context, uint64_t address, struct prof_text *text)
{
	(void)context;
	naming_address(address, text);
	/* A name with an offset belongs to another function. */
	if (text->length && strstr(prof_text_get(text), " + "))
		text->length = 0;
}

/* Can NAME be a name in D, and would GDB take it for nothing but a name? */
static bool is_of_d(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	return !strncmp(name, "_D", 2) && !name[strspn(name, letters)];
}

/* NAME, of D, as GDB demangles it in a new string, or NULL. */
static char *demangle_by_host(const char *name)
{
	PROF_AUTO(prof_text_deinit) struct prof_text command = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	prof_text_print(&command, "demangle -l d -- %s", name);
	struct prof_error *error = host_execute(prof_text_get(&command), &text);
	bool refused = error;
	host_forget(error);
	if (refused || !text.length)
		return NULL;
	text.bytes[strcspn(text.bytes, "\n")] = '\0';
	return strdup(text.bytes);
}

/* The name that FIND has for the code at ADDRESS, where a function begins, or NULL. */
static char *find_symbol(uint64_t address, naming_symbol *find, void *context)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	find(context, address, &text);
	const char *name = text.length ? prof_text_get(&text) : "";
	return strchr(name, '{') ? strdup(without_type(name)) : NULL;
}

/* Is BLOCK, whose code begins at ADDRESS, within the code of another function? */
static bool is_inlined(PyObject *block, uint64_t address)
{
	AUTO_PY PyObject *around = host_attribute(block, "superblock");
	AUTO_PY PyObject *shared = around ? host_attribute(around, "is_static") : NULL;

	return shared && PyObject_IsTrue(shared) == 0 && address >= host_number(around, "start") &&
		address < host_number(around, "end");
}

/*
 * NAME, of the lambda FUNCTION, whose code in BLOCK begins at ADDRESS, with its first line, or
 * NULL. If it is inlined, the line must be in its file: code from elsewhere may in turn be inlined
 * there.  gcc 10 does not write in which file a lambda is.
 */
static char *find_line(const char *name, PyObject *block, PyObject *function, uint64_t address)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	AUTO_PY PyObject *space = host_space();
	AUTO_PY PyObject *place = space
		? PyObject_CallMethod(space, "find_pc_line", "K", (unsigned long long)address)
		: NULL;
	AUTO_PY PyObject *symtab = place ? host_attribute(place, "symtab") : NULL;
	AUTO_PY PyObject *own = host_attribute(function, "symtab");
	AUTO_FREE char *file = symtab ? host_string(symtab, "filename") : NULL;
	AUTO_FREE char *expected = own ? host_string(own, "filename") : NULL;
	uint64_t line = place ? host_number(place, "line") : 0;
	bool known = file && line &&
		(!is_inlined(block, address) || (expected && !strcmp(file, expected)));

	host_drop();
	if (!known)
		return NULL;
	prof_text_print(&text, "{lambda at %s:%llu}::%s", prof_file_base_name(file),
		(unsigned long long)line, name);
	return text.failed ? NULL : strdup(prof_text_get(&text));
}

char *naming_of(PyObject *block, naming_symbol *find, void *context)
{
	AUTO_PY PyObject *function = host_attribute(block, "function");
	char *name = function ? host_string(function, "print_name") : NULL;
	bool of_d = name && !find && is_of_d(name);

	if (!name || (!of_d && !is_shared(name)))
		return name;
	uint64_t address = host_number(block, "start");
	char *own = of_d ? demangle_by_host(name)
			 : find_symbol(address, find ? find : find_by_host, context);
	/* The names of template instances say what they belong to; a lambda's does not. */
	if (!own && name[0] == 'o')
		own = find_line(name, block, function, address);
	if (!own)
		return name;
	free(name);
	return own;
}
