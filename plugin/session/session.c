/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/private.h"

#include "base/clock.h"
#include "model/consistency.h"
#include "model/experiment.h"
#include "plugin/collect/collector.h"
#include "plugin/collect/inferiors.h"
#include "plugin/collect/limits.h"
#include "plugin/collect/request.h"
#include "plugin/gdb/python.h"
#include "plugin/marks/marks.h"
#include "plugin/collect/notes.h"
#include "plugin/session/stranded.h"
#include "plugin/engine/clobbered.h"
#include "plugin/gdb/breakpoints.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/trap.h"
#include "plugin/gdb/wake.h"
#include "plugin/interpose/termination.h"
#include "plugin/session/prelude.h"
#include "recording/queue.h"
#include "recording/recorder.h"
#include "view/summary.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The room for what engines record before the recorder takes it, five times a second. */
enum { QUEUE_BYTES = 16 << 20 };

/* ns after which GDB is asked again for names of code that it may forget. */
enum { NAMED_AGAIN = 100000000 };

/* There is one GDB, so one session. */
struct session session;

static const char nothing[] = "Nothing is being recorded: begin with prof-start.";

/*
 * Some targets do not take commands while they run: if one fails, GDB 13 returns to its prompt as
 * if the program had stopped.
 */
static bool is_out_of_reach(void)
{
	AUTO_FREE char *connection = NULL;
	struct prof_error *error = host_connection(&connection);
	bool native = !error && host_is_native(connection);

	host_forget(error);
	for (size_t i = 0; !native && inferiors_at(i); i++) {
		if (host_runs(inferiors_at(i)))
			return true;
	}
	return false;
}

void session_settle(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	limits_look();
	if (!session.ending || is_out_of_reach())
		return;
	session.ending = false;
	notes_error(session_stop(&text));
}

/*
 * Is anything being recorded?  If not, TEXT warns: an error would end the commands of a breakpoint,
 * or the script to be recorded.
 */
static bool check_recording(struct prof_text *text)
{
	session_settle();
	if (!session.recorder)
		prof_text_print(text, "%s\n", nothing);
	return session.recorder;
}

/* Resolves frames, or EARLY only what can be, at an event of GDB's: no command waits for an error.
 */
static void resolve_now(const struct going *going, bool early)
{
	struct host_progress progress;

	host_progress_begin_unseen(&progress);
	prof_recorder_lock(session.recorder);
	struct prof_error *error = early ? session_resolve_early(&progress.progress)
					 : session_resolve(going, &progress.progress);
	prof_recorder_unlock(session.recorder);
	host_progress_end(&progress);
	/*
	 * If it was interrupted, the next view continues it; but the command that Ctrl-C was meant
	 * for must still end.
	 */
	notes_error(error);
}

/*
 * Posted to GDB: compiled code may vanish with its program, and its names even before that.  GDB
 * does not report what a reader (jit-reader-load) has read.
 */
static PyObject *name_generated(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	session.naming = false;
	session.named = prof_clock();
	if (session.recorder) {
		prof_recorder_lock(session.recorder);
		prof_recorder_flush(session.recorder);
		prof_recorder_unlock(session.recorder);
		resolve_now(NULL, true);
		if (session.engine->generated)
			session.engine->generated();
	}
	Py_RETURN_NONE;
}

static PyMethodDef name_generated_method = {"gdbprof", name_generated, METH_NOARGS, NULL};

static void post_naming(void)
{
	struct prof_error *error = host_post(&name_generated_method);

	session.naming = !error;
	host_forget(error);
}

/* Engines call this within functions of GDB's, too, where Python cannot be used. */
static void met_generated(void)
{
	if (session.naming || prof_clock() - session.named < NAMED_AGAIN)
		return;
	PyGILState_STATE state = PyGILState_Ensure();
	post_naming();
	PyGILState_Release(state);
}

