/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * GDB makes one thread of the program call dlopen(), which loads the library, while all others are
 * stopped.  So none of these may hold locks that this needs: the linker's, or the heap's.  A thread
 * that is inside the C library runs alone until it has left it.
 */
#include "plugin/tracing/inject.h"

#include "base/clock.h"
#include "base/compat.h"
#include "base/file.h"
#include "plugin/tracing/run_to.h"
#include "plugin/tracing/safepoint.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_call.h"
#include "plugin/interpose/library.h"
#include "target/dynamic.h"
#include "target/linkmap.h"
#include "target/process.h"
#include "target/procfs.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUNDS = 4,                  /* rounds in which threads may run */
	STEPS = 8,                   /* steps of one thread in one round */
	LIMIT = 20000000,            /* ns that a thread may need to leave the C library */
	BUDGET = PROF_NS_PER_SECOND, /* ns that all threads may need */
	STACK = 48 << 10,            /* bytes of stack that the calling thread needs */
	NAME = 4 << 10, /* the end of these is for a name: the call does not use that much */
	MOST_MESSAGE = 256,
};

/* A thread of the process. */
struct stander {
	pid_t thread;
	struct safepoint safepoint;
};

/* The state of loading the library. */
struct attempt {
	struct injection *injection;
	struct prof_process process;
	struct prof_target target;
	struct prof_linkmap map;
	struct safepoints *safepoints;
	struct host_selection selection;
	struct host_breakpoints breakpoints;
	pid_t selected;
	PROF_ARRAY(struct stander) threads;
	bool moved;  /* a thread has run */
	bool failed; /* out of memory */
};

static struct prof_error *not_now(const char *why)
{
	return prof_error_create(PROF_ERROR_STATE,
		"gdbprof cannot load the agent where the program has stopped: %s.", why);
}

static void add_thread(void *context, pid_t thread)
{
	struct attempt *attempt = context;
	struct stander *stander = prof_array_push(&attempt->threads);

	if (stander)
		*stander = (struct stander){.thread = thread};
	attempt->failed |= !stander;
}

/* Are all threads stopped, as they must be? */
static struct prof_error *check_threads(const struct attempt *attempt)
{
	pid_t process = attempt->injection->process;

	for (size_t i = 0; i < attempt->threads.count; i++) {
		pid_t thread = attempt->threads.items[i].thread;
		AUTO_CLOSE int file = prof_procfs_open(process, thread, "stat");
		char state = file >= 0 ? prof_procfs_stat(file, NULL) : 0;
		if (state && state != 't' && state != 'T')
			return not_now("not all of its threads are stopped");
	}
	return NULL;
}

static bool stands_well(const struct stander *stander)
{
	return stander->safepoint.kind == SAFEPOINT_OUTSIDE ||
		stander->safepoint.kind == SAFEPOINT_ASLEEP;
}

static const char held[] = "it got a signal, which it handles when it continues";

/* A signal that was met is delivered as soon as the program goes on. */
static struct prof_error *put_back(pid_t thread, int signal)
{
	AUTO_TEXT struct prof_text said = {0};
	char command[48];

	snprintf(command, sizeof command, "queue-signal SIG%s", sigabbrev_np(signal));
	host_flush_registers();
	if (host_select(thread))
		host_forget(host_execute(command, &said));
	return not_now(held);
}

/* Lets STANDER run until it has left the C library, or cannot, for LIMIT ns at a time. */
static struct prof_error *lead_out(struct attempt *attempt, struct stander *stander, int64_t limit)
{
	for (int i = 0; i < STEPS && stander->safepoint.kind == SAFEPOINT_INSIDE; i++) {
		enum run_to_end end = RUN_TO_LOST;
		struct run_to way = {
			.process = attempt->injection->process,
			.thread = stander->thread,
			.address = stander->safepoint.back,
			.others = attempt->breakpoints.places.items,
			.others_count = attempt->breakpoints.places.count,
			.reported = stander->thread == attempt->selected && !i,
			.limit = limit,
		};
		struct prof_error *error = run_to(&way, &end);
		if (error)
			return error;
		if (end == RUN_TO_HELD)
			return not_now(held);
		attempt->moved = true;
		if (end == RUN_TO_MET)
			return not_now(
				"a thread reached a breakpoint before it left the C library");
		if (end == RUN_TO_LOST)
			return not_now("a thread has ended");
		if (end == RUN_TO_SIGNAL)
			return put_back(stander->thread, way.signal);
		stander->safepoint = safepoints_look(attempt->safepoints, stander->thread);
		if (end == RUN_TO_LATE)
			break; /* it may wait for another thread, which is next */
	}
	return NULL;
}

