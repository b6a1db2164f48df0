/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The engine for a GDB whose import slots cannot be used: it only uses documented interfaces.
 *
 * A catchpoint for the tick's signal has a condition, the function $_prof_tick(), which samples and
 * returns 0, so that GDB goes on.  GDB itself walks the frames.  This costs twice as much as the
 * stop engine, and `info breakpoints` shows the catchpoint.
 *
 * A tick in the middle of a single step does harm: it ends stepi and nexti although the thread may
 * not have moved, and while GDB steps over a breakpoint, it makes GDB hit that breakpoint a second
 * time.  So none is sent there if it can be seen that GDB steps a thread, see steps.h.  A tick by
 * SIGSTOP does harm when GDB lets go of the thread, and when GDB takes it for its own SIGSTOP: if
 * that cannot be seen, none is sent.  Nor is one sent in non-stop mode, where GDB would show it to
 * a user who interrupts that thread.
 */
#include "plugin/engine/engine.h"

#include "base/clock.h"
#include "plugin/engine/exits.h"
#include "plugin/engine/tick_signal.h"
#include "plugin/engine/tick_source.h"
#include "plugin/gdb/catchpoint.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_stack.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/attention.h"
#include "plugin/interpose/library.h"
#include "plugin/interpose/lives.h"
#include "plugin/interpose/steps.h"
#include "plugin/interpose/subject.h"
#include "recording/look.h"
#include "recording/mappings.h"
#include "recording/queue.h"
#include "sampling/leftover.h"
#include "sampling/postpone.h"
#include "sampling/tick.h"
#include "sampling/ticker.h"
#include "sampling/watchdog.h"
#include "target/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

/* $_prof_tick() is called without a context, so there is only one of these. */
static struct {
	struct engine_request request;
	uint64_t *frames;
	int changed; /* how many signals GDB treats otherwise than the user has set */
	struct handling wanted[TICK_SIGNALS];
	bool passed[TICK_SIGNALS]; /* is each passed on to the program now? */
	struct catchpoint catchpoint;
	struct tick_source ticks;
	struct prof_watchdog *watchdog; /* NULL: no tick uses SIGSTOP */
	struct subjects subjects;
	bool ending; /* the recording was stopped with ticks under way; the last one that is met
			  ends it */
	PyObject *listener;   /* listens to the end of processes meanwhile */
	pthread_mutex_t lock; /* held when they begin and end, and when another thread looks */
} catcher = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Reports the mappings to the recorder, if they have changed. */
static void report_maps(struct subject *subject)
{
	struct prof_process process;

	if (subject->reported)
		return;
	prof_process_init(&process, subject->process);
	struct prof_target target = prof_process_target(&process);
	AUTO_ERROR struct prof_error *error = prof_maps_read(&subject->maps, process.pid);
	if (!error)
		prof_mappings_put(catcher.request.queue, process.pid, &target, &subject->maps);
	subject->reported = true;
}

/* Makes GDB pass SIGNAL, with which the program has stopped, on to the program, or not. */
static void pass(int signal, bool passed)
{
	struct handling handling = {.pass = passed};

	if (passed != catcher.passed[signal])
		host_forget(handling_set(tick_signals[signal].name, handling));
	catcher.passed[signal] = passed;
}

/* A tick has stopped THREAD, and BEHIND are pending: see struct prof_meeting. */
static void sample(struct subject *subject, pid_t thread, uint32_t behind)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};
	struct prof_registers registers = {0};
	size_t depth = catcher.request.max_depth;
	enum prof_stack_end end;

	if (behind)
		prof_leftover_unblock(subject->process, thread, behind);
	report_maps(subject);
	/* Writes registers without GDB, which only writes those that it has changed. */
	struct prof_error *error = prof_process_registers(thread, &registers);
	if (!error)
		prof_process_retry(thread, &registers);
	prof_error_destroy(error);
	error = host_walk(catcher.frames, &depth, &end, NULL);
	/* Ctrl-C is meant for the program. */
	host_forget(error);
	prof_ticker_settle(subject->ticker, thread, prof_clock(), registers.within, &message.look);
	message.look.depth = (uint32_t)depth;
	message.look.end = (uint8_t)end;
	message.size = (uint32_t)(depth * sizeof *catcher.frames);
	prof_queue_put(catcher.request.queue, &message, catcher.frames);
	if (prof_maps_generated(&subject->maps, catcher.frames, depth))
		catcher.request.met_generated();
}

