/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine that takes no samples, for tracing alone. */
#include "plugin/engine/engine.h"

static struct prof_error *none_available(const char *connection)
{
	(void)connection;
	return NULL;
}

static struct prof_error *none_start(const struct engine_request *request)
{
	(void)request;
	return NULL;
}

static struct prof_error *none_attach(pid_t process)
{
	(void)process;
	return NULL;
}

static void ignore_process(pid_t process)
{
	(void)process;
}

static void ignore(void)
{
}

const struct engine engine_none = {
	.name = "none",
	.describe = "Take no samples: only trace and count.",
	.unwinder = "auto",
	.asked_only = true,
	.available = none_available,
	.start = none_start,
	.attach = none_attach,
	.release = ignore_process,
	.hold = ignore_process,
	.objects_changed = ignore,
	.detach = ignore_process,
	.stop = ignore,
	.report = ignore,
};
