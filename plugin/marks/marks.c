/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/marks/marks.h"

#include "base/option.h"
#include "plugin/collect/collector.h"
#include "plugin/gdb/events.h"
#include "plugin/marks/forks.h"
#include "plugin/collect/inferiors.h"
#include "plugin/collect/limits.h"
#include "plugin/collect/notes.h"
#include "plugin/marks/probes.h"
#include "plugin/engine/remote_usage.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/place.h"
#include "plugin/gdb/trap.h"
#include "plugin/option/amount.h"
#include "plugin/option/settings.h"
#include "recording/queue.h"
#include "recording/recorder.h"
#include "sampling/marker.h"

#include <string.h>

/* There is one GDB, so one recording. */
static struct {
	struct prof_queue *queue;
	struct prof_marker *marker; /* NULL: nothing is recorded */
	struct prof_recorder *recorder;
	bool paused;  /* by the user */
	bool full;    /* there is room for marks only */
	bool trapped; /* the program's probes and forks are watched */
} marks;

struct prof_error *marks_make(enum prof_mark_kind kind, const char *label)
{
	remote_usage_report();
	bool made = prof_marker_mark(marks.marker, kind, label);
	if (!made) { /* the queue is full; flushing it makes room */
		prof_recorder_lock(marks.recorder);
		prof_recorder_unlock(marks.recorder);
		made = prof_marker_mark(marks.marker, kind, label);
	}
	return made ? NULL : prof_error_nomem();
}

struct prof_error *marks_automatic(enum prof_mark_kind kind, const char *label)
{
	return marks.marker && !marks.paused ? marks_make(kind, label) : NULL;
}

bool marks_are_paused(void)
{
	return marks.paused;
}

struct prof_error *marks_pause(bool paused, const char *label)
{
	if (marks.paused == paused)
		return NULL;
	marks.paused = paused;
	/*
	 * What is reported while the processes are stopped is before the mark; everything else is
	 * after it.
	 */
	if (paused)
		inferiors_pause(true);
	struct prof_error *error = marks_make(paused ? PROF_MARK_PAUSE : PROF_MARK_RESUME, label);
	if (!paused)
		inferiors_pause(false);
	return error;
}

struct prof_error *marks_fill(const char *label)
{
	marks.full = true;
	inferiors_fill();
	return marks_make(PROF_MARK_PAUSE, label);
}

bool marks_are_all(void)
{
	return marks.full;
}

/* A probe of the program was reached. */

static void mark_by_program(const char *label)
{
	host_forget(marks_automatic(PROF_MARK_PROGRAM, label));
}

static void pause_by_program(void)
{
	host_forget(marks_pause(true, "pause (program)"));
}

static void resume_by_program(void)
{
	host_forget(marks_pause(false, "resume (program)"));
}

/* At the mark all threads report: what this one does later is after the mark. */
static void mute_by_program(bool muted)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_MUTE, .mute = {.id = host_thread(), .muted = muted}};

	host_forget(marks_automatic(
		PROF_MARK_PROGRAM, muted ? "thread pause (program)" : "thread resume (program)"));
	if (marks.marker && message.mute.id)
		prof_queue_put(marks.queue, &message, NULL);
}

static void end_by_program(void)
{
	if (marks.full)
		return;
	host_forget(marks_fill("end (program)"));
	limits_end_by("The program ended the recording with gdbprof_end().");
}

static const struct probes_actions probes_actions = {
	.mark = mark_by_program,
	.pause = pause_by_program,
	.resume = resume_by_program,
	.mute = mute_by_program,
	.end = end_by_program,
};

/* Breakpoints cannot be set while a remote program runs: they are set when it stops. */
static struct prof_error *set_traps(void)
{
	if (marks.trapped || (host_process() && host_runs(host_process())))
		return NULL;
	struct prof_error *error = probes_watch(&probes_actions);
	if (!error)
		error = forks_watch();
	marks.trapped = !error;
	return error;
}

/* The options that only this collector reads. */
struct marks_choice {
	const char *mark_period; /* as the user has typed it; NULL: not given */
	int64_t period;          /* ns; 0: none */
};

static const struct prof_option rows[] = {
	{.name = "mark-period",
		.value = "TIME",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct marks_choice, mark_period),
		.describe =
			"Make a mark each time the program has run for TIME: a number with s, ms or us.  "
			"By default there are no such marks."},
	{.name = NULL},
};

static const struct prof_options own_options = PROF_OPTIONS(rows, struct marks_choice);

static struct prof_error *read_choice(void *own)
{
	struct marks_choice *choice = own;

	return choice->mark_period ? amount_read_period(choice->mark_period,
					     "the time between two marks", &choice->period)
				   : NULL;
}

static struct prof_error *begin(const struct collector_request *request, const void *own)
{
	const struct marks_choice *choice = own;

	prof_marker_repeat(request->marker, choice->period);
	marks.queue = request->queue;
	marks.recorder = request->recorder;
	marks.marker = request->marker;
	return set_traps();
}

static void end(void)
{
	forks_unwatch();
	probes_unwatch();
	marks = (__typeof__(marks)){0};
}

/* A program is about to run: breakpoints for marks must be in it. */
static void resume_all(void)
{
	notes_error(traps_return());
}

/* Makes a mark if the stop that EVENT, a gdb.StopEvent, reports is one. */
static struct prof_error *mark_stop(PyObject *event)
{
	PROF_AUTO(prof_text_deinit) struct prof_text label = {0};
	AUTO_FREE char *wanted = NULL;
	struct prof_error *error = set_traps();

	forks_look();
	if (!error)
		error = settings_get("mark-stops", &wanted);
	if (error || !strcmp(wanted, "off"))
		return error;
	place_print_stop(event, &label);
	error = prof_text_error(&label);
	return error ? error : marks_automatic(PROF_MARK_STOP, prof_text_get(&label));
}

static void stop(const struct event *event)
{
	notes_error(mark_stop(event->python));
}

/* Are breakpoints set in the program? */
static const char *breakpoints(void)
{
	return probes_have_breakpoints() ? "the program's own marks" : NULL;
}

const struct collector collector_marks = {
	.name = "marks",
	.options = &own_options,
	.read = read_choice,
	.begin = begin,
	.end = end,
	.resume = resume_all,
	.stop = stop,
	.breakpoints = breakpoints,
};
