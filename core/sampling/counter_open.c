/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/counter_open.h"

#include "base/list.h"
#include "sampling/counter.h"
#include "sampling/counter_kind.h"
#include "sampling/perf_dump.h"
#include "target/arch.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The highest precise_ip that is tried: 3 would leave out events that the CPU cannot place. */
enum { PRECISE = 2, MOST_ROOM = 32 };

void prof_counter_fill(const struct prof_counter *counter, enum prof_perf_scope scope,
	struct perf_event_attr *attr)
{
	attr->type = counter->type;
	attr->config = counter->config;
	attr->config1 = counter->config1;
	attr->config2 = counter->config2;
	attr->precise_ip = counter->precise;
	attr->sample_period = (uint64_t)counter->interval;
	attr->exclude_user = counter->exclude_user;
	attr->exclude_kernel = counter->exclude_kernel ||
		(scope == PROF_PERF_USER && !counter->kernel && !counter->exclude_user);
	attr->exclude_hv = 1;
}

/* Opens COUNTER for the calling thread, disabled, in the group of LEADER; -1: in its own. */
static int open_counter(const struct prof_counter *counter, enum prof_perf_scope scope, int leader)
{
	const struct prof_arch *arch = prof_arch_native();
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.disabled = 1,
		.sample_type = PROF_PERF_SAMPLE,
		.sample_regs_user = arch->perf.mask,
		.sample_stack_user = PROF_PERF_DUMP_USUAL,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	prof_counter_fill(counter, scope, &attr);
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* Opens and closes COUNTER.  Returns 0 or errno. */
static int try_counter(const struct prof_counter *counter, enum prof_perf_scope scope)
{
	AUTO_CLOSE int fd = open_counter(counter, scope, -1);

	return fd < 0 ? errno : 0;
}

int prof_counter_try(struct prof_counter_entry *entry, enum prof_perf_scope scope)
{
	struct prof_counter *counter = &entry->counter;

	if (entry->fixed || !counter->hardware)
		return try_counter(counter, scope);
	counter->precise = PRECISE;
	int reason = try_counter(counter, scope);
	while (reason && counter->precise > 0) {
		counter->precise--;
		reason = try_counter(counter, scope);
	}
	return reason;
}

static bool has_generic(uint64_t config, enum prof_perf_scope scope)
{
	const struct prof_counter counter = {.type = PERF_TYPE_HARDWARE,
		.config = config,
		.interval = PROF_COUNTER_OFTEN,
		.hardware = true};

	return !try_counter(&counter, scope);
}

bool prof_counter_is_there(enum prof_perf_scope scope)
{
	return has_generic(PERF_COUNT_HW_CPU_CYCLES, scope) ||
		has_generic(PERF_COUNT_HW_INSTRUCTIONS, scope);
}

struct prof_error *prof_counter_absent(void)
{
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"This machine shows no hardware counters to programs, like most virtual machines.  Use the kernel's software events, such as page-faults, or a machine that has counters.");
}

struct prof_error *prof_counter_refused(
	const struct prof_counter *counter, int reason, enum prof_perf_scope scope)
{
	bool permitted = reason != EACCES && reason != EPERM;
	bool unknown = reason == ENOENT || reason == EINVAL || reason == EOPNOTSUPP ||
		reason == ENXIO || reason == ENODEV;

	if (!permitted && counter->type == PERF_TYPE_TRACEPOINT)
		return prof_perf_explain(reason, "tracepoints", -1, "sample tracepoints");
	if (!permitted && (counter->kernel || counter->exclude_user))
		return prof_perf_explain(
			reason, "events inside the kernel", 1, "sample events inside the kernel");
	if (unknown && counter->hardware && !prof_counter_is_there(scope))
		return prof_counter_absent();
	if (unknown && counter->precise)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The CPU cannot sample \"%s\" so precisely: leave out \"precise\".",
			counter->name);
	if (unknown)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"%s cannot sample \"%s\": prof-counters lists what it can.",
			counter->hardware ? "The CPU" : "The kernel", counter->name);
	return prof_perf_explain(reason, "perf events", 2, "sample the events of counters");
}

static void close_all(int *fds, size_t count)
{
	while (count > 0)
		close(fds[--count]);
}

unsigned prof_counter_room(enum prof_perf_scope scope)
{
	const struct prof_counter counter = {.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.interval = PROF_COUNTER_OFTEN,
		.hardware = true};
	int fds[MOST_ROOM];
	size_t count = 0;

	while (count < MOST_ROOM) {
		fds[count] = open_counter(&counter, scope, count ? fds[0] : -1);
		if (fds[count] < 0)
			break;
		count++;
	}
	close_all(fds, count);
	return (unsigned)count;
}

/* The unit that counts COUNTER.  The hardware counters of a CPU have several types. */
static uint32_t unit_of(const struct prof_counter *counter)
{
	return counter->type < PERF_TYPE_MAX ? PERF_TYPE_RAW : counter->type;
}

/* Opens the hardware counters of UNIT among COUNTERS as a group.  Returns 0 or errno. */
static int try_group(
	const struct prof_counters *counters, uint32_t unit, enum prof_perf_scope scope)
{
	int fds[PROF_COUNTERS];
	size_t count = 0;
	int reason = 0;

	for (size_t i = 0; !reason && i < counters->list.count; i++) {
		const struct prof_counter *counter = &counters->list.items[i];
		if (!counter->hardware || unit_of(counter) != unit)
			continue;
		fds[count] = open_counter(counter, scope, count ? fds[0] : -1);
		reason = fds[count] < 0 ? errno : 0;
		count += !reason;
	}
	close_all(fds, count);
	return reason;
}

/* Tries the counters of UNIT; if precise ones do not fit together, as plain ones. */
static int fit_group(struct prof_counters *counters, uint32_t unit, enum prof_perf_scope scope)
{
	uint8_t precise[PROF_COUNTERS] = {0};
	int reason = try_group(counters, unit, scope);

	if (!reason)
		return 0;
	for (size_t i = 0; i < counters->list.count; i++) {
		precise[i] = counters->list.items[i].precise;
		if (unit_of(&counters->list.items[i]) == unit)
			counters->list.items[i].precise = 0;
	}
	reason = try_group(counters, unit, scope);
	for (size_t i = 0; reason && i < counters->list.count; i++)
		counters->list.items[i].precise = precise[i];
	return reason;
}

struct prof_error *prof_counters_check(struct prof_counters *counters, enum prof_perf_scope scope)
{
	int reason = 0;

	for (size_t i = 0; !reason && i < counters->list.count; i++) {
		if (counters->list.items[i].hardware)
			reason = fit_group(counters, unit_of(&counters->list.items[i]), scope);
	}
	if (!reason)
		return NULL;
	if (reason != EINVAL && reason != ENOSPC && reason != EBUSY)
		return prof_perf_explain(reason, "perf events", 2, "sample the events of counters");
	AUTO_TEXT struct prof_text names = {0};
	for (size_t i = 0; i < counters->list.count; i++) {
		if (counters->list.items[i].hardware)
			prof_list_add(&names, counters->list.items[i].name);
	}
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The CPU cannot count these at the same time: %s.  Ask for fewer of them, or for others.",
		prof_text_get(&names));
}
