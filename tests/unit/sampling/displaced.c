/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/displaced.h"

#include "base/clock.h"
#include "recording/queue.h"
#include "sample_child.h"
#include "sampling/walker.h"
#include "target/arch.h"
#include "target/process.h"

#include <sys/ptrace.h>

/* The places of breakpoints, and where their instructions are executed. */
enum { FROM = 0x10000, TO = 0x20000, THREAD = 100 };

static struct prof_displaced *displaced;
static struct prof_walker *walker;
static struct prof_queue *queue;

/* What the walker knows the code of. */
static __attribute__((noinline)) void wait_for_ever(void)
{
	for (;;)
		pause();
}

static void begin(void)
{
	ck_assert_ok(prof_displaced_create(&displaced));
	ck_assert_ok(prof_queue_create(1 << 16, &queue));
	ck_assert_ok(prof_walker_create(child_start(wait_for_ever), 16, queue, &walker));
}

static void end(void)
{
	prof_walker_destroy(walker);
	prof_queue_destroy(queue);
	prof_displaced_destroy(displaced);
	children_end();
}

static uint64_t other; /* what the last undo() has returned besides */

/* What becomes of PC, which THREAD has at TIME; *SP: of the stack's pointer, where TOP lies. */
static uint64_t undo(pid_t thread, int64_t time, uint64_t pc, uint64_t top, uint64_t *sp)
{
	unsigned stack = prof_arch_native()->sp;
	struct prof_registers registers = {.pc = pc};
	const struct prof_copy copy = {
		.address = 0x1000, .bytes = (const unsigned char *)&top, .length = sizeof top};

	registers.value[stack] = 0x1000;
	other = prof_displaced_undo(displaced, thread, time, walker, &copy, &registers);
	if (sp)
		*sp = registers.value[stack];
	return registers.pc;
}

START_TEST(it_is_where_the_breakpoint_is_meanwhile)
{
	begin();
	prof_displaced_begin(displaced, THREAD, FROM, TO, 10);
	prof_displaced_end(displaced, THREAD, 20);
	ck_assert_uint_eq(undo(THREAD, 9, TO, 0, NULL), TO);
	ck_assert_uint_eq(undo(THREAD, 10, TO, 0, NULL), FROM);
	ck_assert_uint_eq(undo(THREAD, 19, TO + 5, 0, NULL), FROM + 5);
	ck_assert_uint_eq(undo(THREAD, 20, TO, 0, NULL), TO);
	ck_assert_uint_eq(undo(THREAD + 1, 15, TO, 0, NULL), TO);
	end();
}
END_TEST

START_TEST(each_step_is_found_by_its_time)
{
	begin();
	/* More than are kept. */
	for (int64_t i = 0; i < 8000; i++) {
		prof_displaced_begin(displaced, THREAD, FROM + (uint64_t)i * 64, TO, i * 10);
		prof_displaced_end(displaced, THREAD, i * 10 + 5);
	}
	ck_assert_uint_eq(undo(THREAD, 79990, TO, 0, NULL), FROM + 7999 * 64);
	ck_assert_uint_eq(undo(THREAD, 75002, TO, 0, NULL), FROM + 7500 * 64);
	ck_assert_uint_eq(undo(THREAD, 75007, TO, 0, NULL), TO);
	ck_assert_uint_eq(undo(THREAD, 2, TO, 0, NULL), TO);
	end();
}
END_TEST

START_TEST(the_next_step_ends_the_last)
{
	begin();
	prof_displaced_begin(displaced, THREAD, FROM, TO, 10);
	prof_displaced_begin(displaced, THREAD, FROM + 64, TO, 20);
	ck_assert_uint_eq(undo(THREAD, 15, TO, 0, NULL), FROM);
	ck_assert_uint_eq(undo(THREAD, 25, TO, 0, NULL), FROM + 64);
	end();
}
END_TEST

