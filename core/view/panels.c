/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/panels.h"

#include "base/strings.h"
#include "metric/calltree.h"
#include "metric/fragment.h"
#include "metric/functions.h"
#include "metric/profile.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "report/needs.h"
#include "report/sheet.h"
#include "view/named.h"
#include "view/print.h"

#include <stdlib.h>
#include <string.h>

const char *const prof_panel_role_names[PROF_PANEL_ROLES] = {
	[PROF_PANEL_CALLER] = "caller",
	[PROF_PANEL_PART] = "fragment",
	[PROF_PANEL_SELF] = "self",
	[PROF_PANEL_CALLEE] = "callee",
};

/* Attributions of a function or a fragment. */
struct attributed {
	const struct prof_attribution *lines;
	size_t count;
};

struct prof_error *prof_panels_init(
	struct prof_panels *panels, const struct prof_profile *const *profiles, size_t sides)
{
	*panels = (struct prof_panels){.profiles = profiles, .sides = sides};
	for (size_t i = 0; i < sides; i++) {
		struct prof_error *error = prof_functions_create(profiles[i], &panels->of[i]);
		if (error)
			return error;
		for (size_t j = 0; j < panels->of[i]->count; j++)
			panels->of[0]->seen[j] |= panels->of[i]->seen[j];
	}
	return NULL;
}

void prof_panels_deinit(struct prof_panels *panels)
{
	for (size_t i = 0; i < panels->sides; i++)
		prof_functions_destroy(panels->of[i]);
	for (size_t i = 0; i < panels->texts.count; i++)
		free(panels->texts.items[i]);
	free(panels->texts.items);
	free(panels->panel.lines.items);
	*panels = (struct prof_panels){0};
}

static const char *name_of(const struct prof_panels *panels, uint32_t function)
{
	return function == PROF_NONE
		? PROF_SHEET_TOTAL
		: prof_experiment_function_name(panels->profiles[0]->experiment, function);
}

/* In the chosen order, then by name. */
static int compare_lines(const void *left, const void *right, void *context)
{
	const struct prof_panels *panels = context;
	const struct prof_panel_line *a = left;
	const struct prof_panel_line *b = right;
	int result;

	/* The largest first, as gprofng sorts on both sides of the focus. */
	if (panels->order)
		result = panels->order(a->values, b->values, panels->context);
	else
		result = (a->values[0] < b->values[0]) - (a->values[0] > b->values[0]);
	if (!result)
		result = strcmp(a->name, b->name);
	return result ? result : (a->function > b->function) - (a->function < b->function);
}

static int compare_functions(const void *left, const void *right)
{
	const struct prof_panel_line *a = left;
	const struct prof_panel_line *b = right;

	return (a->function > b->function) - (a->function < b->function);
}

static struct prof_panel_line *add_line(
	struct prof_panels *panels, enum prof_panel_role role, uint32_t function)
{
	struct prof_panel_line *line = prof_array_push(&panels->panel.lines);

	if (line)
		*line = (struct prof_panel_line){
			.role = role, .function = function, .name = name_of(panels, function)};
	return line;
}

/* Makes one line of those from number FIRST on for the same function: the values of each side. */
static void join_lines(struct prof_panels *panels, size_t first)
{
	struct prof_panel_line *lines = panels->panel.lines.items;
	size_t last = first;

	qsort(lines + first, panels->panel.lines.count - first, sizeof *lines, compare_functions);
	for (size_t i = first + 1; i < panels->panel.lines.count; i++) {
		if (lines[i].function != lines[last].function) {
			lines[++last] = lines[i];
			continue;
		}
		for (size_t side = 0; side < panels->sides; side++)
			lines[last].values[side] += lines[i].values[side];
	}
	panels->panel.lines.count = last + 1;
}

/* Adds the lines of ROLE from both sides. */
static struct prof_error *add_lines(
	struct prof_panels *panels, enum prof_panel_role role, const struct attributed *sides)
{
	size_t first = panels->panel.lines.count;

	for (size_t side = 0; side < panels->sides; side++) {
		for (size_t i = 0; i < sides[side].count; i++) {
			const struct prof_attribution *from = &sides[side].lines[i];
			struct prof_panel_line *line = add_line(panels, role, from->other);
			if (!line)
				return prof_error_nomem();
			line->values[side] = from->value;
		}
	}
	if (panels->panel.lines.count > first && panels->sides > 1)
		join_lines(panels, first);
	size_t count = panels->panel.lines.count - first;
	if (count > 1)
		qsort_r(panels->panel.lines.items + first, count, sizeof *panels->panel.lines.items,
			compare_lines, panels);
	return NULL;
}

static void begin_panel(struct prof_panels *panels, const char *focus)
{
	panels->panel.focus = focus;
	panels->panel.lines.count = 0;
}

