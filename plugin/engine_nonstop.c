/*
 * The engine interrupt in non-stop mode, where each thread stops and goes on by itself.
 *
 * At the sampling rate, while GDB waits, the target is asked to stop all threads that go on for the
 * user.  The stop of each comes to GDB as one by a signal that no program gets, see stops.h.  A
 * catchpoint for it has the condition $_prof_tick(), which samples the thread by GDB's own walk and
 * answers 0, so that GDB has the thread go on.
 */
#include "plugin/engine.h"

#include "plugin/catchpoint.h"
#include "plugin/host.h"
#include "plugin/host_target.h"
#include "plugin/look.h"
#include "plugin/stops.h"
#include "plugin/wire.h"
#include "sample/pace.h"
#include "sample/watch.h"

#include <stdlib.h>
#include <string.h>

/* AIX has it.  The number is that of GDB's remote protocol. */
#define SIGNAL "SIGPRIO"
enum { SIGNAL_NUMBER = 44 };

/* ns after which a tick has been lost. */
static const int64_t LOST_AFTER = 1000000000;

/* A thread, all times in ns. */
struct pupil {
	struct packet_thread thread;
	int64_t begin; /* since when it goes on; 0: it does not, or it is not known */
	int64_t ran;   /* that it did before, of which no sample has told */
	int64_t sent;  /* when it was asked to stop; 0: it was not */
	bool met;      /* it was sampled, and is about to go on */
	bool seen;
	bool due; /* it is to be asked to stop, when those before were met */
};

/* GDB calls the listener and $_prof_tick() without a context: there is one of these. */
static struct {
	struct engine_request request;
	uint64_t *frames;
	struct catchpoint catchpoint;
	struct handling handling; /* of the signal, before */
	bool open;                /* it listens, and has changed what it needs */
	pid_t attached;           /* process; 0: there is none */
	bool released;            /* it goes on, and is to be sampled */
	bool draining;     /* it was stopped with ticks under way; the end of those ends it */
	bool refused;      /* the target does not stop when asked */
	bool objects_told; /* the recorder knows the load objects */

	PROF_ARRAY(struct pupil) pupils;
	struct prof_pace pace;
	int64_t due;     /* the next tick */
	int64_t counted; /* until when the duration was */
	struct prof_figures figures;
} school;

static struct pupil *find(int64_t id)
{
	for (size_t i = 0; i < school.pupils.count; i++) {
		if (school.pupils.items[i].thread.thread == id)
			return &school.pupils.items[i];
	}
	return NULL;
}

static bool is_under_way(void)
{
	for (size_t i = 0; i < school.pupils.count; i++) {
		const struct pupil *pupil = &school.pupils.items[i];
		if (pupil->sent && stops_owes(&pupil->thread))
			return true;
	}
	return false;
}

static void tell_figures(int64_t now)
{
	struct prof_record record = {.kind = PROF_RECORD_FIGURES};

	if (school.released)
		school.figures.duration += now - school.counted;
	school.counted = now;
	school.figures.rate = school.pace.rate;
	record.figures = school.figures;
	/* Where the queue is full they are told later. */
	if (prof_queue_put(school.request.queue, &record, NULL))
		school.figures = (struct prof_figures){0};
}

static void meet(void *context, const struct host_thread *thread)
{
	struct pupil *pupil = find(thread->id);

	(void)context;
	if (pupil)
		stops_met(&pupil->thread);
	if (!pupil || !pupil->sent || pupil->met)
		return;
	pupil->met = true;
	if (!school.released)
		return;
	if (!school.objects_told)
		look_at_objects(&school.request);
	school.objects_told = true;
	look_at_thread(&school.request, thread, pupil->ran, school.frames);
	school.figures.running += pupil->ran;
	prof_pace_count(&school.pace, 0, pupil->ran);
	pupil->ran = 0;
}

void engine_nonstop_tick(void)
{
	if (school.open)
		host_forget(host_selected_thread(meet, NULL));
}

