#include "sampling/toll.h"

#include "target/procfs.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	WINDOW = 250000000, /* ns: shorter ones are not judged */
	DEAREST = 1000000,  /* ns: GDB had other things to do too */
	THREADS = 64,       /* whose files are open */
};

void prof_toll_deinit(struct prof_toll *toll)
{
	for (size_t i = 0; i < toll->threads.count; i++) {
		if (toll->threads.items[i].schedstat >= 0)
			close(toll->threads.items[i].schedstat);
	}
	free(toll->threads.items);
	free(toll->functions.items);
	*toll = (struct prof_toll){0};
}

static int64_t host_time(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

void prof_toll_begin(struct prof_toll *toll, int64_t now)
{
	toll->begin = now;
	toll->host = host_time();
	toll->functions.count = 0;
}

/* The thread's row, with its time of 0 if it is new; NULL: no memory. */
static struct prof_toll_thread *find_thread(struct prof_toll *toll, pid_t process, pid_t thread)
{
	struct prof_toll_thread *row = NULL;

	for (size_t i = 0; i < toll->threads.count; i++) {
		if (toll->threads.items[i].thread == thread)
			return &toll->threads.items[i];
	}
	if (toll->threads.count < THREADS) {
		row = prof_array_push(&toll->threads);
	} else {
		row = &toll->threads.items[toll->next++ % THREADS];
		if (row->schedstat >= 0)
			close(row->schedstat);
	}
	if (row)
		*row = (struct prof_toll_thread){
			thread, prof_procfs_open(process, thread, "schedstat"), 0, 0};
	return row;
}

/* How long THREAD neither ran nor waited for a CPU since it was here last; negative: not known. */
static int64_t rest(struct prof_toll *toll, pid_t process, pid_t thread, int64_t now)
{
	struct prof_toll_thread *row = find_thread(toll, process, thread);
	struct prof_schedstat stat;

	if (!row || row->schedstat < 0)
		return -1;
	/* Its number can be another's by now. */
	if (!prof_procfs_schedstat(row->schedstat, &stat)) {
		close(row->schedstat);
		*row = (struct prof_toll_thread){
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

/* Adds COST to what FUNCTION has cost in this window; where memory is short it is forgotten. */
static void charge(struct prof_toll *toll, uint32_t function, int64_t cost)
{
	for (size_t i = 0; i < toll->functions.count; i++) {
		if (toll->functions.items[i].function == function) {
			toll->functions.items[i].cost += cost;
			return;
		}
	}
	struct prof_toll_function *added = prof_array_push(&toll->functions);
	if (added)
		*added = (struct prof_toll_function){function, cost};
}

int64_t prof_toll_pay(
	struct prof_toll *toll, uint32_t function, pid_t process, pid_t thread, int64_t now)
{
	int64_t host = host_time();
	int64_t used = clamp(host - toll->host, 0, DEAREST);
	int64_t rested = thread ? rest(toll, process, thread, now) : INT64_MAX;
	int64_t cost = clamp(rested, used, 2 * used);

	toll->host = host;
	charge(toll, function, cost);
	return cost;
}

uint32_t prof_toll_refuse(struct prof_toll *toll, int64_t now)
{
	double time = (double)(now - toll->begin);
	struct prof_toll_function *most = NULL;
	int64_t sum = 0;

	if (toll->limit >= 1 || time < WINDOW)
		return PROF_NONE;
	for (size_t i = 0; i < toll->functions.count; i++) {
		struct prof_toll_function *function = &toll->functions.items[i];
		sum += function->cost;
		if (!most || function->cost > most->cost)
			most = function;
	}
	if (!most || (double)sum <= toll->limit * time) {
		prof_toll_begin(toll, now);
		return PROF_NONE;
	}
	most->cost = 0;
	return most->function;
}
