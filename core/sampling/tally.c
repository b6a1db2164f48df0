/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/tally.h"

#include "target/procfs.h"

#include <stdlib.h>

static const int switch_figures[] = {PROF_USAGE_VOLUNTARY, PROF_USAGE_INVOLUNTARY};

/* A + B; unknown if either is. */
static int64_t sum(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? PROF_USAGE_UNKNOWN : a + b;
}

static void add_switches(struct prof_usage_switches *to, const struct prof_usage_switches *switches)
{
	to->voluntary = sum(to->voluntary, switches->voluntary);
	to->involuntary = sum(to->involuntary, switches->involuntary);
}

static void free_process(struct prof_tally_process *process)
{
	free(process->threads.items);
}

void prof_tally_deinit(struct prof_tally *tally)
{
	for (size_t i = 0; i < tally->processes.count; i++)
		free_process(&tally->processes.items[i]);
	free(tally->processes.items);
	*tally = (struct prof_tally){0};
}

static struct prof_tally_process *find(struct prof_tally *tally, pid_t process)
{
	for (size_t i = 0; i < tally->processes.count; i++) {
		if (tally->processes.items[i].process == process)
			return &tally->processes.items[i];
	}
	return NULL;
}

static int by_id(const void *left, const void *right)
{
	const struct prof_tally_thread *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

/* The threads that exist now, read one after the other. */
struct reading {
	pid_t process;
	PROF_ARRAY(struct prof_tally_thread) threads;
};

static void read_thread(void *context, pid_t thread)
{
	struct reading *reading = context;
	struct prof_tally_thread read = {.id = thread};

	if (!prof_usage_switches(reading->process, thread, &read.switches))
		return;
	struct prof_tally_thread *added = prof_array_push(&reading->threads);
	if (added)
		*added = read;
}

/* Is THREAD, found now, the same as WAS, and not another with its id? */
static bool goes_on(const struct prof_tally_thread *was, const struct prof_tally_thread *thread)
{
	return thread->id == was->id && thread->switches.voluntary >= was->switches.voluntary &&
		thread->switches.involuntary >= was->switches.involuntary;
}

/* Replaces the threads of PROCESS by those of READING, and counts those that are gone. */
static void take_threads(struct prof_tally_process *process, const struct reading *reading)
{
	size_t at = 0;

	for (size_t i = 0; i < process->threads.count; i++) {
		const struct prof_tally_thread *was = &process->threads.items[i];
		while (at < reading->threads.count && reading->threads.items[at].id < was->id)
			at++;
		if (at == reading->threads.count || !goes_on(was, &reading->threads.items[at]))
			add_switches(&process->gone, &was->switches);
	}
	free(process->threads.items);
	process->threads.items = reading->threads.items;
	process->threads.count = reading->threads.count;
	process->threads.capacity = reading->threads.capacity;
}

/* Adds up the switches of PROCESS; READING has the threads that exist now. */
static void count_switches(struct prof_tally_process *process, const struct reading *reading)
{
	struct prof_usage_switches switches = process->gone;

	if (reading->threads.count) {
		qsort(reading->threads.items, reading->threads.count,
			sizeof *reading->threads.items, by_id);
		take_threads(process, reading);
		switches = process->gone;
	}
	for (size_t i = 0; i < process->threads.count; i++)
		add_switches(&switches, &process->threads.items[i].switches);
	process->last.figures[PROF_USAGE_VOLUNTARY] = switches.voluntary;
	process->last.figures[PROF_USAGE_INVOLUNTARY] = switches.involuntary;
}

static void look_at_threads(struct prof_tally_process *process)
{
	struct reading reading = {.process = process->process};

	prof_procfs_threads(process->process, read_thread, &reading);
	count_switches(process, &reading);
}

/* Reads the figures of PROCESS as a whole.  Those that can no longer be read stay as they were. */
static void look(struct prof_tally_process *process)
{
	struct prof_usage now;

	if (!process->readable || process->ended)
		return;
	if (!prof_usage_read(process->process, &now)) {
		process->ended = true;
		return;
	}
	for (size_t i = 0; i < PROF_COUNT(switch_figures); i++)
		now.figures[switch_figures[i]] = process->last.figures[switch_figures[i]];
	for (int i = 0; i < PROF_USAGES; i++) {
		int64_t before = process->last.figures[i];
		bool kept = prof_usage_table[i].kind != PROF_USAGE_LEVEL && now.figures[i] < before;
		if (!kept)
			process->last.figures[i] = now.figures[i];
	}
}

bool prof_tally_add(struct prof_tally *tally, pid_t process, bool readable)
{
	struct prof_tally_process new = {.process = process, .readable = readable};

	if (find(tally, process))
		return true;
	if (!prof_array_reserve(&tally->processes, 1))
		return false;
	prof_usage_clear(&new.last);
	look(&new);
	if (readable && !new.ended)
		look_at_threads(&new);
	new.base = new.last;
	tally->processes.items[tally->processes.count++] = new;
	return true;
}

bool prof_tally_report(struct prof_tally *tally, pid_t process, const struct prof_usage *usage,
	const struct prof_tally_thread *threads, size_t count)
{
	struct prof_tally_process *reported = find(tally, process);
	struct reading reading = {.process = process};

	if (!reported || reported->readable)
		return true;
	if (!prof_array_reserve(&reading.threads, count))
		return false;
	for (size_t i = 0; i < count; i++)
		reading.threads.items[reading.threads.count++] = threads[i];
	reported->last = *usage;
	count_switches(reported, &reading);
	if (!count)
		free(reading.threads.items);
	if ((int64_t)count != usage->figures[PROF_USAGE_THREADS])
		reported->last.figures[PROF_USAGE_VOLUNTARY] =
			reported->last.figures[PROF_USAGE_INVOLUNTARY] = PROF_USAGE_UNKNOWN;
	return true;
}

void prof_tally_begin(struct prof_tally *tally, pid_t process)
{
	struct prof_tally_process *begun = find(tally, process);

	if (begun && !begun->readable)
		begun->base = begun->last;
}

void prof_tally_forget(struct prof_tally *tally)
{
	for (size_t i = 0; i < tally->processes.count; i++) {
		if (!tally->processes.items[i].readable)
			prof_usage_clear(&tally->processes.items[i].last);
	}
}

/* The FIGURE of PROCESS since it was added, or its current value. */
static int64_t figure_of(const struct prof_tally_process *process, int figure)
{
	int64_t last = process->last.figures[figure];
	int64_t base = process->base.figures[figure];

	switch (prof_usage_table[figure].kind) {
	case PROF_USAGE_GROWS:
		return last < base || base < 0 ? PROF_USAGE_UNKNOWN : last - base;
	case PROF_USAGE_LEVEL:
		return process->ended ? 0 : last;
	case PROF_USAGE_MOST:
		break;
	}
	return last;
}

/* The most that each process has had: the sum is the most that there can have been. */
static void add_up(const struct prof_tally *tally, struct prof_usage *ret)
{
	for (int i = 0; i < PROF_USAGES; i++) {
		bool grows = prof_usage_table[i].kind == PROF_USAGE_GROWS;
		bool unknown = tally->gone.figures[i] < 0;
		int64_t total = grows || unknown ? tally->gone.figures[i] : 0;
		for (size_t j = 0; j < tally->processes.count; j++)
			total = sum(total, figure_of(&tally->processes.items[j], i));
		if (prof_usage_table[i].kind == PROF_USAGE_MOST && total >= 0 &&
			total < tally->gone.figures[i])
			total = tally->gone.figures[i];
		ret->figures[i] = total;
	}
}

/* Reads all figures of PROCESS, for the last time if it has ended. */
static void look_at_all(struct prof_tally_process *process)
{
	look(process);
	if (process->readable && !process->ended)
		look_at_threads(process);
}

void prof_tally_remove(struct prof_tally *tally, pid_t process)
{
	struct prof_tally_process *going = find(tally, process);

	if (!going)
		return;
	look_at_all(going);
	struct prof_usage now;
	add_up(tally, &now);
	for (int i = 0; i < PROF_USAGES; i++) {
		if (prof_usage_table[i].kind == PROF_USAGE_GROWS)
			tally->gone.figures[i] = sum(tally->gone.figures[i], figure_of(going, i));
		else if (prof_usage_table[i].kind == PROF_USAGE_MOST)
			tally->gone.figures[i] = now.figures[i];
	}
	free_process(going);
	*going = tally->processes.items[--tally->processes.count];
}

/* THREAD still exists, but counts as one that has ended. */
static void end_thread(struct prof_tally_process *process, pid_t thread)
{
	struct prof_tally_thread wanted = {.id = thread};

	if (!prof_usage_switches(process->process, thread, &wanted.switches))
		return;
	struct prof_tally_thread *known = !process->threads.count
		? NULL
		: bsearch(&wanted, process->threads.items, process->threads.count,
			  sizeof *process->threads.items, by_id);
	if (known)
		known->switches = wanted.switches;
	else
		add_switches(&process->gone, &wanted.switches);
}

void prof_tally_end(struct prof_tally *tally, pid_t process, pid_t thread)
{
	struct prof_tally_process *owner = find(tally, process);

	if (!owner || !owner->readable || owner->ended)
		return;
	if (thread == process)
		look_at_all(owner);
	else
		end_thread(owner, thread);
}

void prof_tally_look(struct prof_tally *tally)
{
	for (size_t i = 0; i < tally->processes.count; i++)
		look(&tally->processes.items[i]);
}

void prof_tally_read(struct prof_tally *tally, struct prof_usage *ret)
{
	for (size_t i = 0; i < tally->processes.count; i++)
		look_at_all(&tally->processes.items[i]);
	add_up(tally, ret);
}
