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
 */
#include "plugin/engine.h"

#include "plugin/catchpoint.h"
#include "plugin/host.h"
#include "plugin/host_target.h"
#include "plugin/look.h"
#include "plugin/wire.h"
#include "sample/pace.h"
#include "sample/watch.h"

#include <stdlib.h>
#include <string.h>

/* ns after which a target that goes on was not stopped by a tick; ticks lost so, one after another,
 * after which it is given up. */
static const int64_t LOST_AFTER = 1000000000;
enum { LOST_MOST = 5 };

/* GDB calls the listener and $_prof_tick() without a context: there is one of these. */
static struct {
	struct engine_request request;
	uint64_t *frames;
	struct catchpoint catchpoint;
	bool open;         /* it listens to the wire, and has the catchpoint */
	pid_t attached;    /* process; 0: there is none */
	bool released;     /* it goes on, and is to be sampled */
	bool draining;     /* it was stopped with a tick under way; the end of that ends it */
	bool objects_told; /* the recorder knows the load objects */

	int64_t sent;    /* when the tick that is under way was; 0: none is */
	int64_t since;   /* since when the target goes on with it; 0: it stands still */
	bool met;        /* it was, and the target is about to go on */
	unsigned missed; /* ticks lost, one after another; they may still come */

	bool wanted;      /* somebody else wants the target to stop */
	bool let_through; /* and the catchpoint is out of the way */
	bool passed_on;   /* and the target was interrupted for that */

	struct prof_pace pace;
	int64_t due;     /* the next tick; on hold, ns until then */
	int64_t begin;   /* since when the target goes on without a tick; 0: it does not */
	int64_t ran;     /* ns that it did, of which no sample has told */
	int64_t counted; /* until when the duration was */
	struct prof_figures figures;
} interrupter;

static bool is_under_way(void)
{
	return interrupter.sent && !interrupter.met;
}

static void tell_figures(int64_t now)
{
	struct prof_record record = {.kind = PROF_RECORD_FIGURES};

	if (interrupter.released)
		interrupter.figures.duration += now - interrupter.counted;
	interrupter.counted = now;
	interrupter.figures.rate = interrupter.pace.rate;
	record.figures = interrupter.figures;
	/* Where the queue is full they are told later. */
	if (prof_queue_put(interrupter.request.queue, &record, NULL))
		interrupter.figures = (struct prof_figures){0};
}

/* Tells the recorder where the load objects are, if that has changed. */
static void tell_objects(void)
{
	if (!interrupter.objects_told)
		look_at_objects(&interrupter.request);
	interrupter.objects_told = true;
}

static void sample(void *context, const struct host_thread *thread)
{
	(void)context;
	look_at_thread(&interrupter.request, thread, interrupter.ran, interrupter.frames);
}

void engine_interrupt_tick(void)
{
	if (!interrupter.open)
		return;
	if (!is_under_way() && !interrupter.missed) {
		/* Nobody here has caused it. */
		interrupter.wanted = true;
		interrupter.passed_on = false;
		return;
	}
	if (!is_under_way()) {
		interrupter.missed--;
		return;
	}
	interrupter.met = true;
	if (!interrupter.released)
		return;
	tell_objects();
	host_forget(host_each_thread(sample, NULL));
	interrupter.figures.running += interrupter.ran;
	prof_pace_count(&interrupter.pace, 0, interrupter.ran);
	interrupter.ran = 0;
}

/* The tick has been met and dealt with: the target goes on. */
static void settle(int64_t now)
{
	int64_t stopped = now - interrupter.sent;

	/* One that was sent to a target that stood still has waited for its user. */
	if (interrupter.released && interrupter.since == interrupter.sent) {
		interrupter.figures.stopped += stopped;
		prof_pace_count(&interrupter.pace, stopped, 0);
	}
	interrupter.sent = 0;
	interrupter.met = false;
	interrupter.missed = 0;
	interrupter.due = (interrupter.released ? now : 0) + prof_pace_period(&interrupter.pace);
}

static void lose(int64_t now)
{
	interrupter.figures.lost++;
	interrupter.sent = 0;
	interrupter.due = interrupter.released ? now : 0;
	if (++interrupter.missed == LOST_MOST)
		interrupter.request.note("The target does not answer: it is not sampled any more "
					 "until it has answered an interrupt.");
}

/* Ends the recording's part in GDB. */
static void finish(void)
{
	wire_close();
	catchpoint_delete(&interrupter.catchpoint);
	interrupter.open = false;
	interrupter.draining = false;
}

/* Lets somebody else's interrupt through, when no tick is under way. */
static void let_through(void)
{
	if (!interrupter.let_through)
		catchpoint_disable(&interrupter.catchpoint);
	interrupter.let_through = true;
	if (!interrupter.passed_on)
		interrupter.passed_on = wire_interrupt();
}

/* Does what is for GDB to do, which waits without Python's lock. */
static void yield(void)
{
	PyGILState_STATE state = PyGILState_Ensure();

	if (interrupter.wanted)
		let_through();
	/* With the process what was under way to it has gone. */
	if (interrupter.draining && (!interrupter.sent || !host_has(interrupter.attached)))
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
	interrupter.sent = now;
	interrupter.since = now;
	interrupter.figures.rounds++;
	interrupter.figures.ticks++;
	return now + LOST_AFTER;
}

