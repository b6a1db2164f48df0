/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The main engine: one thread at a time is stopped, silently, walked and continued.
 *
 * It replaces waitpid(), ptrace() and syscall() in GDB's import slots.  When waitpid() reports a
 * thread that our tick has stopped, the thread is sampled and continued as GDB continued it last,
 * and GDB never learns of it.  Everything else passes through.  While GDB waits in poll(), most
 * ticks are met before they reach GDB, see children.h.  GDB stops threads by tkill() with SIGSTOP,
 * which can be a tick as well: the ticker must know of both, because the kernel keeps one of two.
 * All of these run on GDB's own thread, the tracer; they call neither Python nor GDB, except to
 * post an event.  For stacks that GDB must walk as well, see handover.h.
 */
#include "plugin/engine/stop_private.h"

#include "base/clock.h"
#include "plugin/engine/cpu_timers.h"
#include "plugin/engine/handover.h"
#include "plugin/engine/tick_signal.h"
#include "plugin/gdb/host_target.h"
#include "plugin/interpose/attention.h"
#include "plugin/interpose/away.h"
#include "plugin/interpose/children.h"
#include "plugin/interpose/displaced.h"
#include "plugin/interpose/library.h"
#include "plugin/interpose/lives.h"
#include "sampling/cpu_timers.h"
#include "sampling/ticker.h"
#include "sampling/watchdog.h"
#include "target/arch.h"
#include "target/procfs.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

typedef pid_t waitpid_function(pid_t process, int *status, int options);
typedef long syscall_function(long number, ...);

struct stopping stopping;

static waitpid_function *real_waitpid(void)
{
	return (waitpid_function *)stopping.slots[STOP_WAITPID].function;
}

static syscall_function *real_syscall(void)
{
	return (syscall_function *)stopping.slots[STOP_SYSCALL].function;
}

void stop_remove_hooks(void)
{
	children_leave();
	attention_unwatch();
	away_unwatch();
	prof_watchdog_destroy(stopping.watchdog);
	stopping.watchdog = NULL;
	slots_close(stopping.slots, STOP_HOOKS);
	displaced_forget();
	stopping.installed = false;
	stopping.ending = false;
}

/* THREAD, of any process, has ended, or is let go. */
static void forget(pid_t thread)
{
	if (thread == handover_thread())
		handover_take();
	subjects_forget(&stopping.subjects, thread);
}

static void end(pid_t thread)
{
	forget(thread);
	stop_end_when_met();
}

static void take_over(pid_t thread)
{
	struct subject *subject = subjects_find(&stopping.subjects, thread);

	if (!subject)
		return;
	handover_take();
	prof_ticker_exec(subject->ticker);
	prof_cpu_timers_exec(subject->timers);
	prof_walker_flush(subject->walker);
}

static void forked(pid_t thread)
{
	if (!stopping.ending && subjects_have(&stopping.subjects, thread))
		stopping.request.forked();
}

/* A thread that GDB has stopped by SIGSTOP is under GDB's control now. */
static void signalled(pid_t thread, int signal)
{
	if (signal == SIGSTOP)
		subjects_got(&stopping.subjects, thread);
	else if (!stopping.ending)
		stopping.request.signalled(thread, signal);
}

/* The tickers also need to know what GDB learns about a thread. */
static const struct lives_watcher watcher = {
	.end = end, .exec = take_over, .fork = forked, .signal = signalled};

static pid_t hooked_waitpid(pid_t process, int *status, int options)
{
	waitpid_function *original = real_waitpid();
	int own;

	if (!status)
		status = &own;
	if (!pthread_equal(pthread_self(), stopping.host))
		return original(process, status, options);
	/* GDB does not wait, but takes what is there, and deals with it. */
	if (process == -1 && !(options & WNOHANG))
		attention_begin();
	for (int met = 0;; met++) {
		if (!children_may_meet(met) && options & WNOHANG) {
			children_remind();
			return 0;
		}
		if (stopping.subjects.items.count)
			lives_look(process, options, forget);
		pid_t thread = original(process, status, options);
		if (thread <= 0)
			return thread;
		/*
		 * The status of a ptrace event contains more than a signal, as children.h
		 * describes.
		 */
		if (!WIFSTOPPED(*status) || !stop_meet(thread, *status >> 8)) {
			attention_reported(thread, *status);
			handover_reported(thread);
			lives_report(&watcher, thread, *status);
			return thread;
		}
	}
}

