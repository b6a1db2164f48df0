/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_calls.h"

#include "base/file.h"
#include "base/memory.h"

#include <string.h>
#include <strings.h>

/* The first row that matches counts: NAME is the function's name or, with a star, its beginning. */
static const struct {
	const char *name;
	enum prof_construct construct;
} calls[] = {
	/* libgomp */
	{"GOMP_parallel*", PROF_CONSTRUCT_FORK},
	{"GOMP_teams_reg", PROF_CONSTRUCT_FORK},
	{"GOMP_barrier*", PROF_CONSTRUCT_BARRIER},
	{"GOMP_loop_end", PROF_CONSTRUCT_IMPLICIT},
	{"GOMP_loop_end_cancel", PROF_CONSTRUCT_IMPLICIT},
	{"GOMP_sections_end", PROF_CONSTRUCT_IMPLICIT},
	{"GOMP_sections_end_cancel", PROF_CONSTRUCT_IMPLICIT},
	{"GOMP_single_copy_start", PROF_CONSTRUCT_IMPLICIT},
	{"GOMP_workshare_task_reduction_unregister", PROF_CONSTRUCT_IMPLICIT},
	{"GOMP_critical_start", PROF_CONSTRUCT_CRITICAL},
	{"GOMP_critical_name_start", PROF_CONSTRUCT_CRITICAL},
	{"GOMP_atomic_start", PROF_CONSTRUCT_ATOMIC},
	{"GOMP_ordered_start", PROF_CONSTRUCT_ORDERED},
	{"GOMP_doacross_wait", PROF_CONSTRUCT_ORDERED},
	{"GOMP_doacross_ull_wait", PROF_CONSTRUCT_ORDERED},
	{"GOMP_taskwait*", PROF_CONSTRUCT_TASKS},
	{"GOMP_taskgroup_end", PROF_CONSTRUCT_TASKS},
	{"GOMP_task", PROF_CONSTRUCT_CREATION},
	{"GOMP_taskloop*", PROF_CONSTRUCT_CREATION},
	{"GOMP_*", PROF_CONSTRUCT_OVERHEAD},
	{"gomp_*", PROF_CONSTRUCT_INSIDE},
	/* both */
	{"omp_set_lock*", PROF_CONSTRUCT_LOCK},
	{"omp_set_nest_lock*", PROF_CONSTRUCT_LOCK},
	{"omp_get_*", PROF_CONSTRUCT_OVERHEAD},
	{"omp_set_*", PROF_CONSTRUCT_OVERHEAD},
	{"omp_init_*", PROF_CONSTRUCT_OVERHEAD},
	{"omp_unset_*", PROF_CONSTRUCT_OVERHEAD},
	{"omp_destroy_*", PROF_CONSTRUCT_OVERHEAD},
	{"omp_test_*", PROF_CONSTRUCT_OVERHEAD},
	/* libomp */
	{"__kmpc_fork_*", PROF_CONSTRUCT_REGION},
	{"__kmpc_barrier*", PROF_CONSTRUCT_BARRIER},
	{"__kmpc_cancel_barrier*", PROF_CONSTRUCT_BARRIER},
	{"__kmpc_critical*", PROF_CONSTRUCT_CRITICAL},
	{"__kmpc_set_lock*", PROF_CONSTRUCT_LOCK},
	{"__kmpc_set_nest_lock*", PROF_CONSTRUCT_LOCK},
	{"__kmpc_ordered", PROF_CONSTRUCT_ORDERED},
	{"__kmpc_doacross_wait", PROF_CONSTRUCT_ORDERED},
	{"__kmpc_omp_taskwait*", PROF_CONSTRUCT_TASKS},
	{"__kmpc_omp_task", PROF_CONSTRUCT_CREATION},
	{"__kmpc_omp_task_parts", PROF_CONSTRUCT_CREATION},
	{"__kmpc_omp_task_with_deps", PROF_CONSTRUCT_CREATION},
	{"__kmpc_omp_wait_deps", PROF_CONSTRUCT_TASKS},
	{"__kmpc_end_taskgroup", PROF_CONSTRUCT_TASKS},
	{"__kmpc_taskloop*", PROF_CONSTRUCT_TASKS},
	{"__kmpc_reduce*", PROF_CONSTRUCT_REDUCTION},
	{"__kmpc_end_reduce*", PROF_CONSTRUCT_REDUCTION},
	{"__kmpc_atomic_*", PROF_CONSTRUCT_ATOMIC},
	{"__kmpc_*", PROF_CONSTRUCT_OVERHEAD},
	{"__kmp_fork_call", PROF_CONSTRUCT_FORK},
	{"__kmp_*", PROF_CONSTRUCT_INSIDE},
};

static const char explicit_barrier[] = " (explicit)", implicit_barrier[] = " (implicit)";

void prof_openmp_add_barrier(const char *name, enum prof_construct kind, struct prof_text *text)
{
	prof_text_print(text, "%s%s", name,
		kind == PROF_CONSTRUCT_EXPLICIT           ? explicit_barrier
			: kind == PROF_CONSTRUCT_IMPLICIT ? implicit_barrier
							  : "");
}

