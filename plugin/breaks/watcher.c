/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/breaks/watcher.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"
#include "plugin/breaks/break_kind.h"
#include "target/procfs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * ns after which a signal is sent again that was not met: the kernel drops one if the same signal
 * is pending.
 */
static const int64_t AGAIN = 100 * PROF_NS_PER_MS;

struct running {
	pid_t process;
	int64_t ran;   /* ns until it last stood still */
	int64_t since; /* when it went on; 0: it stands still */
};

/* GDB's handlers come without a context, so there is one watcher. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool runs, ends, ready;
	int64_t until; /* when it looks next */
	struct watched_break *breaks;
	PROF_ARRAY(struct running) processes;
} watcher = {.lock = PTHREAD_MUTEX_INITIALIZER};

void break_lock(void)
{
	pthread_mutex_lock(&watcher.lock);
}

void break_unlock(void)
{
	pthread_mutex_unlock(&watcher.lock);
}

static struct running *find(pid_t process)
{
	for (size_t i = 0; i < watcher.processes.count; i++) {
		if (watcher.processes.items[i].process == process)
			return &watcher.processes.items[i];
	}
	return NULL;
}

static int64_t clock_of(const struct running *process, int64_t now)
{
	return process->ran + (process->since ? now - process->since : 0);
}

int64_t watcher_clock(pid_t process)
{
	const struct running *found = find(process);

	return found ? clock_of(found, prof_clock()) : 0;
}

/* Wakes the thread, which then looks at all. */
static void wake(int64_t until)
{
	if (until >= watcher.until)
		return;
	watcher.until = until;
	if (watcher.runs)
		pthread_cond_signal(&watcher.changed);
}

void watcher_expect(int64_t delay)
{
	wake(prof_clock() + delay);
}

/* The signal by which THREAD can be stopped; 0: it blocks both. */
static int choose_signal(pid_t process, pid_t thread)
{
	static const int signals[] = {SIGURG, SIGWINCH};
	struct prof_signals sets;
	int second = 0;

	if (!prof_procfs_signals(process, thread, &sets))
		return 0;
	for (size_t i = 0; i < PROF_COUNT(signals); i++) {
		uint64_t bit = UINT64_C(1) << (signals[i] - 1);
		if (sets.blocked & bit)
			continue;
		if (!(sets.caught & bit))
			return signals[i];
		second = second ? second : signals[i];
	}
	return second;
}

/* Sends the thread that ITEM asks for its signal. */
static void send(struct watched_break *item)
{
	int number = choose_signal(item->asked.process, item->asked.thread);
	siginfo_t info = {.si_signo = number, .si_code = SI_QUEUE};

	info.si_pid = getpid();
	info.si_uid = getuid();
	item->asked.sent = prof_clock();
	if (number &&
		!syscall(SYS_rt_tgsigqueueinfo, item->asked.process, item->asked.thread, number,
			&info))
		return;
	/* It has ended, or nothing can stop it. */
	if (item->kind->forget)
		item->kind->forget(item->own, item->asked.process, item->asked.thread);
	item->asked.thread = 0;
}

/* Looks at PROCESS for ITEM; returns after how many ns to look again. */
static int64_t look(struct watched_break *item, struct running *process)
{
	pid_t thread = 0;

	if (item->asked.thread) {
		bool late = item->asked.process == process->process &&
			prof_clock() - item->asked.sent >= AGAIN;
		if (late)
			send(item);
		return AGAIN;
	}
	int64_t delay = item->kind->look(
		item->own, process->process, clock_of(process, prof_clock()), &thread);
	if (!thread)
		return delay;
	item->asked.process = process->process;
	item->asked.thread = thread;
	send(item);
	return AGAIN;
}

/* Looks at all that runs; returns when to look again. */
static int64_t look_at_all(void)
{
	int64_t least = BREAK_IDLE;

	for (struct watched_break *item = watcher.breaks; item; item = item->next) {
		for (size_t i = 0; i < watcher.processes.count && item->enabled; i++) {
			struct running *process = &watcher.processes.items[i];
			int64_t delay = process->since ? look(item, process) : BREAK_IDLE;
			least = delay < least ? delay : least;
		}
	}
	return least == BREAK_IDLE ? BREAK_IDLE : prof_clock() + least;
}

static void *watch(void *unused)
{
	break_lock();
	while (!watcher.ends) {
		watcher.until = look_at_all();
		while (!watcher.ends && prof_clock() < watcher.until) {
			if (watcher.until == BREAK_IDLE)
				pthread_cond_wait(&watcher.changed, &watcher.lock);
			else
				prof_thread_wait(&watcher.changed, &watcher.lock, watcher.until);
		}
	}
	break_unlock();
	return unused;
}

static struct prof_error *start(void)
{
	if (watcher.runs)
		return NULL;
	if (!watcher.ready)
		prof_thread_condition(&watcher.changed);
	watcher.ready = true;
	watcher.ends = false;
	watcher.until = BREAK_IDLE;
	struct prof_error *error = prof_thread_start(watch, NULL, "prof-breaks",
		"The thread that looks for performance breakpoints", &watcher.thread);
	watcher.runs = !error;
	return error;
}

struct prof_error *watcher_add(struct watched_break *item)
{
	struct prof_error *error = start();

	if (error)
		return error;
	break_lock();
	item->next = watcher.breaks;
	watcher.breaks = item;
	wake(0);
	break_unlock();
	return NULL;
}

/* Ends the thread, and forgets all processes. */
static void end(void)
{
	break_lock();
	watcher.ends = true;
	pthread_cond_signal(&watcher.changed);
	break_unlock();
	pthread_join(watcher.thread, NULL);
	watcher.runs = false;
	free(watcher.processes.items);
	watcher.processes = (__typeof__(watcher.processes)){0};
}

void watcher_remove(struct watched_break *item)
{
	break_lock();
	struct watched_break **place = &watcher.breaks;
	while (*place && *place != item)
		place = &(*place)->next;
	if (*place)
		*place = item->next;
	bool last = !watcher.breaks && watcher.runs;
	break_unlock();
	if (last)
		end();
}

struct prof_error *watcher_go_on(pid_t process)
{
	break_lock();
	struct running *found = find(process);
	if (!found) {
		found = prof_array_push(&watcher.processes);
		if (found)
			*found = (struct running){.process = process};
	}
	if (found && !found->since)
		found->since = prof_clock();
	wake(0);
	break_unlock();
	return found ? NULL : prof_error_nomem();
}

static void stand(struct running *process)
{
	process->ran = clock_of(process, prof_clock());
	process->since = 0;
}

void watcher_stand(pid_t process)
{
	break_lock();
	struct running *found = find(process);
	if (found)
		stand(found);
	break_unlock();
}

void watcher_stand_all(void)
{
	break_lock();
	for (size_t i = 0; i < watcher.processes.count; i++)
		stand(&watcher.processes.items[i]);
	break_unlock();
}

void watcher_forget(pid_t process)
{
	break_lock();
	struct running *found = find(process);
	if (found)
		*found = watcher.processes.items[--watcher.processes.count];
	for (struct watched_break *item = watcher.breaks; item; item = item->next) {
		if (item->asked.process == process)
			item->asked.thread = 0;
		if (item->kind->forget)
			item->kind->forget(item->own, process, 0);
	}
	break_unlock();
}

bool watcher_meet(struct watched_break *item, pid_t thread)
{
	break_lock();
	bool asked = thread && item->asked.thread == thread;
	if (asked)
		item->asked.thread = 0;
	break_unlock();
	return asked;
}
