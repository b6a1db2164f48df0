/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of the ranks of a parallel job, and how balanced they are. */
#include "view/threads.h"

#include "metric/items.h"
#include "model/contents.h"
#include "report/number.h"
#include "report/sheet.h"
#include "report/shown.h"
#include "view/view.h"

/* Statistics over all ranks, in rows after theirs. */
enum { MINIMUM, MEAN, MAXIMUM, STATISTICS };
_Static_assert((int)STATISTICS < (int)PROF_THREADS_MORE, "there is room for the statistics");

/* Does the row NUMBER of THREADS count in the statistics?  It is of a rank, and is listed. */
static bool counts(const struct prof_threads *threads, size_t number)
{
	const struct prof_threads_row *row = &threads->rows.items[number];

	return row->known && !row->left_out;
}

/* Works out the statistics of the metric NUMBER over the ranks, of which there is at least one. */
static void find_statistics(struct prof_threads *threads, size_t number, size_t ranks)
{
	prof_value *values = threads->values[number];
	prof_value *statistics = values + threads->rows.count;
	prof_value sum = 0;
	bool any = false;

	for (size_t i = 0; i < threads->rows.count; i++) {
		if (!counts(threads, i))
			continue;
		if (!any || values[i] < statistics[MINIMUM])
			statistics[MINIMUM] = values[i];
		if (!any || values[i] > statistics[MAXIMUM])
			statistics[MAXIMUM] = values[i];
		sum += values[i];
		any = true;
	}
	statistics[MEAN] = sum / (prof_value)ranks;
}

static size_t count_ranks(const struct prof_threads *threads)
{
	size_t ranks = 0;

	for (size_t i = 0; i < threads->rows.count; i++)
		ranks += counts(threads, i);
	return ranks;
}

/* Adds their rows to the table. */
static struct prof_error *add_statistics(struct prof_threads *threads, size_t ranks)
{
	static const struct prof_threads_row rows[STATISTICS] = {
		[MINIMUM] = {.name = "<Minimum>"},
		[MEAN] = {.name = "<Mean>"},
		[MAXIMUM] = {.name = "<Maximum>"},
	};

	for (size_t i = 0; i < threads->sheet->shown.count; i++)
		find_statistics(threads, i, ranks);
	for (uint32_t i = 0; i < STATISTICS; i++) {
		if (!prof_threads_add(threads, (uint32_t)threads->rows.count + i, &rows[i]))
			return prof_error_nomem();
	}
	return NULL;
}

/* How far the rank with the most is above the mean: the most that balancing could gain. */
static void print_imbalance(const struct prof_threads *threads, struct prof_text *text)
{
	const char *before = "Imbalance, the maximum above the mean: ";

	for (size_t i = 0; i < threads->sheet->shown.count; i++) {
		const prof_value *statistics = threads->values[i] + threads->rows.count;
		if (statistics[MEAN] <= 0)
			continue;
		double share = (double)statistics[MAXIMUM] / (double)statistics[MEAN] - 1;
		prof_text_print(text, "%s%s %.1f %%", before,
			threads->sheet->shown.items[i].metric.name, 100 * share);
		before = ", ";
	}
	if (*before == ',')
		prof_text_print(text, ".\n");
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	AUTO_THREADS struct prof_threads threads = {.sheet = sheet, .list = PROF_LIST_RANKS};
	bool is_text = choice->format == PROF_FORMAT_TEXT;

	if (is_text && !prof_rank_any(sheet->experiment)) {
		prof_text_print(text,
			"No ranks: nothing here was recorded in a parallel job that mpirun or srun started.\n");
		return prof_text_error(text);
	}
	struct prof_error *error = prof_threads_list(&threads, choice);
	size_t ranks = count_ranks(&threads);
	bool even = !error && ranks && (threads.any || !is_text);
	if (even)
		error = add_statistics(&threads, ranks);
	if (!error)
		error = prof_threads_print(&threads, choice, text);
	if (!error && even && is_text)
		print_imbalance(&threads, text);
	return error ? error : prof_text_error(text);
}

const struct prof_view prof_view_ranks = {
	.name = "ranks",
	.describe =
		"List the ranks of a parallel job with their metrics.\n"
		"Record each rank with a GDB of its own, as \"mpirun gdbprof record\" does, and load the files of all ranks with prof-load.  "
		"Below the ranks the view lists their minimum, mean and maximum, and as text the imbalance: "
		"how far the maximum is above the mean, in percent of the mean.",
	.options = &prof_threads_options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_COSTS,
};
