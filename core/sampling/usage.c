/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/usage.h"

#include "base/memory.h"
#include "base/time_unit.h"
#include "target/procfs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number after FIELD, the begin of a line with the newline before it, in TEXT. */
static int64_t number_after(const char *text, const char *field)
{
	const char *at = strstr(text, field);

	return at ? strtoll(at + strlen(field), NULL, 10) : PROF_USAGE_UNKNOWN;
}

/* Reads files of this machine. */
static bool read_here(
	void *context, pid_t process, pid_t thread, const char *file, char *buffer, size_t size)
{
	(void)context;
	return prof_procfs_read(process, thread, file, buffer, size);
}

bool prof_usage_switches(pid_t process, pid_t thread, struct prof_usage_switches *ret)
{
	return prof_usage_switches_by(read_here, NULL, process, thread, ret);
}

bool prof_usage_switches_by(prof_usage_reader *read, void *context, pid_t process, pid_t thread,
	struct prof_usage_switches *ret)
{
	char text[PROF_PROCFS_STATUS];

	if (!read(context, process, thread, "status", text, sizeof text))
		return false;
	ret->voluntary = number_after(text, "\nvoluntary_ctxt_switches:");
	ret->involuntary = number_after(text, "\nnonvoluntary_ctxt_switches:");
	return true;
}

void prof_usage_parse_status(const char *status, struct prof_usage *usage)
{
	int64_t resident = number_after(status, "\nVmRSS:");
	int64_t peak = number_after(status, "\nVmHWM:");

	if (resident >= 0)
		usage->figures[PROF_USAGE_RESIDENT] = resident * 1024;
	if (peak >= 0)
		usage->figures[PROF_USAGE_PEAK] = peak * 1024;
	usage->figures[PROF_USAGE_THREADS] = number_after(status, "\nThreads:");
}

/* The fields of stat that are used, by their numbers in proc(5). */
enum { STATE = 3, MINOR = 10, MAJOR = 12, USER = 14, SYSTEM = 15, FIELDS };

static int64_t ticks_to_ns(int64_t ticks)
{
	return ticks * (PROF_NS_PER_SECOND / sysconf(_SC_CLK_TCK));
}

/* Fills in the fields of STAT.  Returns the state's letter; 0: it is not such a text. */
static char parse_stat(const char *stat, struct prof_usage *usage)
{
	/* The name, in parentheses, may itself contain any character. */
	const char *at = strrchr(stat, ')');
	int64_t fields[FIELDS];

	if (!at || at[1] != ' ')
		return 0;
	char state = at[2];
	at += 2;
	for (int field = STATE + 1; field < FIELDS; field++) {
		at = strchr(at, ' ');
		if (!at)
			return 0;
		fields[field] = strtoll(++at, NULL, 10);
	}
	usage->figures[PROF_USAGE_MINOR] = fields[MINOR];
	usage->figures[PROF_USAGE_MAJOR] = fields[MAJOR];
	usage->figures[PROF_USAGE_USER] = ticks_to_ns(fields[USER]);
	usage->figures[PROF_USAGE_SYSTEM] = ticks_to_ns(fields[SYSTEM]);
	return state;
}

/* Only those who may trace the process can read this. */
static void read_io(prof_usage_reader *read, void *context, pid_t process, struct prof_usage *usage)
{
	char text[512] = "\n"; /* so that the first line begins like the others */

	if (!read(context, process, 0, "io", text + 1, sizeof text - 1))
		return;
	usage->figures[PROF_USAGE_READ] = number_after(text, "\nrchar:");
	usage->figures[PROF_USAGE_WRITTEN] = number_after(text, "\nwchar:");
	usage->figures[PROF_USAGE_BLOCKS_IN] = number_after(text, "\nread_bytes:");
	usage->figures[PROF_USAGE_BLOCKS_OUT] = number_after(text, "\nwrite_bytes:");
}

bool prof_usage_read(pid_t process, struct prof_usage *ret)
{
	return prof_usage_read_by(read_here, NULL, process, ret);
}

bool prof_usage_read_by(
	prof_usage_reader *read, void *context, pid_t process, struct prof_usage *ret)
{
	char text[PROF_PROCFS_STATUS];

	prof_usage_clear(ret);
	char state =
		read(context, process, 0, "stat", text, sizeof text) ? parse_stat(text, ret) : 0;
	if (!state)
		return false;
	read_io(read, context, process, ret);
	if (read(context, process, 0, "status", text, sizeof text))
		prof_usage_parse_status(text, ret);
	if (state == 'Z' || state == 'X') {
		ret->figures[PROF_USAGE_RESIDENT] = 0;
		ret->figures[PROF_USAGE_THREADS] = 0;
	}
	return true;
}
