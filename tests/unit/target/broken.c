/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks that are broken, or gone: what is left of them is told, and that they have failed. */
#include "target/maps.h"
#include "target_child.h"

#include <sys/mman.h>

START_TEST(broken_registers_give_a_short_stack_and_no_harm)
{
	struct prof_registers good, bad;
	struct child child;
	struct stack stack;
	uint64_t state = 1;

	start(&child, recurse_deep);
	ck_assert_ok(prof_process_registers(child.pid, &good));
	for (unsigned i = 0; i < 3000; i++) {
		bad = good;
		for (unsigned j = 0; j <= RIP; j++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			unsigned what = state >> 60;
			if (what < 4)
				bad.value[j] = state;
			else if (what < 8)
				bad.value[j] = good.value[RSP] + (state >> 33) % 8192;
			else if (what < 9)
				bad.value[j] = UINT64_MAX - (state >> 33) % 16;
		}
		bad.pc = good.pc + (state >> 40) % 4096 - 2048;
		walk_registers(&child, &bad, &stack);
		ck_assert_uint_eq(stack.frames[0], bad.pc);
	}
	finish(&child);
}
END_TEST

START_TEST(a_stack_that_is_not_there_fails)
{
	static const uint64_t places[] = {0, 8, 0x800000000000, UINT64_MAX - 7, UINT64_MAX};
	struct prof_registers registers;
	struct child child;
	struct stack stack;

	start(&child, recurse_deep);
	ck_assert_ok(prof_process_registers(child.pid, &registers));
	for (size_t i = 0; i < PROF_COUNT(places); i++) {
		registers.value[RSP] = places[i];
		registers.value[RBP] = places[i];
		walk_registers(&child, &registers, &stack);
		ck_assert_int_eq(stack.end, PROF_STACK_FAILED);
		ck_assert_uint_eq(stack.count, 1);
		ck_assert_uint_eq(stack.frames[0], registers.pc);
	}
	finish(&child);
}
END_TEST

START_TEST(a_process_that_is_not_there_has_no_stack)
{
	struct prof_process process;
	struct prof_unwinder *unwinder = NULL;
	struct prof_registers registers = {.pc = 0x1000, .valid = 0x1ffff};
	uint64_t frame;
	enum prof_stack_end end;

	prof_process_init(&process, 0x7fffffff);
	struct prof_target target = prof_process_target(&process);
	ck_assert_ok(prof_unwinder_create(0x7fffffff, &target, &unwinder));
	ck_assert_uint_eq(prof_unwinder_walk(unwinder, &registers, &frame, 1, &end), 1);
	ck_assert_int_eq(end, PROF_STACK_FAILED);
	ck_assert_uint_eq(prof_unwinder_maps(unwinder)->mappings.count, 0);
	prof_unwinder_destroy(unwinder);
	prof_unwinder_destroy(NULL);
	struct prof_error *error = prof_process_registers(0x7fffffff, &registers);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
}
END_TEST

static void *page_above;

/* Its return address is in a page that goes, as that of a compiler's code or of a library may. */
static KEPT void unmap_caller(void)
{
	munmap(page_above, 4096);
	CALL(recurse, 1);
}

static KEPT void call_from_page(void)
{
	/* sub $8, %rsp; call *%rdi; add $8, %rsp; ret */
	static const unsigned char code[] = {
		0x48, 0x83, 0xec, 8, 0xff, 0xd7, 0x48, 0x83, 0xc4, 8, 0xc3};
	union {
		void *page;
		void (*function)(void (*)(void));
	} both;

	both.page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(both.page, MAP_FAILED);
	page_above = both.page;
	memcpy(both.page, code, sizeof code);
	CALL(both.function, unmap_caller);
}

START_TEST(a_stack_is_kept_up_to_code_that_is_gone)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, call_from_page);
	walk(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse, (const void *)recurse,
		(const void *)unmap_caller);
	ck_assert_int_eq(stack.end, PROF_STACK_FAILED);
	ck_assert_uint_eq(stack.count, at);
	finish(&child);
}
END_TEST

static char *own_stack;

/* Where it was called from lies in a page of the stack that goes. */
static KEPT void unmap_stack(void)
{
	munmap(own_stack + 65536, 4096);
	CALL(recurse, 1);
}

static KEPT void fill_page(void)
{
	char bytes[6000];

	memset(bytes, 1, sizeof bytes);
	CALL(unmap_stack);
	sink += bytes[sink % 100];
}

static KEPT void switch_to_page(void)
{
	const size_t size = 65536 + 4096;

	own_stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(own_stack, MAP_FAILED);
	switch_stacks(fill_page, own_stack, size);
}

START_TEST(a_stack_is_kept_up_to_memory_that_is_gone)
{
	struct child child;
	struct stack stack;
	size_t at = 0;

	start(&child, switch_to_page);
	walk(&child, &stack);
	EXPECT(&child, &stack, &at, (const void *)recurse, (const void *)recurse,
		(const void *)unmap_stack, (const void *)fill_page);
	ck_assert_int_eq(stack.end, PROF_STACK_FAILED);
	ck_assert_uint_eq(stack.count, at);
	finish(&child);
}
END_TEST

RUN_TESTS("broken", broken_registers_give_a_short_stack_and_no_harm,
	a_stack_that_is_not_there_fails, a_process_that_is_not_there_has_no_stack,
	a_stack_is_kept_up_to_code_that_is_gone, a_stack_is_kept_up_to_memory_that_is_gone)
