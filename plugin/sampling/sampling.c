/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sampling, the collector that is always active: it passes everything on to the engine. */
#include "plugin/collect/collector.h"
#include "plugin/collect/request.h"
#include "plugin/engine/engine.h"
#include "plugin/marks/forks.h"
#include "plugin/collect/notes.h"

#include <string.h>

/* NULL: nothing is recorded. */
static const struct engine *engine;

static void signalled(pid_t thread, int signal)
{
	COLLECTORS_CALL(signalled, thread, signal);
}

static struct prof_error *begin(const struct collector_request *request, const void *own)
{
	const struct session_request *asked = request->asked;
	const struct engine_request wanted = {
		.rate = asked->rate,
		.max_stopped = asked->max_stopped,
		.max_depth = asked->max_depth,
		.verify = asked->verify,
		.wall = !strcmp(asked->clock, "wall"),
		.kernel = asked->kernel,
		.fall_back = !strcmp(asked->unwinder, "auto"),
		.automatic = !strcmp(asked->engine, "auto"),
		.met_generated = request->met_generated,
		.forked = forks_made,
		.signalled = signalled,
		.queue = request->queue,
		.marker = request->marker,
		.note = notes_add,
	};

	(void)own;
	engine = request->engine;
	return engine->start(&wanted);
}

static void end(void)
{
	if (engine)
		engine->stop();
	engine = NULL;
}

static struct prof_error *attach(pid_t process, bool native)
{
	(void)native;
	return engine->attach(process);
}

static void release(pid_t process)
{
	engine->release(process);
}

static void hold(pid_t process)
{
	engine->hold(process);
}

static void detach(pid_t process)
{
	engine->detach(process);
}

static void objects_changed(void)
{
	engine->objects_changed();
}

static void report(void)
{
	engine->report();
}

static void say(struct prof_text *text, enum collector_phase phase)
{
	/* prof-start prints the engine and its rate itself. */
	if (engine && engine->say && phase != COLLECTOR_STARTED)
		engine->say(text);
}

const struct collector collector_sampling = {
	.name = "sampling",
	.begin = begin,
	.end = end,
	.attach = attach,
	.release = release,
	.hold = hold,
	.detach = detach,
	.objects_changed = objects_changed,
	.report = report,
	.say = say,
};
