/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/stops.h"

#include "base/memory.h"
#include "model/experiment.h"
#include "model/mark.h"

#include <inttypes.h>
#include <stdlib.h>

/* The stops, by time, and the last of all marks. */
struct stops {
	PROF_ARRAY(const struct prof_mark *) list;
	const struct prof_mark *last;
};

static void stops_deinit(struct stops *stops)
{
	free(stops->list.items);
}

static bool is_stop(const struct prof_mark *mark)
{
	return mark->kind == PROF_MARK_STOP || mark->kind == PROF_MARK_START;
}

static struct prof_error *find_stops(const struct prof_experiment *experiment, struct stops *ret)
{
	for (size_t i = 0; i < experiment->marks.count; i++) {
		const struct prof_mark *mark = &experiment->marks.items[i];
		if (!ret->last || mark->time >= ret->last->time)
			ret->last = mark;
		if (!is_stop(mark))
			continue;
		const struct prof_mark **stop = prof_array_push(&ret->list);
		if (!stop)
			return prof_error_nomem();
		*stop = mark;
	}
	if (ret->list.count)
		qsort(ret->list.items, ret->list.count, sizeof *ret->list.items, prof_mark_compare);
	return NULL;
}

/* Has the program run between the marks BEGIN and END? */
static bool ran(const struct prof_mark *begin, const struct prof_mark *end)
{
	return end->usage.figures[PROF_USAGE_RUNNING] > begin->usage.figures[PROF_USAGE_RUNNING];
}

static bool ran_since(const struct stops *stops)
{
	return stops->list.count && ran(stops->list.items[stops->list.count - 1], stops->last);
}

bool prof_stops_ran(const struct prof_experiment *experiment)
{
	PROF_AUTO(stops_deinit) struct stops stops = {0};
	AUTO_ERROR struct prof_error *error = find_stops(experiment, &stops);

	return !error && ran_since(&stops);
}

struct prof_error *prof_stops_since(
	const struct prof_experiment *experiment, uint64_t number, struct prof_stop_span *ret)
{
	PROF_AUTO(stops_deinit) struct stops stops = {0};
	struct prof_error *error = find_stops(experiment, &stops);

	if (error)
		return error;
	if (!stops.list.count)
		return prof_error_create(PROF_ERROR_MISSING,
			"The experiment has no stops: gdbprof records them only if \"set prof mark-stops\" is on.");
	size_t before = stops.list.count - !ran_since(&stops);
	if (!before && number)
		return prof_error_create(
			PROF_ERROR_MISSING, "The program has not run since the recording began.");
	if (number > before)
		return prof_error_create(PROF_ERROR_MISSING,
			"There is no stop %" PRIu64
			" stops ago: the recording began %zu stop%s ago.",
			number, before, before == 1 ? "" : "s");
	size_t begin = number ? before - number : stops.list.count - 1;
	*ret = (struct prof_stop_span){stops.list.items[begin], stops.last};
	return NULL;
}
