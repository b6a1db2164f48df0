/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/strings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
	const struct prof_strings *strings;
	const char *text;
	size_t length;
};

static bool same(const void *context, uint32_t id)
{
	const struct wanted *wanted = context;
	const char *text = wanted->strings->texts.items[id];

	return !strncmp(text, wanted->text, wanted->length) && !text[wanted->length];
}

void prof_strings_deinit(struct prof_strings *strings)
{
	for (size_t i = 0; i < strings->texts.count; i++)
		free(strings->texts.items[i]);
	free(strings->texts.items);
	prof_map_deinit(&strings->index);
	*strings = (struct prof_strings){0};
}

struct prof_error *prof_strings_add(
	struct prof_strings *strings, const char *text, size_t length, uint32_t *ret)
{
	struct wanted wanted = {strings, text, strnlen(text, length)};
	uint64_t hash = prof_map_hash(text, wanted.length);
	uint32_t id = prof_map_find(&strings->index, hash, same, &wanted);

	if (id == PROF_NONE) {
		AUTO_FREE char *copy = strndup(text, wanted.length);
		id = (uint32_t)strings->texts.count;
		char **added = copy ? prof_map_push(&strings->index, hash, &strings->texts) : NULL;
		if (!added)
			return prof_error_nomem();
		*added = steal(&copy);
	}
	*ret = id;
	return NULL;
}

uint32_t prof_strings_find(const struct prof_strings *strings, const char *text)
{
	struct wanted wanted = {strings, text, strlen(text)};

	return prof_map_find(&strings->index, prof_map_hash(text, wanted.length), same, &wanted);
}

const char *prof_strings_get(const struct prof_strings *strings, uint32_t id)
{
	assert(id < strings->texts.count);
	return strings->texts.items[id];
}