/* The user's command has damaged the catchpoint.  A process that runs is not released again. */
static PyObject *mend(PyObject *self, PyObject *unused)
{
	bool runs = false;

	(void)self;
	(void)unused;
	for (size_t i = 0; i < catcher.subjects.items.count; i++)
		runs |= host_runs(catcher.subjects.items.items[i]->process);
	if (runs && catcher.catchpoint.harmed && catchpoint_keep(&catcher.catchpoint) &&
		!catcher.ending)
		catcher.request.note(CATCHPOINT_MENDED);
	Py_RETURN_NONE;
}

static PyMethodDef mend_method = {"gdbprof", mend, METH_NOARGS, NULL};

static void harmed(void)
{
	host_forget(host_post(&mend_method));
}

static void finish(void)
{
	steps_unwatch();
	subjects_clear(&catcher.subjects);
	prof_watchdog_destroy(catcher.watchdog);
	catcher.watchdog = NULL;
	catchpoint_delete(&catcher.catchpoint);
	while (catcher.changed) {
		int i = --catcher.changed;
		if (!host_is_ending())
			host_forget(handling_set(tick_signals[i].name, catcher.wanted[i]));
	}
	if (catcher.listener)
		host_forget(host_disconnect("exited", catcher.listener));
	Py_CLEAR(catcher.listener);
	catcher.ending = false;
}

/* The last tick may have been met, or its thread may have ended. */
static PyObject *finish_if_met(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	if (catcher.ending && !subjects_outstanding(&catcher.subjects))
		finish();
	Py_RETURN_NONE;
}

static PyMethodDef finish_method = {"gdbprof", finish_if_met, METH_VARARGS, NULL};

/*
 * THREAD has met its tick, or never will, and this is no sample.  Called in the middle of GDB's
 * work.
 */
static void give_up(struct subject *subject, pid_t thread)
{
	prof_ticker_settle(subject->ticker, thread, prof_clock(), false, NULL);
	if (!catcher.ending)
		return;
	PyGILState_STATE state = PyGILState_Ensure();
	host_forget(host_post(&finish_method));
	PyGILState_Release(state);
}

static bool catch_ticked(void)
{
	pid_t thread = host_thread();
	struct prof_meeting meeting;
	siginfo_t info;

	if (!catcher.subjects.items.count)
		return false;
	int signal = tick_signal_of(thread, &info);
	if (signal < 0)
		return false;
	struct subject *subject = subjects_meet(&catcher.subjects, thread, &info, &meeting);
	/*
	 * GDB does not report its own SIGSTOPs.  It takes a tick of an earlier recording for one,
	 * so this stop is that of its own, which comes afterwards.
	 */
	bool theirs = meeting.met == PROF_MET_NOTHING && !prof_tick_is_of_host(&info);
	/* GDB looks at this when it continues the thread. */
	pass(signal, theirs && catcher.wanted[signal].pass);
	if (subject && catcher.ending)
		give_up(subject, thread);
	else if (subject)
		sample(subject, thread, meeting.behind);
	return theirs && catcher.wanted[signal].stop;
}

/*
 * GDB makes THREAD execute one instruction, if STEPPED, or continues it.  If it met a tick while it
 * steps over a breakpoint, GDB would insert that again, and it would be hit a second time. And if
 * GDB has taken a tick for its own SIGSTOP, that one is still to come.
 */
static void resume(pid_t thread, bool stepped)
{
	struct subject *subject = subjects_of_thread(&catcher.subjects, thread);
	siginfo_t info;

	if (!subject)
		return;
	bool wanted = prof_ticker_wants(subject->ticker, thread);
	bool got = wanted && !ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) &&
		info.si_signo == SIGSTOP;
	bool taken = got && prof_tick_is_ours(&info);
	if (got)
		prof_ticker_got(subject->ticker, thread);
	bool pending = prof_ticker_step(subject->ticker, thread, stepped);
	bool met = (pending || taken) && prof_postpone(subject->process, thread, wanted && !got);
	if (met || taken)
		give_up(subject, thread);
}

/* GDB is about to stop THREAD. */
static void want(pid_t thread)
{
	struct subject *subject = subjects_of_thread(&catcher.subjects, thread);

	if (subject)
		prof_ticker_want(subject->ticker, thread);
}

