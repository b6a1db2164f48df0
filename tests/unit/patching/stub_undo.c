/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At each instruction of a stub a thread can be put back, and goes on as if nothing had been. */
#include "patching/stub_undo.h"

#include "decoder.h"
#include "patched_program.h"

#ifdef __x86_64__

#include "stepped.h"
#include "target/process.h"

enum { RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, FLAGS, REGISTERS };

/* The flags that calculations set. */
#define FLAG_MASK UINT64_C(0x8d5)

/* Calls keeping() with the registers that GIVEN has; returns 0. */
uint64_t calling_with(uint64_t given);
/* Puts its registers into KEPT_REGISTERS; its first instructions change two that are not there. */
void keeping(void);
uint64_t kept_registers[REGISTERS];
/* Where keeping() returns to. */
extern const char behind_keeping[];
const uint64_t *given_registers;

__asm__(".text\n"
	".type calling_with,@function\n"
	"calling_with:\n	.cfi_startproc\n"
	"	push %rbx\n	.cfi_def_cfa_offset 16\n	.cfi_offset rbx,-16\n"
	"	mov given_registers(%rip),%rbx\n"
	/* Of the flags, a signal after each instruction needs its own. */
	"	pushfq\n	pop %rax\n	and $~0x8d5,%rax\n	or 72(%rbx),%rax\n"
	"	push %rax\n"
	"	mov (%rbx),%rax\n	mov 8(%rbx),%rcx\n	mov 16(%rbx),%rdx\n"
	"	mov 24(%rbx),%rsi\n	mov 32(%rbx),%rdi\n	mov 40(%rbx),%r8\n"
	"	mov 48(%rbx),%r9\n	mov 56(%rbx),%r10\n	mov 64(%rbx),%r11\n"
	"	popfq\n	call keeping\n"
	"behind_keeping:	xor %eax,%eax\n	pop %rbx\n"
	"	.cfi_def_cfa_offset 8\n	ret\n"
	"	.cfi_endproc\n	.size calling_with,.-calling_with\n"
	".type keeping,@function\n"
	"keeping:\n	.cfi_startproc\n"
	"	push %rbp\n	mov %rsp,%rbp\n	nop\n"
	"	mov %rax,kept_registers(%rip)\n	mov %rcx,kept_registers+8(%rip)\n"
	"	mov %rdx,kept_registers+16(%rip)\n	mov %rsi,kept_registers+24(%rip)\n"
	"	mov %rdi,kept_registers+32(%rip)\n	mov %r8,kept_registers+40(%rip)\n"
	"	mov %r9,kept_registers+48(%rip)\n	mov %r10,kept_registers+56(%rip)\n"
	"	mov %r11,kept_registers+64(%rip)\n"
	"	pushfq\n	pop kept_registers+72(%rip)\n"
	"	mov %rbp,%rsp\n	pop %rbp\n	ret\n"
	"	.cfi_endproc\n	.size keeping,.-keeping\n");

static const struct patched *undone_in;
static struct prof_target own_memory;
static unsigned long island_steps, undone_step;
static unsigned untouched, uncounted, counted;

/* After the instruction UNDONE_STEP in the island, puts the thread back. */
static void undo_step(int number, siginfo_t *info, void *context)
{
	greg_t *gregs = ((ucontext_t *)context)->uc_mcontext.gregs;
	static const int saved[] = {REG_RAX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_R8, REG_R9,
		REG_R10, REG_R11, REG_EFL, REG_RIP, REG_RSP};
	struct prof_stub_registers registers;
	uint64_t *const fields[] = {&registers.rax, &registers.rcx, &registers.rdx, &registers.rsi,
		&registers.rdi, &registers.r8, &registers.r9, &registers.r10, &registers.r11,
		&registers.flags, &registers.pc, &registers.sp};
	const struct prof_island *island = &undone_in->island;
	struct prof_island_place place;

	(void)number;
	(void)info;
	for (size_t i = 0; i < PROF_COUNT(saved); i++)
		*fields[i] = (uint64_t)gregs[saved[i]];
	if (!prof_island_find(island, registers.pc, &place) || island_steps++ != undone_step)
		return;
	switch (prof_stub_undo(island, &own_memory, &registers)) {
	case PROF_STUB_UNTOUCHED:
	case PROF_STUB_STUCK:
		untouched++;
		return;
	case PROF_STUB_UNCOUNTED:
		uncounted += registers.pc == (uintptr_t)keeping;
		break;
	case PROF_STUB_COUNTED:
		counted += registers.pc - (uintptr_t)keeping <= 5;
		if (registers.pc - (uintptr_t)keeping < 5)
			registers.pc = prof_island_copy(&island->stubs.items[0], registers.pc);
		break;
	}
	for (size_t i = 0; i < PROF_COUNT(saved); i++)
		gregs[saved[i]] = (greg_t)*fields[i];
}

/*
 * What a call finds: the thread has no block, or a table of callers that is as the last call has
 * left it, empty, with others where the caller would be, with what a call from there has claimed
 * and not used, or full of others.
 */
enum state { NEW, USED, EMPTY, DISPLACED, CLAIMED, FULL, STATES };

enum { FEW = 16 };

