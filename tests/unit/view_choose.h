/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests choose of a view's own options, as it would be typed, by the view's table. */
#ifndef PROF_TESTS_VIEW_CHOOSE_H
#define PROF_TESTS_VIEW_CHOOSE_H

#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was chosen, kept until the test ends: choices borrow it. */
struct chosen {
	struct chosen *next;
	void *own;
	char *text;
};

/* Stores the option WORD, "name" or "name=value", in OWN. */
static inline struct prof_error *choose_word(
	const struct prof_options *options, char *word, void *own)
{
	const char *value = "";
	char *equal = strchr(word, '=');

	if (equal) {
		*equal = '\0';
		value = equal + 1;
	}
	const struct prof_option *option = prof_option_find(options->rows, word);
	if (!option || option->common || !option->value != !equal)
		return prof_error_create(PROF_ERROR_USAGE, "\"%s\" is no own option.", word);
	struct prof_error *error = equal ? prof_option_check(option, &value) : NULL;
	return error ? error : prof_option_store(option, value, NULL, own);
}

/* The struct of OPTIONS with those of TEXT, words with spaces between them. */
static inline const void *choose_of(const struct prof_options *options, const char *text)
{
	static struct chosen *all;
	struct chosen *chosen = malloc(sizeof *chosen);

	*chosen = (struct chosen){all, malloc(options->size), strdup(text)};
	all = chosen;
	memcpy(chosen->own, options->defaults, options->size);
	for (char *word = strtok(chosen->text, " "); word; word = strtok(NULL, " ")) {
		struct prof_error *error = choose_word(options, word, chosen->own);
		if (error) {
			fprintf(stderr, "%s\n", prof_error_message(error));
			abort();
		}
	}
	return chosen->own;
}

/* The same of the view NAME. */
static inline const void *choose(const char *name, const char *text)
{
	return choose_of(prof_view_find(name)->options, text);
}

#endif
