#include "sample/overflows.h"

#include "sample_child.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/* OWN: so many pages at the most a child touches besides, most of them for a sanitizer. */
enum { PAGE = 4096, PAGES = 200, TURNS = 5, OWN = 100 };

/* What a child and its parent tell each other. */
static struct {
	atomic_int go, done;
} * shared;

/* A child whose counters overflow; nobody traces it. */
struct scene {
	pid_t child;
	struct prof_queue *queue;
	struct prof_walker *walker;
	struct prof_counters counters;
	struct prof_overflows *overflows;

	/* What was told: events by counter, of them without a stack, and threads. */
	int64_t events[2], unknown;
	uint64_t told[2], lost, named;
};

__attribute__((noinline)) static void touch(long pages)
{
	volatile char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise((void *)memory, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
	munmap((void *)memory, (size_t)pages * PAGE);
}

/* Touches pages whenever it is told to. */
static void touch_when_told(void)
{
	for (int turn = 1;; turn++) {
		while (atomic_load(&shared->go) < turn)
			;
		touch(PAGES);
		atomic_store(&shared->done, turn);
	}
}

static void *touch_once(void *context)
{
	touch(PAGES);
	return context;
}

static void touch_in_threads(void)
{
	while (!atomic_load(&shared->go))
		;
	for (int i = 0; i < TURNS; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, touch_once, NULL);
		pthread_join(thread, NULL);
		pause_ms(10);
	}
	atomic_store(&shared->done, 1);
	child_sleep();
}

/* False: the kernel permits nothing here. */
static bool start(struct scene *scene, void (*function)(void), const char *counters)
{
	struct prof_error *why;
	enum prof_perf_scope scope = prof_perf_scope(prof_arch_native(), &why);

	prof_error_destroy(why);
	if (scope == PROF_PERF_NOTHING)
		return false;
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*scene = (struct scene){.child = child_start(function)};
	ck_assert_ok(prof_counters_read(counters, &scene->counters));
	ck_assert_ok(prof_queue_create(1 << 24, &scene->queue));
	ck_assert_ok(prof_walker_create(scene->child, 64, scene->queue, &scene->walker));
	const struct prof_overflows_options options = {
		.process = scene->child,
		.counters = &scene->counters,
		.scope = scope,
		.names = true,
		.walker = scene->walker,
		.queue = scene->queue,
	};
	ck_assert_ok(prof_overflows_create(&options, &scene->overflows));
	return true;
}

static void finish(struct scene *scene)
{
	prof_overflows_destroy(scene->overflows);
	prof_walker_destroy(scene->walker);
	prof_queue_destroy(scene->queue);
	prof_counters_deinit(&scene->counters);
	children_end();
	munmap(shared, PAGE);
}

static void take(struct scene *scene)
{
	struct prof_record record;
	const void *data;

	while (prof_queue_take(scene->queue, &record, &data)) {
		if (record.kind == PROF_RECORD_LOOK) {
			ck_assert_int_eq(record.look.process, scene->child);
			ck_assert_uint_gt(record.look.counter, 0);
			ck_assert_uint_eq(record.look.samples, 0);
			scene->events[record.look.counter - 1] += record.look.value;
			if (!record.look.depth)
				scene->unknown += record.look.value;
		} else if (record.kind == PROF_RECORD_OVERFLOWS) {
			scene->told[record.overflows.counter] += record.overflows.overflows;
			scene->lost += record.overflows.lost;
		} else if (record.kind == PROF_RECORD_THREAD) {
			scene->named++;
		}
	}
}

/* Has the child do the work number TURN, counted or not. */
static void work(const struct scene *scene, int turn, bool counted)
{
	if (counted)
		prof_overflows_release(scene->overflows);
	atomic_store(&shared->go, turn);
	while (atomic_load(&shared->done) < turn)
		pause_ms(1);
	prof_overflows_hold(scene->overflows);
}

START_TEST(each_fault_is_a_sample)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "page-faults"))
		return;
	work(&scene, 1, false);
	take(&scene);
	ck_assert_int_eq(scene.events[0], 0);
	for (int turn = 2; turn < 2 + TURNS; turn++)
		work(&scene, turn, true);
	take(&scene);
	ck_assert_int_ge(scene.events[0], TURNS * PAGES);
	ck_assert_int_le(scene.events[0], TURNS * PAGES + OWN);
	ck_assert_int_eq(scene.unknown, (int64_t)scene.lost);
	ck_assert_uint_eq(scene.told[0], (uint64_t)scene.events[0]);
	ck_assert_uint_eq(scene.named, 1);
	finish(&scene);
}
END_TEST

START_TEST(threads_inherit_the_counters)
{
	struct scene scene;

	if (!start(&scene, touch_in_threads, "page-faults"))
		return;
	work(&scene, 1, true);
	take(&scene);
	ck_assert_int_ge(scene.events[0], TURNS * PAGES);
	ck_assert_uint_ge(scene.named, 2);
	finish(&scene);
}
END_TEST

START_TEST(a_sample_stands_for_an_interval)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "page-faults:7,minor-faults:50"))
		return;
	for (int turn = 1; turn <= TURNS; turn++)
		work(&scene, turn, true);
	take(&scene);
	for (int i = 0; i < 2; i++) {
		int64_t interval = scene.counters.list.items[i].interval;
		ck_assert_int_eq(scene.events[i], (int64_t)scene.told[i] * interval);
		ck_assert_int_gt(scene.events[i], TURNS * PAGES - interval - 1);
		ck_assert_int_le(scene.events[i], TURNS * PAGES + OWN);
	}
	finish(&scene);
}
END_TEST

/* Faults that come faster than the kernel samples are known by their number. */
START_TEST(what_is_left_out_is_told)
{
	struct scene scene;

	if (!start(&scene, touch_when_told, "page-faults"))
		return;
	prof_overflows_release(scene.overflows);
	for (int turn = 1; turn <= 100; turn++) {
		atomic_store(&shared->go, turn);
		while (atomic_load(&shared->done) < turn)
			;
	}
	prof_overflows_hold(scene.overflows);
	take(&scene);
	ck_assert_int_ge(scene.events[0], 100 * PAGES);
	ck_assert_int_le(scene.events[0], 100 * PAGES + OWN);
	ck_assert_int_eq(scene.unknown, (int64_t)scene.lost);
	finish(&scene);
}
END_TEST

RUN_TESTS("sample_overflows", each_fault_is_a_sample, threads_inherit_the_counters,
	a_sample_stands_for_an_interval, what_is_left_out_is_told)
