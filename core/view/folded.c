#include "view/folded.h"

#include <stdlib.h>

/* Prints NAME, the FIRST of its line or a later one. */
static void print_name(const char *name, bool first, struct prof_text *text)
{
	size_t start = text->length;

	if (first && *name == '#') {
		prof_text_print(text, "\\x23");
		name++;
	}
	prof_text_name(text, name);
	if (text->failed)
		return;
	if (text->length == start)
		prof_text_print(text, "?");
	for (size_t i = start; !text->failed && i < text->length; i++) {
		if (text->bytes[i] == ';')
			text->bytes[i] = ':';
	}
}

/* Prints the stack of NODE.  STACK has room for one node per level. */
static void print_stack(
	const struct prof_profile *profile, uint32_t node, uint32_t *stack, struct prof_text *text)
{
	const struct prof_call *calls = profile->tree.nodes.items;
	size_t depth = 0;

	for (; node; node = calls[node].parent)
		stack[depth++] = calls[node].function;
	for (size_t i = depth; i-- > 0;) {
		print_name(prof_experiment_function_name(profile->experiment, stack[i]),
			i + 1 == depth, text);
		prof_text_bytes(text, i ? ";" : " ", 1);
	}
}

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
	}
	return prof_text_error(text);
}
