#include "view/print.h"

#include "metric/functions.h"
#include "view/grid.h"
#include "view/number.h"
#include "view/order.h"

enum { NAME, EXCLUSIVE, INCLUSIVE, EXCLUSIVE_PERCENT, INCLUSIVE_PERCENT, WIDTH };

static const char *const columns[WIDTH] = {
	[NAME] = "name",
	[EXCLUSIVE] = "exclusive",
	[INCLUSIVE] = "inclusive",
	[EXCLUSIVE_PERCENT] = "exclusive_percent",
	[INCLUSIVE_PERCENT] = "inclusive_percent",
};

static bool add_row(struct prof_table *table, const char *name, prof_value exclusive,
	prof_value inclusive, prof_value total)
{
	struct prof_cell *row = prof_table_row(table);

	if (!row)
		return false;
	row[NAME] = prof_cell_name(name);
	row[EXCLUSIVE] = prof_cell_value(exclusive);
	row[INCLUSIVE] = prof_cell_value(inclusive);
	row[EXCLUSIVE_PERCENT] = prof_cell_real(prof_value_percent(exclusive, total));
	row[INCLUSIVE_PERCENT] = prof_cell_real(prof_value_percent(inclusive, total));
	return true;
}

/* Fills TABLE: the total, which counts against the limit as in er_print, then the functions. */
static struct prof_error *fill(const struct prof_profile *profile, const struct prof_choice *choice,
	const struct prof_functions *functions, struct prof_table *table)
{
	const struct prof_experiment *experiment = profile->experiment;
	prof_value total = functions->total;
	AUTO_FREE uint32_t *order = NULL;
	size_t count;
	struct prof_error *error =
		prof_order_functions(functions, experiment, choice->sort, &order, &count);

	if (error)
		return error;
	if (!add_row(table, PROF_PRINT_TOTAL, total, total, total))
		return prof_error_nomem();
	if (choice->limit && count >= choice->limit)
		count = choice->limit - 1;
	for (size_t i = 0; i < count; i++) {
		uint32_t function = order[i];
		if (!add_row(table, prof_experiment_function_name(experiment, function),
			    functions->exclusive[function], functions->inclusive[function], total))
			return prof_error_nomem();
	}
	return NULL;
}

static void print_text(
	const struct prof_profile *profile, const struct prof_table *table, struct prof_text *text)
{
	const struct prof_metric *metric = profile->metric;
	struct prof_grid_column heads[] = {
		{.right = true},
		{{NULL, NULL, "%"}, true},
		{.right = true},
		{{NULL, NULL, "%"}, true},
		{{NULL, NULL, "Name"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};
	char buffer[PROF_NUMBER_TEXT];

	prof_print_heads("Exclusive", metric, heads[0].heads);
	prof_print_heads("Inclusive", metric, heads[2].heads);
	for (size_t i = 0; i < prof_table_rows(table); i++) {
		const struct prof_cell *row = prof_table_get(table, i);
		prof_grid_cell(&grid, prof_number_value(row[EXCLUSIVE].value, metric, buffer));
		prof_grid_cell(&grid, prof_number_percent(row[EXCLUSIVE_PERCENT].real, buffer));
		prof_grid_cell(&grid, prof_number_value(row[INCLUSIVE].value, metric, buffer));
		prof_grid_cell(&grid, prof_number_percent(row[INCLUSIVE_PERCENT].real, buffer));
		prof_grid_name(&grid, "", row[NAME].name, "");
	}
	prof_grid_print(&grid, text);
}

struct prof_error *prof_print_functions(const struct prof_profile *profile,
	const struct prof_choice *choice, struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {"rows", columns, WIDTH, profile->metric->units, {0}};
	struct prof_functions *functions;
	struct prof_error *error;

	if (prof_print_nothing(profile, choice, text))
		return NULL;
	error = prof_functions_create(profile, &functions);
	if (error)
		return error;
	error = fill(profile, choice, functions, &table);
	prof_functions_destroy(functions);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("functions", profile, &table, choice->format, text);
	print_text(profile, &table, text);
	return prof_text_error(text);
}
