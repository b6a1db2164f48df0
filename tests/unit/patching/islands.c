/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where islands can be, and what debuggers and unwinders find of functions that have stubs there.
 */
#include "patching/islands.h"

#include "patched_calls.h"

#ifdef __x86_64__

#include "stepped.h"

#include <pthread.h>
#include <string.h>
#include <unwind.h>

#define MB UINT64_C(0x100000)
#define GB (1024 * MB)

START_TEST(room_is_below_the_object)
{
	const struct prof_island_range used[] = {
		{4 * GB, 4 * GB + 8 * MB}, /* the object */
		{4 * GB + 8 * MB, 4 * GB + 64 * MB},
		{5 * GB, 9 * GB},
	};

	ck_assert_uint_eq(
		prof_island_room(used, PROF_COUNT(used), used[0], 16 * MB), 4 * GB - 16 * MB);
	ck_assert_uint_eq(
		prof_island_room(used, PROF_COUNT(used), used[0], 64 * MB), 4 * GB - 64 * MB);
	/* Granules are whole, be there another object in them or not. */
	const struct prof_island_range odd = {4 * GB + MB, 4 * GB + 8 * MB};
	ck_assert_uint_eq(prof_island_room(&odd, 1, odd, 16 * MB), 4 * GB - 16 * MB);
}
END_TEST

START_TEST(other_objects_are_passed)
{
	const struct prof_island_range used[] = {
		{3 * GB, 3 * GB + 900 * MB},
		{3 * GB + 920 * MB, 3 * GB + 1010 * MB},
		{4 * GB, 4 * GB + 8 * MB},
	};

	/* What is free between them is not a whole granule. */
	ck_assert_uint_eq(
		prof_island_room(used, PROF_COUNT(used), used[2], 16 * MB), 3 * GB - 16 * MB);
}
END_TEST

START_TEST(room_may_be_above)
{
	const struct prof_island_range used[] = {
		{0x1000, 4 * GB}, {4 * GB, 4 * GB + 8 * MB}, {4 * GB + 8 * MB, 4 * GB + 100 * MB}};

	ck_assert_uint_eq(
		prof_island_room(used, PROF_COUNT(used), used[1], 16 * MB), 4 * GB + 112 * MB);
	/* An object at fixed addresses has hardly anything below. */
	const struct prof_island_range low = {0x400000, 0x500000};
	ck_assert_uint_eq(prof_island_room(&low, 1, low, 16 * MB), 16 * MB);
}
END_TEST

START_TEST(room_is_within_2_gb)
{
	const struct prof_island_range used[] = {{8 * GB, 10 * GB - 32 * MB},
		{10 * GB - 32 * MB, 10 * GB - 16 * MB}, {10 * GB - 16 * MB, 13 * GB}};

	ck_assert_uint_eq(prof_island_room(used, PROF_COUNT(used), used[1], 16 * MB), 0);
	ck_assert_uint_eq(prof_island_room(used + 1, 2, used[1], 16 * MB), 10 * GB - 48 * MB);
	/* All of a large one must be in reach. */
	const struct prof_island_range large = {8 * GB, 10 * GB - 8 * MB};
	ck_assert_uint_eq(prof_island_room(&large, 1, large, 16 * MB), 0);
}
END_TEST

/* Functions that are patched, and what they call. */
uint64_t calling(uint64_t number), called(uint64_t number), counting(uint64_t number);

__asm__(".text\n"
	".type calling,@function\n"
	"calling:\n	.cfi_startproc\n"
	"	push %rdi\n	call called\n	pop %rdi\n	add %rdi,%rax\n	ret\n"
	"	.cfi_endproc\n	.size calling,.-calling\n"
	".type called,@function\n"
	"called:\n	.cfi_startproc\n"
	"	push %rdi\n	jmp 1f\n	nop\n	nop\n1:	pop %rax\n	jmp counting\n"
	"	.cfi_endproc\n	.size called,.-called\n"
	".type counting,@function\n"
	"counting:\n	.cfi_startproc\n"
	"	mov %rdi,%rcx\n	jrcxz 1f\n	add %rdi,%rax\n	dec %rdi\n	jnz counting+5\n"
	"1:	ret\n	.cfi_endproc\n	.size counting,.-counting\n");

enum { STEPS = 4096 };

/* Where the thread was after each instruction, as it would have been without patches. */
static struct step {
	uint64_t pc, sp, top; /* TOP is the word that SP leads to */
} steps[2][STEPS];
static size_t step_count[2], run, shared;
static const struct patched *stepped;

static uint64_t shadow_of(uint64_t slot)
{
	return *(uint64_t *)(uintptr_t)(slot ^ PROF_STUB_SHADOW);
}

