/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/descendants_private.h"

#include "base/clock.h"
#include "base/thread.h"
#include "recording/look.h"
#include "recording/queue.h"
#include "sampling/perf_dump.h"
#include "sampling/perf_task.h"
#include "sampling/walker.h"
#include "target/arch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ns: how much later the kernel may report what happened on one CPU than on another. */
static const int64_t LATE = 5000000;

static void put_name(struct prof_descendants *descendants, struct prof_member_thread *thread)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_THREAD,
		.size = (uint32_t)strlen(thread->name) + 1,
		.thread = {.id = thread->thread},
	};

	if (!thread->named)
		thread->named = prof_queue_put(descendants->options.queue, &message, thread->name);
}

/* If others sample these processes, they have told the recorder where their files are. */
static struct prof_error *learn_layouts(struct prof_descendants *descendants)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < descendants->family.members.count && !error; i++) {
		struct prof_member *member = descendants->family.members.items[i];
		if (!member->apart || member->reported)
			continue;
		error = prof_layouts_learn(descendants->layouts, &member->maps);
		member->reported = true;
	}
	return error;
}

/* The layout of MEMBER, which is reported to the recorder; NULL: out of memory. */
static struct prof_layout *find_layout(
	struct prof_descendants *descendants, struct prof_member *member)
{
	struct prof_family *family = &descendants->family;
	bool dropped = false;

	if (!member->layout) {
		AUTO_ERROR struct prof_error *error = learn_layouts(descendants);
		if (!error)
			error = prof_layouts_find(
				descendants->layouts, &member->maps, &member->layout, &dropped);
		if (error)
			return NULL;
	}
	for (size_t i = 0; dropped && i < family->members.count; i++) {
		if (family->members.items[i] != member)
			family->members.items[i]->layout = NULL;
	}
	if (!member->reported)
		prof_layout_put(descendants->layouts, member->layout, member->process,
			descendants->options.kernel);
	member->reported = true;
	return member->layout;
}

/* See struct prof_family_waits_options. */
static struct prof_layout *introduce(void *context, struct prof_member_thread *thread)
{
	put_name(context, thread);
	return find_layout(context, thread->member);
}

static void put_look(struct prof_descendants *descendants, const struct prof_look *look)
{
	const struct prof_look unknown = {
		.time = look->time,
		.thread = look->thread,
		.process = look->process,
		.state = PROF_STATE_USER,
	};

	/*
	 * Where it was seen before, perhaps asleep and in another program, is not where it was now.
	 */
	if (!descendants->stack.depth)
		prof_stack_put(&descendants->stack, descendants->options.queue, &unknown);
	prof_stack_put(&descendants->stack, descendants->options.queue, look);
	descendants->figures.running += look->spent[look->state];
	descendants->figures.ticks += look->samples;
}

/* Adds the kernel frames, and walks the stack in user code. */
static void walk(struct prof_descendants *descendants, struct prof_layout *layout,
	struct prof_perf_record *record)
{
	struct prof_stack *stack = &descendants->stack;
	uint64_t frames[PERF_MAX_STACK_DEPTH];

	prof_stack_empty(stack);
	if (layout && record->registers.valid) {
		prof_layout_walk(layout, &record->registers, &record->stack, stack);
		prof_perf_dump_complete(record->process, &record->stack);
		descendants->said.cut += record->stack.exceeded;
	}
	prof_stack_push(
		stack, frames, prof_perf_record_kernel(record, frames, PERF_MAX_STACK_DEPTH));
}

/* How many samples NS of CPU time stand for; the fraction is kept for the next ones. */
static uint32_t take_samples(struct prof_descendants *descendants, int64_t ns)
{
	descendants->due += (double)ns * descendants->options.rate / PROF_NS_PER_SECOND;
	uint32_t samples = (uint32_t)descendants->due;
	descendants->due -= samples;
	return samples;
}

static void report_sample(
	struct prof_descendants *descendants, const struct perf_event_header *header)
{
	const uint64_t type = prof_family_events_type(descendants->events);
	int64_t period = prof_family_events_period(descendants->events);
	struct prof_perf_record record;

	if (!prof_perf_record_parse(header, type, prof_arch_native(), &record))
		return;
	struct prof_member_thread *thread = prof_family_thread(&descendants->family, record.thread);
	if (!thread || thread->member->process != record.process)
		return;
	int64_t share =
		prof_family_clock_sample(&thread->clock, &thread->off_cpu, record.time, period);
	if (record.time > thread->off_cpu.until)
		thread->since += share;
	if (!share || thread->member->apart || descendants->paused)
		return;
	put_name(descendants, thread);
	walk(descendants, find_layout(descendants, thread->member), &record);
	bool user = record.registers.within == PROF_WITHIN_PROGRAM;
	struct prof_look look = {
		.time = record.time,
		.thread = thread->thread,
		.process = record.process,
		.state = user ? PROF_STATE_USER : PROF_STATE_SYSTEM,
		.samples = take_samples(descendants, share),
		.cpu = record.cpu,
	};
	look.spent[look.state] = share;
	put_look(descendants, &look);
}

