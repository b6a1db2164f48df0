/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/run_to.h"

#include "base/clock.h"
#include "base/compat.h"
#include "plugin/gdb/catchpoint.h"
#include "plugin/gdb/host.h"
#include "target/process.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__

static const unsigned char trap = 0xcc; /* the instruction int3 */

enum { PAUSE = 20000 }; /* ns between two looks */

/* A place, and the instruction that was there. */
struct place {
	uint64_t address;
	unsigned char before;
};

struct places {
	PROF_ARRAY(struct place) items;
};

static void clear_places(pid_t process, struct places *places)
{
	/* In reverse order: one address can occur twice. */
	while (places->items.count) {
		const struct place *place = &places->items.items[--places->items.count];
		prof_error_destroy(prof_process_write(process, place->address, &place->before, 1));
	}
	free(places->items.items);
}

static struct prof_error *set_place(pid_t pid, struct places *places, uint64_t address)
{
	struct prof_process process;
	struct place place = {.address = address};

	prof_process_init(&process, pid);
	const struct prof_target target = prof_process_target(&process);
	if (!prof_array_reserve(&places->items, 1))
		return prof_error_nomem();
	if (target.read_memory(target.context, address, &place.before, 1) < 1)
		return NULL; /* no thread can come there */
	struct prof_error *error = prof_process_write(pid, address, &trap, 1);
	if (!error)
		places->items.items[places->items.count++] = place;
	return error;
}

static const size_t rip = offsetof(struct user_regs_struct, rip);

static uint64_t read_pc(pid_t thread)
{
	errno = 0;
	return (uint64_t)ptrace(PTRACE_PEEKUSER, thread, (void *)rip, NULL);
}

static struct prof_error *set_places(const struct run_to *way, struct places *places)
{
	struct prof_error *error = set_place(way->process, places, way->address);

	for (size_t i = 0; i < way->others_count && !error; i++)
		error = set_place(way->process, places, way->others[i]);
	return error;
}

/* Is it at a breakpoint that GDB has reported? */
static bool stands_at_one(const struct run_to *way)
{
	uint64_t here = way->reported ? read_pc(way->thread) : 0;

	for (size_t i = 0; i < way->others_count; i++) {
		if (here && way->others[i] == here)
			return true;
	}
	return false;
}

/* Has THREAD stopped?  *STATUS becomes that of waitpid(), from bit 8 on. */
static bool has_stopped(pid_t thread, int *status)
{
	siginfo_t info = {0};

	/* Does not wait for its end, which GDB must see. */
	if (waitid(P_PID, (id_t)thread, &info, WSTOPPED | WNOHANG | __WALL) || !info.si_pid)
		return false;
	*status = info.si_status;
	return true;
}

/* Waits until THREAD stops, until the time END at most. */
static bool await_stop(pid_t thread, int64_t end, int *status)
{
	static const struct timespec pause = {0, PAUSE};

	while (!has_stopped(thread, status)) {
		if (prof_clock() > end)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Has THREAD, stopped by SIGTRAP, come to one of PLACES?  It is then moved back to it. */
static bool at_place(pid_t thread, const struct places *places, uint64_t *address)
{
	uint64_t pc = read_pc(thread);

	for (size_t i = 0; i < places->items.count && !errno; i++) {
		*address = places->items.items[i].address;
		if (*address + 1 != pc)
			continue;
		return !ptrace(PTRACE_POKEUSER, thread, (void *)rip, (void *)*address);
	}
	return false;
}

/*
 * Stops RUN's thread, which is running, and waits for that as long as it takes, like GDB: it must
 * not find a running thread that it believes to be stopped.  False: the thread has ended.
 */
static bool halt(const struct run_to *way, const struct places *places)
{
	static const int64_t look = 100000000; /* ns */
	pid_t thread = way->thread;
	uint64_t at;
	int status;

	if (syscall(SYS_tgkill, way->process, thread, SIGSTOP))
		return false;
	for (;;) {
		while (!await_stop(thread, prof_clock() + look, &status)) {
			if (prof_process_has_ended(way->process, thread))
				return false;
		}
		if (status == SIGSTOP)
			return true;
		/*
		 * Something else came first: SIGSTOP is still pending, and stops the thread before
		 * it executes anything.
		 */
		int signal = status == SIGTRAP || status >> 8 ? 0 : status;
		if (status == SIGTRAP)
			at_place(thread, places, &at);
		if (ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal))
			return false;
	}
}

/* How GDB handles SIGNAL; if that is unknown, it stops and passes the signal on. */
static struct handling handling_of(int signal)
{
	static const struct handling usual = {.stop = true, .print = true, .pass = true};
	const char *name = sigabbrev_np(signal);
	struct handling handling = usual;
	char full[32];

	if (!name)
		return usual;
	snprintf(full, sizeof full, "SIG%s", name);
	struct prof_error *error = handling_read(full, &handling);
	if (!error)
		return handling;
	host_forget(error);
	return usual;
}

/* Does GDB pass SIGNAL on without a message? */
static bool is_silent(int signal)
{
	struct handling handling = handling_of(signal);

	return !handling.stop && !handling.print && handling.pass;
}

/* Was the signal with INFO sent by GDB, to sample or to stop a thread? */
static bool is_own(const siginfo_t *info)
{
	return info->si_code == SI_TKILL && info->si_pid == getpid();
}

/* Has THREAD stopped for a signal that GDB has sent to sample it? */
static bool is_tick(pid_t thread)
{
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) && is_own(&info);
}

