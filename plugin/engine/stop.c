/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The main engine: one thread at a time is stopped, silently, walked and resumed.
 *
 * It stands in for waitpid(), ptrace() and syscall() in GDB's import slots.  When waitpid() reports
 * a thread stopped by a tick of ours, the thread is sampled and resumed as GDB resumed it last, and
 * GDB never learns of it.  All else passes through untouched.  While GDB waits in poll(), most
 * ticks are met before it comes to that, see children.h.  GDB stops threads by tkill() with
 * SIGSTOP, which can be a tick as well: the ticker has to know of both, since the kernel keeps one
 * of two.  All run on GDB's own thread, the tracer; they call neither Python nor GDB, but to post
 * an event.  What GDB is to walk as well: see handover.h.
 */
#include "plugin/engine/engine.h"
#include "plugin/gdb/host_target.h"

#include "base/clock.h"
#include "plugin/engine/cpu_timers.h"
#include "plugin/engine/handover.h"
#include "plugin/engine/tick_signal.h"
#include "plugin/engine/tick_source.h"
#include "plugin/gdb/host.h"
#include "plugin/interpose/attention.h"
#include "plugin/interpose/away.h"
#include "plugin/interpose/children.h"
#include "plugin/interpose/displaced.h"
#include "plugin/interpose/library.h"
#include "plugin/interpose/lives.h"
#include "plugin/interpose/slot.h"
#include "plugin/interpose/subject.h"
#include "sampling/leftover.h"
#include "sampling/walker.h"
#include "sampling/watch.h"
#include "target/arch.h"
#include "target/process.h"
#include "target/procfs.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

typedef pid_t waitpid_function(pid_t process, int *status, int options);
typedef long ptrace_function(long request, pid_t thread, void *address, void *data);
typedef long syscall_function(long number, ...);

enum { WAITPID, PTRACE, SYSCALL, HOOKS };

/* GDB calls the functions in its slots without a context: there is one of these. */
static struct {
	struct slot slots[HOOKS];
	bool installed; /* the slots are ours */
	bool draining;  /* it was stopped with ticks under way; the last one met ends it */
	pthread_t host; /* the tracer's thread */

	struct engine_request request;
	struct prof_stack stack; /* of the thread that is met */
	struct tick_source ticks;
	struct prof_watchdog *watchdog;
	struct subjects subjects;
} stop;

static waitpid_function *real_waitpid(void)
{
	return (waitpid_function *)stop.slots[WAITPID].function;
}

static ptrace_function *real_ptrace(void)
{
	return (ptrace_function *)stop.slots[PTRACE].function;
}

static syscall_function *real_syscall(void)
{
	return (syscall_function *)stop.slots[SYSCALL].function;
}

static void remove_hooks(void)
{
	children_leave();
	attention_unwatch();
	away_unwatch();
	prof_watchdog_destroy(stop.watchdog);
	stop.watchdog = NULL;
	slots_close(stop.slots, HOOKS);
	displaced_forget();
	stop.installed = false;
	stop.draining = false;
}

/* Gives the recorder the stack of THREAD, stopped before it has done anything, for the time until
 * it is met or sleeps. */
static void seed(struct subject *subject, pid_t thread)
{
	struct prof_look look = {
		.time = prof_clock(),
		.thread = thread,
		.process = subject->process,
	};
	struct prof_registers registers;

	if (!displaced_registers(thread, subject->walker, &registers))
		return;
	prof_walker_walk(subject->walker, &registers, &stop.stack);
	/* A thread that was just made stands on a stack that is empty: nothing is outside. */
	if (stop.stack.end == PROF_STACK_FAILED && stop.stack.depth == 1)
		stop.stack.end = PROF_STACK_WHOLE;
	prof_walker_put(subject->walker, &look, &stop.stack);
}

/* After prof-stop: the last tick that was under way has been met, or its thread has ended. */
static void finish_draining(void)
{
	if (!stop.draining || subjects_outstanding(&stop.subjects) ||
		cpu_timers_any(&stop.subjects))
		return;
	subjects_clear(&stop.subjects);
	remove_hooks();
}

/* THREAD, which was stopped by our tick, of its CPU timer if it is TIMED, and has STACK, goes on
 * since NOW. */
static void settle(struct subject *subject, pid_t thread, int64_t now,
	const struct prof_stack *stack, bool timed)
{
	struct prof_look look;

	if (stop.draining) {
		prof_ticker_settle(subject->ticker, thread, now, PROF_WITHIN_PROGRAM, NULL);
		finish_draining();
		return;
	}
	prof_ticker_settle(subject->ticker, thread, now, stack->within, &look);
	if (timed)
		tick_source_count(&stop.ticks, &look);
	prof_walker_put(subject->walker, &look, stack);
}

