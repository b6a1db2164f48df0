/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/limits.h"

#include "plugin/gdb/wake.h"
#include "recording/recorder.h"
#include "sampling/marker.h"

#include <stdatomic.h>
#include <stdbool.h>

/* GDB calls limits_look() without a context; there is one recording. */
static struct {
	struct limits limits;
	atomic_bool over, full; /* was reached, and not acted on yet */
	const char *why;        /* it is over */
} limits;

void limits_look(void)
{
	if (atomic_exchange(&limits.full, false))
		limits.limits.full();
	if (atomic_exchange(&limits.over, false))
		limits.limits.over(limits.why);
}

/* Called on the threads of the marker and of the recorder, which must not use Python. */
static void reach(void *context)
{
	atomic_bool *reached = context;

	*reached = true;
	wake_ask();
}

void limits_begin(
	const struct limits *wanted, struct prof_marker *marker, struct prof_recorder *recorder)
{
	limits_end();
	limits.limits = *wanted;
	limits.why = "The recording ended after the time that --for sets.";
	if (wanted->time)
		prof_marker_expire(marker, wanted->time, reach, &limits.over);
	prof_recorder_limit(recorder, wanted->size, reach, &limits.full);
}

void limits_end_by(const char *why)
{
	limits.why = why;
	limits.over = true;
	wake_post();
}

void limits_end(void)
{
	limits.over = false;
	limits.full = false;
}
