/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/symbols.h"

#include "base/demangle.h"
#include "base/file.h"
#include "plugin/collect/notes.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/hooknames.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/methods.h"
#include "plugin/gdb/naming.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/symbols_line.h"
#include "plugin/gdb/variable.h"
#include "plugin/session/spaces.h"
#include "target/elf.h"
#include "target/kallsyms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The result for one address: locations, the innermost first. */
struct found {
	struct prof_experiment *experiment;
	uint32_t module;
	PROF_ARRAY(struct prof_location) locations;

	struct prof_kallsyms *kernel; /* the kernel's functions, once they were read */
	struct symbols_lines *lines;  /* lines of a module's file, if the program is gone */
	struct spaces spaces;         /* the processes that GDB can be asked about */
	PyObject *space;              /* the space that is asked, a gdb.Progspace */
	bool whole; /* it is the current one, and none of its objects is being removed */
	bool early; /* see symbols_resolve() */
};

/* Adds the function NAME of LENGTH bytes, which begins OFFSET before the address. */
static struct prof_error *add_location(
	struct found *found, const char *name, size_t length, int64_t offset)
{
	struct prof_location location = {.offset = offset};
	struct prof_error *error = prof_experiment_function(
		found->experiment, name, length, found->module, &location.function);

	if (!error)
		error = prof_experiment_string(found->experiment, "", &location.file);
	if (error)
		return error;
	struct prof_location *place = prof_array_push(&found->locations);
	if (!place)
		return prof_error_nomem();
	*place = location;
	return NULL;
}

/* Sets the place of the last location; FILE is NULL if it is unknown. */
static struct prof_error *set_line(struct found *found, const char *file, uint32_t line)
{
	struct prof_location *location = &found->locations.items[found->locations.count - 1];

	if (!file)
		return NULL;
	location->line = line;
	return prof_experiment_string(found->experiment, file, &location->file);
}

/* Sets the line of the innermost function, BLOCK, at ADDRESS; GDB's answer is PLACE. */
static struct prof_error *set_innermost_line(
	struct found *found, uint64_t address, PyObject *block, PyObject *place)
{
	AUTO_FREE char *file = NULL;
	uint32_t line;

	symbols_lines_find(found->lines, found->experiment, found->module, address, block, place,
		&file, &line);
	return set_line(found, file, line);
}

/* Sets the line of a function into which the innermost one is inlined: the call at PLACE. */
static struct prof_error *set_call_line(struct found *found, PyObject *place)
{
	AUTO_PY PyObject *symtab = host_attribute(place, "symtab");
	AUTO_FREE char *file = symtab ? host_string(symtab, "filename") : NULL;

	return set_line(found, file, (uint32_t)host_number(place, "line"));
}

/*
 * The demangled form of NAME in TEXT; NAME itself if it is not mangled.  Does not use GDB's
 * `demangle`: after each command GDB looks at the selected frame, which is an internal error while
 * it removes load objects.
 */
static void demangle(const char *name, struct prof_text *text)
{
	AUTO_FREE char *demangled = prof_demangle(name);
	const char *shown = demangled ? demangled : name;

	prof_text_bytes(text, shown, strlen(shown));
}

/* The naming_symbol() of the mapped file, if GDB must not be asked. */
static void find_symbol(void *context, uint64_t address, struct prof_text *text)
{
	struct found *found = context;
	uint64_t low = 0;

	const struct binary *binary =
		binaries_open(&found->lines->binaries, found->experiment, found->module, address);
	const char *name = binary ? prof_elf_symbol(binary->file, address, &low) : NULL;
	if (name && low == address)
		demangle(name, text);
}

/*
 * Adds the function of BLOCK, if it is the outermost block of one.  *PLACE is the source line of
 * ADDRESS; it becomes the function's symbol, whose place is, if the function turns out to be
 * inlined, that of the call.
 */
static struct prof_error *add_function(
	struct found *found, uint64_t address, PyObject *block, PyObject **place)
{
	AUTO_FREE char *name = naming_of(block, found->whole ? NULL : find_symbol, found);

	if (!name)
		return NULL;
	struct prof_error *error = add_location(
		found, name, strlen(name), (int64_t)(address - host_number(block, "start")));
	if (error)
		return error;
	AUTO_PY PyObject *function = host_attribute(block, "function");
	AUTO_PY PyObject *at = *place;
	*place = steal(&function);
	if (found->locations.count == 1)
		return set_innermost_line(found, address, block, at);
	return at ? set_call_line(found, at) : NULL;
}

/*
 * Sets the offset of the last location, the function with SYMBOL (or NULL), from its entry: if its
 * code is in several parts, that need not be the lowest address.
 */
static void set_offset(struct found *found, uint64_t address, PyObject *symbol)
{
	uint64_t begin;

	if (symbol && found->locations.count && methods_symbol_address(symbol, &begin))
		found->locations.items[found->locations.count - 1].offset =
			(int64_t)(address - begin);
}