static void attach(pid_t process)
{
	AUTO_FREE char *connection = NULL;

	if (inferiors_has(process))
		return;
	struct prof_error *error = host_connection(&connection);
	/* The target may be another than at prof-start. */
	if (!error)
		error = session.engine->available(connection);
	bool native = !error && host_is_native(connection);
	if (!error && !native)
		prof_recorder_foreign(session.recorder);
	if (!error)
		error = inferiors_attach(process, native);
	if (!error) {
		prof_recorder_lock(session.recorder);
		error = prelude_name(session.experiment);
		if (!error)
			error = prelude_rank(session.experiment, native ? process : 0);
		prof_recorder_unlock(session.recorder);
	}
	notes_error(error);
}

/*
 * The process has ended, as EVENT shows, and the names of its code may vanish.  What collectors
 * still have of it is resolved, too.
 */
static void detach(pid_t process, const struct event *event)
{
	struct prof_message message = {.kind = PROF_MESSAGE_UNMAP, .mapping.process = process};

	inferiors_stand(process);
	COLLECTORS_CALL(gone, process, event);
	resolve_now(NULL, false);
	prof_recorder_lock(session.recorder);
	prof_recorder_flush(session.recorder);
	prof_recorder_unlock(session.recorder);
	inferiors_detach(process);
	prof_queue_put(session.queue, &message, NULL);
}

static void go_on(void *context, pid_t process)
{
	(void)context;
	attach(process);
	COLLECTORS_CALL(go_on, process);
	inferiors_go_on(process);
}

/* PROCESS runs if one of its threads does: GDB can run it in the background. */
static void go_on_if_running(void *context, pid_t process)
{
	if (host_runs(process))
		go_on(context, process);
}

/* GDB's events during a recording.  GDB calls them on its own thread. */

static void on_cont(const struct event *event)
{
	AUTO_FREE char *all = NULL;
	struct prof_error *error = host_parameter("schedule-multiple", &all);
	bool multiple = !error && !event->single && !strcmp(all, "True");

	host_forget(error);
	COLLECTORS_CALL(resume);
	/* `checkpoint` and `restart` give an inferior another process without an event. */
	for (size_t i = 0; inferiors_at(i);) {
		if (host_has(inferiors_at(i)))
			i++;
		else
			detach(inferiors_at(i), event);
	}
	if (!event->single)
		inferiors_stand_held(event->process);
	if (multiple)
		host_each_process(go_on, NULL);
	else if (event->process)
		go_on(NULL, event->process);
}

static void on_stop(const struct event *event)
{
	/* In all-stop mode all inferiors are stopped, whichever has reported it. */
	if (!event->single)
		inferiors_stand_all();
	else if (!host_runs(event->process))
		inferiors_stand(event->process);
	session.stopped = true;
	COLLECTORS_CALL(stop, event);
	COLLECTORS_CALL(stand, event->process);
}

static void on_exited(const struct event *event)
{
	pid_t process = event->process;

	traps_rest(process);

	if (!inferiors_has(process)) {
		/* It was held from the beginning to the end, but may be traced. */
		COLLECTORS_CALL(gone, process, event);
		return;
	}
	bool runs = inferiors_runs(process);
	detach(process, event);
	session.left = runs && !kill(process, 0) ? process : 0;
	notes_error(marks_make(PROF_MARK_EXIT, "exit"));
}

static void on_prompt(const struct event *event)
{
	(void)event;
	inferiors_look();
	session_settle();
	session_announce();
	COLLECTORS_CALL(prompt);
	if (session.stopped && session.notify && session.recorder)
		session.notify();
	session.stopped = false;
}

static void on_objects_going(const struct event *event)
{
	const struct going going = {event->object ? event->object : "", event->space};

	COLLECTORS_CALL(object_going, event->object);
	resolve_now(&going, false);
	COLLECTORS_CALL(objects_changed);
}

static void on_objects_changed(const struct event *event)
{
	AUTO_PY PyObject *come = host_attribute(event->python, "new_objfile");
	pid_t process = event->process;

	if (come)
		traps_need(come);
	COLLECTORS_CALL(objects_changed);
	COLLECTORS_CALL(objects_come);
	/*
	 * With `set follow-exec-mode new` another inferior continues with it; GDB reports only
	 * this.
	 */
	if (process && process == session.left) {
		session.left = 0;
		go_on(NULL, process);
	}
}

