/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/archive.h"

#include "base/strings.h"
#include "base/text.h"
#include "model/archive.h"
#include "model/experiment.h"
#include "view/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct prof_error *prof_archive_read_source(const struct prof_experiment *experiment,
	const char *file, struct prof_code_source *ret, bool *there)
{
	const struct prof_archived_source *source = prof_archive_source(experiment, file);
	bool good = true;

	*there = source;
	if (!source)
		return NULL;
	ret->path = strdup(prof_strings_get(&experiment->strings, source->path));
	ret->newer = source->newer;
	good = ret->path;
	for (const char *at = source->text; good && *at;) {
		size_t length = strcspn(at, "\n");
		AUTO_FREE char *line = strndup(at + 1, length - 1);
		good = line && prof_code_source_add(ret, line, *at == '+');
		at += length + (at[length] == '\n');
	}
	return good ? NULL : prof_error_nomem();
}

struct prof_error *prof_archive_read_extent(const struct prof_experiment *experiment,
	uint32_t function, struct prof_code_extent *ret, bool *there)
{
	const struct prof_archived_extent *extent = prof_archive_extent(experiment, function);

	*there = extent;
	if (!extent)
		return NULL;
	ret->first = extent->first;
	ret->last = extent->last;
	ret->file = strdup(prof_strings_get(&experiment->strings, extent->file));
	return ret->file ? NULL : prof_error_nomem();
}

struct prof_error *prof_archive_read_block(const struct prof_experiment *experiment, uint32_t frame,
	struct prof_code_block *ret, bool *there)
{
	const struct prof_archived_block *block = prof_archive_block(experiment, frame);
	struct prof_archived_instruction from = {0};

	*there = block;
	if (!block)
		return NULL;
	uint64_t base = experiment->frames.items[block->frame].address;
	for (const char *at = block->text; prof_archive_next(&at, &from);) {
		struct prof_code_instruction *to = prof_array_push(&ret->instructions);
		if (!to)
			return prof_error_nomem();
		*to = (struct prof_code_instruction){.low = base + (uint64_t)from.delta,
			.high = base + (uint64_t)from.delta + from.length,
			.offset = from.offset,
			.line = from.line,
			.text = strndup(from.text, from.text_length),
			.file = from.file_length ? strndup(from.file, from.file_length) : NULL};
		if (!to->text || (from.file_length && !to->file))
			return prof_error_nomem();
	}
	return NULL;
}

/* An archive that is being made. */
struct taker {
	struct prof_experiment *experiment;
	struct prof_code *code;
	const struct prof_progress *progress;
	struct prof_archive_figures *figures;
	bool *functions; /* their instructions were looked up already */
	/* Source files, by the numbers of their strings, and whether each was looked up already. */
	PROF_ARRAY(bool) files;
};

static void taker_deinit(struct taker *taker)
{
	free(taker->functions);
	free(taker->files.items);
}

/* Adds BLOCK as the instructions of the function whose code FRAME is. */
static struct prof_error *add_block(
	struct taker *taker, uint32_t frame, const struct prof_code_block *block)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	uint64_t base = taker->experiment->frames.items[frame].address;
	const char *last = "";

	for (size_t i = 0; i < block->instructions.count; i++) {
		const struct prof_code_instruction *at = &block->instructions.items[i];
		const char *file = at->file && !strchr(at->file, '\n') ? at->file : "";
		if (strcmp(file, last) != 0)
			prof_text_print(&text, "@%s\n", file);
		last = file;
		prof_text_print(&text, "%" PRId64 " %" PRIu64 " %" PRId64 " %" PRIu32 " %s\n",
			(int64_t)(at->low - base), at->high - at->low, at->offset, at->line,
			at->text);
	}
	struct prof_error *error = prof_text_error(&text);
	return error ? error
		     : prof_archive_add_block(taker->experiment, frame, prof_text_get(&text));
}

/* Adds the instructions of FRAME's function, unless GDB, or another provider of code, has none. */
static struct prof_error *take_block(struct taker *taker, uint32_t frame)
{
	PROF_AUTO(prof_code_block_deinit) struct prof_code_block block = {0};

	if (prof_archive_block(taker->experiment, frame)) {
		taker->figures->functions++;
		return NULL;
	}
	struct prof_error *error =
		taker->code->block(taker->code, taker->experiment, frame, &block);
	if (error)
		return error;
	bool known = block.instructions.count &&
		block.instructions.count <= PROF_ARCHIVE_LINES_MOST && !block.other;
	taker->figures->functions += known;
	taker->figures->no_functions += !known;
	return known ? add_block(taker, frame, &block) : NULL;
}

static struct prof_error *take_extent(struct taker *taker, uint32_t function, uint32_t frame)
{
	struct prof_experiment *experiment = taker->experiment;
	struct prof_archived_extent extent = {.function = function};
	struct prof_code_extent found = {0};

