/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/selection.h"

#include "base/list.h"
#include "base/number_range.h"
#include "base/strings.h"
#include "metric/filter.h"
#include "metric/intervals.h"
#include "metric/names.h"
#include "metric/recent.h"
#include "metric/times.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "model/samples.h"
#include "target/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which conditions hold for a stack. */
enum {
	HAS_OBJECT = 1 << 0,
	HAS_FUNCTION = 1 << 1,
	HAS_LEAF = 1 << 2,
	HAS_NOT_FUNCTION = 1 << 3,
};

/* A filter, resolved for an experiment. */
struct test {
	const struct prof_experiment *experiment;
	const struct prof_filter *filter;
	struct prof_intervals *intervals; /* NULL: no condition on intervals */
	struct prof_interval_set chosen;
	struct prof_times times;
	int64_t begin; /* ns since the start: of the recent past */
	bool *threads; /* by thread; NULL: any */
	bool states[PROF_STATES];
	unsigned char *objects;   /* by module: HAS_OBJECT; NULL: no condition on stacks */
	unsigned char *functions; /* by function: the other bits, as if it were the innermost */
	unsigned char *paths;     /* by path */
};

static void test_deinit(struct test *test)
{
	prof_intervals_destroy(test->intervals);
	prof_interval_set_deinit(&test->chosen);
	prof_times_deinit(&test->times);
	free(test->threads);
	free(test->objects);
	free(test->functions);
	free(test->paths);
}

/* The next part of the list *TEXT, LENGTH bytes; NULL at its end. */
static const char *next_part(const char **text, size_t *length)
{
	const char *part = *text;

	if (!part)
		return NULL;
	*length = strcspn(part, ",");
	*text = part[*length] ? part + *length + 1 : NULL;
	return part;
}

/* SEE is the end of the error's text. */
static struct prof_error *none_such(
	const char *what, const char *name, size_t length, const char *see)
{
	return prof_error_create(PROF_ERROR_MISSING, "The experiment has no %s \"%.*s\"%s.", what,
		(int)length, name, see);
}

static bool is_id(int64_t id, const char *part, size_t length)
{
	char text[32];

	snprintf(text, sizeof text, "%lld", (long long)id);
	return prof_text_is(text, part, length);
}

/* Is PART, of LENGTH bytes, the name or id of THREAD, or, with PROCESS, the id of its process? */
static bool is_thread(const struct prof_experiment *experiment, uint32_t thread, bool process,
	const char *part, size_t length)
{
	const struct prof_thread row = prof_experiment_thread_row(experiment, thread);

	if (process)
		return row.process && is_id(row.process, part, length);
	return is_id(row.id, part, length) ||
		prof_text_is(prof_experiment_text(experiment, row.name), part, length);
}

/* Keeps only the threads that are CHOSEN, and takes that array over. */
static void leave(struct test *test, bool *chosen)
{
	for (size_t i = 0; test->threads && i < test->experiment->threads.count; i++)
		chosen[i] &= test->threads[i];
	free(test->threads);
	test->threads = chosen;
}

/* Keeps only the threads that LIST, which may be NULL, names, or those of the PROCESSES. */
static struct prof_error *read_threads(struct test *test, const char *list, bool processes)
{
	const struct prof_experiment *experiment = test->experiment;
	size_t count = experiment->threads.count, length;
	AUTO_FREE bool *chosen = list ? calloc(count + 1, sizeof *chosen) : NULL;

	if (!list)
		return NULL;
	if (!chosen)
		return prof_error_nomem();
	for (const char *part; (part = next_part(&list, &length));) {
		bool found = false;
		for (uint32_t i = 0; i < count; i++) {
			if (is_thread(experiment, i, processes, part, length))
				found = chosen[i] = true;
		}
		if (!found)
			return none_such(processes ? "process" : "thread", part, length,
				processes ? "; see prof-processes" : "; see prof-threads");
	}
	leave(test, steal(&chosen));
	return NULL;
}

/* Keeps only the threads of the ranks that LIST, which may be NULL, names. */
static struct prof_error *read_ranks(struct test *test, const char *list)
{
	const struct prof_experiment *experiment = test->experiment;
	size_t count = experiment->threads.count;
	AUTO_FREE bool *chosen = list ? calloc(count + 1, sizeof *chosen) : NULL;
	struct prof_number_range range;

	if (list && !chosen)
		return prof_error_nomem();
	for (const char *at = list; at;) {
		bool found = false;
		const char *part = at;
		if (!prof_number_range_read(&at, &range))
			return prof_error_create(PROF_ERROR_USAGE,
				"\"%s\" is not a list of ranks: give numbers and ranges, such as 0-15,63.",
				list);
		for (uint32_t i = 0; i < count; i++) {
			const struct prof_rank *rank = prof_rank_of_thread(experiment, i);
			if (rank && prof_number_range_has(&range, (uint64_t)rank->rank))
				found = chosen[i] = true;
		}
		if (!found)
			return none_such("rank", part, strcspn(part, ","), "; see prof-ranks");
	}
	if (list)
		leave(test, steal(&chosen));
	return NULL;
}