/* Gets all threads out of the C library, or finds them asleep. */
static struct prof_error *lead_all_out(struct attempt *attempt)
{
	int64_t end = prof_clock() + BUDGET;
	size_t bad = 0;

	for (int round = 0; round < ROUNDS; round++) {
		bad = 0;
		for (size_t i = 0; i < attempt->threads.count; i++) {
			struct stander *stander = &attempt->threads.items[i];
			if (!stands_well(stander)) {
				/*
				 * Give a thread that waits for another only a short time at first.
				 */
				struct prof_error *error =
					lead_out(attempt, stander, LIMIT >> (ROUNDS - 1 - round));
				if (error)
					return error;
			}
			bad += !stands_well(stander);
		}
		if (!bad || prof_clock() > end)
			break;
	}
	return bad
		? not_now("a thread is in the middle of the C library, and did not leave it in time")
		: NULL;
}

/* Why no thread may run alone: before GDB 13, scripts cannot see where breakpoints are. */
static const char among_watchpoints[] =
	"a thread is in the middle of the C library, and watchpoints or catchpoints are set";
static const char among_breakpoints[] =
	"a thread is in the middle of the C library, and breakpoints, watchpoints or catchpoints are set";

static struct prof_error *bring_about(struct attempt *attempt)
{
	bool all = true;

	for (size_t i = 0; i < attempt->threads.count; i++) {
		struct stander *stander = &attempt->threads.items[i];
		stander->safepoint = safepoints_look(attempt->safepoints, stander->thread);
		all &= stands_well(stander);
	}
	if (all)
		return NULL;
	if (attempt->breakpoints.others)
		return not_now(host_version() < 13 ? among_breakpoints : among_watchpoints);
	struct prof_error *error = lead_all_out(attempt);
	if (attempt->moved)
		host_flush_registers();
	return error;
}

/* Does the thread with the stack pointer SP have enough room below it? */
static bool has_room(const struct attempt *attempt, uint64_t sp)
{
	unsigned char byte;
	const struct prof_target *target = &attempt->target;

	/* The stack of the first thread grows, but this much is there already. */
	return sp > STACK && target->read_memory(target->context, sp - STACK, &byte, 1) == 1 &&
		target->read_memory(target->context, sp - STACK / 2, &byte, 1) == 1;
}

/* How suitable a thread is for the call; 0: not at all. */
static int rate(const struct attempt *attempt, const struct stander *stander)
{
	const struct safepoint *safepoint = &stander->safepoint;

	if (!safepoint->whole || !stands_well(stander) || !has_room(attempt, safepoint->sp))
		return 0;
	return 1 + (safepoint->kind == SAFEPOINT_OUTSIDE) * 4 + !safepoint->handles * 2 +
		(stander->thread == attempt->selected);
}

static const struct stander *choose(const struct attempt *attempt)
{
	const struct stander *best = NULL;
	int most = 0;

	for (size_t i = 0; i < attempt->threads.count; i++) {
		int rated = rate(attempt, &attempt->threads.items[i]);
		if (rated > most) {
			most = rated;
			best = &attempt->threads.items[i];
		}
	}
	return best;
}

/* Is the library loaded already? */
static bool is_loaded(const struct prof_linkmap *map, const char *library)
{
	for (size_t i = 0; i < map->items.count; i++) {
		if (!strcmp(prof_file_base_name(map->items.items[i].path),
			    prof_file_base_name(library)))
			return true;
	}
	return false;
}

static uint64_t find_function(const struct attempt *attempt, const char *name)
{
	return prof_dynamic_find_any(&attempt->target, &attempt->map, name).address;
}

/* The text of dlerror() for the call that has failed. */
static struct prof_error *explain_refusal(const struct attempt *attempt)
{
	uint64_t function = find_function(attempt, "dlerror"), text = 0;
	char message[MOST_MESSAGE] = "";

	if (function)
		host_forget(host_call(function, 0, 0, &text));
	size_t got = text ? attempt->target.read_memory(
				    attempt->target.context, text, message, sizeof message - 1)
			  : 0;
	message[got] = '\0';
	return prof_error_create(PROF_ERROR_UNSUPPORTED, "The program cannot load the agent: %s.",
		*message ? message : "its dynamic linker gives no reason");
}

