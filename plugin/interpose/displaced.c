/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/displaced.h"

#include "base/clock.h"
#include "sampling/displaced.h"
#include "target/arch.h"
#include "target/process.h"

#include <elf.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* PTRACE_SETREGS, which some machines lack. */
enum { SETREGS = 13 };

enum {
	NEAR = 4,  /* bytes: no machine has a longer breakpoint; GDB moves threads back to it */
	AREA = 64, /* bytes from the entry point on that GDB uses: enough for two instructions */
};

/* There is one GDB, so one set of steps. */
static struct prof_displaced *displaced;

struct prof_displaced *displaced_steps(void)
{
	if (!displaced)
		prof_error_destroy(prof_displaced_create(&displaced));
	return displaced;
}

/* Where the thread goes on with the registers that REQUEST sets; 0: it sets none. */
static uint64_t next_pc(long request, const void *address, const void *data)
{
	const struct prof_arch *arch = prof_arch_native();
	struct prof_registers registers;
	const void *bytes = NULL;

	if (request == SETREGS)
		bytes = data;
	else if (request == PTRACE_SETREGSET && (uintptr_t)address == NT_PRSTATUS)
		bytes = ((const struct iovec *)data)->iov_base;
	return bytes && arch && arch->read_registers(bytes, PROF_ARCH_USER, &registers)
		? registers.pc
		: 0;
}

/* THREAD is about to go on at PC, which is not where it has stopped. */
static void place(pid_t thread, uint64_t pc)
{
	struct prof_registers registers;
	AUTO_ERROR struct prof_error *error = prof_process_registers(thread, &registers);

	if (error || registers.pc == pc)
		return;
	if (registers.pc - pc < NEAR) {
		prof_displaced_trap(displaced, thread, pc, registers.pc, prof_clock());
		return;
	}
	if (prof_displaced_end(displaced, thread, prof_clock()))
		return;
	uint64_t entry = prof_process_entry(thread);
	if (entry && pc - entry < AREA)
		prof_displaced_begin(displaced, thread, registers.pc, pc, prof_clock());
}

void displaced_note(long request, pid_t thread, const void *address, const void *data)
{
	uint64_t pc = next_pc(request, address, data);

	if (!displaced_steps())
		return;
	if (pc)
		place(thread, pc);
	else if (request == PTRACE_CONT || request == PTRACE_SYSCALL || request == PTRACE_KILL ||
		request == PTRACE_DETACH)
		prof_displaced_end(displaced, thread, prof_clock());
}

void displaced_forget(void)
{
	prof_displaced_forget(displaced);
}

bool displaced_registers(pid_t thread, struct prof_walker *walker, struct prof_registers *ret)
{
	AUTO_ERROR struct prof_error *error = prof_process_registers(thread, ret);

	if (!error)
		prof_displaced_undo(displaced, thread, prof_clock(), walker, NULL, ret);
	return !error;
}