static bool resumes(long request)
{
	return request == PTRACE_CONT || request == PTRACE_SINGLESTEP || request == PTRACE_SYSCALL;
}

/* GDB is about to detach from THREAD.  Returns a signal for THREAD, or 0. */
static int let_go(pid_t thread)
{
	away_enter();
	int signal = subjects_let_go(&stopping.subjects, thread);
	away_leave();
	forget(thread);
	stop_end_when_met();
	return signal;
}

/* GDB is about to make the REQUEST for THREAD. */
static void watch(long request, pid_t thread)
{
	if (request == PTRACE_KILL) {
		forget(thread);
	} else if (resumes(request)) {
		struct subject *subject = subjects_of_thread(&stopping.subjects, thread);
		if (subject && prof_ticker_watch(subject->ticker, thread, (int)request))
			stop_seed(subject, thread);
	}
}

/* GDB continues THREAD, whose stop was handed over to it; the tick's signal is for nobody else. */
static long take_back(long request, pid_t thread, void *address)
{
	struct subject *subject = subjects_of_thread(&stopping.subjects, thread);
	int64_t now = prof_clock();

	errno = 0;
	long result = stop_real_ptrace()(request, thread, address, NULL);
	int after = errno;
	const struct prof_stack *stack = handover_take();
	if (subject)
		stop_settle(subject, thread, now, stack, NULL);
	errno = after;
	return result;
}

/* Prepares GDB's REQUEST for THREAD.  Returns what is passed with it: DATA, or a signal. */
static void *prepare(long request, pid_t thread, void *data)
{
	if (request == PTRACE_DETACH) {
		int signal = let_go(thread);
		if (signal && !data)
			data = (void *)(intptr_t)signal;
	} else if (!stopping.ending) {
		watch(request, thread);
	}
	return data;
}

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	if (!stopping.subjects.items.count || !pthread_equal(pthread_self(), stopping.host))
		return stop_real_ptrace()(request, thread, address, data);
	/* GDB clears errno, and takes a value that is there after a success for an error. */
	int before = errno;
	displaced_note(request, thread, address, data);
	data = prepare(request, thread, data);
	errno = before;
	if (thread != handover_thread())
		return stop_real_ptrace()(request, thread, address, data);
	if (resumes(request))
		return take_back(request, thread, address);
	long result = stop_real_ptrace()(request, thread, address, data);
	if (result == -1 && errno == ESRCH && handover_answer(request, address, data, &result))
		errno = 0;
	return result;
}

/* Passes on six arguments, like the C library, even if there are fewer. */
static long hooked_syscall(
	long number, long first, long second, long third, long fourth, long fifth, long sixth)
{
	if (number == SYS_tkill && second == SIGSTOP && stopping.subjects.items.count &&
		pthread_equal(pthread_self(), stopping.host)) {
		if (handover_stands_in((pid_t)first))
			return 0;
		subjects_want(&stopping.subjects, (pid_t)first);
	}
	return real_syscall()(number, first, second, third, fourth, fifth, sixth);
}

static const struct hook hooks[STOP_HOOKS] = {
	[STOP_WAITPID] = {"waitpid", (void *)hooked_waitpid},
	[STOP_PTRACE] = {"ptrace", (void *)hooked_ptrace},
	[STOP_SYSCALL] = {"syscall", (void *)hooked_syscall},
};

static struct prof_error *stop_available(const char *connection)
{
	if (!host_is_native(connection))
		return engine_not_native("stop", connection);
	struct prof_error *error = slots_check(hooks, STOP_HOOKS);

	return error ? error : engine_check_machine("stop");
}

static struct prof_error *stop_start(const struct engine_request *request)
{
	if (stopping.installed) { /* of an earlier recording, whose last ticks never came */
		subjects_clear(&stopping.subjects);
		stop_remove_hooks();
	}
	prof_stack_deinit(&stopping.stack);
	struct prof_error *error = prof_stack_init(&stopping.stack, request->max_depth);
	if (!error)
		error = tick_source_choose(&stopping.ticks, true);
	if (error)
		return error;
	stopping.request = *request;
	stopping.host = pthread_self();
	error = handover_start(request);
	if (error)
		return error;
	error = library_watchdog(&stopping.watchdog);
	if (!error)
		error = slots_open(hooks, stopping.slots, STOP_HOOKS);
	if (error) {
		prof_watchdog_destroy(stopping.watchdog);
		stopping.watchdog = NULL;
		handover_stop();
		return error;
	}
	stopping.installed = true;
	/* If there is no such slot, waitpid() does that. */
	error = children_watch(stop_meet);
	if (!error)
		error = attention_watch(&stopping.subjects, stop_meet);
	prof_error_destroy(error);
	return NULL;
}

