/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A debugger of a traced child whose patches are hidden. */
#ifndef PROF_TESTS_PATCHED_DEBUGGER_H
#define PROF_TESTS_PATCHED_DEBUGGER_H

#include "patched_crowd.h"
#include "patched_recorded.h"
#include "patching/patched.h"
#include "patching/thread_word.h"

#include <sys/user.h>

enum { LOOKED = 16, MOST = 16, STEPS = 4096, WORDS = 24 };

/* The bits of the addresses of blocks from bit 43 on. */
enum { BLOCKS = 5 };

/* Begins with a call; its result is that of leaf(), and 1. */
uint64_t beginning(uint64_t number);
extern const char behind_leaf[];

__asm__(".text\n"
	".type beginning,@function\n"
	"beginning:\n	.cfi_startproc\n"
	"	push %rdi\n	.cfi_def_cfa_offset 16\n	call leaf\n"
	"behind_leaf:	inc %rax\n"
	"	pop %rdi\n	.cfi_def_cfa_offset 8\n	ret\n"
	"	.cfi_endproc\n	.size beginning,.-beginning\n");

static struct debugger {
	struct patched_child child; /* its patches are unused */
	struct prof_patched *patched;
	pid_t ids[MOST];
	size_t count;
} debugger;

static inline struct user_regs_struct registers_of(pid_t thread)
{
	struct user_regs_struct registers;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, thread, NULL, &registers), 0);
	return registers;
}

/* Of the stubs that functions get. */
static enum prof_stub_part kind;

static inline void begin(int (*function)(void), bool patches)
{
	static const void *const functions[] = {
		(const void *)leaf, (const void *)fibonacci, (const void *)beginning};
	enum prof_obstacle obstacle;
	uint32_t number;

	patched_child_records = kind == PROF_STUB_CALL ? RECORDED_BYTES : 0;
	recorded_begin();
	debugger = (struct debugger){.count = 1};
	crowd_start_hidden(&debugger.child, function, &debugger.patched);
	debugger.ids[0] = debugger.child.pid;
	for (size_t i = 0; patches && i < PROF_COUNT(functions); i++) {
		ck_assert_ok(prof_patches_add(prof_patched_patches(debugger.patched),
			(uintptr_t)functions[i], kind, &number, &obstacle));
		ck_assert_uint_eq(number, i + 1);
	}
	ck_assert(prof_patches_map(prof_patched_patches(debugger.patched), &debugger.child.detour,
		debugger.child.pid));
}

static inline void resume(pid_t thread, int request)
{
	ck_assert_ok(prof_patched_resume(debugger.patched, thread, request == PTRACE_SINGLESTEP));
	ck_assert_int_eq(ptrace(request, thread, NULL, NULL), 0);
}

/* THREAD has reported STATUS, a stop.  False: it goes on. */
static inline bool meet(pid_t thread, int status)
{
	bool again;

	ck_assert_ok(
		prof_patched_stop(debugger.patched, thread, WSTOPSIG(status) == SIGTRAP, &again));
	if (again)
		ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, thread, NULL, NULL), 0);
	return !again;
}

/* Waits until THREAD has stopped; the signal. */
static inline int await(pid_t thread)
{
	int status;

	do {
		ck_assert_int_eq(waitpid(thread, &status, __WALL), thread);
		ck_assert_msg(WIFSTOPPED(status), "status %x", status);
	} while (!meet(thread, status));
	return status >> 8;
}

/* What the debugger sees where THREAD, which has stopped, and FUNCTION are. */
static inline void check_view(pid_t thread, const void *function)
{
	unsigned char bytes[LOOKED];
	struct user_regs_struct registers = registers_of(thread);
	struct prof_stub_registers seen = {.pc = registers.rip, .sp = registers.rsp};

	ck_assert(prof_process_read(debugger.child.pid, (uintptr_t)function, bytes, LOOKED));
	prof_patched_mask(debugger.patched, (uintptr_t)function, bytes, LOOKED);
	ck_assert(!memcmp(bytes, function, LOOKED));
	/* A part of it. */
	ck_assert(prof_process_read(debugger.child.pid, (uintptr_t)function + 2, bytes, 2));
	prof_patched_mask(debugger.patched, (uintptr_t)function + 2, bytes, 2);
	ck_assert(!memcmp(bytes, (const char *)function + 2, 2));
	ck_assert_int_eq(prof_patches_undo(prof_patched_patches(debugger.patched), &seen),
		PROF_STUB_UNTOUCHED);
}

/* A thread that was just made has what another has left where its word is. */
static inline void leave_word(pid_t thread)
{
	const uint64_t left = 7;
	int status;

	ck_assert_int_eq(waitpid(thread, &status, __WALL), thread);
	ck_assert_ok(prof_process_write(debugger.child.pid,
		registers_of(thread).fs_base + PROF_THREAD_WORD, &left, sizeof left));
	ck_assert(meet(thread, status));
}

static inline void make_threads(void)
{
	unsigned long made;

	while (debugger.count < THREADS + 1) {
		resume(debugger.child.pid, PTRACE_CONT);
		ck_assert_int_eq(await(debugger.child.pid), SIGTRAP | PTRACE_EVENT_CLONE << 8);
		ck_assert_int_eq(ptrace(PTRACE_GETEVENTMSG, debugger.child.pid, NULL, &made), 0);
		leave_word((pid_t)made);
		debugger.ids[debugger.count++] = (pid_t)made;
	}
}

#endif
