/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the ticker share where the kernel samples: a child that nobody traces. */
#ifndef PROF_TESTS_SAMPLE_SCENE_H
#define PROF_TESTS_SAMPLE_SCENE_H

#include "recording/queue.h"
#include "sample_child.h"
#include "sampling/ticker.h"
#include "sampling/walker.h"
#include "target/arch.h"

/* A child that the kernel samples; nobody traces it. */
struct scene {
	pid_t child;
	struct prof_queue *queue;
	struct prof_walker *walker;
	struct prof_ticker *ticker;

	/* What was told. */
	uint64_t samples, user, system, empty; /* EMPTY: without CPU time */
	uint64_t looks;                        /* that have samples */
	int64_t cpu;
	struct prof_figures figures;
};

/* A ticker at RATE, which samples CPUs or threads.  False: the kernel permits nothing here. */
static inline bool start_scene(struct scene *scene, void (*function)(void), double rate, bool cpus)
{
	struct prof_error *why;
	enum prof_perf_scope scope = prof_perf_scope(prof_arch_native(), &why);

	prof_error_destroy(why);
	if (scope == PROF_PERF_NOTHING)
		return false;
	*scene = (struct scene){.child = child_start(function)};
	ck_assert_ok(prof_queue_create(1 << 22, &scene->queue));
	ck_assert_ok(prof_walker_create(scene->child, 64, scene->queue, &scene->walker));
	struct prof_ticker_options options = {
		.process = scene->child,
		.rate = rate,
		.max_stopped = 1,
		.kernel = scope,
		.cpus = cpus,
		.discover = true,
		.queue = scene->queue,
		.walker = scene->walker,
	};
	ck_assert_ok(prof_ticker_create(&options, &scene->ticker));
	prof_ticker_release(scene->ticker);
	return true;
}

static inline void finish(struct scene *scene)
{
	prof_ticker_destroy(scene->ticker);
	prof_walker_destroy(scene->walker);
	prof_queue_destroy(scene->queue);
	children_end();
}

static inline void take(struct scene *scene)
{
	struct prof_message message;
	const void *data;

	prof_ticker_report(scene->ticker);
	while (prof_queue_take(scene->queue, &message, &data)) {
		if (message.kind == PROF_MESSAGE_LOOK) {
			ck_assert(!message.look.samples || message.look.depth);
			scene->samples += message.look.samples;
			scene->looks += message.look.samples > 0;
			if (message.look.state == PROF_STATE_USER)
				scene->user += message.look.samples;
			if (message.look.state == PROF_STATE_SYSTEM)
				scene->system += message.look.samples;
			int64_t cpu = message.look.spent[PROF_STATE_USER] +
				message.look.spent[PROF_STATE_SYSTEM];
			scene->cpu += cpu;
			scene->empty += message.look.samples && !cpu;
		} else if (message.kind == PROF_MESSAGE_FIGURES) {
			scene->figures.rounds += message.figures.rounds;
			scene->figures.ticks += message.figures.ticks;
			scene->figures.lost += message.figures.lost;
			scene->figures.kept += message.figures.kept;
			scene->figures.running += message.figures.running;
		}
	}
}

/* Until it has had SAMPLES. */
static inline void await(struct scene *scene, uint64_t samples)
{
	while (scene->samples < samples) {
		pause_ms(5);
		take(scene);
	}
}

#endif
