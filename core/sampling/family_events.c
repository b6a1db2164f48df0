/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/family_events.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/time_unit.h"
#include "sampling/perf_dump.h"
#include "sampling/perf_shared.h"
#include "sampling/perf_task.h"
#include "target/arch.h"
#include "target/procfs.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes of the rings for the samples of all CPUs together, and of one: at most, and at least. */
enum { ROOM = 1 << 25, ROOM_MOST = 1 << 22, ROOM_LEAST = 1 << 18 };

/* Bytes of a ring for a CPU, if the ticker reads the events of all CPUs: 32 samples. */
enum { ROOM_OWN = 1 << 21 };

/*
 * Bytes of a ring for records that are no samples, and for samples by threads' own clocks: users
 * may lock little memory.
 */
enum { ROOM_TASKS = 1 << 18, ROOM_THREADS = 1 << 19 };

/* ns: if samples follow each other faster than this, less is copied of each stack. */
enum { OFTEN = 2500000 };

/*
 * CPUs are sampled with a period that is shorter by this part, so that it differs from that of
 * anything else.
 */
static const double SHORTER = 0.03;

/*
 * Threads are sampled this many times as often by their own clocks, because many end soon, but for
 * that reason not more often than once in LEAST ns.
 */
enum { OFTENER = 4, LEAST = PROF_NS_PER_MS };

/*
 * The period of a CPU varies at random by up to this part of it, because a fixed one would run in
 * step with work that the clock starts.  It changes after this many periods and ns at the earliest:
 * the kernel begins a new period when it is set, and drops what has passed of the old one.
 */
static const double SPREAD = 0.25;
static const int64_t PERIODS = 16;
static const int64_t STEADY = 50000000;

/*
 * The kinds of events: samples of one CPU, and what happens to processes there.  The latter would
 * get lost in a ring with samples, whose reader has to wait for a CPU.
 */
struct source {
	bool samples;
	int cpu;
	int64_t paced; /* ns of CLOCK_MONOTONIC: when its period was set */
	struct prof_perf_shared events;
	const struct perf_event_header *next; /* its first record that was not returned yet */
};

struct prof_family_events {
	struct prof_family_events_options options;
	const struct prof_arch *arch;
	uint64_t type;
	bool of_cpus;
	int64_t period;
	unsigned short random[3];          /* for erand48() */
	PROF_ARRAY(struct source) sources; /* sources without samples come first */
	struct pollfd *polled;             /* room for one more than there are sources */
	int64_t until;
	struct source *last; /* the source of the last record */
};

/* Bytes of the ring for SOURCE. */
static size_t room(const struct prof_family_events *events, const struct source *source)
{
	size_t bytes = ROOM_MOST;

	if (!source->samples)
		return ROOM_TASKS;
	if (!events->of_cpus)
		return ROOM_THREADS;
	if (events->options.cpus)
		bytes = ROOM_OWN;
	while (bytes > ROOM_LEAST && bytes * events->sources.count / 2 > ROOM)
		bytes /= 2;
	return bytes;
}

/* The attributes that all events share, and those of SOURCE. */
static struct perf_event_attr base_attr(
	const struct prof_family_events *events, const struct source *source)
{
	bool often = !events->of_cpus || events->period < OFTEN;
	uint32_t dump = often ? PROF_PERF_DUMP_USUAL : PROF_PERF_DUMP_MOST;
	struct perf_event_attr attr =
		prof_perf_event_attr(events->arch, events->options.scope, events->type, dump);

	attr.type = PERF_TYPE_SOFTWARE;
	attr.sample_id_all = 1;
	attr.watermark = 1;
	attr.wakeup_watermark = (uint32_t)room(events, source) / 4;
	if (source->samples)
		attr.task = attr.mmap = attr.comm = attr.comm_exec = 0;
	else
		attr.config = PERF_COUNT_SW_DUMMY;
	if (source->samples && events->of_cpus) {
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		attr.sample_period = (uint64_t)events->period;
		attr.exclude_idle = 1;
	}
	return attr;
}

/* The ns for which a CPU keeps its period. */
static int64_t steady(const struct prof_family_events *events)
{
	int64_t periods = PERIODS * events->period;

	return periods > STEADY ? periods : STEADY;
}

/*
 * A random period for a CPU that had its last one for SINCE ns.  On average there are as many
 * samples as with a fixed period: the factor makes up for the half of a period that the kernel
 * drops at each change, and for short periods, which gain more samples than long ones lose.
 */
static int64_t random_period(struct prof_family_events *events, int64_t since)
{
	const double more = log((1 + SPREAD) / (1 - SPREAD)) / (2 * SPREAD);
	double part = 1 + SPREAD * (2 * erand48(events->random) - 1);
	double periods = (double)since / (double)events->period;

	return (int64_t)(part * more * periods / (periods + 0.5) * (double)events->period);
}

