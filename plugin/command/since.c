/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-since: a view of what the program did since a stop. */
#include "plugin/command/since.h"

#include "metric/stops.h"
#include "model/experiment.h"
#include "plugin/command/command.h"
#include "plugin/gdb/host.h"
#include "plugin/option/option.h"
#include "plugin/session/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The filter that does it: other commands are those that have it. */
static const char filter[] = "since";

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* The length of the word at TEXT. */
static size_t word_length(const char *text)
{
	return strcspn(text, " \t");
}

/* Reads the number at *TEXT, if there is one, and advances behind it. */
static uint64_t read_number(const char **text)
{
	size_t length = strspn(*text, "0123456789");

	if (!length || length != word_length(*text))
		return 1;
	/* What does not fit is ULLONG_MAX: there are not so many stops. */
	uint64_t number = strtoull(*text, NULL, 10);
	*text = skip_blanks(*text + length);
	return number;
}

/* Behind the number: options alone are those of the functions. */
static const struct command *find_view(const char *text, const char **rest)
{
	static const char functions[] = "functions";
	size_t length = word_length(text);
	const char *name = command_name_rest(text);
	size_t skipped = name ? (size_t)(name - text) : 0;

	*rest = text;
	if (!length || *text == '-')
		return command_find(functions, strlen(functions), filter);
	const struct command *found =
		length > skipped ? command_find(text + skipped, length - skipped, filter) : NULL;
	if (found)
		*rest = text + length;
	return found;
}

/* For completion: a name is complete if something follows it. */
static const struct command *find_typed(const char *text, const char **rest)
{
	text = skip_blanks(text);
	read_number(&text);
	*rest = text;
	return *text == '-' || text[word_length(text)] ? find_view(text, rest) : NULL;
}

uint64_t since_number(uint64_t number)
{
	const struct prof_experiment *experiment = session_peek();
	bool goes_on =
		experiment && session_records() && host_any_runs() && !prof_stops_ran(experiment);

	session_return();
	return number - goes_on;
}

static struct prof_error *run_since(
	const struct command *command, const struct option_values *values)
{
	AUTO_TEXT struct prof_text line = {0};
	const char *text = skip_blanks(values->text), *rest;

	uint64_t number = read_number(&text);
	if (!number)
		return prof_error_create(PROF_ERROR_USAGE,
			"%s counts stops from 1, the last time that the program ran.",
			command->name);
	const struct command *view = find_view(text, &rest);
	if (!view)
		return prof_error_create(PROF_ERROR_USAGE,
			"%s knows no view \"%.*s\": use the name of a command without \"prof-\", such as tree.",
			command->name, (int)word_length(text), text);
	prof_text_print(&line, "--%s=stop:%" PRIu64 " %s", filter, since_number(number), rest);
	struct prof_error *error = prof_text_error(&line);
	return error ? error : command_run(view, prof_text_get(&line));
}

const struct command command_since = {
	.name = "prof-since",
	.group = COMMAND_SAMPLES,
	.category = "COMMAND_DATA",
	.usage = "[N] [VIEW [ARGUMENT]...]",
	.describe =
		"Show what the program did since its last or an earlier stop.\n"
		"VIEW is the name of a command that has the option --since, without \"prof-\", such as tree, callers or flame; ARGUMENTs are those of that command.  "
		"The default is functions.\n\n"
		"While the program stands at a stop, the last time that it ran counts: the time since the stop before.  "
		"Where the recording began counts as a stop, too.",
	.options = &command_no_options,
	.arguments = COMMAND_OTHER,
	.repeats = true,
	.run = run_since,
	.other = find_typed,
	.option = filter,
};
