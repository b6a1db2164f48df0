/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The engine for every target that GDB can stop and continue: gdbserver, QEMU, boards.
 *
 * At the sampling rate, while GDB waits for the target, the target is interrupted as by Ctrl-C.  A
 * catchpoint for SIGINT has a condition, the function $_prof_tick(), which samples all threads by
 * GDB's own walk and returns 0, so that GDB continues the target.
 *
 * Other interrupts take the usual way: while one is under way, no tick is sent, and the catchpoint
 * is disabled; while a tick is under way, they are kept back.  A SIGINT that nobody here has caused
 * passes, and the target is interrupted once more, so that GDB shows it as always.
 *
 * A tick that is under way at the end of the recording must not show either.  Until it is met, the
 * catchpoint is enabled whenever the target runs, and not while the user can see it.
 */
#include "plugin/engine/engine.h"
#include "plugin/gdb/host_target.h"

#include "base/clock.h"
#include "plugin/engine/remote.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/wire.h"
#include "sampling/watch.h"

#include <string.h>

/*
 * ns after which a running target was not stopped by a tick; how many ticks may be lost in a row
 * before it is given up.
 */
static const int64_t LOST_AFTER = PROF_NS_PER_SECOND;
enum { LOST_MOST = 5 };

/* GDB calls the listener and $_prof_tick() without a context, so there is only one of these. */
static struct {
	struct remote remote;

	/* All times in ns. */
	struct {
		int64_t sent;    /* when the tick that is under way was sent; 0: there is none */
		int64_t since;   /* since when the target runs with it; 0: it is stopped */
		bool met;        /* it was met, and the target is about to go on */
		unsigned missed; /* lost ticks; they may still come */
		int64_t quiet;   /* since when the target runs without a tick, having answered after
				    the last lost one; 0: it does not */
	} tick;

	bool wanted;      /* somebody else wants to interrupt the target */
	bool let_through; /* for that the catchpoint is disabled */
	bool passed_on;   /* and the target was interrupted */

	int64_t begin; /* since when the target runs without a tick; 0: it does not */
	int64_t ran;   /* running time that no sample has reported yet */
	bool sampled;  /* its threads were sampled since the target last stopped */
	bool trusting; /* GDB's setting was changed, see trust() */
} interrupter;

static struct remote *const remote = &interrupter.remote;

static bool is_under_way(void)
{
	return interrupter.tick.sent && !interrupter.tick.met;
}

/* Has the target, if it runs, run since SINCE for longer than a tick takes? */
static bool is_late(int64_t since, int64_t now)
{
	return since && now - since >= LOST_AFTER;
}

/* Does the setting NAME have VALUE? */
static bool is_set(const char *name, const char *value)
{
	AUTO_FREE char *text = NULL;
	struct prof_error *error = host_parameter(name, &text);
	bool same = !error && !strcmp(text, value);

	host_forget(error);
	return same;
}

/*
 * Most of what GDB reads to walk a stack is code, a few bytes at a time, and each read is a round
 * trip to a target that is stopped meanwhile.  The program's file has the same code.  While the
 * target runs for the user, who cannot see the setting, GDB reads code from the file.
 */
static const char TRUST[] = "trust-readonly-sections";

static void set_trust(const char *value)
{
	PROF_AUTO(prof_text_deinit) struct prof_text command = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text printed = {0};

	prof_text_print(&command, "set %s %s", TRUST, value);
	host_forget(host_execute(prof_text_get(&command), &printed));
}

static void trust(void)
{
	if (interrupter.trusting || !is_set(TRUST, "False"))
		return;
	set_trust("on");
	interrupter.trusting = true;
}

/* Restores the user's value, unless the user has changed it. */
static void distrust(void)
{
	if (interrupter.trusting && is_set(TRUST, "True"))
		set_trust("off");
	interrupter.trusting = false;
}

static void sample(void *context, const struct host_thread *thread)
{
	(void)context;
	remote_sample(remote, thread, interrupter.ran);
}

static bool interrupt_ticked(void)
{
	if (!remote->open)
		return false;
	if (!is_under_way() && !interrupter.tick.missed) {
		/* Nobody here has caused it. */
		interrupter.wanted = true;
		interrupter.passed_on = false;
		return false;
	}
	if (!is_under_way()) {
		interrupter.tick.missed--;
		interrupter.tick.quiet = 0;
		interrupter.passed_on = false; /* it may have been that one */
		return false;
	}
	interrupter.tick.met = true;
	if (!remote->released)
		return false;
	host_forget(host_each_thread(sample, NULL));
	interrupter.sampled = true;
	remote_ran(remote, interrupter.ran);
	interrupter.ran = 0;
	return false;
}

/* The tick was met and dealt with: the target goes on. */
static void settle(int64_t now)
{
	/* A tick that was sent to a stopped target has waited for its user. */
	if (remote->released && interrupter.tick.since == interrupter.tick.sent)
		remote_stopped(remote, now - interrupter.tick.sent);
	interrupter.tick.sent = 0;
	interrupter.tick.since = 0;
	interrupter.tick.met = false;
	remote->due = (remote->released ? now : 0) + prof_pace_period(&remote->pace);
}

