/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/waits.h"

#include "base/map.h"
#include "metric/selection.h"
#include "model/experiment.h"

#include <stdlib.h>

const char *const prof_wait_words[PROF_WAIT_CAUSES] = {
	[PROF_WAIT_LATE_SENDER] = "late_sender",
	[PROF_WAIT_LATE_RECEIVER] = "late_receiver",
	[PROF_WAIT_BARRIER] = "barrier",
	[PROF_WAIT_ALL] = "n_x_n",
	[PROF_WAIT_LATE_ROOT] = "late_broadcast",
	[PROF_WAIT_EARLY_ROOT] = "early_reduce",
};

const char *const prof_wait_names[PROF_WAIT_CAUSES] = {
	[PROF_WAIT_LATE_SENDER] = "Late Sender",
	[PROF_WAIT_LATE_RECEIVER] = "Late Receiver",
	[PROF_WAIT_BARRIER] = "Wait at Barrier",
	[PROF_WAIT_ALL] = "Wait at N x N",
	[PROF_WAIT_LATE_ROOT] = "Late Broadcast",
	[PROF_WAIT_EARLY_ROOT] = "Early Reduce",
};

/* A wait of the call that has completed OPERATION. */
struct wait {
	const struct prof_mpi_operation *operation;
	enum prof_wait_cause cause;
	int64_t other; /* rank */
	int64_t time;  /* ns */
};

struct finder {
	const struct prof_experiment *experiment;
	const struct prof_mpi_matches *matches;
	PROF_ARRAY(struct wait) list;
};

static void finder_deinit(struct finder *finder)
{
	free(finder->list.items);
}

void prof_waits_deinit(struct prof_waits *waits)
{
	prof_mpi_matches_deinit(&waits->matches);
	free(waits->list.items);
	*waits = (struct prof_waits){0};
}

/*
 * The call of OPERATION waited until OTHER did something at TIME, or until the call returned.
 * False: no memory.
 */
static bool add_wait(struct finder *finder, enum prof_wait_cause cause,
	const struct prof_mpi_operation *operation, const struct prof_mpi_operation *other,
	int64_t time)
{
	int64_t until = time < operation->end ? time : operation->end;

	if (until <= operation->begin)
		return true;
	struct wait *added = prof_array_push(&finder->list);
	if (!added)
		return false;
	*added = (struct wait){operation, cause, other->rank, until - operation->begin};
	return true;
}

/* How long the receiver, or the sender, of MATCH waited for the other. */
static bool find_message(struct finder *finder, const struct prof_mpi_match *match)
{
	const struct prof_mpi_operation *items = finder->experiment->operations.items;
	const struct prof_mpi_operation *send = &items[match->send];
	const struct prof_mpi_operation *receive = &items[match->receive];
	const struct prof_mpi_operation *sent =
		match->sent == PROF_NONE ? send : &items[match->sent];

	if (!add_wait(finder, PROF_WAIT_LATE_SENDER, receive, send, send->posted))
		return false;
	/* A sender that returned before that had left the message with the library. */
	return send->kind == PROF_OPERATION_BUFFERED || receive->posted >= sent->end ||
		add_wait(finder, PROF_WAIT_LATE_RECEIVER, sent, receive, receive->posted);
}

static const struct prof_mpi_operation *member_at(
	const struct finder *finder, const struct prof_mpi_collective *collective, size_t number)
{
	return &finder->experiment->operations
			.items[finder->matches->members.items[collective->first + number]];
}

/* The ranks of a collective operation that arrived first and last, and its root. */
struct arrivals {
	const struct prof_mpi_operation *first, *last, *root;
};

static struct arrivals find_arrivals(
	const struct finder *finder, const struct prof_mpi_collective *collective)
{
	struct arrivals found = {0};

	for (size_t i = 0; i < collective->count; i++) {
		const struct prof_mpi_operation *member = member_at(finder, collective, i);
		if (member->rank == member->peer) {
			found.root = member;
			continue;
		}
		if (!found.first || member->begin < found.first->begin)
			found.first = member;
		if (!found.last || member->begin > found.last->begin)
			found.last = member;
	}
	return found;
}

