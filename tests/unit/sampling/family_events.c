/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/family_events.h"

#include "sample_child.h"
#include "sampling/perf_ring.h"
#include "sampling/perf_task.h"
#include "target/arch.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { PROCESSES = 200, RATE = 1000 };

/* What a child and its parent tell each other. */
static struct {
	atomic_int go, done;
} * shared;

static struct prof_family_events *events;

/* What was read. */
static struct {
	size_t made, ended, mapped, samples;
	int64_t last; /* time of the last record */
} found;

static void make_when_told(void)
{
	while (!atomic_load(&shared->go))
		pause_ms(1);
	for (int i = 0; i < PROCESSES; i++) {
		pid_t process = fork();
		if (!process)
			_exit(0);
		waitpid(process, NULL, 0);
	}
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	atomic_store(&shared->done, code != MAP_FAILED);
	child_spin();
}

/* False: the kernel permits nothing here. */
static bool start(pid_t *child, double rate)
{
	struct prof_error *why;
	const struct prof_family_events_options options = {
		.scope = prof_perf_scope(prof_arch_native(), &why), .rate = rate};

	prof_error_destroy(why);
	if (options.scope == PROF_PERF_NOTHING)
		return false;
	shared = mmap(
		NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*child = child_start(make_when_told);
	ck_assert_ok(prof_family_events_create(&options, &events));
	ck_assert_ok(prof_family_events_add(events, *child));
	return true;
}

/* Reads what was told of CHILD, and what it made, before UNTIL. */
static void read_until(pid_t child, int64_t until)
{
	const struct perf_event_header *header;
	int64_t before = 0;

	prof_family_events_begin(events, until);
	while ((header = prof_family_events_next(events))) {
		struct prof_perf_task task;
		int64_t time = prof_perf_task_time(header);
		ck_assert_int_ge(time, before);
		ck_assert_int_lt(time, until);
		before = time;
		ck_assert(prof_perf_task_parse(header, &task));
		found.made += task.kind == PROF_PERF_TASK_MADE && task.maker == child;
		found.ended += task.kind == PROF_PERF_TASK_ENDED && task.maker == child;
		found.mapped += task.kind == PROF_PERF_TASK_MAPPED && task.process == child;
		found.samples += header->type == PERF_RECORD_SAMPLE;
	}
	found.last = before;
}

START_TEST(records_come_in_the_order_of_time)
{
	pid_t child;

	if (!start(&child, RATE))
		return;
	atomic_store(&shared->go, 1);
	while (!atomic_load(&shared->done)) {
		pause_ms(1);
		read_until(child, prof_clock() - 5000000);
	}
	child_run(child, 50);
	read_until(child, INT64_MAX);
	ck_assert_uint_eq(found.made, PROCESSES);
	ck_assert_uint_eq(found.ended, PROCESSES);
	ck_assert_uint_ge(found.mapped, 1);
	ck_assert_uint_ge(found.samples, 10);
	prof_family_events_destroy(events);
	children_end();
}
END_TEST

/* Samples that nobody reads for long take no room from what becomes of processes. */
START_TEST(what_is_too_late_is_read_the_next_time)
{
	pid_t child;

	if (!start(&child, RATE))
		return;
	int64_t before = prof_clock();
	atomic_store(&shared->go, 1);
	while (!atomic_load(&shared->done))
		pause_ms(1);
	read_until(child, before);
	ck_assert_uint_eq(found.made, 0);
	read_until(child, INT64_MAX);
	ck_assert_uint_eq(found.made, PROCESSES);
	read_until(child, found.last);
	ck_assert_uint_eq(found.made, PROCESSES);
	prof_family_events_destroy(events);
	children_end();
}
END_TEST

/* The events of a family that has ended are always ready: nobody must be kept busy by that. */
START_TEST(the_end_of_all_is_no_reason_to_wake)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int ends[2];
	pid_t child;

	/* Seldom enough for no samples of other processes to wake it. */
	if (!start(&child, 0.1))
		return;
	children_end();
	ck_assert_int_eq(pipe(ends), 0);
	read_until(child, INT64_MAX);
	int64_t begin = prof_clock();
	pthread_mutex_lock(&mutex);
	prof_family_events_wait(events, ends[0], 200, &mutex);
	ck_assert_int_ge(prof_clock() - begin, 200000000);
	ck_assert_int_eq(write(ends[1], "", 1), 1);
	prof_family_events_wait(events, ends[0], 300000, &mutex);
	pthread_mutex_unlock(&mutex);
	prof_family_events_destroy(events);
}
END_TEST

/* Sets CPUS to the first two CPUs on which this process may run, and returns how many there are. */
static int own_cpus(int *cpus)
{
	cpu_set_t set;
	int count = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
	for (int i = 0; i < CPU_SETSIZE && count < 2; i++) {
		if (CPU_ISSET(i, &set))
			cpus[count++] = i;
	}
	return count;
}

static void spin_on(int cpu)
{
	pid_t child = child_start(child_spin);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ck_assert_int_eq(sched_setaffinity(child, sizeof set, &set), 0);
}

/*
 * Reads the samples so far.  Counts in *PAIRS how often a sample follows one of another CPU, and in
 * *CLOSE how often it does so within NEAR ns.  RECORD is the last sample, for the next call.
 */
static void read_pairs(
	struct prof_perf_record *record, int64_t near, unsigned *pairs, unsigned *close)
{
	const struct perf_event_header *header;
	struct prof_perf_record next;

	prof_family_events_pace(events);
	prof_family_events_begin(events, prof_clock() - 5000000);
	while ((header = prof_family_events_next(events))) {
		if (header->type != PERF_RECORD_SAMPLE ||
			!prof_perf_record_parse(
				header, prof_family_events_type(events), prof_arch_native(), &next))
			continue;
		if (record->time && record->cpu != next.cpu) {
			++*pairs;
			*close += next.time - record->time < near;
		}
		*record = next;
	}
}

START_TEST(cpus_are_sampled_at_different_times)
{
	enum { SLOW = 200, PAIRS = 300 };
	const struct prof_family_events_options options = {
		.scope = PROF_PERF_ALL, .rate = SLOW, .cpus = true};
	struct prof_perf_record record = {0};
	unsigned pairs = 0, close = 0;
	int cpus[2];

	if (own_cpus(cpus) < 2)
		return;
	struct prof_error *error = prof_family_events_create(&options, &events);
	prof_error_destroy(error);
	if (error)
		return;
	for (int i = 0; i < 2; i++)
		spin_on(cpus[i]);
	while (pairs < PAIRS) {
		pause_ms(5);
		read_pairs(&record, PROF_NS_PER_SECOND / SLOW / 20, &pairs, &close);
	}
	/* One in ten is that close by chance. */
	ck_assert_uint_lt(close, pairs / 4);
	prof_family_events_destroy(events);
	children_end();
}
END_TEST

RUN_TESTS("family events", cpus_are_sampled_at_different_times, records_come_in_the_order_of_time,
	what_is_too_late_is_read_the_next_time, the_end_of_all_is_no_reason_to_wake)
