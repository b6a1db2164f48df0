/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/descendants.h"

#include "recording/look.h"
#include "recording/queue.h"
#include "sample_child.h"
#include "target/arch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define SECOND 1e9

/* What a child and its parent tell each other. */
static struct {
	atomic_int go, done;
	pid_t worker;    /* the one that works for long */
	double cpu, own; /* s of CPU time that the child's children have had, and itself */
	double worked;   /* the same of the worker, at its end */
} * shared;

struct scene {
	pid_t child;
	struct prof_queue *queue;
	struct prof_descendants *descendants;

	/* What was told: */
	double cpu, worker, unplaced; /* s of CPU time: of all, and without a stack */
	double working;               /* of stacks in work() */
	int64_t forgotten;            /* thread whose stack is not known any more */
	double waited;                /* s that threads had no CPU */
	uint64_t samples, running, rounds;
	size_t of_child, mapped, unmapped;
	int64_t duration;
	bool named;
};

static double cpu_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

__attribute__((noinline)) static void work(double seconds)
{
	do {
		for (volatile int i = 0; i < 10000; i++)
			;
	} while (cpu_of(RUSAGE_SELF) < seconds);
}

/* Here work() ends. */
__attribute__((noinline)) static void behind_work(void)
{
	prctl(PR_SET_NAME, "worker");
}

/* A process that works for SECONDS; with HELPER it has another one do the same. */
static pid_t start_worker(double seconds, bool helper)
{
	pid_t process = fork();

	if (process)
		return process;
	behind_work();
	pid_t other = helper ? start_worker(seconds, false) : 0;
	work(seconds);
	if (other) {
		shared->worked = cpu_of(RUSAGE_SELF);
		waitpid(other, NULL, 0);
	}
	_exit(0);
}

/* When told to, has a process work for long, with another, and then many that work for short. */
static void make_when_told(void)
{
	while (!atomic_load(&shared->go))
		pause_ms(1);
	shared->worker = start_worker(0.4, true);
	waitpid(shared->worker, NULL, 0);
	work(0.2);
	for (int i = 0; i < 100; i++)
		waitpid(start_worker(0.004, false), NULL, 0);
	shared->cpu = cpu_of(RUSAGE_CHILDREN);
	shared->own = cpu_of(RUSAGE_SELF);
	atomic_store(&shared->done, 1);
	child_sleep();
}