/* Waits for pages of data, which have no state of their own. */
static const char data_fault[] = "data-fault";

/* Chooses the states that PART of LENGTH bytes names.  False: there are none. */
static bool choose_state(struct test *test, const char *part, size_t length)
{
	for (int i = 0; i < PROF_STATES; i++) {
		if (!prof_text_is(prof_state_names[i], part, length))
			continue;
		test->states[i] = true;
		/* As in the metrics, text faults are a part of faults. */
		test->states[PROF_STATE_TEXT] |= i == PROF_STATE_FAULT;
		return true;
	}
	bool data = prof_text_is(data_fault, part, length);
	test->states[PROF_STATE_FAULT] |= data;
	return data;
}

static struct prof_error *lacks_state(const char *name, size_t length)
{
	AUTO_TEXT struct prof_text names = {0};

	for (int i = 0; i < PROF_STATE_TEXT; i++) {
		prof_list_add(&names, prof_state_names[i]);
		if (i == PROF_STATE_FAULT) {
			prof_list_add(&names, prof_state_names[PROF_STATE_TEXT]);
			prof_list_add(&names, data_fault);
		}
	}
	return prof_list_lacks(&names, PROF_ERROR_USAGE, "state", name, length);
}

static struct prof_error *read_states(struct test *test, const char *list)
{
	size_t length;

	for (const char *part; (part = next_part(&list, &length));) {
		if (!choose_state(test, part, length))
			return lacks_state(part, length);
	}
	return NULL;
}

/*
 * Is the load object at PATH called NAME?  The name that the linker uses, "libz.so.1", is often a
 * link.
 */
static bool is_object(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t length = strlen(name);

	return !strcmp(path, name) || !strcmp(base, name) ||
		(strstr(name, ".so") && !strncmp(base, name, length) && base[length] == '.');
}

static struct prof_error *read_object(struct test *test, const char *name)
{
	const struct prof_experiment *experiment = test->experiment;
	bool found = false;

	for (size_t i = 0; i < experiment->modules.count; i++) {
		const char *path =
			prof_strings_get(&experiment->strings, experiment->modules.items[i].path);
		if (!is_object(path, name))
			continue;
		test->objects[i] = HAS_OBJECT;
		found = true;
	}
	return found ? NULL : none_such("load object", name, strlen(name), "; see prof-objects");
}

/* Marks the functions that NAME stands for with the bits WHAT. */
static struct prof_error *read_function(struct test *test, const char *name, unsigned char what)
{
	size_t functions = prof_experiment_functions(test->experiment);
	AUTO_FREE bool *found = calloc(functions + 1, sizeof *found);

	if (!found)
		return prof_error_nomem();
	if (!prof_names_find(test->experiment, NULL, name, found))
		return none_such("function", name, strlen(name), "; see prof-functions");
	for (size_t i = 0; i < functions; i++)
		test->functions[i] |= found[i] ? what : 0;
	return NULL;
}

/* The bits of FRAME as the innermost one of a stack. */
static unsigned char of_frame(const struct test *test, uint32_t frame)
{
	const struct prof_experiment *experiment = test->experiment;
	const struct prof_frame *at = &experiment->frames.items[frame];
	unsigned char all = test->objects[at->module];

	for (uint32_t i = 0; i < at->locations; i++) {
		uint32_t function = experiment->locations.items[at->first_location + i].function;
		unsigned char one = test->functions[function];
		all |= test->objects[prof_experiment_function_row(experiment, function).module];
		all |= i ? one & ~HAS_LEAF : one;
	}
	return all;
}

static struct prof_error *read_stacks(struct test *test)
{
	static const struct {
		enum prof_condition condition;
		unsigned char what;
	} rows[] = {
		{PROF_CONDITION_FUNCTION, HAS_FUNCTION},
		{PROF_CONDITION_LEAF, HAS_LEAF},
		{PROF_CONDITION_NOT_FUNCTION, HAS_NOT_FUNCTION},
	};
	const struct prof_experiment *experiment = test->experiment;
	const char *const *values = test->filter->values;
	size_t count = experiment->paths.count;
	struct prof_error *error = NULL;

	test->objects = calloc(experiment->modules.count + 1, sizeof *test->objects);
	test->functions =
		calloc(prof_experiment_functions(experiment) + 1, sizeof *test->functions);
	test->paths = calloc(count + 1, sizeof *test->paths);
	if (!test->objects || !test->functions || !test->paths)
		return prof_error_nomem();
	if (values[PROF_CONDITION_OBJECT])
		error = read_object(test, values[PROF_CONDITION_OBJECT]);
	for (size_t i = 0; !error && i < PROF_COUNT(rows); i++) {
		if (values[rows[i].condition])
			error = read_function(test, values[rows[i].condition], rows[i].what);
	}
	/* A path's parent has a smaller number. */
	for (size_t i = 1; !error && i < count; i++) {
		const struct prof_path *path = &experiment->paths.items[i];
		test->paths[i] =
			(test->paths[path->parent] & ~HAS_LEAF) | of_frame(test, path->frame);
	}
	return error;
}

