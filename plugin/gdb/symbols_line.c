/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/symbols_line.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "target/elf.h"
#include "target/linetable.h"

#include <stdlib.h>
#include <string.h>

/* Line tables that stay open, and the bytes that the file of each may have at most. */
enum { KEPT = 4, SMALL = 16 << 20 };

static void close_table(struct symbols_table *table)
{
	prof_linetable_close(table->table);
	free(table->path);
	free(table->build_id);
}

void symbols_lines_rest(struct symbols_lines *lines)
{
	size_t kept = 0, open = 0;

	for (size_t i = 0; i < lines->tables.count; i++) {
		struct symbols_table *table = &lines->tables.items[i];
		/* That a file has none is as good to know. */
		bool none = !table->table;
		if (none || (open < KEPT && prof_linetable_size(table->table) <= SMALL)) {
			lines->tables.items[kept++] = *table;
			open += !none;
		} else {
			close_table(table);
		}
	}
	lines->tables.count = kept;
	binaries_close(&lines->binaries);
}

void symbols_lines_deinit(struct symbols_lines *lines)
{
	for (size_t i = 0; i < lines->tables.count; i++)
		close_table(&lines->tables.items[i]);
	free(lines->tables.items);
	binaries_close(&lines->binaries);
	*lines = (struct symbols_lines){0};
}

/* The line table of the file PATH of BUILD_ID, or NULL. */
static struct prof_linetable *open_table(
	struct symbols_lines *lines, const char *path, const char *build_id)
{
	for (size_t i = 0; i < lines->tables.count; i++) {
		const struct symbols_table *known = &lines->tables.items[i];
		if (!strcmp(known->path, path) && !strcmp(known->build_id, build_id))
			return known->table;
	}
	AUTO_FREE char *path_copy = strdup(path);
	AUTO_FREE char *id_copy = strdup(build_id);
	struct symbols_table *added = path_copy && id_copy ? prof_array_push(&lines->tables) : NULL;
	if (!added)
		return NULL;
	*added = (struct symbols_table){.path = steal(&path_copy), .build_id = steal(&id_copy)};
	/* If it cannot be read, GDB's own answer is the best. */
	prof_error_destroy(prof_linetable_open(path, build_id, &added->table));
	return added->table;
}

/* The gdb.Symtab of the innermost function around BLOCK, or NULL. */
static PyObject *find_symtab(PyObject *block)
{
	AUTO_PY PyObject *at = block;

	Py_XINCREF(at);
	while (at && at != Py_None) {
		AUTO_PY PyObject *function = host_attribute(at, "function");
		if (function && function != Py_None)
			return host_attribute(function, "symtab");
		PyObject *outer = host_attribute(at, "superblock");
		Py_DECREF(at);
		at = outer;
	}
	return NULL;
}

/* Does PATH end with the components of END? */
static bool ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), part = strlen(end);

	return length >= part && !strcmp(path + length - part, end) &&
		(length == part || path[length - part - 1] == '/');
}

/* Is PATH, from the line table, the file that GDB calls NAME?  One of them may be relative. */
static bool is_file(const char *path, const char *name)
{
	return ends_with(path, name) || ends_with(name, path);
}

/* GDB's name of the file of FOUND: that of the place, or of a function around it. */
static char *name_file(const struct prof_linetable_place *found, PyObject *block, PyObject *place)
{
	AUTO_PY PyObject *at = block;
	AUTO_PY PyObject *symtab = place ? host_attribute(place, "symtab") : NULL;
	AUTO_FREE char *name = symtab ? host_string(symtab, "filename") : NULL;

	Py_XINCREF(at);
	while (at && at != Py_None && !(name && is_file(found->file, name))) {
		AUTO_PY PyObject *around = find_symtab(at);
		free(name);
		name = around ? host_string(around, "filename") : NULL;
		PyObject *outer = host_attribute(at, "superblock");
		Py_DECREF(at);
		at = outer;
	}
	if (name && is_file(found->file, name))
		return steal(&name);
	/* GDB uses the name that was given to the compiler. */
	size_t length = found->directory ? strlen(found->directory) : 0;
	bool below = length && !strncmp(found->file, found->directory, length) &&
		found->file[length] == '/';
	return strdup(found->file + (below ? length + 1 : 0));
}

/* Looks the address up in the line table of the file of BLOCK. */
static bool find_row(struct symbols_lines *lines, const struct prof_experiment *experiment,
	uint32_t module, uint64_t address, PyObject *block, struct prof_linetable_place *ret)
{
	uint32_t id = experiment->modules.items[module].build_id;
	const struct binary *binary = binaries_open(&lines->binaries, experiment, module, address);
	AUTO_PY PyObject *symtab = binary ? find_symtab(block) : NULL;
	AUTO_PY PyObject *objfile = symtab ? host_attribute(symtab, "objfile") : NULL;
	AUTO_FREE char *path = objfile ? host_string(objfile, "filename") : NULL;
	struct prof_linetable *table =
		path ? open_table(lines, path, prof_strings_get(&experiment->strings, id)) : NULL;

	return table && prof_linetable_find(table, address - prof_elf_bias(binary->file), ret);
}

void symbols_lines_find(struct symbols_lines *lines, const struct prof_experiment *experiment,
	uint32_t module, uint64_t address, PyObject *block, PyObject *place, char **file,
	uint32_t *line)
{
	struct prof_linetable_place found;
	AUTO_PY PyObject *symtab = place ? host_attribute(place, "symtab") : NULL;

	if (find_row(lines, experiment, module, address, block, &found)) {
		*file = name_file(&found, block, place);
		*line = found.line;
	} else {
		*file = symtab ? host_string(symtab, "filename") : NULL;
		*line = *file ? (uint32_t)host_number(place, "line") : 0;
	}
	host_drop();
}

void symbols_lines_find_in(struct symbols_lines *lines, const struct prof_experiment *experiment,
	const struct binary *binary, uint64_t address, char **file, uint32_t *line)
{
	const struct prof_module *module = &experiment->modules.items[binary->module];
	const char *path = prof_strings_get(&experiment->strings, module->path);
	struct prof_linetable_place found;
	struct prof_linetable *table = open_table(lines, binary->split ? binary->split : path,
		prof_strings_get(&experiment->strings, module->build_id));

	*file = NULL;
	*line = 0;
	if (!table || !prof_linetable_find(table, address - prof_elf_bias(binary->file), &found))
		return;
	*file = name_file(&found, NULL, NULL);
	*line = found.line;
}