static void prepare(const struct patched *patched, enum state state)
{
	const uint64_t caller = (uintptr_t)behind_keeping;
	const struct prof_stub_caller none = {0, 0}, claimed = {caller, 0};
	const struct prof_stub_caller others[] = {
		{1, 0}, {caller, UINT64_C(7) << PROF_STUB_CALLS_BITS}};
	const struct prof_stub_thread *block = patched_first(patched);

	if (state == NEW)
		patched_word = 0;
	for (size_t i = 0; block && state != USED && i < FEW + PROF_STUB_PROBES; i++) {
		struct prof_stub_caller *entry = &patched_table(patched, block)[i];
		*entry = state == CLAIMED ? claimed : none;
		if (state == FULL || (state == DISPLACED && i % 6))
			*entry = others[i % 2];
	}
}

static void check_registers(const uint64_t *given)
{
	for (int i = 0; i < FLAGS; i++)
		ck_assert_msg(kept_registers[i] == given[i], "step %lu: register %d is %#lx",
			undone_step, i, (unsigned long)kept_registers[i]);
	ck_assert_msg((kept_registers[FLAGS] & FLAG_MASK) == given[FLAGS],
		"step %lu: flags %#lx are %#lx", undone_step, (unsigned long)given[FLAGS],
		(unsigned long)(kept_registers[FLAGS] & FLAG_MASK));
}

/* Calls keeping() with GIVEN in STATE, and undoes each of the instructions in the island once. */
static void undo_each(
	struct patched *patched, uint32_t number, const uint64_t *given, enum state state)
{
	const bool known =
		patched->island.stubs.items[0].kind == PROF_STUB_COUNT_CALLERS && state != FULL;

	given_registers = given;
	for (undone_step = 0;; undone_step++) {
		prepare(patched, state);
		uint64_t calls = patched_called(patched, number, (uintptr_t)behind_keeping);
		uint64_t unknown = patched_unknown(patched, number);
		island_steps = 0;
		memset(kept_registers, 0, sizeof kept_registers);
		ck_assert_uint_eq(stepped_call(calling_with, 0), 0);
		check_registers(given);
		ck_assert_uint_eq(
			patched_called(patched, number, (uintptr_t)behind_keeping), calls + known);
		ck_assert_uint_eq(patched_unknown(patched, number), unknown + !known);
		if (island_steps <= undone_step)
			break;
	}
	ck_assert_uint_gt(undone_step, state == NEW ? 40 : 10);
}

static void check_undone(enum prof_stub_part kind)
{
	uint64_t given[REGISTERS] = {1, 22, 333, 4444, 55555, 666666, 7777777, 88888888, 999999999};
	const uint64_t flags[] = {0, 0x8d5, 0x800, 0x001, 0x084, 0x840};
	struct patched *patched = patched_open_sized(keeping, 0, FEW);
	uint32_t number = patched_add(patched, keeping, kind);
	struct prof_process process;

	prof_process_init(&process, getpid());
	own_memory = prof_process_target(&process);
	undone_in = patched;
	untouched = uncounted = counted = 0;
	stepped_handle(undo_step);
	patched_begin(patched);
	for (size_t i = 0; i < PROF_COUNT(flags); i++) {
		given[FLAGS] = flags[i];
		for (int state = NEW; state < STATES; state++)
			undo_each(patched, number, given, state);
	}
	patched_end(patched);
	ck_assert_uint_eq(untouched, 0);
	ck_assert_uint_gt(uncounted, 200);
	ck_assert_uint_gt(counted, 20);
	patched_close(patched);
}

START_TEST(a_stub_is_undone_at_each_instruction)
{
	check_undone(PROF_STUB_COUNT);
	check_undone(PROF_STUB_COUNT_CALLERS);
}
END_TEST

static void note_step(int number, siginfo_t *info, void *context)
{
	struct prof_stub_registers registers = {
		.pc = stepped_pc(context), .sp = stepped_sp(context)};
	const struct prof_stub_registers before = registers;

	(void)number;
	(void)info;
	if (registers.pc - undone_in->island.address >= undone_in->island.code.count)
		return;
	island_steps++;
	/* Where it has executed nothing of the stub, or all, it is in the function. */
	if (prof_stub_undo(&undone_in->island, &own_memory, &registers) != PROF_STUB_STUCK)
		untouched += registers.pc - (uintptr_t)keeping < PROF_RELOCATION_TAKEN;
	else
		untouched += !memcmp(&before, &registers, sizeof before);
}

START_TEST(stubs_that_record_are_not_undone)
{
	const uint64_t given[REGISTERS] = {0};
	struct patched *patched = patched_open(keeping, PATCHED_RECORDS);
	struct prof_process process;

	patched_add(patched, keeping, PROF_STUB_CALL);
	prof_process_init(&process, getpid());
	own_memory = prof_process_target(&process);
	undone_in = patched;
	given_registers = given;
	stepped_handle(note_step);
	patched_begin(patched);
	ck_assert_uint_eq(stepped_call(calling_with, 0), 0);
	patched_end(patched);
	ck_assert_uint_gt(island_steps, 50);
	ck_assert_uint_eq(untouched, island_steps);
	patched_close(patched);
}
END_TEST

RUN_DECODER_TESTS(
	"stub_undo", a_stub_is_undone_at_each_instruction, stubs_that_record_are_not_undone)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
