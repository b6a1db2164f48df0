/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any function, whatever it takes and returns: it gets what it was called with, and so does its
 * caller. */
#include "agent_session.h"

#include "agent/signature.h"
#include "agent/traced_functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

enum { RETURNED = PROF_CALL_RETURNED };

struct pair {
	double x, y;
};

struct mixed {
	char letter;
	long number;
};

struct large {
	long words[4];
	float last;
};

__attribute__((noinline)) static long whole(signed char a, unsigned char b, short c,
	unsigned short d, int e, unsigned f, long g, unsigned long h, const char *i)
{
	return a + b + c + d + e + f + g + (long)h + (long)strlen(i);
}

__attribute__((noinline)) static signed char narrow(int value)
{
	return (signed char)value;
}

__attribute__((noinline)) static float floating(float a, double b, float c, double d, double e,
	double f, double g, double h, double i, int j)
{
	return (float)(a + b + c + d + e + f + g + h + i + j);
}

__attribute__((noinline)) static long double longest(int a, long double b, double c)
{
	return a + b + c;
}

__attribute__((noinline)) static struct pair turned(struct pair pair, struct mixed mixed)
{
	return (struct pair){pair.y * (double)mixed.number, pair.x + mixed.letter};
}

__attribute__((noinline)) static struct large grown(struct large large, int by)
{
	for (int i = 0; i < 4; i++)
		large.words[i] += by;
	large.last += (float)by;
	return large;
}

/* KINDS says what follows: i int, l long, d double, D long double, s string. */
__attribute__((noinline)) static double added(const char *kinds, ...)
{
	double sum = 0;
	va_list list;

	va_start(list, kinds);
	for (; *kinds; kinds++) {
		switch (*kinds) {
		case 'i':
			sum += va_arg(list, int);
			break;
		case 'l':
			sum += (double)va_arg(list, long);
			break;
		case 'd':
			sum += va_arg(list, double);
			break;
		case 'D':
			sum += (double)va_arg(list, long double);
			break;
		default:
			sum += (double)strlen(va_arg(list, const char *));
		}
	}
	va_end(list);
	return sum;
}

static jmp_buf back;

__attribute__((noinline)) static int failing(int error)
{
	if (error < 0)
		longjmp(back, 1);
	errno = error;
	return -1;
}

static int (*nested_wrapper)(int);

__attribute__((noinline)) static int nested(int depth)
{
	return depth ? 1 + nested_wrapper(depth - 1) : 0;
}

/* What is to be traced, before begin_trace(). */
static struct prof_traced_function wanted[PROF_TRACED_FUNCTIONS];
static unsigned wanted_count;

static struct prof_traced_function *want(const char *name, const char *signature, const void *real)
{
	struct prof_traced_function *traced = &wanted[wanted_count++];

	*traced = (struct prof_traced_function){.real = (uintptr_t)real};
	strcpy(traced->name, name);
	strcpy(traced->signature, signature);
	return traced;
}

static void want_value(struct prof_traced_function *traced, unsigned char number)
{
	traced->values[traced->value_count++] = number;
}

static void begin_trace(void)
{
	begin((struct prof_agent){.families = PROF_FAMILY_CALLS,
		.counter = 1,
		.traced = wanted,
		.traced_count = wanted_count});
	ck_assert_uint_eq(prof_agent.traced_built, wanted_count);
	ck_assert_uint_eq(prof_agent.hook_count, PROF_HOOK_COUNT + wanted_count);
}

static const struct prof_hook *hook_of(unsigned number)
{
	return &prof_agent.hooks[PROF_HOOK_COUNT + number];
}

/* The wrapper of the traced function NUMBER, as the function that it stands for. */
#define WRAPPER(number, function) ((__typeof__(&(function)))hook_of(number)->wrapper)

/* Begins to trace FUNCTION alone, with SIGNATURE. */
#define TRACE(function, signature) (want(#function, signature, (void *)(function)), begin_trace())

