/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/relocation.h"

#include "base/memory.h"

#include <string.h>

const char *const prof_obstacle_reasons[PROF_OBSTACLES] = {
	[PROF_OBSTACLE_NONE] = "",
	[PROF_OBSTACLE_UNKNOWN] = "its first instructions cannot be decoded",
	[PROF_OBSTACLE_FAR] = "its first instructions refer to what is too far away",
	[PROF_OBSTACLE_SHORT] = "it is too short",
	[PROF_OBSTACLE_TARGET] = "a branch leads into its first instructions",
	[PROF_OBSTACLE_LOOP] = "its first instruction is that of a loop",
	[PROF_OBSTACLE_PART] = "it is a part of a function",
	[PROF_OBSTACLE_CALL] =
		"one of its first instructions calls what a register or memory names",
	[PROF_OBSTACLE_FILE] = "its code is not that of an ELF file",
	[PROF_OBSTACLE_BOUNDS] = "no function is known to begin there",
	[PROF_OBSTACLE_ROOM] = "no memory is free within 2 GB of it",
	[PROF_OBSTACLE_START] = "GDB executes copies of instructions there",
};

#ifdef PROF_ZYDIS

#include <Zydis/Zydis.h>

/*
 * Bytes of a jump, or a conditional one, to a place within 2 GB; of a call that returns to where it
 * returned before; and of that call's first instruction.
 */
enum { JUMP = 5, CONDITIONAL = 6, CALL = 25, PUSH = 5 };

/* One instruction that is moved. */
struct moved {
	ZydisDecodedInstruction decoded;
	const unsigned char *bytes;
	uint64_t from, to; /* its addresses */
	size_t size;       /* bytes that it has at TO */
	bool aimed;        /* a branch to TARGET */
	uint64_t target;
	uint8_t displacement; /* bytes from FROM to one of 4 bytes that leads to TARGET; 0: there is
				 none */
};

/* The code that is written. */
struct output {
	struct prof_relocation *relocation;
	uint64_t address; /* of its first byte */
	bool far;
};

static void put(struct output *output, const void *bytes, size_t length)
{
	memcpy(output->relocation->code + output->relocation->size, bytes, length);
	output->relocation->size = (uint8_t)(output->relocation->size + length);
}

static void put_byte(struct output *output, unsigned byte)
{
	put(output, &(unsigned char){(unsigned char)byte}, 1);
}

/* Puts the 4 bytes that lead to TARGET from the end of the instruction, REST bytes behind them. */
static void put_distance(struct output *output, uint64_t target, size_t rest)
{
	uint64_t end = output->address + output->relocation->size + 4 + rest;
	int64_t distance = (int64_t)(target - end);
	int32_t written = (int32_t)distance;

	output->far |= written != distance;
	put(output, &written, sizeof written);
}

/* Does the branch INSTRUCTION have no form that leads further than 128 bytes? */
static bool is_short_only(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_JCXZ:
	case ZYDIS_MNEMONIC_JECXZ:
	case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_LOOP:
	case ZYDIS_MNEMONIC_LOOPE:
	case ZYDIS_MNEMONIC_LOOPNE:
		return true;
	default:
		return false;
	}
}

/* Is INSTRUCTION a conditional jump, in the short form or in the long one? */
static bool is_conditional(const ZydisDecodedInstruction *instruction)
{
	return (instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
		       (instruction->opcode & 0xf0) == 0x70) ||
		(instruction->opcode_map == ZYDIS_OPCODE_MAP_0F &&
			(instruction->opcode & 0xf0) == 0x80);
}

