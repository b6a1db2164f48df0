/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A debugger that resumes, steps and stops threads, and reads memory: it sees no patches. */
#include "patching/patched.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_debugger.h"

#include <sys/syscall.h>

/* Stops all threads but the first one, which waits; each is stepped while others go on. */
static void stop_and_step(unsigned turn)
{
	for (size_t i = 1; i < debugger.count; i++) {
		pid_t thread = debugger.ids[i];
		ck_assert_int_eq(syscall(SYS_tgkill, debugger.child.pid, thread, SIGSTOP), 0);
		ck_assert_int_eq(await(thread), SIGSTOP);
		check_view(thread, (const void *)leaf);
		for (unsigned j = 0; j < turn % 40; j++) {
			resume(thread, PTRACE_SINGLESTEP);
			ck_assert_int_eq(await(thread), SIGTRAP);
			check_view(thread, (const void *)fibonacci);
			if (patched_child_records)
				recorded_read(&debugger.child);
		}
	}
}

/* The same calls by caller: all callers are known if the stubs look for them. */
static void check_callers(const uint64_t *counts, uint32_t count)
{
	PROF_AUTO(prof_patch_callers_deinit) struct prof_patch_callers callers = {0};

	ck_assert_ok(prof_patched_count_callers(debugger.patched, &callers));
	for (uint32_t i = 0; i < count; i++) {
		uint64_t sum = 0;
		for (size_t j = 0; j < callers.items.count; j++) {
			const struct prof_patch_caller *item = &callers.items.items[j];
			ck_assert_int_eq(item->caller != 0, kind == PROF_STUB_COUNT_CALLERS);
			sum += item->function == i + 1 ? item->calls : 0;
		}
		ck_assert_uint_eq(sum, counts[i]);
	}
	if (kind == PROF_STUB_COUNT_CALLERS)
		ck_assert_uint_eq(
			prof_patch_callers_calls(&callers, 1, (uintptr_t)behind_leaf), counts[2]);
}

/* The blocks of threads are where no kernel maps anything by itself. */
static void check_blocks(void)
{
	struct prof_stub_control control;

	ck_assert(prof_process_read(
		debugger.child.pid, debugger.child.settings.control, &control, sizeof control));
	ck_assert_uint_ne(control.first, 0);
	ck_assert_uint_eq(control.first >> 43, BLOCKS);
}

static void check_counts(uint64_t leaves, uint64_t calls, uint64_t beginnings)
{
	uint64_t counts[3];

	if (patched_child_records) {
		recorded_check(&debugger.child, 1, leaves);
		recorded_check(&debugger.child, 2, calls);
		recorded_check(&debugger.child, 3, beginnings);
		return;
	}
	ck_assert_ok(prof_patched_count(debugger.patched, counts, 3));
	ck_assert_uint_eq(counts[0], leaves);
	ck_assert_uint_eq(counts[1], calls);
	ck_assert_uint_eq(counts[2], beginnings);
	check_callers(counts, 3);
}

static void finish(void)
{
	prof_patched_destroy(debugger.patched);
	patched_child_finish(&debugger.child);
}

static void for_all_kinds(void (*check)(void))
{
	kind = PROF_STUB_COUNT;
	check();
	kind = PROF_STUB_COUNT_CALLERS;
	check();
	kind = PROF_STUB_CALL;
	check();
}