static struct prof_error *read_intervals(struct test *test)
{
	struct prof_error *error = prof_intervals_create(test->experiment, &test->intervals);

	return error ? error
		     : prof_interval_set_filter(test->intervals, test->filter, &test->chosen);
}

static struct prof_error *test_init(struct test *test)
{
	const char *const *values = test->filter->values;
	struct prof_error *error = NULL;

	if (values[PROF_CONDITION_INTERVAL] || values[PROF_CONDITION_BETWEEN])
		error = read_intervals(test);
	if (!error && values[PROF_CONDITION_TIME])
		error = prof_times_read(&test->times, values[PROF_CONDITION_TIME]);
	if (!error)
		error = prof_recent_begin(test->experiment, test->filter, &test->begin);
	if (!error)
		error = read_threads(test, values[PROF_CONDITION_THREAD], false);
	if (!error)
		error = read_threads(test, values[PROF_CONDITION_PROCESS], true);
	if (!error)
		error = read_ranks(test, values[PROF_CONDITION_RANK]);
	if (!error && values[PROF_CONDITION_STATE])
		error = read_states(test, values[PROF_CONDITION_STATE]);
	return error ? error : read_stacks(test);
}

/* Does ROW have any time in the chosen states? */
static bool has_state(const struct test *test, const struct prof_sample_row *row)
{
	bool has = test->states[row->sample.state];

	for (int i = 0; i < PROF_STATES && !has; i++)
		has = test->states[i] && row->values[PROF_QUANTITY_SPENT + i];
	return has;
}

static bool passes(const struct test *test, const struct prof_sample_row *row)
{
	const char *const *values = test->filter->values;
	const struct prof_sample *sample = &row->sample;
	unsigned char need = (values[PROF_CONDITION_OBJECT] ? HAS_OBJECT : 0) |
		(values[PROF_CONDITION_FUNCTION] ? HAS_FUNCTION : 0) |
		(values[PROF_CONDITION_LEAF] ? HAS_LEAF : 0);
	unsigned char has = test->paths[sample->path];

	return (has & need) == need && !(has & HAS_NOT_FUNCTION) &&
		(!test->threads || test->threads[sample->thread]) &&
		(!test->intervals ||
			test->chosen.has[prof_intervals_at(test->intervals, sample->time)]) &&
		(!values[PROF_CONDITION_STATE] || has_state(test, row)) &&
		sample->time >= test->begin &&
		(!values[PROF_CONDITION_TIME] || prof_times_have(&test->times, sample->time));
}

/* Skips the blocks in whose stretch of time nothing is chosen. */
static void choose_blocks(const struct test *test, struct prof_selection *selection)
{
	const struct prof_samples *samples = &test->experiment->samples;

	for (size_t i = 0; i < samples->blocks.count; i++) {
		const struct prof_samples_block *block = &samples->blocks.items[i];
		bool meets = block->last >= test->begin &&
			(!test->times.list.count ||
				prof_times_meet(&test->times, block->first, block->last));
		selection->blocks[i / CHAR_BIT] |= (unsigned char)(meets << i % CHAR_BIT);
	}
}

static struct prof_error *choose(const struct test *test, struct prof_selection *selection)
{
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = test->experiment, .blocks = selection->blocks};

	choose_blocks(test, selection);
	while (prof_cursor_next(&rows)) {
		bool chosen = passes(test, &rows.row);
		size_t number = rows.row.number;
		selection->chosen[number / CHAR_BIT] |=
			(unsigned char)(chosen << number % CHAR_BIT);
		selection->count += chosen;
	}
	return prof_cursor_error(&rows);
}

struct prof_error *prof_selection_create(const struct prof_experiment *experiment,
	const struct prof_filter *filter, struct prof_selection **ret)
{
	PROF_AUTO(test_deinit)
	struct test test = {.experiment = experiment, .filter = filter};
	size_t count = experiment->samples.count;

	*ret = NULL;
	if (!prof_filter_is_set(filter))
		return NULL;
	struct prof_error *error = test_init(&test);
	if (error)
		return error;
	struct prof_selection *selection = calloc(1, sizeof *selection);
	if (selection) {
		selection->chosen = calloc(count / CHAR_BIT + 1, 1);
		selection->blocks = calloc(experiment->samples.blocks.count / CHAR_BIT + 1, 1);
	}
	if (!selection || !selection->chosen || !selection->blocks) {
		prof_selection_destroy(selection);
		return prof_error_nomem();
	}
	selection->samples = count;
	for (int i = 0; i < PROF_STATES; i++)
		selection->states[i] = !filter->values[PROF_CONDITION_STATE] || test.states[i];
	error = choose(&test, selection);
	if (error)
		prof_selection_destroy(selection);
	else
		*ret = selection;
	return error;
}

void prof_selection_destroy(struct prof_selection *selection)
{
	if (!selection)
		return;
	free(selection->chosen);
	free(selection->blocks);
	free(selection);
}