static bool find_collective(struct finder *finder, const struct prof_mpi_collective *collective)
{
	const struct arrivals arrivals = find_arrivals(finder, collective);
	enum prof_mpi_operation_kind kind =
		(enum prof_mpi_operation_kind)member_at(finder, collective, 0)->kind;
	bool rooted = kind == PROF_OPERATION_FROM_ROOT || kind == PROF_OPERATION_TO_ROOT;

	if (!arrivals.first || (rooted && !arrivals.root))
		return true;
	if (kind == PROF_OPERATION_TO_ROOT)
		return add_wait(finder, PROF_WAIT_EARLY_ROOT, arrivals.root, arrivals.first,
			arrivals.first->begin);
	const struct prof_mpi_operation *awaited = rooted ? arrivals.root : arrivals.last;
	enum prof_wait_cause cause = rooted      ? PROF_WAIT_LATE_ROOT
		: kind == PROF_OPERATION_BARRIER ? PROF_WAIT_BARRIER
						 : PROF_WAIT_ALL;
	for (size_t i = 0; i < collective->count; i++) {
		const struct prof_mpi_operation *member = member_at(finder, collective, i);
		if (member != awaited && !add_wait(finder, cause, member, awaited, awaited->begin))
			return false;
	}
	return true;
}

/* By call, then the longest first. */
static int compare_calls(const void *left, const void *right)
{
	const struct wait *a = left;
	const struct wait *b = right;

	if (a->operation->thread != b->operation->thread)
		return a->operation->thread < b->operation->thread ? -1 : 1;
	if (a->operation->begin != b->operation->begin)
		return a->operation->begin < b->operation->begin ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->cause > b->cause) - (a->cause < b->cause);
}

/* By cause and ranks. */
static int compare_sums(const void *left, const void *right)
{
	const struct prof_wait_sum *a = left;
	const struct prof_wait_sum *b = right;

	if (a->cause != b->cause)
		return a->cause < b->cause ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->other > b->other) - (a->other < b->other);
}

static int compare_times(const void *left, const void *right)
{
	const struct prof_wait_sum *a = left;
	const struct prof_wait_sum *b = right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return compare_sums(left, right);
}

static void add_up(struct prof_wait_sum *sum, const struct prof_wait_sum *part)
{
	sum->waits += part->waits;
	sum->time += part->time;
	if (part->longest > sum->longest)
		sum->longest = part->longest;
}

/* Adds the longest wait of each call that is in SELECTION.  False: no memory. */
static bool add_calls(
	struct prof_waits *waits, struct finder *finder, const struct prof_selection *selection)
{
	const struct wait *items = finder->list.items;

	if (finder->list.count)
		qsort(finder->list.items, finder->list.count, sizeof *items, compare_calls);
	for (size_t i = 0; i < finder->list.count; i++) {
		const struct prof_mpi_operation *call = items[i].operation;
		bool again = i && items[i - 1].operation->thread == call->thread &&
			items[i - 1].operation->begin == call->begin;
		if (again || !prof_selection_has(selection, call->sample))
			continue;
		struct prof_wait_sum *added = prof_array_push(&waits->list);
		if (!added)
			return false;
		*added = (struct prof_wait_sum){.cause = items[i].cause,
			.rank = call->rank,
			.other = items[i].other,
			.waits = prof_value_of(1),
			.time = prof_value_of(items[i].time),
			.longest = items[i].time};
		add_up(&waits->total, added);
	}
	return true;
}

/* Merges the waits with the same cause and ranks. */
static void unite(struct prof_waits *waits)
{
	struct prof_wait_sum *items = waits->list.items;
	size_t left = 0;

	if (!waits->list.count)
		return;
	qsort(items, waits->list.count, sizeof *items, compare_sums);
	for (size_t i = 0; i < waits->list.count; i++) {
		if (left && !compare_sums(&items[left - 1], &items[i]))
			add_up(&items[left - 1], &items[i]);
		else
			items[left++] = items[i];
	}
	waits->list.count = left;
	qsort(items, left, sizeof *items, compare_times);
}

struct prof_error *prof_waits_init(struct prof_waits *waits,
	const struct prof_experiment *experiment, const struct prof_selection *selection)
{
	PROF_AUTO(finder_deinit)
	struct finder finder = {.experiment = experiment, .matches = &waits->matches};
	struct prof_error *error = prof_mpi_matches_init(
		&waits->matches, experiment->operations.items, experiment->operations.count);
	bool done = !error;

	for (size_t i = 0; i < waits->matches.list.count && done; i++)
		done = find_message(&finder, &waits->matches.list.items[i]);
	for (size_t i = 0; i < waits->matches.collectives.count && done; i++)
		done = find_collective(&finder, &waits->matches.collectives.items[i]);
	if (error)
		return error;
	if (!done || !add_calls(waits, &finder, selection))
		return prof_error_nomem();
	unite(waits);
	return NULL;
}
