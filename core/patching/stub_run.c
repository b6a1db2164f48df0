/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/stub_run.h"

#if defined(__x86_64__) && defined(__LP64__)

#include "patching/patches_private.h"
#include "target/process.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Instructions that a stub executes, at the most: it looks at many blocks for one that is free. */
enum { MOST = 8192 };

/* Bytes of the instruction that saves where shared code goes on, and where that is: see
 * stub_code.c. */
enum { SAVE = 5, RETURN = -96 };

/* Of the debug registers: how many are used, those that say what was met and that enable them, and
 * with what. */
enum { EXITS = 2, STATUS = 6, CONTROL = 7, ENABLED = 0x5 };

enum { FLAG_RESUME = 0x10000 };

enum standing { OUT, WITHIN, ENDED };

/* A thread that is to leave stubs. */
struct run {
	const struct prof_patches *patches;
	pid_t thread;
	struct user_regs_struct registers;
	bool halted; /* it has got a SIGSTOP, which cannot be blocked */
};

static enum standing find(struct run *run)
{
	struct user_regs_struct *all = &run->registers;

	if (ptrace(PTRACE_GETREGS, run->thread, NULL, all))
		return ENDED;
	struct prof_stub_registers registers = {
		.pc = all->rip,
		.sp = all->rsp,
		.flags = all->eflags,
		.rdx = all->rdx,
	};
	return prof_patches_undo(run->patches, &registers) == PROF_STUB_STUCK ? WITHIN : OUT;
}

/* The thread goes on by REQUEST until it stops.  ENDED: it has ended, or is about to, and its
 * debugger will see that. */
static enum standing go(struct run *run, int request)
{
	const id_t id = (id_t)run->thread;
	siginfo_t info = {0};

	if (ptrace(request, run->thread, NULL, NULL) ||
		waitid(P_PID, id, &info, WSTOPPED | WEXITED | WNOWAIT | __WALL) ||
		info.si_code != CLD_TRAPPED ||
		(info.si_status != SIGTRAP && info.si_status != SIGSTOP))
		return ENDED;
	run->halted |= info.si_status == SIGSTOP;
	if (waitid(P_PID, id, &info, WSTOPPED | WNOHANG | __WALL))
		return ENDED;
	return find(run);
}

static bool read_word(const struct run *run, uint64_t address, uint64_t *ret)
{
	return prof_process_read(run->patches->process, address, ret, sizeof *ret);
}

/* Where in a stub the code that all share goes on, in which the thread is.  False: it is not known.
 */
static bool find_back(const struct run *run, const struct prof_island *island, uint64_t *ret)
{
	uint64_t attaching = run->registers.rip - island->common.attach;
	uint64_t recording = run->registers.rip - island->common.record;
	bool early = recording < SAVE;

	if (attaching < prof_stub_piece(PROF_STUB_ATTACH).length)
		early = attaching < prof_stub_piece(PROF_STUB_ATTACH).mark;
	else if (recording >= prof_stub_piece(PROF_STUB_RECORD).length)
		return false;
	*ret = run->registers.rdx;
	return early || read_word(run, run->registers.rsp + (uint64_t)(int64_t)RETURN, ret);
}

/* The first instructions behind the stub that the thread can come to.  False: not known. */
static bool find_exits(const struct run *run, uint64_t exits[EXITS])
{
	const struct prof_island *island = prof_patches_island(run->patches, run->registers.rip);
	struct prof_island_place place;
	uint64_t back, slot = run->registers.rsp;

	if (!island || !prof_island_find(island, run->registers.rip, &place))
		return false;
	if (place.state == PROF_ISLAND_SHARED) {
		if (!find_back(run, island, &back) || !prof_island_find(island, back, &place) ||
			!place.stub)
			return false;
	} else if (place.state == PROF_ISLAND_RETURNING) {
		slot += (uint64_t)(int64_t)place.sp;
	}
	exits[0] = place.stub->low + prof_stub_piece(place.stub->kind).length;
	if (place.state == PROF_ISLAND_RETURNING)
		slot ^= run->patches->settings.shadow;
	else if (place.stub->kind != PROF_STUB_FIND_FRAME)
		slot = 0;
	exits[1] = exits[0];
	return !slot || read_word(run, slot, &exits[1]);
}

static uint64_t debug_register(int number)
{
	return offsetof(struct user, u_debugreg) + (size_t)number * sizeof(long);
}

static bool set(const struct run *run, int number, uint64_t value)
{
	return !ptrace(PTRACE_POKEUSER, run->thread, debug_register(number), value);
}

/* Has the thread stop at EXITS, or at none of them.  False: it cannot. */
static bool set_exits(const struct run *run, const uint64_t exits[EXITS], uint64_t control)
{
	bool good = set(run, CONTROL, 0);

	for (int i = 0; i < EXITS; i++)
		good &= set(run, i, exits[i]);
	return good & set(run, CONTROL, control);
}

/*
 * Lets the thread go on to where it leaves the stub, by its debug registers: while others keep the
 * CPUs busy, each single step takes some milliseconds.
 */
static enum standing run_to_exit(struct run *run)
{
	uint64_t exits[EXITS], before[EXITS], control;
	enum standing standing = WITHIN;

	if (!find_exits(run, exits))
		return WITHIN;
	for (int i = 0; i < EXITS; i++)
		before[i] = (uint64_t)ptrace(PTRACE_PEEKUSER, run->thread, debug_register(i), NULL);
	control = (uint64_t)ptrace(PTRACE_PEEKUSER, run->thread, debug_register(CONTROL), NULL);
	if (set_exits(run, exits, ENABLED))
		standing = go(run, PTRACE_CONT);
	/* Debuggers look there for what a thread has stopped for. */
	set(run, STATUS, 0);
	set_exits(run, before, control);
	/* The CPU sets it where it stops at an address. */
	run->registers.eflags &= ~(unsigned long long)FLAG_RESUME;
	if (standing == OUT)
		ptrace(PTRACE_SETREGS, run->thread, NULL, &run->registers);
	return standing;
}

bool prof_stub_run(const struct prof_patches *patches, pid_t thread)
{
	const uint64_t all = ~(UINT64_C(1) << (SIGTRAP - 1));
	struct run run = {.patches = patches, .thread = thread};
	enum standing standing = find(&run);
	uint64_t mask;
	siginfo_t info;

	if (standing != WITHIN)
		return true;
	bool signalled = prof_process_signalled(thread, &info);
	if (ptrace(PTRACE_GETSIGMASK, thread, sizeof mask, &mask) ||
		!prof_process_block(thread, all))
		return errno == ESRCH;
	standing = run_to_exit(&run);
	for (size_t i = 0; i < MOST && standing == WITHIN; i++)
		standing = go(&run, PTRACE_SINGLESTEP);
	prof_process_block(thread, mask);
	if (signalled)
		ptrace(PTRACE_SETSIGINFO, thread, NULL, &info);
	/* Its debugger waits for that, perhaps. */
	if (run.halted)
		syscall(SYS_tgkill, prof_patches_process(patches), thread, SIGSTOP);
	return standing != WITHIN;
}

#else

bool prof_stub_run(const struct prof_patches *patches, pid_t thread)
{
	(void)patches;
	(void)thread;
	return true;
}

#endif
