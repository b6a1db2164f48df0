/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a stub costs: a small function is called, from one place and from 2,000 in turn, and one
 * that calls itself, each in turns of 20 ms as it is and with a stub.  It prints the ns that
 * reading the time stamp takes, and for each kind of stub and each function what a call takes
 * without, and how much longer with a stub: the median of the differences between neighbours, and
 * their quartiles.  Nobody reads the records, which are written in a circle.
 */
#include "../unit/patched_program.h"

#include "base/clock.h"
#include "target/instruction.h"

enum { TURNS = 40, TURN_NS = 20000000, RECORDS = 1 << 20, PLACES = 2000, FEW = 16, HALF = 4096 };

__attribute__((used)) KEPT static unsigned leaf(unsigned number)
{
	__asm__ volatile("" : "+r"(number));
	return number * 3 + 1;
}

#define CALL(function) (*(__typeof__(function) *volatile *)&(__typeof__(function) *){function})

KEPT static unsigned fibonacci(unsigned number)
{
	return number < 2 ? number : CALL(fibonacci)(number - 1) + CALL(fibonacci)(number - 2);
}

/* Calls the function some thousand times, and returns how often. */
static uint64_t call_leaf(void)
{
	for (unsigned i = 0; i < 5000; i++)
		CALL(leaf)(i);
	return 5000;
}

static uint64_t call_fibonacci(void)
{
	CALL(fibonacci)(17);
	return 5167;
}

#ifdef __x86_64__
/* Calls leaf() from each of the places once. */
void call_from_places(void);

__asm__(".text\n"
	"call_from_places:\n	.cfi_startproc\n"
	"	sub $8,%rsp\n	.cfi_def_cfa_offset 16\n"
	"	.rept 2000\n	mov $5,%edi\n	call leaf\n	.endr\n"
	"	add $8,%rsp\n	.cfi_def_cfa_offset 8\n	ret\n"
	"	.cfi_endproc\n");
#else
static void call_from_places(void)
{
	for (unsigned i = 0; i < PLACES; i++)
		CALL(leaf)(i);
}
#endif

static uint64_t call_places(void)
{
	call_from_places();
	return PLACES;
}

/* ns of CPU time that a call takes in a turn. */
static double measure(uint64_t (*call)(void))
{
	int64_t began = prof_clock_used(), spent;
	uint64_t calls = 0;

	do {
		calls += call();
		spent = prof_clock_used() - began;
	} while (spent < TURN_NS);
	return (double)spent / (double)calls;
}

/* Reads the time stamp, likewise. */
static uint64_t read_time(void)
{
#ifdef __x86_64__
	for (unsigned i = 0; i < 1000; i++)
		__asm__ volatile("rdtsc" : : : "rax", "rdx");
#endif
	return 1000;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Compares FUNCTION as it is and with a stub of KIND and a table with room for so many CALLERS. */
static void compare_turns(const char *name, const void *function, uint64_t (*call)(void),
	enum prof_stub_part kind, uint32_t callers)
{
	static const char *const kinds[PROF_STUB_KINDS] = {"count", "callers", "entry", "calls"};
	double bare[TURNS], longer[TURNS];
	struct patched *patched = patched_open_sized(function, RECORDS, callers);

	patched_add(patched, function, kind);
	patched_begin(patched);
	call();
	struct prof_stub_thread *block = (struct prof_stub_thread *)(uintptr_t)patched_word;
	block->limit = UINT64_MAX;
	for (int i = 0; i < TURNS; i++) {
		double with = measure(call);
		patched_restore(patched);
		bare[i] = measure(call);
		patched_write(patched);
		longer[i] = with - bare[i];
	}
	patched_end(patched);
	patched_close(patched);
	qsort(bare, TURNS, sizeof *bare, compare);
	qsort(longer, TURNS, sizeof *longer, compare);
	printf("%s %s %.2f %.2f %.2f %.2f\n", kinds[kind], name, bare[TURNS / 2], longer[TURNS / 2],
		longer[TURNS / 4], longer[TURNS * 3 / 4]);
}

int main(void)
{
	AUTO_ERROR struct prof_error *error = prof_instruction_available();
	if (error) {
		fprintf(stderr, "stubs: %s\n", prof_error_message(error));
		return 1;
	}
	printf("time %.2f\n", measure(read_time));
	for (int kind = 0; kind < PROF_STUB_KINDS; kind++) {
		compare_turns("leaf", leaf, call_leaf, kind, PATCHED_CALLERS);
		compare_turns("places", leaf, call_places, kind, HALF);
		compare_turns("recursive", fibonacci, call_fibonacci, kind, PATCHED_CALLERS);
	}
	compare_turns("crowded", leaf, call_places, PROF_STUB_COUNT_CALLERS, FEW);
	return 0;
}
