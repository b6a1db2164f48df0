/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stubs in threads, signal handlers, coroutines and children: no call is lost, and none is seen
 * twice. */
#include "patching/stubs.h"

#include "patched_calls.h"

#ifdef __x86_64__

#include "stepped.h"

#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>

#define CALL(function) (*(__typeof__(function) *volatile *)&(__typeof__(function) *){function})

KEPT static uint64_t leaf(uint64_t number)
{
	return number * 3 + 1;
}

KEPT static uint64_t fibonacci(uint64_t number)
{
	return number < 2 ? number : CALL(fibonacci)(number - 1) + CALL(fibonacci)(number - 2);
}

/* Calls of fibonacci() for NUMBER, itself included. */
static uint64_t calls_for(unsigned number)
{
	return number < 2 ? 1 : 1 + calls_for(number - 1) + calls_for(number - 2);
}

/* All of it has room in one block, if each thread takes over that of the one before. */
enum { THREADS = 8, TURNS = 5, NUMBER = 15, RESULT = 610 };

static void *run_fibonacci(void *wrong)
{
	for (int i = 0; i < TURNS; i++)
		*(int *)wrong += CALL(fibonacci)(NUMBER) != RESULT;
	return NULL;
}

/* Has threads call fibonacci(), and returns how many results were wrong. */
static int call_in_threads(void)
{
	pthread_t threads[THREADS];
	int wrong[THREADS] = {0}, sum = 0;

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run_fibonacci, &wrong[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += wrong[i];
	}
	return sum;
}

static void check_threads(enum prof_stub_part kind)
{
	struct patched *patched = patched_open(fibonacci, 0);
	uint32_t number = patched_add(patched, fibonacci, kind);

	patched_begin(patched);
	ck_assert_int_eq(call_in_threads(), 0);
	patched_end(patched);
	ck_assert_uint_eq(patched_counted(patched, number), THREADS * TURNS * calls_for(NUMBER));
	patched_close(patched);
}

START_TEST(threads_count_each_call)
{
	check_threads(PROF_STUB_COUNT);
	check_threads(PROF_STUB_COUNT_CALLERS);
}
END_TEST

START_TEST(threads_record_pairs)
{
	struct patched *patched = patched_open(fibonacci, PATCHED_RECORDS);

	patched_add(patched, fibonacci, PROF_STUB_CALL);
	patched_begin(patched);
	ck_assert_int_eq(call_in_threads(), 0);
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	calls_check_pairs(calls, THREADS * TURNS * calls_for(NUMBER));
	ck_assert_uint_eq(calls->returns, calls->plain);
	ck_assert_uint_eq(calls->threads, THREADS);
	patched_close(patched);
}
END_TEST

static void *run_leaf(void *result)
{
	*(uint64_t *)result = CALL(leaf)(5);
	return NULL;
}

/* Threads that come one after the other. */
static void check_blocks(enum prof_stub_part kind, uint32_t records)
{
	enum { MANY = 300 };
	struct patched *patched = patched_open(leaf, records);
	uint32_t number = patched_add(patched, leaf, kind);

	patched_begin(patched);
	for (int i = 0; i < MANY; i++) {
		pthread_t thread;
		uint64_t result = 0;
		ck_assert_int_eq(pthread_create(&thread, NULL, run_leaf, &result), 0);
		pthread_join(thread, NULL);
		ck_assert_uint_eq(result, 16);
	}
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	/* The kernel may not be done with a thread when it is joined. */
	ck_assert_uint_lt(calls->blocks, MANY / 2);
	if (prof_stub_counts(kind)) {
		ck_assert_uint_eq(patched_counted(patched, number), MANY);
		ck_assert_uint_eq(calls->lost, 0);
	} else {
		calls_check_pairs(calls, MANY);
		ck_assert_uint_eq(calls->threads, MANY);
		ck_assert_uint_eq(calls->open, 0);
	}
	patched_close(patched);
}

START_TEST(threads_take_over_what_others_have_left)
{
	check_blocks(PROF_STUB_COUNT, 0);
	check_blocks(PROF_STUB_COUNT_CALLERS, 0);
	check_blocks(PROF_STUB_CALL, PATCHED_RECORDS);
}
END_TEST

