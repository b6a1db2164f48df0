/* What the tests of the ticker share where the kernel samples: a child that nobody traces. */
#ifndef PROF_TESTS_SAMPLE_SCENE_H
#define PROF_TESTS_SAMPLE_SCENE_H

#include "sample_child.h"
#include "sampling/ticker.h"

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
	struct prof_record record;
	const void *data;

	prof_ticker_tell(scene->ticker);
	while (prof_queue_take(scene->queue, &record, &data)) {
		if (record.kind == PROF_RECORD_LOOK) {
			ck_assert(!record.look.samples || record.look.depth);
			scene->samples += record.look.samples;
			scene->looks += record.look.samples > 0;
			if (record.look.state == PROF_STATE_USER)
				scene->user += record.look.samples;
			if (record.look.state == PROF_STATE_SYSTEM)
				scene->system += record.look.samples;
			int64_t cpu = record.look.spent[PROF_STATE_USER] +
				record.look.spent[PROF_STATE_SYSTEM];
			scene->cpu += cpu;
			scene->empty += record.look.samples && !cpu;
		} else if (record.kind == PROF_RECORD_FIGURES) {
			scene->figures.rounds += record.figures.rounds;
			scene->figures.ticks += record.figures.ticks;
			scene->figures.lost += record.figures.lost;
			scene->figures.kept += record.figures.kept;
			scene->figures.running += record.figures.running;
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
