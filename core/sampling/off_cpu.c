/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/off_cpu.h"

#include "base/clock.h"
#include "base/file.h"

#include <string.h>

void prof_off_cpu_newborn(struct prof_off_cpu *off_cpu, int64_t born)
{
	*off_cpu = (struct prof_off_cpu){.until = born};
}

/* Reads the schedstat of THREAD.  False: it has ended. */
static bool read_schedstat(pid_t process, pid_t thread, struct prof_schedstat *ret)
{
	AUTO_CLOSE int fd = prof_procfs_open(process, thread, "schedstat");

	return fd >= 0 && prof_procfs_schedstat(fd, ret);
}

void prof_off_cpu_restart(struct prof_off_cpu *off_cpu, pid_t process, pid_t thread, int64_t now)
{
	off_cpu->until = now;
	off_cpu->looked = now;
	off_cpu->asleep = false;
	/* A thread that has ended has nothing to report. */
	if (!read_schedstat(process, thread, &off_cpu->read))
		off_cpu->read = (struct prof_schedstat){0};
}

void prof_off_cpu_forget(struct prof_off_cpu *off_cpu)
{
	off_cpu->known = off_cpu->asleep = false;
}

/* The state letter of THREAD; 0: it has ended. */
static char read_state(pid_t process, pid_t thread)
{
	AUTO_CLOSE int fd = prof_procfs_open(process, thread, "stat");

	return fd < 0 ? 0 : prof_procfs_stat(fd, NULL);
}

static bool state_sleeps(char state)
{
	return state && strchr("SDtT", state);
}

/* Does THREAD sleep, and in which state?  That may be unknown for another user's process. */
static bool read_wait(
	pid_t process, pid_t thread, const struct prof_arch *arch, struct prof_wait *ret)
{
	AUTO_CLOSE int fd = prof_procfs_open(process, thread, "syscall");

	if (fd >= 0 && prof_wait_read(fd, arch, ret))
		return true;
	*ret = (struct prof_wait){.state = PROF_STATE_OTHER};
	return state_sleeps(read_state(process, thread));
}

/*
 * How long a thread waited for a CPU in the PASSED ns since the last look, of which it ran for RAN,
 * by what the kernel has accounted since, WAITED.  That is done when the thread gets a CPU, also
 * for the time before it was looked at first.
 */
static int64_t delay_since(int64_t waited, int64_t passed, int64_t ran)
{
	int64_t most = passed > ran ? passed - ran : 0;

	if (waited < 0)
		return 0;
	return waited < most ? waited : most;
}

/*
 * Divides REST, ns in which the thread neither ran nor waited for a CPU, by the account.  STILL: it
 * has not run since the last look.  Returns how much was reported: the rest may be CPU time that
 * the kernel has not accounted yet, and is left for the next look.
 */
static int64_t divide(struct prof_off_cpu *off_cpu, int64_t rest, bool sleeps, bool still,
	struct prof_off_cpu_stretch *ret)
{
	if (rest <= 0 || (!sleeps && rest < PROF_SCHEDSTAT_GRAIN))
		return 0;
	if (!sleeps && !off_cpu->asleep && still) {
		/* It still waits for a CPU: the kernel accounts that when the thread gets one. */
		ret->delay += rest;
		off_cpu->read.delay += rest;
	} else {
		ret->slept = rest;
	}
	return rest;
}

bool prof_off_cpu_look(struct prof_off_cpu *off_cpu, pid_t process, pid_t thread,
	const struct prof_arch *arch, struct prof_off_cpu_stretch *ret)
{
	const struct prof_schedstat last = off_cpu->read;
	struct prof_schedstat read;
	struct prof_wait wait;

	*ret = (struct prof_off_cpu_stretch){0};
	char state = read_state(process, thread);
	if (!state || strchr("ZXx", state) || !read_schedstat(process, thread, &read))
		return false;
	int64_t now = prof_clock();
	bool still = read.slices == last.slices;
	bool stays = off_cpu->asleep && still;
	bool sleeps = stays || (state_sleeps(state) && read_wait(process, thread, arch, &wait));
	int64_t reported = read.run - last.run;
	off_cpu->read = read;
	off_cpu->looked = now;
	if (read.delay < last.delay)
		off_cpu->read.delay = last.delay;
	ret->delay = delay_since(read.delay - last.delay, now - off_cpu->until, reported);
	reported += ret->delay;
	reported += divide(off_cpu, now - off_cpu->until - reported, sleeps, still, ret);
	off_cpu->until += reported;
	off_cpu->asleep = sleeps;
	ret->moved = sleeps && !stays;
	if (ret->moved)
		off_cpu->wait = wait;
	off_cpu->known |= sleeps;
	return true;
}

bool prof_off_cpu_stays(const struct prof_off_cpu *off_cpu, pid_t process, pid_t thread)
{
	struct prof_schedstat read;

	return off_cpu->asleep && read_schedstat(process, thread, &read) &&
		read.slices == off_cpu->read.slices;
}