/*
 * Does a thread that has stopped for INFO get a signal as soon as it goes on?  It must not execute
 * anything before that signal: abort() may follow raise().
 */
static bool is_held(const siginfo_t *info)
{
	/*
	 * The kernel's own stops have SIGTRAP, or SIGSTOP if GDB has attached, and GDB passes none
	 * of them on.
	 */
	return info->si_signo > 0 && info->si_signo != SIGTRAP && info->si_signo != SIGSTOP &&
		!is_own(info) && handling_of(info->si_signo).pass;
}

/* A fault happens again with the instruction that has caused it. */
static bool is_fault(pid_t thread, int signal)
{
	siginfo_t info;
	bool kind = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;

	return kind && !ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) && info.si_code > 0;
}

static enum run_to_end watch(struct run_to *way, const struct places *places)
{
	int64_t end = prof_clock() + way->limit;
	int signal = 0, status;
	uint64_t at;

	for (;;) {
		if (ptrace(PTRACE_CONT, way->thread, NULL, (void *)(intptr_t)signal))
			return RUN_TO_LOST;
		if (!await_stop(way->thread, end, &status)) {
			if (prof_process_has_ended(way->process, way->thread))
				return RUN_TO_LOST;
			return halt(way, places) ? RUN_TO_LATE : RUN_TO_LOST;
		}
		if (status == SIGTRAP && at_place(way->thread, places, &at))
			return at == way->address ? RUN_TO_REACHED : RUN_TO_MET;
		if (status >> 8) /* a new thread, for example */
			return RUN_TO_LATE;
		signal = is_tick(way->thread) ? 0 : status;
		if (!signal || is_silent(signal))
			continue;
		if (is_fault(way->thread, signal))
			return RUN_TO_LATE;
		way->signal = signal;
		return RUN_TO_SIGNAL;
	}
}

/*
 * Lets the thread execute one instruction, which may be a long system call.  False: something else
 * came first, or the thread has ended.
 */
static bool step(struct run_to *way, const struct places *places, enum run_to_end *ret)
{
	int status;

	*ret = RUN_TO_LOST;
	if (ptrace(PTRACE_SINGLESTEP, way->thread, NULL, NULL))
		return false;
	if (!await_stop(way->thread, prof_clock() + way->limit, &status)) {
		*ret = halt(way, places) ? RUN_TO_LATE : RUN_TO_LOST;
		return false;
	}
	if (status == SIGTRAP)
		return true;
	way->signal = is_fault(way->thread, status) ? 0 : status;
	*ret = way->signal ? RUN_TO_SIGNAL : RUN_TO_LATE;
	return false;
}

struct prof_error *run_to(struct run_to *way, enum run_to_end *ret)
{
	struct places places = {0};
	siginfo_t before;
	bool known = !ptrace(PTRACE_GETSIGINFO, way->thread, NULL, &before);

	if (known && is_held(&before)) {
		*ret = RUN_TO_HELD;
		return NULL;
	}
	bool goes_on = !stands_at_one(way) || step(way, &places, ret);
	struct prof_error *error = goes_on ? set_places(way, &places) : NULL;

	if (!error && goes_on)
		*ret = watch(way, &places);
	clear_places(way->process, &places);
	/* The user may look at $_siginfo, which must be of that stop, not of the stops here. */
	if (known && !error && *ret != RUN_TO_SIGNAL)
		ptrace(PTRACE_SETSIGINFO, way->thread, NULL, &before);
	return error;
}

#else

struct prof_error *run_to(struct run_to *way, enum run_to_end *ret)
{
	(void)way;
	(void)ret;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"gdbprof can let a thread leave the C library only on x86-64.");
}

#endif
