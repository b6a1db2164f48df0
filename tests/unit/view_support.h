/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of views share: experiments made of stacks, views as strings, and comparing. */
#ifndef PROF_TESTS_VIEW_SUPPORT_H
#define PROF_TESTS_VIEW_SUPPORT_H

#include "sample_at.h"
#include "suite.h"
#include "view_choose.h"

#include "model/single_calls.h"
#include "view/view.h"

#include <stdio.h>
#include <string.h>

/* Adds COUNT samples' worth of the stack, root first, of NAMES that SEPARATOR separates. */
static inline void add_stack(struct prof_experiment *experiment, const char *names, char separator,
	const prof_value values[PROF_QUANTITIES])
{
	struct prof_sample sample = {0};

	if (!experiment->threads.count)
		ck_assert_ok(prof_experiment_thread(experiment, 1, "main", &sample.thread));
	while (*names) {
		const char *end = strchr(names, separator);
		size_t length = end ? (size_t)(end - names) : strlen(names);
		uint32_t function, frame;
		ck_assert_ok(prof_experiment_function(experiment, names, length, 0, &function));
		ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
		ck_assert_ok(prof_experiment_path(experiment, sample.path, frame, &sample.path));
		names += length + (end ? 1 : 0);
	}
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
}

/* An experiment of lines "root;leaf WEIGHT"; with TIME the weights are ms on a CPU. */
static inline struct prof_experiment *experiment_of(const char *lines, bool time)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	while (*lines) {
		prof_value values[PROF_QUANTITIES] = {0};
		const char *end = strchr(lines, '\n');
		const char *space = memrchr(lines, ' ', (size_t)(end - lines));
		char *stack = strndup(lines, (size_t)(space - lines));
		prof_value weight;
		ck_assert(prof_value_parse(space + 1, (size_t)(end - space - 1), &weight));
		values[PROF_QUANTITY_SAMPLES] = time ? prof_value_of(1) : weight;
		values[PROF_QUANTITY_SPENT] = time ? weight * 1000000 : 0;
		add_stack(experiment, stack, ';', values);
		free(stack);
		lines = end + 1;
	}
	prof_experiment_check(experiment);
	return experiment;
}

/* An experiment of 3 samples in init, and 2 in the init of another library. */
static inline struct prof_experiment *experiment_of_namesakes(void)
{
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(2)};
	struct prof_experiment *experiment = experiment_of("init 3\n", false);
	struct prof_sample sample = {0};
	uint32_t module, function, frame;

	ck_assert_ok(prof_experiment_module(experiment, "/lib/other.so", "", &module));
	ck_assert_ok(prof_experiment_function(experiment, "init", 4, module, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	ck_assert_ok(prof_experiment_path(experiment, 0, frame, &sample.path));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	return experiment;
}

/* Adds a mark without figures, at TIME ns. */
static inline void add_mark(struct prof_experiment *experiment, int64_t time, const char *label)
{
	struct prof_mark mark = {.time = time};

	prof_usage_clear(&mark.usage);
	ck_assert_ok(prof_experiment_mark(experiment, &mark, label));
}

/* Makes each sample of EXPERIMENT a single call of 1 us, as some views want. */
static inline void make_single_calls(struct prof_experiment *experiment)
{
	for (size_t i = 0; i < experiment->samples.count; i++) {
		const struct prof_single_call call = {.sample = (uint32_t)i, .duration = 1000};
		ck_assert_ok(prof_single_call_add(experiment, &call));
	}
}

/* The view NAME of EXPERIMENT, as a new string. */
static inline char *show(
	const char *name, struct prof_experiment *experiment, const struct prof_choice *choice)
{
	struct prof_text text = {0};
	const struct prof_view *view = prof_view_find(name);

	ck_assert_ptr_nonnull(view);
	ck_assert_ok(prof_view_print(view, experiment, choice, NULL, &text));
	char *shown = strdup(prof_text_get(&text));
	prof_text_deinit(&text);
	return shown;
}

/* The view NAME of the experiment of LINES, see experiment_of(). */
static inline char *show_lines(
	const char *name, const char *lines, bool time, const struct prof_choice *choice)
{
	struct prof_experiment *experiment = experiment_of(lines, time);
	char *shown = show(name, experiment, choice);

	prof_experiment_destroy(experiment);
	return shown;
}

/* TEXT, which is freed, without the marks that prof_view_print() replaces, as a new string. */
static inline char *without_marks(char *text)
{
	struct prof_text plain = {0};

	prof_markup_strip(&plain, text);
	free(text);
	char *kept = strdup(prof_text_get(&plain));
	prof_text_deinit(&plain);
	return kept;
}

/* TEXT with one space for all that stand together, and none at the ends of lines. */
static inline char *squeeze(const char *text)
{
	char *squeezed = malloc(strlen(text) + 1);
	char *at = squeezed;

	for (; *text; text++) {
		bool blank = *text == ' ' || *text == '\t';
		bool start = at == squeezed || at[-1] == '\n' || at[-1] == ' ';
		if (*text == '\n' && at > squeezed && at[-1] == ' ')
			at--;
		if (!blank)
			*at++ = *text;
		else if (!start)
			*at++ = ' ';
	}
	*at = '\0';
	return squeezed;
}

/* TEXT, which is freed, has the words of EXPECTED on the same lines. */
static inline void check_words(char *text, const char *expected)
{
	char *have = squeeze(text);
	char *want = squeeze(expected);

	ck_assert_str_eq(have, want);
	free(have);
	free(want);
	free(text);
}

/* TEXT, which is freed, is EXPECTED to the last space. */
static inline void check_text(char *text, const char *expected)
{
	ck_assert_str_eq(text, expected);
	free(text);
}

/*
 * TEXT, which is freed, is what the file NAME in golden/ holds.  With PROF_GOLDEN=write in the
 * environment the file is written instead: look at the difference then.
 */
static inline void check_golden(char *text, const char *name)
{
	char path[4096];
	const char *slash = strrchr(__FILE__, '/');
	const char *mode = getenv("PROF_GOLDEN");
	bool write = mode && !strcmp(mode, "write");

	snprintf(path, sizeof path, "%.*sgolden/%s", (int)(slash + 1 - __FILE__), __FILE__, name);
	FILE *file = fopen(path, write ? "w" : "r");
	ck_assert_msg(file != NULL, "%s cannot be opened.", path);
	if (write) {
		fputs(text, file);
	} else {
		char *expected = NULL;
		size_t size = 0;
		ck_assert(getdelim(&expected, &size, '\0', file) >= 0);
		ck_assert_str_eq(text, expected);
		free(expected);
	}
	fclose(file);
	free(text);
}

#endif
