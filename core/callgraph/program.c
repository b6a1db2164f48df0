/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/program.h"

#include "base/demangle.h"
#include "target/image.h"

#include <stdlib.h>
#include <string.h>

static struct prof_error *check_image(
	const struct prof_counts *counts, const struct prof_image *image)
{
	if (counts->word == image->word && counts->big_endian == image->big_endian)
		return NULL;
	return prof_error_create(PROF_ERROR_MISMATCH,
		"The program \"%s\" has %u bits and is %s-endian, but the gmon.out has %u bits and is %s-endian.  Give the program that wrote it.",
		image->path, 8 * image->word, image->big_endian ? "big" : "little",
		8 * counts->word, counts->big_endian ? "big" : "little");
}

/* Adds the functions of IMAGE to EXPERIMENT, and tells their numbers in FUNCTIONS. */
static struct prof_error *add_functions(
	struct prof_experiment *experiment, const struct prof_image *image, uint32_t *functions)
{
	uint32_t module;
	struct prof_error *error = prof_experiment_module(experiment, image->path, "", &module);

	for (size_t i = 0; !error && i < image->functions.count; i++) {
		const char *mangled = prof_image_text(image, image->functions.items[i].name);
		AUTO_FREE char *demangled = prof_demangle(mangled);
		const char *name = demangled ? demangled : mangled;
		error = prof_experiment_function(
			experiment, name, strlen(name), module, &functions[i]);
	}
	return error;
}

struct prof_error *prof_counts_resolve(
	struct prof_experiment *experiment, const char *path, const struct prof_progress *progress)
{
	struct prof_counts *counts = experiment->counts;
	struct prof_image *image;
	struct prof_error *error = prof_image_read(path, progress, &image);

	if (error)
		return error;
	AUTO_FREE uint32_t *functions = malloc((image->functions.count + 1) * sizeof *functions);
	AUTO_FREE char *program = strdup(path);
	error = functions && program ? check_image(counts, image) : prof_error_nomem();
	if (!error)
		error = add_functions(experiment, image, functions);
	if (error) {
		prof_image_destroy(image);
		return error;
	}
	if (counts->release)
		counts->release(counts->image);
	free(counts->functions);
	free(experiment->recording.program);
	experiment->recording.program = steal(&program);
	counts->image = image;
	counts->release = prof_image_destroy;
	counts->functions = steal(&functions);
	return NULL;
}
