/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/visits.h"

#include "base/clock.h"
#include "base/recent.h"
#include "model/state.h"
#include "plugin/calls/traced_functions.h"
#include "plugin/gdb/host.h"
#include "recording/mappings.h"
#include "recording/queue.h"
#include "target/arch.h"
#include "target/process.h"
#include "target/procfs.h"
#include "target/unwind.h"
#include "tracing/arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The id by which the recorder distinguishes messages of this file from those of ring readers. */
static const uint64_t OWN_NUMBER = UINT64_MAX;

/* A process whose threads make calls. */
struct visited {
	pid_t pid;
	struct prof_process process;
	struct prof_unwinder *unwinder;
	uint64_t generation;      /* of the mappings that were reported */
	struct prof_recent named; /* threads whose names were reported */
};

/* A call that has not returned yet. */
struct visit {
	size_t traced;
	int64_t limit; /* ns: shorter calls are not reported */
	struct visited *visited;
	pid_t thread;
	uint64_t sp;   /* the address of its return address */
	int64_t begin; /* ns of CLOCK_MONOTONIC */
	struct traced_places places;
	uint64_t words[PROF_ARGUMENTS]; /* the values, as the registers have them */
	uint64_t *frames;
	size_t depth;
	enum prof_stack_end end;
};

/* There is one GDB, so one set of visits. */
static struct {
	struct prof_queue *queue; /* NULL: there are no visits */
	size_t max_depth;
	PROF_ARRAY(struct visited *) processes;
	PROF_ARRAY(struct visit) open; /* of a thread: outer ones first */
} visits;

void visits_begin(struct prof_queue *queue, size_t max_depth)
{
	visits.queue = queue;
	visits.max_depth = max_depth;
}

static void visited_destroy(struct visited *visited)
{
	prof_unwinder_destroy(visited->unwinder);
	prof_recent_deinit(&visited->named);
	free(visited);
}

static struct visited *find(pid_t pid)
{
	for (size_t i = 0; i < visits.processes.count; i++) {
		if (visits.processes.items[i]->pid == pid)
			return visits.processes.items[i];
	}
	return NULL;
}

/* The entry for PID, which is added if it is new; NULL: out of memory. */
static struct visited *find_or_add(pid_t pid)
{
	struct visited *visited = find(pid);

	if (visited)
		return visited;
	visited = calloc(1, sizeof *visited);
	if (!visited || !prof_array_reserve(&visits.processes, 1)) {
		free(visited);
		return NULL;
	}
	visited->pid = pid;
	visited->generation = UINT64_MAX;
	prof_process_init(&visited->process, pid);
	const struct prof_target target = prof_process_target(&visited->process);
	struct prof_error *error = prof_unwinder_create(pid, &target, &visited->unwinder);
	if (error) {
		host_forget(error);
		free(visited);
		return NULL;
	}
	visits.processes.items[visits.processes.count++] = visited;
	return visited;
}

/* Sets *RET to LINE's address if its instruction returns: "0x401136 <+4>:\tret". */
static bool is_exit(const char *line, uint64_t *ret)
{
	const char *address = strstr(line, "0x");
	const char *tab = address ? strchr(address, '\t') : NULL;
	const char *end = strchrnul(line, '\n');

	if (!tab || tab > end)
		return false;
	tab++;
	for (const char *prefix = tab; prefix < end; prefix++) {
		if (!strncmp(prefix, "ret", 3) && (prefix == tab || prefix[-1] == ' ')) {
			*ret = strtoull(address, NULL, 16);
			return true;
		}
	}
	return false;
}

uint64_t *visits_find_exits(pid_t process, uint64_t address, size_t *count)
{
	AUTO_TEXT struct prof_text text = {0};
	struct visited *visited = find_or_add(process);
	PROF_ARRAY(uint64_t) exits = {0};
	uint64_t low, high, exit;
	char command[80];

	*count = 0;
	if (!visited || !prof_unwinder_bounds(visited->unwinder, address, &low, &high))
		return NULL;
	snprintf(command, sizeof command, "disassemble 0x%" PRIx64 ",0x%" PRIx64, address, high);
	host_forget(host_execute(command, &text));
	for (const char *line = prof_text_get(&text); *line; line = strchrnul(line, '\n')) {
		line += *line == '\n';
		if (!is_exit(line, &exit))
			continue;
		uint64_t *added = prof_array_push(&exits);
		if (added)
			*added = exit;
	}
	*count = exits.count;
	return exits.items;
}