/* Which kind of barrier was added to NAME. */
static enum prof_construct barrier_of_name(const char *name)
{
	const char *kind = strchr(name, ' ');

	if (kind && !strcmp(kind, explicit_barrier))
		return PROF_CONSTRUCT_EXPLICIT;
	return kind && !strcmp(kind, implicit_barrier) ? PROF_CONSTRUCT_IMPLICIT
						       : PROF_CONSTRUCT_BARRIER;
}

enum prof_construct prof_openmp_barrier_of_words(const uint32_t words[PROF_OPENMP_WORDS])
{
	/* ident_t of libomp's kmp.h: reserved_1, flags, reserved_2. */
	enum { RESERVED = 0, FLAGS = 1, RESERVED_TOO = 2 };
	enum { COMPILER = 0x02, EXPLICIT = 0x20, IMPLICIT = 0x40, MOST = 0xffff };
	uint32_t flags = words[FLAGS];

	if (words[RESERVED] || words[RESERVED_TOO] || !(flags & COMPILER) || flags > MOST)
		return PROF_CONSTRUCT_BARRIER;
	if (flags & EXPLICIT)
		return PROF_CONSTRUCT_EXPLICIT;
	return flags & IMPLICIT ? PROF_CONSTRUCT_IMPLICIT : PROF_CONSTRUCT_BARRIER;
}

/* Does LINE contain WORD?  Fortran and macros may have it in capitals. */
static bool has_word(const char *line, const char *word)
{
	size_t length = strlen(word);

	while (*line && strncasecmp(line, word, length) != 0)
		line++;
	return *line;
}

enum prof_construct prof_openmp_barrier_of_line(const char *line)
{
	if (!has_word(line, "barrier"))
		return PROF_CONSTRUCT_IMPLICIT;
	/* Without "omp" it may be a macro, or a variable in the last statement of a loop. */
	return has_word(line, "omp") ? PROF_CONSTRUCT_EXPLICIT : PROF_CONSTRUCT_BARRIER;
}

enum prof_construct prof_openmp_construct(const char *name)
{
	if (*name != 'G' && *name != 'g' && *name != 'o' && *name != '_')
		return PROF_CONSTRUCT_NONE;
	size_t named = strcspn(name, " "); /* the kind of a barrier may follow */
	for (size_t i = 0; i < PROF_COUNT(calls); i++) {
		size_t length = strlen(calls[i].name);
		bool open = calls[i].name[length - 1] == '*';
		if (open ? !strncmp(name, calls[i].name, length - 1)
			 : prof_text_is(calls[i].name, name, named))
			return calls[i].construct == PROF_CONSTRUCT_BARRIER ? barrier_of_name(name)
									    : calls[i].construct;
	}
	return PROF_CONSTRUCT_NONE;
}

enum prof_shared_code prof_openmp_shared_code(const char *name)
{
	static const struct {
		const char *beginning;
		enum prof_shared_code code;
	} shared[] = {
		{"GOMP_loop_", PROF_SHARED_LOOP},
		{"GOMP_sections_", PROF_SHARED_SECTIONS},
		{"GOMP_single_", PROF_SHARED_SINGLE},
		{"__kmpc_for_static_", PROF_SHARED_LOOP},
		{"__kmpc_dispatch_", PROF_SHARED_LOOP},
		{"__kmpc_single", PROF_SHARED_SINGLE},
		{"__kmpc_end_single", PROF_SHARED_SINGLE},
	};

	for (size_t i = 0; i < PROF_COUNT(shared); i++) {
		if (!strncmp(name, shared[i].beginning, strlen(shared[i].beginning)))
			return shared[i].code;
	}
	return PROF_SHARED_NONE;
}

/* Where the suffix of NAME begins that compilers add; NULL: it has none. */
static const char *outlined(const char *name)
{
	static const char *const marks[] = {"._omp_fn", ".omp_outlined", ".omp_task_entry"};
	const char *at = NULL;

	for (size_t i = 0; i < PROF_COUNT(marks) && !at; i++)
		at = strstr(name, marks[i]);
	return at;
}

bool prof_openmp_is_outlined(const char *name)
{
	return outlined(name);
}

void prof_openmp_outlined_of(const char *name, struct prof_text *text)
{
	const char *end = outlined(name);

	prof_text_bytes(text, name, end ? (size_t)(end - name) : strlen(name));
}

/* Does the name of the file PATH begin with one of the COUNT BEGINNINGS? */
static bool begins(const char *path, const char *const *beginnings, size_t count)
{
	const char *name = prof_file_base_name(path);

	for (size_t i = 0; i < count; i++) {
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	}
	return false;
}

bool prof_openmp_is_runtime(const char *path)
{
	static const char *const names[] = {
		"libgomp.so", "libgomp-", "libomp.so", "libomp5.so", "libomp-", "libiomp5.so"};

	return begins(path, names, PROF_COUNT(names));
}

bool prof_openmp_is_system(const char *path)
{
	static const char *const names[] = {"libc.so", "libc-", "libpthread", "ld-linux", "ld-2",
		"[vdso]", "[kernel", "libprofagent.so"};

	return begins(path, names, PROF_COUNT(names));
}