/* Is there code in STACK that is of no file?  No call frame information describes such code. */
static bool is_generated(struct subject *subject, const struct prof_stack *stack)
{
	return (stack->end == PROF_STACK_FAILED || stack->guessed) &&
		prof_walker_generated(subject->walker, stack);
}

/* Lets THREAD go on with REQUEST, as GDB did last; 0: that is not known. */
static void go_on(pid_t thread, int request)
{
	real_ptrace()(request ? request : PTRACE_CONT, thread, NULL, NULL);
}

/* Samples THREAD, which is stopped by our tick, SIGNAL, and lets it go on.  False: GDB is to see
 * it. */
static bool sample(
	struct subject *subject, pid_t thread, int signal, const struct prof_meeting *meeting)
{
	struct prof_registers registers;
	int request = meeting->note;
	bool wanted = meeting->met == PROF_MET_BOTH;

	if (meeting->behind)
		prof_leftover_unblock(subject->process, thread, meeting->behind);
	prof_stack_empty(&stop.stack);
	if (displaced_registers(thread, subject->walker, &registers)) {
		/* It was on a CPU when it was signalled, and may have gone to sleep since. */
		prof_process_retry(thread, &registers);
		if (!stop.draining)
			prof_walker_walk(subject->walker, &registers, &stop.stack);
	}
	/* In the middle of stepi GDB would take it for the end of the step, and where it waits for
	 * a SIGSTOP of its own for that, which would come later and show.  One
	 * that has met more ticks since has lost the stop that waitpid() would report. */
	if (stop.stack.depth && !meeting->behind && request == PTRACE_CONT &&
		!prof_ticker_wants(subject->ticker, thread) &&
		handover_give(thread, signal, &stop.stack)) {
		cpu_timers_wind(subject, thread, meeting, false);
		return false;
	}
	cpu_timers_wind(subject, thread, meeting,
		!wanted && request == PTRACE_CONT && !prof_ticker_wants(subject->ticker, thread));
	/* From here on it waits for a CPU, even if this thread has to wait for one as well. */
	int64_t now = prof_clock();
	if (!wanted)
		go_on(thread, request);
	bool generated = !stop.draining && is_generated(subject, &stop.stack);
	settle(subject, thread, now, &stop.stack, meeting->timed);
	if (generated)
		stop.request.met_generated();
	return !wanted;
}

/* See meet(). */
static bool meet_alone(pid_t thread, int signal)
{
	struct prof_meeting meeting;
	siginfo_t info;

	cpu_timers_leave(&stop.subjects, thread);
	/* What is handed over was met before GDB waited for it. */
	if (!tick_signal_is_one(signal) || thread == handover_thread() ||
		tick_signal_of(thread, &info) < 0)
		return false;
	struct subject *subject = subjects_meet(&stop.subjects, thread, &info, &meeting);
	if (stop.draining && meeting.met != PROF_MET_NOTHING)
		cpu_timers_drain(&stop.subjects, thread);
	if (meeting.met == PROF_MET_STRAY) {
		go_on(thread, meeting.note);
		finish_draining();
		return true;
	}
	return subject && sample(subject, thread, signal, &meeting);
}

/* THREAD has stopped by SIGNAL, see children.h: if that is a tick, it is met. */
static bool meet(pid_t thread, int signal)
{
	away_enter();
	bool met = meet_alone(thread, signal);
	away_leave();
	return met;
}

bool engine_stop_tick(void)
{
	pid_t thread = host_thread();

	if (!stop.subjects.items.count || stop.draining)
		return false;
	if (thread != handover_thread())
		return handover_stops(thread);
	struct subject *subject = subjects_of_thread(&stop.subjects, thread);
	if (subject && handover_walk(subject->walker))
		stop.request.met_generated();
	return false;
}

/* THREAD, of whichever process, has ended, or is let go. */
static void forget(pid_t thread)
{
	if (thread == handover_thread())
		handover_take();
	subjects_forget(&stop.subjects, thread);
}

static void end(pid_t thread)
{
	forget(thread);
	finish_draining();
}

static void take_over(pid_t thread)
{
	struct subject *subject = subjects_find(&stop.subjects, thread);

	if (!subject)
		return;
	handover_take();
	prof_ticker_exec(subject->ticker);
	prof_cpu_timers_exec(subject->timers);
	prof_walker_flush(subject->walker);
}

static void forked(pid_t thread)
{
	if (!stop.draining && subjects_have(&stop.subjects, thread))
		stop.request.forked();
}

/* One that GDB has stopped by SIGSTOP is in its hands now. */
static void signalled(pid_t thread, int signal)
{
	if (signal == SIGSTOP)
		subjects_got(&stop.subjects, thread);
	else if (!stop.draining)
		stop.request.signalled(thread, signal);
}

