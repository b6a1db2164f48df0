/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/rule.h"
#include "target/process.h"
#include "target/unwind.h"

#include "suite.h"

#include <unistd.h>

/* Functions that are never run: their call frame information is what counts. */
__asm__(".text\n"
	"rule_frame: .cfi_startproc\n"
	"	nop\n"
	"	.cfi_def_cfa_offset 16\n	.cfi_offset rbp, -16\n	nop\n"
	"	.cfi_def_cfa_register rbp\n	nop\n"
	"	.cfi_endproc\n"
	"rule_aligned: .cfi_startproc\n"              /* as GCC has it after and $-32, %rsp */
	"	.cfi_escape 0x10, 6, 2, 0x76, 0\n"    /* DW_CFA_expression rbp: breg6 0 */
	"	.cfi_escape 0x0f, 3, 0x76, 0x78, 6\n" /* def_cfa_expression: breg6 -8, deref */
	"	nop\n"
	"	.cfi_endproc\n"
	"rule_early: .cfi_startproc\n" /* the CFA is in r10, as before that */
	"	.cfi_def_cfa r10, 0\n	nop\n"
	"	.cfi_endproc\n"
	"rule_lost: .cfi_startproc\n" /* fp is in rbx */
	"	.cfi_register rbp, rbx\n	nop\n"
	"	.cfi_endproc\n"
	"rule_elsewhere: .cfi_startproc\n" /* fp is where the stack pointer was */
	"	.cfi_escape 0x10, 6, 2, 0x77, 0\n	nop\n"
	"	.cfi_endproc\n"
	"rule_fp_by_fp: .cfi_startproc\n"
	"	.cfi_def_cfa rbp, 24\n"
	"	.cfi_escape 0x10, 6, 2, 0x76, 0\n	nop\n"
	"	.cfi_endproc\n"
	"rule_outermost: .cfi_startproc\n"
	"	.cfi_undefined rip\n	nop\n"
	"	.cfi_endproc\n"
	"rule_signal: .cfi_startproc simple\n"
	"	.cfi_signal_frame\n	.cfi_def_cfa rsp, 160\n	.cfi_offset rip, -8\n	nop\n"
	"	.cfi_endproc\n"
	"rule_silent:\n"
	"	nop\n	nop\n	nop\n");

extern const char rule_frame[], rule_aligned[], rule_early[], rule_lost[], rule_elsewhere[];
extern const char rule_fp_by_fp[], rule_outermost[], rule_signal[], rule_silent[];

static struct prof_process process;
static struct prof_target target;
static struct prof_unwinder *unwinder;

static void open_own(void)
{
	prof_process_init(&process, getpid());
	target = prof_process_target(&process);
	ck_assert_ok(prof_unwinder_create(getpid(), &target, &unwinder));
}

static struct prof_rule rule_at(const char *label, unsigned offset)
{
	struct prof_rule rule = {0};

	ck_assert(prof_unwinder_rule(unwinder, (uintptr_t)label + offset, &rule));
	return rule;
}

static void expect(const char *label, unsigned offset, struct prof_rule expected)
{
	struct prof_rule rule = rule_at(label, offset);

	ck_assert_int_eq(rule.kind, expected.kind);
	ck_assert_int_eq(rule.offset, expected.offset);
	ck_assert_int_eq(rule.fp_saved, expected.fp_saved);
	if (expected.fp_saved)
		ck_assert_int_eq(rule.fp_offset, expected.fp_offset);
}

START_TEST(rows_come_to_rules)
{
	open_own();
	expect(rule_frame, 0, (struct prof_rule){PROF_RULE_SP, 8, false, 0});
	expect(rule_frame, 1, (struct prof_rule){PROF_RULE_SP, 16, true, -16});
	expect(rule_frame, 2, (struct prof_rule){PROF_RULE_FP, 16, true, -16});
	expect(rule_aligned, 0, (struct prof_rule){PROF_RULE_AT_FP, -8, true, 0});
	expect(rule_fp_by_fp, 0, (struct prof_rule){PROF_RULE_FP, 24, true, -24});
	ck_assert_int_eq(rule_at(rule_outermost, 0).kind, PROF_RULE_OUTERMOST);
	ck_assert_int_eq(rule_at(rule_signal, 0).kind, PROF_RULE_SIGNAL);
	prof_unwinder_destroy(unwinder);
}
END_TEST

START_TEST(what_needs_other_registers_is_stuck)
{
	const char *const labels[] = {rule_early, rule_lost, rule_elsewhere};

	open_own();
	for (size_t i = 0; i < PROF_COUNT(labels); i++)
		ck_assert_int_eq(rule_at(labels[i], 0).kind, PROF_RULE_STUCK);
	prof_unwinder_destroy(unwinder);
}
END_TEST

START_TEST(without_rows_it_is_the_frame_pointer)
{
	struct prof_rule rule;

	open_own();
	expect(rule_silent, 1, (struct prof_rule){PROF_RULE_FP, 16, true, -16});
	ck_assert(!prof_unwinder_rule(unwinder, 16, &rule));
	prof_unwinder_destroy(unwinder);
}
END_TEST

RUN_TESTS("rule", rows_come_to_rules, what_needs_other_registers_is_stuck,
	without_rows_it_is_the_frame_pointer)
