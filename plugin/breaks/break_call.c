/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * --call=FUNCTION --longer=TIME: a call that lasts too long, while it lasts.
 *
 * A breakpoint of GDB's that nobody sees tells when the function is entered.  Nobody learns when a
 * call ends: one whose time is over is looked for on the stack, and a call that is entered later
 * from the same place, or further out, shows that the ones before have ended.
 */
#include "plugin/breaks/break_kind.h"

#include "base/clock.h"
#include "base/memory.h"
#include "plugin/breaks/watcher.h"
#include "plugin/gdb/call_frame.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/place.h"
#include "plugin/gdb/trap.h"
#include "plugin/option/amount.h"
#include "plugin/option/option.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <string.h>

/* So many calls within each other are kept for each thread, the outermost. */
enum { NESTED = 64 };

/* A call that may still go on. */
struct call {
	pid_t process, thread;
	uint64_t sp;   /* its caller's: a call further in has a lower one */
	int64_t begin; /* ns that the process had run */
	int64_t cpu;   /* ns that the thread had been on a CPU */
	bool reported;
};

/* All calls of a thread are in the order in which they began. */
struct call_break {
	struct trap trap;
	char *function; /* as the user has named it */
	char *name;     /* as GDB names its frames; NULL: it was not entered yet */
	int64_t longer; /* ns */
	PROF_ARRAY(struct call) calls;
};

/* ns that THREAD has been on a CPU. */
static int64_t run_time(pid_t process, pid_t thread)
{
	AUTO_CLOSE int file = prof_procfs_open(process, thread, "schedstat");
	struct prof_schedstat figures = {0};

	return file >= 0 && prof_procfs_schedstat(file, &figures) ? figures.run : 0;
}

static void remove_call(struct call_break *own, size_t index)
{
	struct call *items = own->calls.items;

	memmove(items + index, items + index + 1, (--own->calls.count - index) * sizeof *items);
}

/* Removes the calls that have ended, as CALL, which begins, shows; returns how many are left. */
static size_t remove_ended(struct call_break *own, const struct call *call)
{
	size_t left = 0;

	for (size_t i = own->calls.count; i-- > 0;) {
		const struct call *each = &own->calls.items[i];
		if (each->process != call->process || each->thread != call->thread)
			continue;
		if (each->sp <= call->sp)
			remove_call(own, i);
		else
			left++;
	}
	return left;
}

static void reached(const struct trap *trap)
{
	struct call_break *own = (struct call_break *)trap;
	struct call call = {.process = host_process(), .thread = host_thread()};

	if (!call.thread || !call_frame_read(&call.sp))
		return;
	if (!own->name)
		own->name = place_function();
	call.cpu = run_time(call.process, call.thread);
	break_lock();
	call.begin = watcher_clock(call.process);
	if (remove_ended(own, &call) < NESTED) {
		struct call *place = prof_array_push(&own->calls);
		if (place)
			*place = call;
	}
	watcher_expect(own->longer);
	break_unlock();
}

/* The outermost call of THREAD, or NULL. */
static struct call *outermost(const struct call_break *own, pid_t process, pid_t thread)
{
	for (size_t i = 0; i < own->calls.count; i++) {
		struct call *call = &own->calls.items[i];
		if (call->process == process && call->thread == thread)
			return call;
	}
	return NULL;
}

static int64_t look(void *context, pid_t process, int64_t now, pid_t *ret)
{
	const struct call_break *own = context;
	int64_t least = BREAK_IDLE;

	for (size_t i = 0; i < own->calls.count; i++) {
		const struct call *call = &own->calls.items[i];
		if (call->process != process || call->reported ||
			outermost(own, process, call->thread) != call)
			continue;
		int64_t left = call->begin + own->longer - now;
		if (left <= 0) {
			*ret = call->thread;
			return 0;
		}
		least = left < least ? left : least;
	}
	return least;
}

/* The call that is to be confirmed as a copy.  False: there is none. */
static bool find_call(
	struct call_break *own, pid_t process, pid_t thread, int64_t now, struct call *ret)
{
	break_lock();
	struct call *call = outermost(own, process, thread);
	bool found = call && !call->reported && now - call->begin >= own->longer;
	if (found)
		*ret = *call;
	break_unlock();
	return found;
}

/* The outermost call of THREAD was found on its stack, or, if it is not REPORTED, it has ended. */
static void settle(struct call_break *own, pid_t process, pid_t thread, bool reported)
{
	break_lock();
	struct call *call = outermost(own, process, thread);
	if (call && reported)
		call->reported = true;
	else if (call)
		remove_call(own, (size_t)(call - own->calls.items));
	watcher_expect(0);
	break_unlock();
}

static bool confirm(void *context, pid_t process, pid_t thread, int64_t now, struct prof_text *text)
{
	struct call_break *own = context;
	struct call call;

	while (own->name && find_call(own, process, thread, now, &call)) {
		bool lasts = call_frame_select(own->name, call.sp);
		settle(own, process, thread, lasts);
		if (!lasts)
			continue;
		prof_text_name(text, own->function);
		prof_text_print(text, " has run for ");
		prof_time_unit_print(now - call.begin, text);
		prof_text_print(text, ", ");
		prof_time_unit_print(run_time(process, thread) - call.cpu, text);
		prof_text_print(text, " of it on a CPU");
		return true;
	}
	return false;
}

static void forget(void *context, pid_t process, pid_t thread)
{
	struct call_break *own = context;

	for (size_t i = own->calls.count; i-- > 0;) {
		const struct call *call = &own->calls.items[i];
		if (call->process == process && (!thread || call->thread == thread))
			remove_call(own, i);
	}
}

static void destroy(void *context)
{
	struct call_break *own = context;

	if (!own)
		return;
	trap_clear(&own->trap);
	free(own->calls.items);
	free(own->function);
	free(own->name);
	free(own);
}

static struct prof_error *create(
	const struct option_values *values, struct prof_text *what, void **ret)
{
	const char *function = option_get(values, "call");
	const char *longer = option_get(values, "longer");
	int64_t time;

	if (!longer)
		return prof_error_create(PROF_ERROR_USAGE,
			"--call needs --longer=TIME: how long a call of %s may last.", function);
	struct prof_error *error = amount_read_period(longer, "the time of a call", &time);
	if (error)
		return error;
	struct call_break *own = calloc(1, sizeof *own);
	if (!own || !(own->function = strdup(function))) {
		destroy(own);
		return prof_error_nomem();
	}
	own->longer = time;
	own->trap.location = own->function;
	own->trap.reached = reached;
	error = trap_set(&own->trap);
	if (error) {
		destroy(own);
		return error;
	}
	prof_text_name(what, function);
	prof_text_print(what, " runs for more than ");
	prof_time_unit_print(time, what);
	if (trap_is_pending(&own->trap))
		prof_text_print(what, " (GDB does not know this function yet)");
	*ret = own;
	return NULL;
}

static const struct prof_option rows[] = {
	{.name = "call",
		.value = "FUNCTION",
		.describe =
			"Stop while a call of FUNCTION lasts longer than --longer.  FUNCTION is what \"break\" takes."},
	{.name = "longer",
		.value = "TIME",
		.describe =
			"How long a call may last, without the time that the program is stopped: a number with s (or without), ms or us, at least 1 ms."},
	{.name = NULL},
};

const struct break_kind break_call = {
	.name = "call",
	.rows = rows,
	.create = create,
	.destroy = destroy,
	.forget = forget,
	.confirm = confirm,
	.look = look,
};
