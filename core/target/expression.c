/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/expression.h"

#include "target/target.h"
#include "target/window.h"

#include <dwarf.h>
#include <stdlib.h>

/* Real ones take about twelve operations and five words of stack. */
enum { OPERATIONS_MAX = 256, STACK = 64, STEPS_MAX = 4096 };

void prof_expressions_deinit(struct prof_expressions *table)
{
	free(table->operations.items);
	free(table->expressions.items);
	*table = (struct prof_expressions){0};
}

/*
 * The target of the jump FROM, as an index.  Operations know their offset in bytes; a leading
 * DW_OP_call_frame_cfa, which libdw adds, has offset 0 like the one after it.  COUNT is the end.
 */
static size_t find_destination(const Dwarf_Op *operations, size_t count, const Dwarf_Op *from)
{
	uint64_t after = from->offset + 3; /* bytes of the jump itself */
	uint64_t offset = after + (uint64_t)(int64_t)(int16_t)from->number;

	if ((int16_t)from->number >= 0 && offset > operations[count - 1].offset)
		return count;
	for (size_t i = count; i-- > 0;) {
		if (operations[i].offset == offset)
			return i;
	}
	return SIZE_MAX;
}

static bool copy(struct prof_operation *to, const Dwarf_Op *operations, size_t count, size_t i,
	uint64_t bias)
{
	const Dwarf_Op *from = &operations[i];

	*to = (struct prof_operation){from->atom, from->number, from->number2};
	switch (from->atom) {
	case DW_OP_addr:
		to->number += bias;
		return true;
	case DW_OP_skip:
	case DW_OP_bra:
		to->number = find_destination(operations, count, from);
		return to->number <= count;
	default:
		return true;
	}
}

uint32_t prof_expressions_add(
	struct prof_expressions *table, const Dwarf_Op *operations, size_t count, uint64_t bias)
{
	if (count > OPERATIONS_MAX || table->operations.count > UINT32_MAX - OPERATIONS_MAX ||
		!prof_array_reserve(&table->operations, count) ||
		!prof_array_reserve(&table->expressions, 1))
		return PROF_NONE;

	struct prof_operation *to = table->operations.items + table->operations.count;
	for (size_t i = 0; i < count; i++) {
		if (!copy(&to[i], operations, count, i, bias))
			return PROF_NONE;
	}
	table->expressions.items[table->expressions.count] = (struct prof_expression){
		.first = (uint32_t)table->operations.count, .count = (uint32_t)count};
	table->operations.count += count;
	return (uint32_t)table->expressions.count++;
}

struct machine {
	const struct prof_registers *registers;
	struct prof_window *window;
	uint64_t cfa;
	uint64_t stack[STACK];
	unsigned depth;
};

static bool push(struct machine *machine, uint64_t value)
{
	if (machine->depth == STACK)
		return false;
	machine->stack[machine->depth++] = value;
	return true;
}

static bool push_register(struct machine *machine, uint64_t number, uint64_t offset)
{
	if (number >= PROF_REGISTERS || !(machine->registers->valid >> number & 1))
		return false;
	return push(machine, machine->registers->value[number] + offset);
}

/* The word NUMBER places below the top of the stack, or NULL. */
static uint64_t *peek(struct machine *machine, uint64_t number)
{
	return number < machine->depth ? &machine->stack[machine->depth - 1 - number] : NULL;
}

