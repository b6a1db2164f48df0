/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The engine interrupt in non-stop mode, in which each thread stops and goes on by itself.
 *
 * At the sampling rate, while GDB waits, the target is asked to stop all threads that run for the
 * user.  GDB gets the stop of each as that for a signal that no program uses, see stops.h.  A
 * catchpoint for it has the condition $_prof_tick(), which samples the thread by GDB's own walk and
 * returns 0, so that GDB continues the thread.
 */
#include "plugin/engine/engine.h"

#include "base/clock.h"
#include "plugin/engine/remote.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/packet.h"
#include "plugin/interpose/stops.h"
#include "plugin/interpose/wire.h"
#include "sampling/watch.h"

#include <stdlib.h>
#include <string.h>

/* A signal of AIX.  The number is that of GDB's remote protocol. */
#define SIGNAL "SIGPRIO"
enum { SIGNAL_NUMBER = 44 };

/* ns after which a tick counts as lost. */
static const int64_t LOST_AFTER = PROF_NS_PER_SECOND;

/* A thread, all times in ns. */
struct remote_thread {
	struct packet_thread thread;
	int64_t begin; /* since when it runs; 0: it does not, or that is unknown */
	int64_t ran;   /* running time before that, which no sample has reported */
	int64_t sent;  /* when it was asked to stop; 0: it was not */
	bool met;      /* it was sampled, and is about to go on */
	bool sampled;  /* it was sampled since it last stopped */
	bool stepped;  /* it executes one instruction, and GDB stops it after that */
	bool seen;
	bool due; /* it must be asked to stop after the ones before it */
};

/* GDB calls the listener and $_prof_tick() without a context, so there is only one of these. */
static struct {
	struct remote remote;
	struct handling handling; /* how GDB treated the signal before */
	bool refused;             /* the target does not stop when asked */
	PROF_ARRAY(struct remote_thread) threads;
} nonstop;

static struct remote *const remote = &nonstop.remote;

static struct remote_thread *find(int64_t id)
{
	for (size_t i = 0; i < nonstop.threads.count; i++) {
		if (nonstop.threads.items[i].thread.thread == id)
			return &nonstop.threads.items[i];
	}
	return NULL;
}

static bool is_under_way(void)
{
	for (size_t i = 0; i < nonstop.threads.count; i++) {
		const struct remote_thread *entry = &nonstop.threads.items[i];
		if (entry->sent && stops_owes(&entry->thread))
			return true;
	}
	return false;
}

static void meet(void *context, const struct host_thread *thread)
{
	struct remote_thread *entry = find(thread->id);

	(void)context;
	if (entry)
		stops_met(&entry->thread);
	if (!entry || !entry->sent || entry->met)
		return;
	entry->met = true;
	if (!remote->released)
		return;
	entry->sampled = true;
	remote_sample(remote, thread, entry->ran);
	remote_ran(remote, entry->ran);
	entry->ran = 0;
}

static bool nonstop_ticked(void)
{
	if (remote->open)
		host_forget(host_selected_thread(meet, NULL));
	return false;
}

/* Ends the part of the recording in GDB. */
static void finish(void)
{
	remote_close(remote);
	host_forget(handling_set(SIGNAL, nonstop.handling));
	free(nonstop.threads.items);
	memset(&nonstop.threads, 0, sizeof nonstop.threads);
}

/* GDB waits: threads that were met go on, and ticks that were sent long ago count as lost. */
static void settle(int64_t now)
{
	for (size_t i = 0; i < nonstop.threads.count; i++) {
		struct remote_thread *entry = &nonstop.threads.items[i];
		if (entry->sent && !entry->met && !stops_owes(&entry->thread)) {
			/* GDB has stopped it for the user. */
			entry->sent = 0;
			continue;
		}
		if (entry->met) {
			remote_stopped(remote, now - entry->sent);
		} else if (!entry->sent || now - entry->sent < LOST_AFTER) {
			continue;
		} else {
			remote->figures.lost++;
		}
		entry->met = false;
		entry->sent = 0;
		entry->begin = remote->released ? now : 0;
	}
}

/* THREAD belongs to the process: finds out whether it runs. */
static void see(void *context, const struct host_thread *thread)
{
	int64_t now = *(const int64_t *)context;
	struct remote_thread *entry = find(thread->id);

	if (!entry) {
		entry = prof_array_push(&nonstop.threads);
		if (!entry)
			return;
		*entry = (struct remote_thread){.thread = {thread->process, thread->id}};
	}
	entry->seen = true;
	if (!thread->is_running) {
		entry->begin = 0;
	} else if (!entry->begin && !entry->sent) {
		entry->begin = now;
	}
}

/* A tick: samples all threads that run. */
static void look(int64_t now)
{
	remote->figures.rounds++;
	for (size_t i = 0; i < nonstop.threads.count; i++)
		nonstop.threads.items[i].seen = false;
	host_list_threads(remote->attached, see, &now);
	for (size_t i = nonstop.threads.count; i-- > 0;) {
		struct remote_thread *entry = &nonstop.threads.items[i];
		entry->due = entry->begin && entry->begin < now;
		if (!entry->seen)
			*entry = nonstop.threads.items[--nonstop.threads.count];
	}
}

/*
 * Asks the next thread that is due to stop.  One after the other: GDB deals with each report at
 * once, and nothing that the user wants can come in between.  False: there is none.
 */
