/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/step.h"

#include "target/arch.h"
#include "target/cfi.h"
#include "target/expression.h"
#include "target/target.h"
#include "target/window.h"

/* If a frame is larger than this, its frame pointer is taken to have another use. */
enum { FRAME_MAX = 1 << 24 };

static bool is_known(const struct prof_registers *registers, unsigned number)
{
	return registers->valid >> number & 1;
}

static void set(struct prof_registers *registers, unsigned number, uint64_t value)
{
	registers->value[number] = value;
	registers->valid |= UINT64_C(1) << number;
}

static void forget(struct prof_registers *registers, unsigned number)
{
	registers->valid &= ~(UINT64_C(1) << number);
}

/* The frame from which a step goes to its caller. */
struct frame {
	const struct prof_registers *registers; /* not changed if its row is complicated */
	uint64_t sp;                            /* always as before the step */
	uint64_t cfa;                           /* 0: not known yet */
};

/*
 * The value of RULE's register, which was saved OFFSET bytes from the CFA.  Below the stack pointer
 * it was popped already, which compilers do not describe: if that memory cannot be read, as in a
 * copy that begins at the stack pointer, the register still has the value.
 */
static bool take_saved(const struct prof_stepper *stepper, const struct prof_cfi_rule *rule,
	const struct frame *frame, uint64_t *ret)
{
	uint64_t place = frame->cfa + (uint64_t)(int64_t)rule->offset;

	if (prof_window_word(stepper->window, place, ret))
		return true;
	/* What a call pushes is in no register. */
	if (stepper->arch->pushes_return && rule->number == stepper->arch->return_address)
		return false;
	*ret = frame->registers->value[rule->number];
	return place < frame->sp && is_known(frame->registers, rule->number);
}

/* Evaluates RULE with the registers of FRAME.  False: the result is unknown. */
static bool follow(const struct prof_stepper *stepper, const struct prof_cfi_rule *rule,
	const struct frame *frame, uint64_t *ret)
{
	const struct prof_registers *registers = frame->registers;
	uint64_t place;

	switch ((enum prof_cfi_kind)rule->kind) {
	case PROF_CFI_AT_CFA:
		return take_saved(stepper, rule, frame, ret);
	case PROF_CFI_CFA:
		*ret = frame->cfa + (uint64_t)(int64_t)rule->offset;
		return true;
	case PROF_CFI_SAME:
		*ret = registers->value[rule->number];
		return is_known(registers, rule->number);
	case PROF_CFI_REGISTER:
		*ret = registers->value[rule->source] + (uint64_t)(int64_t)rule->offset;
		return is_known(registers, rule->source);
	case PROF_CFI_AT_EXPRESSION:
		return prof_expressions_compute(&stepper->rows->expressions, (uint32_t)rule->offset,
			       registers, frame->cfa, stepper->window, &place) &&
			prof_window_word(stepper->window, place, ret);
	case PROF_CFI_EXPRESSION:
		return prof_expressions_compute(&stepper->rows->expressions, (uint32_t)rule->offset,
			registers, frame->cfa, stepper->window, ret);
	case PROF_CFI_UNDEFINED:
		break;
	}
	return false;
}

/* Follows the rules of ROW from FRAME's registers to REGISTERS, which can be the same. */
static void follow_all(const struct prof_stepper *stepper, const struct prof_cfi_row *row,
	const struct frame *frame, struct prof_registers *registers)
{
	registers->valid = frame->registers->valid & stepper->arch->saved;
	set(registers, stepper->arch->sp, frame->cfa);
	for (unsigned i = 0; i < row->count; i++) {
		const struct prof_cfi_rule *rule = &row->rules[i];
		uint64_t value;
		if (follow(stepper, rule, frame, &value))
			set(registers, rule->number, value);
		else
			forget(registers, rule->number);
	}
}

/*
 * The CFA of FRAME by ROW.  If only a frame pointer is known, and ROW's function saves the
 * caller's, it points to where that is saved.
 */
