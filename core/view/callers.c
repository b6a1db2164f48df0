#include "view/print.h"

#include "metric/functions.h"
#include "view/grid.h"
#include "view/number.h"
#include "view/order.h"

#include <stdlib.h>
#include <string.h>

enum { FOCUS, ROLE, NAME, ATTRIBUTED, PERCENT, WIDTH };

static const char *const columns[WIDTH] = {
	[FOCUS] = "focus",
	[ROLE] = "role",
	[NAME] = "name",
	[ATTRIBUTED] = "attributed",
	[PERCENT] = "percent",
};

/* In the order of a panel's lines. */
enum role { CALLER, SELF, CALLEE };

static const char *const roles[] = {"caller", "self", "callee"};

/* How many similar names an error tells. */
enum { SUGGESTIONS = 5 };

struct callers {
	const struct prof_profile *profile;
	struct prof_functions *functions;
	struct prof_table table;
	PROF_ARRAY(struct prof_attribution) part; /* the callers or callees of one panel */
};

static void callers_deinit(struct callers *callers)
{
	prof_functions_destroy(callers->functions);
	prof_table_deinit(&callers->table);
	free(callers->part.items);
}

static const char *name_of(const struct prof_experiment *experiment, uint32_t function)
{
	return function == PROF_NONE ? PROF_PRINT_TOTAL
				     : prof_experiment_function_name(experiment, function);
}

/* The largest first, as gprofng has them on both sides of the focus; equal ones by name. */
static int compare_attributions(const void *left, const void *right, void *context)
{
	const struct prof_attribution *a = left;
	const struct prof_attribution *b = right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	int names = strcmp(name_of(context, a->other), name_of(context, b->other));
	return names ? names : (a->other > b->other) - (a->other < b->other);
}

static bool add_row(struct callers *callers, uint32_t focus, enum role role, uint32_t function,
	prof_value value)
{
	const struct prof_experiment *experiment = callers->profile->experiment;
	prof_value whole = focus == PROF_NONE ? callers->functions->total
					      : callers->functions->inclusive[focus];
	struct prof_cell *row = prof_table_row(&callers->table);

	if (!row)
		return false;
	row[FOCUS] = prof_cell_name(name_of(experiment, focus));
	row[ROLE] = prof_cell_name(roles[role]);
	row[NAME] = prof_cell_name(name_of(experiment, function));
	row[ATTRIBUTED] = prof_cell_value(value);
	row[PERCENT] = prof_cell_real(prof_value_percent(value, whole));
	return true;
}

/* Adds the lines of ROLE that `part` holds, and empties it. */
static bool add_part(struct callers *callers, uint32_t focus, enum role role)
{
	if (callers->part.count)
		qsort_r(callers->part.items, callers->part.count, sizeof *callers->part.items,
			compare_attributions, (void *)callers->profile->experiment);
	for (size_t i = 0; i < callers->part.count; i++) {
		const struct prof_attribution *line = &callers->part.items[i];
		if (!add_row(callers, focus, role, line->other, line->value))
			return false;
	}
	callers->part.count = 0;
	return true;
}

/* Puts LENGTH attributions of one function into `part`. */
static bool take_part(
	struct callers *callers, const struct prof_attribution *attributions, size_t length)
{
	if (!prof_array_reserve(&callers->part, length))
		return false;
	if (length)
		memcpy(callers->part.items, attributions, length * sizeof *attributions);
	callers->part.count = length;
	return true;
}

/* The whole program as the caller of its outermost functions. */
static bool add_total(struct callers *callers)
{
	const struct prof_profile *profile = callers->profile;

	if (!add_row(callers, PROF_NONE, SELF, PROF_NONE, 0))
		return false;
	for (size_t i = 1; i < profile->tree.nodes.count; i++) {
		const struct prof_call *call = &profile->tree.nodes.items[i];
		if (call->parent)
			continue;
		struct prof_attribution *line = prof_array_push(&callers->part);
		if (!line)
			return false;
		*line = (struct prof_attribution){PROF_NONE, call->function, profile->inclusive[i]};
	}
	return add_part(callers, PROF_NONE, CALLEE);
}

