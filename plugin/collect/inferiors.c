/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/inferiors.h"

#include "plugin/collect/collector.h"
#include "plugin/engine/remote_usage.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "sampling/marker.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How many processes messages list by id. */
enum { LISTED = 8 };

struct inferior {
	pid_t process;
	bool whole;     /* GDB has attached to all of its threads */
	pid_t untraced; /* the last of those to which GDB had not attached; 0: unknown */
	bool running;   /* it runs */
	bool sampling;  /* it runs, and may: the engine samples it */

	/*
	 * Its program space when it was last asked for, or NULL.  It cannot be asked for at any
	 * time: GDB 13 fails an assertion when the parent of a vfork() is about to be detached.
	 */
	PyObject *space;
};

/* There is one GDB, so one recording. */
static struct {
	struct prof_marker *marker;
	bool paused; /* by the user */
	bool full;   /* there is no room for more samples */
	bool timed;  /* the marker's clock runs */
	PROF_ARRAY(struct inferior) items;
	pid_t listed[LISTED]; /* the first processes that were ever attached to */
	size_t count;         /* how many processes were attached to */
} inferiors;

static struct inferior *find(pid_t process)
{
	for (size_t i = 0; i < inferiors.items.count; i++) {
		if (inferiors.items.items[i].process == process)
			return &inferiors.items.items[i];
	}
	return NULL;
}

/*
 * Lets collectors record processes that run, if they may; the marker's clock runs unless the user
 * paused.
 */
static void update(struct inferior *inferior)
{
	bool wanted = inferior->running && !inferiors.paused && !inferiors.full;
	bool any = false;

	if (wanted != inferior->sampling) {
		inferior->sampling = wanted;
		if (wanted)
			COLLECTORS_CALL(release, inferior->process);
		else
			COLLECTORS_CALL(hold, inferior->process);
	}
	for (size_t i = 0; i < inferiors.items.count; i++)
		any |= inferiors.items.items[i].running && !inferiors.paused;
	if (any != inferiors.timed)
		prof_marker_run(inferiors.marker, any);
	inferiors.timed = any;
}

static void set_running(struct inferior *inferior, bool running)
{
	inferior->running = running;
	update(inferior);
}

void inferiors_begin(struct prof_marker *marker)
{
	inferiors_end();
	inferiors.marker = marker;
}

void inferiors_end(void)
{
	for (size_t i = 0; i < inferiors.items.count; i++) {
		Py_XDECREF(inferiors.items.items[i].space);
		remote_usage_remove(inferiors.items.items[i].process);
	}
	free(inferiors.items.items);
	inferiors = (__typeof__(inferiors)){0};
}

struct prof_error *inferiors_attach(pid_t process, bool native)
{
	if (find(process))
		return NULL;
	if (!prof_array_reserve(&inferiors.items, 1))
		return prof_error_nomem();
	struct prof_error *error = collectors_attach(process, native);
	if (error)
		return error;
	if (!prof_marker_add(inferiors.marker, process, native)) {
		COLLECTORS_CALL(detach, process);
		return prof_error_nomem();
	}
	*prof_array_push(&inferiors.items) = (struct inferior){.process = process};
	if (!native)
		remote_usage_add(inferiors.marker, process);
	if (inferiors.count < LISTED)
		inferiors.listed[inferiors.count] = process;
	inferiors.count++;
	return NULL;
}

struct tracing {
	bool some;      /* of the threads this process traces */
	pid_t untraced; /* the last one in the list that this process does not trace, or 0 */
};

static bool is_traced(pid_t thread)
{
	return prof_procfs_tracer(thread) == getpid();
}

static void look_who_traces(void *context, pid_t thread)
{
	struct tracing *tracing = context;

	if (is_traced(thread))
		tracing->some = true;
	else
		tracing->untraced = thread;
}

/*
 * While GDB attaches, it reports thread after thread as running.  A thread that is not traced yet
 * would get a tick as an ordinary signal.  On other machines, or through other debuggers, no thread
 * is traced. GDB attaches to threads in the order of the list: until it has reached the one that
 * was last, nobody need look at the others.
 */
static bool is_whole(struct inferior *inferior)
{
	struct tracing tracing = {false, 0};
	pid_t last = inferior->untraced;

	if (last && !is_traced(last) && !syscall(SYS_tgkill, inferior->process, last, 0))
		return false;
	prof_procfs_threads(inferior->process, look_who_traces, &tracing);
	inferior->untraced = tracing.some ? tracing.untraced : 0;
	return !inferior->untraced;
}