/* What GDB learns of a thread is of interest to the tickers too. */
static const struct lives_watcher watcher = {
	.end = end, .exec = take_over, .fork = forked, .signal = signalled};

static pid_t hooked_waitpid(pid_t process, int *status, int options)
{
	waitpid_function *original = real_waitpid();
	int own;

	if (!status)
		status = &own;
	if (!pthread_equal(pthread_self(), stop.host))
		return original(process, status, options);
	if (process == -1)
		attention_begin();
	for (int met = 0;; met++) {
		if (!children_may_meet(met) && options & WNOHANG) {
			children_remind();
			return 0;
		}
		if (stop.subjects.items.count)
			lives_look(process, options, forget);
		pid_t thread = original(process, status, options);
		if (thread <= 0)
			return thread;
		/* The status of an event of ptrace has more than a signal, as children.h has it. */
		if (!WIFSTOPPED(*status) || !meet(thread, *status >> 8)) {
			attention_told(thread, *status);
			handover_told(thread);
			lives_tell(&watcher, thread, *status);
			return thread;
		}
	}
}

static bool resumes(long request)
{
	return request == PTRACE_CONT || request == PTRACE_SINGLESTEP || request == PTRACE_SYSCALL;
}

/* GDB is about to detach from THREAD.  Returns a signal that it is to get, or 0. */
static int let_go(pid_t thread)
{
	away_enter();
	int signal = subjects_let_go(&stop.subjects, thread);
	away_leave();
	forget(thread);
	finish_draining();
	return signal;
}

/* GDB is about to have REQUEST done with THREAD. */
static void watch(long request, pid_t thread)
{
	if (request == PTRACE_KILL) {
		forget(thread);
	} else if (resumes(request)) {
		struct subject *subject = subjects_of_thread(&stop.subjects, thread);
		if (subject && prof_ticker_watch(subject->ticker, thread, (int)request))
			seed(subject, thread);
	}
}

/* GDB has THREAD, whose stop was handed over to it, go on; the tick's signal is no one else's. */
static long take_back(long request, pid_t thread, void *address)
{
	struct subject *subject = subjects_of_thread(&stop.subjects, thread);
	int64_t now = prof_clock();

	errno = 0;
	long result = real_ptrace()(request, thread, address, NULL);
	int after = errno;
	const struct prof_stack *stack = handover_take();
	if (subject)
		settle(subject, thread, now, stack, false);
	errno = after;
	return result;
}

/* What there is to be done before GDB's REQUEST for THREAD.  Returns what goes with it: DATA, or a
 * signal. */
static void *prepare(long request, pid_t thread, void *data)
{
	if (request == PTRACE_DETACH) {
		int signal = let_go(thread);
		if (signal && !data)
			data = (void *)(intptr_t)signal;
	} else if (!stop.draining) {
		watch(request, thread);
	}
	return data;
}

static long hooked_ptrace(long request, pid_t thread, void *address, void *data)
{
	if (!stop.subjects.items.count || !pthread_equal(pthread_self(), stop.host))
		return real_ptrace()(request, thread, address, data);
	/* GDB clears errno, and takes what is there after a success for an error. */
	int before = errno;
	displaced_note(request, thread, address, data);
	data = prepare(request, thread, data);
	errno = before;
	if (thread != handover_thread())
		return real_ptrace()(request, thread, address, data);
	if (resumes(request))
		return take_back(request, thread, address);
	long result = real_ptrace()(request, thread, address, data);
	if (result == -1 && errno == ESRCH && handover_answer(request, address, data, &result))
		errno = 0;
	return result;
}

/* Six arguments are passed on, as the C library does, whether there are so many or not. */
static long hooked_syscall(
	long number, long first, long second, long third, long fourth, long fifth, long sixth)
{
	if (number == SYS_tkill && second == SIGSTOP && stop.subjects.items.count &&
		pthread_equal(pthread_self(), stop.host)) {
		if (handover_stands_in((pid_t)first))
			return 0;
		subjects_want(&stop.subjects, (pid_t)first);
	}
	return real_syscall()(number, first, second, third, fourth, fifth, sixth);
}

static const struct hook hooks[HOOKS] = {
	[WAITPID] = {"waitpid", (void *)hooked_waitpid},
	[PTRACE] = {"ptrace", (void *)hooked_ptrace},
	[SYSCALL] = {"syscall", (void *)hooked_syscall},
};

static struct prof_error *stop_available(const char *connection)
{
	if (!host_is_native(connection))
		return engine_not_native("stop", connection);
	struct prof_error *error = slots_check(hooks, HOOKS);

	return error ? error : engine_check_machine("stop");
}

