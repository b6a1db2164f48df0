/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/cfi.h"

#include "target/arch.h"

#include <dwarf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Rows that differ only in what they compute refer to different expressions. */
static size_t row_size(const struct prof_cfi_row *row)
{
	return offsetof(struct prof_cfi_row, rules) + row->count * sizeof row->rules[0];
}

void prof_cfi_deinit(struct prof_cfi_rows *rows)
{
	free(rows->rows.items);
	prof_map_deinit(&rows->index);
	prof_expressions_deinit(&rows->expressions);
	*rows = (struct prof_cfi_rows){0};
}

/* The state of compiling a row. */
struct compiler {
	struct prof_cfi_rows *rows;
	const struct prof_arch *arch;
	Dwarf_Frame *frame;
	uint64_t bias;
};

static bool fits(uint64_t number)
{
	return (int64_t)number >= INT32_MIN && (int64_t)number <= INT32_MAX;
}

/* Copies OPERATIONS, for anything that is not one of the simple rules. */
static bool compile_expression(struct compiler *compiler, const Dwarf_Op *operations, size_t count,
	enum prof_cfi_kind kind, struct prof_cfi_rule *rule)
{
	uint32_t index = prof_expressions_add(
		&compiler->rows->expressions, operations, count, compiler->bias);

	rule->kind = kind;
	rule->offset = (int32_t)index;
	return index <= INT32_MAX;
}

static bool compile_cfa(struct compiler *compiler, struct prof_cfi_rule *rule)
{
	Dwarf_Op *operations;
	size_t count;
	uint64_t offset;

	if (dwarf_frame_cfa(compiler->frame, &operations, &count) || !count)
		return false;
	uint8_t atom = operations[0].atom;
	bool numbered = atom == DW_OP_bregx;
	offset = numbered ? operations[0].number2 : operations[0].number;
	if (count > 1 || !fits(offset) ||
		!(numbered || (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)))
		return compile_expression(compiler, operations, count, PROF_CFI_EXPRESSION, rule);
	uint64_t source = numbered ? operations[0].number : (uint64_t)(atom - DW_OP_breg0);
	rule->kind = PROF_CFI_REGISTER;
	rule->source = (uint8_t)source;
	rule->offset = (int32_t)offset;
	return source < compiler->arch->registers;
}

/* Compiles libdw's description of a register's place or value. */
static bool compile_location(struct compiler *compiler, const Dwarf_Op *operations, size_t count,
	struct prof_cfi_rule *rule)
{
	bool value = operations[count - 1].atom == DW_OP_stack_value;
	size_t length = count - value;
	uint64_t offset = length == 2 ? operations[1].number : 0;

	if (length && operations[0].atom == DW_OP_call_frame_cfa && fits(offset) &&
		(length == 1 || (length == 2 && operations[1].atom == DW_OP_plus_uconst))) {
		rule->kind = value ? PROF_CFI_CFA : PROF_CFI_AT_CFA;
		rule->offset = (int32_t)offset;
		return true;
	}
	if (count == 1 && operations[0].atom == DW_OP_regx) {
		rule->kind = PROF_CFI_REGISTER;
		rule->source = (uint8_t)operations[0].number;
		return operations[0].number < compiler->arch->registers;
	}
	return compile_expression(compiler, operations, count,
		value ? PROF_CFI_EXPRESSION : PROF_CFI_AT_EXPRESSION, rule);
}

static bool compile_register(struct compiler *compiler, unsigned number, struct prof_cfi_rule *rule)
{
	Dwarf_Op memory[3];
	Dwarf_Op *operations;
	size_t count;

	if (dwarf_frame_register(compiler->frame, (int)number, memory, &operations, &count))
		return false;
	rule->number = (uint8_t)number;
	if (count)
		return compile_location(compiler, operations, count, rule);
	rule->kind = operations ? PROF_CFI_UNDEFINED : PROF_CFI_SAME;
	return true;
}

/*
 * Does following no rule at all have the same effect?  Registers that a function need not restore
 * hold nothing of use to its caller, even if this function happens to leave them alone.
 */
static bool is_default(const struct prof_arch *arch, const struct prof_cfi_rule *rule)
{
	bool same = rule->kind == PROF_CFI_SAME;
	bool undefined = rule->kind == PROF_CFI_UNDEFINED;

	if (rule->number == arch->sp)
		return same || undefined || (rule->kind == PROF_CFI_CFA && !rule->offset);
	if (arch->saved >> rule->number & 1)
		return same || (undefined && arch->unsaid >> rule->number & 1);
	return same || undefined;
}

static bool compile_rules(struct compiler *compiler, struct prof_cfi_row *row)
{
	bool signal;
	int column = dwarf_frame_info(compiler->frame, NULL, NULL, &signal);

	if (column < 0 || (unsigned)column >= compiler->arch->registers ||
		!compile_cfa(compiler, &row->cfa) ||
		!compile_register(compiler, (unsigned)column, &row->return_address))
		return false;
	row->signal = signal;
	for (unsigned i = 0; i < compiler->arch->registers; i++) {
		struct prof_cfi_rule rule = {0};
		/*
		 * If it is held in a register, then after a call that register has this address,
		 * not the caller's own.
		 */
		if (i == (unsigned)column && i == compiler->arch->return_address)
			continue;
		if (!compile_register(compiler, i, &rule))
			return false;
		row->tangled |= rule.kind >= PROF_CFI_REGISTER;
		if (!is_default(compiler->arch, &rule))
			row->rules[row->count++] = rule;
	}
	return true;
}