START_TEST(hands_integers_on)
{
	static const unsigned char values[] = {1, 2, 4, 6, 8, RETURNED};
	struct event events[EVENTS];
	struct prof_traced_function *traced = want("whole", "l(bBhHiIlLp)", (void *)whole);

	for (unsigned i = 0; i < sizeof values; i++)
		want_value(traced, values[i]);
	begin_trace();
	long given = WRAPPER(0, whole)(-1, 255, -300, 65535, -70000, 4000000000U, -5, 6, "four");
	long direct = whole(-1, 255, -300, 65535, -70000, 4000000000U, -5, 6, "four");
	ck_assert_int_eq(given, direct);
	ck_assert_uint_eq(read_own(events), 1);
	ck_assert_int_eq(events[0].kind, PROF_RING_CALL);
	ck_assert_uint_eq(events[0].what, PROF_HOOK_COUNT);
	ck_assert_uint_eq(events[0].count, 2 + sizeof values);
	ck_assert_uint_ge(events[0].values[0], events[0].values[1]);
	ck_assert_int_eq((int64_t)events[0].values[2], -1);
	ck_assert_int_eq((int64_t)events[0].values[3], 255);
	ck_assert_int_eq((int64_t)events[0].values[4], 65535);
	ck_assert_int_eq((int64_t)events[0].values[5], 4000000000);
	ck_assert_int_eq((int64_t)events[0].values[6], 6);
	ck_assert_int_eq((int64_t)events[0].values[7], direct);
}
END_TEST

START_TEST(widens_what_is_returned)
{
	struct event events[EVENTS];

	want_value(want("narrow", "b(i)", (void *)narrow), RETURNED);
	begin_trace();
	ck_assert_int_eq(WRAPPER(0, narrow)(-7), -7);
	ck_assert_uint_eq(read_own(events), 1);
	ck_assert_int_eq((int64_t)events[0].values[2], -7);
}
END_TEST

START_TEST(hands_floating_point_on)
{
	struct event events[EVENTS];
	struct prof_traced_function *traced = want("floating", "f(fdfddddddi)", (void *)floating);
	double value;

	want_value(traced, 3);
	want_value(traced, RETURNED);
	begin_trace();
	ck_assert_float_eq(WRAPPER(0, floating)(1.5F, 2, 3.25F, 4, 5, 6, 7, 8, 9, 10), 55.75F);
	ck_assert_uint_eq(read_own(events), 1);
	memcpy(&value, &events[0].values[2], sizeof value);
	ck_assert_double_eq(value, 3.25);
	memcpy(&value, &events[0].values[3], sizeof value);
	ck_assert_double_eq(value, 55.75);
}
END_TEST

START_TEST(hands_long_double_on)
{
	TRACE(longest, "D(iDd)");
	ck_assert_ldouble_eq(WRAPPER(0, longest)(1, 2.5L, 4), 7.5L);
}
END_TEST

START_TEST(hands_structs_on)
{
	const struct pair pair = {1.5, 2};
	const struct mixed mixed = {3, 4};

	TRACE(turned, "{dd}({dd}{bl})");
	struct pair result = WRAPPER(0, turned)(pair, mixed);
	ck_assert_double_eq(result.x, 8);
	ck_assert_double_eq(result.y, 4.5);
}
END_TEST

START_TEST(hands_structs_in_memory_on)
{
	const struct large large = {{1, 2, 3, 4}, 5};

	TRACE(grown, "{llllf}({llllf}i)");
	struct large result = WRAPPER(0, grown)(large, 10);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(result.words[i], 11 + i);
	ck_assert_float_eq(result.last, 15);
}
END_TEST

/*
 * In registers and on the stack, where a long double has to be aligned.  What is not an argument is
 * handed on too: an address sanitizer must have nothing there that it guards.
 */
