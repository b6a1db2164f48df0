/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/folded.h"

#include "export/export.h"
#include "metric/calltree.h"
#include "metric/profile.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Where the space is in front of the number (N, N. or N.M) at the end of NAME; LENGTH: there is
 * none. Such a leaf and its weight would look like the two weights of a line in a difference.
 */
static size_t number_space(const char *name, size_t length)
{
	size_t at = length;

	while (at && is_digit(name[at - 1]))
		at--;
	if (at && name[at - 1] == '.') {
		at--;
		while (at && is_digit(name[at - 1]))
			at--;
	}
	return at && name[at - 1] == ' ' && at < length && is_digit(name[at]) ? at - 1 : length;
}

/* Writes the space at AT as `\x20`. */
static void escape_space(struct prof_text *text, size_t at)
{
	size_t behind = text->length - at - 1;

	prof_text_bytes(text, "x20", 3);
	if (text->failed)
		return;
	memmove(text->bytes + at + 4, text->bytes + at + 1, behind);
	memcpy(text->bytes + at, "\\x20", 4);
}

void prof_folded_name(const char *name, struct prof_text *text)
{
	size_t start = text->length;

	prof_text_name(text, name);
	if (text->failed)
		return;
	if (text->length == start)
		prof_text_print(text, "?");
	for (size_t i = start; !text->failed && i < text->length; i++) {
		if (text->bytes[i] == ';')
			text->bytes[i] = ':';
	}
	size_t space = start + number_space(text->bytes + start, text->length - start);
	if (space < text->length)
		escape_space(text, space);
	if (!text->failed && text->bytes[start] == ' ')
		escape_space(text, start);
}

void prof_folded_begin(const char *stack, size_t length, struct prof_text *text)
{
	bool comment = length && *stack == '#';

	if (comment)
		prof_text_print(text, "\\x23");
	prof_text_bytes(text, stack + comment, length - comment);
}

/* Prints the stack of NODE.  STACK has room for one node per level. */
static void print_stack(
	const struct prof_profile *profile, uint32_t node, uint32_t *stack, struct prof_text *text)
{
	const struct prof_call *calls = profile->tree.nodes.items;
	size_t depth = 0;

	AUTO_TEXT struct prof_text first = {0};

	for (; node; node = calls[node].parent)
		stack[depth++] = calls[node].function;
	for (size_t i = depth; i-- > 0;) {
		bool begins = i + 1 == depth;
		prof_folded_name(prof_experiment_function_name(profile->experiment, stack[i]),
			begins ? &first : text);
		if (begins)
			prof_folded_begin(prof_text_get(&first), first.length, text);
		prof_text_bytes(text, i ? ";" : " ", 1);
	}
	text->failed |= first.failed;
}

enum { TEXT_MOST = 1 << 30 }; /* bytes: a line is as long as its stack is deep */

struct prof_error *prof_folded_print(const struct prof_profile *profile, struct prof_text *text)
{
	size_t count = profile->tree.nodes.count;
	AUTO_FREE uint32_t *stack = malloc(count * sizeof *stack);
	char weight[PROF_VALUE_TEXT];

	if (!stack)
		return prof_error_nomem();
	for (uint32_t node = 1; node < count && !text->failed; node++) {
		if (!profile->self[node])
			continue;
		print_stack(profile, node, stack, text);
		prof_text_print(text, "%s\n", prof_value_print(profile->self[node], 1, weight));
		if (text->length > TEXT_MOST)
			return prof_error_create(
				PROF_ERROR_TOO_LARGE, PROF_EXPORT_STACKS_TOO_LARGE, TEXT_MOST);
	}
	return prof_text_error(text);
}
