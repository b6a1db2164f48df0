/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_matches.h"

#include "base/map.h"
#include "base/search.h"

#include <stdlib.h>

/* An operation with its sort key; operations whose keys are equal are in one channel. */
struct entry {
	const struct prof_mpi_operation *operation;
	uint64_t comm;
	int64_t from, to, tag; /* the ranks of a message; the ordinal of a collective operation */
	bool receives;
};

/* The state of matching. */
struct matcher {
	struct prof_mpi_matches *matches;
	const struct prof_mpi_operation *operations;
	size_t count;
	/*
	 * By rank, and by number within a rank: the operations that count, and the ones that are
	 * SENT.
	 */
	PROF_ARRAY(struct entry) used;
	PROF_ARRAY(struct entry) sent;
	PROF_ARRAY(int64_t) complete; /* ranks, from the lowest on */
	PROF_ARRAY(struct entry) entries;
};

static void matcher_deinit(struct matcher *matcher)
{
	free(matcher->used.items);
	free(matcher->sent.items);
	free(matcher->complete.items);
	free(matcher->entries.items);
}

void prof_mpi_matches_deinit(struct prof_mpi_matches *matches)
{
	free(matches->list.items);
	free(matches->handshakes.items);
	free(matches->members.items);
	free(matches->collectives.items);
	*matches = (struct prof_mpi_matches){0};
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* By rank and number. */
static int compare_numbers(const void *left, const void *right)
{
	const struct prof_mpi_operation *a = ((const struct entry *)left)->operation;
	const struct prof_mpi_operation *b = ((const struct entry *)right)->operation;
	int order = compare(a->rank, b->rank);

	return order ? order : compare(a->number, b->number);
}

static int compare_channels(const struct entry *a, const struct entry *b)
{
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	int order = compare(a->from, b->from);
	if (!order)
		order = compare(a->to, b->to);
	return order ? order : compare(a->tag, b->tag);
}

/* By channel; within one, sends precede receives, in the order in which they were posted. */
static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;
	int order = compare_channels(a, b);

	if (!order)
		order = compare(a->receives, b->receives);
	if (!order)
		order = compare(a->operation->posted, b->operation->posted);
	return order ? order : compare_numbers(a, b);
}

static void sort(struct entry *items, size_t count, int (*order)(const void *, const void *))
{
	if (count)
		qsort(items, count, sizeof *items, order);
}

/* Lists all operations whose rank is known.  False: no memory. */
static bool collect(struct matcher *matcher)
{
	for (size_t i = 0; i < matcher->count; i++) {
		const struct prof_mpi_operation *operation = &matcher->operations[i];
		bool sent = operation->kind == PROF_OPERATION_SENT;
		if (operation->rank < 0)
			continue;
		if (!prof_array_reserve(&matcher->used, 1) ||
			!prof_array_reserve(&matcher->sent, 1))
			return false;
		const struct entry entry = {.operation = operation};
		if (sent)
			matcher->sent.items[matcher->sent.count++] = entry;
		else
			matcher->used.items[matcher->used.count++] = entry;
	}
	sort(matcher->used.items, matcher->used.count, compare_numbers);
	sort(matcher->sent.items, matcher->sent.count, compare_numbers);
	return true;
}

/*
 * How many of the COUNT ITEMS, all of one rank, count.  *COMPLETE: these are all.  False: two have
 * the same number, because they are of several jobs.
 */
static bool find_prefix(const struct entry *items, size_t count, size_t *prefix, bool *complete)
{
	size_t found = 0;

	while (found < count &&
		items[found].operation->number == PROF_OPERATION_FIRST + (uint32_t)found)
		found++;
	*prefix = found;
	*complete = found && items[found - 1].operation->kind == PROF_OPERATION_FINALIZE;
	for (size_t i = 1; i < count; i++) {
		if (items[i].operation->number == items[i - 1].operation->number)
			return false;
	}
	return true;
}

