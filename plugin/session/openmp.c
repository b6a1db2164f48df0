/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/openmp.h"

#include "model/call_target.h"
#include "base/text.h"
#include "parallel/openmp_calls.h"
#include "plugin/gdb/binary.h"
#include "plugin/gdb/code.h"
#include "target/arch.h"
#include "target/callee.h"
#include "target/elf.h"

struct prof_error *openmp_add_entries(struct prof_experiment *experiment, size_t first)
{
	size_t count = experiment->frames.count;
	struct prof_error *error = NULL;
	uint32_t entry;

	for (size_t i = first; i < count && !error; i++) {
		const struct prof_frame *frame = &experiment->frames.items[i];
		const struct prof_location *outer =
			&experiment->locations.items[frame->first_location + frame->locations - 1];
		if (frame->address && frame->locations && outer->offset > 0 &&
			prof_openmp_is_outlined(
				prof_experiment_function_name(experiment, outer->function)))
			error = prof_experiment_frame(experiment, frame->module,
				frame->address - (uint64_t)outer->offset, &entry);
	}
	return error;
}

/* Is FRAME code of a runtime's library? */
static bool is_runtime(const struct prof_experiment *experiment, uint32_t frame)
{
	uint32_t module = experiment->frames.items[frame].module;

	return prof_openmp_is_runtime(
		prof_experiment_text(experiment, experiment->modules.items[module].path));
}

/* The data from which calls are read. */
struct files {
	struct binaries binaries;
	struct code code;
	uint32_t name;                  /* string: the name of SOURCE, once that was READ */
	struct prof_code_source source; /* one file: the last one whose lines were needed */
	bool read;
};

static void files_close(struct files *files)
{
	binaries_close(&files->binaries);
	prof_code_source_deinit(&files->source);
	code_end(&files->code);
}

/* The kind of barrier that clang notes beside the call that ends at the address BEHIND. */
static enum prof_construct barrier_of_argument(struct prof_elf *file, uint64_t behind)
{
	uint32_t words[PROF_OPENMP_WORDS];
	uint64_t address;

	if (!prof_callee_argument(file, prof_arch_native(), behind, &address) ||
		!prof_elf_data(file, address, words, sizeof words))
		return PROF_CONSTRUCT_BARRIER;
	return prof_openmp_barrier_of_words(words);
}

/* Sets *RET to the kind of barrier that FRAME calls, according to its source line. */
static struct prof_error *find_line(struct files *files, const struct prof_experiment *experiment,
	uint32_t frame, enum prof_construct *ret)
{
	const struct prof_frame *at = &experiment->frames.items[frame];
	const struct prof_location *line =
		at->locations ? &experiment->locations.items[at->first_location] : NULL;

	*ret = PROF_CONSTRUCT_BARRIER;
	if (!line || !line->line)
		return NULL;
	if (!files->read || files->name != line->file) {
		prof_code_source_deinit(&files->source);
		files->source = (struct prof_code_source){0};
		files->read = false;
		struct prof_error *error = files->code.code.source(&files->code.code, experiment,
			prof_experiment_text(experiment, line->file), &files->source);
		if (error)
			return error;
		files->name = line->file;
		files->read = true;
	}
	/* If the file was changed since, its lines are others. */
	if (!files->source.newer && line->line <= files->source.lines.count)
		*ret = prof_openmp_barrier_of_line(files->source.lines.items[line->line - 1].text);
	return NULL;
}

/* Reads the target of the call in FRAME, whose address is the last byte of the call. */
static struct prof_error *read_target(
	struct prof_experiment *experiment, struct files *files, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];
	const struct binary *binary =
		binaries_open(&files->binaries, experiment, at->module, at->address);
	const char *name =
		binary ? prof_callee_name(binary->file, prof_arch_native(), at->address + 1) : NULL;
	enum prof_construct kind = name ? prof_openmp_construct(name) : PROF_CONSTRUCT_NONE;
	AUTO_TEXT struct prof_text whole = {0};
	struct prof_error *error = NULL;

	if (kind == PROF_CONSTRUCT_NONE)
		return NULL;
	if (kind == PROF_CONSTRUCT_BARRIER)
		kind = barrier_of_argument(binary->file, at->address + 1);
	if (kind == PROF_CONSTRUCT_BARRIER)
		error = find_line(files, experiment, frame, &kind);
	prof_openmp_add_barrier(name, kind, &whole);
	if (!error)
		error = prof_text_error(&whole);
	return error ? error : prof_call_target_add(experiment, frame, prof_text_get(&whole));
}

struct prof_error *openmp_read_calls(struct prof_experiment *experiment, size_t first)
{
	PROF_AUTO(files_close) struct files files = {0};
	struct prof_error *error = NULL;

	code_begin(&files.code, false);
	for (size_t i = first ? first : 1; i < experiment->paths.count && !error; i++) {
		const struct prof_path *path = &experiment->paths.items[i];
		uint32_t caller = experiment->paths.items[path->parent].frame;
		if (path->parent && experiment->frames.items[caller].address &&
			is_runtime(experiment, path->frame) && !is_runtime(experiment, caller) &&
			!prof_call_target_of(experiment, caller))
			error = read_target(experiment, &files, caller);
	}
	return error;
}
