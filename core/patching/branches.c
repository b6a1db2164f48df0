/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/branches.h"

#ifdef PROF_ZYDIS

#include <Zydis/Zydis.h>

/* Tables that one function is believed to use, and entries of each. */
enum { TABLES = 64, ENTRIES = 4096 };

struct walk {
	const struct prof_entry_code *code;
	const struct prof_entry *function;
	void (*found)(void *context, uint64_t target);
	void *context;
	uint64_t tables[TABLES]; /* addresses that the code loads: tables may be there */
	size_t count;
	bool indirect; /* it jumps to where a register says */
};

static bool is_inside(const struct walk *walk, uint64_t address)
{
	return address - walk->function->low < walk->function->high - walk->function->low;
}

/* Notes ADDRESS, which the code loads. */
static void add_table(struct walk *walk, uint64_t address)
{
	if (walk->count < TABLES && !is_inside(walk, address))
		walk->tables[walk->count++] = address;
}

/* Looks at OPERAND of DECODED, the instruction at ADDRESS. */
static void look_at(struct walk *walk, const ZydisDecodedInstruction *decoded,
	const ZydisDecodedOperand *operand, uint64_t address)
{
	bool jumps = decoded->meta.category == ZYDIS_CATEGORY_UNCOND_BR;
	ZyanU64 target;

	if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative) {
		if (decoded->meta.category != ZYDIS_CATEGORY_CALL &&
			ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(decoded, operand, address, &target)))
			walk->found(walk->context, target);
		return;
	}
	if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		walk->indirect |= jumps;
		return;
	}
	if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY)
		return;
	if (operand->mem.base == ZYDIS_REGISTER_RIP) {
		if (operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN &&
			ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(decoded, operand, address, &target)))
			add_table(walk, target);
		return;
	}
	walk->indirect |= jumps;
	/* Code at fixed addresses has that of the table in the instruction. */
	if (operand->mem.index != ZYDIS_REGISTER_NONE && decoded->raw.disp.size == 32)
		add_table(walk, (uint64_t)operand->mem.disp.value);
}

/* Reads a table of 32-bit distances from its own beginning. */
static void read_distances(struct walk *walk, uint64_t table)
{
	int32_t distance;

	for (unsigned i = 0; i < ENTRIES; i++) {
		if (!walk->code->read(walk->code->context, table + i * sizeof distance, &distance,
			    sizeof distance) ||
			!is_inside(walk, table + (uint64_t)(int64_t)distance))
			return;
		walk->found(walk->context, table + (uint64_t)(int64_t)distance);
	}
}

/* Reads a table of addresses. */
static void read_addresses(struct walk *walk, uint64_t table)
{
	uint64_t target;

	for (unsigned i = 0; i < ENTRIES; i++) {
		if (!walk->code->read(walk->code->context, table + i * sizeof target, &target,
			    sizeof target) ||
			!is_inside(walk, target))
			return;
		walk->found(walk->context, target);
	}
}

bool prof_branches_find(const struct prof_entry_code *code, const struct prof_entry *function,
	const unsigned char *bytes, void (*found)(void *context, uint64_t target), void *context)
{
	struct walk walk = {.code = code, .function = function, .found = found, .context = context};
	size_t length = function->high - function->low;
	ZydisDecoder decoder;
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	if (!ZYAN_SUCCESS(
		    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
		return false;
	for (size_t at = 0; at < length; at += decoded.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(
			    &decoder, bytes + at, length - at, &decoded, operands)))
			return false;
		for (size_t i = 0; i < decoded.operand_count_visible; i++)
			look_at(&walk, &decoded, &operands[i], function->low + at);
	}
	for (size_t i = 0; walk.indirect && i < walk.count; i++) {
		read_distances(&walk, walk.tables[i]);
		read_addresses(&walk, walk.tables[i]);
	}
	return true;
}

size_t prof_branches_padding(const unsigned char *bytes, size_t length)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction decoded;
	size_t at = 0;

	if (!ZYAN_SUCCESS(
		    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
		return 0;
	while (at < length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
			    &decoder, NULL, bytes + at, length - at, &decoded)))
			break;
		/* A landing pad for indirect branches is the beginning of a function. */
		if (decoded.mnemonic != ZYDIS_MNEMONIC_NOP &&
			decoded.mnemonic != ZYDIS_MNEMONIC_INT3)
			break;
		at += decoded.length;
	}
	return at;
}

#else

bool prof_branches_find(const struct prof_entry_code *code, const struct prof_entry *function,
	const unsigned char *bytes, void (*found)(void *context, uint64_t target), void *context)
{
	(void)code;
	(void)function;
	(void)bytes;
	(void)found;
	(void)context;
	return false;
}

size_t prof_branches_padding(const unsigned char *bytes, size_t length)
{
	(void)bytes;
	(void)length;
	return 0;
}

#endif