/* False: the kernel permits nothing here. */
static bool start(struct scene *scene, void (*function)(void))
{
	struct prof_error *why;
	enum prof_perf_scope scope = prof_perf_scope(prof_arch_native(), &why);

	prof_error_destroy(why);
	if (scope == PROF_PERF_NOTHING)
		return false;
	shared = mmap(
		NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*scene = (struct scene){.child = child_start(function)};
	ck_assert_ok(prof_queue_create(1 << 24, &scene->queue));
	const struct prof_descendants_options options = {
		.rate = 1000, .scope = scope, .max_depth = 64, .queue = scene->queue};
	ck_assert_ok(prof_descendants_create(&options, &scene->descendants));
	ck_assert_ok(prof_descendants_add(scene->descendants, scene->child));
	return true;
}

static void take_look(struct scene *scene, const struct prof_look *look, const uint64_t *frames)
{
	double cpu = 0, waited = 0;
	bool working = false;

	for (size_t i = 0; i < PROF_STATES; i++) {
		bool on = i == PROF_STATE_USER || i == PROF_STATE_SYSTEM;
		*(on ? &cpu : &waited) += (double)look->spent[i] / SECOND;
	}
	for (uint32_t i = 0; i < look->depth; i++)
		working |=
			frames[i] - (uintptr_t)&work < (uintptr_t)&behind_work - (uintptr_t)&work;
	scene->samples += look->samples;
	scene->cpu += cpu;
	scene->waited += waited;
	scene->working += working ? cpu : 0;
	scene->unplaced += look->depth ? 0 : cpu;
	/* Such time belongs to no stack that was told before. */
	ck_assert(look->depth || cpu <= 0 || look->thread == scene->forgotten);
	scene->forgotten = look->depth || cpu > 0 || waited > 0 ? 0 : look->thread;
	scene->worker += look->process == shared->worker ? cpu : 0;
	scene->of_child += look->process == scene->child;
}

static void take_told(struct scene *scene)
{
	struct prof_message message;
	const void *data;

	while (prof_queue_take(scene->queue, &message, &data)) {
		scene->mapped += message.kind == PROF_MESSAGE_MAPPING;
		scene->unmapped += message.kind == PROF_MESSAGE_UNMAP;
		if (message.kind == PROF_MESSAGE_LOOK) {
			take_look(scene, &message.look, data);
		} else if (message.kind == PROF_MESSAGE_THREAD) {
			scene->named |= !strcmp(data, "worker");
		} else if (message.kind == PROF_MESSAGE_FIGURES) {
			scene->running += (uint64_t)message.figures.running;
			scene->duration += message.figures.duration;
			scene->rounds += message.figures.rounds;
		}
	}
}

static void take(struct scene *scene)
{
	prof_descendants_report_processes(scene->descendants);
	take_told(scene);
}

static void run(struct scene *scene)
{
	atomic_store(&shared->go, 1);
	while (!atomic_load(&shared->done)) {
		pause_ms(5);
		take(scene);
	}
	take(scene);
}

static void finish(struct scene *scene)
{
	prof_descendants_destroy(scene->descendants);
	prof_queue_destroy(scene->queue);
	children_end();
}

/* A host may take CPUs away, and the kernel not know it: then there are fewer samples. */
static void check(struct scene *scene)
{
	double ratio = scene->cpu / shared->cpu, worker = scene->worker / shared->worked;

	ck_assert_uint_eq(scene->of_child, 0);
	ck_assert_msg(ratio > 0.7 && ratio < 1.3, "%.3f s of %.3f s", scene->cpu, shared->cpu);
	ck_assert_msg(
		worker > 0.7 && worker < 1.3, "%.3f s of %.3f s", scene->worker, shared->worked);
	ck_assert(scene->named);
	ck_assert_double_eq_tol((double)scene->running / SECOND, scene->cpu, 1e-6);
	ck_assert_double_eq_tol((double)scene->samples / 1000, scene->cpu, 0.01);
	ck_assert_double_eq_tol(
		(double)scene->rounds / 1000, (double)scene->duration / SECOND, 0.01);
	/* The child worked alone for a while. */
	ck_assert_double_gt((double)scene->duration / SECOND, scene->worker);
}

START_TEST(processes_are_sampled_until_they_end)
{
	struct scene scene;

	if (!start(&scene, make_when_told))
		return;
	run(&scene);
	check(&scene);
	ck_assert_double_gt(scene.working, 0.6 * scene.cpu);
	ck_assert_uint_gt(scene.mapped, 0);
	ck_assert_uint_gt(scene.unmapped, 0);
	finish(&scene);
}
END_TEST

/* As a user the kernel samples threads by their own clocks, and processes that end soon have time
 * without a stack. */
START_TEST(without_privileges_no_time_is_missing)
{
	struct scene scene;

	if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
		return;
	/* The kernel would hide the child from this user, too. */
	prctl(PR_SET_DUMPABLE, 1);
	if (!start(&scene, make_when_told))
		return;
	if (prof_descendants_figures(scene.descendants).of_cpus) {
		finish(&scene);
		return;
	}
	run(&scene);
	check(&scene);
	ck_assert_double_gt(scene.unplaced, 0);
	ck_assert_double_eq_tol(
		(double)prof_descendants_figures(scene.descendants).unsampled / SECOND,
		scene.unplaced, 1e-6);
	finish(&scene);
}
END_TEST

/* Lives are divided into CPU time and waits: those that end soon as well. */
static void sleep_when_told(void)
{
	while (!atomic_load(&shared->go))
		pause_ms(1);
	int64_t lived = 0;
	for (int i = 0; i < 40; i++) {
		int64_t begin = prof_clock();
		pid_t child = fork();
		if (!child) {
			pause_ms(i ? 5 : 300);
			_exit(0);
		}
		waitpid(child, NULL, 0);
		lived += prof_clock() - begin;
	}
	shared->cpu = (double)lived / SECOND;
	atomic_store(&shared->done, 1);
	child_sleep();
}

START_TEST(waits_are_told)
{
	struct scene scene;

	if (!start(&scene, sleep_when_told))
		return;
	/* Whoever has it tell has it look, which would see them all. */
	atomic_store(&shared->go, 1);
	while (!atomic_load(&shared->done))
		pause_ms(5);
	/* Those that have ended just now are told of the second time. */
	take(&scene);
	take(&scene);
	/* A parent may have to wait for a CPU before and behind its child's life. */
	ck_assert_double_gt(scene.waited + scene.cpu, 0.3 + 39 * 0.005 - 0.001);
	ck_assert_double_lt(scene.waited + scene.cpu, shared->cpu);
	/* CPU time is known by samples, some dozens of 1 ms. */
	ck_assert_double_gt(scene.waited, 0.4);
	double unseen = (double)prof_descendants_figures(scene.descendants).unseen / SECOND;
	ck_assert_double_gt(unseen, 0);
	ck_assert_double_le(unseen, scene.waited);
	finish(&scene);
}
END_TEST

static void sleep_once_when_told(void)
{
	while (!atomic_load(&shared->go))
		pause_ms(1);
	pid_t child = fork();
	if (!child) {
		pause_ms(5);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	atomic_store(&shared->done, 1);
	child_sleep();
}

START_TEST(who_ends_last_is_told_of_too)
{
	struct scene scene;

	if (!start(&scene, sleep_once_when_told))
		return;
	atomic_store(&shared->go, 1);
	while (!atomic_load(&shared->done))
		pause_ms(1);
	prof_descendants_destroy(scene.descendants);
	scene.descendants = NULL;
	take_told(&scene);
	ck_assert_double_gt(scene.waited, 0);
	finish(&scene);
}
END_TEST

START_TEST(paused_there_are_no_samples)
{
	struct scene scene;

	if (!start(&scene, make_when_told))
		return;
	prof_descendants_pause(scene.descendants, true);
	run(&scene);
	ck_assert_uint_eq(scene.samples, 0);
	ck_assert_int_eq(scene.duration, 0);
	finish(&scene);
}
END_TEST

/* What is sampled by somebody else is left out, whatever was told of it before. */
START_TEST(a_descendant_can_be_added)
{
	struct scene scene;

	if (!start(&scene, make_when_told))
		return;
	atomic_store(&shared->go, 1);
	while (!shared->worker)
		pause_ms(1);
	ck_assert_ok(prof_descendants_add(scene.descendants, shared->worker));
	take(&scene);
	double before = scene.worker;
	run(&scene);
	ck_assert_double_eq(scene.worker, before);
	ck_assert_double_gt(scene.cpu, 0.1);
	finish(&scene);
}
END_TEST

/* What runs already when it is followed, with a process that it has made. */
START_TEST(a_running_process_is_followed)
{
	struct scene scene;

	if (!start(&scene, child_sleep))
		return;
	pid_t other = child_start(make_when_told);
	atomic_store(&shared->go, 1);
	while (!shared->worker)
		pause_ms(1);
	ck_assert_ok(prof_descendants_follow(scene.descendants, other));
	run(&scene);
	ck_assert_double_gt(scene.worker, 0);
	ck_assert_double_gt(scene.cpu, scene.worker + 0.1);
	finish(&scene);
}
END_TEST

/* A file that lists processes as a control group does; ID, unless it is 0, has come into it. */
static void write_group(const char *folder, pid_t id)
{
	char path[64];

	snprintf(path, sizeof path, "%s/cgroup.procs", folder);
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	if (id)
		fprintf(file, "%d\n", (int)id);
	fclose(file);
}

static void remove_group(const char *folder)
{
	char path[64];

	snprintf(path, sizeof path, "%s/cgroup.procs", folder);
	remove(path);
	rmdir(folder);
}

/* It comes into the group when that is followed already. */
START_TEST(a_group_is_followed)
{
	struct scene scene;
	char folder[] = "/tmp/group.XXXXXX";

	if (!start(&scene, child_sleep))
		return;
	ck_assert_ptr_nonnull(mkdtemp(folder));
	write_group(folder, 0);
	ck_assert_ok(prof_descendants_follow_group(scene.descendants, folder));
	pid_t other = child_start(child_spin);
	ck_assert_uint_eq(prof_descendants_figures(scene.descendants).living, 0);
	write_group(folder, other);
	while (!scene.samples) {
		pause_ms(5);
		take(&scene);
	}
	ck_assert_uint_eq(prof_descendants_figures(scene.descendants).living, 1);
	ck_assert_uint_eq(prof_descendants_figures(scene.descendants).refused, 0);
	kill(other, SIGKILL);
	while (prof_descendants_figures(scene.descendants).living) {
		pause_ms(5);
		take(&scene);
	}
	remove_group(folder);
	finish(&scene);
}
END_TEST

START_TEST(what_is_left_out_is_sampled_by_others)
{
	struct scene scene;

	if (!start(&scene, child_sleep))
		return;
	pid_t other = child_start(child_spin);
	ck_assert_ok(prof_descendants_follow(scene.descendants, other));
	child_run(other, 100);
	take(&scene);
	ck_assert_uint_gt(scene.samples, 0);
	prof_descendants_leave_out(scene.descendants, other);
	take(&scene);
	uint64_t before = scene.samples;
	child_run(other, 50);
	take(&scene);
	ck_assert_uint_eq(scene.samples, before);
	finish(&scene);
}
END_TEST

START_TEST(what_is_no_process_is_not_followed)
{
	struct scene scene;

	if (!start(&scene, child_sleep))
		return;
	ck_assert_error(prof_descendants_follow(scene.descendants, 0x7fffffff), "2147483647");
	finish(&scene);
}
END_TEST

RUN_TESTS("descendants", a_running_process_is_followed, a_group_is_followed,
	what_is_left_out_is_sampled_by_others, what_is_no_process_is_not_followed,
	processes_are_sampled_until_they_end, waits_are_told, who_ends_last_is_told_of_too,
	without_privileges_no_time_is_missing, paused_there_are_no_samples,
	a_descendant_can_be_added)