void inferiors_go_on(pid_t process)
{
	struct inferior *inferior = find(process);

	if (!inferior)
		return;
	if (!inferior->whole)
		inferior->whole = is_whole(inferior);
	if (!inferior->whole)
		return;
	Py_XDECREF(inferior->space);
	inferior->space = host_program_space(process);
	set_running(inferior, true);
}

void inferiors_stand(pid_t process)
{
	struct inferior *inferior = find(process);

	if (inferior)
		set_running(inferior, false);
}

void inferiors_stand_all(void)
{
	for (size_t i = 0; i < inferiors.items.count; i++)
		set_running(&inferiors.items.items[i], false);
}

struct threads {
	pid_t process;
	bool any, going; /* is there a thread, and one that is not held? */
};

static void look(void *context, pid_t thread)
{
	struct threads *threads = context;

	if (threads->going)
		return;
	AUTO_CLOSE int file = prof_procfs_open(threads->process, thread, "stat");
	char state = file >= 0 ? prof_procfs_stat(file, NULL) : 't';

	threads->any = true;
	threads->going |= state != 't' && state != 'T';
}

void inferiors_stand_held(pid_t but)
{
	for (size_t i = 0; i < inferiors.items.count; i++) {
		struct inferior *inferior = &inferiors.items.items[i];
		struct threads threads = {.process = inferior->process};
		/* On another machine there is nothing to find. */
		if (inferior->process == but || !inferior->running ||
			!prof_procfs_threads(inferior->process, look, &threads))
			continue;
		if (threads.any && !threads.going)
			set_running(inferior, false);
	}
}

void inferiors_look(void)
{
	for (size_t i = 0; inferiors.items.count > 1 && i < inferiors.items.count; i++) {
		struct inferior *inferior = &inferiors.items.items[i];
		if (inferior->running && !host_runs(inferior->process))
			set_running(inferior, false);
	}
}

void inferiors_detach(pid_t process)
{
	struct inferior *inferior = find(process);

	if (!inferior)
		return;
	set_running(inferior, false);
	COLLECTORS_CALL(detach, process);
	prof_marker_remove(inferiors.marker, process);
	remote_usage_remove(process);
	Py_XDECREF(inferior->space);
	*inferior = inferiors.items.items[--inferiors.items.count];
}

void inferiors_pause(bool paused)
{
	inferiors.paused = paused;
	COLLECTORS_CALL(pause, paused || inferiors.full);
	for (size_t i = 0; i < inferiors.items.count; i++)
		update(&inferiors.items.items[i]);
}

void inferiors_fill(void)
{
	inferiors.full = true;
	COLLECTORS_CALL(pause, true);
	for (size_t i = 0; i < inferiors.items.count; i++)
		update(&inferiors.items.items[i]);
}

bool inferiors_has(pid_t process)
{
	return find(process);
}

bool inferiors_runs(pid_t process)
{
	const struct inferior *inferior = find(process);

	return inferior && inferior->running;
}

bool inferiors_samples(pid_t process)
{
	const struct inferior *inferior = find(process);

	return inferior && inferior->sampling;
}

pid_t inferiors_at(size_t index)
{
	return index < inferiors.items.count ? inferiors.items.items[index].process : 0;
}

PyObject *inferiors_space(size_t index)
{
	return index < inferiors.items.count ? inferiors.items.items[index].space : NULL;
}

void inferiors_describe(size_t others, struct prof_text *text)
{
	size_t count = inferiors.items.count;
	size_t sampled = 0;

	if (inferiors.paused || inferiors.full)
		others = 0;
	for (size_t i = 0; i < count; i++)
		sampled += inferiors.items.items[i].sampling;
	if (inferiors.paused)
		prof_text_print(text, "paused");
	else if (inferiors.full)
		prof_text_print(text, "full, only marks are recorded");
	else if (count == 1)
		prof_text_print(text, sampled ? "the program runs" : "the program stands still");
	else if (count)
		prof_text_print(text, "of %zu processes %zu %s", count, sampled,
			sampled == 1 ? "runs" : "run");
	else if (!others)
		prof_text_print(text, "waiting for a program to run");
	if (others)
		prof_text_print(text, "%s%zu process%s that GDB does not have",
			count ? ", beside " : "", others, others == 1 ? "" : "es");
}

void inferiors_list(struct prof_text *text)
{
	if (inferiors.count < 2)
		return;
	prof_text_print(text, "%zu processes were sampled: ", inferiors.count);
	for (size_t i = 0; i < inferiors.count && i < LISTED; i++)
		prof_text_print(text, "%s%d", i ? ", " : "", (int)inferiors.listed[i]);
	prof_text_print(text, inferiors.count > LISTED ? " and others.\n" : ".\n");
}
