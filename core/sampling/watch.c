/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/watch.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/file.h"
#include "sampling/perf_event.h"
#include "sampling/watchdog_table.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file FILE of THREAD, to be kept open unless the host needs the remaining descriptors. */
static int open_kept(pid_t process, pid_t thread, const char *file)
{
	return prof_file_keep(prof_procfs_open(process, thread, file));
}

void prof_watch_init(struct prof_watch *watch, pid_t process, pid_t thread, int64_t now)
{
	*watch = (struct prof_watch){
		.process = process,
		.thread = thread,
		.schedstat = open_kept(process, thread, "schedstat"),
		.stat = open_kept(process, thread, "stat"),
		.syscall = -1,
	};
	watch->alarm = PROF_ALARM_NONE;
	prof_watch_restart(watch, now);
	watch->seen = watch->read;
}

void prof_watch_begin_tick(struct prof_watch *watch, int signal, int64_t now)
{
	if (signal == SIGSTOP && watch->watchdog)
		atomic_fetch_add(&watch->watchdog->stops, 1);
	watch->signal = signal;
	watch->sent = now;
	/* What it is found in from now on is this tick's doing. */
	watch->held = false;
}

void prof_watch_end_tick(struct prof_watch *watch)
{
	if (watch->sent && watch->signal == SIGSTOP && watch->watchdog)
		atomic_fetch_sub(&watch->watchdog->stops, 1);
	watch->sent = 0;
	watch->alarm.rang = false;
	watch->timer.rang = false;
	watch->met_tick = false;
}

bool prof_watch_has_clock(const struct prof_watch *watch)
{
	return watch->event || watch->of_cpus || watch->alarm.fd >= 0;
}

void prof_watch_end_event(struct prof_watch *watch)
{
	if (watch->event)
		prof_perf_event_close(watch->event);
	free(watch->event);
	watch->event = NULL;
	watch->goes_on = false;
}

void prof_watch_close(struct prof_watch *watch)
{
	int *const files[] = {&watch->schedstat, &watch->stat, &watch->syscall};

	for (size_t i = 0; i < PROF_COUNT(files); i++) {
		if (*files[i] >= 0)
			close(*files[i]);
		*files[i] = -1;
	}
	prof_watch_end_event(watch);
	prof_alarm_close(&watch->alarm);
}

void prof_watch_deinit(struct prof_watch *watch)
{
	prof_watch_end_tick(watch);
	prof_watch_close(watch);
}

void prof_watch_restart(struct prof_watch *watch, int64_t now)
{
	struct prof_schedstat schedstat = prof_watch_schedstat(watch);

	watch->last = now;
	watch->run = schedstat.run;
	watch->delay = schedstat.delay;
	watch->slices = schedstat.slices;
	watch->kept = 0;
	prof_bursts_restart(&watch->bursts, &schedstat);
	watch->asleep = false;
	watch->held = false;
	watch->looked = now;
	watch->accounted = now;
	/* If it is running already, it may keep its CPU for long. */
	char state = prof_watch_state(watch);
	prof_division_skip(&watch->division, &watch->account);
	watch->met = state == 't' || state == 'T' ? schedstat : (struct prof_schedstat){0};
	/* If a tick is still under way, the thread counts as stopped from when it goes on. */
	if (watch->sent)
		watch->sent = now;
}

void prof_watch_newborn(struct prof_watch *watch)
{
	watch->last -= watch->run + watch->delay;
	watch->run = 0;
	watch->delay = 0;
	watch->slices = 0;
	watch->seen = (struct prof_schedstat){0};
	prof_bursts_restart(&watch->bursts, &(struct prof_schedstat){0});
	watch->division = (struct prof_division){.last = watch->account};
}

enum { LACKING = -2 };

/* Opens FILE of the thread for one look; LACKING: there was no descriptor for it. */
static int open_briefly(struct prof_watch *watch, const char *file)
{
	int fd = prof_procfs_open(watch->process, watch->thread, file);

	if (fd >= 0 || (errno != EMFILE && errno != ENFILE && errno != ENOMEM))
		return fd;
	watch->unread = true;
	return LACKING;
}

