/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of code that have nothing but an archive print what they did with the program. */
#include "view/archive.h"
#include "view_code.h"

/* The program, with its archive taken from its code; what is in it is in FIGURES. */
static struct prof_experiment *program_archived(struct prof_archive_figures *figures)
{
	struct prof_experiment *experiment = program_create();
	struct prof_code code = program_code();

	experiment->recording.rate_asked = 0;
	ck_assert_ok(prof_archive_take(experiment, &code, NULL, figures));
	prof_experiment_check(experiment);
	prof_text_deinit(&code.notes);
	return experiment;
}

static struct prof_error *no_source(struct prof_code *code,
	const struct prof_experiment *experiment, const char *file, struct prof_code_source *ret)
{
	bool there;
	struct prof_error *error = prof_archive_read_source(experiment, file, ret, &there);

	if (error || there)
		return error;
	prof_text_print(&code->notes, "No %s.\n", file);
	ret->path = strdup(file);
	return NULL;
}

static struct prof_error *no_extent(struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t function, uint32_t frame,
	struct prof_code_extent *ret)
{
	bool there;

	(void)code, (void)frame;
	return prof_archive_read_extent(experiment, function, ret, &there);
}

static struct prof_error *no_block(struct prof_code *code, const struct prof_experiment *experiment,
	uint32_t frame, struct prof_code_block *ret)
{
	bool there;
	struct prof_error *error = prof_archive_read_block(experiment, frame, ret, &there);

	if (!error && !there)
		prof_text_print(&code->notes, "No code.\n");
	return error;
}

/* An archive has no escapes of a terminal. */
static struct prof_error *plain_source(struct prof_code *code,
	const struct prof_experiment *experiment, const char *file, struct prof_code_source *ret)
{
	struct prof_error *error = program_source(code, experiment, file, ret);

	for (size_t i = 0; i < ret->lines.count; i++) {
		free(ret->lines.items[i].styled);
		ret->lines.items[i].styled = NULL;
	}
	return error;
}

/* The view NAME of ARGUMENT in FORMAT: with the program, or with its archive alone. */
static char *show_from(const char *name, const char *argument, bool archive)
{
	struct prof_code code = program_code();
	struct prof_choice choice = {
		.function = argument, .format = PROF_FORMAT_JSON, .code = &code};
	struct prof_archive_figures figures;
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		archive ? program_archived(&figures) : program_create();

	code.source = plain_source;
	if (archive)
		code = (struct prof_code){no_source, no_extent, no_block, {0}};
	experiment->recording.rate_asked = 0;
	choice.metrics = "ei.samples";
	char *shown = show(name, experiment, &choice);
	prof_text_deinit(&code.notes);
	return shown;
}

START_TEST(views_are_those_of_the_program)
{
	static const char *const shown[][2] = {{"source", "compare"}, {"source", "main"},
		{"source", "inl"}, {"disas", "compare"}, {"disas", "work"}, {"disas", "main"}};

	for (size_t i = 0; i < PROF_COUNT(shown); i++) {
		AUTO_FREE char *with = show_from(shown[i][0], shown[i][1], false);
		AUTO_FREE char *without = show_from(shown[i][0], shown[i][1], true);
		ck_assert_ptr_nonnull(strstr(with, "\"rows\""));
		ck_assert_str_eq(without, with);
	}
}
END_TEST

START_TEST(archive_is_counted_and_taken_once)
{
	struct prof_archive_figures figures;
	AUTO_EXPERIMENT struct prof_experiment *experiment = program_archived(&figures);
	struct prof_code nothing = {no_source, no_extent, no_block, {0}};
	size_t sources = figures.sources, functions = figures.functions;

	ck_assert_uint_eq(sources, 1);
	ck_assert_uint_eq(figures.no_sources, 2);
	ck_assert_uint_eq(functions, 2);
	ck_assert_ok(prof_archive_take(experiment, &nothing, NULL, &figures));
	ck_assert(figures.sources == sources && figures.functions == functions);
	ck_assert_uint_eq(experiment->archived_sources.count, 1);
	prof_text_deinit(&nothing.notes);
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

START_TEST(it_can_be_interrupted)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = program_create();
	struct prof_code code = program_code();
	const struct prof_progress progress = {refuse, NULL};
	struct prof_archive_figures figures;
	struct prof_error *error = prof_archive_take(experiment, &code, &progress, &figures);

	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	prof_error_destroy(error);
	prof_text_deinit(&code.notes);
}
END_TEST

RUN_TESTS("archive of code", views_are_those_of_the_program, archive_is_counted_and_taken_once,
	it_can_be_interrupted)
