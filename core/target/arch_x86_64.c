/* SPDX-License-Identifier: GPL-3.0-or-later */

/* x86-64, by the numbers of its psABI, figure 3.36. */
#include "target/arch.h"
#include "target/restart.h"
#include "target/startup_x86_64.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

/* DWARF numbers. */
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R12 = 12, R15 = 15, RETURN_ADDRESS, REGISTERS };

/* struct user_regs_struct in words, spelled out so that cores of it can be read anywhere. */
enum { USER_RAX = 10, USER_ORIG_RAX = 15, USER_RIP = 16, USER_WORDS = 27 };
static const unsigned char user_word[REGISTERS] = {
	[RAX] = USER_RAX,
	[RDX] = 12,
	[RCX] = 11,
	[RBX] = 5,
	[RSI] = 13,
	[RDI] = 14,
	[RBP] = 4,
	[RSP] = 19,
	[R8] = 9,
	[9] = 8,
	[10] = 7,
	[11] = 6,
	[R12] = 3,
	[13] = 2,
	[14] = 1,
	[R15] = 0,
	[RETURN_ADDRESS] = USER_RIP,
};

static enum prof_within within(const uint64_t *words)
{
	int64_t result = (int64_t)words[USER_RAX];

	if ((int64_t)words[USER_ORIG_RAX] < 0) /* number of the system call, or -1 */
		return PROF_WITHIN_PROGRAM;
	return result == -EINTR || (-ERESTART_RESTARTBLOCK <= result && result <= -ERESTARTSYS)
		? PROF_WITHIN_WAIT
		: PROF_WITHIN_CALL;
}

static bool read_registers(const void *bytes, size_t length, struct prof_registers *ret)
{
	uint64_t words[USER_WORDS];

	if (length < sizeof words)
		return false;
	memcpy(words, bytes, sizeof words);
	ret->pc = words[USER_RIP];
	ret->within = within(words);
	ret->valid = (UINT64_C(1) << REGISTERS) - 1;
	for (unsigned i = 0; i < REGISTERS; i++)
		ret->value[i] = words[user_word[i]];
	return true;
}

/* If close() is interrupted, its number may belong to another file by now. */
enum { CALL_CLOSE = 3, CALL_X32 = 1 << 30 };

static bool retry_call(void *bytes, size_t length)
{
	int64_t words[USER_WORDS];

	if (length < sizeof words)
		return false;
	memcpy(words, bytes, sizeof words);
	/* Outside of system calls, orig_rax is negative. */
	if (words[USER_RAX] != -EINTR || words[USER_ORIG_RAX] < 0 ||
		(words[USER_ORIG_RAX] & ~CALL_X32) == CALL_CLOSE)
		return false;
	words[USER_RAX] = -ERESTARTNOHAND;
	memcpy(bytes, words, sizeof words);
	return true;
}

/* The length of an instruction with a one-byte opcode, this ModRM byte and this SIB byte. */
static unsigned modrm_length(unsigned modrm, unsigned sib)
{
	unsigned mode = modrm >> 6;
	unsigned base = modrm & 7;

	if (mode == 3)
		return 2;
	unsigned length = base == 4 ? 3 : 2;
	if (mode == 1)
		return length + 1;
	if (mode == 2 || base == 5 || (base == 4 && (sib & 7) == 5))
		return length + 4;
	return length;
}

static bool ends_in_call(const unsigned char *bytes, uint64_t return_address, uint64_t *destination)
{
	const unsigned char *end = bytes + PROF_ARCH_CALL;
	int32_t distance;

	*destination = 0;
	if (end[-5] == 0xe8) { /* call rel32 */
		memcpy(&distance, end - sizeof distance, sizeof distance);
		*destination = return_address + (uint64_t)(int64_t)distance;
		return true;
	}
	for (unsigned length = 2; length <= PROF_ARCH_CALL; length++) { /* call r/m64 is ff /2 */
		const unsigned char *at = end - length;
		if (at[0] == 0xff && (at[1] & 0x38) == 0x10 &&
			modrm_length(at[1], length > 2 ? at[2] : 0) == length)
			return true;
	}
	return false;
}

static bool is_return(const unsigned char *code)
{
	bool prefixed = code[0] == 0xf2 || code[0] == 0xf3; /* bnd, rep */

	return code[prefixed] == 0xc3 || code[0] == 0xc2;
}

static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

static bool calls_through(const unsigned char *bytes, uint64_t return_address, uint64_t *slot)
{
	const unsigned char *end = bytes + PROF_ARCH_CALL;
	int32_t distance;

	if (end[-6] != 0xff || end[-5] != 0x15) /* call *disp32(%rip) */
		return false;
	memcpy(&distance, end - sizeof distance, sizeof distance);
	*slot = return_address + (uint64_t)(int64_t)distance;
	return true;
}

static bool jumps_through(const unsigned char *code, uint64_t address, uint64_t *slot)
{
	const unsigned char *at = code;
	int32_t distance;

	if (!memcmp(at, endbr64, sizeof endbr64))
		at += sizeof endbr64;
	at += *at == 0xf2;                  /* bnd */
	if (at[0] != 0xff || at[1] != 0x25) /* jmp *disp32(%rip) */
		return false;
	memcpy(&distance, at + 2, sizeof distance);
	*slot = address + (uint64_t)(at + 6 - code) + (uint64_t)(int64_t)distance;
	return true;
}

/*
 * Where the SIZE bytes of OPCODE, with 4 more before the call, are in BYTES, the last ones that
 * are; or NULL.  It is not known where instructions begin.
 */
