/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/choice.h"

#include "base/file.h"
#include "metric/filter.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct prof_option *choice_rows(
	const struct prof_option *own, size_t count, const struct prof_options *options)
{
	size_t others = 0;

	while (options && options->rows[others].name)
		others++;
	struct prof_option *all = calloc(count + others + 1, sizeof *all);
	if (!all)
		return NULL;
	if (count)
		memcpy(all, own, count * sizeof *all);
	if (others)
		memcpy(all + count, options->rows, others * sizeof *all);
	return all;
}

/* How many columns a line may have on the terminal; 0: any number. */
static size_t terminal_columns(void)
{
	struct winsize size = {0};

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2 ? 0 : size.ws_col - 1U;
}

struct prof_error *choice_read(const struct prof_option_values *values,
	const struct prof_options *options, struct prof_choice *choice, void **own)
{
	struct prof_error *error = NULL;

	*own = malloc(options->size + 1);
	if (!*own)
		return prof_error_nomem();
	if (options->size)
		memcpy(*own, options->defaults, options->size);
	choice->own = options->size ? *own : NULL;
	choice->markup.screen = !prof_option_values_get(values, "output") && isatty(STDOUT_FILENO);
	choice->markup.columns = choice->markup.screen ? terminal_columns() : 0;
	choice->blocks = choice->markup.screen && !strcmp(nl_langinfo(CODESET), "UTF-8");
	for (size_t i = 0; values->rows[i].name && !error; i++) {
		if (values->values[i])
			error = prof_option_store(
				&values->rows[i], values->values[i], choice, *own);
	}
	for (int i = 0; i < PROF_CONDITIONS; i++)
		choice->filter.values[i] = prof_option_values_get(values, prof_condition_names[i]);
	return error;
}

struct prof_error *choice_write(
	const struct prof_option_values *values, const struct prof_text *text, const char *what)
{
	const char *output = prof_option_values_get(values, "output");

	if (output)
		return prof_file_write(output, prof_text_get(text), text->length);
	if (fwrite(prof_text_get(text), 1, text->length, stdout) == text->length && !fflush(stdout))
		return NULL;
	return prof_error_create(
		PROF_ERROR_SYSTEM, "%s cannot be written: %s.", what, strerror(errno));
}
