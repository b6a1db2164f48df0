/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/complete.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Prints BEFORE, of LENGTH bytes, and WORD and END, if they begin with TYPED. */
static void offer(
	const char *before, size_t length, const char *word, const char *end, const char *typed)
{
	size_t typed_length = strlen(typed);

	if (typed_length > length && strncmp(word, typed + length, typed_length - length) != 0)
		return;
	printf("%.*s%s%s\n", (int)length, before, word, end);
}

/* Offers the values of OPTION for TYPED, whose first SKIPPED bytes stay. */
static void offer_values(const struct prof_option *option, const char *typed, size_t skipped)
{
	const char *comma = prof_option_is_list(option) ? strrchr(typed + skipped, ',') : NULL;
	size_t kept = comma ? (size_t)(comma + 1 - typed) : skipped;
	const char *word;

	for (size_t i = 0; (word = prof_option_word(option, i)); i++)
		offer(typed, kept, word, "", typed);
}

/* Offers the OPTIONS for TYPED, which begins with dashes. */
static void offer_options(const struct prof_option *options, const char *typed)
{
	static const char dashes[] = "--";
	size_t length = sizeof dashes - 1;

	if (strncmp(typed, dashes, strlen(typed) < length ? strlen(typed) : length) != 0)
		return;
	for (; options->name; options++)
		offer(dashes, length, options->name,
			options->value && !options->optional ? "=" : "", typed);
	offer(dashes, length, "help", "", typed);
}

/* The row of OPTIONS that the first LENGTH bytes of WORD, with its dashes, name; or NULL. */
static const struct prof_option *find(
	const struct prof_option *options, const char *word, size_t length)
{
	for (; options->name; options++) {
		if (length == strlen(options->name) + 2 && !strncmp(word, "--", 2) &&
			!strncmp(word + 2, options->name, length - 2))
			return options;
	}
	return NULL;
}

/* Does WORD have its value in the next word? */
static bool takes_next(const struct prof_option *options, const char *word)
{
	const struct prof_option *option = find(options, word, strlen(word));

	return !strcmp(word, "-o") || (option && option->value && !option->optional);
}

/* Is there the name of a program among the COUNT WORDS, or is it next? */
static bool has_program(const struct prof_option *options, char **words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (words[i][0] != '-' || !strcmp(words[i], "--"))
			return true;
		i += takes_next(options, words[i]);
	}
	return false;
}

/* Offers what an action with OPTIONS takes behind the COUNT WORDS, for TYPED. */
static void offer_of_action(
	const struct prof_option *options, char **words, size_t count, const char *typed)
{
	const char *equal = *typed == '-' ? strchr(typed, '=') : NULL;
	const struct prof_option *option = NULL;

	if (equal) {
		option = find(options, typed, (size_t)(equal - typed));
		if (option)
			offer_values(option, typed, (size_t)(equal + 1 - typed));
		return;
	}
	if (count && takes_next(options, words[count - 1])) {
		option = find(options, words[count - 1], strlen(words[count - 1]));
		if (option)
			offer_values(option, typed, 0);
		return;
	}
	if (*typed == '-')
		offer_options(options, typed);
}

void complete(const struct action *const *actions, char **words, size_t count)
{
	const char *typed = count ? words[count - 1] : "";

	for (; *actions; actions++) {
		if (count <= 1) {
			offer("", 0, (*actions)->name, "", typed);
			continue;
		}
		if (strcmp(words[0], (*actions)->name) != 0)
			continue;
		AUTO_FREE struct prof_option *options = (*actions)->rows(words + 1);
		if (options && !((*actions)->runs && has_program(options, words + 1, count - 2)))
			offer_of_action(options, words + 1, count - 2, typed);
	}
	if (count <= 1 && *typed == '-') {
		offer("", 0, "--help", "", typed);
		offer("", 0, "--version", "", typed);
	}
}