static void note_step(int number, siginfo_t *info, void *context)
{
	struct step step = {.pc = stepped_pc(context), .sp = stepped_sp(context)};
	struct prof_island_place place;

	(void)number;
	(void)info;
	if (stepped && prof_island_find(&stepped->island, step.pc, &place)) {
		step.pc = place.pc;
		step.sp += (uint64_t)(int64_t)place.sp;
		if (place.state == PROF_ISLAND_SHARED) {
			shared++;
			return;
		}
		if (place.state == PROF_ISLAND_RETURNING) {
			step.pc = shadow_of(step.sp);
			step.sp += 8;
		}
	}
	step.top = *(uint64_t *)(uintptr_t)step.sp;
	if (stepped && prof_island_returns(&stepped->island, step.top))
		step.top = shadow_of(step.sp);
	size_t count = step_count[run];
	if (count && !memcmp(&steps[run][count - 1], &step, sizeof step))
		return;
	if (count < STEPS)
		steps[run][step_count[run]++] = step;
}

START_TEST(a_thread_is_where_it_would_be_without_patches)
{
	for (int kind = 0; kind < PROF_STUB_KINDS; kind++) {
		struct patched *patched = patched_open(calling, PATCHED_RECORDS);
		patched_add(patched, calling, kind);
		patched_add(patched, called, kind);
		patched_add(patched, counting, kind);
		stepped_handle(note_step);
		step_count[0] = step_count[1] = shared = 0;
		for (run = 0; run < 2; run++) {
			if (run) {
				patched_begin(patched);
				stepped = patched;
			}
			ck_assert_uint_eq(stepped_call(calling, 5), 5 + 5 + 15);
			stepped = NULL;
		}
		patched_end(patched);
		patched_close(patched);
		ck_assert_uint_gt(step_count[0], 20);
		/* Who looks for frames needs neither a block nor a record. */
		ck_assert_int_eq(shared > 0, kind != PROF_STUB_FIND_FRAME);
		ck_assert_uint_eq(step_count[0], step_count[1]);
		for (size_t i = 0; i < step_count[0]; i++) {
			ck_assert_uint_eq(steps[0][i].pc, steps[1][i].pc);
			ck_assert_uint_eq(steps[0][i].sp, steps[1][i].sp);
			ck_assert_uint_eq(steps[0][i].top, steps[1][i].top);
		}
	}
}
END_TEST

START_TEST(what_is_elsewhere_is_in_no_island)
{
	struct patched *patched = patched_open(calling, PATCHED_RECORDS);
	const struct prof_island *island = &patched->island;
	struct prof_island_place place;

	patched_add(patched, calling, PROF_STUB_CALL);
	patched_add(patched, called, PROF_STUB_COUNT);
	ck_assert(!prof_island_find(island, island->address - 1, &place));
	ck_assert(!prof_island_find(island, island->address + island->code.count, &place));
	ck_assert(prof_island_find(island, island->address, &place));
	ck_assert_int_eq(place.state, PROF_ISLAND_SHARED);
	unsigned returns = 0;
	for (uint64_t at = 0; at < island->code.count; at++)
		returns += prof_island_returns(island, island->address + at);
	ck_assert_uint_eq(returns, 1);
	patched->size = 4096;
	patched_close(patched);
}
END_TEST

START_TEST(each_moved_instruction_has_its_copy)
{
	struct patched *patched = patched_open(calling, 0);
	const struct prof_island *island = &patched->island;
	struct prof_island_place place;
	uint64_t from = (uintptr_t)calling;

	patched_add(patched, calling, PROF_STUB_COUNT);
	const struct prof_stub *stub = &island->stubs.items[0];
	for (uint64_t at = 0; at < 16; at++) {
		uint64_t copy = prof_island_copy(stub, from + at);
		/* A push, and a call behind it. */
		ck_assert_int_eq(copy != 0, at <= 1);
		if (!copy)
			continue;
		ck_assert(prof_island_find(island, copy, &place));
		ck_assert_int_eq(place.state, PROF_ISLAND_MOVED);
		ck_assert_uint_eq(place.pc, from + at);
		ck_assert_int_eq(place.sp, 0);
	}
	ck_assert_uint_eq(prof_island_copy(stub, from - 1), 0);
	patched->size = 4096;
	patched_close(patched);
}
END_TEST

/* Calls FUNCTION with DEPTH, and returns 1 if an exception ends the call, and else 0. */
int catching(void (*function)(int depth), int depth);
extern const char landing[];

__asm__(".text\n"
	".type catching,@function\n"
	"catching:\n	.cfi_startproc\n	.cfi_personality 0x1b,catch_exception\n"
	"	push %rbx\n	.cfi_def_cfa_offset 16\n	.cfi_offset rbx,-16\n"
	"	mov %rdi,%rax\n	mov %esi,%edi\n	call *%rax\n"
	"	xor %eax,%eax\n1:	pop %rbx\n	.cfi_remember_state\n"
	"	.cfi_def_cfa_offset 8\n	ret\n"
	"landing:	.cfi_restore_state\n	mov $1,%eax\n	jmp 1b\n"
	"	.cfi_endproc\n	.size catching,.-catching\n");

