/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Error numbers of the kernel's own, which only debuggers see: a call that ends with one of them is
 * made again. A handler that runs before ends the call with EINTR where the number is
 * ERESTARTNOHAND, or ERESTART_RESTARTBLOCK.
 */
#ifndef PROF_TARGET_RESTART_H
#define PROF_TARGET_RESTART_H

enum {
	ERESTARTSYS = 512, /* with a handler: as its SA_RESTART says */
	ERESTARTNOINTR = 513,
	ERESTARTNOHAND = 514,
	ERESTART_RESTARTBLOCK = 516, /* by restart_syscall(), which knows how much time is left */
};

#endif
