/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of overflows share: overflows.c reads samples, overflows_open.c opens what they
 * come from. */
#ifndef PROF_SAMPLING_OVERFLOWS_PRIVATE_H
#define PROF_SAMPLING_OVERFLOWS_PRIVATE_H

#include "base/map.h"
#include "base/recent.h"
#include "sampling/counter.h"
#include "sampling/overflows.h"
#include "sampling/perf_shared.h"
#include "sampling/triggers.h"
#include "sampling/walker.h"

#include <pthread.h>

/* One counter on one CPU. */
struct prof_overflows_source {
	uint32_t counter;
	int cpu;
	struct prof_perf_shared events; /* one for each thread that was there */
};

/* What is known of one counter. */
struct prof_overflows_sum {
	uint64_t taken, lost; /* samples, and those that there was no room for */
	uint64_t counted;     /* events of files that are closed */
	uint64_t reported_taken, reported_lost;
};

struct prof_overflows {
	struct prof_overflows_options options;
	const struct prof_arch *arch;
	uint32_t dump;
	PROF_ARRAY(struct prof_overflows_source) sources;
	struct prof_overflows_sum *sums; /* by counter */
	struct prof_stack stack;
	struct prof_triggers *triggers;
	unsigned long cut, samples; /* since DUMP was chosen */
	unsigned long all_cut;
	struct prof_recent named; /* threads whose name was reported */
	bool apart;               /* threads alone inherit, not processes */
	bool runs;
	pthread_mutex_t mutex; /* of all this */
	pthread_t thread;
	int wake; /* ends the thread */
};

/* All below is called under the mutex, or before there is a thread. */

/* The counter of SOURCE. */
static inline const struct prof_counter *prof_overflows_counter(
	const struct prof_overflows *overflows, const struct prof_overflows_source *source)
{
	return &overflows->options.counters->list.items[source->counter];
}

/* What is asked of the samples of COUNTER, as in perf_event_attr. */
uint64_t prof_overflows_sample_type(const struct prof_counter *counter);

/* The sources: all counters on all CPUs, none of them open. */
struct prof_error *prof_overflows_make_sources(struct prof_overflows *overflows) PROF_MUST_CHECK;

/* Opens what there is to open of each thread; the process stands still. */
struct prof_error *prof_overflows_open(struct prof_overflows *overflows) PROF_MUST_CHECK;

/* Closes all sources, whose sums stay known. */
void prof_overflows_close(struct prof_overflows *overflows);

/* Why counters cannot be opened: for REASON, an error number. */
struct prof_error *prof_overflows_explain(int reason) PROF_MUST_CHECK;

#endif
