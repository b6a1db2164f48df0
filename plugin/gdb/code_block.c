/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Instructions, from the output of GDB's `disassemble`. */
#include "plugin/gdb/code.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/symbols_line.h"
#include "target/kallsyms.h"
#include "view/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most bytes of an instruction whose end is unknown. */
enum { LONGEST = 16 };

/* The request to disassemble. */
struct listing {
	const struct prof_experiment *experiment;
	uint32_t module;
	uint64_t moved; /* from GDB's address of the code to the recorded one */
	PyObject *space;
	struct symbols_lines lines;
};

/* GDB's result of METHOD for ADDRESS, or NULL. */
static PyObject *ask(PyObject *space, const char *method, uint64_t address)
{
	PyObject *answer = PyObject_CallMethod(space, method, "K", (unsigned long long)address);

	host_drop();
	if (answer != Py_None)
		return answer;
	Py_DECREF(answer);
	return NULL;
}

/* Sets file and line of INSTRUCTION, if they are known. */
static void find_line(struct listing *listing, struct prof_code_instruction *instruction)
{
	AUTO_PY PyObject *place = ask(listing->space, "find_pc_line", instruction->low);
	AUTO_PY PyObject *block = ask(listing->space, "block_for_pc", instruction->low);

	if (block)
		symbols_lines_find(&listing->lines, listing->experiment, listing->module,
			instruction->low + listing->moved, block, place, &instruction->file,
			&instruction->line);
}

/*
 * Adds LINE of the output of `disassemble`, "=> 0x401136 <+4>:\tmov    %rsp,%rbp", to BLOCK; other
 * lines are no instructions.
 */
static struct prof_error *take_instruction(
	struct prof_code_block *block, struct listing *listing, const char *line)
{
	char *end;

	line += strspn(line, "=> ");
	uint64_t address = strtoull(line, &end, 16);
	if (strncmp(line, "0x", 2) != 0 || strncmp(end, " <", 2) != 0)
		return NULL;
	long long offset = strtoll(end + 2, &end, 10);
	if (strncmp(end, ">:\t", 3) != 0)
		return NULL;
	struct prof_code_instruction *last = block->instructions.count
		? &block->instructions.items[block->instructions.count - 1]
		: NULL;
	if (last && address > last->low && address - last->low < LONGEST)
		last->high = address;
	struct prof_code_instruction *added = prof_array_push(&block->instructions);
	if (!added)
		return prof_error_nomem();
	*added = (struct prof_code_instruction){.low = address,
		.high = address + LONGEST,
		.offset = offset,
		.text = strdup(end + 3)};
	if (!added->text)
		return prof_error_nomem();
	for (char *tab = added->text; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	find_line(listing, added);
	return NULL;
}

/* Is OUTPUT, of `disassemble`, about the function NAME? */
static bool is_about(const char *output, const char *name)
{
	static const char head[] = "Dump of assembler code for function ";
	size_t length = strlen(name);

	return !strncmp(output, head, strlen(head)) &&
		!strncmp(output + strlen(head), name, length) &&
		!strncmp(output + strlen(head) + length, ":\n", 2);
}

/*
 * Puts the output of COMMAND into OUTPUT; *KNOWN: it is about the function NAME.  If GDB refuses,
 * it is not.
 */
static struct prof_error *execute(
	const char *command, const char *name, struct prof_text *output, bool *known)
{
	struct prof_error *error = host_execute(command, output);

	*known = !error && is_about(prof_text_get(output), name);
	if (error && prof_error_code(error) == PROF_ERROR_INTERRUPTED)
		return error;
	prof_error_destroy(error);
	return NULL;
}

/* Puts GDB's disassembly around ADDRESS into OUTPUT; *KNOWN: it is of the function NAME. */
static struct prof_error *disassemble(
	uint64_t address, const char *name, struct prof_text *output, bool *known)
{
	PROF_AUTO(prof_text_deinit) struct prof_text demangled = {0};
	static const char with[] = "with print asm-demangle on -- ";
	AUTO_FREE char *called = code_name(address, name);
	char command[80];

	if (!called)
		return prof_error_nomem();
	snprintf(command, sizeof command, "%sdisassemble 0x%" PRIx64, with, address);
	struct prof_error *error = execute(command + strlen(with), called, output, known);
	/* C++ names are mangled there, unless the user has set that otherwise. */
	if (!error && !*known)
		error = execute(command, called, &demangled, known);
	if (error)
		return error;
	if (!*known)
		prof_text_deinit(output);
	return NULL;
}

/* Adds the lines of OUTPUT to BLOCK, with the addresses that were recorded. */
static struct prof_error *take(struct prof_code_block *block, struct listing *listing, char *output)
{
	struct prof_error *error = NULL;

