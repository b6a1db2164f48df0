/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_scene.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

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

/* A thread is sampled in each period, not twice in every second one.  On a busy machine it has no
 * CPU in some periods, and two samples in others. */
START_TEST(low_rate_is_reached)
{
	enum { LOW = 20, SAMPLES = 80 };
	struct scene scene;

	if (!start_scene(&scene, child_spin, LOW, true))
		return;
	await(&scene, SAMPLES);
	ck_assert_uint_gt(scene.looks, scene.samples * 3 / 5);
	finish(&scene);
}
END_TEST

/* How often the thread THREAD of this process has slept, if it is a ticker's. */
static unsigned long sleeps_of(const char *thread)
{
	char path[64], line[128];
	unsigned long times = 0;
	bool ticks = false;

	snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file)) {
		ticks |= strcmp(line, "Name:\tgdbprof-ticker\n") == 0;
		sscanf(line, "voluntary_ctxt_switches: %lu", &times);
	}
	if (file)
		fclose(file);
	return ticks ? times : 0;
}

static unsigned long sleeps_of_tickers(void)
{
	DIR *threads = opendir("/proc/self/task");
	unsigned long times = 0;

	ck_assert_ptr_nonnull(threads);
	for (const struct dirent *entry; (entry = readdir(threads));)
		times += sleeps_of(entry->d_name);
	closedir(threads);
	return times;
}

/* While the child of SCENE gets 100 samples, the ticker sleeps for several periods at a time. */
static void check_quiet(struct scene *scene)
{
	await(scene, 30);
	unsigned long sleeps = sleeps_of_tickers();
	uint64_t rounds = scene->figures.rounds;
	await(scene, 130);
	sleeps = sleeps_of_tickers() - sleeps;
	rounds = scene->figures.rounds - rounds;
	ck_assert_uint_gt(sleeps, 5);
	ck_assert_uint_lt(sleeps, rounds / 2);
	finish(scene);
}

START_TEST(while_a_thread_computes_the_ticker_sleeps_for_several_periods)
{
	struct scene scene;

	if (start_scene(&scene, child_spin, 100, true))
		check_quiet(&scene);
}
END_TEST

/* Its waits take longer than the time between two looks. */
START_TEST(a_thread_that_waits_for_a_cpu_is_not_idle)
{
	enum { OTHERS = 6 };
	struct scene scene;
	cpu_set_t one;

	if (!start(&scene, child_spin))
		return;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(scene.child, sizeof one, &one);
	for (int i = 0; i < OTHERS; i++)
		sched_setaffinity(child_start(child_spin), sizeof one, &one);
	check_quiet(&scene);
}
END_TEST

RUN_TESTS("ticker cpus", samples_are_its_cpu_time, on_hold_it_is_not_sampled, low_rate_is_reached,
	while_a_thread_computes_the_ticker_sleeps_for_several_periods,
	a_thread_that_waits_for_a_cpu_is_not_idle)
