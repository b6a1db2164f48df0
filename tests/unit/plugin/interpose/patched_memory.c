/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A debugger writes breakpoints into functions of a child while these are patched, and not. */
#include "plugin/interpose/patched_memory.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_crowd.h"

enum { LENGTH = 16, TRAP = 0xcc };

static struct debugger {
	struct patched_child child; /* its patches are unused */
	struct prof_patched *patched;
	struct patched_memory memory;
} debugger;

static int stop_again(void)
{
	patched_child_stop();
	return 0;
}

static void add(const void *function)
{
	enum prof_obstacle obstacle;
	uint32_t number;

	ck_assert(patched_memory_add(&debugger.memory, (uintptr_t)function, function, LENGTH));
	ck_assert_ok(prof_patches_add(prof_patched_patches(debugger.patched), (uintptr_t)function,
		PROF_STUB_COUNT, &number, &obstacle));
	ck_assert_int_eq(obstacle, PROF_OBSTACLE_NONE);
}

static void begin(void)
{
	debugger = (struct debugger){0};
	crowd_start_hidden(&debugger.child, stop_again, &debugger.patched);
	debugger.memory.process = debugger.child.pid;
	debugger.memory.patched = debugger.patched;
}

static void finish(void)
{
	patched_memory_deinit(&debugger.memory);
	prof_patched_destroy(debugger.patched);
	patched_child_finish(&debugger.child);
}

static void map(void)
{
	ck_assert(prof_patches_map(prof_patched_patches(debugger.patched), &debugger.child.detour,
		debugger.child.pid));
}

/* As the child is resumed, and stops. */
static void put_in(void)
{
	patched_memory_clear(&debugger.memory);
	ck_assert_ok(prof_patched_resume(debugger.patched, debugger.child.pid, false));
	patched_memory_settle(&debugger.memory);
}

static void take_out(void)
{
	bool again;

	patched_child_turn(&debugger.child);
	ck_assert_ok(prof_patched_stop(debugger.patched, debugger.child.pid, false, &again));
	patched_memory_settle(&debugger.memory);
}

/* The byte that the child has at ADDRESS, and the one that the debugger sees. */
static unsigned there(uint64_t address)
{
	unsigned char byte;

	ck_assert(prof_process_read(debugger.child.pid, address, &byte, 1));
	return byte;
}

static unsigned seen(uint64_t address)
{
	unsigned char bytes[LENGTH];

	ck_assert(prof_process_read(debugger.child.pid, address, bytes, LENGTH));
	patched_memory_read(&debugger.memory, address, bytes, LENGTH);
	return *bytes;
}

static void write_byte(uint64_t address, unsigned value)
{
	unsigned char byte = (unsigned char)value;

	ck_assert(patched_memory_write(&debugger.memory, address, &byte, 1));
	ck_assert_uint_eq(seen(address), value);
}

static uint64_t copy_of(uint64_t address)
{
	return prof_patches_copy(prof_patched_patches(debugger.patched), address, true);
}

START_TEST(what_is_written_to_a_patch_is_at_the_copy)
{
	const uint64_t address = (uintptr_t)leaf;
	unsigned original = *(const unsigned char *)leaf;

	begin();
	add((const void *)leaf);
	map();
	put_in();
	unsigned patch = there(address), copied = there(copy_of(address));
	ck_assert_uint_ne(patch, original);
	ck_assert_uint_eq(seen(address), original);
	write_byte(address, TRAP);
	ck_assert_uint_eq(there(address), patch);
	ck_assert_uint_eq(there(copy_of(address)), TRAP);
	ck_assert_uint_eq(patched_memory_copied(&debugger.memory, copy_of(address)), address);
	write_byte(address, original);
	ck_assert_uint_eq(there(copy_of(address)), copied);
	ck_assert_uint_eq(patched_memory_copied(&debugger.memory, copy_of(address)), 0);
	write_byte(address, TRAP);
	/* It is where it was written as soon as the patch is out. */
	uint64_t copy = copy_of(address);
	take_out();
	ck_assert_uint_eq(there(address), TRAP);
	ck_assert_uint_eq(there(copy), copied);
	write_byte(address, original);
	ck_assert(patched_child_same(&debugger.child, (const void *)leaf, LENGTH));
	finish();
}
END_TEST

START_TEST(what_was_written_before_does_not_keep_patches_out)
{
	const uint64_t address = (uintptr_t)leaf;
	unsigned original = *(const unsigned char *)leaf;

	begin();
	/* One of them before the function is known here. */
	ck_assert_ok(prof_process_write(debugger.child.pid, address, "\xcc", 1));
	add((const void *)leaf);
	add((const void *)fibonacci);
	map();
	write_byte((uintptr_t)fibonacci, TRAP);
	put_in();
	ck_assert_uint_ne(copy_of(address), 0);
	ck_assert_uint_eq(there(copy_of(address)), TRAP);
	ck_assert_uint_eq(there(copy_of((uintptr_t)fibonacci)), TRAP);
	ck_assert_uint_eq(seen(address), TRAP);
	take_out();
	ck_assert_uint_eq(there(address), TRAP);
	ck_assert_uint_eq(there((uintptr_t)fibonacci), TRAP);
	write_byte(address, original);
	ck_assert(patched_child_same(&debugger.child, (const void *)leaf, LENGTH));
	finish();
}
END_TEST

START_TEST(other_memory_is_the_debuggers)
{
	const unsigned char byte = TRAP;
	unsigned char bytes[] = {1, 2};

	begin();
	add((const void *)leaf);
	map();
	put_in();
	ck_assert(!patched_memory_write(&debugger.memory, (uintptr_t)&debugger, &byte, 1));
	ck_assert(!patched_memory_write(&debugger.memory, (uintptr_t)leaf, &byte, 0));
	patched_memory_read(&debugger.memory, (uintptr_t)&debugger, bytes, sizeof bytes);
	ck_assert_uint_eq(bytes[0], 1);
	take_out();
	finish();
}
END_TEST

RUN_DECODER_TESTS("patched_memory", what_is_written_to_a_patch_is_at_the_copy,
	what_was_written_before_does_not_keep_patches_out, other_memory_is_the_debuggers)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
