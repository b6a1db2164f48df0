/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/rule.h"

#include "target/arch.h"
#include "target/cfi.h"
#include "target/expression.h"

#include <dwarf.h>

static const int WORD = sizeof(uint64_t);

static const struct prof_rule stuck = {.kind = PROF_RULE_STUCK};

/*
 * Is the expression INDEX fp + *OFFSET, followed by LAST unless that is 0?  Expressions for
 * registers begin with the CFA pushed.
 */
static bool is_from_fp(
	const struct prof_cfi_rows *rows, int32_t index, unsigned fp, uint8_t last, int32_t *offset)
{
	const struct prof_expression *expression = &rows->expressions.expressions.items[index];
	const struct prof_operation *operations =
		&rows->expressions.operations.items[expression->first];
	size_t count = expression->count;

	if (count && operations[0].atom == DW_OP_call_frame_cfa) {
		operations++;
		count--;
	}
	if (count != 1 + (size_t)(last != 0) || operations[0].atom != DW_OP_breg0 + fp ||
		(last && operations[1].atom != last))
		return false;
	int64_t number = (int64_t)operations[0].number;
	*offset = (int32_t)number;
	return number == *offset;
}

static bool reduce_cfa(const struct prof_cfi_rows *rows, const struct prof_cfi_row *row,
	const struct prof_arch *arch, struct prof_rule *rule)
{
	const struct prof_cfi_rule *cfa = &row->cfa;

	rule->offset = cfa->offset;
	if (cfa->kind == PROF_CFI_REGISTER &&
		(cfa->source == arch->sp || cfa->source == arch->fp)) {
		rule->kind = cfa->source == arch->sp ? PROF_RULE_SP : PROF_RULE_FP;
		return true;
	}
	rule->kind = PROF_RULE_AT_FP;
	return cfa->kind == PROF_CFI_EXPRESSION &&
		is_from_fp(rows, cfa->offset, arch->fp, DW_OP_deref, &rule->offset);
}

/* SAVED is the rule for the frame pointer. */
static bool reduce_fp(const struct prof_cfi_rows *rows, const struct prof_cfi_rule *saved,
	const struct prof_arch *arch, struct prof_rule *rule)
{
	rule->fp_saved = true;
	rule->fp_offset = saved->offset;
	if (saved->kind == PROF_CFI_AT_CFA)
		return rule->kind != PROF_RULE_AT_FP;
	if (saved->kind != PROF_CFI_AT_EXPRESSION || rule->kind == PROF_RULE_SP ||
		!is_from_fp(rows, saved->offset, arch->fp, 0, &rule->fp_offset))
		return false;
	if (rule->kind == PROF_RULE_FP)
		rule->fp_offset -= rule->offset;
	return true;
}

struct prof_rule prof_rule_of_row(const struct prof_cfi_rows *rows, const struct prof_cfi_row *row,
	const struct prof_arch *arch)
{
	struct prof_rule rule = {0};

	if (row->return_address.kind == PROF_CFI_UNDEFINED)
		return (struct prof_rule){.kind = PROF_RULE_OUTERMOST};
	if (row->signal)
		return (struct prof_rule){.kind = PROF_RULE_SIGNAL};
	if (row->return_address.kind != PROF_CFI_AT_CFA || row->return_address.offset != -WORD ||
		!reduce_cfa(rows, row, arch, &rule))
		return stuck;
	for (unsigned i = 0; i < row->count; i++) {
		if (row->rules[i].number == arch->sp)
			return stuck;
		if (row->rules[i].number == arch->fp &&
			!reduce_fp(rows, &row->rules[i], arch, &rule))
			return stuck;
	}
	return rule;
}

struct prof_rule prof_rule_of_frame_pointer(void)
{
	return (struct prof_rule){
		.kind = PROF_RULE_FP, .offset = 2 * WORD, .fp_saved = true, .fp_offset = -2 * WORD};
}