/* Reports the CPU time of THREAD, which has ended, since its last sample. */
static void report_rest(struct prof_descendants *descendants, struct prof_member_thread *thread)
{
	int64_t rest = prof_family_clock_rest(
		&thread->clock, &thread->off_cpu, thread->counted, thread->end);
	struct prof_look look = {
		.time = prof_clock(),
		.thread = thread->thread,
		.process = thread->member->process,
		.state = PROF_STATE_USER,
	};

	if (!rest || thread->member->apart || descendants->paused)
		return;
	put_name(descendants, thread);
	thread->since += rest;
	descendants->said.unsampled += rest;
	look.spent[look.state] = rest;
	look.samples = take_samples(descendants, rest);
	prof_stack_empty(&descendants->stack);
	put_look(descendants, &look);
}

static void remove_thread(struct prof_descendants *descendants, struct prof_member_thread *thread)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_UNMAP, .mapping.process = thread->member->process};

	report_rest(descendants, thread);
	if (!descendants->paused)
		prof_family_waits_end(descendants->waits, thread);
	/* Its addresses will not occur again. */
	if (thread->member->threads == 1 && thread->member->reported && !thread->member->apart)
		prof_queue_put(descendants->options.queue, &message, NULL);
	prof_family_remove(&descendants->family, thread);
}

/* Removes threads that have ended: the counts of their events come after the end. */
static void remove_ended(struct prof_descendants *descendants)
{
	struct prof_family *family = &descendants->family;

	for (size_t i = family->threads.count; i > 0; i--) {
		struct prof_member_thread *thread = family->threads.items[i - 1];
		if (thread->ended > 1)
			remove_thread(descendants, thread);
		else if (thread->ended)
			thread->ended++;
	}
}

static void report_record(
	struct prof_descendants *descendants, const struct perf_event_header *header)
{
	struct prof_perf_record lost;
	struct prof_perf_task task;

	if (header->type == PERF_RECORD_SAMPLE) {
		report_sample(descendants, header);
	} else if (header->type == PERF_RECORD_LOST) {
		if (prof_perf_record_parse(header, 0, prof_arch_native(), &lost))
			descendants->said.lost += lost.lost;
	} else if (prof_perf_task_parse(header, &task)) {
		/* Without memory, a process gets no samples. */
		prof_error_destroy(prof_family_apply(&descendants->family, &task));
	}
}

/* Is any process still running that is sampled here? */
static bool any_runs(const struct prof_descendants *descendants)
{
	const struct prof_family *family = &descendants->family;

	for (size_t i = 0; i < family->members.count; i++) {
		if (!family->members.items[i]->apart)
			return !descendants->paused;
	}
	return false;
}

static void report_figures(struct prof_descendants *descendants, int64_t now, bool ran)
{
	struct prof_message message = {.kind = PROF_MESSAGE_FIGURES};
	struct prof_figures *figures = &descendants->figures;

	if (ran) {
		figures->duration += now - descendants->counted;
		descendants->rounds += (double)(now - descendants->counted) *
			descendants->options.rate / PROF_NS_PER_SECOND;
		figures->rounds += (uint64_t)descendants->rounds;
		descendants->rounds -= (double)(uint64_t)descendants->rounds;
	}
	descendants->counted = now;
	figures->until = now;
	figures->rate = descendants->options.rate;
	message.figures = *figures;
	if (prof_queue_put(descendants->options.queue, &message, NULL))
		*figures = (struct prof_figures){0};
}

void prof_descendants_read(struct prof_descendants *descendants, int64_t until)
{
	const struct perf_event_header *header;
	int64_t now = prof_clock();
	bool ran = any_runs(descendants);

	prof_family_events_pace(descendants->events);
	prof_family_events_begin(descendants->events, until);
	while ((header = prof_family_events_next(descendants->events)))
		report_record(descendants, header);
	remove_ended(descendants);
	report_figures(descendants, now, ran || any_runs(descendants));
}

/* Reports everything until now. */
static void report_all(struct prof_descendants *descendants)
{
	prof_descendants_read(descendants, INT64_MAX);
	if (!descendants->paused)
		prof_family_waits_look(descendants->waits, &descendants->family);
}

/*
 * The same before the end, or a pause.  The second pass reports threads that have ended just now.
 */
static void report_last(struct prof_descendants *descendants)
{
	prof_descendants_read(descendants, INT64_MAX);
	report_all(descendants);
}

/* Looks at the threads if that is due, and returns after how many ms something is due again. */
static int look_when_due(struct prof_descendants *descendants)
{
	if (descendants->paused)
		return PROF_DESCENDANTS_SOON;
	if (!prof_family_waits_due(descendants->waits))
		prof_family_waits_look(descendants->waits, &descendants->family);
	int due = prof_family_waits_due(descendants->waits);
	return due < PROF_DESCENDANTS_SOON ? due : PROF_DESCENDANTS_SOON;
}

