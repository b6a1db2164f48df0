/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/layout.h"

#include "recording/queue.h"
#include "sampling/walker.h"
#include "suite.h"
#include "target/arch.h"
#include "target/maps.h"

#include <stdio.h>
#include <unistd.h>

/* What was told of one process: where each file is. */
struct told {
	size_t unmaps, count;
	struct {
		uint64_t low, high;
		char path[256];
	} items[64];
};

static struct prof_queue *queue;
static struct prof_layouts *layouts;

static void start(void)
{
	ck_assert_ok(prof_queue_create(1 << 20, &queue));
	ck_assert_ok(prof_layouts_create(prof_arch_native(), queue, &layouts));
}

static void finish(void)
{
	prof_layouts_destroy(layouts);
	prof_queue_destroy(queue);
}

static struct prof_layout *find(const struct prof_maps *maps, bool dropped)
{
	struct prof_layout *layout;
	bool gone;

	ck_assert_ok(prof_layouts_find(layouts, maps, &layout, &gone));
	ck_assert_int_eq(gone, dropped);
	return layout;
}

static struct prof_layout *find_parsed(const char *text)
{
	struct prof_maps maps = {0};

	ck_assert_ok(prof_maps_parse(&maps, text));
	struct prof_layout *layout = find(&maps, false);
	prof_maps_deinit(&maps);
	return layout;
}

/* Puts LAYOUT as that of process 7, and takes what was told. */
static struct told report(struct prof_layout *layout)
{
	struct told told = {0};
	struct prof_message message;
	const void *data;

	prof_layout_put(layouts, layout, 7, false);
	while (prof_queue_take(queue, &message, &data)) {
		ck_assert_int_eq(message.mapping.process, 7);
		told.unmaps += message.kind == PROF_MESSAGE_UNMAP;
		if (message.kind != PROF_MESSAGE_MAPPING)
			continue;
		ck_assert_uint_lt(told.count, PROF_COUNT(told.items));
		told.items[told.count].low = message.mapping.low;
		told.items[told.count].high = message.mapping.high;
		strncpy(told.items[told.count].path, data, 255);
		told.count++;
	}
	ck_assert_uint_eq(told.unmaps, 1);
	for (size_t i = 0; i < told.count; i++) {
		for (size_t j = 0; j < i; j++)
			ck_assert(told.items[i].low >= told.items[j].high ||
				told.items[j].low >= told.items[i].high);
	}
	return told;
}

#define PROGRAM "400000-401000 r-xp 00000000 fe:01 11 /program\n"
#define LIBRARY(low, high) low "-" high " r-xp 00002000 fe:01 12 /library\n"

START_TEST(processes_of_the_same_layout_share_it)
{
	start();
	struct prof_layout *one = find_parsed(PROGRAM LIBRARY("500000", "502000"));
	ck_assert_ptr_eq(find_parsed(PROGRAM LIBRARY("500000", "502000")), one);
	ck_assert_ptr_ne(find_parsed(PROGRAM LIBRARY("600000", "602000")), one);
	finish();
}
END_TEST

START_TEST(a_file_is_told_where_it_was_first)
{
	start();
	report(find_parsed(PROGRAM LIBRARY("500000", "502000")));
	struct told told = report(find_parsed(PROGRAM LIBRARY("600000", "602000")));
	ck_assert_uint_eq(told.count, 2);
	ck_assert_uint_eq(told.items[0].low, 0x400000);
	ck_assert_uint_eq(told.items[1].low, 0x500000);
	ck_assert_uint_eq(told.items[1].high, 0x502000);
	finish();
}
END_TEST

START_TEST(what_others_tell_of_is_learnt)
{
	struct prof_maps maps = {0};

	start();
	ck_assert_ok(prof_maps_parse(&maps, PROGRAM LIBRARY("500000", "502000")));
	ck_assert_ok(prof_layouts_learn(layouts, &maps));
	struct told told = report(find_parsed(PROGRAM LIBRARY("501000", "503000")));
	ck_assert_uint_eq(told.items[1].low, 0x500000);
	prof_maps_deinit(&maps);
	finish();
}
END_TEST

/* Another program is where the library was first. */
START_TEST(a_file_is_told_elsewhere_where_there_is_no_room)
{
	static const char large[] =
		"400000-700000 r-xp 00000000 fe:01 13 /large\n" LIBRARY("900000", "902000");

	start();
	report(find_parsed(PROGRAM LIBRARY("500000", "502000")));
	struct told told = report(find_parsed(large));
	ck_assert_uint_eq(told.count, 2);
	ck_assert_uint_eq(told.items[0].low, 0x400000);
	ck_assert_uint_ge(told.items[1].low, 0x100000000000);
	/* And so it is from then on. */
	uint64_t low = told.items[1].low;
	told = report(find_parsed(large));
	ck_assert_uint_eq(told.items[1].low, low);
	finish();
}
END_TEST

/* The frames of code at PC, as if nothing were outside of it. */
static size_t walk(struct prof_layout *layout, uint64_t pc, struct prof_stack *stack)
{
	struct prof_registers registers = {.pc = pc, .valid = UINT64_MAX};
	struct prof_copy copy = {.bytes = (const unsigned char *)"", .length = 0};

	prof_layout_walk(layout, &registers, &copy, stack);
	return stack->depth;
}

START_TEST(frames_are_told_like_their_files)
{
	struct prof_maps maps = {0};
	struct prof_stack stack;
	const uint64_t own = (uintptr_t)&walk;

	start();
	ck_assert_ok(prof_stack_init(&stack, 16));
	ck_assert_ok(prof_maps_read(&maps, getpid()));
	struct prof_layout *layout = find(&maps, false);
	ck_assert_uint_ge(walk(layout, own, &stack), 1);
	ck_assert_uint_eq(stack.frames[0], own);
	/* The same program, a page further on. */
	for (size_t i = 0; i < maps.mappings.count; i++) {
		maps.mappings.items[i].low += 0x1000;
		maps.mappings.items[i].high += 0x1000;
	}
	layout = find(&maps, false);
	ck_assert_uint_ge(walk(layout, own + 0x1000, &stack), 1);
	ck_assert_uint_eq(stack.frames[0], own);
	/* Of no file. */
	ck_assert_uint_ge(walk(layout, 0x10, &stack), 1);
	ck_assert_uint_eq(stack.frames[0], 0);
	prof_maps_deinit(&maps);
	prof_stack_deinit(&stack);
	finish();
}
END_TEST

START_TEST(old_layouts_go)
{
	char text[128];

	start();
	struct prof_maps maps = {0};
	for (unsigned i = 0; i < 100; i++) {
		snprintf(text, sizeof text, "%x-%x r-xp 00000000 fe:01 %u /program%u\n",
			(i + 1) << 12, (i + 2) << 12, i, i);
		ck_assert_ok(prof_maps_parse(&maps, text));
		find(&maps, i >= 24);
		ck_assert_uint_eq(report(find(&maps, false)).count, 1);
	}
	prof_maps_deinit(&maps);
	finish();
}
END_TEST

RUN_TESTS("layout", processes_of_the_same_layout_share_it, a_file_is_told_where_it_was_first,
	what_others_tell_of_is_learnt, a_file_is_told_elsewhere_where_there_is_no_room,
	frames_are_told_like_their_files, old_layouts_go)