	for (char *line = output; !error && line && *line;) {
		char *end = line + strcspn(line, "\n");
		char *next = *end ? end + 1 : end;
		*end = '\0';
		error = take_instruction(block, listing, line);
		line = next;
	}
	for (size_t i = 0; i < block->instructions.count; i++) {
		block->instructions.items[i].low += listing->moved;
		block->instructions.items[i].high += listing->moved;
	}
	return error;
}

/* Does SPACE have a load object with the build ID of FRAME's, if that is known? */
static bool is_loaded(
	PyObject *space, const struct prof_experiment *experiment, const struct prof_frame *frame)
{
	const struct prof_module *module = &experiment->modules.items[frame->module];
	const char *wanted = prof_strings_get(&experiment->strings, module->build_id);
	AUTO_PY PyObject *list = *wanted ? PyObject_CallMethod(space, "objfiles", NULL) : NULL;
	Py_ssize_t count = list ? PyList_Size(list) : 0;
	bool found = !*wanted;

	for (Py_ssize_t i = 0; i < count && !found; i++) {
		AUTO_FREE char *id = host_string(PyList_GetItem(list, i), "build_id");
		found = id && !strcmp(id, wanted);
	}
	host_drop();
	return found;
}

/* Is FRAME in the kernel?  GDB cannot read the kernel's code. */
static bool is_in_kernel(const struct prof_experiment *experiment, const struct prof_frame *frame)
{
	const struct prof_module *module = &experiment->modules.items[frame->module];

	return frame->module &&
		prof_kallsyms_is_object(prof_strings_get(&experiment->strings, module->path));
}

struct prof_error *code_block(struct prof_code *code, const struct prof_experiment *experiment,
	uint32_t frame, struct prof_code_block *ret)
{
	const struct prof_frame *at = &experiment->frames.items[frame];
	const char *name = prof_experiment_function_name(experiment,
		experiment->locations.items[at->first_location + at->locations - 1].function);
	PROF_AUTO(prof_text_deinit) struct prof_text output = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	AUTO_PY PyObject *space = host_space();
	uint64_t address = at->address;
	bool known;

	struct prof_error *error = prof_archive_read_block(experiment, frame, ret, &known);
	if (error || known)
		return error;
	if (is_in_kernel(experiment, at)) {
		prof_text_print(&text, "GDB cannot read the kernel's code.");
		code_note(code, &text);
		return NULL;
	}
	error = disassemble(address, name, &output, &known);
	/*
	 * If the program does not run, or was loaded elsewhere, the function has another address.
	 */
	if (!error && !known && (address = code_moved(experiment, frame)))
		error = disassemble(address, name, &output, &known);
	if (error)
		return error;
	if (!known || !space)
		prof_text_print(&text,
			"GDB has no code of \"%s\" at 0x%" PRIx64 ": is its program loaded?", name,
			at->address);
	ret->other = known && space && !is_loaded(space, experiment, at);
	if (ret->other)
		prof_text_print(&text,
			"GDB has another build of the program than the one that was recorded: the code of \"%s\" may be different.",
			name);
	if (text.length)
		code_note(code, &text);
	if (!known || !space)
		return NULL;
	struct listing listing = {
		.experiment = experiment,
		.module = at->module,
		.moved = at->address - address,
		.space = space,
	};
	error = take(ret, &listing, output.bytes);
	symbols_lines_deinit(&listing.lines);
	return error;
}