struct prof_schedstat prof_watch_schedstat(struct prof_watch *watch)
{
	struct prof_schedstat schedstat;
	int fd = watch->schedstat;

	if (fd < 0)
		fd = open_briefly(watch, "schedstat");
	if (fd >= 0 && prof_procfs_schedstat(fd, &schedstat)) {
		watch->read = schedstat;
		watch->read_at = prof_clock();
	} else {
		schedstat = watch->read;
		watch->gone |= fd != LACKING;
	}
	if (fd >= 0 && fd != watch->schedstat)
		close(fd);
	return schedstat;
}

void prof_watch_claim(struct prof_watch *watch, uint32_t signals)
{
	watch->claimed = signals;
	watch->masks.caught |= signals;
}

char prof_watch_state(struct prof_watch *watch)
{
	int fd = watch->stat;
	char state = 0;

	if (fd < 0)
		fd = open_briefly(watch, "stat");
	if (fd == LACKING)
		return '?';
	struct prof_stat stat = {0};
	if (fd >= 0)
		state = prof_procfs_stat(fd, &stat);
	if (state) {
		watch->masks = stat.masks;
		watch->masks.caught |= watch->claimed;
		watch->account = stat.account;
		watch->cpu = stat.cpu;
		watch->renamed |= strcmp(stat.name, watch->name) != 0;
		strcpy(watch->name, stat.name);
	}
	if (fd >= 0 && fd != watch->stat)
		close(fd);
	if (!state || state == 'X' || state == 'x')
		watch->gone = true;
	return state;
}

bool prof_watch_wait(struct prof_watch *watch, const struct prof_arch *arch, struct prof_wait *ret)
{
	if (watch->syscall < 0)
		watch->syscall = open_kept(watch->process, watch->thread, "syscall");
	int fd = watch->syscall;
	if (fd < 0)
		fd = prof_procfs_open(watch->process, watch->thread, "syscall");
	bool waits = fd >= 0 && prof_wait_read(fd, arch, ret);
	if (fd >= 0 && fd != watch->syscall)
		close(fd);
	if (waits && ret->restarted && watch->waited && prof_wait_same_place(ret, &watch->wait))
		ret->state = watch->wait.state;
	return waits;
}

int64_t prof_watch_keep(
	struct prof_watch *watch, int64_t from, int64_t now, const struct prof_schedstat *schedstat)
{
	int64_t busy = schedstat->run - watch->run + schedstat->delay - watch->delay;
	int64_t idle = now - watch->last - watch->ahead - watch->kept - busy;
	int64_t kept = now - from < idle ? now - from : idle;

	if (kept < 0)
		kept = 0;
	watch->kept += kept;
	return kept;
}

struct prof_stretch prof_watch_advance(
	struct prof_watch *watch, int64_t now, const struct prof_schedstat *schedstat)
{
	int64_t cpu = schedstat->run - watch->run;

	/* It may be older than what a sample has reported. */
	if ((watch->event || watch->of_cpus) && cpu < 0)
		cpu = 0;
	int64_t delay = schedstat->delay - watch->delay;
	int64_t passed = now - watch->last - watch->kept;
	/*
	 * The kernel accounts a wait when it ends: its beginning was reported already, or is not
	 * ours.
	 */
	if (delay > passed)
		delay = passed > 0 ? passed : 0;
	int64_t waited = passed - watch->ahead - cpu - delay;

	/*
	 * The clocks are coarse, so the rest can be negative: the CPU time of a running thread is
	 * as old as the last timer interrupt, and what was reported as waiting is corrected by a
	 * later look.
	 */
	watch->ahead = waited < 0 ? -waited : 0;
	watch->last = now;
	watch->run += cpu;
	watch->delay = schedstat->delay;
	watch->slices = schedstat->slices;
	watch->kept = 0;
	return (struct prof_stretch){
		.cpu = cpu > 0 ? cpu : 0,
		.delay = delay > 0 ? delay : 0,
		.waited = waited > 0 ? waited : 0,
	};
}
