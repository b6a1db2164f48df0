/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The engine for every target that GDB can stop and continue: gdbserver, QEMU, boards.
 *
 * At the sampling rate, while GDB waits for the target, the target is interrupted as by Ctrl-C.  A
 * catchpoint for SIGINT has a condition, the function $_prof_tick(), which samples all threads by
 * GDB's own walk and answers 0, so that GDB has the target go on.
 *
 * An interrupt that somebody else wants goes the usual way: none of ours is sent while it is under
 * way, the catchpoint is out of its way, and it is kept back while one of ours is under way.  A
 * SIGINT that nobody here has caused is let go, and the target is interrupted once more, so that
 * GDB shows it as always.
 *
 * A tick that is under way at the end of the recording must not show either.  Until it was met the
 * catchpoint is there whenever the target goes on, and not while the user can see it.
 */
#include "plugin/engine/engine.h"
#include "plugin/gdb/host_target.h"

#include "base/clock.h"
#include "plugin/engine/remote.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/host.h"
#include "sampling/watch.h"

#include <string.h>

/* ns after which a target that goes on was not stopped by a tick; ticks lost so, one after another,
 * after which it is given up. */
static const int64_t LOST_AFTER = PROF_NS_PER_SECOND;
enum { LOST_MOST = 5 };

/* GDB calls the listener and $_prof_tick() without a context: there is one of these. */
static struct {
	struct remote remote;

	/* All times in ns. */
	struct {
		int64_t sent;    /* when the tick that is under way was; 0: none is */
		int64_t since;   /* since when the target goes on with it; 0: it stands still */
		bool met;        /* it was, and the target is about to go on */
		unsigned missed; /* ticks lost; they may still come */
		int64_t quiet;   /* since when the target, that has answered after the last of
				    them, goes on without one; 0: it does not */
	} tick;

	bool wanted;      /* somebody else wants the target to stop */
	bool let_through; /* and the catchpoint is out of the way */
	bool passed_on;   /* and the target was interrupted for that */

	int64_t begin; /* since when the target goes on without a tick; 0: it does not */
	int64_t ran;   /* that it did, of which no sample has told */
	bool sampled;  /* its threads were sampled since the target last stood still */
	bool trusting; /* GDB's setting was changed, see trust() */
} interrupter;

static struct remote *const remote = &interrupter.remote;

static bool is_under_way(void)
{
	return interrupter.tick.sent && !interrupter.tick.met;
}

/* Has the target gone on since SINCE, if it does, for longer than a tick takes to come? */
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
 * trip to a target that stands still meanwhile.  The program's file has the same code.  While the
 * target goes on for the user, who sees nothing of it at the prompt, GDB takes the code from there.
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

/* It is as the user has it; he may have changed it meanwhile. */
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
		interrupter.passed_on = false; /* it may have been that */
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

/* The tick has been met and dealt with: the target goes on. */
static void settle(int64_t now)
{
	/* One that was sent to a target that stood still has waited for its user. */
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
	/* One that has met the target standing still comes at once as that goes on, or never. */
	interrupter.tick.quiet =
		interrupter.tick.since != interrupter.tick.sent ? interrupter.tick.since : 0;
	interrupter.tick.sent = 0;
	remote->due = remote->released ? now : 0;
	if (++interrupter.tick.missed == LOST_MOST && remote->released)
		remote->request.note(
			"The target does not answer: gdbprof does not sample it until it answers an interrupt.");
}

/* The target goes on, or is about to, with a tick that must not show. */
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

/* Has all come that was under way, or gone with the process? */
static bool is_drained(void)
{
	return (!interrupter.tick.sent && !interrupter.tick.missed) || !host_has(remote->attached);
}

static void on_going(const struct event *event);
static void on_stop(const struct event *event);

/* GDB's events while it drains, when the session hears none for it. */
static const struct event_handler handlers[] = {
	{"cont", on_going, true},
	{"inferior_call", on_going, true},
	{"stop", on_stop, false},
	{NULL, NULL, false},
};

