/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/process.h"
#include "target/unwind.h"

#include "suite.h"
#include "target/maps.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/*
 * Stacks that no program would make: the unwinder is given this very process, whose code it knows,
 * but memory and registers that the tests have written.
 */

enum { DEPTH = 4096, RBP = 6, RSP = 7 };

static const int data;

/* None of this is ever run. */
__asm__(".text\n"
	"bare_end:\n"
	"	ret\n"
	"loop_frame: .cfi_startproc\n"
	"	.cfi_def_cfa rbp, 16\n	.cfi_offset rbp, -16\n	nop\n	nop\n	nop\n"
	"	.cfi_endproc\n"
	"scan_caller: .cfi_startproc\n"
	"	.cfi_escape 0x0f, 4, 0x77, 8, 0x23, 0\n" /* CFA: rsp + 8, in two operations */
	"	call loop_frame\n"
	"scan_wanted:\n"
	"	call scan_caller\n"
	"scan_other:\n"
	"	nop\n"
	"	.cfi_endproc\n");

extern const char loop_frame[], scan_wanted[], scan_other[];

/* Memory: some words at LOW, and all that this process has. */
struct forged {
	uint64_t low;
	uint64_t words[64];
	struct prof_process process;
};

static size_t read_forged(void *context, uint64_t address, void *buffer, size_t length)
{
	struct forged *forged = context;
	uint64_t offset = address - forged->low;

	if (offset >= sizeof forged->words) {
		struct prof_target own = prof_process_target(&forged->process);
		return own.read_memory(own.context, address, buffer, length);
	}
	size_t left = sizeof forged->words - offset;
	size_t got = length < left ? length : left;
	memcpy(buffer, (const char *)forged->words + offset, got);
	return got;
}

static struct prof_unwinder *create_forged(struct forged *forged)
{
	const struct prof_target target = {read_forged, forged};
	struct prof_unwinder *unwinder;

	prof_process_init(&forged->process, getpid());
	ck_assert_ok(prof_unwinder_create(getpid(), &target, &unwinder));
	return unwinder;
}

START_TEST(frames_in_a_circle_come_to_an_end)
{
	struct forged forged = {.low = 0x10000};
	struct prof_unwinder *unwinder = create_forged(&forged);
	struct prof_registers registers = {.pc = (uintptr_t)loop_frame, .valid = 0x1ffff};
	uint64_t frames[DEPTH];
	enum prof_stack_end end;

	/* Two frames that are each other's caller, and one that is its own. */
	for (size_t i = 0; i < 64; i += 2) {
		forged.words[i] = forged.low + 8 * (62 - i);
		forged.words[i + 1] = (uintptr_t)loop_frame + 2;
	}
	registers.value[RSP] = forged.low;
	registers.value[RBP] = forged.low;
	size_t count = prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end);
	ck_assert_int_eq(end, PROF_STACK_FAILED);
	ck_assert_uint_lt(count, 100);
	forged.words[0] = forged.low;
	count = prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end);
	ck_assert_int_eq(end, PROF_STACK_FAILED);
	ck_assert_uint_lt(count, 100);
	prof_unwinder_destroy(unwinder);
}
END_TEST

START_TEST(is_not_misled_by_calls_that_are_over)
{
	struct forged forged = {.low = 0x10000};
	struct prof_unwinder *unwinder = create_forged(&forged);
	struct prof_registers registers = {.pc = (uintptr_t)loop_frame, .valid = 1 << RSP};
	uint64_t frames[2];
	enum prof_stack_end end;

	registers.value[RSP] = forged.low;
	forged.words[2] = forged.low + 32;
	forged.words[3] = (uintptr_t)scan_other; /* behind a call of another function */
	forged.words[6] = forged.low + 64;
	forged.words[7] = (uintptr_t)scan_wanted + 1; /* not behind a call */
	forged.words[8] = 5;
	forged.words[9] = (uintptr_t)scan_wanted;
	ck_assert_uint_eq(prof_unwinder_walk(unwinder, &registers, frames, 2, &end), 2);
	ck_assert_uint_eq(frames[1], (uintptr_t)scan_wanted - 1);
	prof_unwinder_destroy(unwinder);
}
END_TEST

START_TEST(a_return_address_of_zero_is_the_end)
{
	struct forged forged = {.low = 0x10000, .words = {0x10010, 0, 0x10020, 0}};
	struct prof_unwinder *unwinder = create_forged(&forged);
	struct prof_registers registers = {.pc = (uintptr_t)loop_frame, .valid = 0x1ffff};
	uint64_t frames[DEPTH];
	enum prof_stack_end end;

	registers.value[RSP] = forged.low;
	registers.value[RBP] = forged.low;
	ck_assert_uint_eq(prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end), 1);
	ck_assert_int_eq(end, PROF_STACK_WHOLE);
	/* Data is no caller: that frame is not shown. */
	forged.words[1] = (uintptr_t)&data;
	ck_assert_uint_eq(prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end), 1);
	ck_assert_int_eq(end, PROF_STACK_FAILED);
	prof_unwinder_destroy(unwinder);
}
END_TEST

