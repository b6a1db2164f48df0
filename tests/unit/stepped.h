/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code that is executed with a signal after each instruction. */
#ifndef PROF_TESTS_STEPPED_H
#define PROF_TESTS_STEPPED_H

#include "suite.h"

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

/* Returns what FUNCTION returns for ARGUMENT; SIGTRAP comes after each of its instructions. */
uint64_t stepped_call(uint64_t (*function)(uint64_t argument), uint64_t argument);

__asm__(".text\n"
	"stepped_call:\n"
	"	.cfi_startproc\n"
	"	mov %rdi,%rax\n	mov %rsi,%rdi\n"
	/* Flags are on the stack for a moment: the same ones each time. */
	"	test %rsp,%rsp\n	pushfq\n	orq $0x100,(%rsp)\n	popfq\n"
	"	sub $8,%rsp\n	call *%rax\n	add $8,%rsp\n"
	"	pushfq\n	andq $~0x100,(%rsp)\n	popfq\n"
	"	ret\n	.cfi_endproc\n");

/* Has HANDLER be called after each instruction. */
static inline void stepped_handle(void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};

	ck_assert_int_eq(sigaction(SIGTRAP, &action, NULL), 0);
}

/* The registers of CONTEXT, the handler's third argument. */
static inline uint64_t stepped_pc(const void *context)
{
	return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static inline uint64_t stepped_sp(const void *context)
{
	return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
}

#endif
