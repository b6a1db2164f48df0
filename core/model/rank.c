/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rank.h"

#include "base/search.h"
#include "model/experiment.h"

#include <inttypes.h>
#include <string.h>

struct prof_error *prof_rank_add(
	struct prof_experiment *experiment, const struct prof_rank_request *request)
{
	struct prof_rank rank = {
		.rank = request->rank,
		.size = request->size,
		.first_thread = (uint32_t)experiment->threads.count,
		.first_mark = (uint32_t)experiment->marks.count,
		.monotonic = request->monotonic,
		.realtime = request->realtime,
	};
	const struct {
		const char *text;
		uint32_t *string;
	} texts[] = {
		{request->launcher, &rank.launcher},
		{request->job, &rank.job},
		{request->host, &rank.host},
		{request->kernel, &rank.kernel},
	};
	struct prof_error *error = NULL;

	for (size_t i = 0; i < PROF_COUNT(texts) && !error; i++)
		error = prof_experiment_string(experiment, texts[i].text, texts[i].string);
	if (error)
		return error;
	struct prof_rank *added = prof_array_push(&experiment->ranks);
	if (!added)
		return prof_error_nomem();
	*added = rank;
	return NULL;
}

/*
 * The row of EXPERIMENT's ranks to which its thread NUMBER belongs, or, with MARKS, its mark
 * NUMBER.
 */
static const struct prof_rank *find(
	const struct prof_experiment *experiment, uint32_t number, bool marks)
{
	const struct prof_rank *rows = experiment->ranks.items;
	size_t begun; /* rows that begin at NUMBER or before it */

	PROF_SEARCH(begun, experiment->ranks.count, i,
		(marks ? rows[i].first_mark : rows[i].first_thread) <= number);
	return begun && rows[begun - 1].rank != PROF_RANK_NONE ? &rows[begun - 1] : NULL;
}

const struct prof_rank *prof_rank_of_thread(
	const struct prof_experiment *experiment, uint32_t thread)
{
	return find(experiment, thread, false);
}

const struct prof_rank *prof_rank_of_mark(const struct prof_experiment *experiment, uint32_t mark)
{
	return find(experiment, mark, true);
}

/* The first row of EXPERIMENT that is a rank; NULL: there is none. */
static const struct prof_rank *first_of(const struct prof_experiment *experiment)
{
	for (size_t i = 0; i < experiment->ranks.count; i++) {
		if (experiment->ranks.items[i].rank != PROF_RANK_NONE)
			return &experiment->ranks.items[i];
	}
	return NULL;
}

bool prof_rank_any(const struct prof_experiment *experiment)
{
	return first_of(experiment);
}

void prof_rank_print(const struct prof_rank *rank, struct prof_text *text)
{
	if (rank)
		prof_text_print(text, "rank %" PRId64 ": ", rank->rank);
}

/* A pair of rows of two experiments. */
struct pair {
	const struct prof_experiment *a_of, *b_of;
	const struct prof_rank *a, *b;
};

static const char *text(const struct prof_experiment *experiment, uint32_t string)
{
	return prof_experiment_text(experiment, string);
}

/* Do both rows of PAIR have the same launcher, size and job? */
static bool is_one_job(const struct pair *pair)
{
	return pair->a->rank != PROF_RANK_NONE && pair->b->rank != PROF_RANK_NONE &&
		pair->a->size == pair->b->size &&
		!strcmp(text(pair->a_of, pair->a->launcher), text(pair->b_of, pair->b->launcher)) &&
		!strcmp(text(pair->a_of, pair->a->job), text(pair->b_of, pair->b->job));
}

/* Do both rows of PAIR have times of the same clock? */
static bool is_one_clock(const struct pair *pair)
{
	const char *kernel = text(pair->a_of, pair->a->kernel);

	return *kernel && !strcmp(kernel, text(pair->b_of, pair->b->kernel)) &&
		pair->a->monotonic && pair->b->monotonic;
}