static void stop_and_step_threads(void)
{
	/* There is room for what is recorded until it is read. */
	const unsigned rounds = kind == PROF_STUB_CALL ? 20 : 200;
	uint64_t turns = 0;
	int status;
	pid_t first;

	begin(crowd_run, true);
	shared->slow = kind == PROF_STUB_CALL;
	first = debugger.child.pid;
	make_threads();
	for (unsigned round = 0; round < rounds; round++) {
		for (size_t i = 0; i < debugger.count; i++)
			resume(debugger.ids[i], PTRACE_CONT);
		ck_assert(!patched_child_same(&debugger.child, leaf, LOOKED));
		stop_and_step(round);
		ck_assert(!patched_child_same(&debugger.child, leaf, LOOKED));
		ck_assert_int_eq(syscall(SYS_tgkill, first, first, SIGSTOP), 0);
		ck_assert_int_eq(await(first), SIGSTOP);
		ck_assert(patched_child_same(&debugger.child, leaf, LOOKED));
		ck_assert(patched_child_same(&debugger.child, fibonacci, LOOKED));
		if (patched_child_records)
			recorded_read(&debugger.child);
	}
	shared->end = 1;
	for (size_t i = 0; i < debugger.count; i++)
		resume(debugger.ids[i], PTRACE_CONT);
	for (size_t i = 1; i < debugger.count; i++) {
		ck_assert_int_eq(waitpid(debugger.ids[i], &status, __WALL), debugger.ids[i]);
		ck_assert_msg(WIFEXITED(status), "status %x", status);
		ck_assert_ok(prof_patched_forget(debugger.patched, debugger.ids[i]));
		turns += shared->turns[i - 1];
	}
	ck_assert_int_eq(await(first), SIGSTOP);
	ck_assert_uint_eq(shared->wrong, 0);
	ck_assert(patched_child_same(&debugger.child, leaf, LOOKED));
	check_blocks();
	check_counts(turns * LEAVES, turns * CALLS, 0);
	finish();
}

START_TEST(threads_are_stopped_and_stepped_while_others_go_on)
{
	for_all_kinds(stop_and_step_threads);
}
END_TEST

static int call_function(void)
{
	patched_child_stop();
	int wrong = CALL(fibonacci)(4) != 3 || CALL(beginning)(5) != 17;
	patched_child_stop();
	return wrong;
}

/* What a debugger sees of a thread. */
struct view {
	struct user_regs_struct registers;
	uint64_t stack[WORDS];
};

/* Is WORD an address of code of this program? */
static bool is_code(uint64_t word)
{
#ifdef __SANITIZE_ADDRESS__ /* whose frames have words that nobody has written */
	(void)word;
	return false;
#endif
	const uint64_t near = 1 << 20;

	return word - ((uintptr_t)leaf - near) < 2 * near;
}

static void take_view(pid_t thread, struct view *ret)
{
	uint64_t byte = 1, sp;

	ret->registers = registers_of(thread);
	sp = ret->registers.rsp;
	ck_assert(prof_process_read(thread, sp, ret->stack, sizeof ret->stack));
	prof_patched_mask_returns(debugger.patched, sp, ret->stack, sizeof ret->stack);
	/* A part of a word. */
	ck_assert(prof_process_read(thread, sp + byte, (char *)ret->stack + byte, 2));
	prof_patched_mask_returns(debugger.patched, sp + byte, (char *)ret->stack + byte, 2);
}

/* Steps a child through call_function(); *COUNT is how many views SEEN then has. */
static void step_through(struct view *seen, size_t *count, bool patches)
{
	pid_t first;

	begin(call_function, patches);
	first = debugger.child.pid;
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	for (*count = 0; *count < STEPS; ++*count) {
		resume(first, PTRACE_SINGLESTEP);
		if (await(first) != SIGTRAP)
			break;
		take_view(first, &seen[*count]);
		/* Two children differ in their ids. */
		if (seen[*count].registers.rax == (uint64_t)first)
			seen[*count].registers.rax = 0;
		if (seen[*count].registers.rdi == (uint64_t)first)
			seen[*count].registers.rdi = 0;
		check_view(first, (const void *)beginning);
	}
}

