/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages between the ranks of a parallel job: who sent how much to whom. */
#ifndef PROF_METRIC_EXCHANGES_H
#define PROF_METRIC_EXCHANGES_H

#include "base/error.h"
#include "base/value.h"

struct prof_experiment;
struct prof_selection;

/* The messages from one rank to another, as either of them knows; ranks are in MPI_COMM_WORLD. */
struct prof_exchange {
	int64_t sender, receiver;      /* -1: not known */
	prof_value sends, sent;        /* messages, and their bytes, as the sender was recorded */
	prof_value receives, received; /* the same as the receiver was */
};

/* All zeroes is none. */
struct prof_exchanges {
	PROF_ARRAY(struct prof_exchange) list; /* the most bytes first */
	struct prof_exchange total;            /* without ranks */
	int64_t ranks;                         /* all ranks are less than this */
};

/* The messages that EXPERIMENT's samples, those of SELECTION unless it is NULL, stand for. */
struct prof_error *prof_exchanges_init(struct prof_exchanges *exchanges,
	const struct prof_experiment *experiment,
	const struct prof_selection *selection) PROF_MUST_CHECK;

void prof_exchanges_deinit(struct prof_exchanges *exchanges);
#define AUTO_EXCHANGES PROF_AUTO(prof_exchanges_deinit)

/* The bytes of EXCHANGE: as the sender knows, or, if that was not recorded, the receiver. */
static inline prof_value prof_exchange_bytes(const struct prof_exchange *exchange)
{
	return exchange->sends ? exchange->sent : exchange->received;
}

/* The messages of EXCHANGE, likewise. */
static inline prof_value prof_exchange_messages(const struct prof_exchange *exchange)
{
	return exchange->sends ? exchange->sends : exchange->receives;
}

#endif
