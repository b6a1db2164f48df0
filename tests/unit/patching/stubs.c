/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The test's own functions are patched, and called: they do what they did, and each call is seen.
 */
#include "patching/stubs.h"

#include "machine.h"
#include "patched_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#ifdef __x86_64__

/* What witness() has found in the registers, and then has left there. */
__attribute__((used)) static struct machine found;

/* Functions that compilers would not write. */
int witness(void);
uint64_t even(uint64_t left), odd(uint64_t left);
uint64_t calling(uint64_t number), called(uint64_t number);
int hopping(int count), tiny(void);

/* What calling() calls has had for a return address. */
__attribute__((used)) static uint64_t returned_to;
extern const char behind_call[];

__asm__(".text\n"
	/* Notes all registers and flags, and inverts most. */
	".type witness,@function\n"
	"witness:\n	.cfi_startproc\n"
	"	mov %rax,found(%rip)\n	mov %rbx,8+found(%rip)\n	mov %rcx,16+found(%rip)\n"
	"	mov %rdx,24+found(%rip)\n	mov %rsi,32+found(%rip)\n"
	"	mov %rbp,40+found(%rip)\n	mov %r8,48+found(%rip)\n	mov %r9,56+found(%rip)\n"
	"	mov %r10,64+found(%rip)\n	mov %r11,72+found(%rip)\n"
	"	mov %r12,80+found(%rip)\n	mov %r13,88+found(%rip)\n"
	"	mov %r14,96+found(%rip)\n	mov %r15,104+found(%rip)\n"
	"	mov %rdi,112+found(%rip)\n"
	"	pushfq\n	pop 120+found(%rip)\n"
	"	not %rax\n	not %rcx\n	not %rdx\n	not %rsi\n	not %r8\n"
	"	not %r9\n	not %r10\n	not %r11\n	bswap %rbx\n	bswap %r15\n"
	"	add %rcx,%r11\n"
	"	ret\n	.cfi_endproc\n	.size witness,.-witness\n"
	/* Each jumps to the other as often as it is told. */
	".type even,@function\n"
	"even:\n	.cfi_startproc\n"
	"	test %rdi,%rdi\n	jz 1f\n	dec %rdi\n	jmp odd\n"
	"1:	mov $1,%eax\n	ret\n	.cfi_endproc\n	.size even,.-even\n"
	".type odd,@function\n"
	"odd:\n	.cfi_startproc\n"
	"	test %rdi,%rdi\n	jz 1f\n	dec %rdi\n	jmp even\n"
	"1:	xor %eax,%eax\n	ret\n	.cfi_endproc\n	.size odd,.-odd\n"
	/* The call is in the instructions that the patch replaces. */
	".type calling,@function\n"
	"calling:\n	.cfi_startproc\n"
	"	push %rdi\n	call called\n"
	"behind_call:	pop %rdi\n	add %rdi,%rax\n	ret\n"
	"	.cfi_endproc\n	.size calling,.-calling\n"
	".type called,@function\n"
	"called:\n	.cfi_startproc\n"
	"	lea 7(%rdi),%rax\n	mov (%rsp),%rdx\n	mov %rdx,returned_to(%rip)\n"
	"	ret\n	.cfi_endproc\n	.size called,.-called\n"
	/* A loop begins 2 bytes behind the entry, and padding follows. */
	".type hopping,@function\n"
	"hopping:\n	.cfi_startproc\n"
	"	xor %eax,%eax\n1:	inc %eax\n	dec %edi\n	jnz 1b\n	ret\n"
	"	.cfi_endproc\n	.size hopping,.-hopping\n	.balign 32,0xcc\n"
	".type tiny,@function\n"
	"tiny:\n	.cfi_startproc\n	push $7\n	pop %rax\n	ret\n	.cfi_endproc\n"
	"	.size tiny,.-tiny\n	.balign 16,0xcc\n");

/* Each of the functions below is called by way of a pointer that the compiler does not know. */
#define CALL(function) (*(__typeof__(function) *volatile *)&(__typeof__(function) *){function})

KEPT static int leaf(int number)
{
	return number * 3 + 1;
}

KEPT static unsigned fibonacci(unsigned number)
{
	return number < 2 ? number : CALL(fibonacci)(number - 1) + CALL(fibonacci)(number - 2);
}

struct large {
	uint64_t words[9];
};

KEPT static struct large returns_large(uint64_t first, struct large given)
{
	struct large ret = given;

	ret.words[0] += first;
	ret.words[8] *= 3;
	return ret;
}