START_TEST(a_full_block_is_not_taken_over)
{
	enum { ROOM = 4096, CALLS = 200 };
	struct patched *patched = patched_open(leaf, ROOM);
	pthread_t thread;
	uint64_t result;

	patched_add(patched, leaf, PROF_STUB_CALL);
	patched_add(patched, run_leaf, PROF_STUB_CALL);
	patched_begin(patched);
	for (int i = 0; i < CALLS; i++) {
		ck_assert_int_eq(pthread_create(&thread, NULL, run_leaf, &result), 0);
		pthread_join(thread, NULL);
	}
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	/* A record of each thread, so that no call is taken for another one's. */
	ck_assert_uint_eq(calls->threads, CALLS);
	ck_assert_uint_gt(calls->blocks, 1);
	ck_assert_uint_eq(calls->plain + patched_counted(patched, 1) + patched_counted(patched, 2),
		2 * CALLS);
	ck_assert_uint_eq(calls->returns + calls->lost, calls->plain);
	patched_close(patched);
}
END_TEST

static volatile uint64_t handled, wrong_results;

static void handle_alarm(int number)
{
	(void)number;
	wrong_results += CALL(fibonacci)(5) != 5;
	handled++;
}

/* Calls while signals come, whose handler calls too; how often it did. */
static uint64_t call_with_signals(void)
{
	enum { SIGNALS = 100, PERIOD_US = 1000, MOST = 1000 };
	struct sigaction action = {.sa_handler = handle_alarm, .sa_flags = SA_RESTART};
	const struct itimerval period = {{0, PERIOD_US}, {0, PERIOD_US}}, none = {{0, 0}, {0, 0}};
	uint64_t turns = 0;

	handled = 0;
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &period, NULL), 0);
	for (; handled < SIGNALS && turns < MOST; turns++)
		wrong_results += CALL(fibonacci)(NUMBER) != RESULT;
	ck_assert_int_eq(setitimer(ITIMER_REAL, &none, NULL), 0);
	ck_assert_uint_eq(wrong_results, 0);
	return turns;
}

static void check_signals(enum prof_stub_part kind)
{
	struct patched *patched = patched_open(fibonacci, 0);
	uint32_t number = patched_add(patched, fibonacci, kind);

	patched_begin(patched);
	uint64_t turns = call_with_signals();
	patched_end(patched);
	ck_assert_uint_eq(patched_counted(patched, number),
		turns * calls_for(NUMBER) + handled * calls_for(5));
	patched_close(patched);
}

START_TEST(signals_lose_no_call)
{
	check_signals(PROF_STUB_COUNT);
	check_signals(PROF_STUB_COUNT_CALLERS);

	struct patched *patched = patched_open(fibonacci, 1 << 26);
	patched_add(patched, fibonacci, PROF_STUB_CALL);
	patched_begin(patched);
	uint64_t turns = call_with_signals();
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	calls_check_pairs(calls, turns * calls_for(NUMBER) + handled * calls_for(5));
	ck_assert_uint_eq(calls->returns, calls->plain);
	patched_close(patched);
}
END_TEST

static uint64_t stepped_handled, stepped_wrong;

static void call_at_step(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	(void)context;
	stepped_handled++;
	stepped_wrong += CALL(leaf)(stepped_handled) != stepped_handled * 3 + 1;
}

/* The first call, by which the thread gets what it needs, is interrupted as any other. */
START_TEST(a_signal_may_come_at_each_instruction)
{
	for (int kind = 0; kind < PROF_STUB_FIND_FRAME; kind++) {
		struct patched *patched = patched_open(fibonacci, 1 << 24);
		uint32_t inner = patched_add(patched, leaf, kind);
		uint32_t outer = patched_add(patched, fibonacci, kind);
		stepped_handled = stepped_wrong = 0;
		stepped_handle(call_at_step);
		patched_begin(patched);
		uint64_t result = stepped_call(fibonacci, 6);
		patched_end(patched);
		ck_assert_uint_eq(result, 8);
		ck_assert_uint_eq(stepped_wrong, 0);
		ck_assert_uint_gt(stepped_handled, 500);
		const struct calls *calls = calls_read(patched);
		if (prof_stub_counts(kind)) {
			ck_assert_uint_eq(patched_counted(patched, inner), stepped_handled);
			ck_assert_uint_eq(patched_counted(patched, outer), calls_for(6));
		} else {
			bool recorded = kind == PROF_STUB_CALL;
			ck_assert_uint_eq(calls->calls[inner], stepped_handled);
			ck_assert_uint_eq(calls->calls[outer], calls_for(6));
			calls_check_pairs(calls, recorded ? stepped_handled + calls_for(6) : 0);
			ck_assert_uint_eq(calls->returns, calls->plain);
		}
		patched_close(patched);
	}
}
END_TEST