static void walk(struct visit *visit, const struct prof_registers *registers)
{
	visit->frames = calloc(visits.max_depth, sizeof *visit->frames);
	if (!visit->frames)
		return;
	visit->depth = prof_unwinder_walk(
		visit->visited->unwinder, registers, visit->frames, visits.max_depth, &visit->end);
	/* Keep only the frames: they are few, and the room is for many. */
	uint64_t *kept = realloc(visit->frames, (visit->depth + 1) * sizeof *kept);
	if (kept)
		visit->frames = kept;
}

static void report_mappings(struct visited *visited)
{
	const struct prof_target target = prof_process_target(&visited->process);
	const struct prof_maps *maps = prof_unwinder_maps(visited->unwinder);
	uint64_t generation = prof_unwinder_generation(visited->unwinder);

	if (generation != visited->generation)
		prof_mappings_put(visits.queue, visited->pid, &target, maps);
	visited->generation = generation;
}

/*
 * Reports the name of THREAD.  Other collectors do, too: without it, the recorder would take THREAD
 * for another thread than theirs.
 */
static void report_name(struct visited *visited, pid_t thread)
{
	struct prof_message message = {.kind = PROF_MESSAGE_THREAD, .thread.id = thread};
	char name[PROF_THREAD_NAME];

	if (!prof_recent_add(&visited->named, (uint64_t)thread))
		return;
	prof_procfs_name(visited->pid, thread, name);
	message.size = (uint32_t)strlen(name) + 1;
	if (*name)
		prof_queue_put(visits.queue, &message, name);
}

/* The part of WORD, from a register, that a value of the type LETTER has. */
static uint64_t extend(char letter, uint64_t word)
{
	switch (letter) {
	case 'b':
		return (uint64_t)(int8_t)word;
	case 'B':
		return (uint8_t)word;
	case 'h':
		return (uint64_t)(int16_t)word;
	case 'H':
		return (uint16_t)word;
	case 'i':
		return (uint64_t)(int32_t)word;
	case 'I':
		return (uint32_t)word;
	default:
		return word;
	}
}

/* Reads the values of the function's entry or, if RETURNED, of its return. */
static void read_values(struct visit *visit, const struct prof_registers *registers, bool returned)
{
	const struct traced_places *places = &visit->places;

	for (unsigned i = 0; i < places->hook.count; i++) {
		if (places->returned[i] == returned)
			visit->words[i] = extend(
				places->hook.letters[i], registers->value[places->registers[i]]);
	}
}

/* Writes the values of VISIT to DATA; if it is not OVER, there is no result. */
static unsigned fill_arguments(const struct visit *visit, bool over, unsigned char *data)
{
	const struct prof_traced_hook *hook = &visit->places.hook;
	unsigned count = 0;

	for (unsigned i = 0; i < hook->count; i++) {
		struct prof_argument_message argument = {0};
		if (visit->places.returned[i] && !over)
			continue;
		prof_argument_add(&argument.sum,
			prof_argument_value(hook->letters[i], visit->words[i]), true);
		memcpy(argument.name, hook->names[i], sizeof argument.name);
		memcpy(data + count++ * sizeof argument, &argument, sizeof argument);
	}
	return count;
}

