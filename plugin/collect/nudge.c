#include "plugin/collect/nudge.h"

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

/* A place, and what stood there. */
struct place {
	uint64_t address;
	unsigned char before;
};

struct places {
	PROF_ARRAY(struct place) items;
};

static void clear_places(pid_t process, struct places *places)
{
	/* The last first: one address can be there twice. */
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
		return NULL; /* nobody can come there */
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

static struct prof_error *set_places(const struct nudge *nudge, struct places *places)
{
	struct prof_error *error = set_place(nudge->process, places, nudge->address);

	for (size_t i = 0; i < nudge->others_count && !error; i++)
		error = set_place(nudge->process, places, nudge->others[i]);
	return error;
}

/* Does it stand at a place of which GDB has told? */
static bool stands_at_one(const struct nudge *nudge)
{
	uint64_t here = nudge->told ? read_pc(nudge->thread) : 0;

	for (size_t i = 0; i < nudge->others_count; i++) {
		if (here && nudge->others[i] == here)
			return true;
	}
	return false;
}

/* Has THREAD stopped?  *STATUS is then as waitpid() has it, from bit 8 on. */
static bool has_stopped(pid_t thread, int *status)
{
	siginfo_t info = {0};

	/* Not for its end: GDB has to learn of that. */
	if (waitid(P_PID, (id_t)thread, &info, WSTOPPED | WNOHANG | __WALL) || !info.si_pid)
		return false;
	*status = info.si_status;
	return true;
}

/* Waits until THREAD stops, at most until the time END. */
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

/* Has THREAD, stopped by SIGTRAP, come to one of PLACES?  It then stands before it. */
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
 * Stops NUDGE's thread, which goes on, and waits for that as long as it takes, as GDB does where it
 * stops one: it must not find a thread running that it believes to stand still.  False: it is gone.
 */
static bool halt(const struct nudge *nudge, const struct places *places)
{
	static const int64_t look = 100000000; /* ns */
	pid_t thread = nudge->thread;
	uint64_t at;
	int status;

	if (syscall(SYS_tgkill, nudge->process, thread, SIGSTOP))
		return false;
	for (;;) {
		while (!await_stop(thread, prof_clock() + look, &status)) {
			if (prof_process_has_ended(nudge->process, thread))
				return false;
		}
		if (status == SIGSTOP)
			return true;
		/* Something else came first: the signal is still to come, before anything else. */
		int signal = status == SIGTRAP || status >> 8 ? 0 : status;
		if (status == SIGTRAP)
			at_place(thread, places, &at);
		if (ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal))
			return false;
	}
}

/* Does GDB pass SIGNAL on without a word? */
static bool is_silent(int signal)
{
	const char *name = sigabbrev_np(signal);
	struct handling handling = {0};
	char full[32];

	if (!name)
		return false;
	snprintf(full, sizeof full, "SIG%s", name);
	struct prof_error *error = handling_read(full, &handling);
	bool silent = !error && !handling.stop && !handling.print && handling.pass;
	host_forget(error);
	return silent;
}

/* Was the signal that THREAD has stopped by sent by GDB, to sample it? */
static bool is_tick(pid_t thread)
{
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) && info.si_code == SI_TKILL &&
		info.si_pid == getpid();
}

/* A fault comes again with the instruction that makes it. */
static bool is_fault(pid_t thread, int signal)
{
	siginfo_t info;
	bool kind = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;

	return kind && !ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) && info.si_code > 0;
}

static enum nudge_end watch(struct nudge *nudge, const struct places *places)
{
	int64_t end = prof_clock() + nudge->limit;
	int signal = 0, status;
	uint64_t at;

	for (;;) {
		if (ptrace(PTRACE_CONT, nudge->thread, NULL, (void *)(intptr_t)signal))
			return NUDGE_LOST;
		if (!await_stop(nudge->thread, end, &status)) {
			if (prof_process_has_ended(nudge->process, nudge->thread))
				return NUDGE_LOST;
			return halt(nudge, places) ? NUDGE_LATE : NUDGE_LOST;
		}
		if (status == SIGTRAP && at_place(nudge->thread, places, &at))
			return at == nudge->address ? NUDGE_REACHED : NUDGE_MET;
		if (status >> 8) /* a new thread, and the like */
			return NUDGE_LATE;
		signal = is_tick(nudge->thread) ? 0 : status;
		if (!signal || is_silent(signal))
			continue;
		if (is_fault(nudge->thread, signal))
			return NUDGE_LATE;
		nudge->signal = signal;
		return NUDGE_SIGNAL;
	}
}

/*
 * Has it execute one instruction, which may be a system call that takes long.  False: something
 * else came first, or it has ended.
 */
static bool step(struct nudge *nudge, const struct places *places, enum nudge_end *ret)
{
	int status;

	*ret = NUDGE_LOST;
	if (ptrace(PTRACE_SINGLESTEP, nudge->thread, NULL, NULL))
		return false;
	if (!await_stop(nudge->thread, prof_clock() + nudge->limit, &status)) {
		*ret = halt(nudge, places) ? NUDGE_LATE : NUDGE_LOST;
		return false;
	}
	if (status == SIGTRAP)
		return true;
	nudge->signal = is_fault(nudge->thread, status) ? 0 : status;
	*ret = nudge->signal ? NUDGE_SIGNAL : NUDGE_LATE;
	return false;
}

struct prof_error *nudge_run(struct nudge *nudge, enum nudge_end *ret)
{
	struct places places = {0};
	siginfo_t before;
	bool known = !ptrace(PTRACE_GETSIGINFO, nudge->thread, NULL, &before);

	bool goes_on = !stands_at_one(nudge) || step(nudge, &places, ret);
	struct prof_error *error = goes_on ? set_places(nudge, &places) : NULL;

	if (!error && goes_on)
		*ret = watch(nudge, &places);
	clear_places(nudge->process, &places);
	/* The user may look at $_siginfo: it stopped for that, and not for what was here. */
	if (known && !error && *ret != NUDGE_SIGNAL)
		ptrace(PTRACE_SETSIGINFO, nudge->thread, NULL, &before);
	return error;
}

#else

struct prof_error *nudge_run(struct nudge *nudge, enum nudge_end *ret)
{
	(void)nudge;
	(void)ret;
	return prof_error_create(
		PROF_ERROR_UNSUPPORTED, "Threads can be let go on a little on x86-64 only.");
}

#endif
