/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_event.h"

#include "sample_scene.h"

#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const double RATE = 1000;

static bool start_at(struct scene *scene, void (*function)(void), double rate)
{
	return start_scene(scene, function, rate, false);
}

static bool start(struct scene *scene, void (*function)(void))
{
	return start_at(scene, function, RATE);
}

/*
 * The most ticks of CHILD, which spins, since it was told to AGO: its event's clock goes on where
 * the host of a virtual machine takes its CPU away, which its account may leave out.
 */
static double most_ticks(pid_t child, int64_t since, int64_t waited)
{
	int64_t waits = thread_schedstat(child, child).delay - waited;

	return 1.05 * (double)(prof_clock() - since - waits) / 1e9 * RATE + 15;
}

START_TEST(samples_are_its_cpu_time)
{
	struct scene scene;
	int64_t begin = prof_clock();

	if (!start(&scene, child_spin))
		return;
	await(&scene, 300);
	double due = (double)scene.cpu / 1e9 * RATE;
	ck_assert_double_lt((double)scene.figures.ticks, most_ticks(scene.child, begin, 0));
	ck_assert_double_gt((double)scene.figures.ticks, 0.9 * due - 20);
	/* For one that is lost another sample stands. */
	ck_assert_uint_eq(scene.samples, scene.figures.ticks);
	ck_assert_uint_lt(scene.figures.lost, scene.figures.ticks);
	ck_assert_int_eq(scene.cpu, scene.figures.running);
	/* Interrupts of user code may be accounted as the system's. */
	ck_assert_uint_eq(scene.user + scene.system, scene.samples);
	ck_assert_uint_gt(scene.user, scene.system);
	/* Nothing was stopped, nor is anything on its way. */
	ck_assert_int_eq(scene.figures.kept, 0);
	ck_assert(!prof_ticker_outstanding(scene.ticker));
	finish(&scene);
}
END_TEST

static void work_and_nap(void)
{
	struct timespec nap = {.tv_nsec = 100000};

	for (;;) {
		for (volatile int i = 0; i < 200000; i++)
			;
		nanosleep(&nap, NULL);
	}
}

/* The event and schedstat do not tell quite the same CPU time: what they differ by adds up. */
START_TEST(each_sample_has_time)
{
	struct scene scene;

	if (!start(&scene, work_and_nap))
		return;
	await(&scene, 1000);
	ck_assert_uint_lt(scene.empty, scene.samples / 10);
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
	child_run(scene.child, 50);
	take(&scene);
	ck_assert_uint_eq(scene.samples, samples);
	/* What the kernel has sampled meanwhile is left out: eight of them would be there. */
	int64_t begin = prof_clock();
	prof_ticker_release(scene.ticker);
	prof_ticker_hold(scene.ticker);
	double between = (double)(prof_clock() - begin) / 1e9 * RATE;
	take(&scene);
	ck_assert_double_le((double)(scene.samples - samples), 5 + between);
	prof_ticker_release(scene.ticker);
	await(&scene, samples + 20);
	finish(&scene);
}
END_TEST

/* A pause is no time in which samples could be lost. */
START_TEST(on_hold_nothing_is_due)
{
	enum { TURNS = 5, PAUSE = 200 };
	struct scene scene;
	double most = 0;
	int64_t begin = prof_clock(), waited = 0;

	if (!start(&scene, child_spin))
		return;
	for (uint64_t i = 1; i <= TURNS; i++) {
		await(&scene, 20 * i);
		prof_ticker_hold(scene.ticker);
		most += most_ticks(scene.child, begin, waited);
		child_run(scene.child, PAUSE);
		waited = thread_schedstat(scene.child, scene.child).delay;
		begin = prof_clock();
		prof_ticker_release(scene.ticker);
	}
	prof_ticker_hold(scene.ticker);
	most += most_ticks(scene.child, begin, waited);
	take(&scene);
	ck_assert_double_lt((double)scene.figures.ticks, most);
	finish(&scene);
}
END_TEST

static void *spin_on(void *unused)
{
	child_spin();
	return unused;
}

static void two_threads(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, spin_on, NULL))
		_exit(1);
	child_sleep();
}

START_TEST(threads_are_found_and_sleepers_cost_no_sample)
{
	struct scene scene;

	if (!start(&scene, two_threads))
		return;
	await(&scene, 100);
	finish(&scene);
}
END_TEST

START_TEST(thread_that_has_ended_is_told_of_once)
{
	struct scene scene;

	if (!start(&scene, child_spin))
		return;
	await(&scene, 20);
	kill(scene.child, SIGKILL);
	child_await(scene.child, 'Z');
	prof_ticker_forget(scene.ticker, scene.child);
	take(&scene);
	int64_t cpu = scene.cpu;
	/* Threads are looked for meanwhile. */
	pause_ms(200);
	take(&scene);
	ck_assert_int_eq(scene.cpu, cpu);
	finish(&scene);
}
END_TEST