/* Removes the operations that do not count from the list.  False: no memory. */
static bool cut(struct matcher *matcher)
{
	struct entry *items = matcher->used.items;
	size_t left = 0;

	for (size_t i = 0, end; i < matcher->used.count; i = end) {
		int64_t rank = items[i].operation->rank;
		size_t prefix;
		bool complete;
		for (end = i + 1; end < matcher->used.count && items[end].operation->rank == rank;)
			end++;
		matcher->matches->several |= !find_prefix(&items[i], end - i, &prefix, &complete);
		for (size_t j = 0; j < prefix; j++)
			items[left++] = items[i + j];
		if (!complete)
			continue;
		int64_t *added = prof_array_push(&matcher->complete);
		if (!added)
			return false;
		*added = rank;
	}
	matcher->used.count = left;
	return true;
}

static bool is_complete(const struct matcher *matcher, int64_t rank)
{
	size_t at;

	PROF_SEARCH(at, matcher->complete.count, i, matcher->complete.items[i] < rank);
	return at < matcher->complete.count && matcher->complete.items[at] == rank;
}

static uint32_t number_of(const struct matcher *matcher, const struct entry *entry)
{
	return (uint32_t)(entry->operation - matcher->operations);
}

/* The call that has completed SEND, if that was not the call that began it. */
static uint32_t find_sent(const struct matcher *matcher, const struct entry *send)
{
	size_t at;

	PROF_SEARCH(at, matcher->sent.count, i, compare_numbers(&matcher->sent.items[i], send) < 0);
	return at < matcher->sent.count && !compare_numbers(&matcher->sent.items[at], send)
		? number_of(matcher, &matcher->sent.items[at])
		: PROF_NONE;
}

/* Matches the SENDS and RECEIVES of a channel, whose entries begin at ITEMS.  False: no memory. */
static bool match_channel(
	struct matcher *matcher, const struct entry *items, size_t sends, size_t receives)
{
	struct prof_mpi_matches *matches = matcher->matches;
	size_t both = sends < receives ? sends : receives;
	bool whole = is_complete(matcher, items->from) && is_complete(matcher, items->to);
	bool own = items->comm != PROF_OPERATION_HANDSHAKE;

	if (own)
		matches->messages += sends > receives ? sends : receives;
	if (!items->comm || items->from < 0 || items->to < 0 || (whole && sends != receives))
		return true;
	for (size_t i = 0; i < both; i++) {
		if (items[i].operation->bytes != items[sends + i].operation->bytes)
			return true;
	}
	for (size_t i = 0; i < both; i++) {
		struct prof_mpi_match *added = own ? prof_array_push(&matches->list)
						   : prof_array_push(&matches->handshakes);
		if (!added)
			return false;
		*added = (struct prof_mpi_match){.send = number_of(matcher, &items[i]),
			.receive = number_of(matcher, &items[sends + i]),
			.sent = find_sent(matcher, &items[i])};
	}
	return true;
}

/* Adds the message of OPERATION to the entries.  False: no memory. */
static bool add_message(struct matcher *matcher, const struct prof_mpi_operation *operation)
{
	bool receives = operation->kind == PROF_OPERATION_RECEIVE;
	struct entry *added = prof_array_push(&matcher->entries);

	if (!added)
		return false;
	*added = (struct entry){.operation = operation,
		.comm = operation->comm,
		.from = receives ? operation->peer : operation->rank,
		.to = receives ? operation->rank : operation->peer,
		.tag = operation->tag,
		.receives = receives};
	return true;
}

static bool is_message(const struct prof_mpi_operation *operation)
{
	return operation->kind == PROF_OPERATION_SEND ||
		operation->kind == PROF_OPERATION_BUFFERED ||
		operation->kind == PROF_OPERATION_RECEIVE;
}

