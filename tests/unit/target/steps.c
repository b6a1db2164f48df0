/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target_child.h"

#include <sys/auxv.h>
#include <time.h>

/*
 * A table of stubs as linkers make it, without call frame information: the first one resolves, the
 * second is lazy.
 */
__asm__(".text\n"
	"	.balign 16\n"
	"bare_table:\n"
	"	push stub_word(%rip)\n	jmp *stub_resolver(%rip)\n	.balign 16\n"
	"bare_stub:\n"
	"	jmp *stub_goal(%rip)\n	.byte 0x68\n	.long 1\n	.byte 0xe9\n"
	"	.long bare_table - . - 4\n"
	"resolve: .cfi_startproc\n	.cfi_def_cfa_offset 24\n"
	"	add $16, %rsp\n	.cfi_def_cfa_offset 8\n	ret\n"
	"	.cfi_endproc\n"
	".data\n"
	"stub_word: .quad 7\n"
	"stub_resolver: .quad resolve\n"
	"stub_goal: .quad bare_stub + 6\n"
	".text\n");

extern void bare_stub(void);

static KEPT int inner(int a, int b, int c, int d)
{
	int e = a * b, f = c * d;

	CALL(sort);
	return a + b + c + d + e + f;
}

static KEPT void step_calls(void)
{
	int (*volatile call)(int, int, int, int) = inner;

	sink = 1;
	stop_here();
	sink += call(sink, sink, sink, sink);
	stop_here();
}

static KEPT void step_lazy(void)
{
	stop_here();
	sink += (int)a64l("zzzz");
	stop_here();
}

static KEPT void step_vdso(void)
{
	struct timespec now;

	stop_here();
	clock_gettime(CLOCK_MONOTONIC, &now);
	sink += (int)now.tv_sec;
	stop_here();
}

static KEPT void step_stub(void)
{
	stop_here();
	CALL(bare_stub);
	stop_here();
}

/* Lookup addresses between which one is to be seen as the innermost, and how often it was. */
struct seen {
	uint64_t low, high;
	unsigned count;
	/* So often is enough, and the call need not return; 0: it must. */
	unsigned enough;
};

/* Checks that a copy of the stack, which begins at its pointer, is walked as STACK was. */
static void expect_same_of_copy(
	struct child *child, const struct prof_registers *registers, const struct stack *stack)
{
	static unsigned char bytes[1 << 18];
	static struct stack copied;
	struct prof_copy copy = {.address = registers->value[RSP], .bytes = bytes};

	copy.length =
		child->target.read_memory(child->target.context, copy.address, bytes, sizeof bytes);
	copied.count = prof_unwinder_walk_copy(
		child->unwinder, registers, &copy, copied.frames, DEPTH, &copied.end);
	ck_assert_msg(copied.count == stack->count && copied.end == stack->end,
		"at %#lx: %zu frames, not %zu", (unsigned long)stack->frames[0], copied.count,
		stack->count);
	ck_assert_mem_eq(copied.frames, stack->frames, stack->count * sizeof *stack->frames);
}

/*
 * Steps the child that runs FUNCTION from its first stop to its second: at every instruction, the
 * stack must be FUNCTION's callers, under a frame of FUNCTION, under at most a few others.
 */
static void step_through(void (*function)(void), struct seen *seen)
{
	struct prof_registers registers;
	struct child child;
	struct stack first, now;
	unsigned steps = 0;

	start(&child, function);
	walk(&child, &first);
	expect_whole(&child, &first);
	ck_assert(is_in(&child, first.frames[0], (const void *)function));
	for (bool done = false; !done; steps++) {
		ck_assert_uint_lt(steps, 20000);
		run_on(&child, PTRACE_SINGLESTEP, child.pid, 0);
		ck_assert_ok(prof_process_registers(child.pid, &registers));
		walk_registers(&child, &registers, &now);
		expect_same_of_copy(&child, &registers, &now);
		ck_assert_int_eq(now.end, PROF_STACK_WHOLE);
		ck_assert_msg(now.count >= first.count && now.count <= first.count + 20,
			"step %u at %#lx: %zu frames", steps, (unsigned long)now.frames[0],
			now.count);
		size_t above = now.count - first.count;
		ck_assert_msg(is_in(&child, now.frames[above], (const void *)function),
			"step %u at %#lx", steps, (unsigned long)now.frames[0]);
		ck_assert_mem_eq(now.frames + above + 1, first.frames + 1,
			(first.count - 1) * sizeof *now.frames);
		seen->count += now.frames[0] >= seen->low && now.frames[0] < seen->high;
		unsigned char before;
		ck_assert_uint_eq(child.target.read_memory(
					  child.target.context, registers.pc - 1, &before, 1),
			1);
		done = steps &&
			((!above && before == 0xcc) ||
				(seen->enough && seen->count >= seen->enough));
	}
	ck_assert_uint_gt(steps, 5);
	finish(&child);
}

START_TEST(is_right_at_every_instruction_of_a_call)
{
	struct seen seen = {(uintptr_t)inner, (uintptr_t)inner + 1, 0, 0};

	step_through(step_calls, &seen);
	ck_assert_uint_eq(seen.count, 1);
}
END_TEST

START_TEST(is_right_all_through_a_lazy_binding)
{
	struct seen seen = {(uintptr_t)a64l, (uintptr_t)a64l + 1, 0, 0};

	step_through(step_lazy, &seen);
}
END_TEST

START_TEST(is_right_in_the_vdso)
{
	uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
	/*
	 * The vDSO begins anew where the kernel has set its clock meanwhile.  On some machines it
	 * always has, as a step is so slow: the call never returns.  It has some 60 instructions.
	 */
	struct seen seen = {vdso, vdso + 0x2000, 0, 1000};

	step_through(step_vdso, &seen);
	ck_assert(!vdso || seen.count);
}
END_TEST

START_TEST(is_right_in_stubs_that_nothing_describes)
{
	struct seen seen = {(uintptr_t)bare_stub, (uintptr_t)bare_stub + 16, 0, 0};

	step_through(step_stub, &seen);
	ck_assert_uint_eq(seen.count, 3);
}
END_TEST

RUN_TESTS("steps", is_right_at_every_instruction_of_a_call, is_right_all_through_a_lazy_binding,
	is_right_in_the_vdso, is_right_in_stubs_that_nothing_describes)
