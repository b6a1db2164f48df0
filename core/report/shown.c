/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/shown.h"

#include <string.h>

/* Reads the signs before a name in TEXT, of LENGTH bytes, into *RET; returns how long they are. */
static size_t read_signs(const char *text, size_t length, struct prof_shown *ret)
{
	size_t flavors = 0;

	*ret = (struct prof_shown){0};
	while (flavors < length && strchr("ei", text[flavors]))
		flavors++;
	size_t looks = flavors;
	while (looks < length && strchr(".+%", text[looks]))
		looks++;
	/* Without a sign the letters are part of the name. */
	if (looks == flavors)
		looks = flavors = 0;
	for (size_t i = 0; i < looks; i++) {
		ret->exclusive |= text[i] == 'e';
		ret->inclusive |= text[i] == 'i';
		ret->value |= text[i] == '.' || text[i] == '+';
		ret->percent |= text[i] == '%';
	}
	if (!flavors)
		ret->exclusive = ret->inclusive = true;
	if (!looks)
		ret->value = ret->percent = true;
	return looks;
}

/* The last colon before LENGTH in TEXT; 0: there is none, or it is the first byte. */
static size_t last_colon(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] != ':')
		length--;
	return length ? length - 1 : 0;
}

/* Reads the metric at the beginning of *TEXT, and advances *TEXT behind it. */
static struct prof_error *read_one(
	const struct prof_experiment *experiment, const char **text, struct prof_shown *ret)
{
	size_t most = strcspn(*text, ","), signs = read_signs(*text, most, ret);
	const char *name = *text + signs;
	size_t length = most - signs;

	while (!prof_metric_get(experiment, name, length, &ret->metric)) {
		length = last_colon(name, length);
		if (!length)
			return prof_metric_unknown(experiment, name, most - signs);
	}
	*text = name + length;
	return NULL;
}

struct prof_error *prof_shown_read(
	const struct prof_experiment *experiment, const char *text, struct prof_shown_list *ret)
{
	struct prof_shown_list list = {
		.items[0] = {.exclusive = true, .inclusive = true, .value = true, .percent = true}};

	prof_metric_default(experiment, &list.items[0].metric);
	list.count = text ? 0 : 1;
	while (text) {
		if (list.count == PROF_COUNT(list.items))
			return prof_error_create(PROF_ERROR_TOO_LARGE,
				"A view shows %zu metrics at most: give fewer to --metric.",
				PROF_COUNT(list.items));
		struct prof_error *error = read_one(experiment, &text, &list.items[list.count++]);
		if (error)
			return error;
		text = *text ? text + 1 : NULL;
	}
	*ret = list;
	return NULL;
}
