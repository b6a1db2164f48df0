/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_stacks.h"

#include "model/call_target.h"
#include "parallel/class.h"
#include "parallel/openmp_calls.h"
#include "parallel_stacks.h"

#define GOMP "[libgomp.so.1.0.0]"
#define OMP "[libomp.so.5]"
#define LIBC "[libc.so.6]"
#define AGENT "[libprofagent.so]"
#define WORKER LIBC "clone3;" LIBC "start_thread;"

/* Fails unless the stack of NAMES is of CLASS, an enum prof_class or 0, and in DEPTH regions. */
static void expect(const char *names, unsigned class, unsigned depth)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t path = path_of_names(experiment, names);
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_classes_update(experiment));
	unsigned found = prof_experiment_classes(experiment, path);
	ck_assert_msg(found == class, "%s: %u", names, found);
	ck_assert_msg(!class || stacks.items[path].depth == depth, "%s: %u", names,
		class ? stacks.items[path].depth : 0);
}

START_TEST(of_programs_without_openmp_nothing_is_said)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	expect("main;" LIBC "start_thread;work", 0, 0);
	ck_assert_ok(prof_experiment_create(&experiment));
	path_of_names(experiment, "main;burn");
	ck_assert_ok(prof_classes_update(experiment));
	ck_assert_uint_eq(experiment->classes.count, 0);
	ck_assert_uint_eq(experiment->classes_used, 0);
	path_of_names(experiment, "main;GOMP_parallel");
	ck_assert_ok(prof_classes_update(experiment));
	ck_assert_uint_eq(experiment->classes.count, experiment->paths.count);
	ck_assert_uint_eq(experiment->classes_used, PROF_CLASS_OMP_SERIAL | PROF_CLASS_OMP_WORK);
}
END_TEST

START_TEST(code_of_a_region_is_work)
{
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;burn", PROF_CLASS_OMP_WORK, 1);
	expect(WORKER GOMP "<static>;main._omp_fn.0;burn;" LIBC "memcpy", PROF_CLASS_OMP_WORK, 1);
	expect("main;" OMP "__kmpc_fork_call;" OMP "__kmp_fork_call;" OMP "<static>;" OMP
	       "__kmp_invoke_microtask;.omp_outlined.;burn",
		PROF_CLASS_OMP_WORK, 1);
	expect(WORKER OMP "<static>@1;" OMP "<static>@2;" OMP
			  "__kmp_invoke_microtask;.omp_outlined.",
		PROF_CLASS_OMP_WORK, 1);
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;" GOMP
	       "GOMP_parallel;work._omp_fn.0;burn",
		PROF_CLASS_OMP_WORK, 2);
	expect("clone3;start_thread;gomp_thread_start;main._omp_fn.0", PROF_CLASS_OMP_WORK, 1);
}
END_TEST

START_TEST(code_outside_is_serial)
{
	expect("main;" GOMP "GOMP_parallel", PROF_CLASS_OMP_WORK, 0);
	expect("main;" GOMP "omp_set_lock", PROF_CLASS_OMP_SERIAL, 0);
	expect("main;" GOMP "omp_get_num_threads", PROF_CLASS_OMP_SERIAL, 0);
}
END_TEST

START_TEST(the_runtime_waits_or_has_overhead)
{
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;" GOMP "<static>", PROF_CLASS_OMP_WAIT,
		1);
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;" GOMP "GOMP_taskwait;" LIBC "syscall",
		PROF_CLASS_OMP_WAIT, 1);
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;" GOMP "GOMP_loop_dynamic_next",
		PROF_CLASS_OMP_WORK, 1);
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;" GOMP "GOMP_taskloop;" GOMP "<static>",
		PROF_CLASS_OMP_WORK, 1);
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;" GOMP "GOMP_taskloop;" GOMP
	       "GOMP_taskgroup_end;" GOMP "<static>",
		PROF_CLASS_OMP_WAIT, 1);
	expect("main;" GOMP "<static>@1;" GOMP "<static>@2", PROF_CLASS_OMP_WAIT, 0);
	expect("main;" OMP "__kmpc_fork_call;" OMP "<static>;" LIBC "sched_yield",
		PROF_CLASS_OMP_WAIT, 0);
	expect("main;" OMP "__kmpc_fork_call;" OMP "__kmp_fork_call;" OMP "<static>",
		PROF_CLASS_OMP_WORK, 0);
	expect("main;" OMP "__kmpc_fork_call;" OMP "__kmp_fork_call;" OMP
	       "__kmp_invoke_microtask;.omp_outlined.;" OMP "__kmpc_barrier;" OMP "<static>",
		PROF_CLASS_OMP_WAIT, 1);
}
END_TEST

START_TEST(what_the_runtime_reports_to_is_no_code_of_the_program)
{
	expect("main;" OMP "__kmpc_fork_call;" OMP "__kmp_fork_call;" OMP
	       "__kmp_invoke_microtask;.omp_outlined.;" OMP "__kmpc_barrier;" AGENT "change_wait",
		PROF_CLASS_OMP_WAIT, 1);
	expect(WORKER OMP "<static>;" AGENT "change_implicit_task;" AGENT "prof_omp_share_begin",
		PROF_CLASS_OMP_IDLE, 0);
	expect("main;" OMP "__kmpc_fork_call;" AGENT "begin_parallel", PROF_CLASS_OMP_WORK, 0);
}
END_TEST

