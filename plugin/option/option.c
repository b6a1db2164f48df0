/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/option.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/option/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void option_values_deinit(struct option_values *values)
{
	prof_option_values_deinit(&values->given);
	Py_XDECREF(values->words);
	*values = (struct option_values){0};
}

/* The words of LIST as an argument vector behind NAME, which the caller frees. */
static struct prof_error *argument_vector(const char *name, PyObject *list, char ***ret, int *count)
{
	Py_ssize_t length = PyList_Size(list);
	AUTO_FREE char **vector = calloc((size_t)length + 2, sizeof *vector);

	if (!vector)
		return prof_error_nomem();
	vector[0] = (char *)name;
	for (Py_ssize_t i = 0; i < length; i++) {
		/* The list owns the item, and the item its text. */
		const char *word = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
		if (!word)
			return host_error();
		vector[i + 1] = (char *)word;
	}
	*count = (int)length + 1;
	*ret = steal(&vector);
	return NULL;
}

/*
 * Is the apostrophe at AT, in TEXT, a part of a name, as in fib'2?  If so, no other one closes it
 * in its word.
 */
static bool is_of_name(const char *text, const char *at)
{
	if (at == text || (!isalnum((unsigned char)at[-1]) && !strchr("_)>]<&", at[-1])) ||
		!isalnum((unsigned char)at[1]))
		return false;
	size_t word = strcspn(at + 1, " \t\n");
	return !memchr(at + 1, '\'', word);
}

/* TEXT with a backslash before apostrophes in names, which would otherwise begin quotes. */
static struct prof_error *protect_names(const char *text, struct prof_text *ret)
{
	char quote = 0;

	for (const char *at = text; *at; at++) {
		if (*at == '\\' && at[1])
			prof_text_bytes(ret, at++, 1);
		else if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || (*at == '\'' && !is_of_name(text, at)))
			quote = *at;
		else if (*at == '\'')
			prof_text_print(ret, "\\");
		prof_text_bytes(ret, at, 1);
	}
	return prof_text_error(ret);
}

struct prof_error *option_parse(const char *name, const struct prof_option *rows, const char *text,
	struct option_values *ret)
{
	PROF_AUTO(option_values_deinit) struct option_values values = {0};
	AUTO_TEXT struct prof_text line = {0}, help = {0};
	AUTO_FREE char **vector = NULL;
	int words = 0;

	prof_text_print(&help, "help %s", name);
	struct prof_error *error = protect_names(text, &line);
	if (error)
		return error;
	values.words = host_split(prof_text_get(&line));
	if (!values.words)
		return host_error();
	error = argument_vector(name, values.words, &vector, &words);
	if (!error)
		error = prof_option_values_read(
			&values.given, rows, vector, words, prof_text_get(&help));
	if (error)
		return error;
	*ret = values;
	values = (struct option_values){0};
	return NULL;
}

const char *option_get(const struct option_values *values, const char *name)
{
	return prof_option_values_get(&values->given, name);
}

struct prof_error *option_store(const struct option_values *values, void *common, void *own)
{
	return option_store_rows(values, values->given.rows, common, own);
}

struct prof_error *option_store_rows(
	const struct option_values *values, const struct prof_option *rows, void *common, void *own)
{
	struct prof_error *error = NULL;

	for (const struct prof_option *row = rows; row->name && !error; row++) {
		const char *text = option_get(values, row->name);
		AUTO_FREE char *setting = NULL;
		if (!text && row->setting) {
			error = settings_get(row->setting, &setting);
			text = setting;
		}
		if (!error && text)
			error = prof_option_store(row, text, common, own);
	}
	return error;
}

static bool append(PyObject *matches, const char *before, const char *text)
{
	AUTO_PY PyObject *match = PyUnicode_FromFormat("%s%s", before, text);

	return match && !PyList_Append(matches, match);
}

/*
 * Adds the values of ROW that begin with START, each after PREFIX.  In a list, completes the last
 * value, and puts the others before it.
 */
static void complete_value(
	const struct prof_option *row, const char *prefix, const char *start, PyObject *matches)
{
	const char *comma = prof_option_is_list(row) ? strrchr(start, ',') : NULL;
	const char *last = comma ? comma + 1 : start;
	last += row->plus && *last == '+';
	AUTO_TEXT struct prof_text before = {0};
	const char *word;

	prof_text_print(&before, "%s%.*s", prefix, (int)(last - start), start);
	for (size_t i = 0; (word = prof_option_word(row, i)); i++) {
		if (!strncmp(word, last, strlen(last)) &&
			!append(matches, prof_text_get(&before), word))
			return;
	}
}

/* The only row whose name begins with START; NULL: there is none, or there are several. */
static const struct prof_option *only_row(const struct prof_option *rows, const char *start)
{
	const struct prof_option *found = NULL;

	for (; rows->name; rows++) {
		if (strncmp(rows->name, start, strlen(start)) != 0)
			continue;
		if (found)
			return NULL;
		found = rows;
	}
	return found;
}

/*
 * Adds the options that begin with START, each after DASHES.  GDB appends a blank to a single
 * match: for an option that takes one of several words, these are offered too, so that it ends in
 * "=".
 */
static void complete_option(
	const struct prof_option *rows, const char *dashes, const char *start, PyObject *matches)
{
	const struct prof_option *only = only_row(rows, start);
	AUTO_TEXT struct prof_text prefix = {0};

	if (only && only->value && prof_option_word(only, 0)) {
		prof_text_print(&prefix, "%s%s=", dashes, only->name);
		complete_value(only, prof_text_get(&prefix), "", matches);
		return;
	}
	for (; rows->name; rows++) {
		if (!strncmp(rows->name, start, strlen(start)) &&
			!append(matches, dashes, rows->name))
			return;
	}
}

/*
 * The row of the option at the beginning of WORD, as "--name" or "-name", up to LENGTH; NULL: none.
 */
static const struct prof_option *row_named(
	const struct prof_option *rows, const char *word, size_t length)
{
	size_t dashes = strspn(word, "-");

	if (!dashes || dashes > 2)
		return NULL;
	for (; rows->name; rows++) {
		if (strlen(rows->name) == length - dashes &&
			!strncmp(rows->name, word + dashes, length - dashes))
			return rows;
	}
	return NULL;
}

bool option_complete(
	const struct prof_option *rows, const char *before, const char *token, PyObject *matches)
{
	const char *equal = strchr(token, '=');

	if (*token == '-' && equal) {
		const struct prof_option *row = row_named(rows, token, (size_t)(equal - token));
		AUTO_PY PyObject *prefix = PyUnicode_FromStringAndSize(token, equal - token + 1);
		const char *text = prefix ? PyUnicode_AsUTF8AndSize(prefix, NULL) : NULL;
		if (row && text)
			complete_value(row, text, equal + 1, matches);
		return true;
	}
	if (*token == '-') {
		const char *dashes = token[1] == '-' ? "--" : "-";
		complete_option(rows, dashes, token + strlen(dashes), matches);
		return true;
	}
	const struct prof_option *row = row_named(rows, before, strlen(before));
	if (!row || !row->value || row->optional)
		return false;
	complete_value(row, "", token, matches);
	return true;
}
