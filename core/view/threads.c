/* The list of threads. */
#include "view/print.h"

#include "view/measures.h"

#include <stdlib.h>
#include <string.h>

struct threads {
	const struct prof_sheet *sheet;
	prof_value *values[PROF_MEASURES]; /* by what is shown: by thread */
	struct prof_measures measures;
	bool any; /* value that is not 0 */
};

static void threads_deinit(struct threads *threads)
{
	for (size_t i = 0; i < threads->sheet->shown.count; i++)
		free(threads->values[i]);
	prof_measures_deinit(&threads->measures);
}

static struct prof_error *measure(struct threads *threads)
{
	const struct prof_sheet *sheet = threads->sheet;

	for (size_t i = 0; i < sheet->shown.count; i++) {
		const struct prof_shown *shown = &sheet->shown.items[i];
		prof_value total = 0;
		struct prof_error *error = prof_metric_by_thread(sheet->experiment, shown->metric,
			sheet->selection, sheet->progress, &threads->values[i]);
		if (error)
			return error;
		for (size_t j = 0; j < sheet->experiment->threads.count; j++)
			total += threads->values[i][j];
		threads->any |= total != 0;
		prof_measures_add(&threads->measures, shown, NULL, threads->values[i], total);
	}
	return NULL;
}

static const char *name_of(const struct threads *threads, uint32_t thread)
{
	const struct prof_experiment *experiment = threads->sheet->experiment;

	return prof_strings_get(&experiment->strings, experiment->threads.items[thread].name);
}

/* The largest of the first metric first; equal ones in the order of first encounter. */
static int compare_values(const void *left, const void *right, void *context)
{
	const struct threads *threads = context;
	const prof_value *values = threads->values[0];
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (values[a] != values[b])
		return values[a] > values[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* Of one name the largest first. */
static int compare_names(const void *left, const void *right, void *context)
{
	int names = strcmp(name_of(context, *(const uint32_t *)left),
		name_of(context, *(const uint32_t *)right));

	return names ? names : compare_values(left, right, context);
}

static struct prof_error *fill(struct threads *threads, const struct prof_choice *choice)
{
	const struct prof_experiment *experiment = threads->sheet->experiment;
	size_t count = experiment->threads.count;
	AUTO_FREE uint32_t *order = malloc((count + 1) * sizeof *order);

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (choice->sort != PROF_SORT_FIRST)
		qsort_r(order, count, sizeof *order,
			choice->sort == PROF_SORT_NAME ? compare_names : compare_values, threads);
	struct prof_cell *cells = prof_measures_row(&threads->measures, PROF_NONE);
	if (!cells)
		return prof_error_nomem();
	cells[1] = prof_cell_name(PROF_PRINT_TOTAL);
	if (choice->limit && count >= choice->limit)
		count = choice->limit - 1;
	for (size_t i = 0; i < count; i++) {
		const struct prof_thread *thread = &experiment->threads.items[order[i]];
		cells = prof_measures_row(&threads->measures, order[i]);
		if (!cells)
			return prof_error_nomem();
		cells[0] = prof_cell_integer(thread->id);
		cells[1] = prof_cell_name(name_of(threads, order[i]));
	}
	return NULL;
}

struct prof_error *prof_print_threads(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	static const char *const leading[] = {"thread", "name"};
	static const struct prof_grid_column heads[] = {
		{{NULL, NULL, "Thread"}, true}, {{NULL, NULL, "Name"}, false}};
	PROF_AUTO(threads_deinit) struct threads threads = {.sheet = sheet};
	struct prof_error *error = measure(&threads);

	if (error)
		return error;
	if (choice->format == PROF_FORMAT_TEXT && !threads.any) {
		prof_print_why_nothing(sheet, text);
		return NULL;
	}
	prof_measures_begin(&threads.measures, leading, 2, true);
	error = fill(&threads, choice);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(
			"threads", sheet, &threads.measures.table, choice->format, text);
	prof_measures_print(&threads.measures, heads, text);
	return prof_text_error(text);
}
