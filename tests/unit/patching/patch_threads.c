/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that are stopped anywhere, with their functions patched and as they were in turn. */
#include "patching/patch_threads.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_crowd.h"
#include "patched_recorded.h"

#include <sys/syscall.h>
#include <sys/user.h>

enum { LOOKED = 16, MOST = 16 };

struct crowd {
	struct patched_child child;
	struct prof_patch_threads threads;
	pid_t ids[MOST];
	size_t count;
	unsigned moved,
		entered; /* threads that were in islands; and those at an entry after that */
};

static struct user_regs_struct registers_of(pid_t thread)
{
	struct user_regs_struct registers;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, thread, NULL, &registers), 0);
	return registers;
}

static void begin(struct crowd *crowd, int (*function)(void), enum prof_stub_part kind)
{
	crowd_share();
	*crowd = (struct crowd){0};
	patched_child_records = kind == PROF_STUB_CALL ? RECORDED_BYTES : 0;
	recorded_begin();
	patched_child_start(&crowd->child, function, 10);
	crowd->child.kind = kind;
	crowd->ids[crowd->count++] = crowd->child.pid;
}

/* Lets the first thread go on until it has made all others. */
static void await_threads(struct crowd *crowd)
{
	int status;
	unsigned long made;

	while (crowd->count < THREADS + 1) {
		patched_child_go(&crowd->child);
		ck_assert_int_eq(waitpid(crowd->child.pid, &status, 0), crowd->child.pid);
		ck_assert_int_eq(status >> 8, SIGTRAP | PTRACE_EVENT_CLONE << 8);
		ck_assert_int_eq(ptrace(PTRACE_GETEVENTMSG, crowd->child.pid, NULL, &made), 0);
		ck_assert_int_eq(waitpid((pid_t)made, &status, __WALL), (pid_t)made);
		ck_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
		crowd->ids[crowd->count++] = (pid_t)made;
	}
}

/* THREAD is about to go on, with patches in. */
static bool put_back(struct crowd *crowd, pid_t thread)
{
	struct prof_patch_start start;
	uint64_t pc = registers_of(thread).rip;
	bool good = prof_patch_threads_return(
		&crowd->threads, crowd->child.patches, thread, false, &start);

	ck_assert_uint_eq(start.from, pc);
	ck_assert_uint_eq(start.number, 0);
	return good;
}

static void resume(struct crowd *crowd)
{
	ck_assert_ok(prof_patches_put_in(crowd->child.patches, NULL, 0));
	for (size_t i = 0; i < crowd->count; i++)
		ck_assert(put_back(crowd, crowd->ids[i]));
	for (size_t i = 0; i < crowd->count; i++)
		ck_assert_int_eq(ptrace(PTRACE_CONT, crowd->ids[i], NULL, NULL), 0);
}

static void stop(struct crowd *crowd)
{
	int status;

	for (size_t i = 0; i < crowd->count; i++)
		ck_assert_int_eq(syscall(SYS_tgkill, crowd->child.pid, crowd->ids[i], SIGSTOP), 0);
	for (size_t i = 0; i < crowd->count; i++) {
		ck_assert_int_eq(waitpid(crowd->ids[i], &status, __WALL), crowd->ids[i]);
		ck_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	}
	for (size_t i = 0; i < crowd->count; i++) {
		uint64_t pc = registers_of(crowd->ids[i]).rip;
		ck_assert(prof_patch_threads_leave(
			&crowd->threads, crowd->child.patches, crowd->ids[i]));
		uint64_t left = registers_of(crowd->ids[i]).rip;
		crowd->moved += pc != left;
		crowd->entered +=
			pc != left && (left == (uintptr_t)leaf || left == (uintptr_t)fibonacci);
	}
	ck_assert_ok(prof_patches_take_out(crowd->child.patches));
	if (patched_child_records)
		recorded_read(&crowd->child);
}

/* All calls of the function NUMBER, COUNT of them, were counted, or recorded with their ends. */
static void check_calls(const struct crowd *crowd, uint32_t number, uint64_t count)
{
	if (patched_child_records)
		recorded_check(&crowd->child, number, count);
	else
		ck_assert_uint_eq(patched_child_counted(&crowd->child, number), count);
}

/* Is each thread in code that was there before, and the code as it was? */
static void check_stopped(const struct crowd *crowd)
{
	ck_assert(patched_child_same(&crowd->child, leaf, LOOKED));
	ck_assert(patched_child_same(&crowd->child, fibonacci, LOOKED));
	for (size_t i = 0; i < crowd->count; i++) {
		struct user_regs_struct registers = registers_of(crowd->ids[i]);
		struct prof_stub_registers undone = {.pc = registers.rip, .sp = registers.rsp};
		ck_assert_int_eq(
			prof_patches_undo(crowd->child.patches, &undone), PROF_STUB_UNTOUCHED);
	}
}

/* Has the threads end, and compares what they say with what was counted. */
static void finish(struct crowd *crowd, uint32_t leaves, uint32_t calls)
{
	int status;
	uint64_t turns = 0;

	shared->end = 1;
	resume(crowd);
	for (size_t i = 1; i < crowd->count; i++) {
		ck_assert_int_eq(waitpid(crowd->ids[i], &status, __WALL), crowd->ids[i]);
		ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "status %x", status);
		turns += shared->turns[i - 1];
	}
	patched_child_await(&crowd->child, SIGSTOP);
	ck_assert_ok(prof_patches_take_out(crowd->child.patches));
	ck_assert_uint_eq(shared->wrong, 0);
	check_calls(crowd, calls, turns * CALLS);
	/* Those with a number below 2. */
	check_calls(crowd, leaves, turns * LEAVES);
	patched_child_finish(&crowd->child);
	prof_patch_threads_deinit(&crowd->threads);
}

