/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent's library beside the plugin, which is this program, and programs that can load it. */
#include "plugin/interpose/library.h"

#include "sampling/watchdog.h"
#include "base/file.h"
#include "recording/traced_message.h"
#include "scratch.h"
#include "tracing/ring.h"

#include <elf.h>
#include <fcntl.h>
#include <sched.h>

START_TEST(the_agent_is_found_beside_the_plugin)
{
	char own[4096] = "", beside[5000];
	AUTO_FREE char *found = NULL;

	ck_assert_int_gt(readlink("/proc/self/exe", own, sizeof own - 1), 0);
	snprintf(beside, sizeof beside, "%.*s%s", (int)(prof_file_base_name(own) - own), own,
		PROF_AGENT_FILE);
	/* What a test that was killed has left. */
	unlink(beside);
	ck_assert_error(library_find(&found), PROF_AGENT_FILE);
	ck_assert_ptr_null(found);
	/* The plugin's path may be relative. */
	AUTO_CLOSE int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	enter_scratch();
	char target[256];
	snprintf(target, sizeof target, "%s/agent", scratch);
	put_file("agent", "");
	ck_assert_int_eq(fchdir(folder), 0);
	ck_assert_int_eq(symlink(target, beside), 0);
	struct prof_error *error = library_find(&found);
	unlink(beside);
	ck_assert_ok(error);
	ck_assert_str_eq(found, target);
}
END_TEST

START_TEST(a_watchdog_can_be_had)
{
	struct prof_watchdog *watchdog = NULL;

	ck_assert_ok(library_watchdog(&watchdog));
	ck_assert_ptr_nonnull(watchdog);
	/* Its program is in another folder. */
	ck_assert(!prof_watchdog_start(watchdog));
	prof_watchdog_destroy(watchdog);
}
END_TEST

START_TEST(only_one_linker_is_that_of_the_agent)
{
	ck_assert_ok(library_check_interpreter("/lib64/ld-linux-x86-64.so.2"));
	ck_assert_ok(library_check_interpreter("ld-linux-x86-64.so.2"));
	ck_assert_error(library_check_interpreter("/lib/ld-musl-x86_64.so.1"), "ld-musl");
	ck_assert_error(library_check_interpreter("/lib/ld-linux.so.2"), "ld-linux.so.2");
	ck_assert_error(library_check_interpreter("/ld-linux-x86-64.d/other"), "other");
}
END_TEST

/* Writes "program", which asks for INTERPRETER; NULL: for none. */
static void make_program(const char *interpreter)
{
	const Elf64_Ehdr header = {.e_ident = ELFMAG, .e_phoff = 2 * sizeof header, .e_phnum = 2};
	const Elf64_Phdr headers[] = {{.p_type = PT_LOAD},
		{.p_type = interpreter ? PT_INTERP : PT_NULL, .p_offset = 4096}};
	FILE *file = fopen("program", "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(&header, sizeof header, 1, file), 1);
	ck_assert_int_eq(fseek(file, (long)header.e_phoff, SEEK_SET), 0);
	ck_assert_uint_eq(fwrite(headers, sizeof headers, 1, file), 1);
	ck_assert_int_eq(fseek(file, (long)headers[1].p_offset, SEEK_SET), 0);
	if (interpreter)
		fwrite(interpreter, strlen(interpreter) + 1, 1, file);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(programs_tell_by_their_linker)
{
	enter_scratch();
	make_program("/lib64/ld-linux-x86-64.so.2");
	ck_assert_ok(library_check_program("program"));
	make_program("/lib/ld-musl-x86_64.so.1");
	ck_assert_error(library_check_program("program"), "ld-musl");
	make_program(NULL);
	ck_assert_error(library_check_program("program"), "program: it is linked statically");
	/* This program itself runs with the agent's C library. */
	ck_assert_ok(library_check_program("/proc/self/exe"));
}
END_TEST

START_TEST(what_cannot_be_read_may_load_it)
{
	enter_scratch();
	ck_assert_ok(library_check_program("none"));
	put_file(
		"script", "#!/bin/sh\n# which is longer than the header of an ELF file is today\n");
	ck_assert_ok(library_check_program("script"));
	put_file("short", ELFMAG);
	ck_assert_ok(library_check_program("short"));
	make_program("/lib/ld-musl-x86_64.so.1");
	ck_assert_int_eq(truncate("program", 4096), 0);
	ck_assert_ok(library_check_program("program"));
	ck_assert_int_eq(truncate("program", sizeof(Elf64_Ehdr)), 0);
	ck_assert_ok(library_check_program("program"));
}
END_TEST

START_TEST(only_asan_comes_first)
{
#ifdef __SANITIZE_ADDRESS__
	const bool is_checked = true;
#else
	const bool is_checked = false;
#endif
	enter_scratch();
	ck_assert(library_is_preceded("/proc/self/exe") == is_checked);
	put_file("script", "#!/bin/sh\n");
	ck_assert(!library_is_preceded("script"));
	ck_assert(!library_is_preceded("none"));
}
END_TEST

/* As if the MPI library were linked into this program. */
int PMPI_Init(int *argc, char ***argv);
int PMPI_Init(int *argc, char ***argv)
{
	return !argc && !argv;
}

START_TEST(mpi_is_found_in_a_program)
{
	enter_scratch();
	ck_assert(library_has_mpi("/proc/self/exe"));
	ck_assert(!library_has_mpi("/bin/sh"));
	ck_assert(!library_has_mpi("none"));
	put_file("script", "#!/bin/sh\n");
	ck_assert(!library_has_mpi("script"));
	make_program(NULL);
	ck_assert(!library_has_mpi("program"));
}
END_TEST

#ifdef __x86_64__
START_TEST(a_counter_that_is_relied_on_runs_evenly)
{
	cpu_set_t all, one;
	uint64_t before = 0;

	if (!library_has_counter())
		return;
	ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
	for (int i = 0; i < 100 * CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i % CPU_SETSIZE, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(i % CPU_SETSIZE, &one);
		ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
		uint64_t now = __builtin_ia32_rdtsc();
		ck_assert_uint_gt(now, before);
		before = now;
	}
}
END_TEST
#endif

RUN_TESTS("library", the_agent_is_found_beside_the_plugin, a_watchdog_can_be_had,
	only_one_linker_is_that_of_the_agent, programs_tell_by_their_linker,
	what_cannot_be_read_may_load_it,
#ifdef __x86_64__
	a_counter_that_is_relied_on_runs_evenly,
#endif
	only_asan_comes_first, mpi_is_found_in_a_program)