/* Operations that push what does not depend on the stack. */
static bool run_push(struct machine *machine, const struct prof_operation *operation)
{
	uint8_t atom = operation->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return push(machine, atom - DW_OP_lit0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_register(machine, atom - DW_OP_breg0, operation->number);
	if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
		return push(machine, operation->number);
	switch (atom) {
	case DW_OP_addr:
		return push(machine, operation->number);
	case DW_OP_bregx:
		return push_register(machine, operation->number, operation->second);
	case DW_OP_call_frame_cfa:
		return push(machine, machine->cfa);
	default:
		return false;
	}
}

/* Operations that read from the stack, or rearrange it, without combining two words. */
static bool run_stack(struct machine *machine, const struct prof_operation *operation)
{
	uint64_t *top = peek(machine, 0);
	uint64_t *second = peek(machine, 1);
	uint64_t *third = peek(machine, 2);
	uint64_t word, *picked;

	switch (operation->atom) {
	case DW_OP_dup:
		return top && push(machine, *top);
	case DW_OP_over:
		return second && push(machine, *second);
	case DW_OP_pick:
		picked = peek(machine, operation->number);
		return picked && push(machine, *picked);
	case DW_OP_drop:
		machine->depth -= top ? 1 : 0;
		return top;
	case DW_OP_swap:
		if (!second)
			return false;
		word = *top;
		*top = *second;
		*second = word;
		return true;
	case DW_OP_rot:
		if (!third)
			return false;
		word = *top;
		*top = *second;
		*second = *third;
		*third = word;
		return true;
	default:
		return false;
	}
}

/* Operations that replace the top word. */
static bool run_unary(struct machine *machine, const struct prof_operation *operation)
{
	uint64_t *top = peek(machine, 0);

	if (!top)
		return false;
	switch (operation->atom) {
	case DW_OP_abs:
		*top = (int64_t)*top < 0 ? -*top : *top;
		return true;
	case DW_OP_neg:
		*top = -*top;
		return true;
	case DW_OP_not:
		*top = ~*top;
		return true;
	case DW_OP_plus_uconst:
		*top += operation->number;
		return true;
	case DW_OP_deref:
		return prof_window_word(machine->window, *top, top);
	case DW_OP_deref_size: /* of a word in memory, least significant byte first */
		if (!operation->number || operation->number > sizeof *top ||
			!prof_window_word(machine->window, *top, top))
			return false;
		*top &= UINT64_MAX >> (64 - 8 * operation->number);
		return true;
	default:
		return false;
	}
}

static uint64_t shift(uint8_t atom, uint64_t value, uint64_t by)
{
	bool negative = (int64_t)value < 0;

	if (atom == DW_OP_shl)
		return by < 64 ? value << by : 0;
	uint64_t shifted = by < 64 ? value >> by : 0;
	if (atom == DW_OP_shra && negative && by)
		shifted |= by < 64 ? UINT64_MAX << (64 - by) : UINT64_MAX;
	return shifted;
}

static bool divide(uint64_t left, uint64_t right, uint64_t *ret)
{
	if (!right)
		return false;
	*ret = right == UINT64_MAX ? -left : (uint64_t)((int64_t)left / (int64_t)right);
	return true;
}

static bool calculate(uint8_t atom, uint64_t left, uint64_t right, uint64_t *ret)
{
	switch (atom) {
	case DW_OP_and:
		*ret = left & right;
		return true;
	case DW_OP_or:
		*ret = left | right;
		return true;
	case DW_OP_xor:
		*ret = left ^ right;
		return true;
	case DW_OP_plus:
		*ret = left + right;
		return true;
	case DW_OP_minus:
		*ret = left - right;
		return true;
	case DW_OP_mul:
		*ret = left * right;
		return true;
	case DW_OP_div:
		return divide(left, right, ret);
	case DW_OP_mod:
		*ret = right ? left % right : 0;
		return right;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		*ret = shift(atom, left, right);
		return true;
	default:
		return false;
	}
}

static bool compare(uint8_t atom, int64_t left, int64_t right, uint64_t *ret)
{
	switch (atom) {
	case DW_OP_eq:
		*ret = left == right;
		return true;
	case DW_OP_ne:
		*ret = left != right;
		return true;
	case DW_OP_lt:
		*ret = left < right;
		return true;
	case DW_OP_le:
		*ret = left <= right;
		return true;
	case DW_OP_gt:
		*ret = left > right;
		return true;
	case DW_OP_ge:
		*ret = left >= right;
		return true;
	default:
		return false;
	}
}

/* Operations that take two words, the right one first, and push one. */
static bool run_binary(struct machine *machine, uint8_t atom)
{
	if (machine->depth < 2)
		return false;
	uint64_t right = machine->stack[--machine->depth];
	uint64_t *left = &machine->stack[machine->depth - 1];

	return calculate(atom, *left, right, left) ||
		compare(atom, (int64_t)*left, (int64_t)right, left);
}

/* Executes the operation at index *AT, and sets *AT to the index of the next one. */
static bool run(struct machine *machine, const struct prof_operation *operations, size_t *at)
{
	const struct prof_operation *operation = &operations[(*at)++];

	switch (operation->atom) {
	case DW_OP_nop:
	case DW_OP_stack_value: /* the rule says whether it is a place or a value */
		return true;
	case DW_OP_bra:
		if (!machine->depth)
			return false;
		if (!machine->stack[--machine->depth])
			return true;
		*at = operation->number;
		return true;
	case DW_OP_skip:
		*at = operation->number;
		return true;
	default:
		break;
	}
	if (run_push(machine, operation) || run_stack(machine, operation) ||
		run_unary(machine, operation))
		return true;
	return run_binary(machine, operation->atom);
}

bool prof_expressions_compute(const struct prof_expressions *table, uint32_t index,
	const struct prof_registers *registers, uint64_t cfa, struct prof_window *window,
	uint64_t *ret)
{
	const struct prof_expression *expression = &table->expressions.items[index];
	const struct prof_operation *operations = table->operations.items + expression->first;
	struct machine machine = {.registers = registers, .window = window, .cfa = cfa};
	size_t at = 0;

	for (unsigned steps = 0; at < expression->count; steps++) {
		if (steps == STEPS_MAX || !run(&machine, operations, &at))
			return false;
	}
	if (!machine.depth)
		return false;
	*ret = machine.stack[machine.depth - 1];
	return true;
}
