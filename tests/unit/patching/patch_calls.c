/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_calls.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, HIGH = 1 << 20, OTHER = 1 << 28 };

/* The events, each as "(f" for a call, ")f" for its end, or "!f" where it is left. */
static char text[MOST];
static size_t length;
static uint64_t last[2]; /* times, by thread */
static bool full;

static bool take(void *context, const struct prof_patch_event *event)
{
	(void)context;
	ck_assert_uint_ge(event->time, last[event->thread]);
	last[event->thread] = event->time;
	length += (size_t)snprintf(text + length, sizeof text - length, "%c%c", "()!"[event->kind],
		(char)('a' - 1 + (int)event->function));
	return !full;
}

static struct prof_patch_calls calls;
static uint64_t now;

static void begin(void)
{
	prof_patch_calls_deinit(&calls);
	calls.take = take;
	*text = '\0';
	length = 0;
	now = 0;
	full = false;
	memset(last, 0, sizeof last);
}

/* FUNCTION is a letter; 0: a return. */
static bool add(uint32_t thread, enum prof_stub_mark mark, char function, uint64_t slot)
{
	const struct prof_patch_record record = {
		.time = ++now,
		.slot = slot,
		.function = function ? (uint32_t)(function - 'a' + 1) : 0,
		.thread = thread,
		.mark = (uint8_t)mark,
	};

	return prof_patch_calls_add(&calls, &record);
}

static void call(char function, uint64_t slot)
{
	ck_assert(add(0, PROF_STUB_PLAIN, function, slot));
}

static void leave(uint64_t slot)
{
	ck_assert(add(0, PROF_STUB_PLAIN, 0, slot));
}

/* And ends the test. */
static void check(const char *expected, uint64_t returns)
{
	ck_assert_str_eq(text, expected);
	ck_assert_uint_eq(calls.returns, returns);
	prof_patch_calls_deinit(&calls);
}

START_TEST(calls_end_where_they_return)
{
	begin();
	call('f', 80);
	call('g', 64);
	call('f', 48);
	leave(48);
	leave(64);
	call('h', 64);
	leave(64);
	leave(80);
	check("(f(g(f)f)g(h)h)f", 0);
}
END_TEST

START_TEST(what_jumps_have_left_is_over)
{
	begin();
	call('f', 80);
	call('g', 64);
	call('h', 48);
	call('i', 64);
	call('j', 40);
	leave(80);
	check("(f(g(h!h!g(i(j!j!i)f", 0);
}
END_TEST

START_TEST(a_tail_call_ends_its_caller)
{
	begin();
	call('f', 80);
	for (int i = 0; i < 3; i++)
		ck_assert(add(0, PROF_STUB_TAIL, (char)('g' + i), 80));
	ck_assert_uint_eq(calls.threads.items[0].open.count, 1);
	leave(80);
	ck_assert(add(0, PROF_STUB_TAIL, 'k', 64));
	leave(64);
	check("(f)f(g)g(h)h(i)i(k)k", 0);
}
END_TEST

START_TEST(without_a_return_a_call_ends_at_once)
{
	begin();
	call('f', 80);
	ck_assert(add(0, PROF_STUB_ENTERED, 's', 64));
	leave(80);
	check("(f(s)s)f", 0);
}
END_TEST

START_TEST(threads_have_calls_of_their_own)
{
	begin();
	call('f', 80);
	ck_assert(add(1, PROF_STUB_PLAIN, 'g', 96));
	leave(80);
	ck_assert(add(1, PROF_STUB_PLAIN, 0, 96));
	check("(f(g)f)g", 0);
}
END_TEST

START_TEST(another_stack_leaves_nothing)
{
	begin();
	call('f', HIGH);
	call('g', HIGH + OTHER);
	call('h', HIGH + OTHER - 64);
	call('i', HIGH - 64);
	leave(HIGH - 64);
	leave(HIGH + OTHER - 64);
	leave(HIGH + OTHER);
	leave(HIGH);
	check("(f(g(h(i)i)h)g)f", 0);
}
END_TEST

START_TEST(lost_records_leave_the_others_right)
{
	begin();
	leave(48);
	call('f', 80);
	leave(64);
	call('g', 64);
	call('i', 32);
	leave(64);
	call('h', 64);
	leave(80);
	check("(f(g(i!i)g(h!h)f", 2);
}
END_TEST

START_TEST(times_do_not_go_back)
{
	struct prof_patch_record record = {.time = 50, .slot = 80, .function = 1};

	begin();
	ck_assert(prof_patch_calls_add(&calls, &record));
	/* A handler was faster. */
	record = (struct prof_patch_record){.time = 40, .slot = 64, .function = 2};
	ck_assert(prof_patch_calls_add(&calls, &record));
	ck_assert_uint_eq(last[0], 50);
	check("(a(b", 0);
}
END_TEST

START_TEST(who_cannot_take_more_is_not_asked_again)
{
	begin();
	call('f', 80);
	call('g', 64);
	full = true;
	ck_assert(!add(0, PROF_STUB_PLAIN, 'h', 96));
	check("(f(g!g", 0);
}
END_TEST

/* Makes random calls, returns, jumps and tail calls, and writes down what they are. */
START_TEST(random_programs_are_what_they_were)
{
	enum { STEPS = 8000, DEEPEST = 40 };
	static char expected[MOST];
	size_t count = 0;

	begin();
	srandom(1);
	char open[DEEPEST];
	int depth = 0;
	for (int i = 0; i < STEPS; i++) {
		char function = (char)('a' + random() % 26);
		uint64_t slot = (uint64_t)(HIGH - depth * 32);
		int way = (int)(random() % 16);
		if (way == 0 && depth) {
			/* It jumps out of some calls, which shows at the next one. */
			int left = 1 + (int)(random() % depth);
			for (int j = 0; j < left; j++) {
				expected[count++] = '!';
				expected[count++] = open[--depth];
			}
			slot = (uint64_t)(HIGH - depth * 32);
			way = 8;
		}
		if (way < 2 && depth) {
			expected[count++] = ')';
			expected[count++] = open[depth - 1];
			open[depth - 1] = function;
			ck_assert(add(0, PROF_STUB_TAIL, function, slot + 32));
		} else if (depth && (way < 8 || depth == DEEPEST)) {
			expected[count++] = ')';
			expected[count++] = open[--depth];
			ck_assert(add(0, PROF_STUB_PLAIN, 0, slot + 32));
			continue;
		} else {
			open[depth++] = function;
			ck_assert(add(0, PROF_STUB_PLAIN, function, slot));
		}
		expected[count++] = '(';
		expected[count++] = function;
	}
	ck_assert_uint_gt(count, STEPS);
	check(expected, 0);
}
END_TEST

RUN_TESTS("patch_calls", calls_end_where_they_return, what_jumps_have_left_is_over,
	a_tail_call_ends_its_caller, without_a_return_a_call_ends_at_once,
	threads_have_calls_of_their_own, another_stack_leaves_nothing,
	lost_records_leave_the_others_right, times_do_not_go_back,
	who_cannot_take_more_is_not_asked_again, random_programs_are_what_they_were)
