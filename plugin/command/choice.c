/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/choice.h"

#include "base/file.h"
#include "plugin/gdb/host.h"

#include <stdlib.h>
#include <string.h>

/* Does the text that VALUES ask for go to the screen? */
static bool is_shown(const struct option_values *values)
{
	return !prof_option_find(values->given.rows, "output") || !option_get(values, "output");
}

/* The styles that views have: of each the name in "set style". */
static const struct {
	enum prof_markup_kind kind;
	const char *name;
} styles[] = {{PROF_MARKUP_FUNCTION, "function"}, {PROF_MARKUP_FILE, "filename"},
	{PROF_MARKUP_HOT, "highlight"}};

/* Gives MARKUP GDB's styles, as far as GDB itself shows any. */
static void read_styles(struct prof_markup *markup)
{
	if (!markup->screen || !host_is_styled())
		return;
	for (size_t i = 0; i < PROF_COUNT(styles); i++)
		host_style(styles[i].name, markup->styles[styles[i].kind], PROF_MARKUP_STYLE);
}

struct prof_error *choice_read(
	const struct option_values *values, const struct prof_options *options, struct choice *ret)
{
	if (options->size) {
		ret->own = malloc(options->size);
		if (!ret->own)
			return prof_error_nomem();
		memcpy(ret->own, options->defaults, options->size);
	}
	ret->choice.own = ret->own;
	ret->choice.markup.screen = is_shown(values);
	ret->choice.blocks = ret->choice.markup.screen && host_shows_blocks();
	read_styles(&ret->choice.markup);
	struct prof_error *error = option_store(values, &ret->choice, ret->own);
	if (!error)
		error = choice_columns(&ret->choice.markup.columns);
	if (!error)
		error = filter_read(values, &ret->filter);
	ret->choice.filter = ret->filter.filter;
	return error;
}

void choice_deinit(struct choice *choice)
{
	filter_deinit(&choice->filter);
	free(choice->own);
}

struct prof_error *choice_write(const struct option_values *values, const struct prof_text *text)
{
	const char *output = option_get(values, "output");

	return output ? prof_file_write(output, prof_text_get(text), text->length)
		      : host_write(prof_text_get(text));
}

struct prof_error *choice_say_written(const char *path)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_name(&text, path);
	prof_text_print(&text, " is written.\n");
	struct prof_error *error = prof_text_error(&text);
	return error ? error : host_write(prof_text_get(&text));
}

/* GDB would count a line that fills the last column as two. */
struct prof_error *choice_columns(size_t *ret)
{
	AUTO_FREE char *width = NULL;
	struct prof_error *error = host_parameter("width", &width);

	if (error)
		return error;
	unsigned long columns = strtoul(width, NULL, 10);
	*ret = columns > 1 ? columns - 1 : 0;
	return NULL;
}
