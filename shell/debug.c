/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/debug.h"

#include "shell/gdbprof.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNALLED = 128 };

/* Makes the process group GROUP the one in the foreground of TERMINAL. */
static void bring_forward(int terminal, pid_t group)
{
	struct sigaction ignored = {.sa_handler = SIG_IGN}, before;

	/* A process in the background would be stopped by tcsetpgrp(). */
	sigaction(SIGTTOU, &ignored, &before);
	tcsetpgrp(terminal, group);
	sigaction(SIGTTOU, &before, NULL);
}

/* In the child: becomes GDB, on TERMINAL unless that is -1. */
static void become(const char *const *words, int terminal)
{
	prctl(PR_SET_PDEATHSIG, SIGHUP);
	if (terminal >= 0) {
		setpgid(0, 0);
		bring_forward(terminal, getpid());
		for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
			dup2(terminal, file);
	}
	execvp(words[0], (char *const *)words);
	_exit(GDBPROF_NOT_FOUND);
}

/*
 * Waits until CHILD has ended; *ENDED becomes its status.  No shell could continue CHILD after a
 * stop (Ctrl-Z, or another process in the foreground of TERMINAL), so it is continued here.
 */
static void wait_for(pid_t child, int terminal, int *ended)
{
	pid_t found;

	while ((found = waitpid(child, ended, WUNTRACED)) == child || errno == EINTR) {
		if (found != child)
			continue;
		if (!WIFSTOPPED(*ended))
			return;
		if (terminal >= 0)
			bring_forward(terminal, child);
		kill(child, SIGCONT);
	}
}

struct prof_error *debug_run(const char *const *words, int *status)
{
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	pid_t group = terminal >= 0 ? tcgetpgrp(terminal) : -1;
	pid_t child = fork();
	int ended = 0;

	if (!child)
		become(words, terminal);
	if (child > 0)
		wait_for(child, terminal, &ended);
	if (terminal >= 0 && group > 0)
		bring_forward(terminal, group);
	if (terminal >= 0)
		close(terminal);
	if (child < 0)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"GDB cannot be started: %s.  End other processes.", strerror(errno));
	*status = WIFSIGNALED(ended) ? SIGNALLED + WTERMSIG(ended) : WEXITSTATUS(ended);
	if (*status != GDBPROF_NOT_FOUND)
		return NULL;
	return prof_error_create(PROF_ERROR_SYSTEM,
		"GDB, which runs the program, cannot be executed.  Install gdb, or put it into PATH.");
}
