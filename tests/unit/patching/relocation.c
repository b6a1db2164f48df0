/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/relocation.h"

#include "decoder.h"

#include <string.h>
#include <sys/mman.h>

enum { FROM = 0x1000, TO = 0x100000 };

/* Moves the instructions of CODE from FROM to TO. */
#define MOVE(code, ret) \
	prof_relocation_move((const unsigned char *)(code), sizeof(code) - 1, FROM, 5, TO, ret)

/* Fails unless RELOCATION is WANTED, without the jump back at its end. */
static void check_code(const struct prof_relocation *relocation, const char *wanted, size_t size)
{
	ck_assert_uint_eq(relocation->size, size + 5);
	ck_assert_mem_eq(relocation->code, wanted, size);
	ck_assert_uint_eq(relocation->code[size], 0xe9);
}

#define CHECK_CODE(relocation, wanted) check_code(relocation, wanted, sizeof(wanted) - 1)

START_TEST(plain_instructions_stay_as_they_are)
{
	struct prof_relocation moved;

	/* push %rbp; mov %rsp,%rbp; push %rbx; ret */
	ck_assert_int_eq(MOVE("\x55\x48\x89\xe5\x53\xc3", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\x55\x48\x89\xe5\x53");
	ck_assert_uint_eq(moved.taken, 5);
	ck_assert_uint_eq(moved.count, 4);
	const uint8_t places[] = {0, 1, 4, 5};
	for (size_t i = 0; i < moved.count; i++) {
		ck_assert_uint_eq(moved.places[i].from, places[i]);
		ck_assert_uint_eq(moved.places[i].to, places[i]);
	}
	/* Back to FROM + 5 from the end of the jump, TO + 10. */
	int32_t distance;
	memcpy(&distance, moved.code + 6, sizeof distance);
	ck_assert_int_eq(distance, FROM + 5 - (TO + 10));
}
END_TEST

START_TEST(what_is_relative_is_adjusted)
{
	struct prof_relocation moved;

	/* lea 0x10(%rip),%rax, to FROM + 7 + 0x10 */
	ck_assert_int_eq(MOVE("\x48\x8d\x05\x10\0\0\0\xc3", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\x48\x8d\x05\x10\x10\xf0\xff");
	/* movl $7,0x10(%rip): the distance is not at its end */
	ck_assert_int_eq(MOVE("\xc7\x05\x10\0\0\0\x07\0\0\0\xc3", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\xc7\x05\x10\x10\xf0\xff\x07\0\0\0");
}
END_TEST

START_TEST(a_call_returns_to_where_it_did)
{
	struct prof_relocation moved;

	/* push %rax; call to FROM + 6 + 0x100 */
	ck_assert_int_eq(MOVE("\x50\xe8\0\x01\0\0", &moved), PROF_OBSTACLE_NONE);
	/* push %rax; call to the next; movl $FROM+6,(%rsp); movl $0,4(%rsp); jmp */
	CHECK_CODE(&moved,
		"\x50\xe8\0\0\0\0\xc7\x04\x24\x06\x10\0\0\xc7\x44\x24\x04\0\0\0\0"
		"\xe9\xec\x10\xf0\xff");
	const struct prof_relocation_place places[] = {{0, 0, 0}, {1, 1, 0}, {1, 6, 8}, {6, 26, 0}};
	ck_assert_uint_eq(moved.count, PROF_COUNT(places));
	ck_assert_mem_eq(moved.places, places, sizeof places);
	/* call *%rax; nop; nop; nop */
	ck_assert_int_eq(MOVE("\xff\xd0\x90\x90\x90", &moved), PROF_OBSTACLE_CALL);
}
END_TEST

START_TEST(short_branches_become_long)
{
	struct prof_relocation moved;

	/* test %edi,%edi; je FROM + 0x24; nop */
	ck_assert_int_eq(MOVE("\x85\xff\x74\x20\x90", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\x85\xff\x0f\x84\x1c\x10\xf0\xff\x90");
	/* jmp FROM + 0x22, and padding */
	ck_assert_int_eq(MOVE("\xeb\x20\xcc\xcc\xcc", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\xe9\x1d\x10\xf0\xff\xcc\xcc\xcc");
	/* jrcxz FROM + 0x22, which has no longer form; 3 * nop */
	ck_assert_int_eq(MOVE("\xe3\x20\x90\x90\x90", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\xe3\x02\xeb\x05\xe9\x19\x10\xf0\xff\x90\x90\x90");
}
END_TEST

START_TEST(branches_among_them_lead_to_their_new_places)
{
	struct prof_relocation moved;

	/* nop; je to the next but one; nop; nop */
	ck_assert_int_eq(MOVE("\x90\x74\x01\x90\x90", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\x90\x0f\x84\x01\0\0\0\x90\x90");
	/* nop; nop; jmp to the beginning */
	ck_assert_int_eq(MOVE("\x90\x90\x90\xeb\xfb", &moved), PROF_OBSTACLE_NONE);
	CHECK_CODE(&moved, "\x90\x90\x90\xe9\xf8\xff\xff\xff");
	/* je into the middle of the instruction that follows */
	ck_assert_int_eq(MOVE("\x74\x01\x48\x89\xe5", &moved), PROF_OBSTACLE_TARGET);
}
END_TEST

START_TEST(what_cannot_be_moved_is_refused)
{
	static const unsigned char lea[] = "\x48\x8d\x05\x10\0\0\0";
	struct prof_relocation moved;

	ck_assert_int_eq(
		prof_relocation_move(lea, sizeof lea - 1, FROM, 5, UINT64_C(1) << 40, &moved),
		PROF_OBSTACLE_FAR);
	/* no instruction; one that is cut off; xbegin, whose operand is relative */
	ck_assert_int_eq(MOVE("\x06\x90\x90\x90\x90", &moved), PROF_OBSTACLE_UNKNOWN);
	ck_assert_int_eq(MOVE("\x90\x90\x48\x8d", &moved), PROF_OBSTACLE_UNKNOWN);
	ck_assert_int_eq(MOVE("\xc7\xf8\0\0\0\0", &moved), PROF_OBSTACLE_UNKNOWN);
}
END_TEST

START_TEST(bytes_that_are_taken_end_with_an_instruction)
{
	static const unsigned char code[] = "\x55\x48\x89\xe5\x41\x57\xc3";

	ck_assert_uint_eq(prof_relocation_taken(code, sizeof code - 1, FROM, 2), 4);
	ck_assert_uint_eq(prof_relocation_taken(code, sizeof code - 1, FROM, 5), 6);
	ck_assert_uint_eq(prof_relocation_taken(code, 5, FROM, 5), 0);
}
END_TEST

#ifdef PROF_ZYDIS

#include "machine.h"

#include <Zydis/Zydis.h>

/*
 * Random code is executed where it is and moved.  Each instruction of it is one that only reads and
 * writes general registers, loads a word of the data, or jumps on; a page has the code, another
 * one, at most 2 GB away, the moved part, and a third the data.
 */
enum { ROUNDS = 20000, PAGE = 4096, SEQUENCE = 12, WORDS = 64 };

/* Does the instruction only compute with general registers but the stack pointer? */
static bool is_harmless(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands)
{
	static const ZydisInstructionCategory categories[] = {ZYDIS_CATEGORY_BINARY,
		ZYDIS_CATEGORY_LOGICAL, ZYDIS_CATEGORY_SHIFT, ZYDIS_CATEGORY_ROTATE,
		ZYDIS_CATEGORY_DATAXFER, ZYDIS_CATEGORY_CONVERT, ZYDIS_CATEGORY_SETCC,
		ZYDIS_CATEGORY_CMOV, ZYDIS_CATEGORY_BITBYTE, ZYDIS_CATEGORY_FLAGOP,
		ZYDIS_CATEGORY_NOP, ZYDIS_CATEGORY_MISC};
	bool known = false;

	for (size_t i = 0; i < PROF_COUNT(categories); i++)
		known |= decoded->meta.category == categories[i];
	if (!known || decoded->meta.isa_ext != ZYDIS_ISA_EXT_BASE ||
		decoded->mnemonic == ZYDIS_MNEMONIC_DIV ||
		decoded->mnemonic == ZYDIS_MNEMONIC_IDIV ||
		decoded->mnemonic == ZYDIS_MNEMONIC_CPUID ||
		decoded->mnemonic == ZYDIS_MNEMONIC_CLI ||
		decoded->mnemonic == ZYDIS_MNEMONIC_STI ||
		(decoded->meta.category == ZYDIS_CATEGORY_MISC &&
			decoded->mnemonic != ZYDIS_MNEMONIC_LEA))
		return false;
	for (size_t i = 0; i < decoded->operand_count; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
			(operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN ||
				operand->mem.base == ZYDIS_REGISTER_EIP ||
				operand->mem.base == ZYDIS_REGISTER_RSP))
			return false;
		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			ZydisRegister whole = ZydisRegisterGetLargestEnclosing(
				ZYDIS_MACHINE_MODE_LONG_64, operand->reg.value);
			bool general = whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15;
			if (whole == ZYDIS_REGISTER_RSP ||
				(!general && whole != ZYDIS_REGISTER_RFLAGS))
				return false;
		}
	}
	return true;
}

/* Writes a harmless instruction to CODE, and returns its length. */
static size_t write_harmless(unsigned char *code)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (;;) {
		unsigned char bytes[15];
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (unsigned char)draw(256);
		/* Most have a prefix for registers of 64 bits. */
		if (draw(2))
			bytes[0] = (unsigned char)(0x48 | draw(8));
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(
			    &decoder, bytes, sizeof bytes, &decoded, operands)) ||
			!is_harmless(&decoded, operands))
			continue;
		memcpy(code, bytes, decoded.length);
		return decoded.length;
	}
}

/* Writes mov DATA[...](%rip),REGISTER to CODE, whose address is ADDRESS. */
static size_t write_load(unsigned char *code, const uint64_t *data)
{
	unsigned number = (unsigned)draw(7);
	int64_t distance = (const char *)&data[draw(WORDS)] - (const char *)(code + 7);
	int32_t written = (int32_t)distance;

	/* Not the stack pointer, which has the number 4. */
	number += number >= 4;
	code[0] = 0x48;
	code[1] = 0x8b;
	code[2] = (unsigned char)(0x05 | number << 3);
	memcpy(code + 3, &written, sizeof written);
	return 7;
}

/*
 * Writes a function to CODE: instructions, some of which jump to a later one, and a return.  It
 * returns the length.
 */
static size_t write_function(unsigned char *code, const uint64_t *data)
{
	size_t starts[SEQUENCE + 1], count = 0, length = 0;
	bool jumps[SEQUENCE] = {false};

	for (; count < SEQUENCE; count++) {
		starts[count] = length;
		switch (draw(8)) {
		case 0:
			length += write_load(code + length, data);
			break;
		case 1:
			/* A conditional jump, or one by rcx. */
			code[length] = (unsigned char)(draw(4) ? 0x70 | draw(16) : 0xe3);
			jumps[count] = true;
			length += 2;
			break;
		default:
			length += write_harmless(code + length);
		}
	}
	starts[count] = length;
	for (size_t i = 0; i < SEQUENCE; i++) {
		size_t target = i + 1 + draw(SEQUENCE - i);
		if (jumps[i])
			code[starts[i] + 1] = (unsigned char)(starts[target] - starts[i] - 2);
	}
	code[length++] = 0xc3;
	return length;
}

START_TEST(moved_code_does_what_it_did)
{
	int access = PROT_READ | PROT_WRITE | PROT_EXEC;
	char *area =
		mmap(NULL, 1 << 24, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ck_assert_ptr_ne(area, MAP_FAILED);
	unsigned char *code = (unsigned char *)area;
	unsigned char *island = (unsigned char *)area + (1 << 23);
	uint64_t *data = (uint64_t *)(area + (1 << 24) - PAGE);
	for (size_t i = 0; i < WORDS; i++)
		data[i] = draw(UINT64_MAX);
	unsigned far = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct machine original, copy;
		struct prof_relocation moved;
		size_t length = write_function(code, data);
		enum prof_obstacle obstacle = prof_relocation_move(
			code, length, (uintptr_t)code, 1 + draw(5), (uintptr_t)island, &moved);
		/* An address that is computed may be anywhere. */
		if (obstacle == PROF_OBSTACLE_FAR) {
			far++;
			continue;
		}
		ck_assert_msg(!obstacle, "round %u: %s", round, prof_obstacle_reasons[obstacle]);
		memcpy(island, moved.code, moved.size);
		fill_machine(&original);
		copy = original;
		run_machine(&original, code);
		/* Nothing may come back to what the patch replaces, but by a jump. */
		memset(code, 0xcc, moved.taken);
		run_machine(&copy, island);
		ck_assert_msg(!memcmp(&original, &copy, sizeof copy), "round %u", round);
	}
	ck_assert_uint_lt(far, ROUNDS / 100);
	munmap(area, 1 << 24);
}
END_TEST

#else

START_TEST(moved_code_does_what_it_did)
{
}
END_TEST

#endif

RUN_DECODER_TESTS("relocation", plain_instructions_stay_as_they_are, what_is_relative_is_adjusted,
	a_call_returns_to_where_it_did, short_branches_become_long,
	branches_among_them_lead_to_their_new_places, what_cannot_be_moved_is_refused,
	bytes_that_are_taken_end_with_an_instruction, moved_code_does_what_it_did)