/* Sets what is relative to the program counter in INSTRUCTION.  False: it is not understood. */
static bool find_target(const ZydisDecodedOperand *operands, struct moved *instruction)
{
	const ZydisDecodedInstruction *decoded = &instruction->decoded;
	ZyanU64 target;

	for (size_t i = 0; i < decoded->operand_count_visible; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		bool branch =
			operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative;
		bool near = operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
			(operand->mem.base == ZYDIS_REGISTER_RIP ||
				operand->mem.base == ZYDIS_REGISTER_EIP);
		if (!branch && !near)
			continue;
		if (!ZYAN_SUCCESS(
			    ZydisCalcAbsoluteAddress(decoded, operand, instruction->from, &target)))
			return false;
		instruction->target = target;
		instruction->aimed |= branch;
		if (near && decoded->raw.disp.size != 32)
			return false;
		if (near && decoded->address_width != 64)
			return false;
		if (near)
			instruction->displacement = decoded->raw.disp.offset;
	}
	return true;
}

/* The bytes that INSTRUCTION takes elsewhere; 0: it is not understood. */
static size_t size_elsewhere(const struct moved *instruction)
{
	const ZydisDecodedInstruction *decoded = &instruction->decoded;

	if (!instruction->aimed)
		return decoded->length;
	if (decoded->meta.category == ZYDIS_CATEGORY_CALL)
		return CALL;
	if (decoded->meta.category == ZYDIS_CATEGORY_UNCOND_BR)
		return JUMP;
	if (is_short_only(decoded))
		return decoded->length + 2 + JUMP;
	/* The beginning of a transaction has a relative operand, too. */
	return is_conditional(decoded) ? CONDITIONAL : 0;
}