static ucontext_t here, there;
static uint64_t yields;

KEPT static void yield(void)
{
	yields++;
	swapcontext(&there, &here);
}

/* On a stack of its own. */
KEPT static void coroutine(void)
{
	for (;;) {
		CALL(fibonacci)(4);
		CALL(yield)();
	}
}

KEPT static void resume(void)
{
	swapcontext(&here, &there);
}

START_TEST(coroutines_have_stacks_of_their_own)
{
	enum { STACK = 1 << 16, SWITCHES = 1000, FIFTH = 5 };
	struct patched *patched = patched_open(fibonacci, PATCHED_RECORDS);
	char *stack = malloc(STACK);
	uint32_t numbers[4] = {patched_add(patched, fibonacci, PROF_STUB_CALL),
		patched_add(patched, yield, PROF_STUB_CALL),
		patched_add(patched, resume, PROF_STUB_CALL),
		patched_add(patched, coroutine, PROF_STUB_CALL)};

	ck_assert_ptr_nonnull(stack);
	ck_assert_int_eq(getcontext(&there), 0);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = STACK;
	patched_begin(patched);
	makecontext(&there, coroutine, 0);
	for (int i = 0; i < SWITCHES; i++) {
		CALL(resume)();
		ck_assert_uint_eq(CALL(fibonacci)(5), FIFTH);
	}
	patched_end(patched);
	ck_assert_uint_eq(yields, SWITCHES);
	const struct prof_stub_thread *block = patched_first(patched);
	const struct prof_stub_record *records =
		(const void *)((const char *)block + PROF_STUB_RECORDS);
	uint64_t calls[PATCHED_MOST] = {0};
	for (uint64_t i = 0; i < block->next / sizeof *records; i++) {
		if (prof_stub_record_mark(&records[i]) == PROF_STUB_PLAIN)
			calls[prof_stub_record_function(&records[i])]++;
	}
	ck_assert_uint_eq(block->lost, 0);
	const uint64_t own = calls_for(5) + calls_for(4);
	ck_assert_uint_eq(calls[numbers[0]], SWITCHES * own);
	ck_assert_uint_eq(calls[numbers[1]], SWITCHES);
	ck_assert_uint_eq(calls[numbers[2]], SWITCHES);
	ck_assert_uint_eq(calls[numbers[3]], 1);
	/* The last yield() and the coroutine go on no more. */
	ck_assert_uint_eq(calls[0], SWITCHES * (own + 2) - 1);
	patched_close(patched);
	free(stack);
}
END_TEST

START_TEST(children_do_not_count_for_their_parents)
{
	struct patched *patched = patched_open(fibonacci, PATCHED_RECORDS);
	uint32_t counted = patched_add(patched, leaf, PROF_STUB_COUNT);
	int status;

	patched_add(patched, fibonacci, PROF_STUB_CALL);
	patched_begin(patched);
	CALL(leaf)(1);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		int wrong = call_in_threads() + (CALL(fibonacci)(NUMBER) != RESULT) +
			(CALL(leaf)(1) != 4);
		_exit(wrong || patched_counted(patched, counted) != 2);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(CALL(fibonacci)(NUMBER), RESULT);
	patched_end(patched);
	ck_assert_uint_eq(patched_counted(patched, counted), 1);
	calls_check_pairs(calls_read(patched), calls_for(NUMBER));
	patched_close(patched);
}
END_TEST

RUN_DECODER_TESTS("stubs_threads", threads_count_each_call, threads_record_pairs,
	threads_take_over_what_others_have_left, a_full_block_is_not_taken_over,
	signals_lose_no_call, a_signal_may_come_at_each_instruction,
	coroutines_have_stacks_of_their_own, children_do_not_count_for_their_parents)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