static bool match_messages(struct matcher *matcher)
{
	for (size_t i = 0; i < matcher->used.count; i++) {
		const struct prof_mpi_operation *operation = matcher->used.items[i].operation;
		if (is_message(operation) && !add_message(matcher, operation))
			return false;
	}
	const struct entry *items = matcher->entries.items;
	size_t count = matcher->entries.count;
	sort(matcher->entries.items, count, compare_entries);
	for (size_t i = 0, end; i < count; i = end) {
		size_t sends = 0;
		for (end = i; end < count && !compare_channels(&items[i], &items[end]); end++)
			sends += !items[end].receives;
		if (!match_channel(matcher, &items[i], sends, end - i - sends))
			return false;
	}
	return true;
}

static bool is_collective(const struct prof_mpi_operation *operation)
{
	return operation->kind >= PROF_OPERATION_BARRIER &&
		operation->kind <= PROF_OPERATION_TO_ROOT;
}

/*
 * Gives each collective operation its ordinal among those of its rank and communicator, as its tag.
 * False: no memory.
 */
static bool add_collectives(struct matcher *matcher)
{
	matcher->entries.count = 0;
	for (size_t i = 0; i < matcher->used.count; i++) {
		const struct prof_mpi_operation *operation = matcher->used.items[i].operation;
		struct entry *added =
			is_collective(operation) ? prof_array_push(&matcher->entries) : NULL;
		if (!added && is_collective(operation))
			return false;
		if (added)
			*added = (struct entry){.operation = operation,
				.comm = operation->comm,
				.from = operation->rank};
	}
	struct entry *items = matcher->entries.items;
	sort(items, matcher->entries.count, compare_entries);
	for (size_t i = 0, ordinal = 0; i < matcher->entries.count; i++, ordinal++) {
		if (i && (items[i].comm != items[i - 1].comm || items[i].from != items[i - 1].from))
			ordinal = 0;
		items[i].tag = (int64_t)ordinal;
	}
	for (size_t i = 0; i < matcher->entries.count; i++)
		items[i].from = 0;
	return true;
}

/* Are the COUNT ITEMS one operation of all of its ranks, in a communicator that is known? */
static bool is_whole(const struct entry *items, size_t count)
{
	const struct prof_mpi_operation *first = items->operation;

	if (!first->comm)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct prof_mpi_operation *operation = items[i].operation;
		if (operation->kind != first->kind || operation->peer != first->peer ||
			operation->tag != (int64_t)count)
			return false;
	}
	return true;
}

static bool match_collectives(struct matcher *matcher)
{
	struct prof_mpi_matches *matches = matcher->matches;

	if (!add_collectives(matcher))
		return false;
	const struct entry *items = matcher->entries.items;
	size_t count = matcher->entries.count;
	sort(matcher->entries.items, count, compare_entries);
	if (!prof_array_reserve(&matches->members, count) ||
		!prof_array_reserve(&matches->collectives, count))
		return false;
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && !compare_channels(&items[i], &items[end]);)
			end++;
		matches->all_collectives++;
		if (!is_whole(&items[i], end - i))
			continue;
		matches->collectives.items[matches->collectives.count++] =
			(struct prof_mpi_collective){
				(uint32_t)matches->members.count, (uint32_t)(end - i)};
		for (size_t j = i; j < end; j++)
			matches->members.items[matches->members.count++] =
				number_of(matcher, &items[j]);
	}
	return true;
}

struct prof_error *prof_mpi_matches_init(
	struct prof_mpi_matches *matches, const struct prof_mpi_operation *operations, size_t count)
{
	PROF_AUTO(matcher_deinit)
	struct matcher matcher = {.matches = matches, .operations = operations, .count = count};

	*matches = (struct prof_mpi_matches){0};
	if (!collect(&matcher) || !cut(&matcher))
		return prof_error_nomem();
	if (matches->several)
		return NULL;
	return match_messages(&matcher) && match_collectives(&matcher) ? NULL : prof_error_nomem();
}