/* The linker's function, and its argument in *MODE. */
static struct prof_error *find_loader(
	const struct attempt *attempt, uint64_t *function, uint64_t *mode)
{
	static const uint64_t internal =
		0x80000000; /* a flag that glibc expects from its own callers */

	*mode = RTLD_NOW;
	*function = find_function(attempt, "dlopen");
	if (*function)
		return NULL;
	/* Before glibc 2.34 that is in libdl, which a program need not have. */
	*mode |= internal;
	*function = find_function(attempt, "__libc_dlopen_mode");
	if (*function)
		return NULL;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The program has no dlopen(), so it cannot load the agent: restart it with run.");
}

/* Calls the linker; the library's name is deep in the stack that ends at SP. */
static struct prof_error *call_loader(struct attempt *attempt, uint64_t sp)
{
	const char *library = attempt->injection->library;
	size_t size = strlen(library) + 1;
	uint64_t name = sp - STACK;
	uint64_t function, mode, handle = 0;

	if (size > NAME)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The agent's file name has more than %d bytes: %s.  Install gdbprof elsewhere.",
			NAME - 1, library);
	struct prof_error *error = find_loader(attempt, &function, &mode);
	if (!error)
		error = prof_process_write(attempt->injection->process, name, library, size);
	if (!error)
		error = host_call(function, name, mode, &handle);
	if (!error && !handle)
		error = explain_refusal(attempt);
	return error;
}

/* Makes the library, which was loaded before, do what is asked for, or begin again. */
static struct prof_error *call_again(const struct attempt *attempt)
{
	uint64_t function = attempt->injection->function, result;

	if (!function)
		function = find_function(attempt, "prof_agent_begin");
	if (!function)
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The library that the program has loaded is not the agent.");
	return host_call(function, 0, 0, &result);
}

static struct prof_error *call(struct attempt *attempt, uint64_t sp, bool loaded)
{
	uint64_t function = find_function(attempt, "__errno_location"), place = 0;
	int number;
	const struct prof_target *target = &attempt->target;
	struct prof_error *error = function ? host_call(function, 0, 0, &place) : NULL;

	if (error)
		return error;
	bool kept = target->read_memory(target->context, place, &number, sizeof number) ==
		sizeof number;
	error = loaded ? call_again(attempt) : call_loader(attempt, sp);
	if (kept)
		host_forget(prof_process_write(
			attempt->injection->process, place, &number, sizeof number));
	return error;
}

static struct prof_error *run(struct attempt *attempt, bool loaded)
{
	struct prof_error *error = check_threads(attempt);

	if (!error)
		error = safepoints_create(attempt->injection->process, &attempt->safepoints);
	if (!error)
		error = host_breakpoints_read(&attempt->breakpoints);
	if (!error)
		error = bring_about(attempt);
	if (error)
		return error;
	const struct stander *caller = choose(attempt);
	if (!caller || !host_select(caller->thread))
		return not_now("none of its threads can make the call");
	host_breakpoints_disable(&attempt->breakpoints);
	error = call(attempt, caller->safepoint.sp, loaded);
	host_breakpoints_enable(&attempt->breakpoints);
	return error;
}

struct prof_error *inject_library(struct injection *injection)
{
	struct attempt attempt = {.injection = injection, .selected = host_thread()};
	int64_t begin = prof_clock();

	if (host_process() != injection->process)
		return not_now("another process is selected");
	/* GDB waits for any stop, and takes the first one for the end of the call. */
	if (host_any_runs())
		return not_now("another process is running");
	prof_process_init(&attempt.process, injection->process);
	attempt.target = prof_process_target(&attempt.process);
	struct prof_error *error =
		prof_linkmap_of_process(&attempt.map, &attempt.target, injection->process);
	if (!error)
		error = library_check_interpreter(attempt.map.interpreter);
	if (!error)
		prof_procfs_threads(injection->process, add_thread, &attempt);
	if (!error && attempt.failed)
		error = prof_error_nomem();
	if (!error) {
		host_selection_keep(&attempt.selection);
		error = run(&attempt,
			injection->function || is_loaded(&attempt.map, injection->library));
		host_selection_restore(&attempt.selection);
	}
	host_breakpoints_deinit(&attempt.breakpoints);
	safepoints_destroy(attempt.safepoints);
	free(attempt.threads.items);
	prof_linkmap_deinit(&attempt.map);
	injection->pause = prof_clock() - begin;
	return error;
}
