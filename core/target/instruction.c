/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/instruction.h"

bool prof_operand_address(const struct prof_operand *operand,
	const struct prof_registers *registers, uint64_t changed, uint64_t *ret)
{
	const uint8_t parts[] = {operand->base, operand->index};
	const uint64_t factors[] = {1, operand->scale};
	uint64_t sum = operand->displacement;

	if (!operand->computable)
		return false;
	for (size_t i = 0; i < PROF_COUNT(parts); i++) {
		if (parts[i] == PROF_REGISTER_NONE)
			continue;
		if (!((registers->valid & ~changed) >> parts[i] & 1))
			return false;
		sum += registers->value[parts[i]] * factors[i];
	}
	*ret = sum;
	return true;
}

#ifndef PROF_ZYDIS

struct prof_error *prof_instruction_available(void)
{
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"This gdbprof cannot decode machine code, because it was built without Zydis 4 or later.");
}

bool prof_instruction_decode(
	const unsigned char *bytes, size_t length, uint64_t address, struct prof_instruction *ret)
{
	(void)bytes;
	(void)length;
	(void)address;
	(void)ret;
	return false;
}

#else

#include <Zydis/Zydis.h>

struct prof_error *prof_instruction_available(void)
{
#ifdef __x86_64__
	return NULL;
#else
	return prof_error_create(
		PROF_ERROR_UNSUPPORTED, "gdbprof decodes machine code of x86-64 only.");
#endif
}

/* The DWARF number of the general register that contains the register NAME. */
static uint8_t number_of(ZydisRegister name)
{
	/* Zydis numbers them in the order of their encoding. */
	static const uint8_t numbers[] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);

	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15
		? numbers[whole - ZYDIS_REGISTER_RAX]
		: PROF_REGISTER_NONE;
}

/* Can NAME be part of an address: a whole general register, or none? */
static bool is_plain(ZydisRegister name)
{
	return name == ZYDIS_REGISTER_NONE || name == ZYDIS_REGISTER_RIP ||
		(name >= ZYDIS_REGISTER_RAX && name <= ZYDIS_REGISTER_R15);
}

static bool is_string(const ZydisDecodedInstruction *decoded)
{
	return decoded->attributes &
		(ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
}

/* Where control goes after DECODED, the instruction at ADDRESS. */
static void set_flow(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands,
	uint64_t address, struct prof_instruction *ret)
{
	ZydisInstructionCategory category = decoded->meta.category;
	bool jumps = category == ZYDIS_CATEGORY_UNCOND_BR;
	bool direct = decoded->operand_count && operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
		operands[0].imm.is_relative;

	if (category == ZYDIS_CATEGORY_COND_BR)
		ret->flow = PROF_FLOW_FORKS;
	else if (jumps || category == ZYDIS_CATEGORY_CALL || category == ZYDIS_CATEGORY_RET ||
		category == ZYDIS_CATEGORY_SYSCALL || category == ZYDIS_CATEGORY_SYSRET ||
		category == ZYDIS_CATEGORY_SYSTEM || category == ZYDIS_CATEGORY_INTERRUPT ||
		decoded->mnemonic == ZYDIS_MNEMONIC_UD0 ||
		decoded->mnemonic == ZYDIS_MNEMONIC_UD1 || decoded->mnemonic == ZYDIS_MNEMONIC_UD2)
		ret->flow = PROF_FLOW_LEAVES;
	ZyanU64 target;
	if (direct &&
		ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(decoded, &operands[0], address, &target))) {
		ret->aimed = true;
		ret->target = target;
	}
	/*
	 * A jump through a word at a fixed address leads into another function: the linker fills
	 * the word in.
	 */
	bool fixed = operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		operands[0].mem.base == ZYDIS_REGISTER_RIP;
	ret->wild = jumps && !direct && !fixed;
	/*
	 * A repeated string instruction continues with itself, and can be interrupted in between.
	 */
	if (is_string(decoded) && ret->flow == PROF_FLOW_ON) {
		ret->flow = PROF_FLOW_FORKS;
		ret->aimed = true;
		ret->target = address;
	}
}

/* Does the address that DECODED accesses depend on more than OPERAND shows? */
static bool is_odd(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operand)
{
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTC:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTS:
		/* A bit instruction accesses any word, by its register. */
		return true;
	case ZYDIS_MNEMONIC_POP:
		/* The stack pointer after the instruction. */
		return operand->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
			operand->mem.base == ZYDIS_REGISTER_RSP;
	default:
		return false;
	}
}

/* Adds the access of OPERAND of DECODED, the instruction at ADDRESS. */
static void add_operand(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operand,
	uint64_t address, struct prof_instruction *ret)
{
	bool pushes = operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		operand->mem.base == ZYDIS_REGISTER_RSP &&
		operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	struct prof_operand added = {
		.access = (uint8_t)((operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ
						    ? PROF_ACCESS_LOAD
						    : 0) |
			(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? PROF_ACCESS_STORE
									    : 0)),
		.base = number_of(operand->mem.base),
		.index = number_of(operand->mem.index),
		.scale = operand->mem.scale,
		.size = (uint16_t)(operand->size / 8),
		.displacement = (uint64_t)operand->mem.disp.value,
	};

	/* The other segments have the base 0. */
	added.computable = operand->mem.type == ZYDIS_MEMOP_TYPE_MEM &&
		operand->mem.segment != ZYDIS_REGISTER_FS &&
		operand->mem.segment != ZYDIS_REGISTER_GS && is_plain(operand->mem.base) &&
		is_plain(operand->mem.index) && decoded->address_width == 64 &&
		!is_odd(decoded, operand);
	if (operand->mem.base == ZYDIS_REGISTER_RIP)
		added.displacement += address + decoded->length;
	/* Zydis gives the stack pointer before the instruction. */
	if (pushes)
		added.displacement -= added.size;
	ret->access |= added.access;
	if (ret->count < PROF_OPERANDS)
		ret->operands[ret->count++] = added;
}

/* Does DECODED name memory that it does not access, or only prefetches? */
static bool is_hint(const ZydisDecodedInstruction *decoded)
{
	return decoded->meta.category == ZYDIS_CATEGORY_NOP ||
		decoded->meta.category == ZYDIS_CATEGORY_WIDENOP ||
		decoded->meta.category == ZYDIS_CATEGORY_PREFETCH;
}

bool prof_instruction_decode(
	const unsigned char *bytes, size_t length, uint64_t address, struct prof_instruction *ret)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	if (!ZYAN_SUCCESS(
		    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
		!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, length, &decoded, operands)))
		return false;
	*ret = (struct prof_instruction){.length = decoded.length};
	set_flow(&decoded, operands, address, ret);
	for (size_t i = 0; i < decoded.operand_count; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		bool memory = operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
			operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN;
		if (memory && !is_hint(&decoded))
			add_operand(&decoded, operand, address, ret);
		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
			operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
			number_of(operand->reg.value) != PROF_REGISTER_NONE)
			ret->written |= UINT64_C(1) << number_of(operand->reg.value);
	}
	return true;
}

#endif
