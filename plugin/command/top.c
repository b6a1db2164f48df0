/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-top: a view that is printed again and again while the program runs. */
#include "plugin/command/command.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/live.h"
#include "plugin/option/option.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/* The option that all commands of views have. */
static const char filter[] = "output";

static const char *view_name(size_t index)
{
	return prof_views[index] ? prof_views[index]->name : NULL;
}

static const struct prof_option option_rows[] = {
	{
		.name = "once",
		.describe =
			"Print the view once.  This is the default while nothing runs, and where GDB has no terminal of its own.",
		.kind = PROF_OPTION_FLAG,
	},
	{
		.name = "view",
		.value = "VIEW",
		.word = view_name,
		.describe =
			"Choose the view by the name of its command without \"prof-\".  The default is functions.",
	},
	{.name = NULL},
};

static const struct prof_options top_options = {.rows = option_rows};

/* What was typed. */
struct typed {
	bool once;
	const struct command *view;
	struct prof_text line; /* the command of the view */
};

static void typed_deinit(struct typed *typed)
{
	prof_text_deinit(&typed->line);
}

/* The text drawn: there is one screen. */
static struct {
	char *line;
	const char *name; /* of the view */
} drawn;

static size_t word_length(const char *text)
{
	return strcspn(text, " \t");
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* The command of the view that LENGTH bytes at NAME stand for, or NULL. */
static const struct command *find_view(const char *name, size_t length)
{
	const struct command *found = length ? command_find(name, length, filter) : NULL;

	return found && prof_view_find(command_name_rest(found->name)) ? found : NULL;
}

/* Is the word of LENGTH bytes at WORD the option NAME?  Then *VALUE is behind its "=", or NULL. */
static bool is_option(const char *word, size_t length, const char *name, const char **value)
{
	const char *begin = word + strspn(word, "-");
	const char *end = word + length;
	const char *equal = memchr(word, '=', length);
	const char *stop = equal ? equal : end;

	*value = equal ? equal + 1 : NULL;
	return begin > word && (size_t)(stop - begin) == strlen(name) &&
		!strncmp(begin, name, (size_t)(stop - begin));
}

/* Splits TEXT into the options of prof-top, and what is for the view, which REST gets. */
static struct prof_error *read_words(const char *text, struct typed *ret, struct prof_text *rest)
{
	const char *value, *view = "functions";
	size_t view_length = strlen(view);

	for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
		size_t length = word_length(text);
		const char *word = text;
		text += length;
		if (is_option(word, length, "once", &value)) {
			ret->once = true;
		} else if (is_option(word, length, "view", &value)) {
			view = value ? value : skip_blanks(text);
			view_length = word_length(view);
			text = view + view_length;
		} else {
			prof_text_print(rest, " ");
			prof_text_bytes(rest, word, length);
		}
	}
	ret->view = find_view(view, view_length);
	return ret->view
		? NULL
		: prof_error_create(PROF_ERROR_USAGE,
			  "prof-top knows no view \"%.*s\": use the name of a view's command without \"prof-\", such as tree.",
			  (int)view_length, view);
}

static struct prof_error *read_typed(const char *text, struct typed *ret)
{
	AUTO_TEXT struct prof_text rest = {0};
	struct prof_error *error = read_words(text, ret, &rest);

	if (error)
		return error;
	prof_text_print(&ret->line, "%s%s", ret->view->name, prof_text_get(&rest));
	error = prof_text_error(&rest);
	return error ? error : prof_text_error(&ret->line);
}

/* For completion: the view's options belong to what is typed. */
static const struct command *find_typed(const char *text, const char **rest)
{
	PROF_AUTO(typed_deinit) struct typed typed = {0};
	struct prof_error *error = read_typed(text, &typed);

	*rest = text;
	host_forget(error);
	return typed.view ? typed.view : find_view("functions", strlen("functions"));
}

static struct prof_error *draw(struct prof_text *text)
{
	prof_text_print(text, "prof-top: %s, twice a second.  Any key ends it.\n\n", drawn.name);
	return host_execute(drawn.line, text);
}

static struct prof_error *run_top(const struct command *command, const struct option_values *values)
{
	PROF_AUTO(typed_deinit) struct typed typed = {0};
	AUTO_TEXT struct prof_text first = {0};
	struct prof_error *error = read_typed(values->text, &typed);

	(void)command;
	if (error)
		return error;
	if (typed.once || !live_can()) {
		const char *text = prof_text_get(&typed.line) + strlen(typed.view->name);
		return command_run(typed.view, text);
	}
	/* What cannot be shown is no reason to clear the screen. */
	error = host_execute(prof_text_get(&typed.line), &first);
	if (error)
		return error;
	free(drawn.line);
	drawn.line = strdup(prof_text_get(&typed.line));
	drawn.name = command_name_rest(typed.view->name);
	return drawn.line ? live_begin(draw) : prof_error_nomem();
}

const struct command command_top = {
	.name = "prof-top",
	.group = COMMAND_SAMPLES,
	.category = "COMMAND_DATA",
	.usage = "[ARGUMENT]...",
	.describe =
		"Show a view again and again while the program runs.\n"
		"It fills the screen as \"top\" does, until you type a key or Ctrl-C, or the program stops: begin with \"continue &\".  "
		"ARGUMENTs and further options are those of the view's command.",
	.options = &top_options,
	.arguments = COMMAND_OTHER,
	.repeats = true,
	.run = run_top,
	.other = find_typed,
	.option = filter,
};
