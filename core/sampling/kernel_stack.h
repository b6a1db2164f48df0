/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where a sleeping thread is in the kernel: /proc/PID/task/TID/stack.  The kernel shows that to
 * root alone, and functions by their names.
 */
#ifndef PROF_SAMPLING_KERNEL_STACK_H
#define PROF_SAMPLING_KERNEL_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_kallsyms;

/* May this process read such stacks? */
bool prof_kernel_stack_shown(void);

/*
 * Reads the stack of THREAD of PROCESS: lookup addresses of up to ROOM frames, the innermost first,
 * by SYMBOLS with an index.  A frame whose function is not known is left out.  Returns how many.
 */
size_t prof_kernel_stack_read(pid_t process, pid_t thread, const struct prof_kallsyms *symbols,
	uint64_t *frames, size_t room);

/* The same of TEXT, which is what the file has. */
size_t prof_kernel_stack_parse(
	const char *text, const struct prof_kallsyms *symbols, uint64_t *frames, size_t room);

#endif