static bool find_cfa(
	const struct prof_stepper *stepper, const struct prof_cfi_row *row, struct frame *frame)
{
	const struct prof_registers *registers = frame->registers;
	const struct prof_arch *arch = stepper->arch;
	int32_t offset;

	if (follow(stepper, &row->cfa, frame, &frame->cfa))
		return true;
	if (row->cfa.kind != PROF_CFI_REGISTER || row->cfa.source != arch->sp ||
		!is_known(registers, arch->fp) || registers->value[arch->fp] < frame->sp ||
		!prof_cfi_find_frame_record(row, arch, &offset))
		return false;
	frame->cfa = registers->value[arch->fp] - (uint64_t)(int64_t)offset;
	return true;
}

/* On machines whose calls push the return address, CFI gives its place as if it were a register. */
static void arrive(
	const struct prof_stepper *stepper, uint64_t pc, struct prof_registers *registers)
{
	pc &= stepper->arch->code_mask;
	registers->pc = pc;
	if (stepper->arch->pushes_return)
		set(registers, stepper->arch->return_address, pc);
}

enum prof_step prof_step_by_row(const struct prof_stepper *stepper, const struct prof_cfi_row *row,
	struct prof_registers *registers)
{
	struct frame frame = {registers, registers->value[stepper->arch->sp], 0};
	struct prof_registers before;
	uint64_t pc;

	if (row->return_address.kind == PROF_CFI_UNDEFINED)
		return PROF_STEP_WHOLE;
	if (!find_cfa(stepper, row, &frame) || !follow(stepper, &row->return_address, &frame, &pc))
		return PROF_STEP_STUCK;
	if (row->tangled) {
		before = *registers;
		frame.registers = &before;
	}
	follow_all(stepper, row, &frame, registers);
	arrive(stepper, pc, registers);
	return PROF_STEP_CALLER;
}

enum prof_step prof_step_by_frame_pointer(
	const struct prof_stepper *stepper, struct prof_registers *registers)
{
	const bool pushes = stepper->arch->pushes_return;
	unsigned sp = stepper->arch->sp;
	unsigned fp = stepper->arch->fp;
	uint64_t frame = registers->value[fp];
	uint64_t outer, pc;

	if (!is_known(registers, fp) || (pushes && !is_known(registers, sp)))
		return PROF_STEP_STUCK;
	if (!frame) /* the ABI has programs and threads begin so */
		return PROF_STEP_WHOLE;
	if (frame % sizeof frame || frame < registers->value[sp] ||
		frame - registers->value[sp] > FRAME_MAX ||
		!prof_window_word(stepper->window, frame, &outer) ||
		!prof_window_word(stepper->window, frame + sizeof frame, &pc))
		return PROF_STEP_STUCK;
	/* Other registers may have been saved at unknown places. */
	registers->valid = 0;
	set(registers, fp, outer);
	set(registers, sp, frame + 2 * sizeof frame);
	if (!pushes) /* functions have the rest of their frame above that */
		forget(registers, sp);
	arrive(stepper, pc, registers);
	return PROF_STEP_CALLER;
}

enum prof_step prof_step_by_call(
	const struct prof_stepper *stepper, struct prof_registers *registers)
{
	const struct prof_arch *arch = stepper->arch;
	uint64_t pc = registers->value[arch->return_address];

	if (!is_known(registers, arch->sp))
		return PROF_STEP_STUCK;
	if (arch->pushes_return) {
		uint64_t sp = registers->value[arch->sp];
		if (!prof_window_word(stepper->window, sp, &pc))
			return PROF_STEP_STUCK;
		set(registers, arch->sp, sp + sizeof sp);
	} else if (!is_known(registers, arch->return_address) ||
		(pc & arch->code_mask) == registers->pc) {
		return PROF_STEP_STUCK;
	}
	forget(registers, arch->return_address);
	arrive(stepper, pc, registers);
	return PROF_STEP_CALLER;
}

enum prof_step prof_step_by_link(
	const struct prof_stepper *stepper, struct prof_registers *registers)
{
	const struct prof_arch *arch = stepper->arch;

	if (!is_known(registers, arch->return_address))
		return PROF_STEP_STUCK;
	registers->valid &= UINT64_C(1) << arch->fp;
	arrive(stepper, registers->value[arch->return_address], registers);
	return PROF_STEP_CALLER;
}