/* Decodes the instruction at the address FROM.  False: it is none, or is not understood. */
static bool decode(const unsigned char *bytes, size_t length, uint64_t from, struct moved *ret)
{
	ZydisDecoder decoder;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	*ret = (struct moved){.bytes = bytes, .from = from};
	if (!ZYAN_SUCCESS(
		    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
		!ZYAN_SUCCESS(
			ZydisDecoderDecodeFull(&decoder, bytes, length, &ret->decoded, operands)) ||
		!find_target(operands, ret))
		return false;
	ret->size = size_elsewhere(ret);
	return ret->size > 0;
}

/*
 * Has *TARGET lead to where that is now, if it is one of the COUNT instructions at MOVED.  False:
 * it is in the middle of one, where the patch is now.
 */
static bool follow(const struct moved *moved, size_t count, uint64_t *target)
{
	for (size_t i = 0; i < count; i++) {
		if (moved[i].from == *target) {
			*target = moved[i].to;
			return true;
		}
		if (*target - moved[i].from < moved[i].decoded.length)
			return false;
	}
	return true;
}

/*
 * Begins a call that returns to ADDRESS.  The processor expects each return to follow a call, so
 * one to the next instruction makes room for the address.
 */
static void write_push(uint64_t address, struct output *output)
{
	uint32_t half = (uint32_t)address;

	put(output, "\xe8\0\0\0\0", PUSH);
	/* movl to (%rsp) and to 4(%rsp): flags and registers stay as they are. */
	put(output, "\xc7\x04\x24", 3);
	put(output, &half, sizeof half);
	half = (uint32_t)(address >> 32);
	put(output, "\xc7\x44\x24\x04", 4);
	put(output, &half, sizeof half);
}

/* Writes the branch INSTRUCTION, which leads to TARGET now. */
static void write_branch(const struct moved *instruction, uint64_t target, struct output *output)
{
	const ZydisDecodedInstruction *decoded = &instruction->decoded;

	if (decoded->meta.category == ZYDIS_CATEGORY_CALL) {
		write_push(instruction->from + decoded->length, output);
		put_byte(output, 0xe9);
	} else if (decoded->meta.category == ZYDIS_CATEGORY_UNCOND_BR) {
		put_byte(output, 0xe9);
	} else if (is_short_only(decoded)) {
		/* If it is taken it leads over the jump that follows, to one that leads to TARGET.
		 */
		put(output, instruction->bytes, decoded->length - 1);
		put_byte(output, 2);
		put_byte(output, 0xeb);
		put_byte(output, JUMP);
		put_byte(output, 0xe9);
	} else {
		/* The condition is in the last 4 bits of the opcode of either form. */
		put_byte(output, 0x0f);
		put_byte(output, 0x80 | (decoded->opcode & 0xf));
	}
	put_distance(output, target, 0);
}

static void write_instruction(
	const struct moved *instruction, uint64_t target, struct output *output)
{
	size_t before = instruction->displacement;

	if (instruction->aimed) {
		write_branch(instruction, target, output);
		return;
	}
	if (!before) {
		put(output, instruction->bytes, instruction->decoded.length);
		return;
	}
	size_t rest = instruction->decoded.length - before - 4;
	put(output, instruction->bytes, before);
	put_distance(output, target, rest);
	put(output, instruction->bytes + before + 4, rest);
}

/* Decodes as prof_relocation_move() has it.  The number of instructions; 0: one is none. */
static size_t decode_all(const unsigned char *bytes, size_t length, uint64_t from, size_t least,
	struct moved moved[PROF_RELOCATION_PLACES], size_t *taken)
{
	size_t count = 0;

	for (*taken = 0; *taken < least; *taken += moved[count++].decoded.length) {
		if (!decode(bytes + *taken, length - *taken, from + *taken, &moved[count]))
			return 0;
	}
	return count;
}

/* Writes INSTRUCTION, whose branch leads to TARGET now, and where it is. */
static void write_place(
	const struct moved *instruction, uint64_t from, uint64_t target, struct output *output)
{
	struct prof_relocation *ret = output->relocation;
	uint8_t place = (uint8_t)(instruction->from - from);

	ret->places[ret->count++] = (struct prof_relocation_place){place, ret->size, 0};
	if (instruction->decoded.meta.category == ZYDIS_CATEGORY_CALL)
		ret->places[ret->count++] =
			(struct prof_relocation_place){place, (uint8_t)(ret->size + PUSH), 8};
	write_instruction(instruction, target, output);
}

enum prof_obstacle prof_relocation_move(const unsigned char *bytes, size_t length, uint64_t from,
	size_t least, uint64_t to, struct prof_relocation *ret)
{
	struct moved moved[PROF_RELOCATION_PLACES];
	struct output output = {ret, to, false};
	size_t taken;
	size_t count = decode_all(bytes, length, from, least, moved, &taken);
	uint64_t address = to;

	*ret = (struct prof_relocation){0};
	if (!count)
		return PROF_OBSTACLE_UNKNOWN;
	for (size_t i = 0; i < count; i++) {
		moved[i].to = address;
		address += moved[i].size;
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t target = moved[i].target;
		if (moved[i].aimed && !follow(moved, count, &target))
			return PROF_OBSTACLE_TARGET;
		/* It would return into the patch, and unwinders know no frame that is elsewhere. */
		if (moved[i].decoded.meta.category == ZYDIS_CATEGORY_CALL && !moved[i].aimed)
			return PROF_OBSTACLE_CALL;
		write_place(&moved[i], from, target, &output);
	}
	ret->places[ret->count++] = (struct prof_relocation_place){(uint8_t)taken, ret->size, 0};
	put_byte(&output, 0xe9);
	put_distance(&output, from + taken, 0);
	ret->taken = (uint8_t)taken;
	return output.far ? PROF_OBSTACLE_FAR : PROF_OBSTACLE_NONE;
}

size_t prof_relocation_taken(const unsigned char *bytes, size_t length, uint64_t from, size_t least)
{
	struct moved moved[PROF_RELOCATION_PLACES];
	size_t taken;

	return decode_all(bytes, length, from, least, moved, &taken) ? taken : 0;
}

#else

enum prof_obstacle prof_relocation_move(const unsigned char *bytes, size_t length, uint64_t from,
	size_t least, uint64_t to, struct prof_relocation *ret)
{
	(void)bytes;
	(void)length;
	(void)from;
	(void)least;
	(void)to;
	*ret = (struct prof_relocation){0};
	return PROF_OBSTACLE_UNKNOWN;
}

size_t prof_relocation_taken(const unsigned char *bytes, size_t length, uint64_t from, size_t least)
{
	(void)bytes;
	(void)length;
	(void)from;
	(void)least;
	return 0;
}

#endif
