/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/attention.h"

#include "base/clock.h"
#include "base/file.h"
#include "plugin/interpose/slot.h"
#include "plugin/interpose/subject.h"
#include "sampling/attention.h"
#include "sampling/ticker.h"
#include "target/procfs.h"

#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef int sigsuspend_function(const sigset_t *mask);

/* How many ticks that are under way are met when GDB turns away. */
enum { ROOM = 64 };

/* Bytes of /proc/PID/task/TID/syscall, with a NUL. */
enum { CALL = 256 };

/*
 * In ns: for how long after it was sent a tick is waited for, for how long if its thread must wait
 * for a CPU first, and the time between two looks.
 */
enum { PATIENCE = 2000000, LONGEST = 200000000, PAUSE = 50000 };

/* GDB calls the function in its slot without a context, so there is only one of these. */
static struct {
	struct slot slot;    /* of sigsuspend() */
	children_meet *meet; /* NULL: the slot is unchanged */
	const struct subjects *subjects;
	pthread_t host;
	atomic_bool watched; /* MEET is not NULL */
	atomic_bool paid;
} attention;

static int hooked_sigsuspend(const sigset_t *mask)
{
	if (attention.meet && pthread_equal(pthread_self(), attention.host))
		attention_begin();
	return ((sigsuspend_function *)attention.slot.function)(mask);
}

static const struct hook hook = {"sigsuspend", (void *)hooked_sigsuspend};

struct prof_error *attention_watch(const struct subjects *subjects, children_meet *meet)
{
	attention_unwatch();
	struct prof_error *error = slots_open(&hook, &attention.slot, 1);
	if (error)
		return error;
	attention.host = pthread_self();
	attention.subjects = subjects;
	attention.meet = meet;
	atomic_store(&attention.watched, true);
	return NULL;
}

void attention_unwatch(void)
{
	if (attention.meet)
		slots_close(&attention.slot, 1);
	attention.meet = NULL;
	atomic_store(&attention.watched, false);
}

/* The system call that GDB's main thread is in, as a word; "" if /proc does not show it. */
static void read_call(char call[CALL])
{
	if (!prof_procfs_read(getpid(), getpid(), "syscall", call, CALL))
		*call = '\0';
}

/* Does CALL, from read_call(), wait for events? */
static bool is_wait(const char *call)
{
	static const long waits[] = {
#ifdef SYS_poll
		SYS_poll,
		SYS_select,
#endif
		SYS_ppoll,
		SYS_pselect6,
		SYS_rt_sigsuspend,
	};
	bool found = false;

	/* A thread outside of system calls is "running", or has the number -1. */
	for (size_t i = 0; i < PROF_COUNT(waits) && isdigit((unsigned char)*call); i++)
		found |= strtol(call, NULL, 10) == waits[i];
	return found;
}

bool attention_seen(void)
{
	char call[CALL];

	read_call(call);
	return is_wait(call);
}

bool attention_listens(void)
{
	char call[CALL];

	if (atomic_load(&attention.watched))
		return atomic_load(&attention.paid);
	read_call(call);
	return !*call || is_wait(call);
}

void attention_begin(void)
{
	if (atomic_exchange(&attention.paid, true) || !attention.meet)
		return;
	for (size_t i = 0; i < attention.subjects->items.count; i++)
		prof_ticker_heed(attention.subjects->items.items[i]->ticker);
}

/* Is THREAD running, or waiting for a CPU? */
static bool is_runnable(pid_t thread)
{
	AUTO_CLOSE int file = prof_procfs_open(thread, thread, "stat");

	return file >= 0 && prof_procfs_stat(file, NULL) == 'R';
}

/* Will a tick that was sent AGO ns ago not come soon? */
static bool is_late(pid_t thread, int64_t ago)
{
	return ago > LONGEST || (ago > PATIENCE && !is_runnable(thread));
}

/* Has OWED's thread stopped, or is it not worth waiting for? */
static bool is_over(const struct prof_owed *owed)
{
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)owed->thread, &info,
		    WSTOPPED | WEXITED | WNOWAIT | WNOHANG | __WALL))
		return true;
	if (!info.si_pid)
		return is_late(owed->thread, prof_clock() - owed->sent);
	/* A stop that is no tick is GDB's, which waits for it by itself. */
	if (info.si_code == CLD_TRAPPED)
		attention.meet(owed->thread, info.si_status);
	return true;
}

void attention_end(pid_t but)
{
	static const struct timespec pause = {0, PAUSE};
	struct prof_owed owed[ROOM];
	size_t count = 0;

	if (!attention.meet || !atomic_exchange(&attention.paid, false))
		return;
	for (size_t i = 0; i < attention.subjects->items.count; i++)
		count += prof_ticker_hush(
			attention.subjects->items.items[i]->ticker, owed + count, ROOM - count);
	for (size_t i = 0; i < count; i++) {
		while (owed[i].thread != but && attention.meet && !is_over(&owed[i]))
			nanosleep(&pause, NULL);
	}
}

void attention_reported(pid_t thread, int status)
{
	/* GDB handles a new thread, or the end of one, by itself, and goes on waiting. */
	if (WIFSTOPPED(status) && status >> 8 != (SIGTRAP | PTRACE_EVENT_CLONE << 8))
		attention_end(thread);
}
