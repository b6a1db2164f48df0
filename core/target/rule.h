/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Rules: a row of call frame information as far as the stack pointer and the frame pointer alone
 * lead, for walks that know no other registers.
 */
#ifndef PROF_TARGET_RULE_H
#define PROF_TARGET_RULE_H

#include <stdbool.h>
#include <stdint.h>

struct prof_arch;
struct prof_cfi_row;
struct prof_cfi_rows;

/* CFA: the stack pointer before the call; the return address is right below it. */
enum prof_rule_kind {
	PROF_RULE_SP,        /* CFA is sp + offset */
	PROF_RULE_FP,        /* CFA is fp + offset */
	PROF_RULE_AT_FP,     /* CFA is in memory at fp + offset: of a stack that was aligned */
	PROF_RULE_SIGNAL,    /* a signal handler returns here */
	PROF_RULE_OUTERMOST, /* there is no caller */
	PROF_RULE_STUCK,     /* no such rule leads to the caller */
};

struct prof_rule {
	enum prof_rule_kind kind;
	int32_t offset;    /* bytes */
	bool fp_saved;     /* the caller's fp is in memory; else it is the same */
	int32_t fp_offset; /* there: at CFA + fp_offset; of PROF_RULE_AT_FP at fp + fp_offset */
};

/* What ROW of ROWS comes to. */
struct prof_rule prof_rule_of_row(const struct prof_cfi_rows *rows, const struct prof_cfi_row *row,
	const struct prof_arch *arch);

/* The guess for code without call frame information. */
struct prof_rule prof_rule_of_frame_pointer(void);

#endif