static bool add_panel(struct callers *callers, uint32_t focus)
{
	const struct prof_functions *functions = callers->functions;
	const struct prof_attribution *found;
	size_t length;

	found = prof_functions_of(
		functions->callers.items, functions->callers.count, focus, &length);
	if (!take_part(callers, found, length) || !add_part(callers, focus, CALLER))
		return false;
	if (!add_row(callers, focus, SELF, focus, functions->exclusive[focus]))
		return false;
	found = prof_functions_of(
		functions->callees.items, functions->callees.count, focus, &length);
	return take_part(callers, found, length) && add_part(callers, focus, CALLEE);
}

/* The error that there is no function NAME, but some whose names contain it. */
static struct prof_error *unknown_function(
	const struct callers *callers, const uint32_t *order, size_t count, const char *name)
{
	const struct prof_experiment *experiment = callers->profile->experiment;
	AUTO_TEXT struct prof_text message = {0};
	int found = 0;

	prof_text_print(&message, "No function \"");
	prof_text_name(&message, name);
	prof_text_print(&message, "\" is in any stack");
	for (size_t i = 0; i < count && found < SUGGESTIONS; i++) {
		const char *other = prof_experiment_function_name(experiment, order[i]);
		if (!strcasestr(other, name))
			continue;
		prof_text_print(&message, found++ ? ", \"" : "; similar: \"");
		prof_text_name(&message, other);
		prof_text_print(&message, "\"");
	}
	prof_text_print(&message, ".");
	struct prof_error *error = prof_text_error(&message);
	return error ? error : prof_error_create(PROF_ERROR_USAGE, "%s", prof_text_get(&message));
}

/* Adds a panel for each function called NAME: there may be one in each module. */
static struct prof_error *fill_named(
	struct callers *callers, const uint32_t *order, size_t count, const char *name)
{
	bool found = false;

	if (!strcmp(name, PROF_PRINT_TOTAL))
		return add_total(callers) ? NULL : prof_error_nomem();
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name_of(callers->profile->experiment, order[i]), name) != 0)
			continue;
		found = true;
		if (!add_panel(callers, order[i]))
			return prof_error_nomem();
	}
	return found ? NULL : unknown_function(callers, order, count, name);
}

static struct prof_error *fill(struct callers *callers, const struct prof_choice *choice)
{
	AUTO_FREE uint32_t *order = NULL;
	size_t count;
	struct prof_error *error = prof_order_items(
		callers->functions, callers->profile->items, choice->sort, &order, &count);

	if (error)
		return error;
	if (choice->function)
		return fill_named(callers, order, count, choice->function);
	if (choice->limit && count >= choice->limit)
		count = choice->limit - 1;
	bool good = add_total(callers);
	for (size_t i = 0; i < count && good; i++)
		good = add_panel(callers, order[i]);
	return good ? NULL : prof_error_nomem();
}

/* Is a line with ROLE the first of its panel, where the line before had BEFORE? */
static bool is_first(const char *role, const char *before)
{
	return before != roles[CALLER] && (role == roles[CALLER] || role == roles[SELF]);
}

static void print_text(const struct callers *callers, struct prof_text *text)
{
	const struct prof_metric *metric = callers->profile->metric;
	struct prof_grid_column heads[] = {
		{.right = true},
		{{NULL, NULL, "%"}, true},
		{{NULL, NULL, " Name"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	const char *before = roles[CALLER];
	char buffer[PROF_NUMBER_TEXT];

	prof_print_heads("Attributed", metric, heads[0].heads);
	for (size_t i = 0; i < prof_table_rows(&callers->table); i++) {
		const struct prof_cell *row = prof_table_get(&callers->table, i);
		const char *role = row[ROLE].name;
		if (is_first(role, before))
			prof_grid_blank(&grid);
		before = role;
		prof_grid_cell(&grid, prof_number_value(row[ATTRIBUTED].value, metric, buffer));
		prof_grid_cell(&grid, prof_number_percent(row[PERCENT].real, buffer));
		prof_grid_name(&grid, role == roles[SELF] ? "*" : " ", row[NAME].name, "");
	}
	prof_grid_print(&grid, text);
}

struct prof_error *prof_print_callers(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_profile *profile = sheet->profiles[0];
	PROF_AUTO(callers_deinit)
	struct callers callers = {
		.profile = profile,
		.table = {"rows", columns, WIDTH, profile->metric->units, {0}},
	};
	struct prof_error *error;

	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	error = prof_functions_create(profile, &callers.functions);
	if (!error)
		error = fill(&callers, choice);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("callers", sheet, &callers.table, choice->format, text);
	print_text(&callers, text);
	return prof_text_error(text);
}