static bool ask(int64_t now)
{
	for (size_t i = 0; i < nonstop.threads.count; i++) {
		struct remote_thread *entry = &nonstop.threads.items[i];
		/*
		 * If it stopped while GDB steps over a breakpoint, it would hit that a second time.
		 */
		if (!entry->due || entry->stepped)
			continue;
		entry->due = false;
		if (!entry->begin)
			continue;
		if (!wire_stop(&entry->thread, SIGNAL_NUMBER)) {
			nonstop.refused = true;
			remote->request.note(
				"gdbprof cannot ask the target to stop single threads, so it does not sample the target any more.");
			return false;
		}
		if (!stops_owes(&entry->thread))
			continue; /* GDB is stopping it */
		remote->figures.ticks++;
		entry->ran += now - entry->begin;
		entry->begin = 0;
		entry->sent = now;
		return true;
	}
	return false;
}

/* Does at NOW what GDB, which waits without Python's lock, has to do. */
static void yield(int64_t now)
{
	PyGILState_STATE state = PyGILState_Ensure();

	if (remote->ending)
		finish();
	else
		look(now);
	PyGILState_Release(state);
}

static int64_t on_wait(bool is_long)
{
	int64_t now = prof_clock();

	if (!is_long)
		return INT64_MAX;
	settle(now);
	bool under_way = is_under_way();
	if (remote->ending) {
		if (under_way)
			return now + LOST_AFTER;
		yield(now);
		return -1;
	}
	if (!remote->released || nonstop.refused)
		return INT64_MAX;
	remote_adjust(remote, now);
	if (under_way || ask(now))
		return now + LOST_AFTER;
	if (now < remote->due || nonstop.refused)
		return nonstop.refused ? INT64_MAX : remote->due;
	remote->due = now + prof_pace_period(&remote->pace);
	yield(now);
	return -1;
}

static void on_resume(const char *data, size_t size)
{
	int64_t now = prof_clock();

	for (size_t i = 0; i < nonstop.threads.count; i++) {
		struct remote_thread *entry = &nonstop.threads.items[i];
		char action = packet_action(data, size, &entry->thread);
		if (!action)
			continue;
		entry->stepped = action == 's' || action == 'S';
		if (remote->released && !entry->begin && !entry->sent)
			entry->begin = now;
	}
}

static bool on_interrupt(void)
{
	return true; /* GDB interrupts by a packet here, which does not interfere with ticks */
}

static bool on_detach(int64_t process)
{
	(void)process;
	return false; /* a thread that is asked to stop gets no signal */
}

static const struct wire_listener listener = {on_wait, on_resume, on_detach, on_interrupt};

static struct prof_error *nonstop_available(const char *connection)
{
	if (!host_is_nonstop())
		return prof_error_create(PROF_ERROR_STATE,
			"The recording was begun in non-stop mode, and continues only in that mode.  Begin another with prof-start.");
	return engine_interrupt.available(connection);
}

static void stand(int64_t now)
{
	if (!remote->released)
		return;
	remote_hold(remote, now);
	for (size_t i = 0; i < nonstop.threads.count; i++) {
		struct remote_thread *entry = &nonstop.threads.items[i];
		if (entry->begin)
			entry->ran += now - entry->begin;
		entry->begin = 0;
	}
}

static void report_stand(void *context, const struct host_thread *thread)
{
	struct remote_thread *entry = find(thread->id);

	(void)context;
	if (!entry)
		return;
	if (remote_is_worth(remote, entry->ran)) {
		remote_stand(remote, thread, entry->ran, entry->sampled);
		remote_ran(remote, entry->ran);
		entry->ran = 0;
	}
	entry->sampled = false;
}

static void nonstop_hold(pid_t process)
{
	if (process != remote->attached || !remote->released)
		return;
	stand(prof_clock());
	if (!host_runs(process))
		host_forget(host_each_thread(report_stand, NULL));
}

static void nonstop_detach(pid_t process)
{
	if (process != remote->attached)
		return;
	remote_detach(remote);
	nonstop.threads.count = 0;
}

static void nonstop_stop(void)
{
	if (!remote->open)
		return;
	stand(prof_clock());
	settle(prof_clock());
	/* They are met when their threads go on, and must not show. */
	remote->ending = remote->attached && is_under_way();
	if (!remote->ending)
		finish();
}

/* Can the target stop single threads?  It says what it can do: "vCont;c;C;t;s;S;r". */
static struct prof_error *check_offer(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	struct prof_error *error = host_execute("maintenance packet vCont?", &text);

	if (error)
		return error;
	const char *answer = strstr(prof_text_get(&text), "received: ");
	if (answer && (strstr(answer, ";t;") || strstr(answer, ";t\"")))
		return NULL;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The engine interrupt needs a target that can stop single threads in non-stop mode: use \"set non-stop off\".");
}

static struct prof_error *nonstop_start(const struct engine_request *request)
{
	if (remote->open && !host_has(remote->attached)) /* it belonged to another process */
		finish();
	bool was_ending = remote->open;
	struct prof_error *error = was_ending ? NULL : check_offer();
	if (!error && !was_ending)
		error = handling_read(SIGNAL, &nonstop.handling);
	if (error)
		return error;
	nonstop.refused = false;
	error = handling_set(SIGNAL, (struct handling){0});
	if (!error)
		error = remote_open(remote, request, SIGNAL, &listener);
	if (error && !was_ending)
		finish();
	return error;
}

static void nonstop_release(pid_t process)
{
	int64_t now = prof_clock();

	if (process != remote->attached || remote->released)
		return;
	remote_release(remote, now);
	host_list_threads(process, see, &now);
}

static struct prof_error *nonstop_attach(pid_t process)
{
	return remote_attach(remote, process);
}

static void nonstop_objects_changed(void)
{
	remote->objects_reported = false;
}

static void nonstop_report(void)
{
	remote_report(remote, prof_clock());
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
	.ticked = nonstop_ticked,
	.report = nonstop_report,
};
