#include "view/named.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* How many similar names an error tells. */
enum { SUGGESTIONS = 5 };

void prof_named_deinit(struct prof_named *named)
{
	free(named->names.items);
	*named = (struct prof_named){0};
}

struct prof_error *prof_named_unknown(const struct prof_experiment *experiment, const bool *seen,
	const char *what, const char *name)
{
	AUTO_TEXT struct prof_text message = {0};
	int found = 0;

	prof_text_print(&message, "No %s \"", what);
	prof_text_name(&message, name);
	prof_text_print(&message, "\" is in any stack");
	for (uint32_t i = 0; i < experiment->functions.count && found < SUGGESTIONS; i++) {
		const char *other = prof_experiment_function_name(experiment, i);
		if ((seen && !seen[i]) || !strcasestr(other, name))
			continue;
		prof_text_print(&message, found++ ? ", \"" : "; similar: \"");
		prof_text_name(&message, other);
		prof_text_print(&message, "\"");
	}
	prof_text_print(&message, ".");
	struct prof_error *error = prof_text_error(&message);
	return error ? error : prof_error_create(PROF_ERROR_USAGE, "%s", prof_text_get(&message));
}

/* By string: is it the name of a function that is seen? */
static bool *find_names(const struct prof_experiment *experiment, const bool *seen)
{
	bool *names = calloc(experiment->strings.texts.count + 1, sizeof *names);

	for (size_t i = 0; names && i < experiment->functions.count; i++)
		names[experiment->functions.items[i].name] |= seen[i];
	return names;
}

/*
 * The longest name that TEXT begins with, or PROF_NONE; *LENGTH is its length.  COPY has room for
 * TEXT.
 */
static uint32_t longest_name(const struct prof_experiment *experiment, const bool *names,
	const char *text, char *copy, size_t *length)
{
	strcpy(copy, text);
	for (char *end = copy + strlen(copy); end && end > copy; end = strrchr(copy, ' ')) {
		*end = '\0';
		uint32_t string = prof_strings_find(&experiment->strings, copy);
		if (string != PROF_NONE && names[string]) {
			*length = (size_t)(end - copy);
			return string;
		}
	}
	return PROF_NONE;
}

struct prof_error *prof_named_read(struct prof_named *named,
	const struct prof_experiment *experiment, const bool *seen, const char *text)
{
	AUTO_FREE bool *names = find_names(experiment, seen);
	AUTO_FREE char *copy = malloc(strlen(text) + 1);
	size_t length;

	if (!names || !copy)
		return prof_error_nomem();
	for (const char *at = text; !named->names.count || *at;
		at += length + (at[length] == ' ')) {
		uint32_t string = longest_name(experiment, names, at, copy, &length);
		if (string == PROF_NONE) {
			/* Of a first name with spaces nobody knows which part is wrong. */
			strcpy(copy, at);
			if (at > text)
				copy[strcspn(copy, " ")] = '\0';
			return prof_named_unknown(experiment, seen, "function", copy);
		}
		uint32_t *name = prof_array_push(&named->names);
		if (!name)
			return prof_error_nomem();
		*name = string;
	}
	return NULL;
}
