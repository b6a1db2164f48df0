/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Profiles by counters: a process is sampled whenever one of its counters overflows. */
#include "plugin/collect/collector.h"

#include "base/option.h"
#include "model/unit.h"
#include "plugin/collect/request.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/interpose/displaced.h"
#include "plugin/option/word.h"
#include "recording/queue.h"
#include "sampling/counter.h"
#include "sampling/cpu_clock.h"
#include "sampling/overflows.h"
#include "sampling/walker.h"
#include "target/arch.h"

#include <stdlib.h>
#include <string.h>

/* A process, and its counters. */
struct counted {
	pid_t process;
	struct prof_walker *walker;
	struct prof_overflows *overflows;
};

/* There is only one recording at a time. */
static struct {
	struct prof_counters list; /* none: no counters are used */
	bool names;                /* no engine reports the names of threads */
	size_t max_depth;          /* frames */
	struct prof_queue *queue;
	enum prof_perf_scope scope;
	struct prof_error *lacks; /* what the kernel does not allow, or NULL */
	unsigned long cut;        /* stacks of processes that have ended */
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

/* The options that only this collector reads. */
struct counters_choice {
	const char *counter; /* see prof_counters_read(); NULL: none */
};

static const struct prof_option rows[] = {
	{.name = "counter",
		.value = "[+]NAME[:INTERVAL],...",
		.word = word_of_counter,
		.open = true,
		.plus = true,
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct counters_choice, counter),
		.describe =
			"Take a sample of a thread whenever one of these counters has counted INTERVAL events; prof-counters lists their names.  "
			"With + before NAME gdbprof also looks for the instruction and the data address of each event, for prof-data.  "
			"The clock then takes no samples unless you give --engine, --rate, --interval or --clock."},
	{.name = NULL},
};

static const struct prof_options own_options = PROF_OPTIONS(rows, struct counters_choice);

static void source(const void *own, struct prof_text *text)
{
	const struct counters_choice *choice = own;

	if (!choice->counter)
		return;
	prof_text_print(text, "counters: ");
	prof_text_name(text, choice->counter);
}

static struct prof_error *check(const void *own)
{
	const struct counters_choice *choice = own;
	PROF_AUTO(prof_counters_deinit) struct prof_counters list = {0};
	AUTO_FREE char *connection = NULL;

	if (!choice->counter)
		return NULL;
	struct prof_error *error = host_connection(&connection);
	if (error)
		return error;
	if (!host_is_native(connection))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Counters count only programs on this machine; the target is \"%s\".  Leave out --counter.",
			connection);
	error = engine_check_machine("perf");
	return error ? error : prof_counters_read(choice->counter, &list);
}

/* Describes the counter NUMBER to the recorder. */
static struct prof_error *report_counter(const struct prof_counter *counter)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_COUNTER,
		.size = (uint32_t)strlen(counter->name) + 1,
		.counter = {.unit = counter->unit,
			.apart = counter->apart,
			.clock = counter->unit == PROF_COUNTER_CYCLES ? prof_cpu_clock("") : 0,
			.interval = counter->interval},
	};

	return prof_queue_put(counters.queue, &message, counter->name) ? NULL : prof_error_nomem();
}

static struct prof_error *begin(const struct collector_request *request, const void *own)
{
	const struct counters_choice *choice = own;
	const char *what = choice->counter;
	struct prof_error **lacks = &counters.lacks;

	counters.names = request->engine == &engine_none;
	counters.max_depth = request->asked->max_depth;
	counters.queue = request->queue;
	if (!what)
		return NULL;
	counters.scope = prof_perf_scope(prof_arch_native(), lacks);
	if (counters.scope == PROF_PERF_NOTHING)
		return steal(lacks);
	struct prof_error *error = prof_counters_read(what, &counters.list);
	for (size_t i = 0; i < counters.list.list.count && !error; i++)
		error = report_counter(&counters.list.list.items[i]);
	return error;
}

static void forget(struct counted *counted)
{
	counters.cut += prof_overflows_cut(counted->overflows);
	prof_overflows_destroy(counted->overflows);
	prof_walker_destroy(counted->walker);
}

static void end(void)
{
	for (size_t i = 0; i < counters.items.count; i++)
		forget(&counters.items.items[i]);
	free(counters.items.items);
	prof_counters_deinit(&counters.list);
	prof_error_destroy(counters.lacks);
	counters = (__typeof__(counters)){0};
}

static struct prof_error *attach(pid_t process, bool native)
{
	struct prof_overflows_options options = {
		.process = process,
		.counters = &counters.list,
		.scope = counters.scope,
		.names = counters.names,
		.queue = counters.queue,
		.displaced = displaced_steps(),
	};
	struct counted counted = {.process = process};

	if (!counters.list.list.count || !native || find(process))
		return NULL;
	if (!prof_array_reserve(&counters.items, 1))
		return prof_error_nomem();
	struct prof_error *error =
		prof_walker_create(process, counters.max_depth, options.queue, &counted.walker);
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

static void release(pid_t process)
{
	const struct counted *counted = find(process);

	if (counted)
		prof_overflows_release(counted->overflows);
}

static void hold(pid_t process)
{
	const struct counted *counted = find(process);

	if (counted)
		prof_overflows_hold(counted->overflows);
}

static void report(void)
{
	for (size_t i = 0; i < counters.items.count; i++)
		prof_overflows_report(counters.items.items[i].overflows);
}

/*
 * Earlier samples are walked with the earlier mappings; later ones with the current mappings, even
 * if the process has ended when they are walked.
 */
static void objects_changed(void)
{
	report();
	for (size_t i = 0; i < counters.items.count; i++)
		prof_walker_read(counters.items.items[i].walker);
}

static void detach(pid_t process)
{
	struct counted *counted = find(process);

	if (!counted)
		return;
	forget(counted);
	*counted = counters.items.items[--counters.items.count];
}

static void say(struct prof_text *text, enum collector_phase phase)
{
	unsigned long cut = counters.cut;

	if (!counters.list.list.count || phase == COLLECTOR_STARTED)
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

const struct collector collector_counters = {
	.name = "counters",
	.options = &own_options,
	.source = source,
	.check = check,
	.begin = begin,
	.end = end,
	.attach = attach,
	.release = release,
	.hold = hold,
	.detach = detach,
	.objects_changed = objects_changed,
	.report = report,
	.say = say,
};