/* Reports VISIT, which has taken INSIDE ns; OVER: its function has returned. */
static void report(const struct visit *visit, bool over, int64_t inside)
{
	size_t frames = visit->depth * sizeof *visit->frames;
	struct prof_total_message total = {.is_new = true,
		.depth = (uint32_t)visit->depth,
		.end = (uint8_t)visit->end,
		.state = PROF_STATE_USER,
		.longest = inside};
	static const struct prof_message one_event = {
		.kind = PROF_MESSAGE_TRACED, .traced = {.events = 1}};
	struct prof_message message = {.kind = PROF_MESSAGE_TOTAL,
		.total = {.process = visit->visited->pid,
			.thread = visit->thread,
			.time = visit->begin,
			.reader = OWN_NUMBER}};
	AUTO_FREE unsigned char *data = malloc(
		sizeof total + frames + PROF_ARGUMENTS * sizeof(struct prof_argument_message));

	if (data && visit->frames) {
		total.values[PROF_TRACED_CALLS] = 1;
		total.values[PROF_TRACED_INSIDE] = inside;
		total.arguments =
			(uint8_t)fill_arguments(visit, over, data + sizeof total + frames);
		memcpy(data, &total, sizeof total);
		memcpy(data + sizeof total, visit->frames, frames);
		message.size = (uint32_t)(sizeof total + frames +
			total.arguments * sizeof(struct prof_argument_message));
		if (prof_queue_put(visits.queue, &message, data))
			prof_queue_put(visits.queue, &one_event, NULL);
	}
}

/* VISIT has ended without reaching an exit that was seen: it has no time. */
static void give_up(struct visit *visit)
{
	if (!visit->limit)
		report(visit, false, 0);
	free(visit->frames);
}

/* Ends the visits of THREAD at SP or below: they were left without reaching an exit. */
static void drop(pid_t thread, uint64_t sp)
{
	size_t kept = 0;

	for (size_t i = 0; i < visits.open.count; i++) {
		struct visit *visit = &visits.open.items[i];
		if (visit->thread == thread && visit->sp <= sp)
			give_up(visit);
		else
			visits.open.items[kept++] = *visit;
	}
	visits.open.count = kept;
}

void visits_enter(
	size_t traced, pid_t process, pid_t thread, const struct prof_registers *registers)
{
	struct visited *visited = find_or_add(process);
	const struct prof_arch *arch = prof_arch_native();

	if (!visited || !arch)
		return;
	struct visit visit = {.traced = traced,
		.limit = traced_functions_limit(traced),
		.visited = visited,
		.thread = thread,
		.sp = registers->value[arch->sp]};
	drop(thread, visit.sp);
	walk(&visit, registers);
	report_mappings(visited);
	report_name(visited, thread);
	traced_functions_find_places(traced, &visit.places);
	read_values(&visit, registers, false);
	struct visit *added = prof_array_push(&visits.open);
	if (!added) {
		free(visit.frames);
		return;
	}
	visit.begin = prof_clock();
	*added = visit;
}

void visits_leave(size_t traced, pid_t thread, const struct prof_registers *registers)
{
	int64_t now = prof_clock();
	uint64_t sp = registers->value[prof_arch_native()->sp];

	/* Calls inside of it that a jump has left. */
	drop(thread, sp - 1);
	for (size_t i = visits.open.count; i-- > 0;) {
		struct visit *visit = &visits.open.items[i];
		if (visit->thread != thread || visit->traced != traced || visit->sp != sp)
			continue;
		read_values(visit, registers, true);
		if (now - visit->begin > visit->limit)
			report(visit, true, now - visit->begin);
		free(visit->frames);
		memmove(visit, visit + 1, (visits.open.count - i - 1) * sizeof *visit);
		visits.open.count--;
		return;
	}
}

void visits_objects_changed(void)
{
	for (size_t i = 0; i < visits.processes.count; i++)
		prof_unwinder_flush(visits.processes.items[i]->unwinder);
}

void visits_gone(pid_t process)
{
	struct visited *visited = find(process);
	size_t kept = 0;

	if (!visited)
		return;
	for (size_t i = 0; i < visits.open.count; i++) {
		struct visit *visit = &visits.open.items[i];
		if (visit->visited == visited)
			give_up(visit);
		else
			visits.open.items[kept++] = *visit;
	}
	visits.open.count = kept;
	for (size_t i = 0; i < visits.processes.count; i++) {
		if (visits.processes.items[i] == visited)
			visits.processes.items[i] =
				visits.processes.items[--visits.processes.count];
	}
	visited_destroy(visited);
}

void visits_end(void)
{
	while (visits.processes.count)
		visits_gone(visits.processes.items[0]->pid);
	free(visits.processes.items);
	free(visits.open.items);
	memset(&visits, 0, sizeof visits);
}