KEPT static uint64_t many(int a, long b, char c, int d, long e, int f, int g, long h,
	struct large i, short j, double k)
{
	return (uint64_t)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * j) +
		i.words[4] + (uint64_t)(k * 4);
}

KEPT static double mixed(const char *kinds, ...)
{
	va_list arguments;
	double sum = 0;

	va_start(arguments, kinds);
	for (; *kinds; kinds++)
		sum += *kinds == 'd' ? va_arg(arguments, double) : va_arg(arguments, int);
	va_end(arguments);
	return sum;
}

KEPT static long double precise(long double a, float b, double c)
{
	return a * 3 + (long double)b / (long double)c;
}

KEPT static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static jmp_buf away;

KEPT static int leaves(int depth)
{
	if (!depth)
		longjmp(away, 5);
	return CALL(leaves)(depth - 1) + 1;
}

KEPT static int jumps(int depth)
{
	int result = setjmp(away);

	return result ? result : leaves(depth) + 100;
}

/* Everything but the calls of qsort() is of one number for each function: see CALLS. */
enum { LEAF, FIBONACCI, LARGE, MANY, MIXED, PRECISE, COMPARE, HOPPING, TINY, FUNCTIONS };

static const uint64_t calls_of[FUNCTIONS] = {
	[LEAF] = 1000,
	[FIBONACCI] = 21891, /* of 20 */
	[LARGE] = 1,
	[MANY] = 1,
	[MIXED] = 2,
	[PRECISE] = 1,
	[HOPPING] = 3,
	[TINY] = 1,
};

enum { NUMBERS = 500 };

struct results {
	int leaves, hops;
	unsigned fibonacci;
	struct large large;
	uint64_t many;
	double mixed[2];
	long double precise;
	int numbers[NUMBERS];
};

static void call_all(struct results *ret)
{
	const struct large given = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};

	memset(ret, 0, sizeof *ret);
	for (int i = 0; i < 1000; i++)
		ret->leaves += CALL(leaf)(i);
	ret->fibonacci = CALL(fibonacci)(20);
	ret->large = CALL(returns_large)(41, given);
	ret->many = CALL(many)(1, 2, 3, 4, 5, 6, 7, 8, given, 9, 1.25);
	ret->mixed[0] = CALL(mixed)("did", 1.5, 2, 3.25);
	ret->mixed[1] = CALL(mixed)("iiiiiiiddddddddddi", 1, 2, 3, 4, 5, 6, 7, .5, .5, .5, .5, .5,
		.5, .5, .5, .5, .5, 8);
	ret->precise = CALL(precise)(1.25L, 2.5f, 8.);
	for (int i = 0; i < NUMBERS; i++)
		ret->numbers[i] = i * 7919 % 1009;
	qsort(ret->numbers, NUMBERS, sizeof *ret->numbers, CALL(compare));
	for (int i = 1; i <= 3; i++)
		ret->hops += CALL(hopping)(i);
	ret->hops += CALL(tiny)();
}

static struct patched *patch_all(enum prof_stub_part kind, uint32_t numbers[FUNCTIONS])
{
	const void *functions[FUNCTIONS] = {
		leaf, fibonacci, returns_large, many, mixed, precise, compare, hopping, tiny};
	struct patched *patched = patched_open(leaf, PATCHED_RECORDS);

	for (size_t i = 0; i < FUNCTIONS; i++)
		numbers[i] = patched_add(patched, functions[i], kind);
	patched_begin(patched);
	return patched;
}

/* Fails unless EXPECTED and GOT are the same. */
static void check_results(const struct results *expected, const struct results *got)
{
	ck_assert_int_eq(expected->leaves, got->leaves);
	ck_assert_int_eq(expected->hops, got->hops);
	ck_assert_uint_eq(expected->fibonacci, got->fibonacci);
	ck_assert_mem_eq(&expected->large, &got->large, sizeof got->large);
	ck_assert_uint_eq(expected->many, got->many);
	ck_assert_mem_eq(expected->mixed, got->mixed, sizeof got->mixed);
	ck_assert(expected->precise == got->precise);
	ck_assert_mem_eq(expected->numbers, got->numbers, sizeof got->numbers);
}

/* How often qsort() compares what call_all() sorts. */
static uint64_t comparisons;

static int count_comparison(const void *a, const void *b)
{
	comparisons++;
	return compare(a, b);
}

static void sort_counted(void)
{
	int numbers[NUMBERS];

	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = i * 7919 % 1009;
	comparisons = 0;
	qsort(numbers, NUMBERS, sizeof *numbers, count_comparison);
}