/* The outermost functions of PROFILE, as callees, in a new array. */
static struct prof_error *find_outermost(
	const struct prof_profile *profile, struct prof_attribution **ret, size_t *count)
{
	const struct prof_call *calls = profile->tree.nodes.items;
	size_t nodes = profile->tree.nodes.count;

	*count = 0;
	for (size_t i = 1; i < nodes; i++)
		*count += !calls[i].parent;
	*ret = malloc((*count + 1) * sizeof **ret);
	if (!*ret)
		return prof_error_nomem();
	*count = 0;
	for (size_t i = 1; i < nodes; i++) {
		if (!calls[i].parent)
			(*ret)[(*count)++] = (struct prof_attribution){
				PROF_NONE, calls[i].function, profile->inclusive[i]};
	}
	return NULL;
}

struct prof_error *prof_panels_total(
	struct prof_panels *panels, prof_panels_take *take, void *context)
{
	struct prof_attribution *outermost[PROF_PANELS_SIDES] = {NULL};
	struct attributed sides[PROF_PANELS_SIDES];
	struct prof_error *error = NULL;

	begin_panel(panels, PROF_SHEET_TOTAL);
	for (size_t side = 0; side < panels->sides && !error; side++) {
		panels->panel.wholes[side] = panels->profiles[side]->inclusive[0];
		error = find_outermost(
			panels->profiles[side], &outermost[side], &sides[side].count);
		sides[side].lines = outermost[side];
	}
	if (!error && !add_line(panels, PROF_PANEL_SELF, PROF_NONE))
		error = prof_error_nomem();
	if (!error)
		error = add_lines(panels, PROF_PANEL_CALLEE, sides);
	if (!error)
		error = take(context, &panels->panel);
	for (size_t side = 0; side < panels->sides; side++)
		free(outermost[side]);
	return error;
}

struct prof_error *prof_panels_function(
	struct prof_panels *panels, uint32_t function, prof_panels_take *take, void *context)
{
	struct attributed callers[PROF_PANELS_SIDES], callees[PROF_PANELS_SIDES];

	begin_panel(panels, name_of(panels, function));
	for (size_t side = 0; side < panels->sides; side++) {
		const struct prof_functions *of = panels->of[side];
		panels->panel.wholes[side] = of->inclusive[function];
		callers[side].lines = prof_functions_of(
			of->callers.items, of->callers.count, function, &callers[side].count);
		callees[side].lines = prof_functions_of(
			of->callees.items, of->callees.count, function, &callees[side].count);
	}
	struct prof_error *error = add_lines(panels, PROF_PANEL_CALLER, callers);
	if (error)
		return error;
	struct prof_panel_line *self = add_line(panels, PROF_PANEL_SELF, function);
	if (!self)
		return prof_error_nomem();
	for (size_t side = 0; side < panels->sides; side++)
		self->values[side] = panels->of[side]->exclusive[function];
	error = add_lines(panels, PROF_PANEL_CALLEE, callees);
	return error ? error : take(context, &panels->panel);
}

/* Moves the string of TEXT to PANELS. */
static struct prof_error *keep_text(
	struct prof_panels *panels, struct prof_text *text, const char **ret)
{
	struct prof_error *error = prof_text_error(text);
	char **kept = error ? NULL : prof_array_push(&panels->texts);

	if (error || !kept)
		return error ? error : prof_error_nomem();
	*kept = text->bytes;
	*text = (struct prof_text){0};
	*ret = *kept;
	return NULL;
}

/* A function that PART stands for. */
static uint32_t function_of(const struct prof_named_part *part)
{
	uint32_t function = 0;

	while (!part->functions[function])
		function++;
	return function;
}

/* The name of PART's function or, if there are several, the text that was typed. */
static const char *part_name(const struct prof_panels *panels, const struct prof_named_part *part)
{
	const struct prof_experiment *experiment = panels->profiles[0]->experiment;
	uint32_t first = function_of(part);
	size_t functions = prof_experiment_functions(experiment);
	uint32_t name = prof_experiment_function_row(experiment, first).name;

	for (uint32_t i = first; i < functions; i++) {
		if (part->functions[i] && prof_experiment_function_row(experiment, i).name != name)
			return part->text;
	}
	return prof_strings_get(&experiment->strings, name);
}

/* The names of the fragment NAMED, separated by spaces; PANELS owns the text. */
static struct prof_error *name_fragment(
	struct prof_panels *panels, const struct prof_named *named, const char **ret)
{
	AUTO_TEXT struct prof_text text = {0};

