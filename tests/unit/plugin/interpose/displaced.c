/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger, which is this program, has a child execute an instruction elsewhere. */
#include "plugin/interpose/displaced.h"

#include "recording/queue.h"
#include "sampling/walker.h"
#include "sample_attached.h"
#include "target/arch.h"
#include "target/process.h"

#include <elf.h>
#include <sys/uio.h>

/* The child, where it stands, and where GDB has such instructions executed. */
static struct {
	pid_t thread;
	struct prof_queue *queue;
	struct prof_walker *walker;
	unsigned char registers[PROF_ARCH_USER];
	struct iovec set;
	uint64_t pc, entry;
} child;

static struct prof_registers decoded(void)
{
	struct prof_registers registers;

	ck_assert(
		prof_arch_native()->read_registers(child.registers, child.set.iov_len, &registers));
	return registers;
}

static void get(void)
{
	child.set = (struct iovec){child.registers, sizeof child.registers};
	ck_assert_int_eq(
		ptrace(PTRACE_GETREGSET, child.thread, (void *)NT_PRSTATUS, &child.set), 0);
}

static void begin(void)
{
	child.thread = child_start(child_spin);
	child_attach(child.thread, 'R');
	ck_assert_ok(prof_queue_create(1 << 16, &child.queue));
	ck_assert_ok(prof_walker_create(child.thread, 16, child.queue, &child.walker));
	get();
	child.pc = decoded().pc;
	child.entry = prof_process_entry(child.thread);
	ck_assert_uint_ne(child.entry, 0);
	ck_assert_ptr_nonnull(displaced_steps());
}

static void end(void)
{
	displaced_forget();
	prof_walker_destroy(child.walker);
	prof_queue_destroy(child.queue);
	children_end();
}

/* Replaces the program counter in the child's registers, wherever these have it. */
static void put(uint64_t from, uint64_t to)
{
	for (size_t i = 0; i + sizeof from <= child.set.iov_len; i += sizeof from) {
		if (!memcmp(child.registers + i, &from, sizeof from))
			memcpy(child.registers + i, &to, sizeof to);
	}
	ck_assert_uint_eq(decoded().pc, to);
}

/* GDB has the child go on at TO, and not where it is. */
static void move(uint64_t from, uint64_t to)
{
	put(from, to);
	displaced_note(PTRACE_SETREGSET, child.thread, (void *)NT_PRSTATUS, &child.set);
	ck_assert_int_eq(
		ptrace(PTRACE_SETREGSET, child.thread, (void *)NT_PRSTATUS, &child.set), 0);
}

/* Where its program has the child. */
static uint64_t seen(void)
{
	struct prof_registers registers;

	ck_assert(displaced_registers(child.thread, child.walker, &registers));
	return registers.pc;
}

START_TEST(a_thread_is_where_its_instruction_is_from)
{
	begin();
	ck_assert_uint_eq(seen(), child.pc);
	move(child.pc, child.entry);
	ck_assert_uint_eq(seen(), child.pc);
	/* It is done. */
	displaced_note(PTRACE_CONT, child.thread, NULL, NULL);
	ck_assert_uint_eq(seen(), child.entry);
	end();
}
END_TEST

START_TEST(a_step_does_not_end_it)
{
	begin();
	move(child.pc, child.entry);
	displaced_note(PTRACE_SINGLESTEP, child.thread, NULL, NULL);
	ck_assert_uint_eq(seen(), child.pc);
	end();
}
END_TEST

START_TEST(registers_that_are_put_right_end_it)
{
	begin();
	move(child.pc, child.entry);
	move(child.entry, child.pc);
	ck_assert_uint_eq(seen(), child.pc);
	put(child.pc, child.entry);
	ck_assert_int_eq(
		ptrace(PTRACE_SETREGSET, child.thread, (void *)NT_PRSTATUS, &child.set), 0);
	ck_assert_uint_eq(seen(), child.entry);
	end();
}
END_TEST

START_TEST(a_thread_that_is_sent_elsewhere_is_there)
{
	begin();
	/* As where GDB calls a function. */
	move(child.pc, (uintptr_t)child_sleep);
	ck_assert_uint_eq(seen(), (uintptr_t)child_sleep);
	end();
}
END_TEST

START_TEST(what_is_forgotten_is_not_undone)
{
	begin();
	move(child.pc, child.entry);
	displaced_forget();
	ck_assert_uint_eq(seen(), child.entry);
	end();
}
END_TEST

START_TEST(a_killed_thread_has_no_registers)
{
	struct prof_registers registers;

	begin();
	kill(child.thread, SIGKILL);
	child_await(child.thread, 'Z');
	ck_assert(!displaced_registers(child.thread, child.walker, &registers));
	displaced_note(PTRACE_SETREGSET, child.thread, (void *)NT_PRSTATUS, &child.set);
	end();
}
END_TEST

RUN_TESTS("displaced", a_thread_is_where_its_instruction_is_from, a_step_does_not_end_it,
	registers_that_are_put_right_end_it, a_thread_that_is_sent_elsewhere_is_there,
	what_is_forgotten_is_not_undone, a_killed_thread_has_no_registers)