static int open_event(struct perf_event_attr *attr, pid_t thread, int cpu)
{
	return prof_file_keep(
		(int)syscall(SYS_perf_event_open, attr, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

/* Adds the event FD, which SOURCE takes over.  False: errno says why not. */
static bool add_event(const struct prof_family_events *events, struct source *source, int fd)
{
	return prof_perf_shared_add(&source->events, fd, room(events, source), ROOM_LEAST);
}

/*
 * Samples all CPUs and, if everything is sampled by CPUs, has the kernel report what happens to
 * processes there.  False: that is impossible, and errno says why.
 */
static bool open_cpus(struct prof_family_events *events)
{
	int64_t turn = steady(events) / (int64_t)events->sources.count;
	bool any = false;

	for (size_t i = 0; i < events->sources.count; i++) {
		struct source *source = &events->sources.items[i];
		if (!source->samples && !events->options.cpus)
			continue;
		struct perf_event_attr attr = base_attr(events, source);
		/* CPUs change their periods in turn, not all at once. */
		source->paced = prof_clock() - (int64_t)i * turn;
		if (source->samples)
			attr.sample_period = (uint64_t)random_period(events, steady(events));
		int fd = open_event(&attr, -1, source->cpu);
		/* The CPU may be offline. */
		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd < 0 || !add_event(events, source, fd))
			return false;
		any = true;
	}
	return any;
}

/* The period of a thread's own clock. */
static int64_t thread_period(double rate)
{
	int64_t asked = (int64_t)(PROF_NS_PER_SECOND / rate);
	int64_t period = asked / OFTENER;

	return period > LEAST ? period : asked < LEAST ? asked : LEAST;
}

struct prof_error *prof_family_events_create(
	const struct prof_family_events_options *options, struct prof_family_events **ret)
{
	struct prof_family_events *events = calloc(1, sizeof *events);
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	if (!events)
		return prof_error_nomem();
	events->options = *options;
	events->random[0] = (unsigned short)prof_clock();
	events->arch = prof_arch_native();
	events->type = PROF_PERF_SAMPLE_INHERITED;
	if (options->frames && options->scope == PROF_PERF_ALL)
		events->type |= PERF_SAMPLE_CALLCHAIN;
	events->polled = calloc(2 * (size_t)cpus + 1, sizeof *events->polled);
	if (!events->polled || !prof_array_reserve(&events->sources, 2 * (size_t)cpus)) {
		prof_family_events_destroy(events);
		return prof_error_nomem();
	}
	for (int i = 0; i < 2 * cpus; i++)
		*prof_array_push(&events->sources) =
			(struct source){.samples = i >= cpus, .cpu = i % cpus};
	events->of_cpus = true;
	events->period = (int64_t)(PROF_NS_PER_SECOND / options->rate * (1 - SHORTER));
	events->of_cpus = open_cpus(events);
	if (!events->of_cpus && options->cpus) {
		struct prof_error *error =
			prof_perf_explain(errno, "perf events of CPUs", 0, "sample CPUs");
		prof_family_events_destroy(events);
		return error;
	}
	if (!events->of_cpus) {
		for (size_t i = 0; i < events->sources.count; i++)
			prof_perf_shared_close(&events->sources.items[i].events);
		events->period = thread_period(options->rate);
	}
	*ret = events;
	return NULL;
}

void prof_family_events_destroy(struct prof_family_events *events)
{
	if (!events)
		return;
	for (size_t i = 0; i < events->sources.count; i++)
		prof_perf_shared_close(&events->sources.items[i].events);
	free(events->sources.items);
	free(events->polled);
	free(events);
}

bool prof_family_events_of_cpus(const struct prof_family_events *events)
{
	return events->of_cpus;
}

/* Makes the ioctl REQUEST for the events of SOURCE. */
static void request(const struct source *source, unsigned long request, void *argument)
{
	for (size_t i = 0; i < source->events.files.count; i++)
		ioctl(source->events.files.items[i], request, argument);
}

void prof_family_events_switch(const struct prof_family_events *events, bool on)
{
	for (size_t i = 0; i < events->sources.count; i++) {
		if (events->sources.items[i].samples)
			request(&events->sources.items[i],
				on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, NULL);
	}
}

void prof_family_events_pace(struct prof_family_events *events)
{
	int64_t now = prof_clock();

	for (size_t i = 0; i < events->sources.count && events->of_cpus; i++) {
		struct source *source = &events->sources.items[i];
		int64_t since = now - source->paced;
		if (!source->samples || since < steady(events))
			continue;
		uint64_t period = (uint64_t)random_period(events, since);
		request(source, PERF_EVENT_IOC_PERIOD, &period);
		source->paced = now;
	}
}

int64_t prof_family_events_period(const struct prof_family_events *events)
{
	return events->period;
}

uint64_t prof_family_events_type(const struct prof_family_events *events)
{
	return events->type;
}

struct opening {
	struct prof_family_events *events;
	int reason; /* errno of what has failed; 0: nothing has */
};

/* Has the kernel report what happens to THREAD and its descendants, on all CPUs. */
static void open_thread(void *context, pid_t thread)
{
	struct opening *opening = context;
	struct prof_family_events *events = opening->events;

	for (size_t i = 0; i < events->sources.count && !opening->reason; i++) {
		struct source *source = &events->sources.items[i];
		if (source->samples && events->of_cpus)
			continue;
		struct perf_event_attr attr = base_attr(events, source);
		attr.inherit = 1;
		attr.mmap2 = !source->samples;
		if (source->samples) {
			attr.config = PERF_COUNT_SW_TASK_CLOCK;
			attr.sample_period = (uint64_t)events->period;
			attr.inherit_stat = 1;
		}
		int fd = open_event(&attr, thread, source->cpu);
		/* The CPU may be offline, or the thread may have ended. */
		if (fd < 0 && (errno == ENODEV || errno == ESRCH))
			continue;
		if (fd < 0 || !add_event(events, source, fd))
			opening->reason = errno;
	}
}

/* Why events cannot be opened. */
static struct prof_error *explain(int reason)
{
	if (reason == EMFILE || reason == ENFILE)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"Children need a file descriptor for each CPU, and GDB may not open so many: raise the limit (ulimit -n).");
	if (reason == EPERM || reason == ENOMEM)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"GDB may not lock enough memory for the samples of children: raise the limit (ulimit -l).");
	return prof_perf_explain(reason, "perf events", 2, "sample children");
}

