/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/exchanges.h"

#include "metric/selection.h"
#include "model/experiment.h"
#include "model/traced.h"
#include "model/traced_rows.h"

#include <stdlib.h>

void prof_exchanges_deinit(struct prof_exchanges *exchanges)
{
	free(exchanges->list.items);
	*exchanges = (struct prof_exchanges){0};
}

static int compare_ranks(const void *left, const void *right)
{
	const struct prof_exchange *a = left;
	const struct prof_exchange *b = right;

	if (a->sender != b->sender)
		return a->sender < b->sender ? -1 : 1;
	return (a->receiver > b->receiver) - (a->receiver < b->receiver);
}

/* Most bytes first, then most messages; with ties, by rank. */
static int compare_amounts(const void *left, const void *right)
{
	const struct prof_exchange *a = left;
	const struct prof_exchange *b = right;

	if (prof_exchange_bytes(a) != prof_exchange_bytes(b))
		return prof_exchange_bytes(a) > prof_exchange_bytes(b) ? -1 : 1;
	if (prof_exchange_messages(a) != prof_exchange_messages(b))
		return prof_exchange_messages(a) > prof_exchange_messages(b) ? -1 : 1;
	return compare_ranks(left, right);
}

static void add(struct prof_exchange *sum, const struct prof_exchange *part)
{
	sum->sends += part->sends;
	sum->sent += part->sent;
	sum->receives += part->receives;
	sum->received += part->received;
}

static bool add_exchange(struct prof_exchanges *exchanges, const struct prof_exchange *exchange)
{
	struct prof_exchange *added = prof_array_push(&exchanges->list);

	if (!added)
		return false;
	*added = *exchange;
	add(&exchanges->total, exchange);
	if (exchange->sender >= exchanges->ranks)
		exchanges->ranks = exchange->sender + 1;
	if (exchange->receiver >= exchanges->ranks)
		exchanges->ranks = exchange->receiver + 1;
	return true;
}

/* Adds what TRACED has sent and received.  False: out of memory. */
static bool add_row(struct prof_exchanges *exchanges, const struct prof_traced_row *traced)
{
	int64_t rank = (int64_t)traced->rank - 1, peer = (int64_t)traced->peer - 1;
	const struct prof_exchange there = {.sender = rank,
		.receiver = peer,
		.sends = prof_value_of(traced->values[PROF_TRACED_MPI_SENDS]),
		.sent = prof_value_of(traced->values[PROF_TRACED_MPI_SENT])};
	const struct prof_exchange back = {.sender = peer,
		.receiver = rank,
		.receives = prof_value_of(traced->values[PROF_TRACED_MPI_RECEIVES]),
		.received = prof_value_of(traced->values[PROF_TRACED_MPI_RECEIVED])};

	return (!there.sends || add_exchange(exchanges, &there)) &&
		(!back.receives || add_exchange(exchanges, &back));
}

/* Merges the exchanges between the same ranks. */
static void unite(struct prof_exchanges *exchanges)
{
	struct prof_exchange *items = exchanges->list.items;
	size_t left = 0;

	for (size_t i = 0; i < exchanges->list.count; i++) {
		if (left && !compare_ranks(&items[left - 1], &items[i]))
			add(&items[left - 1], &items[i]);
		else
			items[left++] = items[i];
	}
	exchanges->list.count = left;
}

struct prof_error *prof_exchanges_init(struct prof_exchanges *exchanges,
	const struct prof_experiment *experiment, const struct prof_selection *selection)
{
	struct prof_traced_rows_place place = {0};

	*exchanges = (struct prof_exchanges){0};
	for (size_t i = 0; i < experiment->traced.mpi; i++) {
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&experiment->traced, &place, i);
		if (prof_selection_has(selection, traced->sample) && !add_row(exchanges, traced))
			return prof_error_nomem();
	}
	if (!exchanges->list.count)
		return NULL;
	qsort(exchanges->list.items, exchanges->list.count, sizeof *exchanges->list.items,
		compare_ranks);
	unite(exchanges);
	qsort(exchanges->list.items, exchanges->list.count, sizeof *exchanges->list.items,
		compare_amounts);
	return NULL;
}