/*
 * Adds the functions around ADDRESS that the debugging information has.  The blocks of inlined
 * functions are inside those of their callers; the code of a nested function, which is not inlined,
 * is elsewhere than that of the function that contains it.
 */
static struct prof_error *add_blocks(struct found *found, uint64_t address)
{
	PyObject *block = methods_space_at(found->space, "block_for_pc", address);
	AUTO_PY PyObject *place =
		block ? methods_space_at(found->space, "find_pc_line", address) : NULL;
	struct prof_error *error = NULL;

	while (block && !error) {
		AUTO_PY PyObject *held = block;
		if (host_is_true(block, "is_static") || host_is_true(block, "is_global"))
			break;
		if (found->locations.count &&
			(address < host_number(block, "start") ||
				address >= host_number(block, "end")))
			break;
		error = add_function(found, address, block, &place);
		block = host_attribute(block, "superblock");
	}
	Py_XDECREF(error ? block : NULL);
	if (!error)
		set_offset(found, address, place);
	return error;
}

/*
 * Adds the function that the symbol table has at ADDRESS, from the output of `info symbol`: "NAME +
 * OFFSET in section .text of FILE", without the offset and the file if they are clear.  A symbol
 * before BEGIN, where the function begins, belongs to another one.
 */
static struct prof_error *add_symbol(struct found *found, uint64_t address, uint64_t begin)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	uint64_t offset = 0;

	naming_address(address, &text);
	const char *name = prof_text_get(&text);
	size_t length = text.length;
	for (size_t i = length; i > 3; i--) {
		if (name[i - 1] < '0' || name[i - 1] > '9') {
			if (i < length && !strncmp(name + i - 3, " + ", 3)) {
				offset = strtoull(name + i, NULL, 10);
				length = i - 3;
			}
			break;
		}
	}
	if (!length || address - offset < begin)
		return NULL;
	return add_location(found, name, length, (int64_t)offset);
}

/* Names a function without a symbol that begins at BEGIN; 0: that is unknown. */
static struct prof_error *add_nameless(struct found *found, uint64_t address, uint64_t begin)
{
	const struct prof_experiment *experiment = found->experiment;
	const struct prof_module *module = &experiment->modules.items[found->module];
	const char *path = prof_strings_get(&experiment->strings, module->path);
	const struct prof_range *range =
		begin ? binary_range(experiment, found->module, begin) : NULL;
	PROF_AUTO(prof_text_deinit) struct prof_text name = {0};

	if (!range && !found->module && found->early)
		return NULL;
	if (!range)
		return add_location(found, PROF_UNKNOWN, strlen(PROF_UNKNOWN), PROF_OFFSET_UNKNOWN);
	prof_text_print(&name, "<static>@0x%" PRIx64 " (<%s>)", begin - range->low + range->offset,
		prof_file_base_name(path));
	struct prof_error *error = prof_text_error(&name);
	return error ? error
		     : add_location(found, prof_text_get(&name), name.length,
			       (int64_t)(address - begin));
}

/* Resolves ADDRESS of a program that is gone, from the file that was mapped there. */
static struct prof_error *resolve_by_file(struct found *found, uint64_t address)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	uint64_t low = 0;
	uint64_t high;

	const struct binary *binary =
		binaries_open(&found->lines->binaries, found->experiment, found->module, address);
	const char *name = binary ? prof_elf_symbol(binary->file, address, &low) : NULL;
	if (!name) {
		if (!binary || !prof_elf_bounds(binary->file, address, &low, &high))
			low = 0;
		return add_nameless(found, address, low);
	}
	AUTO_FREE char *file = NULL;
	uint32_t line;
	demangle(name, &text);
	struct prof_error *error =
		add_location(found, prof_text_get(&text), text.length, (int64_t)(address - low));
	if (error)
		return error;
	symbols_lines_find_in(found->lines, found->experiment, binary, address, &file, &line);
	return set_line(found, file, line);
}

/* Where the function at ADDRESS of the program in SPACE begins; 0: unknown. */
static uint64_t find_begin(struct found *found, uint64_t address, const struct space *space)
{
	const struct engine *engine = found->spaces.engine;
	uint64_t low, high;

	if (engine->bounds && engine->bounds(space->process, address, &low, &high))
		return low;
	/* Engines that take no samples know of no load objects. */
	const struct binary *binary =
		binaries_open(&found->lines->binaries, found->experiment, found->module, address);
	return binary && prof_elf_bounds(binary->file, address, &low, &high) ? low : 0;
}

/* Adds the function that the program in SPACE has generated at ADDRESS, if it says so. */
static struct prof_error *add_generated(struct found *found, uint64_t address, struct space *space)
{
	uint64_t low;
	const char *name = spaces_generated(space, address, found->early, &low);

	return name ? add_location(found, name, strlen(name), (int64_t)(address - low)) : NULL;
}

