/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_clocks.h"

#include "base/map.h"
#include "model/experiment.h"
#include "model/mpi_matches.h"

#include <stdlib.h>
#include <string.h>

/* Of a collective operation with more clocks, each is compared with the first one alone. */
enum { ALL_PAIRS = 16 };

/* ns, 13 days: clocks that differ by more are of different jobs.  Sums of such times fit in 64
 * bits. */
static const int64_t farthest = INT64_C(1) << 50;

/* In one collective operation: when the last rank of a clock came, and when the first one left. */
struct attendance {
	uint32_t clock;
	int64_t last_begin, first_end;
};

struct finder {
	const struct prof_experiment *experiment;
	struct prof_mpi_clocks *clocks;
	uint32_t *of_ranks; /* by row of ranks: its clock, or PROF_NONE */
	struct prof_map bound_index;
	PROF_ARRAY(struct prof_clock_bound) bounds; /* one for each pair of clocks */
	PROF_ARRAY(struct attendance) attendances;
	struct prof_mpi_matches matches;
};

static void finder_deinit(struct finder *finder)
{
	free(finder->of_ranks);
	free(finder->bounds.items);
	free(finder->attendances.items);
	prof_map_deinit(&finder->bound_index);
	prof_mpi_matches_deinit(&finder->matches);
}

void prof_mpi_clocks_deinit(struct prof_mpi_clocks *clocks)
{
	for (size_t i = 0; i < clocks->items.count; i++)
		free(clocks->items.items[i].kernel);
	free(clocks->items.items);
	*clocks = (struct prof_mpi_clocks){0};
}

/* Adds the clock of KERNEL.  False: no memory. */
static bool add_clock(struct prof_mpi_clocks *clocks, const char *kernel)
{
	char *copy = strdup(kernel);
	struct prof_mpi_clock *added = copy ? prof_array_push(&clocks->items) : NULL;

	if (!added) {
		free(copy);
		return false;
	}
	*added = (struct prof_mpi_clock){.kernel = copy};
	return true;
}

/* Makes a list of all clocks.  False: no memory. */
static bool collect(struct finder *finder)
{
	const struct prof_experiment *experiment = finder->experiment;
	PROF_AUTO(prof_map_deinit) struct prof_map index = {0};

	finder->of_ranks = calloc(experiment->ranks.count + 1, sizeof *finder->of_ranks);
	if (!finder->of_ranks)
		return false;
	for (size_t i = 0; i < experiment->ranks.count; i++) {
		const struct prof_rank *rank = &experiment->ranks.items[i];
		finder->of_ranks[i] = PROF_NONE;
		if (rank->rank == PROF_RANK_NONE)
			continue;
		uint32_t clock = prof_map_get(&index, rank->kernel);
		if (clock == PROF_NONE) {
			clock = (uint32_t)finder->clocks->items.count;
			if (!prof_map_add(&index, rank->kernel, clock) ||
				!add_clock(finder->clocks,
					prof_experiment_text(experiment, rank->kernel)))
				return false;
		}
		finder->of_ranks[i] = clock;
	}
	return true;
}

/* The clock of OPERATION; PROF_NONE: it is of no rank. */
static uint32_t clock_of(const struct finder *finder, const struct prof_mpi_operation *operation)
{
	const struct prof_rank *rank = prof_rank_of_thread(finder->experiment, operation->thread);

	return rank ? finder->of_ranks[rank - finder->experiment->ranks.items] : PROF_NONE;
}

/*
 * An event at BEGIN, by the clock FROM, was not later than an event at END, by the clock TO. False:
 * no memory.
 */
static bool bound(struct finder *finder, uint32_t from, uint32_t to, int64_t begin, int64_t end)
{
	if (from == to || from == PROF_NONE || to == PROF_NONE || llabs(end - begin) > farthest)
		return true;
	uint64_t pair = prof_map_pair(from, to);
	uint32_t number = prof_map_get(&finder->bound_index, pair);
	if (number != PROF_NONE) {
		struct prof_clock_bound *known = &finder->bounds.items[number];
		if (end - begin < known->most)
			known->most = end - begin;
		return true;
	}
	struct prof_clock_bound *added = prof_array_push(&finder->bounds);
	if (!added)
		return false;
	*added = (struct prof_clock_bound){from, to, end - begin};
	return prof_map_add(&finder->bound_index, pair, (uint32_t)finder->bounds.count - 1);
}

static bool use_message(struct finder *finder, const struct prof_mpi_match *match)
{
	const struct prof_mpi_operation *items = finder->experiment->operations.items;
	const struct prof_mpi_operation *send = &items[match->send];
	const struct prof_mpi_operation *receive = &items[match->receive];

	return bound(finder, clock_of(finder, send), clock_of(finder, receive), send->posted,
		receive->comm == PROF_OPERATION_HANDSHAKE ? receive->posted : receive->end);
}

/* Notes that MEMBER took part.  False: no memory. */
static bool attend(struct finder *finder, const struct prof_mpi_operation *member)
{
	uint32_t clock = clock_of(finder, member);
	size_t i = 0;

	if (clock == PROF_NONE)
		return true;
	while (i < finder->attendances.count && finder->attendances.items[i].clock != clock)
		i++;
	if (i == finder->attendances.count) {
		struct attendance *added = prof_array_push(&finder->attendances);
		if (added)
			*added = (struct attendance){clock, member->begin, member->end};
		return added;
	}
	struct attendance *seen = &finder->attendances.items[i];
	seen->last_begin = member->begin > seen->last_begin ? member->begin : seen->last_begin;
	seen->first_end = member->end < seen->first_end ? member->end : seen->first_end;
	return true;
}