START_TEST(an_interrupted_end_is_not_taken_for_what_comes_after)
{
	struct forged forged = {.low = 0x10000};
	struct prof_unwinder *unwinder = create_forged(&forged);
	struct prof_registers registers = {.pc = (uintptr_t)loop_frame - 1, .valid = 0x1ffff};
	uint64_t frames[2];
	enum prof_stack_end end;

	/* The last byte of code that nothing describes, right before a function. */
	registers.value[RSP] = forged.low;
	registers.value[RBP] = forged.low + 16;
	forged.words[3] = (uintptr_t)loop_frame + 2;
	ck_assert_uint_eq(prof_unwinder_walk(unwinder, &registers, frames, 2, &end), 2);
	ck_assert_uint_eq(frames[1], (uintptr_t)loop_frame + 1);
	prof_unwinder_destroy(unwinder);
}
END_TEST

static void *map_code(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(page, MAP_FAILED);
	return page;
}

START_TEST(learns_of_new_code_without_being_told)
{
	struct forged forged = {.low = 0x10000};
	struct prof_unwinder *unwinder = create_forged(&forged);
	struct prof_registers registers = {.pc = (uintptr_t)loop_frame, .valid = 0x1ffff};
	const struct timespec while_limited = {.tv_nsec = 3000000};
	uint64_t frames[DEPTH];
	enum prof_stack_end end;

	(void)prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end);
	uint64_t generation = prof_unwinder_generation(unwinder);
	registers.pc = (uintptr_t)map_code();
	registers.value[RSP] = forged.low;
	registers.value[RBP] = forged.low + 16;
	forged.words[0] = (uintptr_t)&data; /* no return address: not taken for a call */
	forged.words[2] = forged.low + 32;
	forged.words[3] = (uintptr_t)loop_frame + 1;
	nanosleep(&while_limited, NULL);
	ck_assert_uint_eq(prof_unwinder_walk(unwinder, &registers, frames, DEPTH, &end), 2);
	ck_assert_int_eq(end, PROF_STACK_WHOLE);
	ck_assert_uint_eq(frames[1], (uintptr_t)loop_frame);
	ck_assert_uint_ne(prof_unwinder_generation(unwinder), generation);
	prof_unwinder_destroy(unwinder);
}
END_TEST

START_TEST(a_flush_tells_of_changed_maps_only)
{
	struct forged forged = {.low = 0x10000};
	struct prof_unwinder *unwinder = create_forged(&forged);

	ck_assert_uint_gt(prof_unwinder_maps(unwinder)->mappings.count, 2);
	uint64_t generation = prof_unwinder_generation(unwinder);
	prof_unwinder_flush(unwinder);
	(void)prof_unwinder_maps(unwinder);
	ck_assert_uint_eq(prof_unwinder_generation(unwinder), generation);
	void *page = map_code();
	ck_assert_ptr_null(prof_maps_find(prof_unwinder_maps(unwinder), (uintptr_t)page));
	prof_unwinder_flush(unwinder);
	ck_assert_ptr_nonnull(prof_maps_find(prof_unwinder_maps(unwinder), (uintptr_t)page));
	ck_assert_uint_ne(prof_unwinder_generation(unwinder), generation);
	ck_assert_str_eq(prof_unwinder_build_id(unwinder, (uintptr_t)page), "");
	ck_assert_str_ne(prof_unwinder_build_id(unwinder, (uintptr_t)qsort), "");
	prof_unwinder_destroy(unwinder);
}
END_TEST

START_TEST(code_that_went_away_is_forgotten)
{
	struct forged forged = {.low = 0x10000};
	struct prof_unwinder *unwinder = create_forged(&forged);
	struct prof_registers registers = {.valid = 0x1ffff};
	uint64_t frames[DEPTH];
	enum prof_stack_end end;
	void *page = map_code();

	/* By the frame pointer while it is code; as if it was called when it is none. */
	registers.pc = (uintptr_t)page;
	registers.value[RSP] = forged.low;
	registers.value[RBP] = forged.low + 16;
	forged.words[0] = (uintptr_t)loop_frame + 2;
	forged.words[3] = (uintptr_t)loop_frame + 1;
	(void)prof_unwinder_walk(unwinder, &registers, frames, 2, &end);
	ck_assert_uint_eq(frames[1], (uintptr_t)loop_frame);
	munmap(page, 4096);
	prof_unwinder_flush(unwinder);
	(void)prof_unwinder_walk(unwinder, &registers, frames, 2, &end);
	ck_assert_uint_eq(frames[1], (uintptr_t)loop_frame + 1);
	prof_unwinder_destroy(unwinder);
}
END_TEST

RUN_TESTS("forged", frames_in_a_circle_come_to_an_end, is_not_misled_by_calls_that_are_over,
	a_return_address_of_zero_is_the_end, an_interrupted_end_is_not_taken_for_what_comes_after,
	learns_of_new_code_without_being_told, a_flush_tells_of_changed_maps_only,
	code_that_went_away_is_forgotten)