static struct prof_error *stop_attach(pid_t process)
{
	struct prof_ticker_options options = {
		.process = process,
		.rate = stopping.request.rate,
		.max_stopped = stopping.request.max_stopped,
		.wall = stopping.request.wall,
		.queue = stopping.request.queue,
		.marker = stopping.request.marker,
		.watchdog = stopping.watchdog,
		.listens = attention_listens,
		.release = away_release,
		.alarms = stopping.ticks.alarms,
		.timers = stopping.ticks.timers,
		.short_work = stopping.ticks.short_work,
	};
	struct subject *subject;
	struct prof_error *error = prof_walker_create(
		process, stopping.request.max_depth, stopping.request.queue, &options.walker);

	if (!error)
		error = subjects_add(&stopping.subjects, &options, &subject);
	if (error)
		prof_walker_destroy(options.walker);
	return error;
}

static void watch_thread(void *context, pid_t thread)
{
	struct subject *subject = context;

	/*
	 * How it was continued last is not reported yet, or does not change: it may be in the
	 * middle of a step.
	 */
	prof_ticker_watch(subject->ticker, thread, 0);
}

static void stop_release(pid_t process)
{
	struct subject *subject = subjects_find(&stopping.subjects, process);

	if (!subject)
		return;
	handover_look();
	/*
	 * GDB is about to continue the threads that it has stopped: in all-stop mode, all of them.
	 */
	prof_procfs_threads(process, watch_thread, subject);
	prof_ticker_release(subject->ticker);
}

static void stop_hold(pid_t process)
{
	struct subject *subject = subjects_find(&stopping.subjects, process);

	if (subject)
		prof_ticker_hold(subject->ticker);
}

static void stop_objects_changed(void)
{
	subjects_flush(&stopping.subjects);
	if (stopping.subjects.items.count)
		handover_look();
}

static void stop_generated(void)
{
	if (stopping.subjects.items.count)
		handover_learn();
}

static void stop_detach(pid_t process)
{
	struct subject *subject = subjects_find(&stopping.subjects, process);

	if (stopping.ending)
		return;
	if (subject && subject == subjects_of_thread(&stopping.subjects, handover_thread()))
		handover_take();
	if (subject)
		tick_source_lack(&stopping.ticks, process, prof_cpu_timers_lack(subject->timers));
	subjects_remove(&stopping.subjects, process);
}

static void stop_stop(void)
{
	if (!stopping.installed)
		return;
	handover_stop();
	children_leave();
	subjects_hold(&stopping.subjects);
	/*
	 * A thread may be stopped with a tick pending: when it is met later, GDB must not show it.
	 */
	cpu_timers_clear(&stopping.subjects);
	stopping.ending =
		subjects_outstanding(&stopping.subjects) || cpu_timers_any(&stopping.subjects);
	if (stopping.ending) {
		subjects_mute(&stopping.subjects);
		return;
	}
	subjects_clear(&stopping.subjects);
	stop_remove_hooks();
}

static void stop_report(void)
{
	subjects_report(&stopping.subjects);
}

static void stop_say(struct prof_text *text)
{
	handover_say(text);
	cpu_timers_look(&stopping.subjects, &stopping.ticks);
	tick_source_say(&stopping.ticks, stopping.request.automatic, text);
	prof_watchdog_say(stopping.watchdog, text);
}

static bool stop_bounds(pid_t process, uint64_t address, uint64_t *low, uint64_t *high)
{
	return subjects_bounds(&stopping.subjects, process, address, low, high);
}

static bool stop_maps(pid_t process, uint64_t address, const char *path)
{
	return subjects_map(&stopping.subjects, process, address, path);
}

const struct engine engine_stop = {
	.name = "stop",
	.describe = "Stop one thread at a time, unseen by GDB, and walk its call frames.",
	.unwinder = "cfi",
	.native = true,
	.reports_signals = true,
	.verifies = true,
	.available = stop_available,
	.start = stop_start,
	.attach = stop_attach,
	.release = stop_release,
	.hold = stop_hold,
	.objects_changed = stop_objects_changed,
	.generated = stop_generated,
	.detach = stop_detach,
	.stop = stop_stop,
	.ticked = stop_ticked,
	.report = stop_report,
	.say = stop_say,
	.bounds = stop_bounds,
	.maps = stop_maps,
};