static void check_crowd(enum prof_stub_part kind)
{
	enum { ROUNDS = 1000, MOVED = 100, ENTERED = 10, LONGEST = 20000 };
	struct crowd crowd;

	begin(&crowd, crowd_run, kind);
	uint32_t leaves = patched_child_add(&crowd.child, leaf);
	uint32_t calls = patched_child_add(&crowd.child, fibonacci);
	patched_child_map(&crowd.child);
	ck_assert_ok(prof_patches_put_in(crowd.child.patches, NULL, 0));
	await_threads(&crowd);
	for (int round = 0; round < ROUNDS ||
		((crowd.moved < MOVED || crowd.entered < ENTERED) && round < LONGEST);
		round++) {
		resume(&crowd);
		stop(&crowd);
		check_stopped(&crowd);
	}
	ck_assert_uint_ge(crowd.moved, MOVED);
	ck_assert_uint_ge(crowd.entered, ENTERED);
	finish(&crowd, leaves, calls);
}

START_TEST(threads_stop_in_their_own_code_and_no_call_is_lost)
{
	check_crowd(PROF_STUB_COUNT);
	check_crowd(PROF_STUB_COUNT_CALLERS);
	check_crowd(PROF_STUB_CALL);
}
END_TEST

/* Stops after each instruction of a call. */
static int call_function(void)
{
	patched_child_stop();
	int wrong = CALL(fibonacci)(3) != 2;
	patched_child_stop();
	return wrong;
}

/* Executes one instruction; false: the child has stopped itself. */
static bool step(const struct crowd *crowd)
{
	int status;

	ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, crowd->child.pid, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(crowd->child.pid, &status, 0), crowd->child.pid);
	ck_assert(WIFSTOPPED(status));
	return WSTOPSIG(status) == SIGTRAP;
}

static void check_each_instruction(enum prof_stub_part kind)
{
	struct crowd crowd;
	unsigned steps = 0;

	begin(&crowd, call_function, kind);
	uint32_t leaves = patched_child_add(&crowd.child, leaf);
	uint32_t calls = patched_child_add(&crowd.child, fibonacci);
	patched_child_map(&crowd.child);
	patched_child_turn(&crowd.child);
	do {
		/* The patches are in for a single instruction, and then out again. */
		check_stopped(&crowd);
		ck_assert_ok(prof_patches_put_in(crowd.child.patches, NULL, 0));
		ck_assert(put_back(&crowd, crowd.child.pid));
		bool goes_on = step(&crowd);
		ck_assert(prof_patch_threads_leave(
			&crowd.threads, crowd.child.patches, crowd.child.pid));
		ck_assert_ok(prof_patches_take_out(crowd.child.patches));
		if (!goes_on)
			break;
		/* A stub that is put back each time never comes to its end: let it have some. */
		if (++steps % 3 == 0) {
			ck_assert_ok(prof_patches_put_in(crowd.child.patches, NULL, 0));
			ck_assert(put_back(&crowd, crowd.child.pid));
			for (unsigned i = 0; goes_on && i < 70 + steps % 7; i++)
				goes_on = step(&crowd);
			ck_assert(prof_patch_threads_leave(
				&crowd.threads, crowd.child.patches, crowd.child.pid));
			ck_assert_ok(prof_patches_take_out(crowd.child.patches));
			if (!goes_on)
				break;
		}
	} while (steps < 100000);
	ck_assert_uint_lt(steps, 100000);
	check_calls(&crowd, calls, 5);
	check_calls(&crowd, leaves, 3);
	patched_child_finish(&crowd.child);
	prof_patch_threads_deinit(&crowd.threads);
}

START_TEST(each_instruction_can_be_the_last_before_a_stop)
{
	check_each_instruction(PROF_STUB_COUNT);
	check_each_instruction(PROF_STUB_COUNT_CALLERS);
	check_each_instruction(PROF_STUB_CALL);
}
END_TEST

START_TEST(a_thread_that_is_gone_is_not_moved)
{
	struct prof_patch_start start;
	struct crowd crowd;

	begin(&crowd, call_function, PROF_STUB_COUNT);
	patched_child_add(&crowd.child, leaf);
	kill(crowd.child.pid, SIGKILL);
	ck_assert_int_eq(waitpid(crowd.child.pid, NULL, 0), crowd.child.pid);
	ck_assert(prof_patch_threads_leave(&crowd.threads, crowd.child.patches, crowd.child.pid));
	ck_assert_uint_eq(crowd.threads.items.count, 0);
	ck_assert(!prof_patch_threads_return(
		&crowd.threads, crowd.child.patches, crowd.child.pid, false, &start));
	prof_patch_threads_forget(&crowd.threads, crowd.child.pid);
	prof_patches_destroy(crowd.child.patches);
	prof_patch_threads_deinit(&crowd.threads);
}
END_TEST

RUN_DECODER_TESTS("patch_threads", threads_stop_in_their_own_code_and_no_call_is_lost,
	each_instruction_can_be_the_last_before_a_stop, a_thread_that_is_gone_is_not_moved)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
