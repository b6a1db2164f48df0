/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/patch_threads.h"

#include "patching/stub_run.h"

#include <stdlib.h>

void prof_patch_threads_deinit(struct prof_patch_threads *threads)
{
	free(threads->items.items);
	*threads = (struct prof_patch_threads){0};
}

void prof_patch_threads_forget(struct prof_patch_threads *threads, pid_t thread)
{
	for (size_t i = threads->items.count; i-- > 0;) {
		if (threads->items.items[i].thread == thread)
			threads->items.items[i] = threads->items.items[--threads->items.count];
	}
}

#if defined(__x86_64__) && defined(__LP64__)

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/user.h>

static struct prof_stub_registers take(const struct user_regs_struct *from)
{
	return (struct prof_stub_registers){
		.pc = from->rip,
		.sp = from->rsp,
		.flags = from->eflags,
		.rax = from->rax,
		.rcx = from->rcx,
		.rdx = from->rdx,
		.rsi = from->rsi,
		.rdi = from->rdi,
		.r8 = from->r8,
		.r9 = from->r9,
		.r10 = from->r10,
		.r11 = from->r11,
	};
}

static void put(const struct prof_stub_registers *from, struct user_regs_struct *to)
{
	/* The kernel must not take what rax holds now for the result of a system call. */
	if (to->rax != from->rax)
		to->orig_rax = (unsigned long long)-1;
	to->rip = from->pc;
	to->rsp = from->sp;
	to->eflags = from->flags;
	to->rax = from->rax;
	to->rcx = from->rcx;
	to->rdx = from->rdx;
	to->rsi = from->rsi;
	to->rdi = from->rdi;
	to->r8 = from->r8;
	to->r9 = from->r9;
	to->r10 = from->r10;
	to->r11 = from->r11;
}

/*
 * Is the call counted of THREAD, which stands at PC with the stack pointer SP?  Forgets what was
 * noted of it there, and in frames that it has left.
 */
static bool take_note(struct prof_patch_threads *threads, pid_t thread, uint64_t pc, uint64_t sp)
{
	bool counted = false;

	for (size_t i = threads->items.count; i-- > 0;) {
		struct prof_patch_thread *note = &threads->items.items[i];
		/* The debugger may have it call a function, and put it back. */
		if (note->thread != thread || note->sp > sp)
			continue;
		counted |= note->pc == pc && note->sp == sp;
		*note = threads->items.items[--threads->items.count];
	}
	return counted;
}

bool prof_patch_threads_leave(
	struct prof_patch_threads *threads, const struct prof_patches *patches, pid_t thread)
{
	struct user_regs_struct all;

	if (!prof_array_reserve(&threads->items, 1))
		return false;
	if (!prof_stub_run(patches, thread))
		return false;
	if (ptrace(PTRACE_GETREGS, thread, NULL, &all))
		return errno == ESRCH;
	struct prof_stub_registers registers = take(&all);
	enum prof_stub_undone undone = prof_patches_undo(patches, &registers);
	if (undone == PROF_STUB_UNTOUCHED || undone == PROF_STUB_STUCK)
		return undone == PROF_STUB_UNTOUCHED;
	put(&registers, &all);
	if (ptrace(PTRACE_SETREGS, thread, NULL, &all))
		return errno == ESRCH;
	if (undone == PROF_STUB_COUNTED)
		threads->items.items[threads->items.count++] =
			(struct prof_patch_thread){thread, registers.pc, registers.sp};
	return true;
}

bool prof_patch_threads_return(struct prof_patch_threads *threads,
	const struct prof_patches *patches, pid_t thread, bool stepped,
	struct prof_patch_start *ret)
{
	struct user_regs_struct registers;

	*ret = (struct prof_patch_start){0};
	if (ptrace(PTRACE_GETREGS, thread, NULL, &registers))
		return false;
	ret->from = registers.rip;
	bool counted = take_note(threads, thread, registers.rip, registers.rsp);
	if (stepped && !counted)
		ret->number = prof_patches_entered(patches, registers.rip);
	if (ret->number)
		ret->caller = prof_patches_caller(patches, ret->number, registers.rsp);
	uint64_t copy = prof_patches_copy(patches, registers.rip, counted || ret->number);
	if (!copy)
		return true;
	registers.rip = copy;
	return !ptrace(PTRACE_SETREGS, thread, NULL, &registers);
}

bool prof_patch_threads_are_within(const struct prof_patches *patches, pid_t thread, uint64_t from)
{
	struct user_regs_struct all;

	if (!prof_stub_run(patches, thread) || ptrace(PTRACE_GETREGS, thread, NULL, &all))
		return false;
	struct prof_stub_registers registers = take(&all);
	return prof_patches_undo(patches, &registers) != PROF_STUB_UNTOUCHED &&
		registers.pc == from;
}

#else

bool prof_patch_threads_leave(
	struct prof_patch_threads *threads, const struct prof_patches *patches, pid_t thread)
{
	(void)threads;
	(void)patches;
	(void)thread;
	return false;
}

bool prof_patch_threads_return(struct prof_patch_threads *threads,
	const struct prof_patches *patches, pid_t thread, bool stepped,
	struct prof_patch_start *ret)
{
	(void)threads;
	(void)patches;
	(void)thread;
	(void)stepped;
	(void)ret;
	return false;
}

bool prof_patch_threads_are_within(const struct prof_patches *patches, pid_t thread, uint64_t from)
{
	(void)patches;
	(void)thread;
	(void)from;
	return false;
}

#endif