/* Ends the recording's part in GDB. */
static void finish(void)
{
	events_disconnect(handlers);
	remote_close(remote);
	memset(&interrupter.tick, 0, sizeof interrupter.tick);
}

static void on_going(const struct event *event)
{
	(void)event;
	if (is_drained())
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

/* Lets somebody else's interrupt through, when no tick is under way. */
static void let_through(void)
{
	if (!interrupter.let_through)
		catchpoint_disable(&remote->catchpoint);
	interrupter.let_through = true;
	if (!interrupter.passed_on)
		interrupter.passed_on = wire_interrupt();
}

/* Is somebody else's interrupt to be let through now?  Has the user done away with what we need? */
static bool is_due_through(void)
{
	return interrupter.wanted && !interrupter.tick.sent &&
		!(interrupter.let_through && interrupter.passed_on);
}

static bool is_harmed(void)
{
	return remote->catchpoint.harmed && !interrupter.let_through;
}

/* Does what is for GDB to do, which waits without Python's lock. */
static void yield(void)
{
	PyGILState_STATE state = PyGILState_Ensure();

	if (is_due_through())
		let_through();
	if (is_harmed())
		guard();
	if (remote->draining && is_drained())
		finish();
	PyGILState_Release(state);
}

/* Sends a tick.  Returns when it is lost. */
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

/* When what is under way is lost. */
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
	if (is_due_through() || is_harmed() || (remote->draining && is_long))
		yield();
	if (!is_long)
		return INT64_MAX;
	if (interrupter.tick.sent || remote->draining)
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

/* The target goes on with what is under way. */
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
	/* Paused, the catchpoint is in its way as long as a tick is. */
	if (!remote->released && !remote->draining && !interrupter.tick.sent)
		return true;
	interrupter.wanted = true;
	interrupter.passed_on = !is_under_way();
	return interrupter.passed_on;
}

static bool on_detach(int64_t process)
{
	/* A child that was made is another: the tick goes on to its parent. */
	if (process && process != remote->attached)
		return false;
	bool under_way = is_under_way() || interrupter.tick.missed;

	memset(&interrupter.tick, 0, sizeof interrupter.tick);
	return under_way;
}

static const struct wire_listener listener = {on_wait, on_resume, on_detach, on_interrupt};

static struct prof_error *interrupt_available(const char *connection)
{
	if (host_is_native(connection))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine interrupt is for targets that GDB reaches by target remote: leave out --engine.");
	if (strcmp(connection, "remote") != 0 && strcmp(connection, "extended-remote") != 0)
		return engine_not_native("interrupt", connection);
	if (!is_set("remote interrupt-sequence", "Ctrl-C"))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine interrupt needs \"set remote interrupt-sequence Ctrl-C\".");
	return wire_available();
}

static const struct engine *interrupt_variant(void)
{
	return host_is_nonstop() ? &engine_nonstop : &engine_interrupt;
}

/* Were SIGINT passed to the program, each tick would be. */
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

static void tell_stand(void *context, const struct host_thread *thread)
{
	(void)context;
	remote_stand(remote, thread, interrupter.ran, interrupter.sampled);
}

/* The target stands still for the user: the time since the last sample belongs to the stacks that
 * its threads have now. */
static void account(void)
{
	if (remote_is_worth(remote, interrupter.ran)) {
		host_forget(host_each_thread(tell_stand, NULL));
		remote_ran(remote, interrupter.ran);
		interrupter.ran = 0;
	}
	interrupter.sampled = false;
}

/* It is not sampled any more, whether or not the target stands still. */
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
	remote->draining = remote->attached && (interrupter.tick.sent || interrupter.tick.missed);
	if (!remote->draining) {
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
	if (remote->open && !host_has(remote->attached)) /* it was of another process */
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
	/* While it was paused the stop was not told of. */
	interrupter.wanted &= !interrupter.let_through;
	interrupter.let_through = false;
	go_on();
}

static void interrupt_objects_changed(void)
{
	remote->objects_told = false;
}

static void interrupt_tell(void)
{
	remote_tell(remote, prof_clock());
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
	.tell = interrupt_tell,
};