/* GDB is about to let go of THREAD. */
static int let_go(pid_t thread, bool killed)
{
	struct subject *subject = subjects_of_thread(&catcher.subjects, thread);

	if (!subject || !prof_ticker_owes(subject->ticker, thread))
		return 0;
	int signal = killed ? 0 : prof_leftover_take(subject->process, thread);
	give_up(subject, thread);
	return signal;
}

static const struct steps_watcher steps = {resume, want, let_go};

static void begin(pid_t thread)
{
	subjects_watch(&catcher.subjects, thread);
}

static void end(pid_t thread)
{
	subjects_forget(&catcher.subjects, thread);
}

/*
 * If GDB has no import slots for this, threads are found later, and the last look at one may be
 * long before its end.
 */
static const struct lives_watcher lives = {.stop = begin, .end = end};

/* THREAD is about to end all others: none of them may be stopped by a tick then. */
static void leave(pid_t thread)
{
	struct subject *subject = subjects_of_thread(&catcher.subjects, thread);

	if (subject)
		prof_ticker_leave(subject->ticker, thread);
}

static struct prof_error *catch_available(const char *connection)
{
	if (!host_is_native(connection))
		return engine_not_native("catch", connection);
	return NULL; /* GDB has catch signal since 7.6 */
}

static void catch_detach(pid_t process)
{
	if (exits_are_unknown())
		catcher.request.note(
			"GDB finds no function _exit in the program, so gdbprof cannot wait for the last tick when the program ends: prefer the engine stop.");
	pthread_mutex_lock(&catcher.lock);
	subjects_remove(&catcher.subjects, process);
	pthread_mutex_unlock(&catcher.lock);
}

static bool catch_calm(void)
{
	pthread_mutex_lock(&catcher.lock);
	subjects_hold(&catcher.subjects);
	bool outstanding = subjects_outstanding(&catcher.subjects);
	pthread_mutex_unlock(&catcher.lock);
	return !outstanding;
}

static void catch_stop(void)
{
	exits_unwatch();
	lives_unwatch();
	subjects_hold(&catcher.subjects);
	/*
	 * A thread may be stopped with a SIGSTOP pending: when it is met later, GDB must not show
	 * it.
	 */
	catcher.ending = catcher.watchdog && subjects_outstanding(&catcher.subjects);
	if (!catcher.ending) {
		finish();
		return;
	}
	subjects_mute(&catcher.subjects);
	catcher.listener = PyCFunction_New(&finish_method, NULL);
	host_forget(catcher.listener ? host_connect("exited", catcher.listener) : host_error());
}

/* Makes GDB neither show the signals nor pass them on. */
static struct prof_error *take_signals(void)
{
	int count = catcher.watchdog ? TICK_SIGNALS : TICK_SIGNALS_MASKABLE;
	struct prof_error *error = NULL;

	for (int i = 0; i < count && !error; i++) {
		error = handling_read(tick_signals[i].name, &catcher.wanted[i]);
		if (error)
			break;
		catcher.changed = i + 1;
		catcher.passed[i] = false;
		error = handling_set(tick_signals[i].name, (struct handling){0});
	}
	return error;
}

/*
 * gdbprof has set TAKEN, and the user's commands have made it NOW: applies the difference to
 * WANTED.
 */
static void take_over(struct handling *wanted, struct handling taken, struct handling now)
{
	if (now.stop != taken.stop)
		wanted->stop = now.stop;
	if (now.print != taken.print)
		wanted->print = now.print;
	if (now.pass != taken.pass)
		wanted->pass = now.pass;
}

/* The user may have changed it since. */
static void keep_signals(void)
{
	for (int i = 0; i < catcher.changed; i++) {
		struct handling taken = {.pass = catcher.passed[i]};
		struct handling now = taken;
		host_forget(handling_read(tick_signals[i].name, &now));
		if (now.stop == taken.stop && now.print == taken.print && now.pass == taken.pass)
			continue;
		take_over(&catcher.wanted[i], taken, now);
		host_forget(handling_set(tick_signals[i].name, taken));
	}
}

/* Without steps.h a tick can come while GDB steps over a breakpoint, and none may be by SIGSTOP. */
static struct prof_error *watch_steps(void)
{
	struct prof_error *error = steps_watch(&steps);

	if (!error)
		return library_watchdog(&catcher.watchdog);
	prof_error_destroy(error);
	return NULL;
}

