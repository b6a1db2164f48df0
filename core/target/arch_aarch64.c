/* SPDX-License-Identifier: GPL-3.0-or-later */

/* AArch64, by the numbers of "DWARF for the Arm 64-bit Architecture", section 4.1. */
#include "target/arch.h"

#include <elf.h>
#include <string.h>

/* DWARF numbers; those of x0 to x30 are their own. */
enum { X19 = 19, FP = 29, LINK, SP, REGISTERS };

/* struct user_pt_regs in words, spelled out: x0 to x30, sp, pc, pstate. */
enum { USER_PC = 32, USER_WORDS = 34 };

/* Where struct rt_sigframe has these words: behind siginfo, ucontext and the fault address. */
enum { SIGNAL_WORDS = 128 + 176 + 8 };

enum { INSTRUCTION = 4 };

static bool read_registers(const void *bytes, size_t length, struct prof_registers *ret)
{
	uint64_t words[USER_WORDS];

	if (length < sizeof words)
		return false;
	memcpy(words, bytes, sizeof words);
	ret->pc = words[USER_PC];
	ret->within = PROF_WITHIN_PROGRAM; /* only NT_ARM_SYSTEM_CALL shows system calls */
	ret->valid = (UINT64_C(1) << REGISTERS) - 1;
	memcpy(ret->value, words, REGISTERS * sizeof *words);
	return true;
}

/* The instruction NUMBER places behind AT. */
static uint32_t fetch(const unsigned char *at, int number)
{
	uint32_t word;

	memcpy(&word, at + number * INSTRUCTION, sizeof word);
	return word;
}

static bool ends_in_call(const unsigned char *bytes, uint64_t return_address, uint64_t *destination)
{
	uint32_t last = fetch(bytes + PROF_ARCH_CALL, -1);

	*destination = 0;
	if (last >> 26 == 0x25) { /* bl: 26 bits of a distance in instructions */
		int64_t distance = (int32_t)(last << 6) >> 6;
		*destination = return_address + (uint64_t)(distance * INSTRUCTION) - INSTRUCTION;
		return true;
	}
	return (last & 0xfffffc1f) == 0xd63f0000 ||  /* blr */
		(last & 0xfffff81f) == 0xd63f081f || /* blraaz, blrabz */
		(last & 0xfffff800) == 0xd73f0800;   /* blraa, blrab */
}

static const uint32_t bti_c = 0xd503245f, stp_x16_link = 0xa9bf7bf0;
static const uint32_t autia1716 = 0xd503219f, br_x17 = 0xd61f0220;

static bool is_adrp_x16(uint32_t instruction)
{
	return (instruction & 0x9f00001f) == 0x90000010;
}

static bool is_ldr_x17_x16(uint32_t instruction)
{
	return (instruction & 0xffc003ff) == 0xf9400211;
}

/*
 * A stub jumps where the GOT says; the first one of a table, which resolves, has pushed x16 and x30
 * before, and only it has not an authentication.
 *
 *	[bti c]  [stp x16, x30, [sp, #-16]!]
 *	adrp x16, GOT+...  ldr x17, [x16, ...]  add x16, x16, ...  [autia1716]  br x17
 */
static int count_pushed(const unsigned char *code)
{
	const int before = PROF_ARCH_CODE_PAST / INSTRUCTION;
	const int after = (PROF_ARCH_CODE - PROF_ARCH_CODE_PAST) / INSTRUCTION;
	const unsigned char *pc = code + PROF_ARCH_CODE_PAST;
	int adrp = -before;

	while (adrp < after - 1 &&
		!(is_adrp_x16(fetch(pc, adrp)) && is_ldr_x17_x16(fetch(pc, adrp + 1))))
		adrp++;
	if (adrp == after - 1)
		return -1;
	for (int i = 0; i < adrp; i++) {
		if (fetch(pc, i) != bti_c && fetch(pc, i) != stp_x16_link)
			return -1;
	}
	int jump = adrp + 3;
	if (jump < after && fetch(pc, jump) == autia1716)
		jump++;
	if (jump < 0 || (jump < after && fetch(pc, jump) != br_x17))
		return -1;
	return adrp <= 0 && adrp > -before && fetch(pc, adrp - 1) == stp_x16_link ? 2 : 0;
}

/*
 * __kernel_rt_sigreturn of the vdso.  Kernels do not describe it, or (before Linux 5.8) describe it
 * as if the interrupted function had called the handler and had the one after the next as its
 * caller.
 */
static bool is_signal_return(const unsigned char *code)
{
	static const uint32_t wanted[] = {0xd2801168, 0xd4000001}; /* mov x8, #139; svc #0 */

	for (unsigned past = 0; past <= INSTRUCTION; past += INSTRUCTION) {
		const unsigned char *at = code + PROF_ARCH_CODE_PAST - past;
		/* A return address is looked up by the byte before it. */
		if (!memcmp(at, wanted, sizeof wanted) || !memcmp(at + 1, wanted, sizeof wanted))
			return true;
	}
	return false;
}

static enum prof_arch_link classify_link(const unsigned char *instruction)
{
	uint32_t word = fetch(instruction, 0);

	if ((word & 0xffc003ff) == 0x910003fd) /* add x29, sp, #... */
		return PROF_ARCH_LINK_SAVED;
	if ((word & 0xfe007fff) == 0xa8007bfd) /* stp, ldp x29, x30, [sp ...] */
		return PROF_ARCH_LINK_LIVE;
	if ((word & 0xfffffc1f) == 0xd65f0000 || (word & 0xfffffbff) == 0xd65f0bff) /* ret */
		return PROF_ARCH_LINK_END;
	return PROF_ARCH_LINK_KEPT;
}

#define WORD(number) (SIGNAL_WORDS + 8 * (number))
#define WORDS(number) WORD(number), WORD((number) + 1), WORD((number) + 2), WORD((number) + 3)

const struct prof_arch prof_arch_aarch64 = {
	.name = "AArch64",
	.machine = EM_AARCH64,
	.registers = REGISTERS,
	.names = {"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
		"x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24",
		"x25", "x26", "x27", "x28", "x29", "x30", "sp"},
	.sp = SP,
	.fp = FP,
	.return_address = LINK,
	.code_mask = (UINT64_C(1) << 48) - 1, /* signatures take what is above user space */
	.saved = (UINT64_C(1) << LINK) - (UINT64_C(1) << X19),
	.longest_instruction = 4,
	.call_set = NT_ARM_SYSTEM_CALL,
	.syscalls = {.futex = 98, .futex_waitv = 449, .restart_syscall = 128, .sigtimedwait = 137},
	.signal_frame = {.registers = {WORDS(0), WORDS(4), WORDS(8), WORDS(12), WORDS(16),
				 WORDS(20), WORDS(24), WORDS(28)},
		.pc = WORD(USER_PC)},
	.perf = {.mask = (UINT64_C(1) << (USER_PC + 1)) - 1,
		.numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
			20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
		.pc = USER_PC},
	.read_registers = read_registers,
	.retry_call = NULL, /* the result of a call overwrites its first argument */
	.ends_in_call = ends_in_call,
	.count_pushed = count_pushed,
	.is_signal_return = is_signal_return,
	.classify_link = classify_link,
};