/* Calls all with stubs of KIND, which count. */
static void check_counted(enum prof_stub_part kind)
{
	struct results expected, got;
	uint32_t numbers[FUNCTIONS];

	sort_counted();
	call_all(&expected);
	struct patched *patched = patch_all(kind, numbers);
	call_all(&got);
	patched_end(patched);
	check_results(&expected, &got);
	for (size_t i = 0; i < FUNCTIONS; i++)
		ck_assert_uint_eq(patched_counted(patched, numbers[i]),
			i == COMPARE ? comparisons : calls_of[i]);
	/* They are as they were. */
	call_all(&got);
	check_results(&expected, &got);
	ck_assert_uint_eq(patched_counted(patched, numbers[LEAF]), calls_of[LEAF]);
	patched_close(patched);
}

START_TEST(counted_functions_do_what_they_did)
{
	check_counted(PROF_STUB_COUNT);
	check_counted(PROF_STUB_COUNT_CALLERS);
}
END_TEST

/* Calls all with stubs of KIND; RECORDED is true for calls and returns. */
static void check_recorded(enum prof_stub_part kind, bool recorded)
{
	struct results expected, got;
	uint32_t numbers[FUNCTIONS];
	uint64_t sum = 0;

	sort_counted();
	call_all(&expected);
	struct patched *patched = patch_all(kind, numbers);
	call_all(&got);
	patched_end(patched);
	check_results(&expected, &got);
	const struct calls *calls = calls_read(patched);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		uint64_t wanted = i == COMPARE ? comparisons : calls_of[i];
		ck_assert_uint_eq(calls->calls[numbers[i]], wanted);
		sum += wanted;
	}
	calls_check_pairs(calls, recorded ? sum : 0);
	ck_assert_uint_eq(calls->returns, recorded ? sum : 0);
	ck_assert_uint_eq(calls->entered, recorded ? 0 : sum);
	ck_assert_uint_eq(calls->threads, 1);
	patched_close(patched);
}

START_TEST(recorded_functions_do_what_they_did)
{
	check_recorded(PROF_STUB_CALL, true);
	check_recorded(PROF_STUB_ENTRY, false);
}
END_TEST

/* Has the table of callers have all entries as they were, none, or no room, by TURN. */
static void prepare_table(const struct patched *patched, int turn)
{
	const struct prof_stub_thread *block = patched_first(patched);
	const struct prof_stub_caller other = {1, UINT64_C(1) << PROF_STUB_CALLS_BITS};

	for (size_t i = 0; block && i < prof_stub_caller_count(&patched->settings); i++) {
		struct prof_stub_caller *entry = &patched_table(patched, block)[i];
		if (turn % 4 == 1)
			*entry = other;
		else if (turn % 4 == 2)
			*entry = (struct prof_stub_caller){0, 0};
	}
}

START_TEST(all_registers_and_flags_are_kept)
{
	enum { FEW = 16 };

	for (int kind = 0; kind < PROF_STUB_KINDS; kind++) {
		struct patched *patched = patched_open_sized(witness, PATCHED_RECORDS, FEW);
		patched_add(patched, witness, kind);
		for (int i = 0; i < 1000; i++) {
			struct machine original, copy, seen;
			fill_machine(&original);
			copy = original;
			run_machine(&original, witness);
			seen = found;
			patched_begin(patched);
			run_machine(&copy, witness);
			patched_end(patched);
			munmap((void *)(uintptr_t)patched->island.address, patched->size);
			ck_assert_mem_eq(&seen, &found, sizeof found);
			ck_assert_mem_eq(&original, &copy, sizeof copy);
			/* Every other time the thread is new to the stub. */
			patched_word = i % 2 ? patched_word : 0;
			prepare_table(patched, i / 2);
		}
		patched_close(patched);
	}
}
END_TEST

START_TEST(tail_calls_need_no_stack)
{
	enum { JUMPS = 100000 };
	struct patched *patched = patched_open(even, PATCHED_RECORDS);
	uint32_t first = patched_add(patched, even, PROF_STUB_CALL);
	uint32_t second = patched_add(patched, odd, PROF_STUB_CALL);

	patched_begin(patched);
	ck_assert_uint_eq(even(JUMPS), 1);
	ck_assert_uint_eq(odd(JUMPS + 1), 1);
	ck_assert_uint_eq(even(1), 0);
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	calls_check_pairs(calls, 3);
	ck_assert_uint_eq(calls->tails, 2 * JUMPS + 2);
	ck_assert_uint_eq(calls->calls[first], JUMPS / 2 + 1 + JUMPS / 2 + 1 + 1);
	ck_assert_uint_eq(calls->calls[second], JUMPS / 2 + JUMPS / 2 + 1 + 1);
	patched_close(patched);
}
END_TEST

