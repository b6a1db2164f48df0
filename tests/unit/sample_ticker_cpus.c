#include "sample_scene.h"

static const double RATE = 250;

static bool start(struct scene *scene, void (*function)(void))
{
	return start_scene(scene, function, RATE, true);
}

START_TEST(samples_are_its_cpu_time)
{
	struct scene scene;

	/* Others are no concern of it. */
	child_start(child_spin);
	if (!start(&scene, child_spin))
		return;
	await(&scene, 300);
	double due = (double)scene.cpu / 1e9 * RATE;
	ck_assert_double_lt((double)scene.samples, 1.02 * due + 5);
	ck_assert_double_gt((double)scene.samples, 0.98 * due - 5);
	ck_assert_int_eq(scene.cpu, scene.figures.running);
	ck_assert_uint_eq(scene.user + scene.system, scene.samples);
	ck_assert_uint_gt(scene.user, scene.system);
	ck_assert_int_eq(scene.figures.kept, 0);
	finish(&scene);
}
END_TEST

START_TEST(on_hold_it_is_not_sampled)
{
	struct scene scene;

	if (!start(&scene, child_spin))
		return;
	await(&scene, 20);
	prof_ticker_hold(scene.ticker);
	take(&scene);
	uint64_t samples = scene.samples;
	/* First events go on, then they rest. */
	for (int ms = 5; ms < 200; ms *= 2) {
		child_run(scene.child, ms);
		take(&scene);
		ck_assert_uint_eq(scene.samples, samples);
		int64_t begin = prof_clock();
		prof_ticker_release(scene.ticker);
		prof_ticker_hold(scene.ticker);
		take(&scene);
		double between = (double)(prof_clock() - begin) / 1e9 * RATE;
		ck_assert_double_le((double)(scene.samples - samples), 2 + between);
		samples = scene.samples;
	}
	prof_ticker_release(scene.ticker);
	await(&scene, samples + 20);
	finish(&scene);
}
END_TEST

/* A thread is sampled in each period, not twice as often in every second one. */
START_TEST(low_rate_is_reached)
{
	enum { LOW = 20, SAMPLES = 40 };
	struct scene scene;

	if (!start_scene(&scene, child_spin, LOW, true))
		return;
	await(&scene, SAMPLES);
	ck_assert_uint_gt(scene.looks, scene.samples * 4 / 5);
	finish(&scene);
}
END_TEST

RUN_TESTS("sample_ticker_cpus", samples_are_its_cpu_time, on_hold_it_is_not_sampled,
	low_rate_is_reached)
