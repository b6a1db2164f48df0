/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * masking PROGRAM ARGUMENTS...: executes PROGRAM with SIGURG and SIGWINCH blocked, which its
 * threads and children take over, so that they are ticked by SIGSTOP.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (argc > 1)
		execvp(argv[1], argv + 1);
	perror("masking");
	return 127;
}