/*
 * Finds rows of one job in INTO and FROM, preferably of one clock.  False: there are none, or both
 * have the same rank.
 */
static bool find_pair(const struct prof_experiment *into, const struct prof_experiment *from,
	struct pair *ret, bool *one_clock)
{
	bool found = false;

	*one_clock = false;
	for (size_t i = 0; i < into->ranks.count; i++) {
		for (size_t j = 0; j < from->ranks.count; j++) {
			const struct pair pair = {
				into, from, &into->ranks.items[i], &from->ranks.items[j]};
			if (!is_one_job(&pair))
				continue;
			if (pair.a->rank == pair.b->rank)
				return false;
			bool better = !*one_clock && is_one_clock(&pair);
			if (!found || better)
				*ret = pair;
			*one_clock |= better;
			found = true;
		}
	}
	return found;
}

/* Moves STRETCH by SHIFT.  False: it would be too far from 0. */
static bool move(struct prof_rank_stretch *stretch, int64_t shift)
{
	if (shift > 0 ? stretch->last > PROF_TIME_MOST - shift
		      : stretch->first < -PROF_TIME_MOST - shift)
		return false;
	stretch->first += shift;
	stretch->last += shift;
	return true;
}

bool prof_rank_align(const struct prof_experiment *into, struct prof_rank_stretch into_times,
	const struct prof_experiment *from, struct prof_rank_stretch from_times, int64_t *shift)
{
	struct pair pair = {0};
	bool one_clock;

	if (!find_pair(into, from, &pair, &one_clock))
		return false;
	if (!one_clock && (!pair.a->realtime || !pair.b->realtime))
		return false;
	/* No time is further from 0 than PROF_TIME_MOST. */
	*shift = one_clock ? pair.b->monotonic - pair.a->monotonic
			   : pair.b->realtime - pair.a->realtime;
	if (!move(&from_times, *shift))
		return false;
	bool named = *text(into, pair.a->job);
	return named ||
		(from_times.first <= into_times.last && into_times.first <= from_times.last);
}

/* A clock's time at a start that has moved by SHIFT. */
static int64_t moved(int64_t time, int64_t shift)
{
	if (!time)
		return 0;
	if (shift > 0 ? time < -PROF_TIME_MOST + shift : time > PROF_TIME_MOST + shift)
		return 0;
	return time - shift;
}

struct prof_error *prof_rank_merge(struct prof_experiment *into, const struct prof_experiment *from,
	uint32_t first_thread, uint32_t first_mark, int64_t shift)
{
	const struct prof_rank_request none = {PROF_RANK_NONE, 0, "", "", "", "", 0, 0};
	size_t first = into->ranks.count;
	struct prof_error *error = NULL;

	/* Threads and marks of no rank do not belong to the rank before them. */
	bool hides = first &&
		(!from->ranks.count || from->ranks.items[0].first_thread ||
			from->ranks.items[0].first_mark);
	if (hides) {
		error = prof_rank_add(into, &none);
		if (error)
			return error;
		into->ranks.items[first].first_thread = first_thread;
		into->ranks.items[first].first_mark = first_mark;
	}
	for (size_t i = 0; i < from->ranks.count && !error; i++) {
		const struct prof_rank *rank = &from->ranks.items[i];
		const struct prof_rank_request request = {
			.rank = rank->rank,
			.size = rank->size,
			.launcher = text(from, rank->launcher),
			.job = text(from, rank->job),
			.host = text(from, rank->host),
			.kernel = text(from, rank->kernel),
			.monotonic = moved(rank->monotonic, shift),
			.realtime = moved(rank->realtime, shift),
		};
		error = prof_rank_add(into, &request);
		if (error)
			break;
		struct prof_rank *added = &into->ranks.items[into->ranks.count - 1];
		added->first_thread = first_thread + rank->first_thread;
		added->first_mark = first_mark + rank->first_mark;
	}
	return error;
}