static void compare_steps(void)
{
	static struct view seen[2][STEPS];
	size_t count[2];

	step_through(seen[0], &count[0], false);
	finish();
	step_through(seen[1], &count[1], true);
	check_counts(5 + 1, 9, 1);
	finish();
	ck_assert_uint_gt(count[0], 100);
	ck_assert_uint_lt(count[0], STEPS);
	ck_assert_uint_eq(count[0], count[1]);
	for (size_t i = 0; i < count[0]; i++) {
		ck_assert_msg(seen[0][i].registers.rip == seen[1][i].registers.rip, "step %zu", i);
		ck_assert_msg(seen[0][i].registers.rsp == seen[1][i].registers.rsp, "step %zu", i);
		ck_assert_msg(seen[0][i].registers.rax == seen[1][i].registers.rax, "step %zu", i);
		ck_assert_msg(seen[0][i].registers.rdi == seen[1][i].registers.rdi, "step %zu", i);
		ck_assert_msg(
			seen[0][i].registers.eflags == seen[1][i].registers.eflags, "step %zu", i);
		for (size_t j = 0; j < WORDS; j++)
			ck_assert_msg(!is_code(seen[0][i].stack[j]) ||
					seen[0][i].stack[j] == seen[1][i].stack[j],
				"step %zu, word %zu", i, j);
	}
}

START_TEST(single_steps_are_those_of_a_program_without_patches)
{
	for_all_kinds(compare_steps);
}
END_TEST

START_TEST(writes_to_patches_have_to_wait)
{
	const uint64_t address = (uintptr_t)beginning;
	pid_t first;

	begin(call_function, true);
	first = debugger.child.pid;
	ck_assert(prof_patched_may_write(debugger.patched, address, 1));
	resume(first, PTRACE_CONT);
	ck_assert(!prof_patched_may_write(debugger.patched, address, 1));
	ck_assert(!prof_patched_may_write(debugger.patched, address + 5, 1));
	ck_assert(!prof_patched_may_write(debugger.patched, address - 8, 9));
	ck_assert(prof_patched_may_write(debugger.patched, address - 8, 8));
	ck_assert(prof_patched_may_write(debugger.patched, address + 6, 1));
	ck_assert_int_eq(await(first), SIGSTOP);
	ck_assert(prof_patched_may_write(debugger.patched, address, 1));
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	finish();
}
END_TEST

START_TEST(a_thread_whose_word_is_used_is_refused)
{
	const uint64_t used = 7, unused = 0;
	uint64_t word;

	begin(call_function, true);
	word = registers_of(debugger.child.pid).fs_base + PROF_THREAD_WORD;
	ck_assert_ok(prof_process_write(debugger.child.pid, word, &used, sizeof used));
	ck_assert_ptr_nonnull(prof_patched_admit(debugger.patched, debugger.child.pid));
	ck_assert_ok(prof_process_write(debugger.child.pid, word, &unused, sizeof unused));
	ck_assert_ptr_null(prof_patched_admit(debugger.patched, debugger.child.pid));
	for (int i = 0; i < 2; i++) {
		resume(debugger.child.pid, PTRACE_CONT);
		ck_assert_int_eq(await(debugger.child.pid), SIGSTOP);
	}
	check_counts(5 + 1, 9, 1);
	finish();
}
END_TEST

/* Where the debugger has a thread return to. */
extern const char returned[];
__asm__(".text\nreturned:	int3\n");

/* Has THREAD, which stands still, call FUNCTION, as debuggers do. */
static void call(pid_t thread, const void *function, uint64_t argument)
{
	const struct user_regs_struct before = registers_of(thread);
	const uint64_t address = (uintptr_t)returned;
	struct user_regs_struct calling = before;

	calling.rip = (uintptr_t)function;
	calling.rdi = argument;
	calling.rsp = ((calling.rsp - 256) & ~UINT64_C(15)) - 8;
	ck_assert_ok(prof_process_write(thread, calling.rsp, &address, sizeof address));
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, thread, NULL, &calling), 0);
	resume(thread, PTRACE_CONT);
	ck_assert_int_eq(await(thread), SIGTRAP);
	ck_assert_uint_eq(registers_of(thread).rip, address + 1);
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, thread, NULL, &before), 0);
}

