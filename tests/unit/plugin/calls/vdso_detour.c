/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A traced child makes a system call in its vdso. */
#include "plugin/calls/vdso_detour.h"

#include "suite.h"
#include "target/maps.h"
#include "target/process.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Starts a child that has stopped. */
static pid_t start(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		kill(getpid(), SIGSTOP);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return child;
}

/* Reads the last page of the vdso of CHILD. */
static void read_vdso(pid_t child, unsigned char bytes[PAGE])
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};

	ck_assert_ok(prof_maps_read(&maps, child));
	for (size_t i = 0; i < maps.mappings.count; i++) {
		const struct prof_mapping *mapping = &maps.mappings.items[i];
		if (!strcmp(mapping->path, "[vdso]"))
			ck_assert(prof_process_read(child, mapping->high - PAGE, bytes, PAGE));
	}
}

START_TEST(a_child_makes_a_call_and_nothing_remains)
{
	static unsigned char before[PAGE], after[PAGE];
	const struct prof_detour_call call = {SYS_getpid, {0}};
	struct vdso_detour detour, other;
	int64_t result;
	int status;
	pid_t child = start();

	if (!prof_detour_is_possible()) {
		ck_assert(!vdso_detour_begin(&detour, child));
	} else {
		read_vdso(child, before);
		ck_assert(vdso_detour_begin(&detour, child));
		read_vdso(child, after);
		ck_assert(memcmp(before, after, PAGE) != 0);
		ck_assert(prof_detour_call_now(&detour.detour, child, &call, &result));
		ck_assert_int_eq(result, child);
		/* What an annex has left is no obstacle. */
		ck_assert(vdso_detour_begin(&other, child));
		ck_assert_uint_eq(other.detour.code, detour.detour.code);
		vdso_detour_end(&detour);
		read_vdso(child, after);
		ck_assert(!memcmp(before, after, PAGE));
	}
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_process_that_is_gone_has_none)
{
	struct vdso_detour detour;
	pid_t child = start();

	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert(!vdso_detour_begin(&detour, child));
}
END_TEST

RUN_TESTS("vdso_detour", a_child_makes_a_call_and_nothing_remains, a_process_that_is_gone_has_none)
