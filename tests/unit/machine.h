/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code that is executed with random registers and flags. */
#ifndef PROF_TESTS_MACHINE_H
#define PROF_TESTS_MACHINE_H

#include <stdint.h>

enum { REGISTERS = 15 };

struct machine {
	uint64_t registers[REGISTERS]; /* rax rbx rcx rdx rsi rbp r8 to r15, rdi */
	uint64_t flags;
};

/* Executes the function CODE with the registers and flags of MACHINE, and leaves them there. */
void run_machine(struct machine *machine, const void *code);

__asm__(".text\n"
	"run_machine:\n"
	"	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n	push %r14\n	push %r15\n"
	"	push %rdi\n	push %rsi\n"
	"	pushq 120(%rdi)\n	popfq\n"
	"	mov (%rdi),%rax\n	mov 8(%rdi),%rbx\n	mov 16(%rdi),%rcx\n"
	"	mov 24(%rdi),%rdx\n	mov 32(%rdi),%rsi\n	mov 40(%rdi),%rbp\n"
	"	mov 48(%rdi),%r8\n	mov 56(%rdi),%r9\n	mov 64(%rdi),%r10\n"
	"	mov 72(%rdi),%r11\n	mov 80(%rdi),%r12\n	mov 88(%rdi),%r13\n"
	"	mov 96(%rdi),%r14\n	mov 104(%rdi),%r15\n	mov 112(%rdi),%rdi\n"
	"	call *(%rsp)\n"
	"	xchg %rdi,8(%rsp)\n"
	"	mov %rax,(%rdi)\n	mov %rbx,8(%rdi)\n	mov %rcx,16(%rdi)\n"
	"	mov %rdx,24(%rdi)\n	mov %rsi,32(%rdi)\n	mov %rbp,40(%rdi)\n"
	"	mov %r8,48(%rdi)\n	mov %r9,56(%rdi)\n	mov %r10,64(%rdi)\n"
	"	mov %r11,72(%rdi)\n	mov %r12,80(%rdi)\n	mov %r13,88(%rdi)\n"
	"	mov %r14,96(%rdi)\n	mov %r15,104(%rdi)\n"
	"	mov 8(%rsp),%rax\n	mov %rax,112(%rdi)\n"
	"	pushfq\n	popq 120(%rdi)\n	cld\n"
	"	pop %rsi\n	pop %rdi\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbp\n	pop %rbx\n"
	"	ret\n");

static uint64_t state = 20160229;

/* A pseudo-random number below LIMIT. */
static inline uint64_t draw(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % limit;
}

/* Fills MACHINE with random registers and flags. */
static inline void fill_machine(struct machine *machine)
{
	for (size_t i = 0; i < REGISTERS; i++)
		machine->registers[i] = draw(4) ? draw(UINT64_MAX) : draw(2);
	machine->flags = 0x202 | (draw(UINT64_MAX) & 0x8d5);
}

#endif