/* The bytes of all rings of this process. */
static size_t ring_bytes(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	size_t bytes = 0;
	unsigned long low, high;

	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof line, maps)) {
		if (strstr(line, "[perf_event]") && sscanf(line, "%lx-%lx", &low, &high) == 2)
			bytes += high - low;
	}
	fclose(maps);
	return bytes;
}

/* A large ring takes the kernel longer to make than many a thread lives. */
START_TEST(ring_is_small_until_the_first_sample)
{
	struct scene scene;
	size_t small = 0;

	/* The first sample may come before this test has a CPU again. */
	for (int i = 0; i < 5 && (!small || small > 5 << 16); i++) {
		if (!start_at(&scene, child_spin, 10))
			return;
		while (!(small = ring_bytes()))
			pause_ms(1);
		if (small <= 5 << 16) {
			await(&scene, 1);
			/* Not at the next look only: the thread goes on. */
			ck_assert_uint_gt(ring_bytes(), small);
		}
		finish(&scene);
	}
	ck_assert_uint_le(small, 5 << 16);
}
END_TEST

/* Waits until CHILD has a ring.  False: it got that only after EARLY ns of CPU time. */
static bool has_ring_early(pid_t child, int64_t early)
{
	while (!ring_bytes()) {
		if (thread_schedstat(child, child).run >= early)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	return true;
}

/*
 * After its first sample a thread gets a larger ring, and samples go on where they were.  Threads
 * that end after a period and a half had a fifth too many.
 */
START_TEST(a_larger_ring_makes_no_samples)
{
	enum { SCENES = 150, SHORT = 15, OFTEN = 100, EARLY = 3000000 };
	double samples = 0, due = 0;

	for (int scenes = 0; scenes < SCENES;) {
		struct scene scene;
		if (!start_at(&scene, child_spin, OFTEN))
			return;
		/* What a thread ran without an event is made up for by its next sample.  Where it
		   ran for long, it is not waited for. */
		if (!has_ring_early(scene.child, EARLY)) {
			finish(&scene);
			continue;
		}
		/* It is stopped at both ends: the kernel's account of its CPU time is exact then,
		   where that of what was told is as of the last sample. */
		child_spend(scene.child, 0);
		take(&scene);
		uint64_t before = scene.samples;
		int64_t begin = thread_schedstat(scene.child, scene.child).run;
		if (begin < EARLY) {
			kill(scene.child, SIGCONT);
			child_spend(scene.child, SHORT);
			take(&scene);
			int64_t run = thread_schedstat(scene.child, scene.child).run - begin;
			samples += (double)(scene.samples - before);
			due += (double)run / 1e9 * OFTEN;
			scenes++;
		}
		finish(&scene);
	}
	/* A thread has one or two: 5 standard deviations are 0.13.  Making the ring takes a while.
	 */
	ck_assert_double_lt(samples, 1.15 * due);
	ck_assert_double_gt(samples, 0.8 * due);
}
END_TEST

/* How often the ticker's thread has slept; 0: its account cannot be read. */
static uint64_t ticker_slept(void)
{
	struct dirent *entry;
	uint64_t slept = 0;
	DIR *threads = opendir("/proc/self/task");

	while (threads && (entry = readdir(threads))) {
		char path[320], line[128];
		bool found = false;
		snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
		FILE *file = fopen(path, "r");
		while (file && fgets(line, sizeof line, file)) {
			found |= !strcmp(line, "Name:\tgdbprof-ticker\n");
			if (found)
				sscanf(line, "voluntary_ctxt_switches: %" SCNu64, &slept);
		}
		if (file)
			fclose(file);
	}
	if (threads)
		closedir(threads);
	return slept;
}

START_TEST(at_high_rates_it_wakes_up_for_several_samples)
{
	struct scene scene;

	if (!start_at(&scene, child_spin, 10000))
		return;
	/* Until then the ring is small. */
	await(&scene, 200);
	uint64_t slept = ticker_slept(), rounds = scene.figures.rounds, samples = scene.samples;
	await(&scene, samples + 4000);
	ck_assert_uint_gt(slept, 0);
	ck_assert_uint_lt(ticker_slept() - slept, (scene.figures.rounds - rounds) / 3);
	ck_assert_uint_lt(scene.figures.lost, scene.samples / 4);
	finish(&scene);
}
END_TEST

RUN_TESTS("ticker perf", samples_are_its_cpu_time, each_sample_has_time, on_hold_it_is_not_sampled,
	on_hold_nothing_is_due, threads_are_found_and_sleepers_cost_no_sample,
	thread_that_has_ended_is_told_of_once, ring_is_small_until_the_first_sample,
	a_larger_ring_makes_no_samples, at_high_rates_it_wakes_up_for_several_samples)