struct wanted {
	const struct prof_cfi_rows *rows;
	const struct prof_cfi_row *row;
};

static bool is_equal(const void *context, uint32_t value)
{
	const struct wanted *wanted = context;
	const struct prof_cfi_row *row = &wanted->rows->rows.items[value];

	return row->count == wanted->row->count && !memcmp(row, wanted->row, row_size(wanted->row));
}

static uint32_t intern(struct prof_cfi_rows *rows, const struct prof_cfi_row *row)
{
	struct wanted wanted = {rows, row};
	uint64_t hash = prof_map_hash(row, row_size(row));
	uint32_t found = prof_map_find(&rows->index, hash, is_equal, &wanted);

	if (found != PROF_NONE)
		return found;
	uint32_t number = (uint32_t)rows->rows.count;
	struct prof_cfi_row *added = prof_map_push(&rows->index, hash, &rows->rows);
	if (!added)
		return PROF_NONE;
	memcpy(added, row, sizeof *row);
	return number;
}

uint32_t prof_cfi_compile(struct prof_cfi_rows *rows, const struct prof_arch *arch, Dwarf_CFI *cfi,
	uint64_t bias, uint64_t address)
{
	AUTO_FREE Dwarf_Frame *frame = NULL;
	struct prof_cfi_row row;

	if (dwarf_cfi_addrframe(cfi, address - bias, &frame)) {
		frame = NULL;
		return PROF_NONE;
	}
	struct compiler compiler = {rows, arch, frame, bias};
	memset(&row, 0, sizeof row);
	if (!compile_rules(&compiler, &row))
		return PROF_NONE;
	return intern(rows, &row);
}

uint32_t prof_cfi_compile_pushed(
	struct prof_cfi_rows *rows, const struct prof_arch *arch, unsigned words)
{
	const int word = sizeof(uint64_t);
	struct prof_cfi_row row;

	words += arch->pushes_return;
	memset(&row, 0, sizeof row);
	row.cfa.kind = PROF_CFI_REGISTER;
	row.cfa.source = (uint8_t)arch->sp;
	row.cfa.offset = (int)words * word;
	row.return_address.number = (uint8_t)arch->return_address;
	row.return_address.kind = words ? PROF_CFI_AT_CFA : PROF_CFI_SAME;
	row.return_address.offset = words ? -word : 0;
	return intern(rows, &row);
}

uint32_t prof_cfi_compile_framed(struct prof_cfi_rows *rows, const struct prof_arch *arch)
{
	const int word = sizeof(uint64_t);
	struct prof_cfi_row row;

	memset(&row, 0, sizeof row);
	row.cfa.kind = PROF_CFI_REGISTER;
	row.cfa.source = (uint8_t)arch->fp;
	row.cfa.offset = 2 * word;
	row.return_address.number = (uint8_t)arch->return_address;
	row.return_address.kind = PROF_CFI_AT_CFA;
	row.return_address.offset = -word;
	row.rules[row.count].number = (uint8_t)arch->fp;
	row.rules[row.count].kind = PROF_CFI_AT_CFA;
	row.rules[row.count++].offset = -2 * word;
	return intern(rows, &row);
}

uint32_t prof_cfi_compile_signal(struct prof_cfi_rows *rows, const struct prof_arch *arch)
{
	struct prof_cfi_row row;

	memset(&row, 0, sizeof row);
	row.signal = true;
	row.cfa.kind = PROF_CFI_REGISTER;
	row.cfa.source = (uint8_t)arch->sp;
	row.return_address.number = (uint8_t)arch->return_address;
	row.return_address.kind = PROF_CFI_AT_CFA;
	row.return_address.offset = arch->signal_frame.pc;
	for (unsigned i = 0; i < arch->registers; i++) {
		if (i == arch->return_address && arch->pushes_return)
			continue;
		struct prof_cfi_rule *rule = &row.rules[row.count++];
		rule->number = (uint8_t)i;
		rule->kind = PROF_CFI_AT_CFA;
		rule->offset = arch->signal_frame.registers[i];
	}
	return intern(rows, &row);
}

bool prof_cfi_find_frame_record(
	const struct prof_cfi_row *row, const struct prof_arch *arch, int32_t *offset)
{
	const int word = sizeof(uint64_t);

	for (unsigned i = 0; i < row->count; i++) {
		const struct prof_cfi_rule *rule = &row->rules[i];
		if (rule->number != arch->fp || rule->kind != PROF_CFI_AT_CFA ||
			row->return_address.kind != PROF_CFI_AT_CFA ||
			row->return_address.offset - word != rule->offset)
			continue;
		*offset = rule->offset;
		return true;
	}
	return false;
}