	if (prof_archive_extent(experiment, function))
		return NULL;
	struct prof_error *error =
		taker->code->extent(taker->code, experiment, function, frame, &found);
	AUTO_FREE char *file = found.file;
	if (error || !file || !found.first || found.first > found.last)
		return error;
	extent.first = found.first;
	extent.last = found.last;
	error = prof_experiment_string(experiment, file, &extent.file);
	return error ? error : prof_archive_add_extent(experiment, &extent);
}

/* Adds the places of the functions at FRAME, and the instructions of the outermost one. */
static struct prof_error *take_frame(struct taker *taker, uint32_t frame)
{
	const struct prof_experiment *experiment = taker->experiment;
	const struct prof_frame at = experiment->frames.items[frame];
	struct prof_error *error = NULL;

	for (uint32_t i = 0; !error && i < at.locations; i++) {
		uint32_t function = experiment->locations.items[at.first_location + i].function;
		error = take_extent(taker, function, frame);
		if (error || i + 1 < at.locations || taker->functions[function])
			continue;
		taker->functions[function] = true;
		error = take_block(taker, frame);
	}
	return error;
}

static struct prof_error *take_frames(struct taker *taker)
{
	const struct prof_experiment *experiment = taker->experiment;
	size_t count = experiment->frames.count;
	struct prof_error *error = NULL;

	taker->functions = calloc(experiment->functions.count + 1, sizeof *taker->functions);
	if (!taker->functions)
		return prof_error_nomem();
	for (uint32_t i = 0; !error && i < count; i++) {
		if (!experiment->frames.items[i].address)
			continue;
		error = prof_progress_report(taker->progress, "Archiving code", i, count);
		if (!error)
			error = take_frame(taker, i);
	}
	return error;
}

static struct prof_error *add_source(
	struct taker *taker, uint32_t file, const struct prof_code_source *from)
{
	struct prof_archived_source source = {.file = file, .newer = from->newer};
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	for (size_t i = 0; i < from->lines.count; i++)
		prof_text_print(&text, "%c%s\n", from->lines.items[i].code ? '+' : ' ',
			from->lines.items[i].text);
	struct prof_error *error = prof_text_error(&text);
	if (!error)
		error = prof_experiment_string(taker->experiment, from->path, &source.path);
	return error ? error
		     : prof_archive_add_source(taker->experiment, &source, prof_text_get(&text));
}

/* Adds the source file FILE, of LENGTH bytes, unless it was looked up before. */
static struct prof_error *take_source(struct taker *taker, const char *file, size_t length)
{
	PROF_AUTO(prof_code_source_deinit) struct prof_code_source source = {0};
	struct prof_experiment *experiment = taker->experiment;
	uint32_t string = 0;
	struct prof_error *error =
		length ? prof_strings_add(&experiment->strings, file, length, &string) : NULL;

	if (error || !length)
		return error;
	while (taker->files.count <= string) {
		bool *added = prof_array_push(&taker->files);
		if (!added)
			return prof_error_nomem();
		*added = false;
	}
	if (taker->files.items[string])
		return NULL;
	taker->files.items[string] = true;
	const char *name = prof_strings_get(&experiment->strings, string);
	if (prof_archive_source(experiment, name)) {
		taker->figures->sources++;
		return NULL;
	}
	error = prof_progress_report(taker->progress, "Archiving sources",
		taker->figures->sources + taker->figures->no_sources, 0);
	if (!error)
		error = taker->code->source(taker->code, experiment, name, &source);
	if (error)
		return error;
	bool known = source.lines.count && source.lines.count <= PROF_ARCHIVE_LINES_MOST;
	taker->figures->sources += known;
	taker->figures->no_sources += !known;
	return known ? add_source(taker, string, &source) : NULL;
}

/* Adds the source files of all lines in the experiment and the archive. */
static struct prof_error *take_sources(struct taker *taker)
{
	const struct prof_experiment *experiment = taker->experiment;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < experiment->locations.count; i++) {
		const char *file =
			prof_strings_get(&experiment->strings, experiment->locations.items[i].file);
		error = take_source(taker, file, strlen(file));
	}
	for (size_t i = 0; !error && i < experiment->archived_extents.count; i++) {
		const char *file = prof_strings_get(
			&experiment->strings, experiment->archived_extents.items[i].file);
		error = take_source(taker, file, strlen(file));
	}
	for (size_t i = 0; !error && i < experiment->archived_blocks.count; i++) {
		const char *at = experiment->archived_blocks.items[i].text;
		struct prof_archived_instruction instruction = {0};
		const char *last = NULL;
		while (!error && prof_archive_next(&at, &instruction)) {
			if (instruction.file != last)
				error = take_source(
					taker, instruction.file, instruction.file_length);
			last = instruction.file;
		}
	}
	return error;
}

struct prof_error *prof_archive_take(struct prof_experiment *experiment, struct prof_code *code,
	const struct prof_progress *progress, struct prof_archive_figures *ret)
{
	PROF_AUTO(taker_deinit)
	struct taker taker = {
		.experiment = experiment, .code = code, .progress = progress, .figures = ret};

	*ret = (struct prof_archive_figures){0};
	struct prof_error *error = take_frames(&taker);
	return error ? error : take_sources(&taker);
}
