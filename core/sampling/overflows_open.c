/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/overflows_private.h"

#include "base/file.h"
#include "sampling/counter.h"
#include "sampling/counter_open.h"
#include "target/procfs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes of the rings of all counters and CPUs together, and the least of one. */
enum { ROOM = 1 << 24, ROOM_LEAST = 1 << 17 };

uint64_t prof_overflows_sample_type(const struct prof_counter *counter)
{
	return counter->search ? PROF_PERF_SAMPLE_ADDRESSED : PROF_PERF_SAMPLE_INHERITED;
}

/* Bytes of each ring. */
static size_t room(const struct prof_overflows *overflows)
{
	size_t bytes = ROOM;

	while (bytes > ROOM_LEAST && bytes * overflows->sources.count > ROOM)
		bytes /= 2;
	return bytes;
}

static int open_event(const struct prof_overflows *overflows,
	const struct prof_overflows_source *source, pid_t thread)
{
	const struct prof_counter *counter = prof_overflows_counter(overflows, source);
	struct perf_event_attr attr = prof_perf_event_attr(overflows->arch,
		overflows->options.scope, prof_overflows_sample_type(counter), overflows->dump);

	prof_counter_fill(counter, overflows->options.scope, &attr);
	attr.disabled = 1;
	attr.inherit = 1;
	if (overflows->apart)
		prof_perf_inherit_threads(&attr);
	attr.watermark = 1;
	attr.wakeup_watermark = (uint32_t)room(overflows) / 4;
	return prof_file_keep((int)syscall(
		SYS_perf_event_open, &attr, thread, source->cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

struct opening {
	struct prof_overflows *overflows;
	int reason; /* errno of what has failed; 0: nothing has */
};

/* Opens all counters of THREAD on all CPUs. */
static void open_thread(void *context, pid_t thread)
{
	struct opening *opening = context;
	struct prof_overflows *overflows = opening->overflows;

	for (size_t i = 0; i < overflows->sources.count && !opening->reason; i++) {
		struct prof_overflows_source *source = &overflows->sources.items[i];
		int fd = open_event(overflows, source, thread);
		/* The CPU may be offline, or the thread may have ended. */
		if (fd < 0 && (errno == ENODEV || errno == ESRCH))
			continue;
		if (fd < 0 ||
			!prof_perf_shared_add(&source->events, fd, room(overflows), ROOM_LEAST))
			opening->reason = errno;
	}
}

static void close_source(struct prof_overflows *overflows, struct prof_overflows_source *source)
{
	struct prof_overflows_sum *sum = &overflows->sums[source->counter];
	uint64_t count;

	for (size_t i = 0; i < source->events.files.count; i++) {
		if (read(source->events.files.items[i], &count, sizeof count) == sizeof count)
			sum->counted += count;
	}
	prof_perf_shared_close(&source->events);
}

void prof_overflows_close(struct prof_overflows *overflows)
{
	for (size_t i = 0; i < overflows->sources.count; i++)
		close_source(overflows, &overflows->sources.items[i]);
}

struct prof_error *prof_overflows_explain(int reason)
{
	if (reason == EMFILE || reason == ENFILE)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"Counters need a file descriptor for each thread and CPU, and GDB may not open so many: raise the limit (ulimit -n).");
	if (reason == EPERM || reason == ENOMEM)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"GDB may not lock enough memory for the samples of counters: raise the limit (ulimit -l).");
	return prof_error_create(
		PROF_ERROR_SYSTEM, "The kernel refuses to count events: %s.", strerror(reason));
}

struct prof_error *prof_overflows_open(struct prof_overflows *overflows)
{
	struct opening opening = {.overflows = overflows};

	overflows->apart = true;
	prof_procfs_threads(overflows->options.process, open_thread, &opening);
	if (opening.reason == EINVAL) {
		/*
		 * Before Linux 5.13 child processes inherit the events, too: their samples name the
		 * process.
		 */
		prof_overflows_close(overflows);
		opening.reason = 0;
		overflows->apart = false;
		prof_procfs_threads(overflows->options.process, open_thread, &opening);
	}
	if (!opening.reason)
		return NULL;
	prof_overflows_close(overflows);
	return prof_overflows_explain(opening.reason);
}

struct prof_error *prof_overflows_make_sources(struct prof_overflows *overflows)
{
	size_t counters = overflows->options.counters->list.count;
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	overflows->sums = calloc(counters, sizeof *overflows->sums);
	if (!overflows->sums || !prof_array_reserve(&overflows->sources, counters * (size_t)cpus))
		return prof_error_nomem();
	for (uint32_t i = 0; i < counters; i++) {
		for (int cpu = 0; cpu < cpus; cpu++)
			*prof_array_push(&overflows->sources) =
				(struct prof_overflows_source){.counter = i, .cpu = cpu};
	}
	return NULL;
}
