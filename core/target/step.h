/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One step of a walk: from the registers of a frame to those of its caller. */
#ifndef PROF_TARGET_STEP_H
#define PROF_TARGET_STEP_H

struct prof_arch;
struct prof_cfi_row;
struct prof_cfi_rows;
struct prof_registers;
struct prof_window;

enum prof_step {
	PROF_STEP_CALLER, /* the registers are the caller's now */
	PROF_STEP_WHOLE,  /* there is no caller */
	PROF_STEP_STUCK,  /* the caller cannot be found */
};

/* What a step needs besides the frame.  All borrowed. */
struct prof_stepper {
	const struct prof_arch *arch;
	const struct prof_cfi_rows *rows;
	struct prof_window *window;
};

/* By the rules of ROW. */
enum prof_step prof_step_by_row(const struct prof_stepper *stepper, const struct prof_cfi_row *row,
	struct prof_registers *registers);

/*
 * By the frame pointer, in code without call frame information.  Where calls do not push the return
 * address, the stack pointer is then only known to be no less than its value.
 */
enum prof_step prof_step_by_frame_pointer(
	const struct prof_stepper *stepper, struct prof_registers *registers);

/* As if the function had done nothing since the call: for a call to an address that is no code. */
enum prof_step prof_step_by_call(
	const struct prof_stepper *stepper, struct prof_registers *registers);

/* By the register that a call leaves the return address in, in such code. */
enum prof_step prof_step_by_link(
	const struct prof_stepper *stepper, struct prof_registers *registers);

#endif
