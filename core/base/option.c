/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/option.h"

#include "base/list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct prof_option *prof_option_find(const struct prof_option *rows, const char *name)
{
	for (; rows->name; rows++) {
		if (!strcmp(rows->name, name))
			return rows;
	}
	return NULL;
}

const char *prof_option_word(const struct prof_option *option, size_t index)
{
	if (option->word)
		return option->word(index);
	return index < option->words_count ? option->words[index] : NULL;
}

bool prof_option_is_list(const struct prof_option *option)
{
	static const char end[] = ",...";
	size_t length = option->value ? strlen(option->value) : 0;

	return length >= sizeof end && !strcmp(option->value + length - (sizeof end - 1), end);
}

struct prof_error *prof_option_check(const struct prof_option *option, const char **value)
{
	AUTO_TEXT struct prof_text all = {0};
	const char *match = NULL;
	size_t matches = 0;
	const char *word;

	if ((option->open && (prof_option_is_list(option) || !strchr(*value, ','))) ||
		!prof_option_word(option, 0))
		return NULL;
	for (size_t i = 0; (word = prof_option_word(option, i)); i++) {
		prof_list_add(&all, word);
		if (!strcmp(word, *value))
			return NULL;
		if (**value && !strncmp(word, *value, strlen(*value))) {
			match = word;
			matches++;
		}
	}
	if (matches != 1 && strchr(*value, ','))
		return prof_error_create(PROF_ERROR_USAGE,
			"--%s takes one value, not the list \"%s\": give one of %s.", option->name,
			*value, prof_text_get(&all));
	if (matches != 1)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a value of --%s: give one of %s.", *value, option->name,
			prof_text_get(&all));
	*value = match;
	return NULL;
}

static struct prof_error *store_number(
	const struct prof_option *option, const char *text, uint64_t *member)
{
	char *end;

	errno = 0;
	uint64_t number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number < option->least)
		return prof_error_create(PROF_ERROR_USAGE,
			"--%s takes a whole number of at least %" PRIu64 ", not \"%s\".",
			option->name, option->least, text);
	*member = number;
	return NULL;
}

static struct prof_error *store_percent(
	const struct prof_option *option, const char *text, double *member)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end || !(percent >= 0 && percent <= 100))
		return prof_error_create(PROF_ERROR_USAGE,
			"--%s takes a number from 0 to 100, not \"%s\".", option->name, text);
	*member = percent;
	return NULL;
}

/* Finds the index of TEXT among the words of OPTION. */
static struct prof_error *find_word(
	const struct prof_option *option, const char *text, unsigned *ret)
{
	const char *word;
	struct prof_error *error = prof_option_check(option, &text);

	for (unsigned i = 0; !error && (word = prof_option_word(option, i)); i++) {
		if (!strcmp(word, text))
			*ret = i;
	}
	return error;
}

struct prof_error *prof_option_store(
	const struct prof_option *option, const char *text, void *common, void *own)
{
	struct prof_error *error = NULL;
	unsigned index = 0;

	if (option->kind == PROF_OPTION_BY_NAME)
		return NULL;
	void *member = (char *)(option->common ? common : own) + option->offset;
	switch (option->kind) {
	case PROF_OPTION_BY_NAME:
	case PROF_OPTION_FLAG:
		*(bool *)member = true;
		break;
	case PROF_OPTION_NUMBER:
		return store_number(option, text, member);
	case PROF_OPTION_PERCENT:
		return store_percent(option, text, member);
	case PROF_OPTION_WORD:
		error = find_word(option, text, &index);
		index += (unsigned)option->least;
		/* Every enum here has the size of an unsigned, and no negative values. */
		if (!error)
			memcpy(member, &index, sizeof index);
		break;
	case PROF_OPTION_SECOND:
		error = find_word(option, text, &index);
		if (!error)
			*(bool *)member = index == 1;
		break;
	case PROF_OPTION_TEXT:
		*(const char **)member = text;
		break;
	}
	return error;
}

void prof_option_describe(const struct prof_option *rows, struct prof_text *text)
{
	if (!rows->name)
		return;
	prof_text_print(text, "\n\nOptions:");
	for (; rows->name; rows++) {
		const char *word;
		prof_text_print(text, "\n  --%s%s%s", rows->name, rows->optional ? "[" : "",
			rows->value ? "=" : "");
		if (rows->value && !rows->open && prof_option_word(rows, 0)) {
			for (size_t i = 0; (word = prof_option_word(rows, i)); i++)
				prof_text_print(text, "%s%s", i ? "|" : "", word);
		} else if (rows->value)
			prof_text_print(text, "%s", rows->value);
		prof_text_print(text, "%s\n", rows->optional ? "]" : "");
		prof_text_prose(text, 4, rows->describe);
	}
}