static void *run(void *context)
{
	struct prof_descendants *descendants = context;
	uint64_t reported;

	pthread_mutex_lock(&descendants->mutex);
	while (read(descendants->wake, &reported, sizeof reported) != sizeof reported) {
		prof_descendants_read(descendants, prof_clock() - LATE);
		if (descendants->group && prof_clock() >= descendants->regroup)
			prof_error_destroy(prof_descendants_read_group(descendants));
		int time = look_when_due(descendants);
		int64_t used = prof_clock_used();
		descendants->figures.looking += used - descendants->used;
		descendants->used = used;
		prof_family_events_wait(
			descendants->events, descendants->wake, time, &descendants->mutex);
	}
	pthread_mutex_unlock(&descendants->mutex);
	return NULL;
}

static void deinit(struct prof_descendants *descendants)
{
	prof_family_events_destroy(descendants->events);
	prof_family_waits_destroy(descendants->waits);
	prof_layouts_destroy(descendants->layouts);
	prof_family_deinit(&descendants->family);
	prof_stack_deinit(&descendants->stack);
	free(descendants->group);
	pthread_mutex_destroy(&descendants->mutex);
	if (descendants->wake >= 0)
		close(descendants->wake);
	free(descendants);
}

/* Creates what the thread of DESCENDANTS needs. */
static struct prof_error *prepare(struct prof_descendants *descendants)
{
	const struct prof_descendants_options *options = &descendants->options;
	const struct prof_family_events_options wanted = {
		.scope = options->scope, .frames = options->kernel, .rate = options->rate};
	const struct prof_family_waits_options waits = {
		.rate = options->rate,
		.wall = options->wall,
		.queue = options->queue,
		.introduce = introduce,
		.context = descendants,
		.max_depth = options->max_depth,
	};
	struct prof_error *error = prof_family_events_create(&wanted, &descendants->events);

	if (!error)
		error = prof_layouts_create(
			prof_arch_native(), options->queue, &descendants->layouts);
	if (!error)
		error = prof_stack_init(&descendants->stack, options->max_depth);
	if (!error)
		error = prof_family_waits_create(&waits, &descendants->waits);
	if (error)
		return error;
	descendants->said.of_cpus = prof_family_events_of_cpus(descendants->events);
	return prof_thread_eventfd(&descendants->wake);
}

struct prof_error *prof_descendants_create(
	const struct prof_descendants_options *options, struct prof_descendants **ret)
{
	struct prof_descendants *descendants = calloc(1, sizeof *descendants);

	if (!descendants)
		return prof_error_nomem();
	descendants->options = *options;
	descendants->wake = -1;
	descendants->counted = prof_clock();
	pthread_mutex_init(&descendants->mutex, NULL);
	struct prof_error *error = prepare(descendants);
	if (!error)
		error = prof_thread_start(run, descendants, "gdbprof-family",
			"The thread that samples children", &descendants->thread);
	if (error)
		deinit(descendants);
	else
		*ret = descendants;
	return error;
}

void prof_descendants_destroy(struct prof_descendants *descendants)
{
	const uint64_t one = 1;

	if (!descendants)
		return;
	/* This cannot fail: nobody else writes to it. */
	while (write(descendants->wake, &one, sizeof one) != sizeof one)
		;
	pthread_join(descendants->thread, NULL);
	report_last(descendants);
	deinit(descendants);
}

void prof_descendants_leave_out(struct prof_descendants *descendants, pid_t process)
{
	pthread_mutex_lock(&descendants->mutex);
	report_all(descendants);
	struct prof_member *member = prof_family_find(&descendants->family, process);
	if (member)
		member->apart = true;
	pthread_mutex_unlock(&descendants->mutex);
}

void prof_descendants_pause(struct prof_descendants *descendants, bool paused)
{
	pthread_mutex_lock(&descendants->mutex);
	report_last(descendants);
	if (descendants->paused && !paused)
		prof_family_waits_restart(descendants->waits, &descendants->family);
	descendants->paused = paused;
	pthread_mutex_unlock(&descendants->mutex);
}

void prof_descendants_report_processes(struct prof_descendants *descendants)
{
	pthread_mutex_lock(&descendants->mutex);
	report_all(descendants);
	pthread_mutex_unlock(&descendants->mutex);
}

struct prof_descendants_figures prof_descendants_figures(struct prof_descendants *descendants)
{
	pthread_mutex_lock(&descendants->mutex);
	struct prof_descendants_figures figures = descendants->said;
	figures.unseen = prof_family_waits_unseen(descendants->waits);
	figures.living = prof_family_living(&descendants->family);
	pthread_mutex_unlock(&descendants->mutex);
	return figures;
}
