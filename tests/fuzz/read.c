/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feeds a reader of files with what libFuzzer makes up: an error that names the file, or an
 * experiment that holds together, and that the views can show, must come of it.
 *
 * PROF_FUZZ_READER names the reader, a row of prof_imports[], or "any": that which the content
 * shows; without it all are listed.  PROF_FUZZ_SEED names a file to write an experiment to, for the
 * corpus, and one of a gmon.out beside it, and nothing else is done.
 */
#include "formats/import.h"
#include "store/store.h"
#include "view/gprof.h"
#include "view/view.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Samples, and stacks, above which views are not printed: there are many more inputs to come. */
enum { SHOWN_MOST = 1000 };

static const struct prof_import *reader; /* NULL: any */
static char path[64];

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void stop(struct prof_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "%s\n", prof_error_message(error));
	abort();
}

/* Writes an experiment of samples to FILE. */
static void write_seed(const char *file)
{
	struct prof_experiment *experiment;
	struct prof_location location = {0};
	struct prof_sample sample = {0};
	struct prof_mark mark = {0};
	const struct prof_range range = {0x1000, 0x2000, 0};
	const prof_value values[PROF_QUANTITIES] = {prof_value_of(1), prof_value_of(1000)};
	uint32_t module, frame, placed;

	stop(prof_experiment_create(&experiment));
	stop(prof_experiment_module(experiment, "/bin/a", "00ff", &module));
	stop(prof_experiment_range(experiment, module, &range));
	stop(prof_experiment_thread(experiment, 7, "main", &sample.thread));
	stop(prof_experiment_function(experiment, "main", 4, module, &location.function));
	stop(prof_experiment_string(experiment, "a.c", &location.file));
	stop(prof_experiment_frame(experiment, module, 0x1010, &frame));
	stop(prof_experiment_resolve(experiment, frame, &location, 1));
	stop(prof_experiment_frame_at(experiment, location.function, location.file, 3, &placed));
	stop(prof_experiment_path(experiment, 0, frame, &sample.path));
	stop(prof_experiment_path(experiment, sample.path, placed, &sample.path));
	stop(prof_experiment_sample(experiment, &sample, values));
	stop(prof_experiment_mark(experiment, &mark, "start"));
	unlink(file);
	stop(prof_store_save(file, experiment, NULL));
	prof_experiment_destroy(experiment);
}

static void add_symbol(
	struct prof_experiment *experiment, struct prof_image_symbols *symbols, uint32_t function)
{
	struct prof_image_symbol *symbol = prof_array_push(symbols);

	assert(symbol);
	*symbol = (struct prof_image_symbol){
		.low = 0x1000, .high = 0x1010, .line = 3, .marked = true};
	symbol->function = function;
	stop(prof_experiment_string(experiment, "main", &symbol->name));
	stop(prof_experiment_string(experiment, "a.c", &symbol->file));
}

/* Writes an experiment of a gmon.out to FILE. */
static void write_gmon_seed(const char *file)
{
	struct prof_experiment *experiment;
	const char *wrong;
	uint32_t histogram, function;

	stop(prof_experiment_create(&experiment));
	struct prof_gmon *gmon = &experiment->gmon;
	gmon->word = 8;
	gmon->rate = 100;
	strcpy(gmon->dimension, "seconds");
	strcpy(gmon->unit, "s");
	stop(prof_gmon_histogram(gmon, 0x1000, 0x1010, 4, &histogram, &wrong));
	stop(prof_gmon_sample(gmon, histogram, 1, 7));
	struct prof_gmon_arc *arc = prof_array_push(&gmon->arcs);
	assert(arc);
	*arc = (struct prof_gmon_arc){0x1004, 0x1000, 5};
	stop(prof_experiment_function(experiment, "main", 4, 0, &function));
	add_symbol(experiment, &gmon->functions, function);
	add_symbol(experiment, &gmon->lines, PROF_NONE);
	unlink(file);
	stop(prof_store_save(file, experiment, NULL));
	prof_experiment_destroy(experiment);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *seed = getenv("PROF_FUZZ_SEED"), *name = getenv("PROF_FUZZ_READER");

	(void)argc, (void)argv;
	if (seed) {
		char gmon[4096];
		write_seed(seed);
		snprintf(gmon, sizeof gmon, "%s-gmon", seed);
		write_gmon_seed(gmon);
		exit(0);
	}
	for (reader = prof_imports; reader->name; reader++) {
		if (!name)
			puts(reader->name);
		else if (!strcmp(reader->name, name))
			break;
	}
	if (!name)
		exit(0);
	if (!reader->name && strcmp(name, "any") != 0) {
		fprintf(stderr, "There is no reader \"%s\".\n", name);
		exit(1);
	}
	if (!reader->name)
		reader = NULL;
	snprintf(path, sizeof path, "/tmp/prof-fuzz-%d", (int)getpid());
	return 0;
}

/* Prints EXPERIMENT as GNU gprof does, which has an arithmetic of its own: functions, or lines. */
static void show_as_gnu(struct prof_experiment *experiment, bool lines)
{
	const struct prof_gprof_choice own = {
		.style = PROF_STYLE_GNU, .all = true, .counted = {.lines = lines}, .limit = 20};
	const struct prof_choice choice = {.own = &own};
	AUTO_TEXT struct prof_text text = {0};

	prof_error_destroy(
		prof_view_print(prof_view_find("gprof"), experiment, &choice, NULL, &text));
}

/* Prints all views of EXPERIMENT that work without a program. */
static void show(struct prof_experiment *experiment)
{
	if (experiment->samples.count > SHOWN_MOST || experiment->paths.count > SHOWN_MOST)
		return;
	for (size_t i = 0; prof_views[i]; i++) {
		const struct prof_view *view = prof_views[i];
		AUTO_TEXT struct prof_text text = {0};
		struct prof_choice choice = {.format = PROF_FORMAT_CSV};
		const struct prof_option *limit = prof_option_find(view->options->rows, "limit");
		AUTO_FREE void *own = limit ? malloc(view->options->size) : NULL;
		if (own) {
			memcpy(own, view->options->defaults, view->options->size);
			prof_error_destroy(prof_option_store(limit, "20", NULL, own));
			choice.own = own;
		}
		prof_error_destroy(prof_view_print(view, experiment, &choice, NULL, &text));
	}
	show_as_gnu(experiment, false);
	show_as_gnu(experiment, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
	AUTO_ERROR struct prof_error *error = reader ? reader->read(path, NULL, &experiment)
						     : prof_import_read(path, NULL, &experiment);
	unlink(path);
	if (error) {
		const char *message = prof_error_message(error);
		assert(strstr(message, path) && message[strlen(message) - 1] == '.');
	} else {
		prof_experiment_check(experiment);
		show(experiment);
	}
	return 0;
}
