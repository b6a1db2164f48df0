/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target_child.h"

#include <pthread.h>
#include <sys/syscall.h>

START_TEST(walks_a_deep_recursion_to_its_end)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, recurse_deep);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	for (int i = 0; i <= 2000; i++)
		EXPECT(&child, &stack, &at, (const void *)recurse);
	EXPECT(&child, &stack, &at, (const void *)recurse_deep, (const void *)start);
	finish(&child);
}
END_TEST

START_TEST(keeps_the_innermost_frames_of_what_is_too_deep)
{
	struct prof_registers registers;
	struct child child;
	struct stack whole;
	uint64_t frames[DEPTH];
	enum prof_stack_end end;

	start(&child, recurse_deep);
	walk(&child, &whole);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	const size_t depths[] = {0, 1, 2, 10, whole.count - 1, whole.count, whole.count + 1};
	for (size_t i = 0; i < PROF_COUNT(depths); i++) {
		size_t count =
			prof_unwinder_walk(child.unwinder, &registers, frames, depths[i], &end);
		bool fits = depths[i] >= whole.count;
		ck_assert_uint_eq(count, fits ? whole.count : depths[i]);
		ck_assert_int_eq(end, fits ? PROF_STACK_WHOLE : PROF_STACK_TRUNCATED);
		ck_assert_mem_eq(frames, whole.frames, count * sizeof *frames);
	}
	finish(&child);
}
END_TEST

struct counted {
	struct prof_target target;
	unsigned reads;
	size_t bytes;
};

static size_t count_read(void *context, uint64_t address, void *buffer, size_t length)
{
	struct counted *counted = context;

	counted->reads++;
	counted->bytes += length;
	return counted->target.read_memory(counted->target.context, address, buffer, length);
}

START_TEST(reads_a_stack_at_once_when_it_knows_how_deep_they_are)
{
	struct prof_registers registers;
	struct counted counted = {0};
	struct child child;
	struct stack first, second;

	start(&child, recurse_deep);
	counted.target = child.target;
	prof_unwinder_destroy(child.unwinder);
	const struct prof_target target = {count_read, &counted};
	ck_assert_ok(prof_unwinder_create(child.pid, &target, &child.unwinder));
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	walk_registers(&child, &registers, &first);
	counted.reads = 0;
	counted.bytes = 0;
	walk_registers(&child, &registers, &second);
	ck_assert_uint_eq(counted.reads, 1);
	ck_assert_uint_eq(first.count, second.count);
	ck_assert_mem_eq(first.frames, second.frames, first.count * sizeof *first.frames);
	finish(&child);
}
END_TEST

static KEPT void recurse_twenty(void)
{
	CALL(recurse, 18);
}

enum { SAMPLES = 100 };

/* Takes samples of a child, warm ones between two calls that mark them. */
static void take_samples(void)
{
	struct prof_registers registers;
	struct child child;
	struct stack stack;

	start(&child, recurse_twenty);
	walk(&child, &stack);
	syscall(SYS_getppid);
	for (int i = 0; i < SAMPLES; i++) {
		/* No checks: they make system calls of their own. */
		prof_error_destroy(prof_process_registers(child.pid, &registers));
		prof_unwinder_walk(child.unwinder, &registers, stack.frames, DEPTH, &stack.end);
	}
	syscall(SYS_getppid);
	expect_whole(&child, &stack);
	finish(&child);
}

/* The number of the system call that PROCESS, traced, is about to make next; -1: it has ended. */
static long await_call(pid_t process)
{
	struct __ptrace_syscall_info info = {0};
	int status;

	do {
		ck_assert_int_eq(ptrace(PTRACE_SYSCALL, process, NULL, NULL), 0);
		ck_assert_int_eq(waitpid(process, &status, 0), process);
		if (!WIFSTOPPED(status))
			return -1;
		ptrace(PTRACE_GET_SYSCALL_INFO, process, (void *)sizeof info, &info);
	} while (info.op != PTRACE_SYSCALL_INFO_ENTRY);
	return (long)info.entry.nr;
}

START_TEST(a_warm_sample_takes_two_system_calls)
{
	unsigned registers = 0, memory = 0, others = 0;
	long call;
	int status;
	pid_t sampler = fork();

	if (!sampler) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		take_samples();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(sampler, &status, 0), sampler);
	ptrace(PTRACE_SETOPTIONS, sampler, NULL,
		(void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD));
	while ((call = await_call(sampler)) != SYS_getppid)
		ck_assert_int_ge(call, 0);
	while ((call = await_call(sampler)) != SYS_getppid) {
		ck_assert_int_ge(call, 0);
		registers += call == SYS_ptrace;
		memory += call == SYS_process_vm_readv;
		others += call != SYS_ptrace && call != SYS_process_vm_readv;
	}
	ck_assert_uint_eq(registers, SAMPLES);
	ck_assert_uint_eq(memory, SAMPLES);
	ck_assert_uint_le(others, 2); /* sanitizers make some now and then */
	while (await_call(sampler) >= 0)
		;
}
END_TEST

static KEPT void recurse_wide(int depth)
{
	char bytes[1000];

	memset(bytes, depth, sizeof bytes);
	if (depth)
		CALL(recurse_wide, depth - 1);
	else
		stop_here();
	sink += bytes[sink % 1000];
}

static KEPT void recurse_far(void)
{
	CALL(recurse_wide, 3000);
}

START_TEST(walks_stacks_of_many_megabytes)
{
	struct child child;
	struct stack stack;
	size_t at = 3001;

	start(&child, recurse_far);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse_far, (const void *)start);
	finish(&child);
}
END_TEST