START_TEST(a_moved_call_is_a_call)
{
	struct patched *patched = patched_open(calling, PATCHED_RECORDS);
	uint32_t outer = patched_add(patched, calling, PROF_STUB_CALL);

	patched_begin(patched);
	ck_assert_uint_eq(calling(5), 17);
	/* The frame of calling() is known by that address only. */
	ck_assert_uint_eq(returned_to, (uint64_t)(uintptr_t)behind_call);
	patched_end(patched);
	patched_close(patched);

	patched = patched_open(calling, PATCHED_RECORDS);
	outer = patched_add(patched, calling, PROF_STUB_CALL);
	uint32_t inner = patched_add(patched, called, PROF_STUB_CALL);
	patched_begin(patched);
	ck_assert_uint_eq(calling(5), 17);
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	calls_check_pairs(calls, 2);
	ck_assert_uint_eq(calls->tails, 0);
	ck_assert_uint_eq(calls->calls[outer], 1);
	ck_assert_uint_eq(calls->calls[inner], 1);
	patched_close(patched);
}
END_TEST

START_TEST(calls_may_be_left_by_longjmp)
{
	enum { DEPTH = 7, TURNS = 10 };
	struct patched *patched = patched_open(leaves, PATCHED_RECORDS);
	uint32_t left = patched_add(patched, leaves, PROF_STUB_CALL);

	patched_add(patched, jumps, PROF_STUB_CALL);
	patched_add(patched, leaf, PROF_STUB_CALL);
	patched_begin(patched);
	for (int i = 0; i < TURNS; i++) {
		ck_assert_int_eq(jumps(DEPTH), 5);
		ck_assert_int_eq(leaf(i), 3 * i + 1);
	}
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	ck_assert_uint_eq(calls->calls[left], (DEPTH + 1) * TURNS);
	calls_check_pairs(calls, (DEPTH + 3) * TURNS);
	ck_assert_uint_eq(calls->abandoned, (DEPTH + 1) * TURNS);
	patched_close(patched);
}
END_TEST

START_TEST(records_without_room_are_counted)
{
	enum { ROOM = 4096, CALLS = 1000 };
	struct patched *patched = patched_open(leaf, ROOM);

	patched_add(patched, leaf, PROF_STUB_CALL);
	patched_begin(patched);
	for (int i = 0; i < CALLS; i++)
		ck_assert_int_eq(leaf(i), 3 * i + 1);
	patched_end(patched);
	const struct calls *calls = calls_read(patched);
	const struct prof_stub_thread *block = patched_first(patched);
	/* One is of the thread, and some are spare. */
	ck_assert_uint_eq(block->next, ROOM - PROF_STUB_SPARE * sizeof(struct prof_stub_record));
	ck_assert_uint_gt(calls->plain, 0);
	ck_assert_uint_eq(calls->plain + patched_counted(patched, 1), CALLS);
	ck_assert_uint_eq(calls->returns + block->lost, calls->plain);
	patched_close(patched);
}
END_TEST

START_TEST(patches_that_reach_too_far_are_refused)
{
	const struct prof_entry entry = {
		.low = 0x1000, .high = 0x1010, .patch = PROF_PATCH_JUMP, .taken = 5};
	const struct prof_entry hop = {
		.low = 0x1000, .high = 0x1010, .hop = 0x1010, .patch = PROF_PATCH_HOP, .taken = 3};
	struct prof_stub_jump jumps[2];

	ck_assert_uint_eq(prof_stub_patch(&entry, 0x10000, 0x20000, jumps), 1);
	ck_assert_uint_eq(jumps[0].address, 0x11000);
	ck_assert_uint_eq(jumps[0].length, 5);
	ck_assert_mem_eq(jumps[0].code, "\xe9\xfb\xef\0\0", 5);
	ck_assert_uint_eq(prof_stub_patch(&entry, 0, UINT64_C(1) << 32, jumps), 0);
	ck_assert_uint_eq(prof_stub_patch(&hop, 0, 0x2000, jumps), 2);
	ck_assert_uint_eq(jumps[0].address, 0x1010);
	ck_assert_uint_eq(jumps[1].address, 0x1000);
	ck_assert_mem_eq(jumps[1].code, "\xeb\x0e", 2);
}
END_TEST

RUN_DECODER_TESTS("stubs", counted_functions_do_what_they_did, recorded_functions_do_what_they_did,
	all_registers_and_flags_are_kept, tail_calls_need_no_stack, a_moved_call_is_a_call,
	calls_may_be_left_by_longjmp, records_without_room_are_counted,
	patches_that_reach_too_far_are_refused)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