	for (size_t i = 0; i < named->parts.count; i++) {
		const char *name = part_name(panels, &named->parts.items[i]);
		prof_text_bytes(&text, " ", i > 0);
		prof_text_bytes(&text, name, strlen(name));
	}
	return keep_text(panels, &text, ret);
}

/* The error that no stack has the functions NAMED in this order. */
static struct prof_error *not_in_a_row(
	const struct prof_panels *panels, const struct prof_named *named)
{
	AUTO_TEXT struct prof_text text = {0};

	for (size_t i = 0; i < named->parts.count; i++) {
		prof_text_print(&text, i ? ", \"" : "\"");
		prof_text_name(&text, part_name(panels, &named->parts.items[i]));
		prof_text_print(&text, "\"");
	}
	struct prof_error *error = prof_text_error(&text);
	return error
		? error
		: prof_error_create(PROF_ERROR_MISSING,
			  "No stack has these functions in a row: %s.  Name callers before callees.",
			  prof_text_get(&text));
}

/* Adds the line of PART, with ROLE; *RET is valid until the next one is added. */
static struct prof_error *add_part(struct prof_panels *panels, enum prof_panel_role role,
	const struct prof_named_part *part, struct prof_panel_line **ret)
{
	const char *name = part_name(panels, part);
	AUTO_TEXT struct prof_text text = {0};

	prof_text_bytes(&text, name, strlen(name));
	*ret = add_line(panels, role, function_of(part));
	return *ret ? keep_text(panels, &text, &(*ret)->name) : prof_error_nomem();
}

/* Adds the lines of the fragment NAMED, as FOUND on each side. */
static struct prof_error *fill_fragment(struct prof_panels *panels, const struct prof_named *named,
	struct prof_fragment *const *found)
{
	struct attributed callers[PROF_PANELS_SIDES], callees[PROF_PANELS_SIDES];
	size_t count = named->parts.count;
	struct prof_panel_line *line = NULL;

	for (size_t side = 0; side < panels->sides; side++) {
		const struct prof_fragment *of = found[side];
		panels->panel.wholes[side] = of->inclusive;
		callers[side] = (struct attributed){of->callers.items, of->callers.count};
		callees[side] = (struct attributed){of->callees.items, of->callees.count};
	}
	struct prof_error *error = add_lines(panels, PROF_PANEL_CALLER, callers);
	for (size_t i = 0; i < count && !error; i++)
		error = add_part(panels, i + 1 < count ? PROF_PANEL_PART : PROF_PANEL_SELF,
			&named->parts.items[i], &line);
	if (error)
		return error;
	for (size_t side = 0; side < panels->sides; side++)
		line->values[side] = found[side]->exclusive;
	return add_lines(panels, PROF_PANEL_CALLEE, callees);
}

static struct prof_error *make_fragment(struct prof_panels *panels, const struct prof_named *named,
	prof_panels_take *take, void *context)
{
	size_t count = named->parts.count;
	AUTO_FREE const bool **parts = calloc(count, sizeof *parts);
	struct prof_fragment *found[PROF_PANELS_SIDES] = {NULL};
	const struct prof_fragment_request request = {parts, count};
	const char *focus = NULL;
	bool seen = false;
	struct prof_error *error =
		prof_needs_check(panels->profiles[0]->experiment, PROF_HAS_STACKS, "A fragment");
	if (!error)
		error = parts ? name_fragment(panels, named, &focus) : prof_error_nomem();

	for (size_t i = 0; i < count && !error; i++)
		parts[i] = named->parts.items[i].functions;
	for (size_t side = 0; side < panels->sides && !error; side++) {
		error = prof_fragment_create(panels->profiles[side], &request, &found[side]);
		seen |= !error && found[side]->seen;
	}
	if (!error && !seen)
		error = not_in_a_row(panels, named);
	if (!error) {
		begin_panel(panels, focus);
		error = fill_fragment(panels, named, found);
	}
	if (!error)
		error = take(context, &panels->panel);
	for (size_t side = 0; side < panels->sides; side++)
		prof_fragment_destroy(found[side]);
	return error;
}

struct prof_error *prof_panels_named(
	struct prof_panels *panels, const char *names, prof_panels_take *take, void *context)
{
	const struct prof_experiment *experiment = panels->profiles[0]->experiment;
	AUTO_NAMED struct prof_named named = {0};

	if (!strcmp(names, PROF_SHEET_TOTAL))
		return prof_panels_total(panels, take, context);
	struct prof_error *error = prof_named_read(&named, experiment, panels->of[0]->seen, names);
	if (error)
		return error;
	if (named.parts.count > 1)
		return make_fragment(panels, &named, take, context);
	for (uint32_t i = 0; i < panels->of[0]->count && !error; i++) {
		if (named.parts.items[0].functions[i])
			error = prof_panels_function(panels, i, take, context);
	}
	return error;
}
