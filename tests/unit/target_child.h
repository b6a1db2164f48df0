/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children whose stacks are walked, for the tests of the unwinder. */
#ifndef PROF_TESTS_TARGET_CHILD_H
#define PROF_TESTS_TARGET_CHILD_H

#include "target/process.h"
#include "target/unwind.h"

#include "suite.h"

#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/*
 * The stacks that are walked are those of children, which are this program itself: an address of a
 * function here is its address there.  A child stops where it shall be looked at by int3.
 */

enum { DEPTH = 4096, RSP = 7, RBP = 6, RIP = 16 };

#define KEPT __attribute__((noinline, unused))

static volatile int sink;

static inline __attribute__((always_inline)) void stop_here(void)
{
	__asm__ volatile("int3" ::: "memory");
}

/* A call that no compiler sees through, and that is no tail call. */
#define CALL(function, ...)                                               \
	do {                                                              \
		__typeof__(*(function)) *volatile function_ = (function); \
		function_(__VA_ARGS__);                                   \
		sink++;                                                   \
	} while (0)

struct child {
	pid_t pid;
	struct prof_process process;
	struct prof_target target;
	struct prof_unwinder *unwinder;
	int signal; /* that it stopped with */
};

struct stack {
	uint64_t frames[DEPTH];
	size_t count;
	enum prof_stack_end end;
};

/* Runs CHILD on with REQUEST until the thread LWP stops. */
static inline void run_on(struct child *child, int request, pid_t lwp, int signal)
{
	int status;

	ck_assert_int_eq(ptrace(request, lwp, NULL, (void *)(intptr_t)signal), 0);
	ck_assert_int_eq(waitpid(lwp, &status, __WALL), lwp);
	ck_assert(WIFSTOPPED(status));
	child->signal = WSTOPSIG(status);
}

/* Starts a child that runs FUNCTION, up to its first stop. */
static inline void start(struct child *child, void (*function)(void))
{
	int status;

	child->pid = fork();
	if (!child->pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		CALL(function);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child->pid, &status, 0), child->pid);
	ptrace(PTRACE_SETOPTIONS, child->pid, NULL, (void *)(PTRACE_O_EXITKILL));
	prof_process_init(&child->process, child->pid);
	child->target = prof_process_target(&child->process);
	ck_assert_ok(prof_unwinder_create(child->pid, &child->target, &child->unwinder));
	run_on(child, PTRACE_CONT, child->pid, 0);
}

static inline void finish(struct child *child)
{
	kill(child->pid, SIGKILL);
	/* The leader of traced threads can only be had after them. */
	while (waitpid(-1, NULL, __WALL) > 0)
		;
	prof_unwinder_destroy(child->unwinder);
}

static inline void walk_registers(
	struct child *child, const struct prof_registers *registers, struct stack *stack)
{
	stack->end = -1;
	stack->count =
		prof_unwinder_walk(child->unwinder, registers, stack->frames, DEPTH, &stack->end);
	ck_assert_uint_ge(stack->count, 1);
	ck_assert_uint_le(stack->count, DEPTH);
}

static inline void walk(struct child *child, struct stack *stack)
{
	struct prof_registers registers;

	ck_assert_ok(prof_process_registers(child->pid, &registers));
	walk_registers(child, &registers, stack);
}

/* Whether the lookup address FRAME lies in FUNCTION. */
static inline bool is_in(struct child *child, uint64_t frame, const void *function)
{
	uint64_t low, high;

	return prof_unwinder_bounds(child->unwinder, frame, &low, &high) &&
		low == (uintptr_t)function && low <= frame && frame < high;
}

/* Checks that the frames of STACK from *AT on are of FUNCTIONS, and moves *AT behind them. */
static inline void expect(struct child *child, const struct stack *stack, size_t *at,
	const void *const *functions, size_t count)
{
	for (size_t i = 0; i < count; i++, (*at)++) {
		ck_assert_uint_lt(*at, stack->count);
		ck_assert_msg(is_in(child, stack->frames[*at], functions[i]),
			"frame %zu of %zu, %#lx, is not in function %zu", *at, stack->count,
			(unsigned long)stack->frames[*at], i);
	}
}

#define EXPECT(child, stack, at, ...)                                         \
	do {                                                                  \
		const void *const functions_[] = {__VA_ARGS__};               \
		expect(child, stack, at, functions_, PROF_COUNT(functions_)); \
	} while (0)

/* The first frame of STACK in FUNCTION, or its count. */
static inline size_t find_frame(
	struct child *child, const struct stack *stack, const void *function)
{
	size_t i = 0;

	while (i < stack->count && !is_in(child, stack->frames[i], function))
		i++;
	return i;
}

/* Whole stacks end in start(), its callers, main() and what comes before it. */
static inline void expect_whole(struct child *child, const struct stack *stack)
{
	ck_assert_int_eq(stack->end, PROF_STACK_WHOLE);
	size_t begin = find_frame(child, stack, (const void *)start);
	ck_assert_uint_lt(begin, stack->count);
	ck_assert_uint_lt(find_frame(child, stack, (const void *)run_tests), stack->count);
}

static KEPT void recurse(int depth)
{
	if (depth)
		CALL(recurse, depth - 1);
	else
		stop_here();
	sink++;
}

static KEPT void recurse_deep(void)
{
	CALL(recurse, 2000);
}

static inline int compare(const void *left, const void *right)
{
	if (!sink++)
		stop_here();
	return *(const int *)left - *(const int *)right;
}

static KEPT void sort(void)
{
	int numbers[] = {4, 3, 2, 1};

	qsort(numbers, PROF_COUNT(numbers), sizeof *numbers, compare);
	sink += numbers[0];
}

/* Calls FUNCTION on a stack of its own: of SIZE bytes, at BYTES. */
static KEPT void switch_stacks(void (*function)(void), void *bytes, size_t size)
{
	static ucontext_t outside, inside;

	getcontext(&inside);
	inside.uc_stack.ss_sp = bytes;
	inside.uc_stack.ss_size = size;
	inside.uc_link = &outside;
	makecontext(&inside, function, 0);
	swapcontext(&outside, &inside);
}

static KEPT void switch_to(void (*function)(void))
{
	static char bytes[65536];

	switch_stacks(function, bytes, sizeof bytes);
}

/* Has HANDLER handle SIGNAL, on a stack of its own. */
static inline void handle_elsewhere(int signal, void (*handler)(int))
{
	static char bytes[65536];
	const stack_t alternate = {.ss_sp = bytes, .ss_size = sizeof bytes};
	const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	sigaltstack(&alternate, NULL);
	sigaction(signal, &action, NULL);
}

#endif
