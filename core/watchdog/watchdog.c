/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * gdbprof-watchdog LIFE MEMORY: continues programs that the end of a debugger leaves stopped.
 *
 * LIFE is the read end of a pipe whose only writer is the debugger: it is at its end when the
 * debugger has ended.  MEMORY is a memfd, see sampling/watchdog_table.h: it lists the processes
 * that had ticks by SIGSTOP pending then.  See sampling/watchdog.h for the reason.
 */
#include "sampling/watchdog_table.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ms: how often it looks, and for how long: a thread may have to wait for a CPU before it stops. */
enum { LOOK_EVERY = 5, LOOK_FOR = 10000 };

/* The results of a look at the threads of a process. */
struct found {
	bool exists;
	bool traced;  /* a debugger, the same or another, holds it */
	bool stopped; /* a thread is stopped by SIGSTOP, or has one pending */
};

/* The number after FIELD in STATUS, in BASE; 0: there is none. */
static unsigned long long number(const char *status, const char *field, int base)
{
	const char *at = strstr(status, field);

	return at ? strtoull(at + strlen(field), NULL, base) : 0;
}

static void look_at_thread(int process, const char *thread, struct found *found)
{
	static const unsigned long long stop = 1ULL << (SIGSTOP - 1);
	char path[64], status[16384];

	snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", process, thread);
	FILE *file = fopen(path, "re");
	if (!file)
		return;
	status[fread(status, 1, sizeof status - 1, file)] = '\0';
	fclose(file);
	found->exists = true;
	found->traced |= number(status, "\nTracerPid:", 10) != 0;
	found->stopped |= strstr(status, "\nState:\tT") ||
		(number(status, "\nSigPnd:", 16) | number(status, "\nShdPnd:", 16)) & stop;
}

static struct found look(int process)
{
	struct found found = {0};
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/task", process);
	DIR *folder = opendir(path);
	if (!folder)
		return found;
	for (struct dirent *entry; (entry = readdir(folder));) {
		if (*entry->d_name != '.')
			look_at_thread(process, entry->d_name, &found);
	}
	closedir(folder);
	return found;
}

/*
 * Continues the process of ENTRY if it is stopped; each pending tick can stop it once.  False: it
 * has ended, or nothing of ours is pending.
 */
static bool tend(struct prof_watchdog_entry *entry)
{
	int process = atomic_load(&entry->process);
	int stops = atomic_load(&entry->stops);

	if (!process || stops <= 0)
		return false;
	struct found found = look(process);
	if (found.exists && !found.traced && found.stopped) {
		kill(process, SIGCONT);
		atomic_store(&entry->stops, stops - 1);
	}
	return found.exists;
}

static void tend_all(struct prof_watchdog_table *table)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY * 1000000L};
	bool more = true;

	for (int waited = 0; more && waited < LOOK_FOR; waited += LOOK_EVERY) {
		more = false;
		for (size_t i = 0; i < PROF_WATCHDOG_PROCESSES; i++)
			more |= tend(&table->entries[i]);
		nanosleep(&pause, NULL);
	}
}

/* Closes inherited files, except the standard ones, LIFE and MEMORY. */
static void close_others(int life, int memory)
{
	DIR *folder = opendir("/proc/self/fd");

	if (!folder)
		return;
	for (struct dirent *entry; (entry = readdir(folder));) {
		int file = atoi(entry->d_name);
		if (file > 2 && file != life && file != memory && file != dirfd(folder))
			close(file);
	}
	closedir(folder);
}

int main(int argc, char **argv)
{
	char byte;

	if (argc != 3)
		return 2;
	int life = atoi(argv[1]);
	int memory = atoi(argv[2]);
	struct prof_watchdog_table *table =
		mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (table == MAP_FAILED || chdir("/"))
		return 1;
	close_others(life, memory);
	/* The debugger waits for the first process only: see sampling/watchdog.c. */
	pid_t child = fork();
	if (child)
		return child < 0;
	do
		errno = 0;
	while (read(life, &byte, 1) > 0 || errno == EINTR);
	tend_all(table);
	return 0;
}
