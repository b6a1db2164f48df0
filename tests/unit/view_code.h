/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of metric_program.h's program, as a debugger would tell of it. */
#ifndef PROF_TESTS_VIEW_CODE_H
#define PROF_TESTS_VIEW_CODE_H

#include "metric_program.h"
#include "view/code.h"
#include "view_support.h"

/* main.c: compare() stands in lines 7 to 11, main() in 3 to 6. */
static const char *const program_lines[] = {"/* main */", "", "int main(void)", "{",
	"  sort(compare);", "}", "int compare(void)", "{", "  qsort();", "  return 0;", "}"};

static struct prof_error *program_source(struct prof_code *code,
	const struct prof_experiment *experiment, const char *file, struct prof_code_source *ret)
{
	(void)experiment;
	ret->path = strdup(file);
	if (strcmp(file, "main.c") != 0) {
		prof_text_print(&code->notes, "No %s.\n", file);
		return NULL;
	}
	for (size_t i = 0; i < PROF_COUNT(program_lines); i++) {
		struct prof_code_line *line = prof_array_push(&ret->lines);
		ck_assert_ptr_nonnull(line);
		*line = (struct prof_code_line){
			.text = strdup(program_lines[i]),
			.styled = i == 9 ? strdup("\033[1mreturn\033[m") : NULL,
			.code = i == 4 || i == 8 || i == 9 || i == 10,
		};
	}
	return NULL;
}

static struct prof_error *program_extent(struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t function, uint32_t frame,
	struct prof_code_extent *ret)
{
	const char *name = prof_experiment_function_name(experiment, function);

	(void)code;
	ck_assert_uint_gt(experiment->frames.items[frame].address, 0);
	if (!strcmp(name, "compare"))
		*ret = (struct prof_code_extent){strdup("main.c"), 7, 11};
	else if (!strcmp(name, "main"))
		*ret = (struct prof_code_extent){strdup("main.c"), 3, 6};
	return NULL;
}

static inline void program_instruction(
	struct prof_code_block *block, uint64_t low, uint64_t high, int64_t offset, uint32_t line)
{
	struct prof_code_instruction *at = prof_array_push(&block->instructions);

	ck_assert_ptr_nonnull(at);
	*at = (struct prof_code_instruction){
		low, high, offset, strdup("call x"), line ? strdup("main.c") : NULL, line};
}

/* compare() and work() are known: of the one the end is its last instruction's last byte. */
static struct prof_error *program_block(struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t frame, struct prof_code_block *ret)
{
	uint64_t address = experiment->frames.items[frame].address;

	if (address >= 0x30 && address < 0x40) {
		program_instruction(ret, 0x2c, 0x31, 0, 9);
		program_instruction(ret, 0x31, 0x34, 5, 9);
		program_instruction(ret, 0x34, 0x38, -8, 10);
	} else if (address == 0x20) {
		program_instruction(ret, 0x1c, 0x21, 0, 0);
	} else {
		prof_text_print(&code->notes, "No code.\n");
	}
	return NULL;
}

static inline struct prof_code program_code(void)
{
	return (struct prof_code){program_source, program_extent, program_block, {0}};
}

/* The view NAME of what ARGUMENT says, with the program's code and two metrics, in FORMAT. */
static inline char *show_code(
	const char *name, const char *argument, bool folded, enum prof_format format)
{
	struct prof_experiment *experiment = program_create();
	struct prof_code code = program_code();
	struct prof_choice choice = {
		.function = argument, .folded = folded, .format = format, .code = &code};

	experiment->recording.rate_asked = 0;
	choice.metrics = "ei.samples";
	char *shown = show(name, experiment, &choice);
	prof_text_deinit(&code.notes);
	prof_experiment_destroy(experiment);
	return shown;
}

#endif
