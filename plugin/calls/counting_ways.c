/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/counting_ways.h"

#include "base/list.h"
#include "plugin/calls/call_breakpoints.h"
#include "plugin/calls/counted_objects.h"
#include "plugin/calls/counted_patches.h"
#include "plugin/calls/recorded_calls.h"

#include <string.h>

/* So many functions are named in a sentence. */
enum { NAMED = 20 };

static void say_patches(struct prof_text *text)
{
	struct prof_list_names names = {.text = text, .most = NAMED};
	const char *name;
	uint64_t address;

	for (size_t i = 0; (name = counted_patches_at(i, &address)) || address; i++) {
		if (!name || counted_patches_is_of_object(i))
			continue;
		if (!names.count)
			prof_text_print(text,
				recorded_calls_are_wanted() ? "Patches record the calls of "
							    : "Patches count the calls of ");
		prof_list_name(&names, name);
	}
	prof_list_end(&names);
	if (names.count)
		prof_text_print(text, ".\n");
}

/* Why the calls of POINT's function are counted there; NULL: they are not counted. */
static const char *reason(const struct call_breakpoint *point)
{
	if (point->traced != SIZE_MAX || point->resolver || point->refused)
		return NULL;
	if (point->lost)
		return "the program changes its code";
	return point->why;
}

/* Has a breakpoint before the one numbered INDEX the same reason, WHY? */
static bool is_said(size_t index, const char *why)
{
	bool found = false;

	for (size_t i = 0; i < index && !found; i++) {
		const char *other = reason(call_breakpoints_at(i));
		found = other && !strcmp(other, why);
	}
	return found;
}

/* A sentence for all functions with the reason WHY, the first of which is numbered FIRST. */
static void say_reason(struct prof_text *text, size_t first, const char *why)
{
	const struct call_breakpoint *point;
	struct prof_list_names names = {.text = text, .most = NAMED};

	prof_text_print(text, "Breakpoints count the calls of ");
	for (size_t i = first; (point = call_breakpoints_at(i)); i++) {
		const char *other = reason(point);
		if (other && !strcmp(other, why))
			prof_list_name(&names, point->name);
	}
	prof_list_end(&names);
	bool sentence = *why && why[strlen(why) - 1] == '.';
	prof_text_print(text,
		sentence ? ", which cannot be patched.  %s\n" : ", which cannot be patched: %s.\n",
		why);
	if (recorded_calls_are_wanted())
		prof_text_print(
			text, "These calls have no times, and are not listed one by one.\n");
}

void counting_ways_say(struct prof_text *text)
{
	const struct call_breakpoint *point;

	say_patches(text);
	counted_objects_say(text);
	for (size_t i = 0; (point = call_breakpoints_at(i)); i++) {
		const char *why = reason(point);
		if (why && !is_said(i, why))
			say_reason(text, i, why);
	}
}