static struct prof_error *catch_start(const struct engine_request *request)
{
	free(catcher.frames);
	catcher.frames = malloc(request->max_depth * sizeof *catcher.frames);
	if (!catcher.frames)
		return prof_error_nomem();
	catcher.request = *request;
	catcher.catchpoint.on_harm = harmed;
	if (catcher.ending) /* the last ticks of an earlier recording never came */
		finish();
	struct prof_error *error = tick_source_choose(&catcher.ticks, false);
	if (!error)
		error = watch_steps();
	if (!error)
		error = take_signals();
	if (!error)
		error = catchpoint_set(&catcher.catchpoint,
			catcher.watchdog ? TICK_SIGNAL_NAMES : TICK_SIGNAL_NAMES_MASKABLE);
	if (!error)
		error = exits_watch(leave);
	if (error) {
		catch_stop();
		return error;
	}
	prof_error_destroy(lives_watch(&lives));
	return NULL;
}

static struct prof_error *catch_attach(pid_t process)
{
	struct prof_ticker_options options = {
		.process = process,
		.rate = catcher.request.rate,
		.max_stopped = catcher.request.max_stopped,
		.discover = true,
		.wall = catcher.request.wall,
		.queue = catcher.request.queue,
		.marker = catcher.request.marker,
		.watchdog = host_stops_single() ? NULL : catcher.watchdog,
		.listens = attention_listens,
		.alarms = catcher.ticks.alarms,
	};
	struct subject *subject;

	if (!exits_look())
		catcher.request.note(
			"GDB has attached to a process, so gdbprof cannot wait for the last tick when it ends: prefer the engine stop.");
	pthread_mutex_lock(&catcher.lock);
	struct prof_error *error = subjects_add(&catcher.subjects, &options, &subject);
	pthread_mutex_unlock(&catcher.lock);
	return error;
}

static void catch_release(pid_t process)
{
	struct subject *subject = subjects_find(&catcher.subjects, process);

	if (!subject)
		return;
	if (catchpoint_keep(&catcher.catchpoint))
		catcher.request.note(CATCHPOINT_MENDED);
	keep_signals();
	prof_ticker_release(subject->ticker);
}

/*
 * The selected thread has stopped for the user.  If it has met no tick since its last stop, its
 * stack shows what it spent the CPU time since then for.  gdbprof does not look at the other
 * threads, because GDB would have to select them.
 */
static void stand(struct subject *subject)
{
	pid_t thread = host_is_ending() ? 0 : host_thread();
	size_t depth = catcher.request.max_depth;
	enum prof_stack_end end;

	if (!thread || !prof_ticker_lacks(subject->ticker, thread))
		return;
	report_maps(subject);
	host_forget(host_walk(catcher.frames, &depth, &end, NULL));
	size_t entered = depth > 1 && host_is_entering();
	if (depth)
		prof_ticker_stand(
			subject->ticker, thread, catcher.frames + entered, depth - entered, end);
}

static void catch_hold(pid_t process)
{
	struct subject *subject = subjects_find(&catcher.subjects, process);

	if (!subject)
		return;
	stand(subject);
	prof_ticker_hold(subject->ticker);
}

static void catch_objects_changed(void)
{
	for (size_t i = 0; i < catcher.subjects.items.count; i++)
		catcher.subjects.items.items[i]->reported = false;
}

static void catch_report(void)
{
	subjects_report(&catcher.subjects);
}

static void catch_say(struct prof_text *text)
{
	tick_source_say(&catcher.ticks, catcher.request.automatic, text);
	prof_watchdog_say(catcher.watchdog, text);
}

static bool catch_maps(pid_t process, uint64_t address, const char *path)
{
	const struct subject *subject = subjects_find(&catcher.subjects, process);

	return subject && prof_maps_has(&subject->maps, address, path);
}

const struct engine engine_catch = {
	.name = "catch",
	.describe =
		"Catch the tick's signal by a catchpoint with a condition; GDB walks the frames.",
	.unwinder = "gdb",
	.native = true,
	.available = catch_available,
	.start = catch_start,
	.attach = catch_attach,
	.release = catch_release,
	.hold = catch_hold,
	.objects_changed = catch_objects_changed,
	.detach = catch_detach,
	.stop = catch_stop,
	.ticked = catch_ticked,
	.calm = catch_calm,
	.report = catch_report,
	.say = catch_say,
	.maps = catch_maps,
};