static bool bound_both(
	struct finder *finder, const struct attendance *a, const struct attendance *b)
{
	return bound(finder, a->clock, b->clock, a->last_begin, b->first_end) &&
		bound(finder, b->clock, a->clock, b->last_begin, a->first_end);
}

/* No rank leaves a barrier, or an operation in which each sends to all, before all have come. */
static bool use_collective(struct finder *finder, const struct prof_mpi_collective *collective)
{
	const uint32_t *members = finder->matches.members.items + collective->first;
	const struct prof_mpi_operation *items = finder->experiment->operations.items;
	bool done = true;

	if (items[*members].kind != PROF_OPERATION_BARRIER &&
		items[*members].kind != PROF_OPERATION_ALL)
		return true;
	finder->attendances.count = 0;
	for (uint32_t i = 0; i < collective->count && done; i++)
		done = attend(finder, &items[members[i]]);
	size_t count = finder->attendances.count;
	const struct attendance *attendances = finder->attendances.items;
	for (size_t i = 0; i < (count > ALL_PAIRS ? 1 : count) && done; i++) {
		for (size_t j = i + 1; j < count && done; j++)
			done = bound_both(finder, &attendances[i], &attendances[j]);
	}
	return done;
}

/* Finds the offsets by the bounds. */
static struct prof_error *solve(struct finder *finder)
{
	struct prof_mpi_clocks *clocks = finder->clocks;
	size_t count = clocks->items.count;
	AUTO_FREE struct prof_clock_offset *offsets = calloc(count + 1, sizeof *offsets);

	if (!offsets)
		return prof_error_nomem();
	struct prof_error *error = prof_clock_offsets_find(
		finder->bounds.items, finder->bounds.count, count, offsets, &clocks->early);
	for (size_t i = 1; i < count && !error; i++) {
		const struct prof_clock_offset *offset = &offsets[i];
		clocks->items.items[i].offset = *offset;
		if (!offset->bounded)
			continue;
		int64_t most = offset->error + llabs(offset->offset);
		clocks->bounded++;
		clocks->differ = most > clocks->differ ? most : clocks->differ;
	}
	return error;
}

struct prof_error *prof_mpi_clocks_find(
	const struct prof_experiment *experiment, struct prof_mpi_clocks *ret)
{
	PROF_AUTO(finder_deinit)
	struct finder finder = {.experiment = experiment, .clocks = ret};

	*ret = (struct prof_mpi_clocks){0};
	if (!collect(&finder))
		return prof_error_nomem();
	if (ret->items.count < 2 || !experiment->operations.count)
		return NULL;
	struct prof_error *error = prof_mpi_matches_init(
		&finder.matches, experiment->operations.items, experiment->operations.count);
	bool done = true;
	for (size_t i = 0; !error && done && i < finder.matches.list.count; i++)
		done = use_message(&finder, &finder.matches.list.items[i]);
	for (size_t i = 0; !error && done && i < finder.matches.handshakes.count; i++)
		done = use_message(&finder, &finder.matches.handshakes.items[i]);
	for (size_t i = 0; !error && done && i < finder.matches.collectives.count; i++)
		done = use_collective(&finder, &finder.matches.collectives.items[i]);
	if (error || !done)
		return error ? error : prof_error_nomem();
	return solve(&finder);
}

bool prof_mpi_clocks_differ(const struct prof_mpi_clocks *clocks)
{
	for (size_t i = 0; i < clocks->items.count; i++) {
		if (clocks->items.items[i].offset.offset)
			return true;
	}
	return false;
}

/* The kernel of all ranks of EXPERIMENT; NULL: they have several, or none is known. */
static const char *kernel_of(const struct prof_experiment *experiment)
{
	const char *kernel = NULL;

	for (size_t i = 0; i < experiment->ranks.count; i++) {
		const struct prof_rank *rank = &experiment->ranks.items[i];
		const char *own = prof_experiment_text(experiment, rank->kernel);
		if (rank->rank == PROF_RANK_NONE)
			continue;
		if (!*own || (kernel && strcmp(kernel, own)))
			return NULL;
		kernel = own;
	}
	return kernel;
}

void prof_mpi_clocks_correct(
	const struct prof_mpi_clocks *clocks, struct prof_experiment *experiment)
{
	const char *kernel = kernel_of(experiment);
	int64_t ahead = 0;

	for (size_t i = 0; kernel && i < clocks->items.count; i++) {
		if (!strcmp(clocks->items.items[i].kernel, kernel))
			ahead = clocks->items.items[i].offset.offset;
	}
	for (size_t i = 0; ahead && i < experiment->ranks.count; i++) {
		struct prof_rank *rank = &experiment->ranks.items[i];
		int64_t moved;
		if (!rank->realtime || __builtin_sub_overflow(rank->realtime, ahead, &moved) ||
			llabs(moved) > PROF_TIME_MOST)
			continue;
		rank->realtime = moved;
		if (llabs(ahead) > experiment->recording.clock_correction)
			experiment->recording.clock_correction = llabs(ahead);
	}
}
