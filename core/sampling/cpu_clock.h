/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The clock rate of the machine's CPUs, by which counts of CPU cycles become times. */
#ifndef PROF_SAMPLING_CPU_CLOCK_H
#define PROF_SAMPLING_CPU_CLOCK_H

#include <stdint.h>

/*
 * The clock rate in Hz: the harmonic mean over all CPUs, 1.5 GHz for one of 1 GHz and one of 3 GHz.
 * 0: the kernel does not say.  A CPU's rate is its base frequency, or its highest one, or what
 * /proc/cpuinfo says it is just now.  The files are looked for below the folder ROOT, "" for the
 * machine itself.
 */
int64_t prof_cpu_clock(const char *root);

#endif
