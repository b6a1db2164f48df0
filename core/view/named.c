/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/named.h"

#include "base/text.h"
#include "metric/names.h"
#include "model/contents.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <string.h>

/* How many similar names an error lists. */
enum { SUGGESTIONS = 5 };

void prof_named_deinit(struct prof_named *named)
{
	for (size_t i = 0; i < named->parts.count; i++) {
		free(named->parts.items[i].text);
		free(named->parts.items[i].functions);
	}
	free(named->parts.items);
	*named = (struct prof_named){0};
}

struct prof_error *prof_named_unknown(const struct prof_experiment *experiment, const bool *seen,
	const char *what, const char *name)
{
	AUTO_TEXT struct prof_text message = {0};
	int found = 0;

	prof_text_print(&message, "No %s \"", what);
	prof_text_name(&message, name);
	prof_text_print(&message,
		prof_experiment_has(experiment) & PROF_HAS_STACKS ? "\" is in any stack"
								  : "\" has a cost");
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
	return error ? error : prof_error_create(PROF_ERROR_MISSING, "%s", prof_text_get(&message));
}

/*
 * Fills PART with the longest name at the beginning of TEXT that stands for functions, if there is
 * one; PART owns what it holds.
 */
static struct prof_error *read_part(struct prof_named_part *part,
	const struct prof_experiment *experiment, const bool *seen, const char *text)
{
	part->text = strdup(text);
	part->functions =
		calloc(prof_experiment_functions(experiment) + 1, sizeof *part->functions);
	if (!part->text || !part->functions)
		return prof_error_nomem();
	char *end = part->text + strlen(text);
	while (end && end > part->text && !part->count) {
		*end = '\0';
		part->count = prof_names_find(experiment, seen, part->text, part->functions);
		end = strrchr(part->text, ' ');
	}
	return NULL;
}

struct prof_error *prof_named_read(struct prof_named *named,
	const struct prof_experiment *experiment, const bool *seen, const char *text)
{
	const char *at = text;

	do {
		struct prof_named_part *part = prof_array_push(&named->parts);
		if (!part)
			return prof_error_nomem();
		*part = (struct prof_named_part){0};
		struct prof_error *error = read_part(part, experiment, seen, at);
		if (error)
			return error;
		if (!part->count) {
			strcpy(part->text, at);
			/* If the first name has spaces, any part of it may be the wrong one. */
			if (at > text)
				part->text[strcspn(part->text, " ")] = '\0';
			return prof_named_unknown(experiment, seen, "function", part->text);
		}
		at += strlen(part->text);
		at += *at == ' ';
	} while (*at);
	return NULL;
}