static void call_by_debugger(void)
{
	pid_t first;

	begin(call_function, true);
	first = debugger.child.pid;
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	while (registers_of(first).rip != (uintptr_t)leaf) {
		resume(first, PTRACE_SINGLESTEP);
		ck_assert_int_eq(await(first), SIGTRAP);
	}
	/* The step is counted, and a signal comes before it is made. */
	ck_assert_ok(prof_patched_resume(debugger.patched, first, true));
	ck_assert(kind == PROF_STUB_CALL || registers_of(first).rip != (uintptr_t)leaf);
	ck_assert(meet(first, SIGUSR1 << 8 | 0x7f));
	ck_assert_uint_eq(registers_of(first).rip, (uintptr_t)leaf);
	call(first, (const void *)fibonacci, NUMBER);
	call(first, (const void *)leaf, 1);
	ck_assert_uint_eq(registers_of(first).rip, (uintptr_t)leaf);
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	check_counts(5 + 1 + LEAVES + 1, 9 + CALLS, 1);
	finish();
}

/* The child is stopped as soon as the kernel has mapped the block of its thread. */
static void stop_while_block_is_made(void)
{
	pid_t first;
	int status;

	begin(call_function, true);
	first = debugger.child.pid;
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	ck_assert_ok(prof_patched_resume(debugger.patched, first, false));
	for (int i = 0; i < STEPS && registers_of(first).rax >> 43 != BLOCKS; i++) {
		ck_assert_int_eq(ptrace(PTRACE_SYSCALL, first, NULL, NULL), 0);
		ck_assert_int_eq(waitpid(first, &status, 0), first);
	}
	ck_assert_int_eq(status >> 8, SIGTRAP);
	ck_assert(meet(first, status));
	ck_assert_uint_eq(registers_of(first).rip, (uintptr_t)fibonacci);
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	check_blocks();
	check_counts(5 + 1, 9, 1);
	finish();
}

START_TEST(blocks_lie_apart_although_their_threads_are_stopped)
{
	for_all_kinds(stop_while_block_is_made);
}
END_TEST

START_TEST(calls_by_the_debugger_are_counted_once)
{
	for_all_kinds(call_by_debugger);
}
END_TEST

START_TEST(patches_are_out_when_the_last_that_went_on_has_ended)
{
	int status;
	pid_t first;

	begin(crowd_run, true);
	first = debugger.child.pid;
	make_threads();
	shared->end = 1;
	for (size_t i = 1; i < debugger.count; i++)
		resume(debugger.ids[i], PTRACE_CONT);
	for (size_t i = 1; i < debugger.count; i++) {
		ck_assert(!patched_child_same(&debugger.child, leaf, LOOKED));
		ck_assert_int_eq(waitpid(debugger.ids[i], &status, __WALL), debugger.ids[i]);
		ck_assert_ok(prof_patched_forget(debugger.patched, debugger.ids[i]));
	}
	ck_assert(patched_child_same(&debugger.child, leaf, LOOKED));
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(await(first), SIGSTOP);
	finish();
}
END_TEST

static int call_and_fork(void)
{
	unsigned wrong = crowd_call_and_fork();

	patched_child_stop();
	return wrong != 0;
}

