/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/alarm.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The fields that the kernel puts into the ring, see sample_type. */
struct record {
	struct perf_event_header header;
	uint64_t time;
	uint64_t clock;
};

static int open_event(pid_t thread, int64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = (uint64_t)period,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_READ,
		.wakeup_events = 1,
		.disabled = 1,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	return (int)syscall(SYS_perf_event_open, &attr, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Makes FD send its signal to THREAD only. */
static bool direct(int fd, pid_t thread)
{
	struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = thread};

	return !fcntl(fd, F_SETOWN_EX, &owner) && !fcntl(fd, F_SETFL, O_ASYNC);
}

bool prof_alarm_open(struct prof_alarm *alarm, pid_t thread, int signal, int64_t period)
{
	*alarm = PROF_ALARM_NONE;
	struct prof_alarm opened = {
		.fd = prof_file_keep(open_event(thread, period)), .period = period};

	if (opened.fd < 0)
		return false;
	bool kept = opened.fd >= PROF_FILE_KEPT;
	if (kept && prof_perf_ring_map(&opened.ring, opened.fd, (size_t)sysconf(_SC_PAGESIZE)) &&
		prof_alarm_use(&opened, signal) && direct(opened.fd, thread)) {
		*alarm = opened;
		return true;
	}
	int reason = kept ? errno : EMFILE;
	prof_alarm_close(&opened);
	errno = reason;
	return false;
}

void prof_alarm_close(struct prof_alarm *alarm)
{
	prof_perf_ring_unmap(&alarm->ring);
	if (alarm->fd >= 0)
		close(alarm->fd);
	*alarm = PROF_ALARM_NONE;
}

bool prof_alarm_use(struct prof_alarm *alarm, int signal)
{
	if (fcntl(alarm->fd, F_SETSIG, signal))
		return false;
	alarm->signal = signal;
	return true;
}

/* Reads what ALARM has put into its ring when it rang; false: it has not. */
static bool read_record(const struct prof_alarm *alarm, struct record *ret)
{
	if (alarm->fd < 0 || !prof_perf_ring_has_more(&alarm->ring))
		return false;
	/* Copies begin to read at the same place.  The ring may contain other records. */
	struct prof_perf_ring ring = alarm->ring;
	const struct perf_event_header *header;
	prof_perf_ring_begin(&ring);
	while ((header = prof_perf_ring_next(&ring))) {
		if (header->type != PERF_RECORD_SAMPLE || header->size < sizeof *ret)
			continue;
		*ret = *(const struct record *)header;
		return true;
	}
	return false;
}

void prof_alarm_switch(struct prof_alarm *alarm, bool on)
{
	/* If an alarm that has rung were enabled, the kernel would make it ring for ever. */
	if (alarm->fd < 0 || alarm->on == on || (on && prof_alarm_rung(alarm)))
		return;
	if (!on)
		ioctl(alarm->fd, PERF_EVENT_IOC_DISABLE, 0);
	else if (alarm->set)
		ioctl(alarm->fd, PERF_EVENT_IOC_ENABLE, 0);
	else
		ioctl(alarm->fd, PERF_EVENT_IOC_REFRESH, 1);
	alarm->set |= on;
	alarm->on = on;
}

void prof_alarm_set(struct prof_alarm *alarm, int64_t period)
{
	uint64_t value = (uint64_t)period, clock;

	alarm->begun = read(alarm->fd, &clock, sizeof clock) == sizeof clock ? (int64_t)clock : 0;
	ioctl(alarm->fd, PERF_EVENT_IOC_PERIOD, &value);
	prof_perf_ring_begin(&alarm->ring);
	prof_perf_ring_end(&alarm->ring);
	alarm->on = false;
	alarm->set = false;
	alarm->period = period;
}

int64_t prof_alarm_rung(const struct prof_alarm *alarm)
{
	struct record record;

	return read_record(alarm, &record) ? (int64_t)record.time : 0;
}

int64_t prof_alarm_late(const struct prof_alarm *alarm)
{
	struct record record;

	if (!read_record(alarm, &record))
		return 0;
	return (int64_t)record.clock - alarm->begun - alarm->period;
}

bool prof_alarm_is_one(const siginfo_t *info)
{
	return info->si_code == POLL_HUP && info->si_fd >= PROF_FILE_KEPT;
}
