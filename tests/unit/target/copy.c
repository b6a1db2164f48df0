/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target_child.h"

static KEPT void copied_inner(void)
{
	volatile char room[6000] = {1};

	stop_here();
	sink += room[5999];
}

static KEPT void copied_middle(void)
{
	CALL(copied_inner);
}

static KEPT void copied_outer(void)
{
	CALL(copied_middle);
}

/* The bytes of the child's stack from its pointer on, up to LENGTH of them. */
static struct prof_copy copy_stack(struct child *child, const struct prof_registers *registers,
	unsigned char *bytes, size_t length)
{
	struct prof_copy copy = {.address = registers->value[RSP], .bytes = bytes};

	copy.length = child->target.read_memory(child->target.context, copy.address, bytes, length);
	ck_assert_uint_gt(copy.length, 0);
	return copy;
}

START_TEST(reads_what_is_there_and_notes_what_is_not)
{
	static const unsigned char bytes[] = {1, 2, 3, 4};
	struct prof_copy copy = {.address = 1000, .bytes = bytes, .length = sizeof bytes};
	struct prof_target target = prof_copy_target(&copy);
	unsigned char got[8] = {0};

	ck_assert_uint_eq(target.read_memory(target.context, 999, got, 2), 0);
	ck_assert(!copy.exceeded);
	ck_assert_uint_eq(target.read_memory(target.context, 1001, got, 2), 2);
	ck_assert_mem_eq(got, bytes + 1, 2);
	ck_assert_uint_eq(target.read_memory(target.context, 1002, got, 8), 2);
	ck_assert(!copy.exceeded);
	ck_assert_uint_eq(target.read_memory(target.context, 1004, got, 1), 0);
	ck_assert(copy.exceeded);
}
END_TEST

START_TEST(a_copied_stack_is_walked_like_the_stack_itself)
{
	static unsigned char bytes[1 << 16];
	static struct stack live, copied;
	struct child child;
	struct prof_registers registers;

	start(&child, copied_outer);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	walk_registers(&child, &registers, &live);
	struct prof_copy copy = copy_stack(&child, &registers, bytes, sizeof bytes);
	/* What has become of its memory since does not matter. */
	kill(child.pid, SIGKILL);
	ck_assert_int_eq(waitpid(child.pid, NULL, __WALL), child.pid);
	copied.count = prof_unwinder_walk_copy(
		child.unwinder, &registers, &copy, copied.frames, DEPTH, &copied.end);
	ck_assert(!copy.exceeded);
	ck_assert_uint_gt(copy.needed, 6000);
	ck_assert_uint_lt(copy.needed, copy.length);
	ck_assert_int_eq(copied.end, live.end);
	ck_assert_uint_eq(copied.count, live.count);
	ck_assert_mem_eq(copied.frames, live.frames, live.count * sizeof *live.frames);
	finish(&child);
}
END_TEST

START_TEST(a_copy_that_is_too_short_is_truncated)
{
	static unsigned char bytes[4096];
	static struct stack live, copied;
	struct child child;
	struct prof_registers registers;
	size_t at = 0;

	start(&child, copied_outer);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	walk_registers(&child, &registers, &live);
	struct prof_copy copy = copy_stack(&child, &registers, bytes, sizeof bytes);
	copied.count = prof_unwinder_walk_copy(
		child.unwinder, &registers, &copy, copied.frames, DEPTH, &copied.end);
	ck_assert(copy.exceeded);
	ck_assert_int_eq(copied.end, PROF_STACK_TRUNCATED);
	ck_assert_uint_lt(copied.count, live.count);
	EXPECT(&child, &copied, &at, (void *)copied_inner);
	/* The unwinder reads the process again. */
	walk_registers(&child, &registers, &copied);
	ck_assert_uint_eq(copied.count, live.count);
	finish(&child);
}
END_TEST

RUN_TESTS("copy", reads_what_is_there_and_notes_what_is_not,
	a_copied_stack_is_walked_like_the_stack_itself, a_copy_that_is_too_short_is_truncated)
