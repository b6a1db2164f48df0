/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions whose calls were recorded are only counted from some call on. */
#include "patching/patched.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_debugger.h"

#include <sys/syscall.h>

static int call_function(void)
{
	patched_child_stop();
	int wrong = CALL(fibonacci)(4) != 3 || CALL(beginning)(5) != 17;
	patched_child_stop();
	wrong += CALL(fibonacci)(4) != 3;
	patched_child_stop();
	return wrong;
}

static void check_counted(uint64_t leaves, uint64_t calls)
{
	uint64_t counts[3];

	ck_assert_ok(prof_patched_count(debugger.patched, counts, 3));
	ck_assert_uint_eq(counts[0], leaves);
	ck_assert_uint_eq(counts[1], calls);
	ck_assert_uint_eq(counts[2], 0);
}

START_TEST(a_function_is_only_counted_from_then_on)
{
	struct prof_patches *patches;

	kind = PROF_STUB_CALL;
	begin(call_function, true);
	patches = prof_patched_patches(debugger.patched);
	resume(debugger.child.pid, PTRACE_CONT);
	ck_assert_int_eq(await(debugger.child.pid), SIGSTOP);
	resume(debugger.child.pid, PTRACE_CONT);
	ck_assert_int_eq(await(debugger.child.pid), SIGSTOP);
	check_counted(0, 0);
	ck_assert(prof_patches_count_only(patches, 2));
	resume(debugger.child.pid, PTRACE_CONT);
	ck_assert_int_eq(await(debugger.child.pid), SIGSTOP);
	recorded_check(&debugger.child, 1, 5 + 1 + 5);
	recorded_check(&debugger.child, 2, 9);
	check_counted(0, 9);
	prof_patched_destroy(debugger.patched);
	patched_child_finish(&debugger.child);
}
END_TEST

START_TEST(what_counts_by_itself_is_refused)
{
	kind = PROF_STUB_COUNT;
	begin(call_function, true);
	ck_assert(!prof_patches_count_only(prof_patched_patches(debugger.patched), 1));
	prof_patched_destroy(debugger.patched);
	ck_assert_int_eq(kill(debugger.child.pid, SIGKILL), 0);
	prof_patches_destroy(debugger.child.patches);
}
END_TEST

/* Waits until each thread has made some turns. */
static void let_turn(void)
{
	for (int i = 0; i < THREADS; i++) {
		uint64_t before = __atomic_load_n(&shared->turns[i], __ATOMIC_RELAXED);
		while (__atomic_load_n(&shared->turns[i], __ATOMIC_RELAXED) < before + 10)
			usleep(100);
	}
}

/* Calls that were recorded, and that were counted, are all that the threads have made. */
START_TEST(threads_go_on_meanwhile)
{
	uint64_t counts[3], turns = 0;
	struct prof_patches *patches;

	kind = PROF_STUB_CALL;
	begin(crowd_run, true);
	patches = prof_patched_patches(debugger.patched);
	make_threads();
	for (size_t i = 0; i < debugger.count; i++)
		resume(debugger.ids[i], PTRACE_CONT);
	let_turn();
	ck_assert(prof_patches_count_only(patches, 1));
	let_turn();
	ck_assert(prof_patches_count_only(patches, 2));
	let_turn();
	shared->end = 1;
	ck_assert_int_eq(await(debugger.child.pid), SIGSTOP);
	for (int i = 0; i < THREADS; i++)
		turns += shared->turns[i];
	ck_assert_uint_eq(shared->wrong, 0);
	recorded_read(&debugger.child);
	ck_assert_ok(prof_patched_count(debugger.patched, counts, 3));
	ck_assert_uint_gt(counts[0], 0);
	ck_assert_uint_eq(recorded.begun[1] + counts[0], turns * LEAVES);
	ck_assert_uint_eq(recorded.begun[2] + counts[1], turns * CALLS);
	ck_assert_uint_eq(recorded.ended[1] + recorded.ended[2] + recorded.left,
		recorded.begun[1] + recorded.begun[2]);
	ck_assert_int_eq(kill(debugger.child.pid, SIGKILL), 0);
	prof_patched_destroy(debugger.patched);
	prof_patches_destroy(debugger.child.patches);
}
END_TEST

RUN_DECODER_TESTS("patched_counted", a_function_is_only_counted_from_then_on,
	what_counts_by_itself_is_refused, threads_go_on_meanwhile)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
