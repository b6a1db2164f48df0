/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages with the figures of the sampling, which several tickers may send. */
#include "model/experiment.h"
#include "recording/experiment_builder_private.h"
#include "recording/look.h"

/*
 * The program runs while any of its processes does: time that several of them report counts once,
 * and so do the rounds in it.
 */
static void add_time(struct prof_experiment_builder *builder, const struct prof_figures *figures)
{
	struct prof_recording *recording = &builder->experiment->recording;
	int64_t new = prof_coverage_add(
		&builder->coverage, figures->until - figures->duration, figures->until);

	recording->duration += new;
	builder->rounds += figures->duration > 0
		? (double)figures->rounds * (double)new / (double)figures->duration
		: (double)figures->rounds;
	recording->rounds = (uint64_t)(builder->rounds + 0.5);
}

struct prof_error *prof_experiment_builder_figures(
	struct prof_experiment_builder *builder, const struct prof_figures *figures)
{
	struct prof_recording *recording = &builder->experiment->recording;

	add_time(builder, figures);
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
