/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/overhead.h"

#include "base/clock.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	WINDOW = 250000000,       /* ns: shorter ones are not judged */
	DEAREST = PROF_NS_PER_MS, /* ns: GDB had other work, too */
	THREADS = 64,             /* whose files are open */
};

void prof_overhead_deinit(struct prof_overhead *overhead)
{
	for (size_t i = 0; i < overhead->threads.count; i++) {
		if (overhead->threads.items[i].schedstat >= 0)
			close(overhead->threads.items[i].schedstat);
	}
	free(overhead->threads.items);
	free(overhead->functions.items);
	*overhead = (struct prof_overhead){0};
}

void prof_overhead_begin(struct prof_overhead *overhead, int64_t now)
{
	overhead->begin = now;
	overhead->host = prof_clock_used();
	overhead->functions.count = 0;
}

/* The thread's row, with its time of 0 if it is new; NULL: no memory. */
static struct prof_overhead_thread *find_thread(
	struct prof_overhead *overhead, pid_t process, pid_t thread)
{
	struct prof_overhead_thread *row = NULL;

	for (size_t i = 0; i < overhead->threads.count; i++) {
		if (overhead->threads.items[i].thread == thread)
			return &overhead->threads.items[i];
	}
	if (overhead->threads.count < THREADS) {
		row = prof_array_push(&overhead->threads);
	} else {
		row = &overhead->threads.items[overhead->next++ % THREADS];
		if (row->schedstat >= 0)
			close(row->schedstat);
	}
	if (row)
		*row = (struct prof_overhead_thread){
			thread, prof_procfs_open(process, thread, "schedstat"), 0, 0};
	return row;
}

/* How long THREAD neither ran nor waited for a CPU since the last call; negative: unknown. */
static int64_t rest(struct prof_overhead *overhead, pid_t process, pid_t thread, int64_t now)
{
	struct prof_overhead_thread *row = find_thread(overhead, process, thread);
	struct prof_schedstat stat;

	if (!row || row->schedstat < 0)
		return -1;
	/* Another thread may have its number by now. */
	if (!prof_procfs_schedstat(row->schedstat, &stat)) {
		close(row->schedstat);
		*row = (struct prof_overhead_thread){
			thread, prof_procfs_open(process, thread, "schedstat"), 0, 0};
		return -1;
	}
	int64_t used = stat.run + stat.delay;
	int64_t rested = row->time ? now - row->time - (used - row->used) : -1;
	row->time = now;
	row->used = used;
	return rested;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* Adds COST to that of FUNCTION in this window; without memory it is lost. */
static void charge(struct prof_overhead *overhead, uint32_t function, int64_t cost)
{
	for (size_t i = 0; i < overhead->functions.count; i++) {
		if (overhead->functions.items[i].function == function) {
			overhead->functions.items[i].cost += cost;
			return;
		}
	}
	struct prof_overhead_function *added = prof_array_push(&overhead->functions);
	if (added)
		*added = (struct prof_overhead_function){function, cost};
}

int64_t prof_overhead_pay(
	struct prof_overhead *overhead, uint32_t function, pid_t process, pid_t thread, int64_t now)
{
	int64_t host = prof_clock_used();
	int64_t used = clamp(host - overhead->host, 0, DEAREST);
	int64_t rested = thread ? rest(overhead, process, thread, now) : INT64_MAX;
	int64_t cost = clamp(rested, used, 2 * used);

	overhead->host = host;
	charge(overhead, function, cost);
	return cost;
}

uint32_t prof_overhead_refuse(struct prof_overhead *overhead, int64_t now)
{
	double time = (double)(now - overhead->begin);
	struct prof_overhead_function *most = NULL;
	int64_t sum = 0;

	if (overhead->limit >= 1 || time < WINDOW)
		return PROF_NONE;
	for (size_t i = 0; i < overhead->functions.count; i++) {
		struct prof_overhead_function *function = &overhead->functions.items[i];
		sum += function->cost;
		if (!most || function->cost > most->cost)
			most = function;
	}
	if (!most || (double)sum <= overhead->limit * time) {
		prof_overhead_begin(overhead, now);
		return PROF_NONE;
	}
	most->cost = 0;
	return most->function;
}
