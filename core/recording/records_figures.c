/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records of what the sampling did, which several tickers may tell at the same time. */
#include "recording/records_private.h"

/*
 * The program goes on while any of its processes does: what they tell of the same time counts once,
 * and so do the rounds in it.
 */
static void add_time(struct prof_records *records, const struct prof_figures *figures)
{
	struct prof_recording *recording = &records->experiment->recording;
	int64_t new = prof_coverage_add(
		&records->coverage, figures->until - figures->duration, figures->until);

	recording->duration += new;
	records->rounds += figures->duration > 0
		? (double)figures->rounds * (double)new / (double)figures->duration
		: (double)figures->rounds;
	recording->rounds = (uint64_t)(records->rounds + 0.5);
}

struct prof_error *prof_records_figures(
	struct prof_records *records, const struct prof_figures *figures)
{
	struct prof_recording *recording = &records->experiment->recording;

	add_time(records, figures);
	recording->ticks += figures->ticks;
	recording->ticks_lost += figures->lost;
	recording->kept += figures->kept;
	recording->stopped += figures->stopped;
	recording->delayed += figures->delayed;
	recording->running += figures->running;
	recording->blocked += figures->blocked;
	recording->bursts += figures->bursts;
	recording->looking += figures->looking;
	if (figures->stride > recording->stride)
		recording->stride = figures->stride;
	if (figures->unread > recording->unread)
		recording->unread = figures->unread;
	if (figures->rate < recording->rate_lowest)
		recording->rate_lowest = figures->rate;
	return NULL;
}