__attribute__((noinline, no_sanitize("address"))) static void hand_any_on(void)
{
	static struct event events[EVENTS];

	TRACE(added, "d(p.)");
	__typeof__(&added) wrapper = WRAPPER(0, added);
	ck_assert_double_eq(wrapper(""), 0);
	ck_assert_double_eq(wrapper("ids", 1, 2.5, "abc"), 6.5);
	ck_assert_double_eq(wrapper("iiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8), 36);
	ck_assert_double_eq(wrapper("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.), 55);
	ck_assert_double_eq(wrapper("iiiiiiDlDdddddddddi", 1, 2, 3, 4, 5, 6, 7.5L, 8L, 9.5L, 1., 2.,
				    3., 4., 5., 6., 7., 8., 9., 10),
		1 + 2 + 3 + 4 + 5 + 6 + 7.5 + 8 + 9.5 + 45 + 10);
	ck_assert_uint_eq(read_own(events), 5);
}

START_TEST(hands_any_arguments_on)
{
	hand_any_on();
}
END_TEST

START_TEST(keeps_errno)
{
	struct event events[EVENTS];

	TRACE(failing, "i(i)");
	errno = 0;
	ck_assert_int_eq(WRAPPER(0, failing)(EDOM), -1);
	ck_assert_int_eq(errno, EDOM);
	ck_assert_uint_eq(read_own(events), 1);
}
END_TEST

START_TEST(can_be_jumped_out_of)
{
	struct event events[EVENTS];

	TRACE(failing, "i(i)");
	if (!setjmp(back))
		WRAPPER(0, failing)(-1);
	WRAPPER(0, failing)(0);
	ck_assert_uint_eq(read_own(events), 1);
}
END_TEST

/* Each call on its own, the innermost first. */
START_TEST(records_nested_calls)
{
	struct event events[EVENTS];

	want_value(want("nested", "i(i)", (void *)nested), 1);
	begin_trace();
	nested_wrapper = WRAPPER(0, nested);
	ck_assert_int_eq(nested_wrapper(5), 5);
	ck_assert_uint_eq(read_own(events), 6);
	for (unsigned i = 0; i < 6; i++) {
		ck_assert_uint_eq(events[i].values[2], i);
		if (i)
			ck_assert_uint_le(events[i].values[1], events[i - 1].values[1]);
	}
}
END_TEST

START_TEST(records_what_is_longer_than_the_limit)
{
	struct event events[EVENTS];

	want("narrow", "b(i)", (void *)narrow)->limit = UINT64_MAX / 2;
	begin_trace();
	ck_assert_int_eq(WRAPPER(0, narrow)(3), 3);
	ck_assert_uint_eq(read_own(events), 0);
}
END_TEST

START_TEST(records_nothing_while_it_sleeps)
{
	struct event events[EVENTS];

	TRACE(narrow, "b(i)");
	atomic_store(&ring->families, 0);
	ck_assert_int_eq(WRAPPER(0, narrow)(3), 3);
	ck_assert_uint_eq(read_own(events), 0);
	atomic_store(&ring->families, PROF_FAMILY_CALLS);
	ck_assert_int_eq(WRAPPER(0, narrow)(3), 3);
	ck_assert_uint_eq(read_own(events), 1);
}
END_TEST

/* A wrapper is there for good: a pointer to it may have been kept. */
START_TEST(keeps_wrappers_over_sessions)
{
	struct event events[EVENTS];

	TRACE(narrow, "b(i)");
	__typeof__(&narrow) wrapper = WRAPPER(0, narrow);
	wanted_count = 0;
	want("whole", "l(bBhHiIlLp)", (void *)whole);
	begin_trace();
	ck_assert_int_eq(wrapper(3), 3);
	ck_assert_uint_eq(read_own(events), 0);
	wanted_count = 0;
	want("nested", "i(i)", (void *)nested);
	want("narrow", "b(i)", (void *)narrow);
	begin_trace();
	ck_assert_ptr_eq(hook_of(1)->wrapper, (void *)wrapper);
	ck_assert_int_eq(wrapper(3), 3);
	ck_assert_uint_eq(read_own(events), 1);
	ck_assert_uint_eq(events[0].what, PROF_HOOK_COUNT + 1);
}
END_TEST

START_TEST(takes_functions_on_later)
{
	struct event events[EVENTS];

	TRACE(narrow, "b(i)");
	prof_agent.traced[1] = *want("failing", "i(i)", (void *)failing);
	prof_agent.traced_count = 2;
	prof_agent_traced_functions_build();
	ck_assert_uint_eq(prof_agent.traced_built, 2);
	WRAPPER(1, failing)(0);
	WRAPPER(0, narrow)(0);
	ck_assert_uint_eq(read_own(events), 2);
}
END_TEST

/* The dynamic linker's answer goes before the address that gdbprof has. */
START_TEST(finds_functions_by_name)
{
	want("strlen", "L(p)", NULL);
	want("no_such_function", "L(p)", NULL);
	begin_trace();
	ck_assert_uint_eq(WRAPPER(0, strlen)("four"), 4);
	ck_assert(!prof_agent.traced[0].failed);
	ck_assert(prof_agent.traced[1].failed);
	ck_assert_ptr_null(hook_of(1)->wrapper);
}
END_TEST

static void *choose_narrow(void)
{
	return (void *)narrow;
}

START_TEST(asks_for_functions_that_are_chosen)
{
	want("chosen", "b(i)", (void *)choose_narrow)->indirect = 1;
	begin_trace();
	ck_assert_ptr_eq(hook_of(0)->real, (void *)narrow);
	ck_assert_int_eq(WRAPPER(0, narrow)(-3), -3);
}
END_TEST

START_TEST(refuses_values_that_there_are_not)
{
	want_value(want("narrow", "b(i)", (void *)narrow), 2);
	want_value(want("failing", "i(i)", (void *)failing), 0);
	want_value(want("added", "d(p.)", (void *)added), 2);
	begin_trace();
	for (unsigned i = 0; i < 3; i++)
		ck_assert(prof_agent.traced[i].failed);
}
END_TEST

static const char *const damaged[] = {"", "i", "i(", "x()", "i(x)", "i(v)", "i(i", "i(i))", "i(i)i",
	"i({})", "i({i)", "i({i}", "i(})", "i(.i)", "i({.})", "D(D.)", "{ll}(.)",
	"i({{{{{{{{{i}}}}}}}}})", "i(iiiiiii.)"};

START_TEST(refuses_what_is_no_signature)
{
	static struct prof_signature signature;

	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
		ck_assert_msg(!prof_signature_read(&signature, damaged[i]), "\"%s\"", damaged[i]);
}
END_TEST

START_TEST(reads_the_longest_signature)
{
	static struct prof_signature signature;
	char text[PROF_SIGNATURE] = "v(";

	memset(text + 2, 'i', sizeof text - 4);
	text[sizeof text - 2] = ')';
	ck_assert(prof_signature_read(&signature, text));
	ck_assert_uint_eq(signature.arguments, sizeof text - 4);
}
END_TEST

RUN_TESTS("agent traced_functions", hands_integers_on, widens_what_is_returned,
	hands_floating_point_on, hands_long_double_on, hands_structs_on, hands_structs_in_memory_on,
	hands_any_arguments_on, keeps_errno, can_be_jumped_out_of, records_nested_calls,
	records_what_is_longer_than_the_limit, records_nothing_while_it_sleeps,
	keeps_wrappers_over_sessions, takes_functions_on_later, finds_functions_by_name,
	asks_for_functions_that_are_chosen, refuses_values_that_there_are_not,
	refuses_what_is_no_signature, reads_the_longest_signature)
