/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Processes that GDB does not have, sampled beside those that it has: what the program forks and
 * executes (prof-start --children), and others that the user names (--processes, --cgroup).
 */
#ifndef PROF_PLUGIN_SAMPLING_DESCENDANTS_H
#define PROF_PLUGIN_SAMPLING_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>

/* Is any such process sampled, as far as gdbprof knows?  False where the kernel does not permit it.
 */
bool descendants_sampled(void);

/* How many of them are running now. */
size_t descendants_living(void);

#endif
