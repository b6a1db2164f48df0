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

START_TEST(knows_the_kinds_of_barriers)
{
	static const struct {
		const char *name, *whole;
		enum prof_construct kind;
	} cases[] = {
		{"GOMP_barrier", "GOMP_barrier", PROF_CONSTRUCT_BARRIER},
		{"GOMP_barrier_cancel", "GOMP_barrier_cancel (explicit)", PROF_CONSTRUCT_EXPLICIT},
		{"__kmpc_barrier", "__kmpc_barrier (implicit)", PROF_CONSTRUCT_IMPLICIT},
		{"__kmpc_cancel_barrier", "__kmpc_cancel_barrier (explicit)",
			PROF_CONSTRUCT_EXPLICIT},
	};

	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		AUTO_TEXT struct prof_text text = {0};
		prof_openmp_add_barrier(cases[i].name, cases[i].kind, &text);
		ck_assert_str_eq(prof_text_get(&text), cases[i].whole);
		ck_assert_int_eq(prof_openmp_construct(cases[i].whole), cases[i].kind);
	}
	ck_assert_int_eq(prof_openmp_construct("GOMP_barrier (new)"), PROF_CONSTRUCT_BARRIER);
	/* The end of a loop is never asked for. */
	ck_assert_int_eq(
		prof_openmp_construct("GOMP_loop_end (explicit)"), PROF_CONSTRUCT_IMPLICIT);
}
END_TEST

START_TEST(calls_of_clang_have_the_kind)
{
	static const struct {
		uint32_t words[PROF_OPENMP_WORDS];
		enum prof_construct kind;
	} cases[] = {
		{{0, 0x22, 0}, PROF_CONSTRUCT_EXPLICIT},
		{{0, 0x42, 0}, PROF_CONSTRUCT_IMPLICIT},  /* a loop */
		{{0, 0xc2, 0}, PROF_CONSTRUCT_IMPLICIT},  /* sections */
		{{0, 0x142, 0}, PROF_CONSTRUCT_IMPLICIT}, /* single */
		{{0, 0x02, 0}, PROF_CONSTRUCT_BARRIER},
		/* These are no such structures. */
		{{0, 0x20, 0}, PROF_CONSTRUCT_BARRIER},
		{{1, 0x22, 0}, PROF_CONSTRUCT_BARRIER},
		{{0, 0x22, 1}, PROF_CONSTRUCT_BARRIER},
		{{0, 0x722f2e22, 0}, PROF_CONSTRUCT_BARRIER},
	};

	for (size_t i = 0; i < PROF_COUNT(cases); i++)
		ck_assert_int_eq(prof_openmp_barrier_of_words(cases[i].words), cases[i].kind);
}
END_TEST

START_TEST(lines_of_source_have_the_kind)
{
	static const struct {
		const char *line;
		enum prof_construct kind;
	} cases[] = {
		{"#pragma omp barrier", PROF_CONSTRUCT_EXPLICIT},
		{"\t!$OMP BARRIER", PROF_CONSTRUCT_EXPLICIT},
		{"\t[[omp::directive(barrier)]];", PROF_CONSTRUCT_EXPLICIT},
		{"\t_Pragma(\"omp barrier\")", PROF_CONSTRUCT_EXPLICIT},
		{"\tTEAM_BARRIER();", PROF_CONSTRUCT_BARRIER},
		{"\tsum += barriers[i];", PROF_CONSTRUCT_BARRIER},
		{"", PROF_CONSTRUCT_IMPLICIT},
		{"#pragma omp for", PROF_CONSTRUCT_IMPLICIT},
		{"\tfor (int i = 0; i < n; i++)", PROF_CONSTRUCT_IMPLICIT},
		{"\tbar(i, omp_get_thread_num());", PROF_CONSTRUCT_IMPLICIT},
	};

	for (size_t i = 0; i < PROF_COUNT(cases); i++)
		ck_assert_msg(prof_openmp_barrier_of_line(cases[i].line) == cases[i].kind, "%s",
			cases[i].line);
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

START_TEST(knows_what_compilers_name)
{
	static const struct {
		const char *name, *of; /* NULL: no compiler has made it */
	} cases[] = {{"main._omp_fn.0", "main"}, {"main._omp_fn", "main"},
		{"fib.omp_outlined", "fib"}, {".omp_outlined._debug__", ""},
		{".omp_task_entry.", ""}, {"main", NULL}, {"omp_fn", NULL}};

	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		AUTO_TEXT struct prof_text text = {0};
		ck_assert_int_eq(prof_openmp_is_outlined(cases[i].name), cases[i].of != NULL);
		prof_openmp_outlined_of(cases[i].name, &text);
		ck_assert_str_eq(prof_text_get(&text), cases[i].of ? cases[i].of : cases[i].name);
	}
}
END_TEST

START_TEST(knows_what_is_shared_out)
{
	ck_assert_int_eq(prof_openmp_shared_code("GOMP_loop_end"), PROF_SHARED_LOOP);
	ck_assert_int_eq(prof_openmp_shared_code("GOMP_loop_ull_guided_next"), PROF_SHARED_LOOP);
	ck_assert_int_eq(prof_openmp_shared_code("GOMP_sections_next"), PROF_SHARED_SECTIONS);
	ck_assert_int_eq(prof_openmp_shared_code("GOMP_single_copy_start"), PROF_SHARED_SINGLE);
	ck_assert_int_eq(prof_openmp_shared_code("__kmpc_for_static_init_8u"), PROF_SHARED_LOOP);
	ck_assert_int_eq(prof_openmp_shared_code("__kmpc_dispatch_next_4"), PROF_SHARED_LOOP);
	ck_assert_int_eq(prof_openmp_shared_code("__kmpc_end_single"), PROF_SHARED_SINGLE);
	/* These are called for other code too. */
	ck_assert_int_eq(prof_openmp_shared_code("GOMP_barrier (implicit)"), PROF_SHARED_NONE);
	ck_assert_int_eq(prof_openmp_shared_code("GOMP_parallel_loop_dynamic"), PROF_SHARED_NONE);
	ck_assert_int_eq(prof_openmp_shared_code("__kmpc_barrier"), PROF_SHARED_NONE);
}
END_TEST

START_TEST(ends_of_loops_may_have_the_kind_too)
{
	ck_assert_int_eq(
		prof_openmp_construct("GOMP_loop_end (implicit)"), PROF_CONSTRUCT_IMPLICIT);
	ck_assert_int_eq(
		prof_openmp_construct("GOMP_sections_end (implicit)"), PROF_CONSTRUCT_IMPLICIT);
	ck_assert_int_eq(prof_openmp_construct("GOMP_loop_end_nowait"), PROF_CONSTRUCT_OVERHEAD);
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
	ck_assert(prof_openmp_is_system("/usr/lib/gdbprof/libprofagent.so"));
	ck_assert(!prof_openmp_is_system("/usr/lib/libcurl.so.4"));
}
END_TEST

RUN_TESTS("openmp_calls", knows_entry_points_by_their_names, knows_the_kinds_of_barriers,
	calls_of_clang_have_the_kind, lines_of_source_have_the_kind, functions_of_programs_are_none,
	knows_what_compilers_name, knows_what_is_shared_out, ends_of_loops_may_have_the_kind_too,
	knows_files_by_their_names)
