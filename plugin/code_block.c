/* Instructions, from what GDB's `disassemble` prints. */
#include "plugin/code.h"

#include "plugin/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most bytes that an instruction has, where its end is not known. */
enum { LONGEST = 16 };

/* Sets file and line of INSTRUCTION, if GDB knows them. */
static void find_line(PyObject *space, struct prof_code_instruction *instruction)
{
	AUTO_PY PyObject *place = PyObject_CallMethod(
		space, "find_pc_line", "K", (unsigned long long)instruction->low);
	AUTO_PY PyObject *symtab = place ? host_attribute(place, "symtab") : NULL;

	host_drop();
	if (!symtab)
		return;
	instruction->line = (uint32_t)host_number(place, "line");
	instruction->file = host_string(symtab, "filename");
}

/*
 * Takes LINE of what `disassemble` prints, "=> 0x401136 <+4>:\tmov    %rsp,%rbp", into BLOCK; other
 * lines are no instructions.
 */
static struct prof_error *take_instruction(
	struct prof_code_block *block, PyObject *space, const char *line)
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
	find_line(space, added);
	return NULL;
}

/* Is OUTPUT, which `disassemble` printed, about the function NAME? */
static bool is_about(const char *output, const char *name)
{
	static const char head[] = "Dump of assembler code for function ";
	size_t length = strlen(name);

	return !strncmp(output, head, strlen(head)) &&
		!strncmp(output + strlen(head), name, length) &&
		!strncmp(output + strlen(head) + length, ":\n", 2);
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
	char command[48];

	snprintf(command, sizeof command, "disassemble 0x%" PRIx64, at->address);
	struct prof_error *error = host_execute(command, &output);
	if (error && prof_error_code(error) == PROF_ERROR_INTERRUPTED)
		return error;
	prof_error_destroy(error);
	if (error || !space || !is_about(prof_text_get(&output), name)) {
		prof_text_print(&text,
			"GDB has no code of \"%s\" at 0x%" PRIx64 ": is its program loaded?", name,
			at->address);
		code_note(code, &text);
		return NULL;
	}
	error = NULL;
	for (char *line = output.bytes; !error && line && *line;) {
		char *end = line + strcspn(line, "\n");
		char *next = *end ? end + 1 : end;
		*end = '\0';
		error = take_instruction(ret, space, line);
		line = next;
	}
	return error;
}