START_TEST(forked_children_have_no_patches)
{
	unsigned long forked;
	int status;
	pid_t first;

	begin(call_and_fork, true);
	first = debugger.child.pid;
	ck_assert_int_eq(ptrace(PTRACE_SETOPTIONS, first, NULL,
				 (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK)),
		0);
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(waitpid(first, &status, 0), first);
	ck_assert_int_eq(status >> 8, SIGTRAP | PTRACE_EVENT_FORK << 8);
	ck_assert_int_eq(ptrace(PTRACE_GETEVENTMSG, first, NULL, &forked), 0);
	ck_assert_int_eq(waitpid((pid_t)forked, &status, __WALL), (pid_t)forked);
	struct patched_child child = {.pid = (pid_t)forked};
	ck_assert(!patched_child_same(&child, leaf, LOOKED));
	ck_assert_ok(prof_patched_clear_child(debugger.patched, child.pid));
	ck_assert(patched_child_same(&child, leaf, LOOKED));
	ck_assert(patched_child_same(&child, fibonacci, LOOKED));
	ck_assert(!patched_child_same(&debugger.child, leaf, LOOKED));
	ck_assert_int_eq(ptrace(PTRACE_DETACH, child.pid, NULL, NULL), 0);
	ck_assert(meet(first, SIGTRAP << 8));
	resume(first, PTRACE_CONT);
	/* SIGCHLD may come first. */
	while (await(first) == SIGCHLD)
		resume(first, PTRACE_CONT);
	check_counts(2 * LEAVES, 2 * CALLS, 0);
	ck_assert_error(prof_patches_clear_child(prof_patched_patches(debugger.patched), child.pid),
		"cannot patch");
	finish();
}
END_TEST

static volatile int handled;

static void stop_in_handler(int number)
{
	(void)number;
	patched_child_stop();
	handled++;
}

static int call_with_signal(void)
{
	struct sigaction action = {.sa_handler = stop_in_handler};

	sigaction(SIGUSR1, &action, NULL);
	patched_child_stop();
	int wrong = CALL(beginning)(5) != 17;
	wrong += handled != 1 || CALL(beginning)(6) != 20;
	patched_child_stop();
	return wrong;
}

/* Steps until the child is one instruction behind the beginning of beginning(), without patches. */
static void step_into(pid_t thread)
{
	int status;

	for (int i = 0; i < STEPS && registers_of(thread).rip != (uintptr_t)beginning + 1; i++) {
		ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, thread, NULL, NULL), 0);
		ck_assert_int_eq(waitpid(thread, &status, 0), thread);
	}
	ck_assert_uint_eq(registers_of(thread).rip, (uintptr_t)beginning + 1);
}

START_TEST(code_that_a_handler_returns_to_is_not_replaced)
{
	const struct prof_patches *patches;
	pid_t first;
	int status;

	begin(call_with_signal, true);
	first = debugger.child.pid;
	patches = prof_patched_patches(debugger.patched);
	patched_child_turn(&debugger.child);
	step_into(first);
	/* The handler stops the child before any patch was in. */
	ck_assert_int_eq(ptrace(PTRACE_CONT, first, NULL, (void *)SIGUSR1), 0);
	ck_assert_int_eq(waitpid(first, &status, 0), first);
	ck_assert_int_eq(WSTOPSIG(status), SIGSTOP);
	ck_assert(prof_patches_are_new(patches));
	resume(first, PTRACE_CONT);
	ck_assert_int_eq(prof_patches_state(patches, 1), PROF_PATCHES_IN);
	ck_assert_int_eq(prof_patches_state(patches, 3), PROF_PATCHES_RESUMED);
	ck_assert_int_eq(await(first), SIGSTOP);
	check_counts(2, 0, 0);
	ck_assert(prof_patches_are_new(patches));
	resume(first, PTRACE_SINGLESTEP);
	ck_assert_int_eq(prof_patches_state(patches, 3), PROF_PATCHES_IN);
	ck_assert(!prof_patches_are_new(patches));
	ck_assert_int_eq(await(first), SIGTRAP);
	finish();
}
END_TEST

RUN_DECODER_TESTS("patched", calls_by_the_debugger_are_counted_once,
	patches_are_out_when_the_last_that_went_on_has_ended, forked_children_have_no_patches,
	code_that_a_handler_returns_to_is_not_replaced,
	blocks_lie_apart_although_their_threads_are_stopped,
	single_steps_are_those_of_a_program_without_patches, writes_to_patches_have_to_wait,
	a_thread_whose_word_is_used_is_refused, threads_are_stopped_and_stepped_while_others_go_on)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
