/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ranks of a parallel job that an experiment has. */
#include "base/map.h"
#include "base/time_unit.h"
#include "model/experiment.h"
#include "model/mpi_clocks.h"
#include "model/rank.h"
#include "report/recording.h"

#include <inttypes.h>

/* Empty when all zeroes. */
struct seen {
	struct prof_map ranks, jobs, hosts, clocks; /* by rank and by string */
	uint32_t rank_count, job_count, host_count, clock_count;
	const struct prof_rank *first;
};

static void seen_deinit(struct seen *seen)
{
	prof_map_deinit(&seen->ranks);
	prof_map_deinit(&seen->jobs);
	prof_map_deinit(&seen->hosts);
	prof_map_deinit(&seen->clocks);
}

/* Counts KEY unless INDEX has it already.  False: no memory. */
static bool note(struct prof_map *index, uint64_t key, uint32_t *count)
{
	if (prof_map_get(index, key) != PROF_NONE)
		return true;
	return prof_map_add(index, key, (*count)++);
}

static bool see(struct seen *seen, const struct prof_rank *rank)
{
	if (rank->rank == PROF_RANK_NONE)
		return true;
	if (!seen->first)
		seen->first = rank;
	return note(&seen->ranks, (uint64_t)rank->rank, &seen->rank_count) &&
		note(&seen->jobs, rank->job, &seen->job_count) &&
		note(&seen->hosts, rank->host, &seen->host_count) &&
		note(&seen->clocks, rank->kernel, &seen->clock_count);
}

static double seconds(int64_t ns)
{
	return (double)ns / PROF_NS_PER_SECOND;
}

/* The seconds of a bound, to whole us: a bound must not become less. */
static double bound_seconds(int64_t ns)
{
	return seconds((ns + 999) / 1000 * 1000);
}

/* How far the clocks of the hosts, of which FIRST is one of the ranks, may differ. */
static void print_clocks(const struct prof_experiment *experiment, const struct prof_rank *first,
	struct prof_text *text)
{
	AUTO_MPI_CLOCKS struct prof_mpi_clocks clocks = {0};
	AUTO_ERROR struct prof_error *error = prof_mpi_clocks_find(experiment, &clocks);
	size_t others = clocks.items.count ? clocks.items.count - 1 : 0;
	int64_t moved = experiment->recording.clock_correction;

	text->failed |= error != NULL;
	if (moved)
		prof_text_print(text,
			"gdbprof has moved the clocks of hosts by up to %.6f s, so that no message arrives before it was sent.\n",
			seconds(moved));
	if (clocks.bounded && clocks.early)
		prof_text_print(text,
			"The clocks of the hosts run at different speeds: messages seem to arrive up to %.6f s before they were sent.\n",
			seconds(clocks.early));
	else if (clocks.bounded)
		prof_text_print(text,
			"The clocks of %s differ from that of rank %" PRId64
			" by at most %.6f s, as the messages between them show.\n",
			clocks.bounded < others ? "some hosts" : "the hosts", first->rank,
			bound_seconds(clocks.differ));
	if (!clocks.bounded)
		prof_text_print(text,
			"The clocks of different hosts may differ, so their times can be compared only roughly.\n");
	else if (clocks.bounded < others)
		prof_text_print(text,
			"The clocks of %zu of %zu hosts may differ by more, so their times can be compared only roughly.\n",
			others - clocks.bounded, others + 1);
}

void prof_recording_print_ranks(const struct prof_experiment *experiment, struct prof_text *text)
{
	PROF_AUTO(seen_deinit) struct seen seen = {0};
	bool done = true;

	for (size_t i = 0; i < experiment->ranks.count && done; i++)
		done = see(&seen, &experiment->ranks.items[i]);
	text->failed |= !done;
	if (!done || !seen.first)
		return;
	if (seen.rank_count == 1)
		prof_text_print(text, "Rank %" PRId64, seen.first->rank);
	else
		prof_text_print(text, "%" PRIu32, seen.rank_count);
	if (seen.first->size)
		prof_text_print(text, " of %" PRId64, seen.first->size);
	if (seen.rank_count > 1)
		prof_text_print(text, " ranks");
	if (seen.host_count == 1) {
		prof_text_print(text, " on the host ");
		prof_text_name(text, prof_experiment_text(experiment, seen.first->host));
	} else {
		prof_text_print(text, " on %" PRIu32 " hosts", seen.host_count);
	}
	prof_text_print(text, ".\n");
	if (seen.job_count > 1)
		prof_text_print(text,
			"These are ranks of %" PRIu32
			" jobs: those of the same number are added up.  Load the files of one job to see it alone.\n",
			seen.job_count);
	if (seen.clock_count > 1)
		print_clocks(experiment, seen.first, text);
}
