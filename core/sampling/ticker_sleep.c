/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The part of the ticker that looks at sleeping threads. */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "sampling/kernel_stack.h"
#include "sampling/walker.h"
#include "sampling/watch.h"
#include "target/procfs.h"
#include "target/wait.h"

/* The most kernel frames: as many as /proc shows. */
enum { FRAMES = 64 };

/* Adds the kernel frames of THREAD inside of the stack that was walked. */
static void add_kernel(struct prof_ticker *ticker, pid_t thread)
{
	uint64_t frames[FRAMES];

	prof_stack_push(&ticker->stack, frames,
		prof_kernel_stack_read(
			ticker->options.process, thread, ticker->options.sleepers, frames, FRAMES));
}

void prof_ticker_sleeps(struct prof_ticker *ticker, struct prof_watch *watch, int64_t now,
	const struct prof_schedstat *schedstat)
{
	struct prof_look_builder *builder = &ticker->builder;
	struct prof_wait wait = {.state = PROF_STATE_OTHER};

	if (ticker->arch && !prof_watch_wait(watch, ticker->arch, &wait))
		return;
	if (wait.for_signals)
		prof_ticker_withdraw(watch);
	prof_ticker_align(ticker, watch, schedstat, true);
	if (!builder->walker) {
		prof_look_builder_asleep(builder, watch, now, schedstat, &wait, NULL);
		return;
	}
	pid_t thread = watch->thread;
	struct prof_registers registers = prof_walker_asleep(wait.sp, wait.pc);
	pthread_mutex_unlock(&ticker->lock.mutex);
	prof_walker_walk(builder->walker, &registers, &ticker->stack);
	if (ticker->options.sleepers)
		add_kernel(ticker, thread);
	pthread_mutex_lock(&ticker->lock.mutex);
	watch = prof_watches_find(&ticker->watches, thread);
	if (!watch || ticker->held)
		return;
	struct prof_schedstat after = prof_watch_schedstat(watch);
	if (!watch->gone && after.slices == schedstat->slices)
		prof_look_builder_asleep(
			builder, watch, prof_clock(), &after, &wait, &ticker->stack);
}