static void lose(int64_t now)
{
	remote->figures.lost++;
	/* A tick that has met a stopped target comes as soon as that goes on, or never. */
	interrupter.tick.quiet =
		interrupter.tick.since != interrupter.tick.sent ? interrupter.tick.since : 0;
	interrupter.tick.sent = 0;
	remote->due = remote->released ? now : 0;
	if (++interrupter.tick.missed == LOST_MOST && remote->released)
		remote->request.note(
			"The target does not answer: gdbprof does not sample it until it answers an interrupt.");
}

/* The target runs, or is about to, with a tick that must not show. */
static void guard(void)
{
	if (catchpoint_keep(&remote->catchpoint) && remote->released)
		remote->request.note(CATCHPOINT_MENDED);
	interrupter.let_through = false;
}

/* The target has stopped for the user. */
static void stand(void)
{
	interrupter.tick.since = 0;
	interrupter.tick.quiet = 0;
	interrupter.wanted = false;
}

/* Has everything under way come, or ended with the process? */
static bool has_all_come(void)
{
	return (!interrupter.tick.sent && !interrupter.tick.missed) || !host_has(remote->attached);
}

static void on_going(const struct event *event);
static void on_stop(const struct event *event);

/* GDB's events while what is under way comes, and the session listens to none. */
static const struct event_handler handlers[] = {
	{"cont", on_going, true},
	{"inferior_call", on_going, true},
	{"stop", on_stop, false},
	{NULL, NULL, false},
};

/* Ends the part of the recording in GDB. */
static void finish(void)
{
	events_disconnect(handlers);
	remote_close(remote);
	memset(&interrupter.tick, 0, sizeof interrupter.tick);
}

static void on_going(const struct event *event)
{
	(void)event;
	if (has_all_come())
		finish();
	else
		guard();
}

static void on_stop(const struct event *event)
{
	(void)event;
	stand();
	catchpoint_delete(&remote->catchpoint);
}

/* Passes somebody else's interrupt on, if no tick is under way. */
static void let_through(void)
{
	if (!interrupter.let_through)
		catchpoint_disable(&remote->catchpoint);
	interrupter.let_through = true;
	if (!interrupter.passed_on)
		interrupter.passed_on = wire_interrupt();
}

/*
 * Must somebody else's interrupt be passed on now?  Or has the user removed what the engine needs?
 */
static bool is_due_through(void)
{
	return interrupter.wanted && !interrupter.tick.sent &&
		!(interrupter.let_through && interrupter.passed_on);
}

static bool is_harmed(void)
{
	return remote->catchpoint.harmed && !interrupter.let_through;
}

/* Does what GDB has to do, which waits without Python's lock. */
static void yield(void)
{
	PyGILState_STATE state = PyGILState_Ensure();

	if (is_due_through())
		let_through();
	if (is_harmed())
		guard();
	if (remote->ending && has_all_come())
		finish();
	PyGILState_Release(state);
}

/* Sends a tick.  Returns when it counts as lost. */
static int64_t send_tick(int64_t now)
{
	interrupter.ran += now - interrupter.begin;
	interrupter.begin = 0;
	if (!wire_interrupt())
		return INT64_MAX;
	interrupter.tick.sent = now;
	interrupter.tick.since = now;
	remote->figures.rounds++;
	remote->figures.ticks++;
	return now + LOST_AFTER;
}

/* When the tick that is under way counts as lost. */
static int64_t next_loss(void)
{
	int64_t since = interrupter.tick.sent ? interrupter.tick.since : interrupter.tick.quiet;

	return since ? since + LOST_AFTER : INT64_MAX;
}

static int64_t on_wait(bool is_long)
{
	int64_t now = prof_clock();

	if (interrupter.tick.met && is_long)
		settle(now);
	if (interrupter.tick.sent && is_long && is_late(interrupter.tick.since, now))
		lose(now);
	if (is_long && is_late(interrupter.tick.quiet, now))
		interrupter.tick.missed = 0;
	if (is_due_through() || is_harmed() || (remote->ending && is_long))
		yield();
	if (!is_long)
		return INT64_MAX;
	if (interrupter.tick.sent || remote->ending)
		return next_loss();
	if (!remote->released || interrupter.wanted)
		return INT64_MAX;
	remote_adjust(remote, now);
	if (!interrupter.begin)
		interrupter.begin = now;
	if (now < remote->due)
		return remote->due;
	bool is_deaf = interrupter.tick.missed >= LOST_MOST && !interrupter.tick.quiet;
	return is_deaf ? INT64_MAX : send_tick(now);
}

/* The target runs with a tick under way. */
static void go_on(void)
{
	int64_t now = prof_clock();

	if (interrupter.tick.sent && !interrupter.tick.since)
		interrupter.tick.since = now;
	if (interrupter.tick.missed && !interrupter.tick.quiet)
		interrupter.tick.quiet = now;
}

static void on_resume(const char *data, size_t size)
{
	(void)data;
	(void)size;
	go_on();
}