/* Ends the recording's part in GDB. */
static void finish(void)
{
	wire_close();
	catchpoint_delete(&school.catchpoint);
	host_forget(handling_set(SIGNAL, school.handling));
	free(school.pupils.items);
	memset(&school.pupils, 0, sizeof school.pupils);
	school.open = false;
	school.draining = false;
}

/* GDB waits: those that were met go on, and those that were not for long have been lost. */
static void settle(int64_t now)
{
	for (size_t i = 0; i < school.pupils.count; i++) {
		struct pupil *pupil = &school.pupils.items[i];
		if (pupil->sent && !pupil->met && !stops_owes(&pupil->thread)) {
			/* GDB has stopped it for the user. */
			pupil->sent = 0;
			continue;
		}
		if (pupil->met) {
			school.figures.stopped += now - pupil->sent;
			prof_pace_count(&school.pace, now - pupil->sent, 0);
		} else if (!pupil->sent || now - pupil->sent < LOST_AFTER) {
			continue;
		} else {
			school.figures.lost++;
		}
		pupil->met = false;
		pupil->sent = 0;
		pupil->begin = school.released ? now : 0;
	}
}

/* THREAD is one of the process's: sees whether it goes on. */
static void see(void *context, const struct host_thread *thread)
{
	int64_t now = *(const int64_t *)context;
	struct pupil *pupil = find(thread->id);

	if (!pupil) {
		pupil = prof_array_push(&school.pupils);
		if (!pupil)
			return;
		*pupil = (struct pupil){.thread = {thread->process, thread->id}};
	}
	pupil->seen = true;
	if (!thread->is_running) {
		pupil->begin = 0;
	} else if (!pupil->begin && !pupil->sent) {
		pupil->begin = now;
	}
}

/* A tick: all threads that go on are to be sampled. */
static void look(int64_t now)
{
	school.figures.rounds++;
	for (size_t i = 0; i < school.pupils.count; i++)
		school.pupils.items[i].seen = false;
	host_list_threads(school.attached, see, &now);
	for (size_t i = school.pupils.count; i-- > 0;) {
		struct pupil *pupil = &school.pupils.items[i];
		pupil->due = pupil->begin && pupil->begin < now;
		if (!pupil->seen)
			*pupil = school.pupils.items[--school.pupils.count];
	}
}

/*
 * Asks the next thread that is due to stop.  One after the other: GDB deals with the report of one
 * at once, and nothing that the user wants can come in between.  False: there is none.
 */
static bool ask(int64_t now)
{
	for (size_t i = 0; i < school.pupils.count; i++) {
		struct pupil *pupil = &school.pupils.items[i];
		if (!pupil->due)
			continue;
		pupil->due = false;
		if (!pupil->begin)
			continue;
		if (!wire_stop(&pupil->thread, SIGNAL_NUMBER)) {
			school.refused = true;
			school.request.note("The target can't be asked to stop its threads one by "
					    "one, so it is not sampled any more.");
			return false;
		}
		if (!stops_owes(&pupil->thread))
			continue; /* GDB is stopping it */
		school.figures.ticks++;
		pupil->ran += now - pupil->begin;
		pupil->begin = 0;
		pupil->sent = now;
		return true;
	}
	return false;
}

/* Does with GDB, which waits without Python's lock, what there is to do at NOW. */
static void yield(int64_t now)
{
	PyGILState_STATE state = PyGILState_Ensure();

	if (school.draining)
		finish();
	else
		look(now);
	PyGILState_Release(state);
}

static int64_t on_wait(bool is_long)
{
	int64_t now = prof_watch_clock();

	if (!is_long)
		return INT64_MAX;
	settle(now);
	bool under_way = is_under_way();
	if (school.draining) {
		if (under_way)
			return now + LOST_AFTER;
		yield(now);
		return -1;
	}
	if (!school.released || school.refused)
		return INT64_MAX;
	if (prof_pace_adjust(&school.pace, now))
		tell_figures(now);
	if (under_way || ask(now))
		return now + LOST_AFTER;
	if (now < school.due || school.refused)
		return school.refused ? INT64_MAX : school.due;
	school.due = now + prof_pace_period(&school.pace);
	yield(now);
	return -1;
}