static struct prof_error *stop_start(const struct engine_request *request)
{
	if (stop.installed) { /* of an earlier recording, whose last ticks never came */
		subjects_clear(&stop.subjects);
		remove_hooks();
	}
	prof_stack_deinit(&stop.stack);
	struct prof_error *error = prof_stack_init(&stop.stack, request->max_depth);
	if (!error)
		error = tick_source_choose(&stop.ticks, true);
	if (error)
		return error;
	stop.request = *request;
	stop.host = pthread_self();
	error = handover_start(request);
	if (error)
		return error;
	error = library_watchdog(&stop.watchdog);
	if (!error)
		error = slots_open(hooks, stop.slots, HOOKS);
	if (error) {
		prof_watchdog_destroy(stop.watchdog);
		stop.watchdog = NULL;
		handover_stop();
		return error;
	}
	stop.installed = true;
	if (stop.ticks.timers)
		away_watch();
	/* Where it cannot be, waitpid() does. */
	error = children_watch(meet);
	if (!error)
		error = attention_watch(&stop.subjects, meet);
	prof_error_destroy(error);
	return NULL;
}

static struct prof_error *stop_attach(pid_t process)
{
	struct prof_ticker_options options = {
		.process = process,
		.rate = stop.request.rate,
		.max_stopped = stop.request.max_stopped,
		.wall = stop.request.wall,
		.queue = stop.request.queue,
		.marker = stop.request.marker,
		.watchdog = stop.watchdog,
		.listens = attention_listens,
		.release = away_release,
		.alarms = stop.ticks.alarms,
		.timers = stop.ticks.timers,
	};
	struct subject *subject;
	struct prof_error *error = prof_walker_create(
		process, stop.request.max_depth, stop.request.queue, &options.walker);

	if (!error)
		error = subjects_add(&stop.subjects, &options, &subject);
	if (error)
		prof_walker_destroy(options.walker);
	return error;
}

static void watch_thread(void *context, pid_t thread)
{
	struct subject *subject = context;

	/* How it was resumed last is not told yet, or stays: it may be in the middle of a step. */
	prof_ticker_watch(subject->ticker, thread, 0);
}

static void stop_release(pid_t process)
{
	struct subject *subject = subjects_find(&stop.subjects, process);

	if (!subject)
		return;
	handover_look();
	/* GDB is about to resume the threads that it has stopped, all of them in all-stop mode. */
	prof_procfs_threads(process, watch_thread, subject);
	prof_ticker_release(subject->ticker);
}

static void stop_hold(pid_t process)
{
	struct subject *subject = subjects_find(&stop.subjects, process);

	if (subject)
		prof_ticker_hold(subject->ticker);
}

static void stop_objects_changed(void)
{
	subjects_flush(&stop.subjects);
	if (stop.subjects.items.count)
		handover_look();
}

static void stop_generated(void)
{
	if (stop.subjects.items.count)
		handover_learn();
}

static void stop_detach(pid_t process)
{
	struct subject *subject = subjects_find(&stop.subjects, process);

	if (stop.draining)
		return;
	if (subject && subject == subjects_of_thread(&stop.subjects, handover_thread()))
		handover_take();
	if (subject)
		tick_source_lack(&stop.ticks, process, prof_cpu_timers_lack(subject->timers));
	subjects_remove(&stop.subjects, process);
}

static void stop_stop(void)
{
	if (!stop.installed)
		return;
	handover_stop();
	children_leave();
	subjects_hold(&stop.subjects);
	/* A thread may stand still with a tick pending: met later, it must not show. */
	cpu_timers_clear(&stop.subjects);
	stop.draining = subjects_outstanding(&stop.subjects) || cpu_timers_any(&stop.subjects);
	if (stop.draining) {
		subjects_mute(&stop.subjects);
		return;
	}
	subjects_clear(&stop.subjects);
	remove_hooks();
}

static void stop_tell(void)
{
	subjects_tell(&stop.subjects);
}

static void stop_say(struct prof_text *text)
{
	handover_say(text);
	cpu_timers_look(&stop.subjects, &stop.ticks);
	tick_source_say(&stop.ticks, stop.request.automatic, text);
	prof_watchdog_say(stop.watchdog, text);
}

static bool stop_bounds(pid_t process, uint64_t address, uint64_t *low, uint64_t *high)
{
	return subjects_bounds(&stop.subjects, process, address, low, high);
}

static bool stop_maps(pid_t process, uint64_t address, const char *path)
{
	return subjects_map(&stop.subjects, process, address, path);
}

const struct engine engine_stop = {
	.name = "stop",
	.describe = "Stop one thread at a time, unseen by GDB, and walk its call frames.",
	.unwinder = "cfi",
	.native = true,
	.tells_signals = true,
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
	.tell = stop_tell,
	.say = stop_say,
	.bounds = stop_bounds,
	.maps = stop_maps,
};