static bool on_interrupt(void)
{
	/*
	 * While the recording is paused, the catchpoint is enabled as long as a tick is under way.
	 */
	if (!remote->released && !remote->ending && !interrupter.tick.sent)
		return true;
	interrupter.wanted = true;
	interrupter.passed_on = !is_under_way();
	return interrupter.passed_on;
}

static bool on_detach(int64_t process)
{
	/* A forked child is another process: the tick goes to its parent. */
	if (process && process != remote->attached)
		return false;
	bool under_way = is_under_way() || interrupter.tick.missed;

	memset(&interrupter.tick, 0, sizeof interrupter.tick);
	return under_way;
}

static const struct wire_listener listener = {on_wait, on_resume, on_detach, on_interrupt};

static struct prof_error *interrupt_available(const char *connection)
{
	struct prof_error *error = engine_check_remote("interrupt", "targets", connection);

	if (error)
		return error;
	if (!is_set("remote interrupt-sequence", "Ctrl-C"))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine interrupt needs \"set remote interrupt-sequence Ctrl-C\".");
	return wire_available();
}

static const struct engine *interrupt_variant(void)
{
	return host_is_nonstop() ? &engine_nonstop : &engine_interrupt;
}

/* If SIGINT were passed to the program, it would get each tick. */
static struct prof_error *check_handling(void)
{
	struct handling handling;
	struct prof_error *error = handling_read("SIGINT", &handling);

	if (!error && handling.pass)
		error = prof_error_create(
			PROF_ERROR_STATE, "The engine interrupt needs \"handle SIGINT nopass\".");
	return error;
}

static void interrupt_detach(pid_t process)
{
	if (process != remote->attached)
		return;
	remote_detach(remote);
	distrust();
	memset(&interrupter.tick, 0, sizeof interrupter.tick);
	interrupter.wanted = false;
}

static void report_stand(void *context, const struct host_thread *thread)
{
	(void)context;
	remote_stand(remote, thread, interrupter.ran, interrupter.sampled);
}

/*
 * The target is stopped for the user: the time since the last sample belongs to the stacks that its
 * threads have now.
 */
static void account(void)
{
	if (remote_is_worth(remote, interrupter.ran)) {
		host_forget(host_each_thread(report_stand, NULL));
		remote_ran(remote, interrupter.ran);
		interrupter.ran = 0;
	}
	interrupter.sampled = false;
}

/* It is not sampled any more, whether or not the target is stopped. */
static void hold(void)
{
	int64_t now = prof_clock();

	if (!remote->released)
		return;
	if (interrupter.begin)
		interrupter.ran += now - interrupter.begin;
	interrupter.begin = 0;
	bool stands = !host_runs(remote->attached);
	if (stands)
		account();
	remote_hold(remote, now);
	distrust();
	if (stands)
		stand();
}

static void interrupt_hold(pid_t process)
{
	if (process == remote->attached)
		hold();
}

static void interrupt_stop(void)
{
	if (!remote->open)
		return;
	hold();
	remote->ending = remote->attached && (interrupter.tick.sent || interrupter.tick.missed);
	if (!remote->ending) {
		finish();
		return;
	}
	host_forget(events_connect(handlers));
	if (!host_runs(remote->attached))
		catchpoint_delete(&remote->catchpoint);
}

static struct prof_error *interrupt_start(const struct engine_request *request)
{
	struct prof_error *error = check_handling();

	if (error)
		return error;
	events_disconnect(handlers);
	if (remote->open && !host_has(remote->attached)) /* it belonged to another process */
		finish();
	interrupter.wanted = false;
	interrupter.begin = 0;
	interrupter.ran = 0;
	interrupter.sampled = false;
	return remote_open(remote, request, "SIGINT", &listener);
}

static struct prof_error *interrupt_attach(pid_t process)
{
	if (!remote->attached && host_is_nonstop())
		return prof_error_create(PROF_ERROR_STATE,
			"The recording was begun in all-stop mode, and continues only in that mode.  Begin another with prof-start.");
	interrupter.begin = 0;
	return remote_attach(remote, process);
}

static void interrupt_release(pid_t process)
{
	struct prof_error *error = check_handling();
	bool passed = error;

	host_forget(error);
	if (process != remote->attached || passed)
		return;
	remote_release(remote, prof_clock());
	trust();
	/* While the recording was paused, the stop was not reported. */
	interrupter.wanted &= !interrupter.let_through;
	interrupter.let_through = false;
	go_on();
}

static void interrupt_objects_changed(void)
{
	remote->objects_reported = false;
}

static void interrupt_report(void)
{
	remote_report(remote, prof_clock());
}

const struct engine engine_interrupt = {
	.name = "interrupt",
	.describe = "Interrupt a remote target as by Ctrl-C; GDB walks the frames of all threads.",
	.unwinder = "gdb",
	.available = interrupt_available,
	.variant = interrupt_variant,
	.start = interrupt_start,
	.attach = interrupt_attach,
	.release = interrupt_release,
	.hold = interrupt_hold,
	.objects_changed = interrupt_objects_changed,
	.detach = interrupt_detach,
	.stop = interrupt_stop,
	.ticked = interrupt_ticked,
	.report = interrupt_report,
};