static void on_exiting(const struct event *event)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	(void)event;
	host_end();
	prof_error_destroy(session_stop(&text));
}

static const struct event_handler handlers[] = {
	{"cont", on_cont, true},
	{"stop", on_stop, true},
	{"exited", on_exited, false},
	{"before_prompt", on_prompt, false},
	{"free_objfile", on_objects_going, false},
	{"clear_objfiles", on_objects_changed, false},
	{"new_objfile", on_objects_changed, false},
	{"gdb_exiting", on_exiting, false},
	{NULL, NULL, false},
};

/* GDB was asked to end: can it now?  Called on another thread. */
static bool calm(void)
{
	return !session.engine->calm || session.engine->calm();
}

/* Another thread has asked for it; what it wanted may have ended since. */
static void on_wake(void)
{
	limits_look();
	termination_look();
}

/* Frees what the recording needs; the experiment stays. */
static void end_recording(void)
{
	termination_restore();
	events_disconnect(handlers);
	collectors_end();
	inferiors_end();
	prof_marker_destroy(session.marker);
	breakpoints_show();
	prof_recorder_destroy(session.recorder);
	limits_end();
	prof_queue_destroy(session.queue);
	free(session.output);
	session.recorder = NULL;
	session.queue = NULL;
	session.marker = NULL;
	session.engine = NULL;
	session.output = NULL;
	session.ending = false;
	session.left = 0;
}

/* Called at the limits of the recording: no command waits for messages. */

static void end_unasked(const char *why)
{
	notes_add(why);
	session.ending = true;
	session_settle();
	if (session.ending && !marks_are_all())
		notes_error(marks_fill("time is over"));
}

/* Creates what the recording needs; later parts need earlier ones. */
static struct prof_error *begin_recording(
	const struct session_request *request, struct prof_experiment *experiment)
{
	struct limits limits = {.time = request->time,
		.size = request->size,
		.over = end_unasked,
		.full = session_fill};

	/*
	 * If GDB cannot be asked, limits take effect when GDB stops or shows its prompt.  This must
	 * come before an engine starts.
	 */
	host_forget(wake_begin(on_wake));
	struct prof_error *error = breakpoints_hide();
	if (!error)
		error = prof_queue_create(QUEUE_BYTES, &session.queue);
	if (!error)
		error = prelude_open(
			request, experiment, session.queue, &session.output, &session.recorder);
	if (!error)
		error = prof_marker_create(session.queue, &session.marker);
	if (error)
		return error;
	const struct collector_request wanted = {
		.asked = request,
		.engine = session.engine,
		.queue = session.queue,
		.recorder = session.recorder,
		.marker = session.marker,
		.met_generated = met_generated,
	};
	inferiors_begin(session.marker);
	error = collectors_begin(&wanted);
	if (!error)
		error = events_connect(handlers);
	if (error)
		return error;
	limits_begin(&limits, session.marker, session.recorder);
	termination_defer(calm, wake_ask);
	return NULL;
}

/* WHY another engine than the best one was chosen ("" if none was), and what it cannot do. */
static void note_engine(const struct session_request *request, const char *why)
{
	notes_clear();
	if (*why)
		notes_add(why);
	if (request->verify && !session.engine->verifies)
		notes_add("Nothing is verified, because this engine walks all stacks with GDB.");
	if (request->kernel && !session.engine->knows_kernel)
		notes_add("Stacks lack the kernel's functions: only the engine perf records them.");
}

struct prof_error *session_start(const struct session_request *request, struct prof_text *text)
{
	struct prof_experiment *experiment;
	AUTO_FREE char *program = NULL;
	PROF_AUTO(prof_text_deinit) struct prof_text why = {0};