static int64_t on_wait(bool is_long)
{
	int64_t now = prof_watch_clock();

	if (interrupter.met && is_long)
		settle(now);
	if (interrupter.sent && interrupter.draining && is_long)
		yield();
	if (interrupter.sent && is_long) {
		if (!interrupter.since || now - interrupter.since < LOST_AFTER)
			return interrupter.since ? interrupter.since + LOST_AFTER : INT64_MAX;
		lose(now);
	}
	if (!interrupter.sent &&
		(interrupter.draining ||
			(interrupter.wanted &&
				!(interrupter.let_through && interrupter.passed_on))))
		yield();
	if (!is_long || !interrupter.released || interrupter.wanted)
		return INT64_MAX;
	if (prof_pace_adjust(&interrupter.pace, now))
		tell_figures(now);
	if (!interrupter.begin)
		interrupter.begin = now;
	if (now < interrupter.due)
		return interrupter.due;
	return interrupter.missed < LOST_MOST ? send_tick(now) : INT64_MAX;
}

static void on_resume(void)
{
	if (interrupter.sent && !interrupter.since)
		interrupter.since = prof_watch_clock();
}

static bool on_interrupt(void)
{
	if (!interrupter.released && !interrupter.draining)
		return true;
	interrupter.wanted = true;
	interrupter.passed_on = !is_under_way();
	return interrupter.passed_on;
}

static bool on_detach(void)
{
	bool under_way = interrupter.sent && !interrupter.met;

	interrupter.sent = 0;
	return under_way;
}

static const struct wire_listener listener = {on_wait, on_resume, on_detach, on_interrupt};

/* Does the setting NAME have VALUE? */
static bool is_set(const char *name, const char *value)
{
	AUTO_FREE char *text = NULL;
	struct prof_error *error = host_parameter(name, &text);
	bool same = !error && !strcmp(text, value);

	host_forget(error);
	return same;
}

static struct prof_error *interrupt_available(const char *connection)
{
	if (engine_is_native(connection))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine interrupt is for targets that GDB reaches by target remote.");
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
			PROF_ERROR_USAGE, "The engine interrupt needs \"handle SIGINT nopass\".");
	return error;
}

static void interrupt_detach(pid_t process)
{
	if (process != interrupter.attached)
		return;
	wire_forget();
	interrupter.attached = 0;
	interrupter.released = false;
	interrupter.sent = 0;
	interrupter.met = false;
	interrupter.wanted = false;
	interrupter.missed = 0;
}

static void hold(void)
{
	int64_t now = prof_watch_clock();

	if (!interrupter.released)
		return;
	if (interrupter.begin)
		interrupter.ran += now - interrupter.begin;
	interrupter.begin = 0;
	tell_figures(now);
	interrupter.released = false;
	interrupter.since = 0;
	interrupter.wanted = false;
	/* Only while the target goes on does the tick come nearer: many short stretches are sampled
	 * like a long one. */
	interrupter.due = interrupter.due > now ? interrupter.due - now : 0;
}

static void interrupt_hold(pid_t process)
{
	if (process == interrupter.attached)
		hold();
}

static void interrupt_stop(void)
{
	if (!interrupter.open)
		return;
	hold();
	/* It is met when the target goes on, and must not show. */
	interrupter.draining = interrupter.attached && interrupter.sent;
	if (!interrupter.draining)
		finish();
}

static struct prof_error *interrupt_start(const struct engine_request *request)
{
	if (interrupter.open) /* of an earlier recording, whose last tick never came */
		finish();
	struct prof_error *error = check_handling();
	if (error)
		return error;
	free(interrupter.frames);
	memset(&interrupter, 0, sizeof interrupter);
	interrupter.frames = malloc(request->max_depth * sizeof *interrupter.frames);
	if (!interrupter.frames)
		return prof_error_nomem();
	interrupter.request = *request;
	prof_pace_init(&interrupter.pace, request->rate, request->max_stopped);
	interrupter.open = true;
	error = catchpoint_set(&interrupter.catchpoint, "SIGINT");
	if (!error)
		error = wire_open(&listener);
	if (error)
		finish();
	return error;
}

static struct prof_error *interrupt_attach(pid_t process)
{
	if (interrupter.attached)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine interrupt samples one process: %d, not %d.",
			(int)interrupter.attached, (int)process);
	if (host_is_nonstop())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The recording was begun in all-stop mode, and goes on only there.");
	interrupter.attached = process; /* it may be one of another machine */
	interrupter.objects_told = false;
	interrupter.begin = 0;
	return NULL;
}

static void interrupt_release(pid_t process)
{
	int64_t now = prof_watch_clock();
	struct prof_error *error = check_handling();
	bool passed = error;

	host_forget(error);
	if (process != interrupter.attached || passed)
		return;
	if (catchpoint_keep(&interrupter.catchpoint))
		interrupter.request.note(CATCHPOINT_MENDED);
	interrupter.let_through = false;
	interrupter.released = true;
	interrupter.counted = now;
	interrupter.due += now;
	prof_pace_restart(&interrupter.pace, now);
	on_resume();
}

static void interrupt_objects_changed(void)
{
	interrupter.objects_told = false;
}

static void interrupt_tell(void)
{
	tell_figures(prof_watch_clock());
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
	.tell = interrupt_tell,
};
