/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/remote_usage.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "model/usage.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "sampling/marker.h"
#include "sampling/tally.h"
#include "sampling/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* With more threads, asking for each one at every mark takes too long: a file is four packets. */
enum { MOST_THREADS = 32 };

/* The engine for such targets samples one process, so there is only one of these. */
static struct {
	struct prof_marker *marker;
	pid_t process; /* 0: none */
} remote_usage;

/* GDB writes the file into memory of ours. */
bool remote_usage_read(const char *path, char *buffer, size_t size)
{
	PROF_AUTO(prof_text_deinit) struct prof_text command = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text printed = {0};
	AUTO_CLOSE int memory = memfd_create("gdbprof", MFD_CLOEXEC);

	if (memory < 0)
		return false;
	prof_text_print(&command, "remote get %s /proc/self/fd/%d", path, memory);
	struct prof_error *error = host_execute(prof_text_get(&command), &printed);
	bool refused = error;
	host_forget(error);
	ssize_t length = refused ? -1 : pread(memory, buffer, size - 1, 0);
	if (length <= 0)
		return false;
	buffer[length] = '\0';
	return true;
}

/* Reads a file of the target's /proc: see prof_usage_reader. */
static bool read_there(
	void *context, pid_t process, pid_t thread, const char *file, char *buffer, size_t size)
{
	PROF_AUTO(prof_text_deinit) struct prof_text path = {0};

	(void)context;
	prof_text_print(&path, "/proc/%d/", (int)process);
	if (thread)
		prof_text_print(&path, "task/%d/", (int)thread);
	prof_text_print(&path, "%s", file);
	return !path.failed && remote_usage_read(prof_text_get(&path), buffer, size);
}

struct threads {
	struct prof_tally_thread items[MOST_THREADS];
	size_t count;
};

static void read_thread(void *context, const struct host_thread *thread)
{
	struct threads *threads = context;
	struct prof_tally_thread *read = &threads->items[threads->count];

	if (threads->count == MOST_THREADS || thread->id <= 0)
		return;
	read->id = (pid_t)thread->id;
	threads->count += prof_usage_switches_by(
		read_there, NULL, remote_usage.process, read->id, &read->switches);
}

/* If the stub has no such files, reports nothing, so that all figures stay unknown. */
void remote_usage_report(void)
{
	struct threads threads = {.count = 0};
	struct prof_usage usage;

	if (!remote_usage.process || !host_stands_still(remote_usage.process) ||
		!prof_usage_read_by(read_there, NULL, remote_usage.process, &usage))
		return;
	if (usage.figures[PROF_USAGE_THREADS] <= MOST_THREADS)
		host_list_threads(remote_usage.process, read_thread, &threads);
	prof_marker_report(
		remote_usage.marker, remote_usage.process, &usage, threads.items, threads.count);
}

void remote_usage_add(struct prof_marker *marker, pid_t process)
{
	remote_usage.marker = marker;
	remote_usage.process = process;
	remote_usage_report();
	prof_marker_begin(marker, process);
}

void remote_usage_remove(pid_t process)
{
	if (process == remote_usage.process)
		remote_usage.process = 0;
}
