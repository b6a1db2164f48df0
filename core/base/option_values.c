/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/option_values.h"

#include "base/text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void prof_option_values_deinit(struct prof_option_values *values)
{
	for (size_t i = 0; i < values->joined.count; i++)
		free(values->joined.items[i]);
	free(values->joined.items);
	free(values->values);
	free(values->pairs);
	free(values->times);
	free(values->arguments);
	*values = (struct prof_option_values){0};
}

/* Why getopt did not like WORD. */
static struct prof_error *refuse(const char *name, const struct prof_option *rows, const char *word,
	int reason, const char *help)
{
	AUTO_TEXT struct prof_text matches = {0};
	const char *bare = word + strspn(word, "-");
	size_t length = strcspn(bare, "=");

	for (size_t i = 0; rows[i].name; i++) {
		if (!strncmp(rows[i].name, bare, length))
			prof_text_print(
				&matches, "%s--%s", matches.length ? ", " : "", rows[i].name);
	}
	if (reason == ':')
		return prof_error_create(
			PROF_ERROR_USAGE, "The option %s needs a value; see \"%s\".", word, help);
	if (!matches.length)
		return prof_error_create(
			PROF_ERROR_USAGE, "%s has no option \"%s\"; see \"%s\".", name, word, help);
	if (strchr(bare, '=') && !strchr(prof_text_get(&matches), ','))
		return prof_error_create(PROF_ERROR_USAGE,
			"The option %s takes no value: leave out \"%s\".", prof_text_get(&matches),
			bare + length);
	return prof_error_create(PROF_ERROR_USAGE, "The option \"%s\" is ambiguous: it can be %s.",
		word, prof_text_get(&matches));
}

/* Appends MORE to the list BEFORE.  VALUES owns the result; NULL: out of memory. */
static const char *join(struct prof_option_values *values, const char *before, const char *more)
{
	char *list;

	if (!prof_array_reserve(&values->joined, 1) || asprintf(&list, "%s,%s", before, more) < 0)
		return NULL;
	values->joined.items[values->joined.count++] = list;
	return list;
}

/* Stores GIVEN, the text of the row number INDEX; NULL: it has none. */
static struct prof_error *store(struct prof_option_values *values, size_t index, const char *given)
{
	const struct prof_option *row = &values->rows[index];
	const char **stored = &values->values[index];
	const char *value = given ? given : "";

	struct prof_option_pair *pair = &values->pairs[index];
	pair->first = ++values->times[index] == 2 ? pair->last : NULL;
	pair->last = value;
	*stored = *stored && prof_option_is_list(row) ? join(values, *stored, value) : value;
	if (!*stored)
		return prof_error_nomem();
	return row->value && (given || !row->optional) ? prof_option_check(row, stored) : NULL;
}

static struct prof_error *read_words(struct prof_option_values *values, char **words, int count,
	struct option *options, const char *help)
{
	const struct prof_option *output = prof_option_find(values->rows, "output");
	struct prof_error *error = NULL;
	int option;

	/* getopt keeps its state in globals: 0 resets it, and no other thread uses it now. */
	optind = 0;
	opterr = 0;
	for (;;) {
		int at = optind ? optind : 1;
		int row = -1;
		option = getopt_long_only(count, words, output ? ":o:" : ":", options, &row);
		if (option == -1)
			break;
		if (option == 'o')
			row = (int)(output - values->rows);
		else if (option != 0)
			return refuse(words[0], values->rows, words[optind > at ? optind - 1 : at],
				option, help);
		error = store(values, (size_t)row, optarg);
		if (error)
			return error;
	}
	for (; optind < count; optind++)
		values->arguments[values->count++] = words[optind];
	return NULL;
}

struct prof_error *prof_option_values_read(struct prof_option_values *ret,
	const struct prof_option *rows, char **words, int count, const char *help)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {.rows = rows};
	size_t rows_count = 0;

	while (rows[rows_count].name)
		rows_count++;
	AUTO_FREE struct option *options = calloc(rows_count + 1, sizeof *options);
	values.values = calloc(rows_count + 1, sizeof *values.values);
	values.pairs = calloc(rows_count + 1, sizeof *values.pairs);
	values.times = calloc(rows_count + 1, sizeof *values.times);
	values.arguments = calloc((size_t)count, sizeof *values.arguments);
	if (!options || !values.values || !values.pairs || !values.times || !values.arguments)
		return prof_error_nomem();
	for (size_t i = 0; i < rows_count; i++)
		options[i] = (struct option){
			.name = rows[i].name,
			.has_arg = !rows[i].value  ? no_argument
				: rows[i].optional ? optional_argument
						   : required_argument,
		};
	struct prof_error *error = read_words(&values, words, count, options, help);
	if (error)
		return error;
	*ret = values;
	values = (struct prof_option_values){0};
	return NULL;
}

const struct prof_option_pair *prof_option_values_pair(
	const struct prof_option_values *values, const char *name)
{
	const struct prof_option_pair *pair =
		&values->pairs[prof_option_find(values->rows, name) - values->rows];

	return pair->first ? pair : NULL;
}

const char *prof_option_values_get(const struct prof_option_values *values, const char *name)
{
	return values->values[prof_option_find(values->rows, name) - values->rows];
}