/* Resolves ADDRESS of the program in SPACE. */
static struct prof_error *resolve_by_host(
	struct found *found, uint64_t address, struct space *space)
{
	found->space = space->space;
	/*
	 * `info symbol` would look into all load objects, including the one that is being removed.
	 */
	found->whole = !found->spaces.going && host_is_current(space->space) &&
		host_evaluates(space->process);
	struct prof_error *error = add_blocks(found, address);
	if (!error && !found->locations.count && !found->module)
		error = add_generated(found, address, space);
	if (error || found->locations.count)
		return error;
	if (!found->whole)
		return resolve_by_file(found, address);
	uint64_t low = find_begin(found, address, space);
	error = add_symbol(found, address, low);
	if (!error && !found->locations.count)
		error = add_nameless(found, address, low);
	return error;
}

/*
 * Resolves ADDRESS in the running kernel.  A recording from a file may come from another kernel, so
 * its addresses are not resolved.
 */
static struct prof_error *resolve_by_kernel(struct found *found, uint64_t address)
{
	bool loaded = *found->experiment->recording.source;
	uint64_t low = 0;

	/* Without the list all functions remain nameless. */
	if (!found->kernel && !loaded)
		prof_error_destroy(prof_kallsyms_read(NULL, &found->kernel));
	const char *name = found->kernel ? prof_kallsyms_find(found->kernel, address, &low) : NULL;
	return name ? add_location(found, name, strlen(name), (int64_t)(address - low))
		    : add_nameless(found, address, 0);
}

static struct prof_error *resolve(struct found *found, const struct prof_frame *frame)
{
	const struct prof_experiment *experiment = found->experiment;
	const struct prof_module *module = &experiment->modules.items[frame->module];

	found->module = frame->module;
	found->locations.count = 0;
	const char *path =
		frame->module ? prof_strings_get(&experiment->strings, module->path) : "";
	if (prof_kallsyms_is_object(path))
		return resolve_by_kernel(found, frame->address);
	const char *traced = hooknames_find(frame->address);
	if (traced)
		return add_location(found, traced, strlen(traced), 0);
	struct space *space = spaces_find(&found->spaces, path, frame->address);
	struct prof_error *short_of = space ? host_spare() : NULL;
	if (space && !short_of)
		return resolve_by_host(found, frame->address, space);
	notes_error(short_of);
	return resolve_by_file(found, frame->address);
}

/*
 * Must GDB not be asked about FRAME now?  When the main program is being replaced (file), its
 * successor is already one of the objects of its program space, half built: GDB looks at all of
 * them for any address, and would crash.  Frames of objects that stay are resolved later.
 */
static bool must_wait(struct found *found, const struct prof_frame *frame)
{
	const struct prof_experiment *experiment = found->experiment;
	const struct prof_module *module = &experiment->modules.items[frame->module];

	if (!found->spaces.going)
		return false;
	/* It is unknown whose code generated code is, and so whether that is being removed. */
	if (!frame->module)
		return true;
	const struct space *space = spaces_find(&found->spaces,
		prof_strings_get(&experiment->strings, module->path), frame->address);
	return space && !space->whole;
}

struct prof_error *symbols_resolve(struct prof_experiment *experiment, size_t first,
	struct symbols_lines *lines, const struct engine *engine, const struct going *going,
	bool early, const struct prof_progress *progress)
{
	struct found found = {.experiment = experiment, .lines = lines, .early = early};
	struct prof_error *error = NULL;

	spaces_init(&found.spaces, engine, going);
	for (size_t i = first; i < experiment->frames.count && !error; i++) {
		const struct prof_frame *frame = &experiment->frames.items[i];
		if (frame->locations || must_wait(&found, frame))
			continue;
		error = resolve(&found, frame);
		/* Asks afterwards: Ctrl-C may have kept GDB from answering. */
		if (!error)
			error = prof_progress_report(progress, "Resolving symbols", i - first,
				experiment->frames.count - first);
		if (!error && found.locations.count)
			error = prof_experiment_resolve(experiment, (uint32_t)i,
				found.locations.items, (uint32_t)found.locations.count);
	}
	spaces_deinit(&found.spaces);
	prof_kallsyms_destroy(found.kernel);
	free(found.locations.items);
	return error;
}

struct prof_error *symbols_name_objects(struct prof_experiment *experiment, size_t first,
	const struct engine *engine, const struct going *going)
{
	struct prof_error *error = NULL;
	struct spaces spaces;

	spaces_init(&spaces, engine, going);
	/*
	 * Data has no load object here, so gdbprof knows the process of data only if there is one.
	 */
	bool known = spaces.items.count == 1 && host_is_current(spaces.items.items[0].space);
	for (size_t i = first; i < experiment->objects.count && known && !error; i++) {
		PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
		variable_print(experiment->objects.items[i].address, &text);
		if (text.length)
			error = prof_experiment_name_object(
				experiment, (uint32_t)i, prof_text_get(&text));
	}
	spaces_deinit(&spaces);
	return error;
}
