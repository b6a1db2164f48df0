/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_event.h"

#include "base/file.h"
#include "base/time_unit.h"
#include "sampling/perf_dump.h"
#include "target/arch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A ring with room for fewer samples than this would lose most of them. */
enum { SAMPLES_LEAST = 2 };

/* The kernel adds its own frames only if the event samples the kernel, too. */
static uint64_t sample_type(const struct prof_perf_options *options)
{
	return options->frames && options->scope == PROF_PERF_ALL ? PROF_PERF_SAMPLE_KERNEL
								  : PROF_PERF_SAMPLE;
}

struct perf_event_attr prof_perf_event_attr(
	const struct prof_arch *arch, enum prof_perf_scope scope, uint64_t type, uint32_t dump)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.sample_type = type,
		.exclude_callchain_user = 1,
		.exclude_kernel = scope == PROF_PERF_USER,
		.exclude_hv = 1,
		.sample_regs_user = arch->perf.mask,
		.sample_stack_user = dump,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.task = 1,
		.mmap = 1,
		.comm = 1,
		.comm_exec = 1,
	};
}

void prof_perf_inherit_threads(struct perf_event_attr *attr)
{
#ifdef PERF_ATTR_SIZE_VER7
	attr->inherit_thread = 1;
#else
	/*
	 * The kernel may be newer than its headers: those of Debian 11 (Linux 5.10) lack this bit
	 * and the one before it.
	 */
	attr->__reserved_1 |= 2;
#endif
}

static int open_event(
	pid_t thread, const struct prof_arch *arch, const struct prof_perf_options *options)
{
	struct perf_event_attr attr =
		prof_perf_event_attr(arch, options->scope, sample_type(options), options->dump);

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.sample_period = (uint64_t)options->period;
	return (int)syscall(SYS_perf_event_open, &attr, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

bool prof_perf_event_open(struct prof_perf_event *event, pid_t thread, const struct prof_arch *arch,
	const struct prof_perf_options *options)
{
	const size_t dump = options->dump == PROF_PERF_DUMP_MOST ? 1 << 16 : options->dump;
	bool mapped = false;

	*event = (struct prof_perf_event){
		.fd = prof_file_keep(open_event(thread, arch, options)),
		.dump = options->dump,
		.samples = options->samples,
		.type = sample_type(options),
	};
	if (event->fd < 0)
		return false;
	for (size_t count = options->samples; !mapped && count >= SAMPLES_LEAST; count /= 2)
		mapped = prof_perf_ring_map(&event->ring, event->fd, count * dump);
	int reason = errno;
	if (!mapped)
		close(event->fd);
	errno = reason;
	return mapped;
}

void prof_perf_event_close(struct prof_perf_event *event)
{
	prof_perf_ring_unmap(&event->ring);
	close(event->fd);
}

void prof_perf_event_switch(const struct prof_perf_event *event, bool on)
{
	ioctl(event->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void prof_perf_event_pace(const struct prof_perf_event *event, int64_t period)
{
	uint64_t value = (uint64_t)period;

	ioctl(event->fd, PERF_EVENT_IOC_PERIOD, &value);
}

int64_t prof_perf_event_count(const struct prof_perf_event *event)
{
	uint64_t count = 0;

	return read(event->fd, &count, sizeof count) == sizeof count ? (int64_t)count : 0;
}

bool prof_perf_event_ended(const struct prof_perf_event *event)
{
	struct pollfd what = {.fd = event->fd, .events = POLLIN};

	return poll(&what, 1, 0) > 0 && what.revents & POLLHUP;
}

/* What paranoid() returns if the kernel has no perf events: -1 is a value of the setting. */
enum { NO_SETTING = -100 };

/* The setting that controls who may use perf events. */
static int paranoid(void)
{
	char text[16] = "";
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NO_SETTING;
	ssize_t length = read(fd, text, sizeof text - 1);
	close(fd);
	return length > 0 ? atoi(text) : NO_SETTING;
}

struct prof_error *prof_perf_explain(int reason, const char *events, int most, const char *what)
{
	int level = paranoid();

	if ((reason == EACCES || reason == EPERM) && level > most)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The kernel permits no %s: /proc/sys/kernel/perf_event_paranoid is %d, and must be %d or less.",
			events, level, most);
	if (reason == EACCES || reason == EPERM)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Perf events are forbidden here, as in many containers: the system call perf_event_open must be allowed.");
	if (reason == ENOSYS || level == NO_SETTING)
		return prof_error_create(PROF_ERROR_UNSUPPORTED, "This kernel has no perf events.");
	return prof_error_create(
		PROF_ERROR_UNSUPPORTED, "The kernel cannot %s: %s.", what, strerror(reason));
}

/* Does the kernel open an event of the calling thread?  Otherwise errno says why not. */
static bool try_event(const struct prof_arch *arch, enum prof_perf_scope scope)
{
	const struct prof_perf_options options = {.scope = scope,
		.period = PROF_NS_PER_SECOND,
		.dump = PROF_PERF_DUMP_USUAL,
		.samples = 2};
	struct prof_perf_event event;

	if (!prof_perf_event_open(&event, 0, arch, &options))
		return false;
	prof_perf_event_close(&event);
	return true;
}

enum prof_perf_scope prof_perf_scope(const struct prof_arch *arch, struct prof_error **why)
{
	*why = NULL;
	if (try_event(arch, PROF_PERF_ALL))
		return PROF_PERF_ALL;
	if (try_event(arch, PROF_PERF_USER)) {
		*why = prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Perf events do not include system calls: /proc/sys/kernel/perf_event_paranoid is %d, and must be 1 or less.",
			paranoid());
		return PROF_PERF_USER;
	}
	*why = prof_perf_explain(errno, "perf events", 2, "sample threads by their CPU time");
	return PROF_PERF_NOTHING;
}
