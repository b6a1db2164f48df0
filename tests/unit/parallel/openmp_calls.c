/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_calls.h"

#include "suite.h"

START_TEST(knows_entry_points_by_their_names)
{
	ck_assert_int_eq(prof_openmp_construct("GOMP_parallel"), PROF_CONSTRUCT_FORK);
	ck_assert_int_eq(prof_openmp_construct("GOMP_parallel_loop_dynamic"), PROF_CONSTRUCT_FORK);
	ck_assert_int_eq(prof_openmp_construct("GOMP_barrier"), PROF_CONSTRUCT_BARRIER);
	ck_assert_int_eq(prof_openmp_construct("GOMP_loop_end"), PROF_CONSTRUCT_IMPLICIT);
	ck_assert_int_eq(prof_openmp_construct("GOMP_loop_end_nowait"), PROF_CONSTRUCT_OVERHEAD);
	ck_assert_int_eq(
		prof_openmp_construct("GOMP_critical_name_start"), PROF_CONSTRUCT_CRITICAL);
	ck_assert_int_eq(prof_openmp_construct("GOMP_critical_end"), PROF_CONSTRUCT_OVERHEAD);
	ck_assert_int_eq(prof_openmp_construct("omp_set_lock"), PROF_CONSTRUCT_LOCK);
	ck_assert_int_eq(prof_openmp_construct("__kmpc_fork_call"), PROF_CONSTRUCT_REGION);
	ck_assert_int_eq(
		prof_openmp_construct("__kmpc_critical_with_hint"), PROF_CONSTRUCT_CRITICAL);
	ck_assert_int_eq(
		prof_openmp_construct("__kmpc_for_static_init_4"), PROF_CONSTRUCT_OVERHEAD);
	ck_assert_int_eq(prof_openmp_construct("__kmp_wait_4"), PROF_CONSTRUCT_INSIDE);
}
END_TEST

START_TEST(functions_of_programs_are_none)
{
	static const char *const names[] = {"", "main", "omp", "omp_count", "GOMP", "_start",
		"gompertz", "kmpc_barrier", "__kmp", "main._omp_fn.0", ".omp_outlined."};

	for (size_t i = 0; i < PROF_COUNT(names); i++)
		ck_assert_msg(
			prof_openmp_construct(names[i]) == PROF_CONSTRUCT_NONE, "%s", names[i]);
}
END_TEST

START_TEST(knows_files_by_their_names)
{
	ck_assert(prof_openmp_is_runtime("/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0"));
	ck_assert(prof_openmp_is_runtime("/usr/lib/llvm-14/lib/libomp.so.5"));
	ck_assert(prof_openmp_is_runtime("libiomp5.so"));
	ck_assert(!prof_openmp_is_runtime("/opt/libgomp.so/libm.so.6"));
	ck_assert(!prof_openmp_is_runtime("/usr/lib/libompi.so"));
	ck_assert(prof_openmp_is_system("/lib/x86_64-linux-gnu/libc.so.6"));
	ck_assert(prof_openmp_is_system("[vdso]"));
	ck_assert(!prof_openmp_is_system("/usr/lib/libcurl.so.4"));
}
END_TEST

RUN_TESTS("openmp_calls", knows_entry_points_by_their_names, functions_of_programs_are_none,
	knows_files_by_their_names)
