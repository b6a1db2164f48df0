/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comes to the function visit() so many times: displaced TURNS.
 *
 * An instruction of each kind that debuggers execute elsewhere is at a known distance from its
 * beginning, in bytes:
 *
 *	0	push
 *	4	call, of leaf()
 *	9	jmp, over the 32 bytes that follow
 *	43	mov, of what is at a distance from it
 *	51	ret
 */
#include <stdlib.h>

unsigned long sink;

void visit(void);
void leaf(void);

__asm__(".text\n"
	".type leaf, @function\n"
	"leaf:\n"
	".cfi_startproc\n"
	"	ret\n"
	".cfi_endproc\n"
	".size leaf, . - leaf\n"
	".type visit, @function\n"
	"visit:\n"
	".cfi_startproc\n"
	"	push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset 6, -16\n"
	"	mov %rsp, %rbp\n"
	".cfi_def_cfa_register 6\n"
	"	call leaf\n"
	"	jmp 1f\n"
	"	.fill 32, 1, 0xcc\n"
	"1:	mov sink(%rip), %rax\n"
	"	pop %rbp\n"
	".cfi_def_cfa 7, 8\n"
	"	ret\n"
	".cfi_endproc\n"
	".size visit, . - visit\n");

int main(int argc, char **argv)
{
	long turns = argc > 1 ? atol(argv[1]) : 1;

	for (long i = 0; i < turns; i++)
		visit();
	return 0;
}
