/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that are left as if they had never been patched, and patched again. */
#include "patching/patched.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_debugger.h"
#include "target/maps.h"

#include <sys/syscall.h>

enum { ROUNDS = 20 };

/* Of the mappings of PROCESS; sanitizers make some of their own meanwhile, so that none count. */
static size_t count_mappings(pid_t process)
{
#ifdef __SANITIZE_ADDRESS__
	(void)process;
	return 0;
#endif
	AUTO_FREE char *text = NULL;
	size_t count = 0;

	ck_assert_ok(prof_maps_text(process, &text));
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		count++;
	return count;
}

static void add_functions(void)
{
	static const void *const functions[] = {(const void *)leaf, (const void *)fibonacci};
	enum prof_obstacle obstacle;
	uint32_t number;

	for (size_t i = 0; i < PROF_COUNT(functions); i++)
		ck_assert_ok(prof_patches_add(prof_patched_patches(debugger.patched),
			(uintptr_t)functions[i], kind, &number, &obstacle));
	ck_assert(prof_patches_map(prof_patched_patches(debugger.patched), &debugger.child.detour,
		debugger.child.pid));
}

/* All threads, which stand still, are patched anew. */
static void patch_again(void)
{
	prof_patched_destroy(debugger.patched);
	ck_assert_ok(prof_patched_create(
		debugger.child.pid, &debugger.child.settings, &debugger.patched));
	for (size_t i = 0; i < debugger.count; i++)
		ck_assert_ptr_null(prof_patched_admit(debugger.patched, debugger.ids[i]));
	recorded_begin();
	add_functions();
}

static void go_and_stop(void)
{
	for (size_t i = 0; i < debugger.count; i++)
		resume(debugger.ids[i], PTRACE_CONT);
	usleep(1000);
	for (size_t i = 0; i < debugger.count; i++)
		ck_assert_int_eq(
			syscall(SYS_tgkill, debugger.child.pid, debugger.ids[i], SIGSTOP), 0);
	for (size_t i = 0; i < debugger.count; i++)
		ck_assert_int_eq(await(debugger.ids[i]), SIGSTOP);
}

static void leave(void)
{
	uint64_t word;

	ck_assert(prof_patched_leave(debugger.patched, &debugger.child.detour));
	ck_assert(!prof_process_read(
		debugger.child.pid, debugger.child.settings.control, &word, sizeof word));
	for (size_t i = 0; i < debugger.count; i++)
		ck_assert_ptr_null(prof_thread_word_check(debugger.child.pid, debugger.ids[i]));
}

static void patch_again_and_again(void)
{
	size_t before = 0;

	begin(crowd_run, true);
	shared->slow = true;
	make_threads();
	for (int i = 0; i < ROUNDS; i++) {
		go_and_stop();
		leave();
		size_t now = count_mappings(debugger.child.pid);
		ck_assert(!before || now == before);
		before = now;
		patch_again();
	}
	leave();
	ck_assert_uint_eq(shared->wrong, 0);
	ck_assert_int_eq(kill(debugger.child.pid, SIGKILL), 0);
	prof_patched_destroy(debugger.patched);
	prof_patches_destroy(debugger.child.patches);
}

START_TEST(threads_are_left_and_patched_again)
{
	kind = PROF_STUB_COUNT;
	patch_again_and_again();
}
END_TEST

START_TEST(threads_that_count_callers_are_left)
{
	kind = PROF_STUB_COUNT_CALLERS;
	patch_again_and_again();
}
END_TEST

START_TEST(threads_that_record_are_left)
{
	kind = PROF_STUB_CALL;
	patch_again_and_again();
}
END_TEST

static void stop_in_handler(int number)
{
	(void)number;
	patched_child_stop();
}

static int call_and_be_interrupted(void)
{
	signal(SIGUSR1, stop_in_handler);
	patched_child_stop();
	int wrong = CALL(beginning)(5) != 17;
	patched_child_stop();
	return wrong;
}

START_TEST(what_a_handler_returns_to_stays)
{
	pid_t first;

	kind = PROF_STUB_CALL;
	begin(call_and_be_interrupted, true);
	first = debugger.child.pid;
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	/* Behind the first instruction, which the patch has replaced as well as the second. */
	while (registers_of(first).rip != (uintptr_t)beginning + 1) {
		resume(first, PTRACE_SINGLESTEP);
		ck_assert_int_eq(await(first), SIGTRAP);
	}
	ck_assert_ok(prof_patched_resume(debugger.patched, first, false));
	ck_assert_int_eq(ptrace(PTRACE_CONT, first, NULL, SIGUSR1), 0);
	ck_assert_int_eq(await(first), SIGSTOP);
	ck_assert(!prof_patched_leave(debugger.patched, &debugger.child.detour));
	ck_assert_ptr_nonnull(prof_thread_word_check(first, first));
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	ck_assert(!prof_patched_leave(debugger.patched, NULL));
	leave();
	prof_patched_destroy(debugger.patched);
	patched_child_finish(&debugger.child);
}
END_TEST

RUN_DECODER_TESTS("patched_leave", threads_are_left_and_patched_again,
	threads_that_count_callers_are_left, threads_that_record_are_left,
	what_a_handler_returns_to_stays)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