START_TEST(a_step_of_which_nobody_tells_the_end_is_forgotten)
{
	begin();
	prof_displaced_begin(displaced, THREAD, FROM, TO, 10);
	prof_displaced_forget(displaced);
	ck_assert_uint_eq(undo(THREAD, 15, TO, 0, NULL), TO);
	ck_assert(!prof_displaced_end(displaced, THREAD, 20));
	prof_displaced_begin(displaced, THREAD, FROM, TO, 30);
	ck_assert(prof_displaced_end(displaced, THREAD, 40));
	ck_assert_uint_eq(undo(THREAD, 35, TO, 0, NULL), FROM);
	end();
}
END_TEST

START_TEST(a_jump_and_a_call_are_about_to_be_made)
{
	uint64_t sp;

	if (!prof_arch_native()->is_return)
		return;
	begin();
	prof_displaced_begin(displaced, THREAD, FROM, TO, 10);
	ck_assert_uint_eq(undo(THREAD, 15, TO + 0x500, 0, &sp), FROM);
	ck_assert_uint_eq(sp, 0x1000);
	/* What it has pushed is where it would come back to. */
	ck_assert_uint_eq(undo(THREAD, 15, TO + 0x500, TO + 5, &sp), FROM);
	ck_assert_uint_eq(sp, 0x1008);
	end();
}
END_TEST

START_TEST(who_has_met_a_breakpoint_is_at_it)
{
	begin();
	prof_displaced_begin(displaced, THREAD, FROM, TO, 10);
	prof_displaced_end(displaced, THREAD, 20);
	prof_displaced_trap(displaced, THREAD, FROM + 64, FROM + 65, 40);
	ck_assert_uint_eq(undo(THREAD, 30, FROM + 65, 0, NULL), FROM + 64);
	/* Or it had not yet gone on from there. */
	ck_assert_uint_eq(other, FROM + 65);
	ck_assert_uint_eq(undo(THREAD, 30, FROM + 66, 0, NULL), FROM + 66);
	ck_assert_uint_eq(undo(THREAD, 19, FROM + 65, 0, NULL), FROM);
	ck_assert_uint_eq(undo(THREAD, 40, FROM + 65, 0, NULL), FROM + 65);
	end();
}
END_TEST

START_TEST(so_is_who_has_met_one_of_which_nobody_knows_yet)
{
	const struct prof_arch *arch = prof_arch_native();
	uint64_t place = (uintptr_t)wait_for_ever;

	if (!arch->breakpoint)
		return;
	begin();
	pid_t child = children.items[children.count - 1];
	ck_assert_uint_eq(undo(THREAD, 10, place + 1, 0, NULL), place + 1);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, child, NULL, NULL), 0);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(child, NULL, __WALL), child);
	ck_assert_ok(prof_process_write(child, place, &arch->breakpoint, 1));
	ck_assert_uint_eq(undo(THREAD, 10, place + 1, 0, NULL), place);
	ck_assert_uint_eq(other, place + 1);
	/* It is taken out while its instruction is executed where it is. */
	unsigned char code = *(const unsigned char *)wait_for_ever;
	ck_assert_ok(prof_process_write(child, place, &code, 1));
	ck_assert_uint_eq(undo(THREAD, 10, place + 1, 0, NULL), place);
	ck_assert_uint_eq(other, place + 1);
	/* A thread that stands still for a signal is in no trap. */
	struct prof_registers registers = {.pc = place + 1};
	prof_displaced_undo(displaced, THREAD, 10, walker, NULL, &registers);
	ck_assert_uint_eq(registers.pc, place + 1);
	/* One that it has come over it may stand behind. */
	prof_displaced_begin(displaced, THREAD, place, TO, 20);
	prof_displaced_end(displaced, THREAD, 30);
	ck_assert_uint_eq(undo(THREAD, 40, place + 1, 0, NULL), place + 1);
	ck_assert_uint_eq(other, place);
	end();
}
END_TEST

RUN_TESTS("displaced", it_is_where_the_breakpoint_is_meanwhile, each_step_is_found_by_its_time,
	the_next_step_ends_the_last, a_step_of_which_nobody_tells_the_end_is_forgotten,
	a_jump_and_a_call_are_about_to_be_made, who_has_met_a_breakpoint_is_at_it,
	so_is_who_has_met_one_of_which_nobody_knows_yet)