static void on_resume(void)
{
}

static bool on_interrupt(void)
{
	return true; /* GDB interrupts by a packet here, which nothing of ours gets in the way of */
}

static bool on_detach(void)
{
	return false; /* who is asked to stop gets no signal */
}

static const struct wire_listener listener = {on_wait, on_resume, on_detach, on_interrupt};

static struct prof_error *nonstop_available(const char *connection)
{
	if (!host_is_nonstop())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The recording was begun in non-stop mode, and goes on only there.");
	return engine_interrupt.available(connection);
}

static void stand(int64_t now)
{
	if (!school.released)
		return;
	tell_figures(now);
	school.released = false;
	for (size_t i = 0; i < school.pupils.count; i++) {
		struct pupil *pupil = &school.pupils.items[i];
		if (pupil->begin)
			pupil->ran += now - pupil->begin;
		pupil->begin = 0;
	}
	school.due = school.due > now ? school.due - now : 0;
}

static void nonstop_hold(pid_t process)
{
	if (process == school.attached)
		stand(prof_watch_clock());
}

static void nonstop_detach(pid_t process)
{
	if (process != school.attached)
		return;
	wire_forget();
	school.attached = 0;
	school.released = false;
	school.pupils.count = 0;
}

static void nonstop_stop(void)
{
	if (!school.open)
		return;
	stand(prof_watch_clock());
	settle(prof_watch_clock());
	/* They are met when their threads go on, and must not show. */
	school.draining = school.attached && is_under_way();
	if (!school.draining)
		finish();
}

static struct prof_error *nonstop_start(const struct engine_request *request)
{
	struct handling handling;

	if (school.open) /* of an earlier recording, whose last ticks never came */
		finish();
	struct prof_error *error = handling_read(SIGNAL, &handling);
	if (error)
		return error;
	free(school.frames);
	memset(&school, 0, sizeof school);
	school.handling = handling;
	school.frames = malloc(request->max_depth * sizeof *school.frames);
	if (!school.frames)
		return prof_error_nomem();
	school.request = *request;
	prof_pace_init(&school.pace, request->rate, request->max_stopped);
	school.open = true;
	error = handling_set(SIGNAL, (struct handling){0});
	if (!error)
		error = catchpoint_set(&school.catchpoint, SIGNAL);
	if (!error)
		error = wire_open(&listener);
	if (error)
		finish();
	return error;
}

static struct prof_error *nonstop_attach(pid_t process)
{
	if (school.attached)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine interrupt samples one process: %d, not %d.",
			(int)school.attached, (int)process);
	school.attached = process;
	school.objects_told = false;
	return NULL;
}

static void nonstop_release(pid_t process)
{
	int64_t now = prof_watch_clock();

	if (process != school.attached || school.released)
		return;
	if (catchpoint_keep(&school.catchpoint))
		school.request.note(CATCHPOINT_MENDED);
	school.released = true;
	school.counted = now;
	school.due += now;
	prof_pace_restart(&school.pace, now);
}

static void nonstop_objects_changed(void)
{
	school.objects_told = false;
}

static void nonstop_tell(void)
{
	tell_figures(prof_watch_clock());
}

const struct engine engine_nonstop = {
	.name = "interrupt",
	.describe = "Interrupt the threads of a remote target one by one; GDB walks the frames.",
	.unwinder = "gdb",
	.available = nonstop_available,
	.start = nonstop_start,
	.attach = nonstop_attach,
	.release = nonstop_release,
	.hold = nonstop_hold,
	.objects_changed = nonstop_objects_changed,
	.detach = nonstop_detach,
	.stop = nonstop_stop,
	.tell = nonstop_tell,
};
