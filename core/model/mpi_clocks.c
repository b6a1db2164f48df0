/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_clocks.h"

#include "base/map.h"
#include "model/experiment.h"
#include "model/mpi_matches.h"

#include <stdlib.h>

/* A clock is ahead of the first one by LEAST to MOST ns. */
struct clock {
	uint32_t kernel; /* string: whose it is */
	bool any_least, any_most;
	int64_t least, most;
	/* In one collective operation: when the last of its ranks came, and when the first left. */
	bool takes_part;
	int64_t last_begin, first_end;
};

struct finder {
	const struct prof_experiment *experiment;
	PROF_ARRAY(struct clock) clocks;
	struct prof_mpi_matches matches;
};

static void finder_deinit(struct finder *finder)
{
	free(finder->clocks.items);
	prof_mpi_matches_deinit(&finder->matches);
}

/* Makes a list of all clocks.  False: no memory. */
static bool collect(struct finder *finder)
{
	const struct prof_experiment *experiment = finder->experiment;

	for (size_t i = 0; i < experiment->ranks.count; i++) {
		const struct prof_rank *rank = &experiment->ranks.items[i];
		size_t found = 0;
		while (found < finder->clocks.count &&
			finder->clocks.items[found].kernel != rank->kernel)
			found++;
		if (rank->rank == PROF_RANK_NONE || found < finder->clocks.count)
			continue;
		struct clock *added = prof_array_push(&finder->clocks);
		if (!added)
			return false;
		*added = (struct clock){.kernel = rank->kernel};
	}
	return true;
}

/* The clock of OPERATION; NULL: it is of no rank. */
static struct clock *clock_of(struct finder *finder, const struct prof_mpi_operation *operation)
{
	const struct prof_rank *rank = prof_rank_of_thread(finder->experiment, operation->thread);

	for (size_t i = 0; rank && i < finder->clocks.count; i++) {
		if (finder->clocks.items[i].kernel == rank->kernel)
			return &finder->clocks.items[i];
	}
	return NULL;
}

/* An event at BEGIN, by the clock FROM, was not later than an event at END, by the clock TO. */
static void bound(
	struct finder *finder, struct clock *from, struct clock *to, int64_t begin, int64_t end)
{
	const struct clock *first = finder->clocks.items;
	int64_t apart = end - begin;

	if (from == first && to != first) {
		to->most = !to->any_most || apart < to->most ? apart : to->most;
		to->any_most = true;
	} else if (to == first && from != first) {
		from->least = !from->any_least || -apart > from->least ? -apart : from->least;
		from->any_least = true;
	}
}

static void use_message(struct finder *finder, const struct prof_mpi_match *match)
{
	const struct prof_mpi_operation *items = finder->experiment->operations.items;
	struct clock *from = clock_of(finder, &items[match->send]);
	struct clock *to = clock_of(finder, &items[match->receive]);

	if (from && to)
		bound(finder, from, to, items[match->send].posted, items[match->receive].end);
}

/* No rank leaves a barrier, or an operation in which each sends to all, before all have come. */
static void use_collective(struct finder *finder, const struct prof_mpi_collective *collective)
{
	const uint32_t *members = finder->matches.members.items + collective->first;
	const struct prof_mpi_operation *items = finder->experiment->operations.items;
	struct clock *first = finder->clocks.items;

	if (items[*members].kind != PROF_OPERATION_BARRIER &&
		items[*members].kind != PROF_OPERATION_ALL)
		return;
	for (size_t i = 0; i < finder->clocks.count; i++)
		first[i].takes_part = false;
	for (uint32_t i = 0; i < collective->count; i++) {
		const struct prof_mpi_operation *member = &items[members[i]];
		struct clock *clock = clock_of(finder, member);
		if (!clock)
			continue;
		if (!clock->takes_part || member->begin > clock->last_begin)
			clock->last_begin = member->begin;
		if (!clock->takes_part || member->end < clock->first_end)
			clock->first_end = member->end;
		clock->takes_part = true;
	}
	for (size_t i = 1; first->takes_part && i < finder->clocks.count; i++) {
		if (!first[i].takes_part)
			continue;
		bound(finder, first, &first[i], first->last_begin, first[i].first_end);
		bound(finder, &first[i], first, first[i].last_begin, first->first_end);
	}
}

/* A clock that drifted may have bounds that contradict each other: then it is not known. */
static struct prof_mpi_clocks sum_up(const struct finder *finder)
{
	struct prof_mpi_clocks found = {.known = finder->clocks.count > 1};

	for (size_t i = 1; i < finder->clocks.count; i++) {
		const struct clock *clock = &finder->clocks.items[i];
		found.known &= clock->any_least && clock->any_most && clock->least <= clock->most;
		if (-clock->least > found.differ)
			found.differ = -clock->least;
		if (clock->most > found.differ)
			found.differ = clock->most;
	}
	return found;
}

struct prof_error *prof_mpi_clocks_find(
	const struct prof_experiment *experiment, struct prof_mpi_clocks *ret)
{
	PROF_AUTO(finder_deinit) struct finder finder = {.experiment = experiment};

	*ret = (struct prof_mpi_clocks){0};
	if (!collect(&finder))
		return prof_error_nomem();
	if (finder.clocks.count < 2 || !experiment->operations.count)
		return NULL;
	struct prof_error *error = prof_mpi_matches_init(
		&finder.matches, experiment->operations.items, experiment->operations.count);
	if (error)
		return error;
	for (size_t i = 0; i < finder.matches.list.count; i++)
		use_message(&finder, &finder.matches.list.items[i]);
	for (size_t i = 0; i < finder.matches.collectives.count; i++)
		use_collective(&finder, &finder.matches.collectives.items[i]);
	*ret = sum_up(&finder);
	return NULL;
}