__attribute__((used)) static _Unwind_Reason_Code catch_exception(int version,
	_Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
	struct _Unwind_Context *context)
{
	(void)version;
	(void)class;
	(void)exception;
	if (actions & _UA_SEARCH_PHASE)
		return _URC_HANDLER_FOUND;
	if (!(actions & _UA_HANDLER_FRAME))
		return _URC_CONTINUE_UNWIND;
	_Unwind_SetIP(context, (_Unwind_Ptr)landing);
	return _URC_INSTALL_CONTEXT;
}

#define CALL(function) (*(__typeof__(function) *volatile *)&(__typeof__(function) *){function})

static struct _Unwind_Exception exception;
static unsigned traced_frames, named_frames;

KEPT static void throwing(int depth)
{
	if (!depth)
		_Unwind_RaiseException(&exception);
	CALL(throwing)(depth - 1);
	__asm__ volatile("");
}

static void throwing_twice(int depth);

static _Unwind_Reason_Code trace_frame(struct _Unwind_Context *context, void *unused)
{
	(void)unused;
	traced_frames++;
	if (_Unwind_GetRegionStart(context) == (_Unwind_Ptr)throwing_twice)
		named_frames++;
	return _URC_NO_REASON;
}

/* Calls itself, catches what comes of it, and throws again. */
KEPT static void throwing_twice(int depth)
{
	if (!depth)
		_Unwind_Backtrace(trace_frame, NULL);
	else if (!CALL(catching)(throwing_twice, depth - 1))
		return;
	_Unwind_RaiseException(&exception);
}

START_TEST(exceptions_pass_through_stubs)
{
	enum { DEPTH = 9, TURNS = 20 };
	struct patched *patched = patched_open(throwing, PATCHED_RECORDS);
	uint32_t number = patched_add(patched, throwing, PROF_STUB_CALL);

	patched_add(patched, throwing_twice, PROF_STUB_CALL);
	patched_add(patched, catching, PROF_STUB_CALL);
	patched_begin(patched);
	for (int i = 0; i < TURNS; i++) {
		ck_assert_int_eq(CALL(catching)(throwing, DEPTH), 1);
		ck_assert_int_eq(CALL(catching)(throwing_twice, DEPTH), 1);
	}
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	ck_assert_uint_eq(calls->calls[number], (DEPTH + 1) * TURNS);
	/* Each catching() returns, and what it has called does not. */
	calls_check_pairs(calls, (DEPTH + 1) * TURNS + 2 * (DEPTH + 1) * TURNS + TURNS);
	ck_assert_uint_eq(calls->returns, (DEPTH + 2) * TURNS);
	ck_assert_uint_eq(named_frames, (DEPTH + 1) * TURNS);
	ck_assert_uint_gt(traced_frames, 2 * named_frames);
	patched_close(patched);
}
END_TEST

static unsigned cleanups;

static void clean(void *unused)
{
	(void)unused;
	cleanups++;
}

KEPT static void exiting(int depth)
{
	pthread_cleanup_push(clean, NULL);
	if (!depth)
		pthread_exit((void *)7);
	CALL(exiting)(depth - 1);
	pthread_cleanup_pop(0);
}

KEPT static void waiting(int depth)
{
	pthread_cleanup_push(clean, NULL);
	if (!depth)
		pause();
	CALL(waiting)(depth - 1);
	pthread_cleanup_pop(0);
}

static void *run_exiting(void *depth)
{
	CALL(exiting)(*(int *)depth);
	return NULL;
}

static void *run_waiting(void *depth)
{
	CALL(waiting)(*(int *)depth);
	return NULL;
}

START_TEST(threads_end_within_stubs)
{
	struct patched *patched = patched_open(exiting, PATCHED_RECORDS);
	int depth = 9;
	pthread_t thread;
	void *result;

	patched_add(patched, exiting, PROF_STUB_CALL);
	patched_add(patched, waiting, PROF_STUB_CALL);
	patched_add(patched, run_exiting, PROF_STUB_CALL);
	patched_add(patched, run_waiting, PROF_STUB_CALL);
	patched_begin(patched);
	ck_assert_int_eq(pthread_create(&thread, NULL, run_exiting, &depth), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, (void *)7);
	ck_assert_uint_eq(cleanups, 10);
	ck_assert_int_eq(pthread_create(&thread, NULL, run_waiting, &depth), 0);
	ck_assert_int_eq(pthread_cancel(thread), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, PTHREAD_CANCELED);
	ck_assert_uint_eq(cleanups, 20);
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	calls_check_pairs(calls, 22);
	ck_assert_uint_eq(calls->returns, 0);
	patched_close(patched);
}
END_TEST

RUN_DECODER_TESTS("islands", room_is_below_the_object, other_objects_are_passed, room_may_be_above,
	room_is_within_2_gb, a_thread_is_where_it_would_be_without_patches,
	what_is_elsewhere_is_in_no_island, each_moved_instruction_has_its_copy,
	exceptions_pass_through_stubs, threads_end_within_stubs)

#else

int main(void)
{
	puts("1..0 # SKIP islands are for x86-64");
	return 0;
}

#endif
