/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/code.h"

#include "base/strings.h"
#include "model/experiment.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/naming.h"
#include "plugin/gdb/python.h"
#include "view/archive.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void code_note(struct prof_code *code, const struct prof_text *text)
{
	PROF_AUTO(prof_text_deinit) struct prof_text line = {0};

	prof_text_name(&line, prof_text_get(text));
	prof_text_print(&line, "\n");
	if (!line.failed && !strstr(prof_text_get(&code->notes), line.bytes))
		prof_text_bytes(&code->notes, line.bytes, line.length);
}

/* Is GDB's setting NAME, a boolean, on? */
static bool is_on(const char *name)
{
	AUTO_FREE char *value = NULL;
	struct prof_error *error = host_parameter(name, &value);

	host_forget(error);
	return !error && !strcmp(value, "True");
}

/*
 * The places of the linespec TEXT in GDB: a tuple of gdb.Symtab_and_line, or NULL; no exception.
 * It must begin with a quote: an expression, `*ADDRESS`, that GDB 13 cannot evaluate makes it throw
 * a C++ exception through Python and this plugin.
 */
static PyObject *decode(const struct prof_text *text)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *pair = gdb && !text->failed
		? PyObject_CallMethod(gdb, "decode_line", "s", prof_text_get(text))
		: NULL;
	PyObject *places = pair ? PyTuple_GetItem(pair, 1) : NULL;

	if (!places)
		host_drop();
	if (!places || places == Py_None)
		return NULL;
	return python_hold(places);
}

/*
 * Adds NAME quoted for linespecs.  False: it has both kinds of quotes, and so cannot be quoted;
 * what GDB would throw for unmatched ones is not caught either.
 */
static bool quote(struct prof_text *text, const char *name)
{
	const char *mark = strchr(name, '\'') ? "\"" : "'";

	if (!*name || strstr(name, mark) || strchr(name, '\\'))
		return false;
	prof_text_print(text, "%s%s%s", mark, name, mark);
	return true;
}

/* The gdb.Symtab of PLACE if it is FILE's, a new reference, or NULL; no exception. */
static PyObject *symtab_of(PyObject *place, const char *file)
{
	PyObject *symtab = host_attribute(place, "symtab");
	AUTO_FREE char *name = symtab ? host_string(symtab, "filename") : NULL;

	if (name && !strcmp(name, file))
		return symtab;
	Py_XDECREF(symtab);
	return NULL;
}

/* GDB's data about a source file. */
struct known {
	char *path;
	char *program;         /* the load object that was compiled from it */
	PROF_ARRAY(bool) code; /* by line */
};

static void known_deinit(struct known *known)
{
	free(known->path);
	free(known->program);
	free(known->code.items);
}

/* Reads which lines have code from the gdb.Symtab SYMTAB. */
static void take_lines(struct known *known, PyObject *symtab)
{
	AUTO_PY PyObject *table = PyObject_CallMethod(symtab, "linetable", NULL);
	AUTO_PY PyObject *lines = table ? PyObject_CallMethod(table, "source_lines", NULL) : NULL;
	Py_ssize_t count = lines && PyList_Check(lines) ? PyList_Size(lines) : 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		enum { MOST = 10000000 };
		size_t line = PyLong_AsSize_t(PyList_GetItem(lines, i));
		while (line < MOST && known->code.count <= line) {
			bool *code = prof_array_push(&known->code);
			if (!code)
				return;
			*code = false;
		}
		if (line < MOST)
			known->code.items[line] = true;
	}
	host_drop();
}

/*
 * A line of FILE for which EXPERIMENT has code, or 1.  GDB 15 and later only find lines with code.
 */
static unsigned line_of(const struct prof_experiment *experiment, const char *file)
{
	for (size_t i = 0; i < experiment->locations.count; i++) {
		const struct prof_location *location = &experiment->locations.items[i];
		if (location->line &&
			!strcmp(prof_strings_get(&experiment->strings, location->file), file))
			return location->line;
	}
	return 1;
}

/* Looks up FILE by its line LINE, which should have code. */
static void find_file(struct known *known, const char *file, unsigned line)
{
	PROF_AUTO(prof_text_deinit) struct prof_text spec = {0};

	if (!quote(&spec, file))
		return;
	prof_text_print(&spec, ":%u", line);
	AUTO_PY PyObject *places = decode(&spec);
	Py_ssize_t count = places ? PyTuple_Size(places) : 0;
	for (Py_ssize_t i = 0; i < count; i++) {
		AUTO_PY PyObject *symtab = symtab_of(PyTuple_GetItem(places, i), file);
		if (!symtab)
			continue;
		take_lines(known, symtab);
		if (known->path)
			continue;
		AUTO_PY PyObject *path = PyObject_CallMethod(symtab, "fullname", NULL);
		const char *text = path ? PyUnicode_AsUTF8AndSize(path, NULL) : NULL;
		known->path = text ? strdup(text) : NULL;
		host_drop();
		AUTO_PY PyObject *object = host_attribute(symtab, "objfile");
		known->program = object ? host_string(object, "filename") : NULL;
	}
	host_drop();
}

