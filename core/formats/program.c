/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/program.h"

#include "base/demangle.h"
#include "model/experiment.h"
#include "model/gmon.h"
#include "target/image.h"

#include <stdlib.h>
#include <string.h>

static struct prof_error *check_image(const struct prof_gmon *gmon, const struct prof_image *image)
{
	if (gmon->word == image->word && gmon->big_endian == image->big_endian)
		return NULL;
	return prof_error_create(PROF_ERROR_MISMATCH,
		"The program \"%s\" has %u bits and is %s-endian, but the gmon.out has %u bits and is %s-endian.  Give the program that wrote it.",
		image->path, 8 * image->word, image->big_endian ? "big" : "little", 8 * gmon->word,
		gmon->big_endian ? "big" : "little");
}

/* An image whose symbols are added to an experiment. */
struct move {
	struct prof_experiment *experiment; /* borrowed */
	const struct prof_image *image;     /* borrowed */
	uint32_t module;
	uint32_t *strings; /* of the experiment, by string of the image; PROF_NONE: not yet */
};

/* Replaces *STRING, of the image, by the same string of the experiment. */
static struct prof_error *move_string(const struct move *move, uint32_t *string)
{
	uint32_t *moved = &move->strings[*string];
	struct prof_error *error = NULL;

	if (*moved == PROF_NONE)
		error = prof_experiment_string(
			move->experiment, prof_image_text(move->image, *string), moved);
	if (!error)
		*string = *moved;
	return error;
}

/* Copies FROM, symbols of the image, to TO. */
static struct prof_error *move_symbols(const struct move *move,
	const struct prof_image_symbols *from, struct prof_image_symbols *to)
{
	struct prof_error *error = NULL;

	if (!prof_array_reserve(to, from->count))
		return prof_error_nomem();
	for (size_t i = 0; !error && i < from->count; i++) {
		struct prof_image_symbol *symbol = &to->items[to->count++];
		*symbol = from->items[i];
		error = move_string(move, &symbol->name);
		if (!error && symbol->file != PROF_NONE)
			error = move_string(move, &symbol->file);
	}
	return error;
}

/* Adds the function of SYMBOL, whose strings are already the experiment's. */
static struct prof_error *add_function(const struct move *move, struct prof_image_symbol *symbol)
{
	const char *mangled = prof_strings_get(&move->experiment->strings, symbol->name);
	AUTO_FREE char *demangled = prof_demangle(mangled);
	const char *name = demangled ? demangled : mangled;

	return prof_experiment_function(
		move->experiment, name, strlen(name), move->module, &symbol->function);
}

/* Adds the symbols of IMAGE to EXPERIMENT's gmon.out. */
static struct prof_error *move_image(
	struct prof_experiment *experiment, const struct prof_image *image)
{
	size_t strings = image->strings.texts.count;
	struct prof_gmon *gmon = &experiment->gmon;
	AUTO_FREE uint32_t *moved = malloc((strings + 1) * sizeof *moved);
	struct move move = {experiment, image, 0, moved};

	if (!moved)
		return prof_error_nomem();
	for (size_t i = 0; i < strings; i++)
		moved[i] = PROF_NONE;
	struct prof_error *error =
		prof_experiment_module(experiment, image->path, "", &move.module);
	if (!error)
		error = move_symbols(&move, &image->functions, &gmon->functions);
	for (size_t i = 0; !error && i < gmon->functions.count; i++)
		error = add_function(&move, &gmon->functions.items[i]);
	return error ? error : move_symbols(&move, &image->lines, &gmon->lines);
}

/* The profile was saved with the symbols of its program: another program does not fit. */
static struct prof_error *check_known(
	const struct prof_experiment *experiment, const struct prof_image *image)
{
	const struct prof_gmon *gmon = &experiment->gmon;

	if (prof_image_symbols_are_same(
		    &gmon->functions, &experiment->strings, &image->functions, &image->strings) &&
		prof_image_symbols_are_same(
			&gmon->lines, &experiment->strings, &image->lines, &image->strings))
		return NULL;
	return prof_error_create(PROF_ERROR_MISMATCH,
		"The program \"%s\" is not the one of the saved profile: its functions or lines differ.  Leave it out: the profile has the symbols of its program.",
		image->path);
}

static void image_auto(struct prof_image **image)
{
	prof_image_destroy(*image);
}

struct prof_error *prof_program_resolve(
	struct prof_experiment *experiment, const char *path, const struct prof_progress *progress)
{
	PROF_AUTO(image_auto) struct prof_image *image = NULL;
	struct prof_error *error = prof_image_read(path, progress, &image);

	if (!error)
		error = check_image(&experiment->gmon, image);
	if (!error && experiment->gmon.functions.count)
		return check_known(experiment, image);
	if (error)
		return error;
	AUTO_FREE char *program = strdup(path);
	if (!program)
		return prof_error_nomem();
	error = move_image(experiment, image);
	if (error)
		return error;
	free(experiment->recording.program);
	experiment->recording.program = steal(&program);
	return NULL;
}
