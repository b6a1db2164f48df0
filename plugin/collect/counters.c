/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/counters.h"

#include "plugin/engine/engine.h"
#include "plugin/gdb/host_target.h"
#include "plugin/interpose/displaced.h"
#include "sampling/cpu_clock.h"
#include "sampling/overflows.h"
#include "target/arch.h"

#include <stdlib.h>
#include <string.h>

/* A process, and its counters. */
struct counted {
	pid_t process;
	struct prof_walker *walker;
	struct prof_overflows *overflows;
};

/* One recording is made at a time. */
static struct {
	struct counters_request request;
	struct prof_counters list;
	enum prof_perf_scope scope;
	struct prof_error *lacks; /* what the kernel does not permit, or NULL */
	unsigned long cut;        /* stacks of processes that have gone */
	PROF_ARRAY(struct counted) items;
} counters;

static struct counted *find(pid_t process)
{
	for (size_t i = 0; i < counters.items.count; i++) {
		if (counters.items.items[i].process == process)
			return &counters.items.items[i];
	}
	return NULL;
}

struct prof_error *counters_check(const char *what, const char *connection)
{
	PROF_AUTO(prof_counters_deinit) struct prof_counters list = {0};

	if (!what)
		return NULL;
	if (!host_is_native(connection))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Counters are those of this machine, and cannot count a program that runs elsewhere (%s).",
			connection);
	struct prof_error *error = engine_check_machine("perf");
	return error ? error : prof_counters_read(what, &list);
}

/* Tells the recorder of the counter NUMBER. */
static struct prof_error *tell_counter(const struct prof_counter *counter)
{
	const struct prof_record record = {
		.kind = PROF_RECORD_COUNTER,
		.size = (uint32_t)strlen(counter->name) + 1,
		.counter = {.unit = counter->unit,
			.apart = counter->apart,
			.clock = counter->unit == PROF_COUNTER_CYCLES ? prof_cpu_clock("") : 0,
			.interval = counter->interval},
	};

	return prof_queue_put(counters.request.queue, &record, counter->name) ? NULL
									      : prof_error_nomem();
}

struct prof_error *counters_begin(const struct counters_request *request)
{
	struct prof_error **lacks = &counters.lacks;

	counters_end();
	counters.request = *request;
	if (!request->what)
		return NULL;
	counters.scope = prof_perf_scope(prof_arch_native(), lacks);
	if (counters.scope == PROF_PERF_NOTHING)
		return steal(lacks);
	struct prof_error *error = prof_counters_read(request->what, &counters.list);
	for (size_t i = 0; i < counters.list.list.count && !error; i++)
		error = tell_counter(&counters.list.list.items[i]);
	return error;
}

static void forget(struct counted *counted)
{
	counters.cut += prof_overflows_cut(counted->overflows);
	prof_overflows_destroy(counted->overflows);
	prof_walker_destroy(counted->walker);
}

void counters_end(void)
{
	for (size_t i = 0; i < counters.items.count; i++)
		forget(&counters.items.items[i]);
	free(counters.items.items);
	prof_counters_deinit(&counters.list);
	prof_error_destroy(counters.lacks);
	counters = (__typeof__(counters)){0};
}

struct prof_error *counters_attach(pid_t process, bool native)
{
	struct prof_overflows_options options = {
		.process = process,
		.counters = &counters.list,
		.scope = counters.scope,
		.names = counters.request.names,
		.queue = counters.request.queue,
		.displaced = displaced_steps(),
	};
	struct counted counted = {.process = process};

	if (!counters.list.list.count || !native || find(process))
		return NULL;
	if (!prof_array_reserve(&counters.items, 1))
		return prof_error_nomem();
	struct prof_error *error = prof_walker_create(
		process, counters.request.max_depth, options.queue, &counted.walker);
	options.walker = counted.walker;
	if (!error)
		error = prof_overflows_create(&options, &counted.overflows);
	if (error) {
		prof_walker_destroy(counted.walker);
		return error;
	}
	*prof_array_push(&counters.items) = counted;
	prof_walker_read(counted.walker);
	return NULL;
}

void counters_release(pid_t process)
{
	const struct counted *counted = find(process);

	if (counted)
		prof_overflows_release(counted->overflows);
}

void counters_hold(pid_t process)
{
	const struct counted *counted = find(process);

	if (counted)
		prof_overflows_hold(counted->overflows);
}

/* Samples of before are walked with the mappings of before; those to come with what is mapped now,
 * even if the process has ended when they are walked. */
void counters_objects_changed(void)
{
	counters_tell();
	for (size_t i = 0; i < counters.items.count; i++)
		prof_walker_read(counters.items.items[i].walker);
}

void counters_detach(pid_t process)
{
	struct counted *counted = find(process);

	if (!counted)
		return;
	forget(counted);
	*counted = counters.items.items[--counters.items.count];
}

void counters_tell(void)
{
	for (size_t i = 0; i < counters.items.count; i++)
		prof_overflows_tell(counters.items.items[i].overflows);
}

void counters_say(struct prof_text *text)
{
	unsigned long cut = counters.cut;

	if (!counters.list.list.count)
		return;
	if (counters.lacks)
		prof_text_print(text, "%s\nEvents in system calls are not counted.\n",
			prof_error_message(counters.lacks));
	for (size_t i = 0; i < counters.items.count; i++)
		cut += prof_overflows_cut(counters.items.items[i].overflows);
	if (cut)
		prof_text_print(text,
			"gdbprof cut off %lu stack%s of counters: the kernel copies only the top of a large stack.\n",
			cut, cut == 1 ? "" : "s");
}