/*
 * TEXT, of the file PATH, in the colours that GDB would use, in bytes, a new reference; NULL or
 * None: GDB cannot.  The function is not documented; since GDB 18 it takes the name of the
 * language, and goes by the file's if there is no such language.
 */
static PyObject *colorize(const char *path, const char *text)
{
	AUTO_PY PyObject *module = PyImport_ImportModule("gdb.styling");
	PyObject *bytes = module ? PyObject_CallMethod(module, "colorize", "ss", path, text) : NULL;

	if (bytes || !module || !PyErr_ExceptionMatches(PyExc_TypeError))
		return bytes;
	PyErr_Clear();
	return PyObject_CallMethod(module, "colorize", "sss", path, text, "");
}

/* Gives the lines of SOURCE the colours that GDB would use. */
static struct prof_error *highlight(struct prof_code_source *source)
{
	PROF_AUTO(prof_text_deinit) struct prof_text whole = {0};

	for (size_t i = 0; i < source->lines.count; i++)
		prof_text_print(&whole, "%s\n", source->lines.items[i].text);
	AUTO_PY PyObject *bytes =
		whole.failed ? NULL : colorize(source->path, prof_text_get(&whole));
	const char *at = bytes && PyBytes_Check(bytes) ? PyBytes_AsString(bytes) : NULL;

	/* The result is None if GDB cannot highlight. */
	host_drop();
	for (size_t i = 0; at && *at && i < source->lines.count; i++) {
		size_t length = strcspn(at, "\n");
		source->lines.items[i].styled = strndup(at, length);
		if (!source->lines.items[i].styled)
			return prof_error_nomem();
		at += length + (at[length] == '\n');
	}
	return NULL;
}

/* Finds out why the lines of SOURCE, from which PROGRAM was compiled, may be wrong. */
static void find_age(struct prof_code_source *source, const struct prof_experiment *experiment,
	const char *program)
{
	struct stat file, made;

	if (stat(source->path, &file))
		return;
	if (experiment->recording.date && file.st_mtime > experiment->recording.date)
		source->newer |= PROF_NEWER_RECORDING;
	if (program && !stat(program, &made) && file.st_mtime > made.st_mtime)
		source->newer |= PROF_NEWER_PROGRAM;
}

static void note_age(struct prof_code *code, const struct prof_code_source *source)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	static const char *const older[] = {
		[PROF_NEWER_RECORDING] = "the recording",
		[PROF_NEWER_PROGRAM] = "the program",
		[PROF_NEWER_RECORDING | PROF_NEWER_PROGRAM] = "the recording and the program",
	};

	if (!source->newer)
		return;
	prof_text_print(&text,
		"The source file \"%s\" is newer than %s: its lines may not be those that ran.",
		source->path, older[source->newer]);
	code_note(code, &text);
}

static struct prof_error *read_source(struct prof_code *code,
	const struct prof_experiment *experiment, const char *file, struct prof_code_source *ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(known_deinit) struct known known = {0};
	bool archived;
	int reason;

	struct prof_error *error = prof_archive_read_source(experiment, file, ret, &archived);
	if (error)
		return error;
	if (archived) {
		note_age(code, ret);
		return ((struct code *)code)->styled ? highlight(ret) : NULL;
	}
	find_file(&known, file, line_of(experiment, file));
	/* A file that GDB does not know may exist nevertheless. */
	ret->path = strdup(known.path ? known.path : file);
	if (!ret->path)
		return prof_error_nomem();
	if (!known.path && file[0] != '/') {
		prof_text_print(
			&text, "GDB knows no source file \"%s\": is the program loaded?", file);
		code_note(code, &text);
		return NULL;
	}
	error = prof_code_source_read(ret, ret->path, &reason);
	if (error)
		return error;
	if (reason) {
		prof_text_print(&text, "The source file \"%s\" cannot be read: %s.", ret->path,
			strerror(reason));
		code_note(code, &text);
		return NULL;
	}
	find_age(ret, experiment, known.program);
	note_age(code, ret);
	for (size_t i = 0; i < ret->lines.count && i + 1 < known.code.count; i++)
		ret->lines.items[i].code = known.code.items[i + 1];
	return ((struct code *)code)->styled ? highlight(ret) : NULL;
}

/* The innermost gdb.Block around ADDRESS of the function NAME, or NULL; no exception. */
static PyObject *find_block(PyObject *space, uint64_t address, const char *name)
{
	PyObject *block =
		PyObject_CallMethod(space, "block_for_pc", "K", (unsigned long long)address);

	while (block && block != Py_None) {
		AUTO_FREE char *found = naming_of(block, NULL, NULL);
		if (found && !strcmp(found, name))
			return block;
		PyObject *outer = host_attribute(block, "superblock");
		Py_DECREF(block);
		block = outer;
	}
	host_drop();
	Py_XDECREF(block);
	return NULL;
}

