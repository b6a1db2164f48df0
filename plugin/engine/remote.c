/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/remote.h"

#include "plugin/engine/look.h"
#include "plugin/interpose/wire.h"
#include "recording/queue.h"

#include "base/time_unit.h"

#include <stdlib.h>

/* The least part of a period for which GDB walks stacks at a stop. */
static const double LITTLE = 0.1;

/* Must the catchpoint, if there is to be one, be repaired? */
static bool keep(struct remote *remote)
{
	return remote->catchpoint.signal && catchpoint_keep(&remote->catchpoint);
}

struct prof_error *remote_open(struct remote *remote, const struct engine_request *request,
	const char *signal, const struct wire_listener *listener)
{
	bool was_ending = remote->open;
	uint64_t *frames = malloc(request->max_depth * sizeof *frames);

	if (!frames)
		return prof_error_nomem();
	free(remote->frames);
	*remote = (struct remote){
		.request = *request,
		.frames = frames,
		.catchpoint = remote->catchpoint,
		.open = true,
	};
	prof_pace_init(&remote->pace, request->rate, request->max_stopped);
	remote->due = prof_pace_first(&remote->pace);
	if (was_ending) {
		keep(remote);
		return NULL;
	}
	struct prof_error *error = signal ? catchpoint_set(&remote->catchpoint, signal) : NULL;
	if (!error)
		error = wire_open(listener);
	if (error)
		remote_close(remote);
	return error;
}

void remote_close(struct remote *remote)
{
	wire_close();
	catchpoint_delete(&remote->catchpoint);
	remote->open = false;
	remote->ending = false;
}

struct prof_error *remote_attach(struct remote *remote, pid_t process)
{
	if (remote->attached)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine interrupt samples one process: %d, not %d.",
			(int)remote->attached, (int)process);
	remote->attached = process; /* it may be a process of another machine */
	remote->objects_reported = false;
	return NULL;
}

void remote_detach(struct remote *remote)
{
	wire_forget();
	remote->attached = 0;
	remote->released = false;
}

void remote_release(struct remote *remote, int64_t now)
{
	if (keep(remote))
		remote->request.note(CATCHPOINT_MENDED);
	remote->released = true;
	remote->counted = now;
	remote->due += now;
	prof_pace_restart(&remote->pace, now);
}

void remote_hold(struct remote *remote, int64_t now)
{
	remote_report(remote, now);
	remote->released = false;
	/*
	 * The next tick only comes closer while the target runs: many short stretches get as many
	 * samples as one long stretch.
	 */
	remote->due = remote->due > now ? remote->due - now : 0;
}

void remote_report_objects(struct remote *remote)
{
	if (!remote->objects_reported)
		look_at_objects(&remote->request);
	remote->objects_reported = true;
}

bool remote_is_worth(const struct remote *remote, int64_t ran)
{
	return (double)ran * remote->pace.rate / PROF_NS_PER_SECOND >= LITTLE;
}

void remote_stand(
	struct remote *remote, const struct host_thread *thread, int64_t ran, bool sampled)
{
	remote_report_objects(remote);
	look_at_standing(&remote->request, thread, ran, sampled, remote->frames);
}

void remote_sample(struct remote *remote, const struct host_thread *thread, int64_t ran)
{
	remote_report_objects(remote);
	look_at_thread(&remote->request, thread, ran, remote->frames);
}

void remote_ran(struct remote *remote, int64_t ran)
{
	remote->figures.running += ran;
	prof_pace_count(&remote->pace, 0, ran);
}

void remote_stopped(struct remote *remote, int64_t stopped)
{
	remote->figures.kept += stopped;
	remote->figures.stopped += stopped;
	prof_pace_count(&remote->pace, stopped, 0);
}

void remote_report(struct remote *remote, int64_t now)
{
	struct prof_message message = {.kind = PROF_MESSAGE_FIGURES};

	if (remote->released)
		remote->figures.duration += now - remote->counted;
	remote->counted = now;
	remote->figures.until = now;
	remote->figures.rate = remote->pace.rate;
	message.figures = remote->figures;
	/* If the queue is full they are reported later. */
	if (prof_queue_put(remote->request.queue, &message, NULL))
		remote->figures = (struct prof_figures){0};
}

void remote_adjust(struct remote *remote, int64_t now)
{
	if (prof_pace_adjust(&remote->pace, now))
		remote_report(remote, now);
}
