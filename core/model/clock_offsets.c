/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/clock_offsets.h"

#include "base/memory.h"
#include "model/sample_row.h"

#include <stdlib.h>

/*
 * Every bound is an edge of a graph.  The length of the shortest path from the first clock is the
 * upper bound of an offset, and that of the shortest path back the lower one, negated.  Both are
 * offsets that agree with all bounds, and so is their mean.
 */
struct solver {
	const struct prof_clock_bound *bounds;
	size_t count, clocks;
	int64_t slack;       /* ns: added to each bound */
	int64_t *high, *low; /* by clock */
	struct prof_clock_offset *offsets;
};

/* What high[] and low[] are of clocks without a bound. */
#define NO_HIGH INT64_MAX
#define NO_LOW INT64_MIN

static void solver_deinit(struct solver *solver)
{
	free(solver->high);
	free(solver->low);
}

static bool is_bounded(const struct solver *solver, uint32_t clock)
{
	return solver->high[clock] != NO_HIGH && solver->low[clock] != NO_LOW;
}

/* Lowers *TO to what BOUND permits if its other clock is at FROM.  Returns true if it has changed.
 */
static bool lower(const struct solver *solver, const struct prof_clock_bound *bound, int64_t from,
	int64_t *to)
{
	int64_t most;

	if (__builtin_add_overflow(bound->most, solver->slack, &most) ||
		__builtin_add_overflow(from, most, &most) || most >= *to)
		return false;
	*to = most;
	return true;
}

/* The same: raises *FROM if its other clock is at TO. */
static bool raise(const struct solver *solver, const struct prof_clock_bound *bound, int64_t *from,
	int64_t to)
{
	int64_t least;

	if (__builtin_add_overflow(bound->most, solver->slack, &least) ||
		__builtin_sub_overflow(to, least, &least) || least <= *from)
		return false;
	*from = least;
	return true;
}

/*
 * Calls STEP with each bound until that changes nothing.  False: it always does, so that the bounds
 * contradict each other.
 */
static bool settle(struct solver *solver,
	bool (*step)(struct solver *solver, const struct prof_clock_bound *bound))
{
	for (size_t round = 0; round <= solver->clocks; round++) {
		bool changed = false;
		for (size_t i = 0; i < solver->count; i++)
			changed |= step(solver, &solver->bounds[i]);
		if (!changed)
			return true;
	}
	return false;
}

static bool lower_bounds(struct solver *solver, const struct prof_clock_bound *bound)
{
	int64_t from = solver->high[bound->from];

	return from != NO_HIGH && lower(solver, bound, from, &solver->high[bound->to]);
}

static bool raise_bounds(struct solver *solver, const struct prof_clock_bound *bound)
{
	int64_t to = solver->low[bound->to];

	return to != NO_LOW && raise(solver, bound, &solver->low[bound->from], to);
}

/* Of clocks that have an upper bound alone: moves them back as far as they must be. */
static bool move_back(struct solver *solver, const struct prof_clock_bound *bound)
{
	struct prof_clock_offset *offsets = solver->offsets;

	return !is_bounded(solver, bound->to) && solver->high[bound->from] != NO_HIGH &&
		lower(solver, bound, offsets[bound->from].offset, &offsets[bound->to].offset);
}

/* Of those that have none, and perhaps a lower bound: moves them on as far as they must be. */
static bool move_on(struct solver *solver, const struct prof_clock_bound *bound)
{
	struct prof_clock_offset *offsets = solver->offsets;

	return solver->high[bound->from] == NO_HIGH &&
		raise(solver, bound, &offsets[bound->from].offset, offsets[bound->to].offset);
}

/* Half of the way from LOW to HIGH, rounded down: so the offsets agree to the nanosecond. */
static int64_t middle_of(int64_t low, int64_t high)
{
	return (low & high) + ((low ^ high) >> 1);
}

/* Finds the offsets, each bound being exceeded by SLACK.  False: there are none. */
static bool solve(struct solver *solver, int64_t slack)
{
	solver->slack = slack;
	for (size_t i = 0; i < solver->clocks; i++) {
		solver->high[i] = i ? NO_HIGH : 0;
		solver->low[i] = i ? NO_LOW : 0;
	}
	if (!settle(solver, lower_bounds) || !settle(solver, raise_bounds))
		return false;
	for (uint32_t i = 0; i < solver->clocks; i++) {
		struct prof_clock_offset *offset = &solver->offsets[i];
		*offset = (struct prof_clock_offset){.bounded = is_bounded(solver, i)};
		if (!offset->bounded)
			continue;
		offset->offset = middle_of(solver->low[i], solver->high[i]);
		offset->error = solver->high[i] - offset->offset;
	}
	return settle(solver, move_back) && settle(solver, move_on);
}

static int compare_pairs(const void *left, const void *right)
{
	const struct prof_clock_bound *a = left;
	const struct prof_clock_bound *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* By how much two bounds of the same pair of clocks, sorted ones, contradict each other at most. */
static int64_t largest_contradiction(const struct prof_clock_bound *sorted, size_t count)
{
	int64_t largest = 1;

	for (size_t i = 0; i < count; i++) {
		const struct prof_clock_bound back = {.from = sorted[i].to, .to = sorted[i].from};
		const struct prof_clock_bound *found =
			bsearch(&back, sorted, count, sizeof *sorted, compare_pairs);
		int64_t apart;
		if (found && !__builtin_add_overflow(found->most, sorted[i].most, &apart) &&
			-(apart / 2) >= largest)
			largest = -(apart / 2) + 1;
	}
	return largest;
}

/* Finds the least slack with which there are offsets, to a 64th.  False: no memory. */
static bool find_slack(struct solver *solver)
{
	AUTO_FREE struct prof_clock_bound *sorted = calloc(solver->count + 1, sizeof *sorted);

	if (!sorted)
		return false;
	for (size_t i = 0; i < solver->count; i++)
		sorted[i] = solver->bounds[i];
	qsort(sorted, solver->count, sizeof *sorted, compare_pairs);
	int64_t high = largest_contradiction(sorted, solver->count), low = high - 1;
	while (high <= PROF_TIME_MOST / 2 && !solve(solver, high)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1 + high / 64) {
		int64_t middle = low + (high - low) / 2;
		if (solve(solver, middle))
			high = middle;
		else
			low = middle;
	}
	solve(solver, high);
	return true;
}

struct prof_error *prof_clock_offsets_find(const struct prof_clock_bound *bounds, size_t count,
	size_t clocks, struct prof_clock_offset *ret, int64_t *exceeded)
{
	PROF_AUTO(solver_deinit)
	struct solver solver = {
		.bounds = bounds,
		.count = count,
		.clocks = clocks,
		.high = calloc(clocks + 1, sizeof *solver.high),
		.low = calloc(clocks + 1, sizeof *solver.low),
		.offsets = ret,
	};

	if (!solver.high || !solver.low)
		return prof_error_nomem();
	if (!solve(&solver, 0) && !find_slack(&solver))
		return prof_error_nomem();
	*exceeded = solver.slack;
	return NULL;
}