/* Is BLOCK, of a function, inlined into another one? */
static bool is_inlined(PyObject *block)
{
	PyObject *outer = host_attribute(block, "superblock");
	bool inlined = false;

	while (outer && !inlined) {
		AUTO_PY PyObject *held = outer;
		AUTO_PY PyObject *function = host_attribute(outer, "function");
		inlined = function != NULL;
		outer = host_attribute(outer, "superblock");
	}
	Py_XDECREF(outer);
	return inlined;
}

/* Is the innermost function around ADDRESS called NAME, or is there none? */
static bool is_own(PyObject *space, uint64_t address, const char *name)
{
	AUTO_PY PyObject *block =
		PyObject_CallMethod(space, "block_for_pc", "K", (unsigned long long)address);
	PyObject *at = block ? python_hold(block) : NULL;
	bool own = true;

	while (at && at != Py_None) {
		AUTO_PY PyObject *held = at;
		AUTO_FREE char *found = naming_of(at, NULL, NULL);
		if (found) {
			own = !strcmp(found, name);
			at = NULL;
			break;
		}
		at = host_attribute(at, "superblock");
	}
	Py_XDECREF(at);
	host_drop();
	return own;
}

/* Extends EXTENT by the lines that SYMTAB has for the code of BLOCK, of the function NAME. */
static void take_extent(struct prof_code_extent *extent, PyObject *space, PyObject *symtab,
	PyObject *block, const char *name)
{
	AUTO_PY PyObject *table = PyObject_CallMethod(symtab, "linetable", NULL);
	AUTO_PY PyObject *entries = table ? PyObject_GetIter(table) : NULL;
	uint64_t low = host_number(block, "start");
	uint64_t high = host_number(block, "end");
	PyObject *entry;

	while (entries && (entry = PyIter_Next(entries))) {
		AUTO_PY PyObject *held = entry;
		uint64_t address = host_number(entry, "pc");
		uint32_t line = (uint32_t)host_number(entry, "line");
		if (!line || address < low || address >= high ||
			(line >= extent->first && line <= extent->last))
			continue;
		/* Code that was inlined there may come from elsewhere. */
		if (!is_own(space, address, name))
			continue;
		extent->first = line < extent->first ? line : extent->first;
		extent->last = line > extent->last ? line : extent->last;
	}
	host_drop();
}

uint64_t code_moved(const struct prof_experiment *experiment, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];
	const struct prof_location *outer =
		&experiment->locations.items[at->first_location + at->locations - 1];
	const char *name = prof_experiment_function_name(experiment, outer->function);
	PROF_AUTO(prof_text_deinit) struct prof_text spec = {0};

	if (!quote(&spec, name))
		return 0;
	AUTO_PY PyObject *places = decode(&spec);
	PyObject *place = places ? PyTuple_GetItem(places, 0) : NULL;
	uint64_t begin = place ? host_number(place, "pc") : 0;

	host_drop();
	if (!begin || outer->offset == PROF_OFFSET_UNKNOWN)
		return begin;
	return begin + (uint64_t)outer->offset;
}

char *code_name(uint64_t address, const char *name)
{
	AUTO_PY PyObject *space = host_space();
	AUTO_PY PyObject *block = space ? find_block(space, address, name) : NULL;
	AUTO_PY PyObject *function = block ? host_attribute(block, "function") : NULL;
	char *found = function ? host_string(function, "print_name") : NULL;

	return found ? found : strdup(name);
}

static struct prof_error *find_extent(struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t function, uint32_t frame,
	struct prof_code_extent *ret)
{
	const char *name = prof_experiment_function_name(experiment, function);
	uint64_t address = experiment->frames.items[frame].address;
	bool archived;

	struct prof_error *error = prof_archive_read_extent(experiment, function, ret, &archived);
	if (error || archived)
		return error;
	AUTO_PY PyObject *space = host_space();
	AUTO_PY PyObject *block = space ? find_block(space, address, name) : NULL;
	if (space && !block) {
		address = code_moved(experiment, frame);
		block = address ? find_block(space, address, name) : NULL;
	}
	bool inlined = block && is_inlined(block);
	/* The place of a symbol of inlined code is that of the call. */
	AUTO_PY PyObject *symbol = !block ? NULL
		: !inlined                ? host_attribute(block, "function")
		: is_own(space, address, name)
		? PyObject_CallMethod(space, "find_pc_line", "K", (unsigned long long)address)
		: NULL;
	AUTO_PY PyObject *symtab = symbol ? host_attribute(symbol, "symtab") : NULL;
	uint64_t line = symtab ? host_number(symbol, "line") : 0;

	(void)code;
	host_drop();
	if (!line || line > UINT32_MAX)
		return NULL;
	ret->first = ret->last = (uint32_t)line;
	take_extent(ret, space, symtab, block, name);
	if (!inlined)
		ret->first = (uint32_t)line;
	ret->file = host_string(symtab, "filename");
	return NULL;
}

void code_begin(struct code *code, bool screen)
{
	*code = (struct code){
		.code = {.source = read_source, .extent = find_extent, .block = code_block},
		.styled = screen && host_obeys_escapes() && is_on("style enabled") &&
			is_on("style sources"),
	};
}

void code_end(struct code *code)
{
	prof_text_deinit(&code->code.notes);
}