	session_settle();
	if (session.recorder)
		return prof_error_create(PROF_ERROR_STATE,
			"A recording is going on already: end it with prof-stop first.");
	struct prof_error *error = prelude_check(&program);
	if (!error)
		error = collectors_check(request);
	if (!error)
		error = prelude_choose(request, &why, &session.engine);
	if (!error)
		error = prof_experiment_create(&experiment);
	if (error) {
		session.engine = NULL;
		return error;
	}
	error = prelude_describe(experiment, request, session.engine, steal(&program));
	if (!error)
		error = begin_recording(request, experiment);
	if (error) {
		/* A file that already exists was not made here. */
		bool made = session.recorder && *request->output;
		end_recording();
		if (made)
			unlink(request->output);
		prof_experiment_destroy(experiment);
		return error;
	}
	prof_experiment_destroy(session.experiment);
	session.experiment = experiment;
	session_forget();
	note_engine(request, prof_text_get(&why));
	if (host_process()) {
		attach(host_process());
		COLLECTORS_CALL(stand, host_process());
	}
	notes_error(marks_make(PROF_MARK_START, "start"));
	if (request->paused)
		notes_error(marks_pause(true, "pause"));
	host_each_process(go_on_if_running, NULL);
	prelude_say(text, request, session.engine);
	prof_text_print(text, "%s", *session.output ? ", into " : "");
	prof_text_name(text, session.output);
	prof_text_print(text, "%s.\n", request->paused ? ", paused" : "");
	if (!host_process() && !*experiment->recording.program)
		prof_text_print(text,
			"There is no program yet: use file and run, or attach, and gdbprof records it.\n");
	COLLECTORS_CALL(say, text, COLLECTOR_STARTED);
	stranded_say(text);
	clobbered_say(text);
	return NULL;
}

struct prof_error *session_stop(struct prof_text *text)
{
	struct host_progress progress;

	if (!check_recording(text))
		return NULL;
	inferiors_stand_all();
	notes_error(marks_make(PROF_MARK_END, "end"));
	/* Processes outside of GDB still run. */
	COLLECTORS_CALL(pause, true);
	COLLECTORS_CALL(report);
	prof_recorder_lock(session.recorder);
	host_progress_begin(&progress);
	/* If it was interrupted, the next view continues it. */
	struct prof_error *error = session_resolve(NULL, &progress.progress);
	host_progress_end(&progress);
	prof_recorder_flush(session.recorder);
	session_note_failure();
	if (!prof_queue_lost(session.queue))
		notes_error(prof_consistency_check(session.experiment));
	prof_recorder_unlock(session.recorder);
	COLLECTORS_CALL(say, notes_text(), COLLECTOR_ENDED);
	end_recording();
	prof_summary_print(session.experiment, text);
	prof_text_print(text, "%s", prof_text_get(notes_text()));
	if (error && prof_error_code(error) == PROF_ERROR_INTERRUPTED) {
		prof_error_destroy(error);
		error = NULL;
	}
	return error;
}

struct prof_error *session_pause(struct prof_text *text)
{
	if (!check_recording(text))
		return NULL;
	prof_text_print(text,
		marks_are_paused() ? "The recording is paused already.\n"
				   : "The recording is paused: prof-resume resumes it.\n");
	return marks_pause(true, "pause");
}

struct prof_error *session_resume(struct prof_text *text)
{
	if (!check_recording(text))
		return NULL;
	if (marks_are_all())
		prof_text_print(
			text, "The recording has reached its limit: gdbprof records only marks.\n");
	else
		prof_text_print(text,
			marks_are_paused() ? "The recording goes on.\n"
					   : "The recording is not paused.\n");
	return marks_pause(false, "resume");
}

void session_notify_stops(void (*notify)(void))
{
	session.notify = notify;
}

bool session_records(void)
{
	return session.recorder;
}

struct prof_error *session_check(void)
{
	return session.recorder ? NULL : prof_error_create(PROF_ERROR_STATE, "%s", nothing);
}

struct prof_error *session_mark(const char *label, struct prof_text *text)
{
	if (!check_recording(text))
		return NULL;
	prof_text_print(text, *label ? "Marked: " : "Marked");
	prof_text_name(text, label);
	prof_text_print(text, ".\n");
	return marks_make(PROF_MARK_ASKED, label);
}