static const unsigned char *find_load(
	const unsigned char *bytes, const unsigned char *opcode, size_t size)
{
	enum { CALL = 5 }; /* call rel32 */
	const unsigned char *at = bytes + PROF_ARCH_ARGUMENT - CALL - sizeof(uint32_t) - size;

	for (; at >= bytes; at--) {
		if (!memcmp(at, opcode, size))
			return at;
	}
	return NULL;
}

static bool loads_argument(const unsigned char *bytes, uint64_t return_address, uint64_t *address)
{
	static const unsigned char lea[] = {0x48, 0x8d, 0x3d}; /* lea disp32(%rip),%rdi */
	static const unsigned char mov[] = {0xbf};             /* mov $imm32,%edi */
	const unsigned char *found = find_load(bytes, lea, sizeof lea);
	int32_t distance;
	uint32_t immediate;

	if (found) {
		const unsigned char *end = found + sizeof lea + sizeof distance;
		memcpy(&distance, found + sizeof lea, sizeof distance);
		*address = return_address - (uint64_t)(bytes + PROF_ARCH_ARGUMENT - end) +
			(uint64_t)(int64_t)distance;
		return true;
	}
	found = find_load(bytes, mov, sizeof mov);
	if (found) {
		memcpy(&immediate, found + sizeof mov, sizeof immediate);
		*address = immediate;
	}
	return found;
}

static bool is_jump(const unsigned char *at)
{
	at += *at == 0xf2;                                      /* bnd */
	return *at == 0xe9 || (at[0] == 0xff && at[1] == 0x25); /* rel32 or *disp32(%rip) */
}

/*
 *	0:  push GOT+8(%rip)	 N:  [endbr64]
 *	    jmp *GOT+16(%rip)	     [jmp *GOT+...(%rip)]
 *				     push $index
 *				     jmp 0
 */
static int count_pushed(const unsigned char *code)
{
	const unsigned char *at = code + PROF_ARCH_CODE_PAST;

	if (is_jump(at) && at[-6] == 0xff && at[-5] == 0x35)
		return 2;
	if (is_jump(at) && at[-5] == 0x68)
		return 1;
	if (at[0] == 0xff && at[1] == 0x35 && is_jump(at + 6))
		return 1;
	if (!memcmp(at, endbr64, sizeof endbr64))
		at += sizeof endbr64;
	return (at[0] == 0x68 && is_jump(at + 5)) || (is_jump(at) && *at != 0xe9) ? 0 : -1;
}

/* [endbr64], sub $8,%rsp or push %rax, calls, add $8,%rsp or pop %rax, ret. */
static int count_edge(const unsigned char *code, size_t size, size_t offset)
{
	static const unsigned char sub[] = {0x48, 0x83, 0xec, 8};
	const unsigned char push = 0x50, ret = 0xc3;
	size_t first = size > sizeof endbr64 && !memcmp(code, endbr64, sizeof endbr64)
		? sizeof endbr64
		: 0;

	if (offset >= size || size - first <= sizeof sub || code[size - 1] != ret ||
		(memcmp(code + first, sub, sizeof sub) != 0 && code[first] != push))
		return -1;
	return offset <= first || offset == size - 1 ? 0 : 1;
}

/* C libraries have this code, and not all describe it. */
static bool is_signal_return(const unsigned char *code)
{
	/* mov $15, %rax; syscall */
	static const unsigned char wanted[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
	const unsigned char *at = code + PROF_ARCH_CODE_PAST;

	/* A return address is looked up by the byte before it. */
	return !memcmp(at + 1, wanted, sizeof wanted) || !memcmp(at, wanted, sizeof wanted) ||
		!memcmp(at - 7, wanted, sizeof wanted);
}

/* struct ucontext has them as words behind flags, link and stack, from r8 on. */
#define WORD(number) (40 + 8 * (number))

const struct prof_arch prof_arch_x86_64 = {
	.name = "x86-64",
	.machine = EM_X86_64,
	.longest_instruction = 15,
	.registers = REGISTERS,
	.names = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
		"r12", "r13", "r14", "r15", "rip"},
	.sp = RSP,
	.fp = RBP,
	.return_address = RETURN_ADDRESS,
	.result = RAX,
	.breakpoint = 0xcc,
	.pushes_return = true,
	.code_mask = UINT64_MAX,
	.red_zone = 128,
	.saved = 1 << RBX | 1 << RBP | 0xf << R12,
	.unsaid = 1 << RBX, /* libdw's table has 0, which is RAX, in the place of RBX */
	.syscalls = {.futex = 202, .futex_waitv = 449, .restart_syscall = 219, .sigtimedwait = 128},
	.signal_frame = {.registers = {[R8] = WORD(0),
				 [9] = WORD(1),
				 [10] = WORD(2),
				 [11] = WORD(3),
				 [R12] = WORD(4),
				 [13] = WORD(5),
				 [14] = WORD(6),
				 [R15] = WORD(7),
				 [RDI] = WORD(8),
				 [RSI] = WORD(9),
				 [RBP] = WORD(10),
				 [RBX] = WORD(11),
				 [RDX] = WORD(12),
				 [RAX] = WORD(13),
				 [RCX] = WORD(14),
				 [RSP] = WORD(15)},
		.pc = WORD(16)},
	.perf = {.mask = 0xff01ff, /* the general registers and rip, number 8 */
		.numbers = {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8},
		.pc = 8},
	.read_registers = read_registers,
	.retry_call = retry_call,
	.ends_in_call = ends_in_call,
	.calls_through = calls_through,
	.jumps_through = jumps_through,
	.loads_argument = loads_argument,
	.is_return = is_return,
	.count_pushed = count_pushed,
	.count_edge = count_edge,
	.count_startup = prof_startup_count,
	.is_signal_return = is_signal_return,
};