struct prof_error *prof_family_events_add(struct prof_family_events *events, pid_t process)
{
	struct opening opening = {.events = events};

	prof_procfs_threads(process, open_thread, &opening);
	return opening.reason ? explain(opening.reason) : NULL;
}

/* Finds the next record of SOURCE that is early enough. */
static void find_next(const struct prof_family_events *events, struct source *source)
{
	source->next = prof_perf_ring_next(&source->events.ring);
	if (!source->next || prof_perf_task_time(source->next) < events->until)
		return;
	prof_perf_ring_leave(&source->events.ring, source->next);
	source->next = NULL;
}

void prof_family_events_begin(struct prof_family_events *events, int64_t until)
{
	events->until = until;
	events->last = NULL;
	for (size_t i = 0; i < events->sources.count; i++) {
		struct source *source = &events->sources.items[i];
		if (!source->events.files.count)
			continue;
		prof_perf_ring_begin(&source->events.ring);
		find_next(events, source);
	}
}

const struct perf_event_header *prof_family_events_next(struct prof_family_events *events)
{
	struct source *first = NULL;

	if (events->last)
		find_next(events, events->last);
	for (size_t i = 0; i < events->sources.count; i++) {
		struct source *source = &events->sources.items[i];
		if (source->next &&
			(!first ||
				prof_perf_task_time(source->next) <
					prof_perf_task_time(first->next)))
			first = source;
	}
	events->last = first;
	for (size_t i = 0; i < events->sources.count && !first; i++) {
		if (events->sources.items[i].events.files.count)
			prof_perf_ring_end(&events->sources.items[i].events.ring);
	}
	return first ? first->next : NULL;
}

bool prof_family_events_of_samples(const struct prof_family_events *events)
{
	return events->last && events->last->samples;
}

bool prof_family_events_any(const struct prof_family_events *events,
	bool (*test)(void *context, const struct perf_event_header *header), void *context)
{
	bool any = false;

	for (size_t i = 0; i < events->sources.count && !any; i++) {
		const struct source *source = &events->sources.items[i];
		/* Copies begin to read at the same place. */
		struct prof_perf_ring ring = source->events.ring;
		const struct perf_event_header *header = source->next;
		for (; header && !any; header = prof_perf_ring_next(&ring))
			any = test(context, header);
	}
	return any;
}

static bool any_ended(const struct pollfd *files, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++) {
		if (files[i].revents & POLLHUP)
			return true;
	}
	return false;
}

void prof_family_events_wait(
	struct prof_family_events *events, int wake, int time, pthread_mutex_t *mutex)
{
	nfds_t count = 0;

	events->polled[count++] = (struct pollfd){.fd = wake, .events = POLLIN};
	for (size_t i = 0; i < events->sources.count; i++) {
		const struct source *source = &events->sources.items[i];
		if (source->events.files.count)
			events->polled[count++] = (struct pollfd){
				.fd = source->events.files.items[0], .events = POLLIN};
	}
	pthread_mutex_unlock(mutex);
	poll(events->polled, count, time);
	/* An event whose threads have all ended is always ready, so poll() does not wait. */
	if (any_ended(events->polled, count))
		poll(events->polled, 1, time);
	pthread_mutex_lock(mutex);
}
