/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/watchdog.h"

#include "base/memory.h"
#include "sampling/watchdog_table.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum started { NOT_YET, RUNS, FAILED };

struct prof_watchdog {
	char *program;
	struct prof_watchdog_table *table; /* shared */
	int memory;                        /* the table's memfd */
	int life; /* the end of a pipe: it is closed when this process has ended */

	pthread_mutex_t lock;
	enum started started;
};

struct prof_error *prof_watchdog_create(const char *program, struct prof_watchdog **ret)
{
	struct prof_watchdog *watchdog = calloc(1, sizeof *watchdog);
	const size_t size = sizeof *watchdog->table;

	if (!watchdog)
		return prof_error_nomem();
	watchdog->life = -1;
	watchdog->program = strdup(program);
	watchdog->memory = memfd_create(PROF_WATCHDOG_FILE, MFD_CLOEXEC);
	watchdog->table = MAP_FAILED;
	if (watchdog->memory >= 0 && !ftruncate(watchdog->memory, (off_t)size))
		watchdog->table =
			mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, watchdog->memory, 0);
	pthread_mutex_init(&watchdog->lock, NULL);
	if (watchdog->program && watchdog->table != MAP_FAILED) {
		*ret = watchdog;
		return NULL;
	}
	struct prof_error *error = prof_error_create(PROF_ERROR_SYSTEM,
		"gdbprof cannot share memory with its watchdog: %s.", strerror(errno));
	prof_watchdog_destroy(watchdog);
	return error;
}

void prof_watchdog_destroy(struct prof_watchdog *watchdog)
{
	if (!watchdog)
		return;
	if (watchdog->life >= 0)
		close(watchdog->life);
	if (watchdog->table != MAP_FAILED)
		munmap(watchdog->table, sizeof *watchdog->table);
	if (watchdog->memory >= 0)
		close(watchdog->memory);
	pthread_mutex_destroy(&watchdog->lock);
	free(watchdog->program);
	free(watchdog);
}

struct prof_watchdog_entry *prof_watchdog_add(struct prof_watchdog *watchdog, pid_t process)
{
	for (size_t i = 0; i < PROF_WATCHDOG_PROCESSES; i++) {
		struct prof_watchdog_entry *entry = &watchdog->table->entries[i];
		int none = 0;
		if (atomic_compare_exchange_strong(&entry->process, &none, process))
			return entry;
	}
	return NULL;
}

void prof_watchdog_remove(struct prof_watchdog_entry *entry)
{
	if (!entry)
		return;
	atomic_store(&entry->stops, 0);
	atomic_store(&entry->process, 0);
}

/*
 * Executes PROGRAM with the read end LIFE and the memory MEMORY as its arguments.  The program has
 * no terminal, is in no process group of the debugger, and blocks no signals.
 */
static bool spawn(const char *program, int life, int memory)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	char life_text[16], memory_text[16];
	char *const arguments[] = {PROF_WATCHDOG_FILE, life_text, memory_text, NULL};
	char *const environment[] = {NULL};
	pid_t child;

	snprintf(life_text, sizeof life_text, "%d", life);
	snprintf(memory_text, sizeof memory_text, "%d", memory);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setflags(
		&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
	posix_spawn_file_actions_init(&actions);
	for (int file = 0; file <= 2; file++)
		posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0);
	/* A file that is duplicated to itself stays open in the new program. */
	posix_spawn_file_actions_adddup2(&actions, life, life);
	posix_spawn_file_actions_adddup2(&actions, memory, memory);
	int error = posix_spawn(&child, program, &actions, &attributes, arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (error)
		return false;
	/*
	 * It forks once more and exits, so that the debugger gets no child that it does not know.
	 * The debugger may wait for it first.
	 */
	int status = 0;
	pid_t waited;
	do
		waited = waitpid(child, &status, 0);
	while (waited < 0 && errno == EINTR);
	return waited < 0 || (WIFEXITED(status) && !WEXITSTATUS(status));
}

bool prof_watchdog_start(struct prof_watchdog *watchdog)
{
	int ends[2];

	pthread_mutex_lock(&watchdog->lock);
	if (watchdog->started == NOT_YET) {
		watchdog->started = FAILED;
		if (!pipe2(ends, O_CLOEXEC)) {
			watchdog->life = ends[1];
			if (spawn(watchdog->program, ends[0], watchdog->memory))
				watchdog->started = RUNS;
			close(ends[0]);
		}
	}
	bool runs = watchdog->started == RUNS;
	pthread_mutex_unlock(&watchdog->lock);
	return runs;
}

void prof_watchdog_say(struct prof_watchdog *watchdog, struct prof_text *text)
{
	pthread_mutex_lock(&watchdog->lock);
	if (watchdog->started == FAILED)
		prof_text_print(text,
			"gdbprof cannot start %s, so it sampled no thread that blocks signals.\n"
			"Install that file beside gdbprof's module.\n",
			watchdog->program);
	pthread_mutex_unlock(&watchdog->lock);
}
