/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target_child.h"

#include <sys/syscall.h>

/*
 * trap_first() begins with what raises SIGILL: one byte before it lies another function.
 * bare_restore() has no call frame information.
 */
__asm__(".text\n"
	"before_trap: .cfi_startproc\n	ret\n	.cfi_endproc\n"
	"trap_first: .cfi_startproc\n"
	"	ud2\n	ret\n"
	"	.cfi_endproc\n"
	"	nop\n"
	"bare_restore:\n"
	"	mov $15, %rax\n	syscall\n");

extern void trap_first(void), bare_restore(void);

static void handle(int signal)
{
	(void)signal;
	stop_here();
	sink++;
}

static KEPT void take_signal(void)
{
	handle_elsewhere(SIGILL, handle);
	CALL(trap_first);
}

/* Walks CHILD, in the handler of what trap_first() has raised, to where *AT is behind that. */
static void walk_trap(struct child *child, struct stack *stack, size_t *at)
{
	*at = 0;
	ck_assert_int_eq(child->signal, SIGILL);
	run_on(child, PTRACE_CONT, child->pid, SIGILL);
	walk(child, stack);
	expect_whole(child, stack);
	EXPECT(child, stack, at, (const void *)handle);
	++*at; /* what it returns to */
	ck_assert_uint_eq(stack->frames[*at], (uintptr_t)trap_first);
	EXPECT(child, stack, at, (const void *)trap_first);
}

START_TEST(passes_a_signal_handler_on_another_stack)
{
	struct child child;
	struct stack stack;
	size_t at;

	start(&child, take_signal);
	walk_trap(&child, &stack, &at);
	EXPECT(&child, &stack, &at, (const void *)take_signal, (const void *)start);
	finish(&child);
}
END_TEST

/* As C libraries do that do not describe what their handlers return to. */
static KEPT void take_signal_bare(void)
{
	const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} action = {handle, 0x04000000 /* SA_RESTORER */, bare_restore, 0};

	ck_assert_int_eq(syscall(SYS_rt_sigaction, SIGILL, &action, NULL, sizeof action.mask), 0);
	CALL(trap_first);
}

START_TEST(passes_a_signal_handler_that_returns_to_who_knows_what)
{
	struct child child;
	struct stack stack;
	size_t at;

	start(&child, take_signal_bare);
	walk_trap(&child, &stack, &at);
	ck_assert_uint_eq(stack.frames[1], (uintptr_t)bare_restore - 1);
	EXPECT(&child, &stack, &at, (const void *)take_signal_bare, (const void *)start);
	finish(&child);
}
END_TEST

static KEPT void call_nothing(void)
{
	void (*volatile nothing)(void) = NULL;

	nothing();
	sink++;
}

static KEPT void call_data(void)
{
	void (*volatile data)(void) = (void (*)(void))(uintptr_t)&sink;

	data();
	sink++;
}

static KEPT void call_nothing_handled(void)
{
	struct sigaction action = {.sa_handler = handle};

	sigaction(SIGSEGV, &action, NULL);
	CALL(call_nothing);
}

START_TEST(finds_who_called_address_zero)
{
	struct child child;
	struct stack stack;
	size_t at = 1;

	start(&child, call_nothing);
	ck_assert_int_eq(child.signal, SIGSEGV);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert_uint_eq(stack.frames[0], 0);
	EXPECT(&child, &stack, &at, (const void *)call_nothing, (const void *)start);
	finish(&child);
}
END_TEST

START_TEST(finds_who_called_data)
{
	struct child child;
	struct stack stack;
	size_t at = 1;

	start(&child, call_data);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert_uint_eq(stack.frames[0], (uintptr_t)&sink);
	EXPECT(&child, &stack, &at, (const void *)call_data, (const void *)start);
	finish(&child);
}
END_TEST

START_TEST(passes_a_handler_of_a_call_of_address_zero)
{
	struct child child;
	struct stack stack;
	size_t at = 2;

	start(&child, call_nothing_handled);
	run_on(&child, PTRACE_CONT, child.pid, SIGSEGV);
	walk(&child, &stack);
	expect_whole(&child, &stack);
	ck_assert(is_in(&child, stack.frames[0], (const void *)handle));
	ck_assert_uint_eq(stack.frames[at++], 0);
	EXPECT(&child, &stack, &at, (const void *)call_nothing, (const void *)call_nothing_handled,
		(const void *)start);
	finish(&child);
}
END_TEST

static KEPT void trap_again(int signal)
{
	(void)signal;
	CALL(trap_first);
}

/* A handler is interrupted by another one, which has a stack of its own. */
static KEPT void take_signals(void)
{
	struct sigaction action = {.sa_handler = trap_again};

	sigaction(SIGUSR1, &action, NULL);
	handle_elsewhere(SIGILL, handle);
	kill(getpid(), SIGUSR1);
	sink++;
}

START_TEST(passes_a_handler_that_interrupts_a_handler)
{
	struct child child;
	struct stack stack;
	size_t at;

	start(&child, take_signals);
	ck_assert_int_eq(child.signal, SIGUSR1);
	run_on(&child, PTRACE_CONT, child.pid, SIGUSR1);
	walk_trap(&child, &stack, &at);
	EXPECT(&child, &stack, &at, (const void *)trap_again);
	at++;
	at++; /* kill() */
	EXPECT(&child, &stack, &at, (const void *)take_signals, (const void *)start);
	finish(&child);
}
END_TEST

/* The handler's own stack is cut: its frames are kept, and the end is told. */
START_TEST(a_handler_on_a_broken_stack_is_kept)
{
	struct prof_registers registers;
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, take_signal);
	run_on(&child, PTRACE_CONT, child.pid, SIGILL);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	walk(&child, &stack);
	/* The interrupted stack pointer lies in the signal frame, above the return address. */
	for (uint64_t place = registers.value[RSP]; place < registers.value[RSP] + 4096;
		place += sizeof place) {
		long word = ptrace(PTRACE_PEEKDATA, child.pid, (void *)(uintptr_t)place, NULL);
		if (word == (long)(uintptr_t)trap_first)
			ptrace(PTRACE_POKEDATA, child.pid,
				(void *)(uintptr_t)(place - sizeof place), (void *)16);
	}
	walk(&child, &stack);
	ck_assert_int_eq(stack.end, PROF_STACK_FAILED);
	EXPECT(&child, &stack, &at, (const void *)handle);
	at++;
	EXPECT(&child, &stack, &at, (const void *)trap_first);
	ck_assert_uint_eq(stack.count, at);
	finish(&child);
}
END_TEST

RUN_TESTS("signals", passes_a_signal_handler_on_another_stack,
	passes_a_signal_handler_that_returns_to_who_knows_what, finds_who_called_address_zero,
	finds_who_called_data, passes_a_handler_of_a_call_of_address_zero,
	passes_a_handler_that_interrupts_a_handler, a_handler_on_a_broken_stack_is_kept)