static KEPT void fill_much(void)
{
	char bytes[300000];

	memset(bytes, sink, sizeof bytes);
	CALL(recurse, 3);
	sink += bytes[sink % 1000];
}

static KEPT void fill_more(void)
{
	char bytes[3000000];

	memset(bytes, sink, sizeof bytes);
	CALL(fill_much);
	sink += bytes[sink % 1000];
}

START_TEST(crosses_large_frames)
{
	struct child child;
	struct stack stack;
	size_t at = 4;

	start(&child, fill_more);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)fill_much, (const void *)fill_more,
		(const void *)start);
	finish(&child);
}
END_TEST

/*
 * end_in_call() calls as the last thing it does: the return address lies in another function.
 * bare_frame() has no call frame information.
 */
__asm__(".text\n"
	"end_in_call: .cfi_startproc\n"
	"	sub $8, %rsp\n	.cfi_def_cfa_offset 16\n	call *%rdi\n"
	"	.cfi_endproc\n"
	"after_call: .cfi_startproc\n"
	"	push %rbx\n	.cfi_def_cfa_offset 16\n	.cfi_offset rbx, -16\n	ret\n"
	"	.cfi_endproc\n"
	"bare_frame:\n"
	"	push %rbp\n	mov %rsp, %rbp\n	sub $64, %rsp\n	call *%rdi\n"
	"	leave\n	ret\n"
	"bare_frame_end:\n"
	"	nop\n");

extern void end_in_call(void (*function)(void)), bare_frame(void (*)(void));
extern const char bare_frame_end[];

START_TEST(comes_back_from_the_library_into_the_program)
{
	struct child child;
	struct stack stack;

	start(&child, sort);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert(is_in(&child, stack.frames[0], (const void *)compare));
	size_t at = find_frame(&child, &stack, (const void *)sort);
	ck_assert_uint_ge(at, 2);
	EXPECT(&child, &stack, &at, (const void *)sort, (const void *)start);
	finish(&child);
}
END_TEST

static void *run_thread(void *argument)
{
	CALL(recurse, 2);
	return argument;
}

static KEPT void start_thread(void)
{
	pthread_t thread;

	stop_here();
	pthread_create(&thread, NULL, run_thread, NULL);
	pthread_join(thread, NULL);
}

START_TEST(walks_a_thread_to_its_end)
{
	struct prof_registers registers;
	struct child child;
	struct stack stack;
	unsigned long lwp = 0;
	size_t at = 0;
	int status;

	start(&child, start_thread);
	ptrace(PTRACE_SETOPTIONS, child.pid, NULL,
		(void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE));
	run_on(&child, PTRACE_CONT, child.pid, 0);
	ck_assert_int_eq(ptrace(PTRACE_GETEVENTMSG, child.pid, NULL, &lwp), 0);
	ck_assert_int_eq(waitpid((pid_t)lwp, &status, __WALL), (pid_t)lwp);
	run_on(&child, PTRACE_CONT, (pid_t)lwp, 0);
	ck_assert_ok(prof_process_registers((pid_t)lwp, &registers));
	walk_registers(&child, &registers, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse, (const void *)recurse,
		(const void *)recurse, (const void *)run_thread);
	ck_assert_int_eq(stack.end, PROF_STACK_WHOLE);
	ck_assert_uint_le(stack.count, at + 3);
	finish(&child);
}
END_TEST

static KEPT void call_noreturn(void)
{
	CALL(end_in_call, recurse_deep);
}

START_TEST(a_call_that_ends_a_function_counts_for_it)
{
	struct child child;
	struct stack stack;
	size_t at = 2001;

	start(&child, call_noreturn);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse_deep, (const void *)end_in_call,
		(const void *)call_noreturn, (const void *)start);
	finish(&child);
}
END_TEST

static KEPT void run_coroutine(void)
{
	CALL(recurse, 1);
}

static KEPT void switch_to_coroutine(void)
{
	switch_to(run_coroutine);
}

START_TEST(a_coroutine_has_a_stack_of_its_own)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, switch_to_coroutine);
	walk(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse, (const void *)recurse,
		(const void *)run_coroutine);
	ck_assert_int_eq(stack.end, PROF_STACK_WHOLE);
	ck_assert_uint_eq(stack.count, at + 1);
	/* What it returns to was never called, and is told by its first byte. */
	EXPECT(&child, &stack, &at, (const void *)(uintptr_t)stack.frames[at]);
	finish(&child);
}
END_TEST

static KEPT void call_bare(void)
{
	CALL(bare_frame, run_coroutine);
}

START_TEST(follows_frame_pointers_where_nothing_else_is_known)
{
	struct child child;
	struct stack stack;
	size_t at = 3;

	start(&child, call_bare);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert_uint_ge(stack.frames[at], (uintptr_t)bare_frame);
	ck_assert_uint_lt(stack.frames[at], (uintptr_t)bare_frame_end);
	at++;
	EXPECT(&child, &stack, &at, (const void *)call_bare, (const void *)start);
	finish(&child);
}
END_TEST

RUN_TESTS("unwind", a_warm_sample_takes_two_system_calls, walks_a_deep_recursion_to_its_end,
	keeps_the_innermost_frames_of_what_is_too_deep,
	reads_a_stack_at_once_when_it_knows_how_deep_they_are, walks_stacks_of_many_megabytes,
	crosses_large_frames, comes_back_from_the_library_into_the_program,
	walks_a_thread_to_its_end, a_call_that_ends_a_function_counts_for_it,
	a_coroutine_has_a_stack_of_its_own, follows_frame_pointers_where_nothing_else_is_known)
