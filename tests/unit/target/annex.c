/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/annex.h"

#include "base/error.h"
#include "suite.h"
#include "target/maps.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The debugger of a child that spins. */
static struct {
	pid_t child;
	struct prof_annex annex;
} test;

static void start(void)
{
	test.child = fork();
	if (!test.child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		for (;;)
			__asm__ volatile("");
	}
	ck_assert_int_eq(waitpid(test.child, NULL, 0), test.child);
	ptrace(PTRACE_CONT, test.child, NULL, NULL);
	prof_annex_init(&test.annex, test.child);
}

static void end(void)
{
	kill(test.child, SIGKILL);
	waitpid(test.child, NULL, 0);
}

static void stop(int number)
{
	int status;

	ck_assert_int_eq(syscall(SYS_tgkill, test.child, test.child, number), 0);
	ck_assert_int_eq(waitpid(test.child, &status, 0), test.child);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(WSTOPSIG(status), number);
}

/* Has the child get what it needs, at one stop after the other, however long it waits for a CPU. */
static void extend(void)
{
	while (!test.annex.there && !test.annex.lacks) {
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
		stop(SIGURG);
		ck_assert(!prof_annex_leave(&test.annex, test.child));
		prof_annex_extend(&test.annex, test.child);
		ck_assert_int_eq(ptrace(PTRACE_CONT, test.child, NULL, NULL), 0);
	}
}

static bool is_executable(uint64_t address)
{
	struct prof_maps maps = {0};
	AUTO_ERROR struct prof_error *error = prof_maps_read(&maps, test.child);
	bool found = !error && prof_maps_find(&maps, address);

	prof_maps_deinit(&maps);
	return found;
}

START_TEST(the_program_maps_it)
{
	if (!prof_detour_is_possible())
		return;
	start();
	extend();
	ck_assert_msg(test.annex.there, "%s", test.annex.lacks);
	for (size_t i = 0; i < PROF_ANNEX_DETOURS; i++) {
		const struct prof_detour detour = prof_annex_detour(&test.annex, i);
		ck_assert(is_executable(detour.code));
		ck_assert(!is_executable(detour.data));
	}
	/* Its detours can be used. */
	int64_t result;
	struct prof_detour_call call = {SYS_getpid, {0}};
	const struct prof_detour last = prof_annex_detour(&test.annex, PROF_ANNEX_DETOURS - 1);
	stop(SIGURG);
	ck_assert(prof_detour_call_now(&last, test.child, &call, &result));
	ck_assert_int_eq(result, test.child);
	end();
}
END_TEST

START_TEST(the_next_one_is_the_same)
{
	if (!prof_detour_is_possible())
		return;
	start();
	extend();
	prof_annex_init(&test.annex, test.child);
	stop(SIGURG);
	ck_assert(!prof_annex_extend(&test.annex, test.child));
	ck_assert(test.annex.there);
	end();
}
END_TEST

/* As a debugger's own stop may come before the child has executed anything. */
START_TEST(a_thread_that_is_taken_back_is_sent_again)
{
	if (!prof_detour_is_possible())
		return;
	start();
	stop(SIGURG);
	ck_assert(prof_annex_extend(&test.annex, test.child));
	ck_assert(prof_annex_leave(&test.annex, test.child));
	ck_assert(!prof_annex_leave(&test.annex, test.child));
	ck_assert_int_eq(ptrace(PTRACE_CONT, test.child, NULL, NULL), 0);
	extend();
	ck_assert_msg(test.annex.there, "%s", test.annex.lacks);
	end();
}
END_TEST

START_TEST(addresses_that_are_taken_stay_the_programs)
{
	struct prof_annex annex;

	if (!prof_detour_is_possible())
		return;
	prof_annex_init(&annex, getpid());
	void *place = (void *)(uintptr_t)prof_annex_detour(&annex, 0).code;
	void *own = mmap(place, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_eq(own, place);
	start();
	extend();
	ck_assert(!test.annex.there);
	ck_assert_str_eq(test.annex.lacks, "the addresses that gdbprof needs are in use");
	end();
}
END_TEST

/* The next child is forked from a process that has what is there of the first. */
START_TEST(a_copy_of_it_is_the_childs_own)
{
	struct prof_annex annex;
	unsigned char code[PROF_ANNEX_DETOURS * PROF_DETOUR_CODE];
	enum { DATA = PROF_ANNEX_DETOURS * 512 };

	if (!prof_detour_is_possible())
		return;
	prof_annex_init(&annex, getpid());
	for (size_t i = 0; i < PROF_ANNEX_DETOURS; i++) {
		const struct prof_detour detour = prof_annex_detour(&annex, i);
		prof_detour_build(&detour, code + i * PROF_DETOUR_CODE);
	}
	char *place = (char *)(uintptr_t)prof_annex_detour(&annex, 0).code;
	char *own = mmap(place, sizeof code + DATA, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_eq(own, place);
	memcpy(own, code, sizeof code);
	int64_t owner = getpid();
	memcpy(own + sizeof code + DATA - sizeof owner, &owner, sizeof owner);
	start();
	extend();
	ck_assert_msg(test.annex.there, "%s", test.annex.lacks);
	ck_assert_mem_eq(own + sizeof code + DATA - sizeof owner, &owner, sizeof owner);
	end();
}
END_TEST

RUN_TESTS("annex", the_program_maps_it, a_copy_of_it_is_the_childs_own, the_next_one_is_the_same,
	a_thread_that_is_taken_back_is_sent_again, addresses_that_are_taken_stay_the_programs)
