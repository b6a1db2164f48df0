/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The progress of long work. */
#include "plugin/gdb/host.h"

#include "base/clock.h"
#include "plugin/gdb/python.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Does not use the pager, which would ask in the middle of a line: this is not output. */
static void show(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		return; /* nobody reads it */
}

static bool report(void *context, const char *what, uint64_t done, uint64_t total)
{
	struct host_progress *progress = context;
	int64_t now = prof_clock();

	if (PyErr_CheckSignals()) {
		PyErr_Clear(); /* KeyboardInterrupt; it is raised again from the error */
		return false;
	}
	if (!progress->seen || now - progress->begin < 500000000 ||
		now - progress->shown < 200000000)
		return true;
	if (!progress->shown && !host_obeys_escapes())
		return true;
	char line[96];
	if (total)
		snprintf(line, sizeof line, "\r%s: %d%%\033[K", what, (int)(done * 100 / total));
	else
		snprintf(line, sizeof line, "\r%s: %llu\033[K", what, (unsigned long long)done);
	show(line);
	progress->shown = now;
	return true;
}

void host_progress_begin_unseen(struct host_progress *progress)
{
	*progress = (struct host_progress){.progress = {report, progress}, .begin = prof_clock()};
}

void host_progress_begin(struct host_progress *progress)
{
	host_progress_begin_unseen(progress);
	progress->seen = true;
}

void host_progress_end(struct host_progress *progress)
{
	if (progress->shown)
		show("\r\033[K");
}
