/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How the engine stop meets a thread that its tick has stopped: the thread is sampled and
 * continued.
 */
#include "plugin/engine/stop_private.h"

#include "base/clock.h"
#include "plugin/engine/cpu_timers.h"
#include "plugin/engine/handover.h"
#include "plugin/engine/tick_signal.h"
#include "plugin/gdb/host.h"
#include "plugin/interpose/away.h"
#include "plugin/interpose/displaced.h"
#include "recording/look.h"
#include "sampling/leftover.h"
#include "sampling/ticker.h"
#include "target/process.h"

#include <sys/ptrace.h>

void stop_seed(struct subject *subject, pid_t thread)
{
	struct prof_look look = {
		.time = prof_clock(),
		.thread = thread,
		.process = subject->process,
	};
	struct prof_registers registers;

	if (!displaced_registers(thread, subject->walker, &registers))
		return;
	prof_walker_walk(subject->walker, &registers, &stopping.stack);
	/* The stack of a new thread is empty: there is no caller. */
	if (stopping.stack.end == PROF_STACK_FAILED && stopping.stack.depth == 1)
		stopping.stack.end = PROF_STACK_WHOLE;
	prof_walker_put(subject->walker, &look, &stopping.stack);
}

void stop_end_when_met(void)
{
	if (!stopping.ending || subjects_outstanding(&stopping.subjects) ||
		cpu_timers_any(&stopping.subjects))
		return;
	subjects_clear(&stopping.subjects);
	stop_remove_hooks();
}

void stop_settle(struct subject *subject, pid_t thread, int64_t now, const struct prof_stack *stack,
	const struct prof_meeting *meeting)
{
	struct prof_look look;

	if (stopping.ending) {
		prof_ticker_settle(subject->ticker, thread, now, PROF_WITHIN_PROGRAM, NULL);
		stop_end_when_met();
		return;
	}
	prof_ticker_settle(subject->ticker, thread, now, stack->within, &look);
	if (meeting)
		tick_source_count(&stopping.ticks, &look, meeting);
	prof_walker_put(subject->walker, &look, stack);
}

/* Does STACK contain code that is in no file?  No call frame information describes such code. */
static bool is_generated(struct subject *subject, const struct prof_stack *stack)
{
	return (stack->end == PROF_STACK_FAILED || stack->guessed) &&
		prof_walker_generated(subject->walker, stack);
}

/* Continues THREAD with REQUEST, as GDB did last; 0: that is unknown. */
static void go_on(pid_t thread, int request)
{
	stop_real_ptrace()(request ? request : PTRACE_CONT, thread, NULL, NULL);
}

/*
 * Samples THREAD, which our tick, SIGNAL, has stopped, and continues it.  False: GDB must see the
 * stop.
 */
static bool sample(
	struct subject *subject, pid_t thread, int signal, const struct prof_meeting *meeting)
{
	struct prof_registers registers;
	int request = meeting->note;
	bool wanted = meeting->met == PROF_MET_BOTH;

	if (meeting->behind)
		prof_leftover_unblock(subject->process, thread, meeting->behind);
	prof_stack_empty(&stopping.stack);
	if (displaced_registers(thread, subject->walker, &registers)) {
		/* It was running when the signal was sent, and may have gone to sleep since. */
		prof_process_retry(thread, &registers);
		if (!stopping.ending)
			prof_walker_walk(subject->walker, &registers, &stopping.stack);
	}
	/*
	 * In the middle of stepi GDB would take the stop for the end of the step; and if it waits
	 * for its own SIGSTOP, it would take it for that, which would come later and show.  A
	 * thread that has met more ticks since has lost the stop that waitpid() would report.
	 */
	if (stopping.stack.depth && !meeting->behind && request == PTRACE_CONT &&
		!prof_ticker_wants(subject->ticker, thread) &&
		handover_give(thread, signal, &stopping.stack)) {
		cpu_timers_wind(subject, thread, meeting, false);
		return false;
	}
	cpu_timers_wind(subject, thread, meeting,
		!wanted && request == PTRACE_CONT && !prof_ticker_wants(subject->ticker, thread));
	/* From here on it waits for a CPU, even if this thread has to wait for one as well. */
	int64_t now = prof_clock();
	if (!wanted)
		go_on(thread, request);
	bool generated = !stopping.ending && is_generated(subject, &stopping.stack);
	stop_settle(subject, thread, now, &stopping.stack, meeting);
	if (generated)
		stopping.request.met_generated();
	return !wanted;
}

/* See stop_meet(). */
static bool meet_alone(pid_t thread, int signal)
{
	struct prof_meeting meeting;
	siginfo_t info;

	cpu_timers_leave(&stopping.subjects, thread);
	/* What is handed over was met before GDB waited for it. */
	if (!tick_signal_is_one(signal) || thread == handover_thread() ||
		tick_signal_of(thread, &info) < 0)
		return false;
	struct subject *subject = subjects_meet(&stopping.subjects, thread, &info, &meeting);
	if (stopping.ending && meeting.met != PROF_MET_NOTHING)
		cpu_timers_delete_own(&stopping.subjects, thread);
	if (meeting.met == PROF_MET_STRAY) {
		go_on(thread, meeting.note);
		stop_end_when_met();
		return true;
	}
	return subject && sample(subject, thread, signal, &meeting);
}

bool stop_meet(pid_t thread, int signal)
{
	away_enter();
	bool met = meet_alone(thread, signal);
	away_leave();
	return met;
}

bool stop_ticked(void)
{
	pid_t thread = host_thread();

	if (!stopping.subjects.items.count || stopping.ending)
		return false;
	if (thread != handover_thread())
		return handover_stops(thread);
	struct subject *subject = subjects_of_thread(&stopping.subjects, thread);
	if (subject && handover_walk(subject->walker))
		stopping.request.met_generated();
	return false;
}