START_TEST(calls_name_what_jumps)
{
	static const struct {
		const char *call;
		unsigned construct;
	} cases[] = {{"GOMP_parallel", PROF_CONSTRUCT_JOIN},
		{"GOMP_barrier", PROF_CONSTRUCT_BARRIER},
		{"GOMP_barrier (explicit)", PROF_CONSTRUCT_EXPLICIT},
		{"GOMP_barrier_cancel (implicit)", PROF_CONSTRUCT_IMPLICIT},
		{"GOMP_critical_start", PROF_CONSTRUCT_CRITICAL},
		{"omp_get_num_threads", PROF_CONSTRUCT_OVERHEAD}, {"puts", PROF_CONSTRUCT_UNKNOWN}};

	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment;
		AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
		ck_assert_ok(prof_experiment_create(&experiment));
		uint32_t path =
			path_of_names(experiment, "main;" GOMP "<static>@1;" GOMP "<static>@2");
		ck_assert_ok(prof_call_target_add(experiment, 0, cases[i].call));
		ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
		ck_assert_uint_eq(stacks.items[path].construct, cases[i].construct);
	}
}
END_TEST

START_TEST(calls_say_which_barrier_a_frame_is)
{
	static const struct {
		const char *frame, *call;
		unsigned construct;
	} cases[] = {{"__kmpc_barrier", "__kmpc_barrier", PROF_CONSTRUCT_BARRIER},
		{"__kmpc_barrier", "__kmpc_barrier (explicit)", PROF_CONSTRUCT_EXPLICIT},
		{"__kmpc_barrier", "__kmpc_barrier (implicit)", PROF_CONSTRUCT_IMPLICIT},
		{"__kmpc_barrier", "__kmpc_critical", PROF_CONSTRUCT_BARRIER},
		{"__kmpc_critical", "__kmpc_barrier (explicit)", PROF_CONSTRUCT_CRITICAL}};

	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment;
		AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
		AUTO_TEXT struct prof_text names = {0};
		ck_assert_ok(prof_experiment_create(&experiment));
		prof_text_print(&names, "main;" OMP "%s;" OMP "<static>", cases[i].frame);
		uint32_t path = path_of_names(experiment, prof_text_get(&names));
		ck_assert_ok(prof_call_target_add(experiment, 0, cases[i].call));
		ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
		ck_assert_uint_eq(stacks.items[path].construct, cases[i].construct);
	}
}
END_TEST

START_TEST(workers_between_regions_are_idle)
{
	expect(WORKER GOMP "<static>@1;" GOMP "<static>@2", PROF_CLASS_OMP_IDLE, 0);
	expect(WORKER OMP "<static>@1;" OMP "<static>@2;" LIBC "pthread_cond_wait",
		PROF_CLASS_OMP_IDLE, 0);
	expect("main;" GOMP "GOMP_parallel;" LIBC "clone3;<No-stack>", PROF_CLASS_OMP_WORK, 0);
	/* The function of the region has jumped. */
	expect(WORKER OMP "<static>;" OMP "__kmp_invoke_microtask;" OMP "__kmpc_barrier;" OMP
			  "<static>",
		PROF_CLASS_OMP_WAIT, 1);
	expect(WORKER "serve;" GOMP "<static>@1", PROF_CLASS_OMP_WAIT, 0);
}
END_TEST

START_TEST(tasks_are_no_regions)
{
	expect("main;" GOMP "GOMP_parallel;main._omp_fn.0;" GOMP "GOMP_taskwait;fib._omp_fn.1",
		PROF_CLASS_OMP_WORK, 1);
	expect(WORKER GOMP "<static>@1;" GOMP "<static>@2;" GOMP "<static>@3;fib._omp_fn.1",
		PROF_CLASS_OMP_WORK, 1);
}
END_TEST

START_TEST(tells_who_has_opened_a_region)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t opener = path_of_names(experiment, "main");
	uint32_t region = path_of_names(experiment, "main;" GOMP "GOMP_parallel;main._omp_fn.0");
	uint32_t own = path_of_names(
		experiment, "main;" GOMP "GOMP_parallel;main._omp_fn.0;burn;" GOMP "<static>");
	uint32_t worker = path_of_names(experiment, WORKER GOMP "<static>;main._omp_fn.0;burn");
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert(stacks.used);
	ck_assert_uint_eq(stacks.items[own].opener, opener);
	ck_assert_uint_eq(stacks.items[own].region, region);
	ck_assert_uint_eq(stacks.items[own].caller, experiment->paths.items[own].parent);
	ck_assert(stacks.items[worker].worker && !stacks.items[worker].task);
	ck_assert_uint_eq(stacks.items[worker].opener, 0);
	ck_assert_uint_eq(stacks.items[worker].region, experiment->paths.items[worker].parent);
}
END_TEST

RUN_TESTS("openmp_stacks", of_programs_without_openmp_nothing_is_said, code_of_a_region_is_work,
	code_outside_is_serial, the_runtime_waits_or_has_overhead,
	what_the_runtime_reports_to_is_no_code_of_the_program, calls_name_what_jumps,
	calls_say_which_barrier_a_frame_is, workers_between_regions_are_idle, tasks_are_no_regions,
	tells_who_has_opened_a_region)
