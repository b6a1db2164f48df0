/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of the program that no compiler makes.  What signal handlers return to is as in the
 * kernel's vdso: without call frame information, behind a nop.  Other code that is to have none has
 * it in a twin of the program (DESCRIBED), by which the right answers are found.
 */

#ifdef DESCRIBED
#define CFI(...) __VA_ARGS__
#else
#define CFI(...)
#endif

/* What kernels before Linux 5.8 said of that code, which is not right. */
#ifdef OLD_KERNEL
#define OLD(...) __VA_ARGS__
#else
#define OLD(...)
#endif

.macro begin_function name
	.global \name
	.type \name, %function
\name:
.endm

	.text
begin_function _start
	.cfi_startproc
	.cfi_undefined x30
	mov x29, xzr
	bl begin
	mov x8, #93 /* exit */
	svc #0
	.cfi_endproc

	OLD(.cfi_startproc)
	OLD(.cfi_signal_frame)
	OLD(.cfi_def_cfa x29, 0)
	OLD(.cfi_offset x29, 0)
	OLD(.cfi_offset x30, 8)
	nop
begin_function restore
	mov x8, #139 /* rt_sigreturn */
	svc #0
	OLD(.cfi_endproc)

/* It moves the stack pointer, but makes no frame. */
begin_function bare_leaf
	CFI(.cfi_startproc)
	add w0, w0, #1
	sub sp, sp, #16
	CFI(.cfi_def_cfa_offset 16)
	str w0, [sp]
	ldr w0, [sp]
	add sp, sp, #16
	CFI(.cfi_def_cfa_offset 0)
	ret
	CFI(.cfi_endproc)

/* It calls what it is given, and more. */
begin_function bare_frame
	CFI(.cfi_startproc)
	stp x29, x30, [sp, #-48]!
	CFI(.cfi_def_cfa_offset 48)
	CFI(.cfi_offset x29, -48)
	CFI(.cfi_offset x30, -40)
	mov x29, sp
	mov x9, x0
	mov w0, w1
	blr x9
	bl bare_leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #48
	CFI(.cfi_def_cfa_offset 0)
	CFI(.cfi_restore x29)
	CFI(.cfi_restore x30)
	ret
	CFI(.cfi_endproc)

/* It goes on behind its first return. */
begin_function bare_branch
	CFI(.cfi_startproc)
	stp x29, x30, [sp, #-16]!
	CFI(.cfi_def_cfa_offset 16)
	CFI(.cfi_offset x29, -16)
	CFI(.cfi_offset x30, -8)
	mov x29, sp
	tbz w0, #0, 1f
	CFI(.cfi_remember_state)
	ldp x29, x30, [sp], #16
	CFI(.cfi_def_cfa_offset 0)
	CFI(.cfi_restore x29)
	CFI(.cfi_restore x30)
	ret
1:
	CFI(.cfi_restore_state)
	add w0, w0, #1
	bl bare_leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #16
	CFI(.cfi_def_cfa_offset 0)
	CFI(.cfi_restore x29)
	CFI(.cfi_restore x30)
	ret
	CFI(.cfi_endproc)

/* A procedure linkage table as linkers make it: the first stub resolves, the second is lazy. */
	.balign 16
begin_function stub_table
	CFI(.cfi_startproc)
	stp x16, x30, [sp, #-16]!
	CFI(.cfi_def_cfa_offset 16)
	CFI(.cfi_offset x30, -8)
	adrp x16, stub_got
	ldr x17, [x16, #:lo12:stub_got]
	add x16, x16, #:lo12:stub_got
	br x17
	nop
	nop
	nop
	CFI(.cfi_endproc)
begin_function stub
	CFI(.cfi_startproc)
	adrp x16, stub_got + 8
	ldr x17, [x16, #:lo12:stub_got + 8]
	add x16, x16, #:lo12:stub_got + 8
	br x17
	CFI(.cfi_endproc)

begin_function resolve
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -8
	ldp x16, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x30
	b bare_leaf
	.cfi_endproc

	.section .note.GNU-stack,"",%progbits
